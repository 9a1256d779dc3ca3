"""Pages on which something piles up below a large constant load, their twins, and a list that grows by design."""

from __future__ import annotations

from jostle.examples.entry import Example, page

GROWTH_PAGES: tuple[Example, ...] = (
    page(
        "leaky-panel",
        "Inbox with details",
        "Each time the details are shown one more listener is added to the window, on top of thousands of blocks that "
        "every click costs anyway.",
        "slowdown",
        twin="leaky-panel-fixed",
    ),
    page(
        "leaky-panel-fixed",
        "Inbox with details, correct",
        "The listener is removed when the details are closed.",
        twin_of="leaky-panel",
    ),
    page(
        "leaky-store",
        "Orders of a restaurant",
        "Each visit to the bill subscribes to the store once more and never unsubscribes; no listener shows it.",
        "slowdown",
        twin="leaky-store-fixed",
    ),
    page(
        "leaky-store-fixed",
        "Orders of a restaurant, correct",
        "Leaving the bill unsubscribes from the store.",
        twin_of="leaky-store",
    ),
    page(
        "leaky-cards",
        "Tours with details",
        "Opening the details of another tour adds one more listener to the document; opening the same again does not.",
        "slowdown",
        twin="leaky-cards-fixed",
    ),
    page(
        "leaky-cards-fixed",
        "Tours with details, correct",
        "The listener is removed when the details of another tour are opened.",
        twin_of="leaky-cards",
    ),
    page(
        "leaky-boxes",
        "Lines to pick",
        "Each change of a box adds one more listener to the list; a box must be unchecked to be checked again.",
        "slowdown",
        twin="leaky-boxes-fixed",
    ),
    page(
        "leaky-boxes-fixed",
        "Lines to pick, correct",
        "The list is listened to once.",
        twin_of="leaky-boxes",
    ),
    page(
        "comment-thread",
        "Comments in a thread",
        "Each comment makes the thread longer and showing it a little dearer, as everybody would expect.",
    ),
)
