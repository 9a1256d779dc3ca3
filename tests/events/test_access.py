"""What an event read and wrote."""

from __future__ import annotations

import pytest

from jostle.events.access import Access, condensed
from jostle.events.location import located


def test_the_first_read_and_the_last_write_of_each_location_stay_in_the_order_of_their_first_occurrence() -> None:
    def access(text: str) -> Access:
        mode, location, value = text.split()
        return Access(location=located(location), write=mode == "w", value=value)

    log = [access(text) for text in ("r x 1", "w y 2", "r y 2", "w x 3", "r x 3", "w y 4", "r y 4", "w x 5")]
    assert condensed(log) == tuple(access(text) for text in ("r x 1", "w y 4", "r y 2", "w x 5"))
    assert condensed(condensed(log)) == condensed(log)


@pytest.mark.parametrize(
    ("location", "visible"),
    [("dom:body/p@class", True), ("cookie:sid", True), ("global:dom", False), ("object:3.dom:", False)],
)
def test_visible_locations(location: str, visible: bool) -> None:
    assert Access(location=located(location)).visible == visible
