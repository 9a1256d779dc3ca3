"""Pages that go wrong in some orders of their events, their twins, and pages that bear every order."""

from __future__ import annotations

from jostle.examples.entry import Example, page

_LARGER = 'click button "Larger"'


def _pair(name: str, title: str, wrong: str, right: str, kind: str, *scenario: str) -> tuple[Example, Example]:
    """The page with the bug, and the one without; the same is done on both."""
    twin = f"{name}-fixed"
    return (
        page(name, title, wrong, kind, twin=twin, scenario=scenario),
        page(twin, f"{title}, correct", right, twin_of=name, scenario=scenario),
    )


_ORDER, _ATOMICITY = "order-violation", "atomicity-violation"

_BENCHMARKS: tuple[Example, ...] = (
    *_pair(
        "wave-b1",
        "Basket in euros",
        "Two answers while loading: the basket needs the rates, and fails if it comes before them.",
        "Whoever shows a price waits for the rates.",
        _ORDER,
        'click button "Add bread"',
        'click button "Add cheese"',
    ),
    *_pair(
        "wave-b2",
        "Chart and legend",
        "A script that is loaded dynamically may come later than the click that needs it.",
        "The click waits for the script.",
        _ORDER,
        'click button "Chart"',
        'click button "Legend"',
    ),
    *_pair(
        "wave-b3",
        "Storeroom",
        "Frames that are parsed before a script of the page find no function to tell that they are ready.",
        "The script stands before the frames.",
        _ORDER,
        'click button "Check"',
    ),
    *_pair(
        "wave-b4",
        "Stage",
        "Two timers: if the second click comes soon, what it starts is over before what the first has started.",
        "The second waits for what the first brings about.",
        _ORDER,
        'click button "Curtain"',
        'click button "Light"',
        'click button "Music"',
    ),
    *_pair(
        "wave-b5",
        "Shopping list",
        "The parser waits for a script; a click in that time takes away what the next script uses.",
        "What the click leaves can be used.",
        _ATOMICITY,
        _LARGER,
        'click button "Empty"',
        'click button "Count"',
    ),
    *_pair(
        "wave-b6",
        "Conditions of a bakery",
        "A long page is parsed in pieces; a click in between takes away what the script at its end uses.",
        "What the click leaves can be used.",
        _ATOMICITY,
        _LARGER,
        'click button "Cancel"',
    ),
    *_pair(
        "wave-b7",
        "Market",
        "While an alert stops the parser a timer becomes due that needs the rest of the page.",
        "The timer is set when the rest of the page is there.",
        _ATOMICITY,
        _LARGER,
        'click button "Sort"',
        'click button "Count"',
    ),
    *_pair(
        "wave-b8",
        "Notes",
        "What is selected between a request and its answer gets the mark that belongs to what was sent.",
        "What was sent gets the mark.",
        _ATOMICITY,
        'click button "Save"',
        'click button "Next note"',
    ),
)

_REAL: tuple[Example, ...] = (
    *_pair(
        "wave-ajaxplorer",
        "Files",
        "As in AjaXplorer: an answer makes a form anew while it is being filled in.",
        "The answer changes nothing but what it is about.",
        _ATOMICITY,
        'click button "Upload"',
        'type "plan.txt" in textbox "Name"',
        'check checkbox "Secret"',
        'click button "Send"',
        'click button "Close"',
        'click button "Count"',
    ),
    *_pair(
        "wave-feng-office",
        "Workspaces",
        "As in Feng Office: a file is lost if another workspace is opened before the answer to its upload.",
        "Where a file belongs is known when it is sent.",
        _ATOMICITY,
        'click button "North"',
        'type "report.txt" in textbox "File"',
        'click button "Upload"',
        'click button "South"',
        'click button "North"',
        'click button "Browse"',
    ),
    *_pair(
        "wave-gallery3",
        "Gallery",
        "As in Gallery3: a click calls a function of an external script that has not come yet.",
        "The script stands before what calls it.",
        _ORDER,
        'click button "Start the show"',
    ),
    *_pair(
        "wave-typo3",
        "Editor of a site",
        "As in TYPO3: external scripts keep the parser from a function that can be called already.",
        "The function stands before what calls it.",
        _ORDER,
        'click button "Publish"',
    ),
    *_pair(
        "wave-wordpress",
        "Post",
        "As in WordPress: a click calls a function of a deferred script that has not come yet.",
        "The button is disabled until the script has come.",
        _ORDER,
        'click button "Add a picture"',
    ),
)

_REVERSALS: tuple[Example, ...] = (
    *_pair(
        "three-reversals",
        "Draft",
        "A click fails only if three pairs of events change places.",
        "What the click needs is there before it is possible.",
        _ORDER,
        'click button "Options"',
        'click button "Preview"',
    ),
    *_pair(
        "late-load-handler",
        "Banner",
        "A script that comes after the load event waits for it in vain.",
        "A script that comes after the load event does not wait for it.",
        _ORDER,
        _LARGER,
    ),
    *_pair(
        "early-widget",
        "Weather in a box",
        "A box can be opened before the parser has come to the function that does it.",
        "The function stands before the box.",
        _ORDER,
        'click button "Weather"',
    ),
    *_pair(
        "early-navigation",
        "Delivery day",
        "To leave the page before a late script has run loses what that keeps for the next page.",
        "The link shows when the script has run.",
        _ORDER,
        'click link "Continue"',
    ),
    *_pair(
        "two-images",
        "Two pictures",
        "The handler of one picture uses what that of another sets.",
        "What is used is there from the start.",
        _ORDER,
        _LARGER,
    ),
    *_pair(
        "timer-before-element",
        "Opening hours",
        "A timer writes to an element that the parser may not have come to.",
        "The timer is set behind the element.",
        _ATOMICITY,
        _LARGER,
    ),
    *_pair(
        "text-and-children",
        "Departures",
        "One answer sets the text of an element to which another adds children, which are lost if they come first.",
        "Text and children have a place each.",
        _ORDER,
        _LARGER,
    ),
    *_pair(
        "early-timer",
        "Tide table",
        "A short timer may fire before the parser has come to the element that it writes to, also in a small page.",
        "The timer is set behind the element.",
        _ATOMICITY,
        _LARGER,
    ),
    *_pair(
        "early-response",
        "Menu of the day",
        "An answer may come before the parser has come to the function that shows it, also in a small page.",
        "The function stands before the request.",
        _ATOMICITY,
        _LARGER,
    ),
    page(
        "leaving-early",
        "Parcels",
        "To leave the page early cuts off what nobody misses.",
        scenario=('click link "Where is my parcel?"',),
    ),
    page(
        "lazy-init",
        "Shelves",
        "Whoever comes first makes what all use.",
        scenario=('click button "Tea"',),
    ),
    page(
        "animation-cancelled",
        "Ship",
        "An animation that is skipped ends as it would have ended.",
        scenario=('click button "Sail"', 'click button "Skip"'),
    ),
    page(
        "polling-sync",
        "Forecast",
        "A timer looks again and again until the answer has come.",
        scenario=('click button "Forecast"',),
    ),
)

_HARD: tuple[Example, ...] = (
    page(
        "endless-polling",
        "Message box",
        "A page that asks for messages for ever.",
        scenario=('click button "Write"',),
    ),
    page(
        "changing-events",
        "Notice board",
        "In another order a request is never answered, or a timer never set; in the end all is the same.",
        scenario=('click button "Open"', 'click button "Close"'),
    ),
    page(
        "never-the-same",
        "Visitors",
        "A page that differs with each load, so that orders cannot be compared.",
        scenario=(_LARGER,),
    ),
    page(
        "many-events",
        "Dominoes",
        "Thousands of timers.",
        scenario=('click button "Push"',) * 20,
    ),
    *_pair(
        "huge-script",
        "Ten megabytes",
        "A click needs the end of a script of ten megabytes that may not have come.",
        "The button is disabled until the script has come.",
        _ORDER,
        'click button "Greet"',
    ),
    *_pair(
        "minified-bundle",
        "Proverb of the day",
        "A bundle in one line in which one answer needs what another brings.",
        "The one answer waits for the other.",
        _ORDER,
        'click button "Sum"',
    ),
)

WAVE_OPERATIONS: dict[str, tuple[int, int]] = {
    "wave-b1": (2, 8),
    "wave-b2": (2, 9),
    "wave-b3": (1, 8),
    "wave-b4": (3, 11),
    "wave-b5": (3, 8),
    "wave-b6": (2, 5),
    "wave-b7": (3, 7),
    "wave-b8": (2, 8),
}
"""The eight benchmarks of WAVE (ICST 2014): events of the user in the scenario, and events in all."""

ORDER_PAGES = _BENCHMARKS + _REAL + _REVERSALS + _HARD
