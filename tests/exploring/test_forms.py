"""Values for form fields."""

from __future__ import annotations

import random
import re
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jostle.events import Field
from jostle.exploring.forms import accepts, value_for

SEEDS = st.integers(0, 2**32)


def _field(told: dict[str, Any]) -> Field:
    return msgspec.convert(told, Field)


def valid(field: dict[str, Any], seed: int = 1) -> str:
    return value_for(_field(field), random.Random(seed))


def wrong(field: dict[str, Any], seed: int = 1) -> str:
    return value_for(_field(field), random.Random(seed), valid=False)


@settings(deadline=None)
@given(
    SEEDS,
    st.none() | st.integers(-50, 50),
    st.integers(0, 100),
    st.sampled_from(["", "1", "5", "0.25", "any", "nonsense", "-3", "1e1"]),
)
def test_numbers(seed: int, low: int | None, width: int, step: str) -> None:
    field: dict[str, Any] = {"type": "number", "step": step}
    if low is not None:
        field |= {"min": str(low), "max": str(low + width)}
    value = Decimal(valid(field, seed))
    stride = {"5": Decimal(5), "0.25": Decimal("0.25"), "1e1": Decimal(10)}.get(step, Decimal(1))
    if low is not None:
        assert low <= value <= low + width
    assert (value - (low or 0)) % stride == 0
    assert accepts(_field(field), str(value))
    if low is not None:
        assert not accepts(_field(field), str(low + width + 1))
        assert not accepts(_field(field), str(low - 1))


@settings(deadline=None)
@given(SEEDS, st.dates(date(1900, 1, 1), date(2200, 1, 1)), st.integers(0, 400), st.integers(1, 10))
def test_dates(seed: int, low: date, width: int, step: int) -> None:
    high = date.fromordinal(low.toordinal() + width)
    field = {"type": "date", "min": low.isoformat(), "max": high.isoformat(), "step": str(step)}
    value = date.fromisoformat(valid(field, seed))
    assert low <= value <= high
    assert (value - low).days % step == 0
    assert not accepts(_field(field), date.fromordinal(high.toordinal() + 1).isoformat())
    bad = wrong(field | {"required": True}, seed)
    assert bad == "" or not low <= date.fromisoformat(bad) <= high or (date.fromisoformat(bad) - low).days % step


@settings(deadline=None)
@given(SEEDS, st.times(), st.times())
def test_times(seed: int, low: time, high: time) -> None:
    low, high = low.replace(second=0, microsecond=0), high.replace(second=0, microsecond=0)
    value = time.fromisoformat(valid({"type": "time", "min": f"{low:%H:%M}", "max": f"{high:%H:%M}"}, seed))
    assert low <= value <= high if low <= high else value >= low or value <= high


@settings(deadline=None)
@given(SEEDS, st.datetimes(datetime(1950, 1, 1), datetime(2100, 1, 1)))
def test_moments(seed: int, low: datetime) -> None:
    low = low.replace(second=0, microsecond=0)
    value = datetime.fromisoformat(valid({"type": "datetime-local", "min": f"{low:%Y-%m-%dT%H:%M}"}, seed))
    assert value >= low
    assert (value - low).total_seconds() % 60 == 0


@settings(deadline=None)
@given(SEEDS)
def test_months_weeks_and_colours(seed: int) -> None:
    month = valid({"type": "month", "min": "2030-11", "max": "2031-02"}, seed)
    assert month in ("2030-11", "2030-12", "2031-01", "2031-02")
    week = valid({"type": "week", "min": "2020-W52", "max": "2021-W01"}, seed)
    assert week in ("2020-W52", "2020-W53", "2021-W01")
    assert re.fullmatch("#[0-9a-f]{6}", valid({"type": "color"}, seed))
    assert 3 <= int(valid({"type": "range", "min": "3", "max": "4"}, seed)) <= 4


@settings(deadline=None)
@given(
    SEEDS, st.integers(0, 30), st.integers(0, 30), st.sampled_from(["text", "search", "tel", "password", "textarea"])
)
def test_lengths(seed: int, shortest: int, more: int, kind: str) -> None:
    field = {"type": kind, "minlength": str(shortest), "maxlength": str(shortest + more)}
    assert shortest <= len(valid(field, seed)) <= shortest + more
    assert accepts(_field(field), "x" * (shortest + more + 1)) is False


@settings(deadline=None)
@given(SEEDS, st.sampled_from([r"[A-Z]{2}\d{4}", r"\d{3}-\d{4}", "[a-z]+", r"(red|green)-[0-9a-f]{2}", r"\+\d{6,9}"]))
def test_patterns(seed: int, pattern: str) -> None:
    for kind in ("text", "tel", "password"):
        assert re.fullmatch(pattern, valid({"type": kind, "pattern": pattern}, seed), re.ASCII)
    assert not re.fullmatch(pattern, wrong({"type": "text", "pattern": pattern, "required": True}, seed), re.ASCII)


def test_a_pattern_that_is_not_supported_is_as_none() -> None:
    assert valid({"type": "email", "pattern": "(?<=x)"}).endswith("@example.com")


@pytest.mark.parametrize(
    ("field", "expected"),
    [
        ({"type": "email"}, r"[a-z.]+@example\.com"),
        ({"type": "email", "maxlength": "10"}, r"[a-z.]+@b\.io"),
        ({"type": "url"}, r"https://example\.com/\w+"),
        ({"type": "text", "name": "userEmail"}, r"[a-z.]+@example\.com"),
        ({"type": "text", "label": "First name"}, r"[A-Z][a-z]+"),
        ({"type": "text", "autocomplete": "name"}, r"[A-Z][a-z]+ [A-Z][a-z]+"),
        ({"type": "text", "name": "zip_code"}, r"\d{5}"),
        ({"type": "text", "placeholder": "Phone"}, r"\d+"),
        ({"type": "text", "name": "q", "placeholder": "Search recipes"}, r"[a-z]+"),
        ({"type": "text", "label": "Due date"}, r"2026-\d\d-\d\d"),
        ({"type": "text", "label": "Quantity"}, r"[1-9]"),
        ({"type": "number", "label": "Year"}, r"20[0-3]\d"),
        ({"type": "textarea"}, r"[A-Z][a-z ]+\."),
        ({"type": "text", "inputmode": "numeric"}, r"\d+"),
        ({"type": "date", "name": "birthday"}, r"(19|200)\d+-\d\d-\d\d"),
        ({"type": "text", "suggestions": ["one", "two"], "pattern": "two"}, "two"),
        ({"type": "text", "label": "Title"}, r"[A-Z][a-z]+ [a-z]+"),
        ({}, r"[a-z]+"),
    ],
)
def test_words(field: dict[str, Any], expected: str) -> None:
    for seed in range(20):
        assert re.fullmatch(expected, valid(field, seed)), valid(field, seed)


FIELDS = st.fixed_dictionaries(
    {
        "type": st.sampled_from(
            ["text", "search", "email", "url", "tel", "password", "number", "range", "date", "time", "month", "week",
             "datetime-local", "color", "textarea", "", "made-up"]
        )
    },
    optional={
        "required": st.booleans(),
        "min": st.text(max_size=6) | st.integers().map(str) | st.just("2026-01-01"),
        "max": st.text(max_size=6) | st.integers().map(str) | st.just("2026-02-01"),
        "step": st.text(max_size=4) | st.floats().map(str),
        "minlength": st.text(max_size=3) | st.integers(-5, 40).map(str),
        "maxlength": st.text(max_size=3) | st.integers(-5, 40).map(str),
        "pattern": st.text(max_size=12),
        "name": st.text(max_size=10),
        "label": st.text(max_size=10),
        "inputmode": st.text(max_size=5),
        "suggestions": st.lists(st.text(max_size=5), max_size=3),
    },
)  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(FIELDS, SEEDS, st.booleans())
def test_whatever_a_page_says(field: dict[str, Any], seed: int, want_valid: bool) -> None:
    first = value_for(_field(field), random.Random(seed), valid=want_valid)
    assert first == value_for(_field(field), random.Random(seed), valid=want_valid)


@settings(max_examples=200, deadline=None)
@given(FIELDS.filter(lambda field: field.get("required")), SEEDS)
def test_wrong_values_of_required_fields_are_wrong(field: dict[str, Any], seed: int) -> None:
    assert not accepts(_field(field), wrong(field, seed))


def test_careless_texts_where_nothing_is_constrained() -> None:
    seen = {wrong({"type": "text"}, seed) for seed in range(200)}
    assert any("<b>" in text for text in seen)
    assert any("'" in text for text in seen)
    assert any(len(text) >= 1000 for text in seen)


@pytest.mark.parametrize(
    "field",
    [
        {"type": "number", "step": "3600"},
        {"type": "number", "max": "-40", "step": "7"},
        {"type": "time", "max": "08:00", "required": True},
        {"type": "time", "min": "22:15", "required": True},
        {"type": "week", "step": "90", "required": True},
        {"type": "week", "max": "2025-W53", "required": True},  # 2025 has no such week: as if there were none
        {"type": "password", "pattern": "[a-z]+", "minlength": "12"},
        {"type": "email", "pattern": ".{3,8}"},
        {"type": "email", "pattern": r"\w+@\w+\.com", "required": True},
        {"type": "url", "pattern": "http://.*", "required": True},
        {"type": "range", "min": "10", "max": "-5"},
    ],
)
def test_constraints_that_leave_little(field: dict[str, Any]) -> None:
    """What Chromium accepts here was looked up with `checkValidity()`."""
    for seed in range(20):
        value = valid(field, seed)
        assert value
        assert accepts(_field(field), value), value


def test_a_field_for_several_things_gets_several_lines() -> None:
    for words in (
        "Ingredients, one a line",
        "Method, one step a line",
        "URLs (one per line)",
        "Hosts, each on a new line",
    ):
        for seed in range(5):
            text = value_for(_field({"type": "textarea", "label": words, "name": "things"}), random.Random(seed))
            assert len(text.splitlines()) == 3
    assert "\n" not in value_for(_field({"type": "text", "label": "one a line"}), random.Random(1))
    assert "\n" not in value_for(_field({"type": "textarea", "label": "Your online comment"}), random.Random(1))


def test_the_last_log_in_is_a_day_and_no_name() -> None:
    assert date.fromisoformat(value_for(_field({"type": "text", "name": "last_login_0"}), random.Random(1)))
