"""What examples there are and what is known about each."""

from __future__ import annotations

from jostle.examples.careful_pages import CAREFUL_PAGES
from jostle.examples.entry import Example, page
from jostle.examples.everyday_pages import EVERYDAY_PAGES
from jostle.examples.growth_pages import GROWTH_PAGES
from jostle.examples.hydration_pages import HYDRATION_PAGES
from jostle.examples.order_pages import ORDER_PAGES
from jostle.examples.race_pages import RACE_PAGES
from jostle.examples.repair_pages import REPAIR_PAGES
from jostle.examples.replayed_pages import REPLAYED_PAGES

_NEXT_TWICE = ('click button "Next image"',) * 2

CATALOGUE: tuple[Example, ...] = (
    page(
        "slideshow",
        "Slideshow",
        "Images are queued in the order in which they arrive, so a slow image is shown after a later one.",
        "schedule-difference",
        "order-violation",
        twin="slideshow-fixed",
        scenario=_NEXT_TWICE,
    ),
    page(
        "slideshow-fixed",
        "Slideshow, correct",
        "Images are shown in the order of the list, however they arrive.",
        twin_of="slideshow",
        scenario=_NEXT_TWICE,
    ),
    page(
        "slideshow-statistics",
        "Slideshow with statistics",
        "The slideshow with a deferred script that pings the server; the two have nothing to do with each other.",
        "schedule-difference",
        "order-violation",
        twin="slideshow-statistics-fixed",
        scenario=_NEXT_TWICE,
    ),
    page(
        "slideshow-statistics-fixed",
        "Slideshow with statistics, correct",
        "The correct slideshow with the statistics script.",
        twin_of="slideshow-statistics",
        scenario=_NEXT_TWICE,
    ),
    page(
        "wave-fig1",
        "Button before its library",
        "The button calls a function of an external script further down; a click before it has loaded fails.",
        "access-before-definition",
        "order-violation",
        twin="wave-fig1-fixed",
        scenario=('click button "Greet"',),
    ),
    page(
        "wave-fig1-fixed",
        "Button after its library",
        "The library is loaded before the button exists.",
        twin_of="wave-fig1",
        scenario=('click button "Greet"',),
    ),
    page(
        "wave-fig2",
        "Dynamically loaded script",
        "The button calls a function of a script that is loaded dynamically; a click before it has loaded fails.",
        "access-before-definition",
        "order-violation",
        twin="wave-fig2-fixed",
        scenario=('click button "Count"',),
    ),
    page(
        "wave-fig2-fixed",
        "Dynamically loaded script, correct",
        "The button is disabled until the script has loaded.",
        twin_of="wave-fig2",
        scenario=('click button "Count"',),
    ),
    page(
        "wave-fig3",
        "Click between two parsing steps",
        "A click handler clears a variable between the script that sets it and the script that uses it.",
        "atomicity-violation",
        twin="wave-fig3-fixed",
        scenario=('click button "Clear"',),
    ),
    page(
        "wave-fig3-fixed",
        "Click between two parsing steps, correct",
        "The value is kept where the click handler cannot clear it.",
        twin_of="wave-fig3",
        scenario=('click button "Clear"',),
    ),
    page(
        "search-as-you-type",
        "Search as you type",
        "Each answer is shown when it arrives, so the answer to an older query may replace that to a newer one.",
        "ajax-race",
        twin="search-as-you-type-counter",
    ),
    page(
        "search-as-you-type-counter",
        "Search as you type, with a request counter",
        "An answer is shown only if no newer request was sent.",
        twin_of="search-as-you-type",
    ),
    page(
        "search-as-you-type-abort",
        "Search as you type, with AbortController",
        "A new query aborts the request of the one before.",
        twin_of="search-as-you-type",
    ),
    page(
        "form-overwrite",
        "Field overwritten while loading",
        "A slow script sets the search field when the document is ready: what was typed until then is lost.",
        "form-input-overwritten",
        twin="form-overwrite-fixed",
    ),
    page(
        "form-overwrite-fixed",
        "Field kept while loading",
        "The script sets the field only if nobody has typed into it.",
        twin_of="form-overwrite",
    ),
    page(
        "late-handler",
        "Link without its handler",
        "A slow script makes the link open a menu; a click before that leaves the page.",
        "late-handler",
        twin="late-handler-fixed",
    ),
    page(
        "late-handler-fixed",
        "Menu that needs no handler",
        "The menu is a details element, which works from the start.",
        twin_of="late-handler",
    ),
    page(
        "undefined-analytics",
        "Menu item that calls analytics",
        "The menu item reports its click to an analytics script that may not have loaded, and does nothing then.",
        "access-before-definition",
        twin="undefined-analytics-fixed",
    ),
    page(
        "undefined-analytics-fixed",
        "Menu item with queued analytics",
        "Clicks are queued until the analytics script has loaded.",
        twin_of="undefined-analytics",
    ),
    page(
        "paging",
        "Table pages by Ajax",
        "Next, next: if the first page arrives last, it is shown under the number of the second.",
        "ajax-race",
        "schedule-difference",
        "order-violation",
        twin="paging-fixed",
        scenario=('click button "Next"',) * 2,
    ),
    page(
        "paging-fixed",
        "Table pages by Ajax, correct",
        "Rows of a page that is no longer wanted are dropped.",
        twin_of="paging",
        scenario=('click button "Next"',) * 2,
    ),
    page(
        "errors",
        "Unhandled errors",
        "One button throws for one choice of three, another leaves a rejected promise.",
        "exception",
        twin="errors-fixed",
    ),
    page(
        "errors-fixed",
        "Handled errors",
        "What is missing is said to be missing.",
        twin_of="errors",
    ),
    page(
        "timers",
        "Timers",
        "A clock, a countdown, intervals, polling, a debounced field and a chain of timeouts over 30 seconds.",
    ),
    page(
        "frames-lost-message",
        "Message to a frame that is not listening",
        "The page posts to its frames without waiting for them: an early message is lost.",
        "order-violation",
        twin="frames",
    ),
    page(
        "frames",
        "Frames",
        "A frame of the same origin and one of another, with messages both ways once each frame is ready.",
        twin_of="frames-lost-message",
    ),
    page(
        "ticker",
        "Live prices, chat and headlines",
        "Prices come by WebSocket and as a snapshot by fetch; a late snapshot puts old prices back.",
        "schedule-difference",
        twin="ticker-fixed",
    ),
    page(
        "ticker-fixed",
        "Live prices, chat and headlines, correct",
        "Each price carries a version; an older one never replaces a newer one.",
        twin_of="ticker",
    ),
    page(
        "csp-nonce",
        "Strict Content-Security-Policy",
        "Only scripts with the nonce may run; no inline handlers, no eval, no other origins.",
    ),
    page(
        "csp-trusted-types",
        "Trusted Types",
        "Only the page's own files, and no string reaches a script sink without a policy.",
    ),
    page(
        "service-worker",
        "Service worker",
        "The page registers a service worker that answers one request itself.",
    ),
    page(
        "slow-menu",
        "Menu of a site",
        "Saving the menu compares each item with every other: each item that is added makes it slower.",
        "slowdown",
        twin="slow-menu-fixed",
    ),
    page(
        "slow-menu-fixed",
        "Menu of a site, correct",
        "What saving the menu needs to know of the items is noted when an item is saved.",
        twin_of="slow-menu",
    ),
    page(
        "slow-categories",
        "Categories",
        "Each opening of the editor registers one more handler for its Save button, and all of them run.",
        "slowdown",
        twin="slow-categories-fixed",
    ),
    page(
        "slow-categories-fixed",
        "Categories, correct",
        "The handler of the Save button is registered once.",
        twin_of="slow-categories",
    ),
    page(
        "slow-articles",
        "Articles, 50 to a page",
        "Opening the list makes its rows anew, so each article makes it slower; but there are 50 rows at most.",
        "bounded-growth",
        twin="slow-articles-fixed",
    ),
    page(
        "slow-articles-fixed",
        "Articles, 50 to a page, correct",
        "Opening the list makes only the rows of new articles.",
        twin_of="slow-articles",
    ),
    page(
        "slow-articles-crash",
        "Articles in one packet",
        "All articles are saved together: slower each time, until they are too many for the server, which fails.",
        "http-error",
        twin="slow-articles-crash-fixed",
    ),
    page(
        "slow-articles-crash-fixed",
        "Articles in one packet, correct",
        "Only the new article is saved.",
        twin_of="slow-articles-crash",
    ),
    page(
        "slow-todo",
        "To do",
        "Typing makes the whole list anew, each opening of the editor registers one more handler, and saving compares "
        "each task with every other.",
        "slowdown",
        twin="slow-todo-fixed",
    ),
    page(
        "slow-todo-fixed",
        "To do, correct",
        "Typing changes one row, handlers are registered once, and how often a task is there is noted.",
        twin_of="slow-todo",
    ),
    page(
        "slow-sort",
        "Guests in order",
        "Each guest who is added makes the whole list be sorted again, by exchanging neighbours.",
        "slowdown",
        twin="slow-sort-fixed",
    ),
    page(
        "slow-sort-fixed",
        "Guests in order, correct",
        "A guest is put where the name belongs, which is found by halving the list.",
        twin_of="slow-sort",
    ),
    page(
        "innocent-input",
        "Letters of a text",
        "A longer text takes longer to count, but no count makes the next one slower.",
    ),
    page(
        "virtual-list",
        "Journal of many entries",
        "Only the entries in sight have rows, however many there are.",
    ),
    page(
        "slow-server",
        "Log of a server",
        "The server takes the longer the older the entries are; the page does the same for all.",
    ),
    page(
        "clock-work",
        "Stopwatch",
        "A clock, a stopwatch, an animation and polling, which work between what the user does.",
    ),
    page(
        "kitchen-sink",
        "Kitchen sink",
        "Every kind of control, event source and browser feature, each with its state as text beside it.",
    ),
    page(
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
    page(
        "larder",
        "Larder",
        "A recipe collection: search, comments, likes, favourites, a shopping list, forms and log-in (demo, demo).",
        twin_of="larder-buggy",
    ),
    page(
        "allotment-buggy",
        "Allotment, with planted bugs",
        "The pages of a garden club, each with a bug that its tests do not see in good weather: what was chosen is "
        "lost when the tab was hidden, dialogs close when the window is resized, a slow order is sent twice ...",
        "adverse-failure",
        twin="allotment",
    ),
    page(
        "allotment",
        "Allotment",
        "The pages of a garden club, whose tests (`jostle examples suite`) hold in all weathers.",
        twin_of="allotment-buggy",
    ),
    *RACE_PAGES,
    *EVERYDAY_PAGES,
    *ORDER_PAGES,
    *HYDRATION_PAGES,
    *GROWTH_PAGES,
    *CAREFUL_PAGES,
    *REPLAYED_PAGES,
    *REPAIR_PAGES,
)


def example(name: str) -> Example:
    """The example of that name. Raises KeyError."""
    for entry in CATALOGUE:
        if entry.name == name:
            return entry
    raise KeyError(name)
