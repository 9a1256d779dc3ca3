from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

from jostle.adverse import Neutral, Pass, adverse_condition
from jostle.adverse.conditions import CATALOGUE, OWN, known
from jostle.adverse.driving import drive, drive_async
from jostle.errors import UsageProblem


@pytest.fixture(autouse=True)
def none_left() -> Iterator[None]:
    yield
    OWN.clear()


class Standing:
    """A ground with a page that is a list of what was done to it."""

    def __init__(self) -> None:
        self.url = "http://127.0.0.1/"
        self.page: list[str] = []


def test_a_function_is_a_condition() -> None:
    @adverse_condition("the help is opened and closed", why="Reading changes nothing.", conflicts=["hover"], cost="1 s")
    def help_closed(page: list[str]) -> None:
        """F1, then Escape."""
        page.append("closed")

    help_closed(["it is still a function"])
    condition = known()["help-closed"]
    assert (condition.title, condition.what) == ("the help is opened and closed", "F1, then Escape.")
    assert (condition.why, condition.cost) == ("Reading changes nothing.", "1 s")
    assert (condition.in_pass, condition.neutral) == (Pass.KEPT, Neutral.ASSUMED)
    assert condition.conflicts == {"hover"} and condition.end is None and condition.relevant is None
    ground: Any = Standing()
    drive(condition.inject(ground))
    assert ground.page == ["closed"]


def test_an_asynchronous_function_is_awaited() -> None:
    @adverse_condition("something takes a while", name="a-while", relevant=lambda page: not page)
    async def anything(page: list[str]) -> None:
        await asyncio.sleep(0)
        page.append("done")

    condition, ground = OWN["a-while"], Standing()
    assert condition.relevant is not None
    on: Any = ground
    assert asyncio.run(drive_async(condition.relevant(on))) is True
    asyncio.run(drive_async(condition.inject(on)))
    assert ground.page == ["done"]
    assert asyncio.run(drive_async(condition.relevant(on))) is False


def test_what_yields_lasts() -> None:
    @adverse_condition("the index is being rebuilt")
    def indexing(page: list[str]) -> Iterator[None]:
        page.append("begun")
        yield
        page.append("ended")

    @adverse_condition("the same, asynchronously")
    async def indexing_async(page: list[str]) -> AsyncIterator[None]:
        page.append("begun")
        yield
        page.append("ended")

    for name in ("indexing", "indexing-async"):
        condition, ground = OWN[name], Standing()
        on: Any = ground
        assert condition.in_pass is Pass.ENVIRONMENT and condition.end is not None

        async def all_of_it(condition: Any = condition, on: Any = on) -> list[str]:
            begun = await drive_async(condition.inject(on))
            on.page.append("action")
            await drive_async(condition.end(on, begun))
            return list(on.page)

        assert asyncio.run(all_of_it()) == ["begun", "action", "ended"]


@pytest.mark.parametrize(
    ("title", "more", "said"),
    [
        ("", {}, "needs a title"),
        ("a title", {"name": "hide"}, "There is a condition hide already"),
        ("a title", {"in_pass": "later"}, "There is no pass 'later'"),
        ("a title", {"in_pass": "environment"}, "does not fit its pass"),
    ],
)
def test_mistakes_are_told(title: str, more: dict[str, Any], said: str) -> None:
    with pytest.raises(UsageProblem, match=said):

        @adverse_condition(title, **more)
        def anything(page: object) -> None: ...

    assert OWN == {} and set(known()) == set(CATALOGUE)


def test_a_decorator_without_brackets_is_told() -> None:
    with pytest.raises(UsageProblem, match="needs a title"):

        @adverse_condition  # type: ignore[arg-type]
        def anything(page: object) -> None: ...
