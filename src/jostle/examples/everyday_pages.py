"""What applications do every day, with and without a bug: toasts, dialogs, drafts, caches, hints."""

from __future__ import annotations

from jostle.examples.entry import Example, page

EVERYDAY_PAGES: tuple[Example, ...] = (
    page(
        "undo-bar",
        "Letters",
        "The timer of one letter closes the bar of the next, whose Undo is gone too early.",
        "order-violation",
        twin="undo-bar-fixed",
    ),
    page(
        "undo-bar-fixed",
        "Letters, correct",
        "Another letter begins the five seconds anew.",
        twin_of="undo-bar",
    ),
    page(
        "clear-too-soon",
        "Birds, cleared",
        "Clear does not stop what waits for the pause in typing, which then shows below an empty field.",
        "order-violation",
        twin="clear-too-soon-fixed",
    ),
    page(
        "clear-too-soon-fixed",
        "Birds, cleared, correct",
        "Clear stops what waits for the pause in typing.",
        twin_of="clear-too-soon",
    ),
    page(
        "order-dialog",
        "Bakery",
        "The dialog closes when the order is confirmed; until then it can be sent again.",
        "ajax-race",
        twin="order-dialog-fixed",
    ),
    page(
        "order-dialog-fixed",
        "Bakery, correct",
        "While the order is on its way the button is disabled.",
        twin_of="order-dialog",
    ),
    page(
        "autosave",
        "Note that saves itself",
        "What is typed while a save is on its way is never sent.",
        "ajax-race",
        twin="autosave-fixed",
    ),
    page(
        "autosave-fixed",
        "Note that saves itself, correct",
        "What is typed while a save is on its way is sent afterwards, once for all of it.",
        twin_of="autosave",
    ),
    page(
        "late-alert",
        "Prices",
        "An alert tells the price to who does not want to know it any more.",
        "ajax-race",
        twin="late-alert-fixed",
    ),
    page(
        "late-alert-fixed",
        "Prices, correct",
        "Who does not want to know the price any more is not told.",
        twin_of="late-alert",
    ),
    page(
        "push-and-draft",
        "Timetable",
        "What the server pushes when the editor opens replaces what was typed by then.",
        "ajax-race",
        twin="push-and-draft-fixed",
    ),
    page(
        "push-and-draft-fixed",
        "Timetable, correct",
        "What was typed is kept.",
        twin_of="push-and-draft",
    ),
    page(
        "search-for-something",
        "Birds that there are",
        "The list shows the response that arrives last; to see it, one has to look for birds that there are.",
        "ajax-race",
        twin="search-for-something-fixed",
    ),
    page(
        "search-for-something-fixed",
        "Birds that there are, correct",
        "Only the response to the last request is shown.",
        twin_of="search-for-something",
    ),
    page(
        "response-cache",
        "Proverbs with a cache",
        "What is stored differs with the order of responses, but nothing ever depends on it.",
    ),
    page(
        "arrival-order",
        "Weather, row by row",
        "Rows stand in the order in which their responses come.",
        "ajax-race",
        twin="arrival-order-fixed",
    ),
    page(
        "arrival-order-fixed",
        "Weather, row by row, correct",
        "Each row has its place; only the order of the elements in the document depends on the responses.",
        twin_of="arrival-order",
    ),
    page(
        "rename-and-delete",
        "Labels",
        "A label that was deleted comes back with the late response to renaming it; its button has a new name then.",
        "ajax-race",
        twin="rename-and-delete-fixed",
    ),
    page(
        "rename-and-delete-fixed",
        "Labels, correct",
        "A label that is gone stays so.",
        twin_of="rename-and-delete",
    ),
    page(
        "tooltip",
        "Towns with hints",
        "What the hint below the pointer says depends on when the pointer came.",
    ),
    page(
        "announcements",
        "Towns, announced",
        "What a screen reader was told last depends on the order of responses; what can be read does not.",
    ),
    page(
        "going-elsewhere",
        "Shops",
        "Who chooses another place before the first has loaded goes straight there.",
    ),
)
