"""Names without what changes in them by itself."""

from __future__ import annotations

import pytest

from jostle.model.label import without_figures


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("River 0 Paused 0 B of 327.6 kB (0.00%)", "River 0 Paused 12.5 kB of 327.6 kB (3.82%)"),
        ("↓ 120 kB/s ↑ 3 kB/s", "↓ 1.2 MB/s ↑ 0 B/s"),
        ("Ratio: 0.45", "Ratio: 1.5"),
        ("Inbox (3)", "Inbox (14)"),
        ("Basket 12 €", "Basket 13.50 €"),
        ("Basket $12", "Basket $13.50"),
        ("3 of 7 done", "4 of 7 done"),
        ("left: 10:03", "left: 9:59"),
    ],
)
def test_figures_are_not_part_of_a_name(one: str, other: str) -> None:
    assert without_figures(one) == without_figures(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Archive task 3", "Archive task 4"),
        ("Page 2", "Page 3"),
        ("Step 1b", "Step 2b"),
        ("2024", "2025"),
        ("Sprint 22", "Sprint 23"),
        ("Order 12 for 2 people", "Order 13 for 2 people"),
    ],
)
def test_numbers_are(one: str, other: str) -> None:
    assert without_figures(one) != without_figures(other)
