"""Pages on which not everything may be done."""

from __future__ import annotations

from jostle.examples.entry import Example, page

CAREFUL_PAGES: tuple[Example, ...] = (
    page(
        "control-room",
        "Control room",
        "Shutting down, paying, deleting an account and the like fail when they are touched; so does restarting the "
        "slideshow when all slides are deleted.",
        "exception",
        twin="control-room-fixed",
    ),
    page(
        "control-room-fixed",
        "Control room, correct",
        "What could do harm fails when it is touched; everything else works.",
        twin_of="control-room",
    ),
)
