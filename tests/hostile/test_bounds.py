"""Work on texts of a page is bounded: what a field asks for, what an error says, what markup is made of."""

from __future__ import annotations

import os
import random

import pytest

from jostle.browser.journal import Journal
from jostle.browser.memory import private_megabytes
from jostle.browser.rewriting import _scripts
from jostle.events import Field
from jostle.exploring.forms import value_for
from jostle.exploring.pattern import Pattern, Unsupported

pytestmark = pytest.mark.timeout(30)  # without a bound each of these takes minutes or gigabytes


@pytest.mark.parametrize("source", ["((a{200}){200}){200}", "(([a-z]+)+)+!", "(a|b|c)*" * 100, "((a*)*)*b"])
def test_patterns(source: str) -> None:
    pattern = Pattern(source)
    pattern.example(random.Random(0), least=5)
    pattern.fits("a" * 5000)
    value_for(Field(type="text", pattern=source, required=True), random.Random(0))


def test_a_pattern_that_is_too_long() -> None:
    with pytest.raises(Unsupported, match="too long"):
        Pattern("a?" * 5000)


@pytest.mark.parametrize("kind", ["text", "email", "url", "textarea", "password"])
@pytest.mark.parametrize("valid", [True, False])
def test_a_field_that_asks_for_too_much(kind: str, valid: bool) -> None:
    for longest in ("", "999999999"):
        field = Field(type=kind, required=True, minlength="300000000", maxlength=longest)
        assert len(value_for(field, random.Random(0), valid=valid)) <= 20_000


def test_a_suggestion_that_nobody_would_type() -> None:
    assert len(value_for(Field(type="text", suggestions=("x" * 10**6,)), random.Random(0))) < 100


def test_errors_of_a_page() -> None:
    journal = Journal()
    for n in range(2000):
        journal.exception({"exception": {"description": f"{n}" + "http://" * 10_000}, "url": "x" * 10**5})
        journal.console({"type": "error", "args": [{"value": "x" * 10**5}] * 50})
    taken = journal.take()
    assert len(taken["errors"]) == 500 and len(taken["limits"]) == 1
    assert max(len(each.message) for each in taken["errors"]) <= 10_000
    assert max(len(each.source) for each in taken["errors"]) <= 600


def test_scripts_that_are_never_closed() -> None:
    assert len(list(_scripts("<script>1</script>" + "<script>" * 200_000))) == 1


def test_the_memory_of_a_process_group() -> None:
    before = private_megabytes(os.getpgrp())
    held = bytearray(os.urandom(64) * (1 << 20))
    assert before + 50 < private_megabytes(os.getpgrp())
    assert held
    assert private_megabytes(2**22 + 1) == 0
