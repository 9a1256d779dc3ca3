"""Patterns of form fields: the same verdict as Python's `re` where both speak alike, and examples that fit."""

from __future__ import annotations

import random
import re
import time

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from jostle.exploring.pattern import Pattern, Unsupported

CHANCE = random.Random(7)

ATOMS = st.sampled_from(
    [
        "a",
        "b",
        "0",
        "7",
        "-",
        "_",
        "\\.",
        "\\d",
        "\\w",
        "\\s",
        "\\D",
        "[ab]",
        "[^a]",
        "[a-c0-3]",
        "[\\d_-]",
        ".",
        "\\x41",
    ]
)
QUANTIFIERS = st.sampled_from(["", "", "", "?", "*", "+", "{2}", "{1,3}", "{2,}", "*?", "+?"])


def grown(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    rows = st.lists(inner, min_size=1, max_size=3).map("".join)
    return (
        st.tuples(st.sampled_from(["({})", "(?:{})"]), rows, QUANTIFIERS).map(lambda t: t[0].format(t[1]) + t[2])
        | st.tuples(inner, inner).map(lambda pair: f"(?:{pair[0]}|{pair[1]})")
        | rows
    )


PATTERNS = st.recursive(st.tuples(ATOMS, QUANTIFIERS).map("".join), grown, max_leaves=6)


LONGEST = 12
"""Characters that `re` gets to see: it tries every way to divide a longer text among nested repetitions."""


@settings(max_examples=300, deadline=None)
@given(PATTERNS, st.integers(), st.data())
@example("(?:(a+)+)+b", 0, None)
def test_agrees_with_re(source: str, seed: int, data: st.DataObject | None) -> None:
    pattern = Pattern(source)
    texts = [(pattern.example(random.Random(seed)) or "")[:LONGEST]]
    if data is not None:
        texts.append(data.draw(st.text(alphabet="ab07-_. xA\n", max_size=8)))
    for text in texts:
        assert pattern.fits(text) == bool(re.fullmatch(source, text, re.ASCII))


@settings(max_examples=200, deadline=None)
@given(PATTERNS, st.integers())
@example("((aa*){2,}aaa{2}){2}", 0)  # long texts take too many steps to check
def test_examples_fit(source: str, seed: int) -> None:
    made = Pattern(source).example(random.Random(seed))
    assert made is not None
    assert Pattern(source).fits(made)
    assert len(made) > LONGEST or re.fullmatch(source, made, re.ASCII)


@pytest.mark.parametrize(
    ("source", "fitting", "other"),
    [
        (r"[A-Z]{2}\d{4}", "AB1234", "ab1234"),
        (r"\d{5}(-\d{4})?", "12345-6789", "1234"),
        (r"^https?:\/\/.+$", "http://x", "ftp://x"),
        (r"(?=.*\d)(?=.*[a-z])(?=.*[A-Z]).{8,}", "Passw0rdX", "password"),
        (r"(?!admin)\w+", "user", "admin"),
        (r"(?<word>\w)\k<word>", "aa", "ab"),
        (r"(a|b)\1", "bb", "ba"),
        (r"[\p{L} '\-]+", "Zoë O'Neil", "Zoë1"),
        (r"[^\s@]+@[^\s@]+\.[^\s@]+", "a@b.c", "a@b"),
        (r"\u{41}\u0042", "AB", "ab"),
        (r"\bab\b|[^\d]{3}", "ab", "12"),
        ("", "", "a"),
        ("a|", "", "b"),
    ],
)
def test_javascript(source: str, fitting: str, other: str) -> None:
    pattern = Pattern(source)
    assert pattern.fits(fitting)
    assert not pattern.fits(other)
    made = pattern.example(CHANCE)
    assert made is not None
    assert pattern.fits(made)


NOT_SUPPORTED = ["(", ")", "[", "[]", "a**", "*", "a{3,1}", "a{x}", "(?<=a)b", "[a--b]", r"\p{Script=Greek}", r"\q"]
NOT_SUPPORTED += [r"\2(a)", "[b-a]", r"\u{110000}", "a{5000}", "\\", "(?a)", r"\k<no>", "(" * 300 + ")" * 300]


@pytest.mark.parametrize("source", NOT_SUPPORTED)
def test_not_supported(source: str) -> None:
    with pytest.raises(Unsupported):
        Pattern(source)


def test_a_hostile_pattern_ends() -> None:
    began = time.process_time()
    pattern = Pattern("((a+)+)+b")
    assert not pattern.fits("a" * 60)
    assert not Pattern("(?:(?:a|b)*)*c").fits("ab" * 2000)
    assert time.process_time() - began < 5  # without a bound it would not end before the sun does


def test_lengths() -> None:
    assert len(Pattern("[a-z]+").example(CHANCE, least=3, most=4) or "") in (3, 4)
    assert Pattern("[a-z]{2}").example(CHANCE, least=3) is None
