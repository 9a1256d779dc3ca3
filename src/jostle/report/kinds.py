"""The kinds of findings in words, for those who see one for the first time."""

from __future__ import annotations

import msgspec

from jostle.findings import FindingKind


class KindHelp(msgspec.Struct, frozen=True):
    """What a kind of finding is, and what helps against it."""

    name: str
    """In a few words."""
    what: str
    help: str


KINDS = {
    FindingKind.AJAX_RACE: KindHelp(
        "Stale response or double submit",
        "The result depends on when responses arrive.",
        "When a response arrives, check that it is still wanted: number the requests and ignore all but the latest, "
        "abort the previous one (AbortController), or do not start a second request while one is pending.",
    ),
    FindingKind.FORM_INPUT_OVERWRITTEN: KindHelp(
        "Input overwritten while loading",
        "What the user entered while the page was loading is overwritten by a script.",
        "Set the value in the markup, or only while the field is as it was at first and does not have the focus; or "
        "keep the field disabled until the script has run.",
    ),
    FindingKind.LATE_HANDLER: KindHelp(
        "Click before the handler is attached",
        "The user can act before the event handler is attached.",
        "Attach the handler before the element can be seen, keep the element disabled until then, or make what "
        "happens without the handler right.",
    ),
    FindingKind.ACCESS_BEFORE_DEFINITION: KindHelp(
        "Used before it is defined",
        "An event handler uses what a later script defines.",
        "Load what the handler needs before the element can be seen, or attach the handler in the script that "
        "defines what it needs.",
    ),
    FindingKind.ORDER_VIOLATION: KindHelp(
        "Works in one order only",
        "Two events work only in one order, and nothing makes sure of that order.",
        "Let the one that must come second wait for the first: start it there, or check that the first has happened.",
    ),
    FindingKind.ATOMICITY_VIOLATION: KindHelp(
        "Interrupted in between",
        "An event comes between two steps that belong together.",
        "Keep what the two share out of the reach of other handlers until both are done, or check it again in the "
        "second.",
    ),
    FindingKind.EXCEPTION: KindHelp(
        "Exception",
        "An exception that nothing catches, or a promise rejection that nothing handles.",
        "Everything after the place where it is thrown is not done. Look at the line and at the steps that lead there: "
        "usually something is used that is not there in this state of the page.",
    ),
    FindingKind.CONSOLE_ERROR: KindHelp(
        "Console error",
        "The page itself reported an error on the console.",
        "The message is the application's own or that of a library: it says what it expected.",
    ),
    FindingKind.HTTP_ERROR: KindHelp(
        "Failed request",
        "The application's own server responded with an error, or not at all.",
        "Check the server log for this request, and what the page tells the user.",
    ),
    FindingKind.DEAD_LINK: KindHelp(
        "Dead link",
        "A link leads to a page that does not exist.",
        "Correct or remove the link.",
    ),
    FindingKind.HANG: KindHelp(
        "Hang",
        "The page's JavaScript did not finish, or its process crashed.",
        "Look for a loop whose end depends on data, or for recursion without one.",
    ),
    FindingKind.BROKEN_INVARIANT: KindHelp(
        "Broken invariant",
        "Something that the configuration says must always hold did not.",
        "The steps lead to a state that was to be impossible.",
    ),
    FindingKind.SCHEDULE_DIFFERENCE: KindHelp(
        "Different result in another order",
        "The same events in another order lead to another result.",
        "Decide which of the two results is right, and do not let the code depend on what happens first.",
    ),
    FindingKind.SLOWDOWN: KindHelp(
        "Slowdown",
        "An action gets slower the more often it, or another one, is done.",
        "Look at the functions that run more often each time: handlers that are added again and again, lists that are "
        "searched or rebuilt, things that are never removed.",
    ),
    FindingKind.BOUNDED_GROWTH: KindHelp(
        "Slower up to a limit",
        "Something gets slower up to a limit.",
        "If the time at that limit is acceptable, so is the application.",
    ),
    FindingKind.ADVERSE_FAILURE: KindHelp(
        "Fails in adverse conditions",
        "A test fails under conditions that users meet.",
        "Look at the condition under which it fails; the test passes under ordinary ones.",
    ),
    FindingKind.TYPE_VIOLATION: KindHelp(
        "Wrong type",
        "A value has another type than it should.",
        "Look at where the value comes from: one way leads to another type than all others.",
    ),
}
"""In the order in which they are explained."""
