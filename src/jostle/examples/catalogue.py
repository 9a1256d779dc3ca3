"""What examples there are and what is known about each."""

from __future__ import annotations

import msgspec


class Example(msgspec.Struct, frozen=True, kw_only=True):
    """One page or application that the example server shows."""

    name: str
    path: str
    """Where the server shows it, from the root: `/slideshow/`."""
    title: str
    description: str
    expected: tuple[str, ...] = ()
    """Kinds of finding it should give. One bug may be seen as several kinds; empty means that nothing is wrong."""
    twin: str | None = None
    """The same page without the bug."""
    twin_of: str | None = None
    """The page with the bug, of which this is the correct version."""


def _page(
    name: str, title: str, description: str, *expected: str, twin: str | None = None, twin_of: str | None = None
) -> Example:
    return Example(
        name=name,
        path=f"/{name}/",
        title=title,
        description=description,
        expected=expected,
        twin=twin,
        twin_of=twin_of,
    )


CATALOGUE: tuple[Example, ...] = (
    _page(
        "slideshow",
        "Slideshow",
        "Images are queued in the order in which they arrive, so a slow image is shown after a later one.",
        "schedule-difference",
        twin="slideshow-fixed",
    ),
    _page(
        "slideshow-fixed",
        "Slideshow, correct",
        "Images are shown in the order of the list, however they arrive.",
        twin_of="slideshow",
    ),
    _page(
        "slideshow-statistics",
        "Slideshow with statistics",
        "The slideshow with a deferred script that pings the server; the two have nothing to do with each other.",
        "schedule-difference",
        twin="slideshow-statistics-fixed",
    ),
    _page(
        "slideshow-statistics-fixed",
        "Slideshow with statistics, correct",
        "The correct slideshow with the statistics script.",
        twin_of="slideshow-statistics",
    ),
    _page(
        "wave-fig1",
        "Button before its library",
        "The button calls a function of an external script further down; a click before it has loaded fails.",
        "access-before-definition",
        "order-violation",
        twin="wave-fig1-fixed",
    ),
    _page(
        "wave-fig1-fixed",
        "Button after its library",
        "The library is loaded before the button exists.",
        twin_of="wave-fig1",
    ),
    _page(
        "wave-fig2",
        "Dynamically loaded script",
        "The button calls a function of a script that is loaded dynamically; a click before it has loaded fails.",
        "access-before-definition",
        "order-violation",
        twin="wave-fig2-fixed",
    ),
    _page(
        "wave-fig2-fixed",
        "Dynamically loaded script, correct",
        "The button is disabled until the script has loaded.",
        twin_of="wave-fig2",
    ),
    _page(
        "wave-fig3",
        "Click between two parsing steps",
        "A click handler clears a variable between the script that sets it and the script that uses it.",
        "atomicity-violation",
        twin="wave-fig3-fixed",
    ),
    _page(
        "wave-fig3-fixed",
        "Click between two parsing steps, correct",
        "The value is kept where the click handler cannot clear it.",
        twin_of="wave-fig3",
    ),
    _page(
        "search-as-you-type",
        "Search as you type",
        "Each answer is shown when it arrives, so the answer to an older query may replace that to a newer one.",
        "ajax-race",
        twin="search-as-you-type-counter",
    ),
    _page(
        "search-as-you-type-counter",
        "Search as you type, with a request counter",
        "An answer is shown only if no newer request was sent.",
        twin_of="search-as-you-type",
    ),
    _page(
        "search-as-you-type-abort",
        "Search as you type, with AbortController",
        "A new query aborts the request of the one before.",
        twin_of="search-as-you-type",
    ),
    _page(
        "form-overwrite",
        "Field overwritten while loading",
        "A slow script sets the search field when the document is ready: what was typed until then is lost.",
        "form-input-overwritten",
        twin="form-overwrite-fixed",
    ),
    _page(
        "form-overwrite-fixed",
        "Field kept while loading",
        "The script sets the field only if nobody has typed into it.",
        twin_of="form-overwrite",
    ),
    _page(
        "late-handler",
        "Link without its handler",
        "A slow script makes the link open a menu; a click before that leaves the page.",
        "late-handler",
        twin="late-handler-fixed",
    ),
    _page(
        "late-handler-fixed",
        "Menu that needs no handler",
        "The menu is a details element, which works from the start.",
        twin_of="late-handler",
    ),
    _page(
        "undefined-analytics",
        "Menu item that calls analytics",
        "The menu item reports its click to an analytics script that may not have loaded, and does nothing then.",
        "access-before-definition",
        twin="undefined-analytics-fixed",
    ),
    _page(
        "undefined-analytics-fixed",
        "Menu item with queued analytics",
        "Clicks are queued until the analytics script has loaded.",
        twin_of="undefined-analytics",
    ),
    _page(
        "paging",
        "Table pages by Ajax",
        "Next, next: if the first page arrives last, it is shown under the number of the second.",
        "ajax-race",
        "schedule-difference",
        twin="paging-fixed",
    ),
    _page(
        "paging-fixed",
        "Table pages by Ajax, correct",
        "Rows of a page that is no longer wanted are dropped.",
        twin_of="paging",
    ),
    _page(
        "errors",
        "Unhandled errors",
        "One button throws for one choice of three, another leaves a rejected promise.",
        "exception",
        twin="errors-fixed",
    ),
    _page(
        "errors-fixed",
        "Handled errors",
        "What is missing is said to be missing.",
        twin_of="errors",
    ),
    _page(
        "timers",
        "Timers",
        "A clock, a countdown, intervals, polling, a debounced field and a chain of timeouts over 30 seconds.",
    ),
    _page(
        "frames-lost-message",
        "Message to a frame that is not listening",
        "The page posts to its frames without waiting for them: an early message is lost.",
        "order-violation",
        twin="frames",
    ),
    _page(
        "frames",
        "Frames",
        "A frame of the same origin and one of another, with messages both ways once each frame is ready.",
        twin_of="frames-lost-message",
    ),
    _page(
        "ticker",
        "Live prices, chat and headlines",
        "Prices come by WebSocket and as a snapshot by fetch; a late snapshot puts old prices back.",
        "schedule-difference",
        twin="ticker-fixed",
    ),
    _page(
        "ticker-fixed",
        "Live prices, chat and headlines, correct",
        "Each price carries a version; an older one never replaces a newer one.",
        twin_of="ticker",
    ),
    _page(
        "csp-nonce",
        "Strict Content-Security-Policy",
        "Only scripts with the nonce may run; no inline handlers, no eval, no other origins.",
    ),
    _page(
        "csp-trusted-types",
        "Trusted Types",
        "Only the page's own files, and no string reaches a script sink without a policy.",
    ),
    _page(
        "service-worker",
        "Service worker",
        "The page registers a service worker that answers one request itself.",
    ),
    _page(
        "slow-menu",
        "Menu of a site",
        "Saving the menu compares each item with every other: each item that is added makes it slower.",
        "slowdown",
        twin="slow-menu-fixed",
    ),
    _page(
        "slow-menu-fixed",
        "Menu of a site, correct",
        "What saving the menu needs to know of the items is noted when an item is saved.",
        twin_of="slow-menu",
    ),
    _page(
        "slow-categories",
        "Categories",
        "Each opening of the editor registers one more handler for its Save button, and all of them run.",
        "slowdown",
        twin="slow-categories-fixed",
    ),
    _page(
        "slow-categories-fixed",
        "Categories, correct",
        "The handler of the Save button is registered once.",
        twin_of="slow-categories",
    ),
    _page(
        "slow-articles",
        "Articles, 50 to a page",
        "Opening the list makes its rows anew, so each article makes it slower; but there are 50 rows at most.",
        "bounded-growth",
        twin="slow-articles-fixed",
    ),
    _page(
        "slow-articles-fixed",
        "Articles, 50 to a page, correct",
        "Opening the list makes only the rows of new articles.",
        twin_of="slow-articles",
    ),
    _page(
        "slow-articles-crash",
        "Articles in one packet",
        "All articles are saved together: slower each time, until they are too many for the server, which fails.",
        "http-error",
        twin="slow-articles-crash-fixed",
    ),
    _page(
        "slow-articles-crash-fixed",
        "Articles in one packet, correct",
        "Only the new article is saved.",
        twin_of="slow-articles-crash",
    ),
    _page(
        "slow-todo",
        "To do",
        "Typing makes the whole list anew, each opening of the editor registers one more handler, and saving compares "
        "each task with every other.",
        "slowdown",
        twin="slow-todo-fixed",
    ),
    _page(
        "slow-todo-fixed",
        "To do, correct",
        "Typing changes one row, handlers are registered once, and how often a task is there is noted.",
        twin_of="slow-todo",
    ),
    _page(
        "slow-sort",
        "Guests in order",
        "Each guest who is added makes the whole list be sorted again, by exchanging neighbours.",
        "slowdown",
        twin="slow-sort-fixed",
    ),
    _page(
        "slow-sort-fixed",
        "Guests in order, correct",
        "A guest is put where the name belongs, which is found by halving the list.",
        twin_of="slow-sort",
    ),
    _page(
        "innocent-input",
        "Letters of a text",
        "A longer text takes longer to count, but no count makes the next one slower.",
    ),
    _page(
        "virtual-list",
        "Journal of many entries",
        "Only the entries in sight have rows, however many there are.",
    ),
    _page(
        "slow-server",
        "Log of a server",
        "The server takes the longer the older the entries are; the page does the same for all.",
    ),
    _page(
        "clock-work",
        "Stopwatch",
        "A clock, a stopwatch, an animation and polling, which work between what the user does.",
    ),
    _page(
        "kitchen-sink",
        "Kitchen sink",
        "Every kind of control, event source and browser feature, each with its state as text beside it.",
    ),
    _page(
        "larder-buggy",
        "Larder, with planted bugs",
        "The recipe collection with a search race, a favourite button that trusts late answers, comments that cost "
        "more with each one, a menu whose handler comes late and a profile form that is overwritten.",
        "ajax-race",
        "form-input-overwritten",
        "late-handler",
        "slowdown",
        twin="larder",
    ),
    _page(
        "larder",
        "Larder",
        "A recipe collection: search, comments, likes, favourites, a shopping list, forms and log-in (demo, demo).",
        twin_of="larder-buggy",
    ),
)


def example(name: str) -> Example:
    """The example of that name. Raises KeyError."""
    for entry in CATALOGUE:
        if entry.name == name:
            return entry
    raise KeyError(name)
