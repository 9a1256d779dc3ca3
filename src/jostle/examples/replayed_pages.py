"""Pages whose bugs are easy to find and hard to write a test for or to replay."""

from __future__ import annotations

from jostle.examples.entry import Example, page

REPLAYED_PAGES: tuple[Example, ...] = (
    page(
        "icon-filters",
        "Petrol stations with icons",
        "The race of the petrol stations, with icons and counts of style sheets in the names of the buttons.",
        "ajax-race",
        twin="icon-filters-fixed",
    ),
    page(
        "icon-filters-fixed",
        "Petrol stations with icons, correct",
        "Only the response to the last request fills the list.",
        twin_of="icon-filters",
    ),
)
