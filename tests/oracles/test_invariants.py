"""Invariants of the configuration."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jostle.config import Invariant
from jostle.errors import ConfigurationProblem
from jostle.findings import Defect, FindingKind
from jostle.findings.evidence import InvariantEvidence
from jostle.oracles import Invariants

PAGE = {"url": "http://shop.test/", "title": "Shop", "html": "<p>3 items"}


def broken(invariants: Invariants, value: Callable[[str], Any] = lambda expression: [True, ""]) -> list[Defect]:
    async def evaluate(expression: str) -> Any:
        return value(expression)

    return asyncio.run(invariants.broken(PAGE, evaluate))


def python(folder: Path, name: str, body: str) -> Invariants:
    (folder / f"{name}.py").write_text(f"def holds(page):\n    {body}\n")
    return Invariants([Invariant(name="total", python=f"{name}:holds")], folder)


def test_without_any() -> None:
    assert not Invariants([]) and broken(Invariants([])) == []


def test_javascript() -> None:
    invariants = Invariants([Invariant(name="cart", javascript="cart.total >= 0 // always")])
    assert invariants and not invariants.reads_pages
    assert broken(invariants, lambda expression: ["\ncart.total >= 0 // always\n" in expression, expression]) == []
    (problem,) = broken(invariants, lambda expression: [False, "it was false"])
    assert problem.kind is FindingKind.BROKEN_INVARIANT
    assert problem.title == "“cart” does not hold: it was false"
    assert problem.evidence == InvariantEvidence(
        invariant="cart", said="it was false", url="http://shop.test/", javascript="cart.total >= 0 // always"
    )
    (other,) = broken(invariants, lambda expression: [False, "it threw TypeError: no"])
    assert other.id == problem.id


def test_javascript_that_is_none() -> None:
    def refuse(expression: str) -> Any:
        raise RuntimeError("the page agent failed: SyntaxError: Unexpected token ')'\n at x")

    with pytest.raises(ConfigurationProblem, match=r"`cart`: `1 \+` cannot be evaluated: .*Unexpected token '\)'$"):
        broken(Invariants([Invariant(name="cart", javascript="1 +")]), refuse)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("return page['title'] == 'Shop'", None),
        ("assert 'items' in page['html']", None),
        ("return page['title'] == 'Other'", "total_{}:holds gave False"),
        ("assert page['title'] == 'Other', 'another title'", "total_{}:holds says another title"),
        ("assert page['title'] == 'Other'", "an assertion of total_{}:holds failed"),
        ("return 0", "total_{}:holds gave 0"),
    ],
)
def test_python(tmp_path: Path, body: str, said: str | None) -> None:
    number = abs(hash(body))
    invariants = python(tmp_path, f"total_{number}", body)
    assert invariants.reads_pages
    assert [problem.evidence.wrong for problem in broken(invariants)] == ([said.format(number)] if said else [])


def test_a_function_of_the_user_that_fails(tmp_path: Path) -> None:
    with pytest.raises(
        ConfigurationProblem, match=r"`total`: failing:holds failed on http://shop\.test/: KeyError: 'x'"
    ):
        broken(python(tmp_path, "failing", "return page['x']"))
    with pytest.raises(ConfigurationProblem, match="`total`: nowhere:holds cannot be imported"):
        Invariants([Invariant(name="total", python="nowhere:holds")], tmp_path)
