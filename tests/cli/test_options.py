"""Durations and addresses as people write them."""

from __future__ import annotations

import pytest

from jostle.text import duration


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("90s", 90),
        ("5m", 300),
        ("1h30m", 5400),
        ("500ms", 0.5),
        ("1.5h", 5400),
        ("90", 90),
        (" 2M ", 120),
        ("1m5s", 65),
    ],
)
def test_duration(text: str, seconds: float) -> None:
    assert duration(text) == pytest.approx(seconds)


@pytest.mark.parametrize(
    "text", ["", "soon", "5 minutes", "-5s", "0", "0m", "5d", "m", "1.2.3s", "s5", "1e3", "nan", "٣x"]
)
def test_not_a_duration(text: str) -> None:
    with pytest.raises(ValueError, match="duration"):
        duration(text)
