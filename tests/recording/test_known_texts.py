from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jostle.recording.known_texts import SHORTEST, KnownTexts
from tests.growing import assert_linear


def naive(text: str, known: set[str], stay: str) -> list[tuple[int, str]]:
    """By one expression of all of them: what stays first, then the longest."""
    longest = sorted((each for each in known if len(each) >= SHORTEST), key=len, reverse=True)
    parts = [rf"(?<!\d){each}(?!\d)" if each.isdigit() else re.escape(each) for each in longest]
    found = re.finditer("|".join([f"(?P<stay>{re.escape(stay)})", *(f"(?:{part})" for part in parts)]), text)
    return [(each.start(), each[0]) for each in found if each["stay"] is None]


few = st.text("ab1/", min_size=1, max_size=9)


@pytest.mark.parametrize("more", [0, 100], ids=["few", "many"])
@given(st.lists(few, max_size=8), st.lists(st.one_of(few, st.just("STAY")), max_size=12))
@settings(deadline=None)
def test_as_a_naive_search(more: int, known: list[str], parts: list[str]) -> None:
    text = "".join(parts)
    texts = KnownTexts()
    others = [f"{number:x}zzzz" for number in range(16**4, 16**4 + more)]
    for each in (*known, *others):
        texts.add(each, "new")
    stay = {match.start(): match.end() for match in re.finditer("STAY", text)}
    assert list(texts.found(text, stay)) == naive(text, {*known, *others}, "STAY")


def test_long_ones_with_one_beginning() -> None:
    texts = KnownTexts()
    for length in (300, 301, 1000):
        texts.add("a" * length, str(length))
    assert [len(known) for _, known in texts.found("a" * 1000 + "b" + "a" * 300 + "b" + "a" * 302, {})] == [
        1000,
        300,
        301,
    ]


@pytest.mark.timeout(120)
def test_time_does_not_depend_on_how_many_are_known() -> None:
    text = "ordinary words of a page, csrf-00000000 and so on; " * 2000

    def search(texts: KnownTexts) -> None:
        for _ in range(3):
            list(texts.found(text, {}))

    def known(count: int) -> KnownTexts:
        texts = KnownTexts()
        for number in range(count):
            texts.add(f"csrf-{number * 7919 % 10**8:08}", "x")
            texts.add(f"{number * 7919:08x}", "x")
        return texts

    assert_linear(search, known, 2000)
