"""What two loads show: the user acted early in one, after everything was loaded in the other. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from enum import StrEnum

import msgspec

from jostle.events import Effect, PageError, Step, UserAction
from jostle.findings import FindingKind, Severity
from jostle.findings.evidence import DifferenceKind, OutcomeDifference
from jostle.oracles.outcome import Noise, differences, severity
from jostle.oracles.problems import plain
from jostle.oracles.statistics import is_statistics
from jostle.races.loading.loaded import PageLoad, is_heeded
from jostle.races.loading.observation import Listening
from jostle.races.loading.patterns import UPGRADE, LoadRaceCandidate, Probe
from jostle.races.loading.places import asks_for, delivered, place, same_places

KEPT = "what the user enters before that is kept"
PREVENTS_NOTHING = "the handler prevents nothing that the browser does: it can be done again"
NOTHING_FAILS = "nothing fails before that"
_UNDEFINED = re.compile(r"\b(ReferenceError|TypeError)\b")
_CODE = re.compile(r"javascript:", re.IGNORECASE)
LASTING = ("check", "select")
"""What the browser itself changes with the user's event: doing it again would undo it."""
_TEXTS = ("type", "fill")
_OWN = (*_TEXTS, "rightclick")
"""What it does otherwise by itself: text is entered, a menu opens."""
_OF_A_LOAD = (DifferenceKind.FORM, DifferenceKind.STORAGE, DifferenceKind.SCREEN)
_NEARLY = 0.8
"""Share of the lines, or words, of two pages that are in both when the one is taken to be the other, but for a
detail."""


class Instead(StrEnum):
    """What happens to the user's event without its handler."""

    NOTHING = "nothing"
    LEAVES = "leaves"
    """The browser opens another page, or would if it might."""
    SENDS = "sends"
    """The browser sends the form."""
    OTHER = "other"


class Shown(msgspec.Struct, frozen=True, kw_only=True):
    """A race that the two loads show."""

    kind: FindingKind
    severity: Severity
    differences: tuple[OutcomeDifference, ...]
    error: PageError | None = None
    instead: Instead = Instead.OTHER
    """For a handler that is missed."""


class Harmless(msgspec.Struct, frozen=True):
    """No race, or none that matters."""

    reason: str


Verdict = Shown | Harmless


def overwritten(bad: PageLoad, good: PageLoad | None, where: str) -> Verdict | None:
    """Whether what the user entered early is lost. None: ask again with the `good` load too."""
    if bad.entered is None:
        return Harmless("nothing could be entered in it")
    left = bad.left.value if bad.left is not None else ""
    if left == bad.entered.value:
        return Harmless(KEPT)
    if len(entered := _bare(bad.entered.value)) > 1 and entered in _bare(left):
        return Harmless("what the user enters before that is kept in another form")
    if good is None:
        return None
    if good.entered is None or good.left is None or good.left.value != good.entered.value or good.left.value == left:
        return Harmless("it is not kept after loading either")
    lost = OutcomeDifference(DifferenceKind.FORM, where, good.left.value, left)
    return Shown(kind=FindingKind.FORM_INPUT_OVERWRITTEN, severity=Severity.HIGH, differences=(lost,))


def _bare(text: str) -> str:
    """Without what scripts change when they bring a text into form."""
    return re.sub(r"[\W_]+", "", text).casefold()


def unfocused(bad: PageLoad, good: PageLoad | None, where: str) -> Verdict | None:
    """Whether the user loses the focus. None: ask again with the `good` load too."""
    if bad.entered is None or not bad.entered.focused:
        return Harmless("the field did not have the focus")
    if bad.left is not None and bad.left.focused:
        return Harmless("the focus stays with the user")
    if good is None:
        return None
    if good.left is None or not good.left.focused:
        return Harmless("the focus is moved after loading too")
    lost = OutcomeDifference(DifferenceKind.FOCUS, where, "it has the focus", "it has lost the focus")
    return Shown(kind=FindingKind.FORM_INPUT_OVERWRITTEN, severity=Severity.MEDIUM, differences=(lost,))


def not_missed(candidate: LoadRaceCandidate, probe: Probe, step: Step) -> Harmless | None:
    """Why a handler cannot be missed, from what it did when the user acted after loading."""
    if step.effect.default_prevented:
        return None
    action = probe.event.action.type
    stays = action in LASTING or (action in _TEXTS and _hears_entries(candidate))
    if not (stays or _indirect(candidate)):
        return Harmless(PREVENTS_NOTHING)
    upgraded = isinstance(candidate.deed, Listening) and candidate.deed.type == UPGRADE
    return None if upgraded or is_heeded(step) else Harmless("nobody does anything with it but the browser")


def late(
    candidate: LoadRaceCandidate,
    probe: Probe,
    bad: PageLoad | None,
    good: PageLoad,
    noise: Noise,
    *,
    untouched: str | None = None,
) -> Verdict | None:
    """Whether the user's event misses its handler. None: ask again with the `bad` load too. `untouched`: what can be
    read when the page has loaded and nobody has done anything."""
    action = probe.event.action.type
    unneeded = not_missed(candidate, probe, good.steps[good.acted]) if good.acted is not None else None
    if unneeded is not None:
        return unneeded
    if bad is None:
        return None
    done = _done_by_browser(probe.event.action, bad)
    if probe.sends and not done:
        return Harmless("the form is not sent then, and can be sent later")
    if not (done or _indirect(candidate)):
        return Harmless("nothing happens without the handler: it can be done again")
    found = _told(good, bad, noise)
    if not found:
        return Harmless("it ends the same, with the handler or without")
    if all(each.what is DifferenceKind.REQUEST and is_statistics(each.good or each.bad) for each in found):
        return Harmless("only statistics miss it")
    if untouched is not None and _has_no_effect(probe, bad, untouched):
        done = False
    instead = _instead(probe, bad, done=done)
    # What has had no effect is seen to have had none, and done again.
    minor = instead is Instead.NOTHING or action in _TEXTS or _nearly_same(good, bad, found) or _is_given(good, bad)
    minor = minor or (untouched is not None and _opens_the_same(good, bad, untouched))
    return Shown(
        kind=FindingKind.LATE_HANDLER,
        severity=Severity.LOW if minor else severity(found),
        differences=tuple(found),
        instead=instead,
    )


def arrives(shown: Shown, bad: PageLoad, good: PageLoad) -> bool:
    """Whether the user is where the handler would have led, by another page, and only what can be read differs."""
    only_text = all(each.what is DifferenceKind.TEXT for each in shown.differences)
    return only_text and bool(bad.left_for) and same_places(good.places, bad.places)


def unheard(bad: PageLoad, good: PageLoad, noise: Noise) -> Verdict:
    """Whether a load event misses its handler."""
    found = [each for each in differences(good.outcome, bad.outcome, noise) if each.what is not DifferenceKind.SCREEN]
    if not found:
        return Harmless("it ends the same, with the handler or without")
    fails, fails_too = (set(map(plain, load.outcome.errors)) for load in (bad, good))
    if fails_too - fails and not fails - fails_too:
        return Harmless("the other order fails as well")
    return Shown(kind=FindingKind.LATE_HANDLER, severity=severity(found), differences=tuple(found))


def undefined(bad: PageLoad, good: PageLoad | None, noise: Noise, known: Sequence[PageError] = ()) -> Verdict | None:
    """Whether a handler fails, or makes a script fail, because the user acted early. None: ask again with the `good`
    load too. `known`: what is thrown while loading when nobody does anything."""
    failing = [error for error in bad.errors(of_user=True) if _UNDEFINED.search(error.message)]
    later = _new(bad.errors(of_user=False), known)
    if not failing and not later:
        return Harmless(NOTHING_FAILS)
    if good is None:
        return None
    always = [error for error in good.errors(of_user=True) if _UNDEFINED.search(error.message)]
    after = good.errors(of_user=False)
    if failing and not later and not _new(failing, always, by_place=True):
        return Harmless("it fails after loading too")
    found = differences(good.outcome, bad.outcome, noise)
    for kind, errors in (
        (FindingKind.ACCESS_BEFORE_DEFINITION, _new(_new(failing, always, by_place=True), after)),
        (FindingKind.ATOMICITY_VIOLATION, _new(_new(later, after), always)),
    ):
        if errors:
            return Shown(kind=kind, severity=severity(found), differences=tuple(found), error=errors[0])
    return Harmless("the same fails when the user acts later")


def _new(errors: Sequence[PageError], known: Sequence[PageError], *, by_place: bool = False) -> list[PageError]:
    """Errors of a kind that is not known: a message counts without what differs by data. `by_place`: nor thrown in the
    line where another one is thrown: a handler that never gets beyond it."""
    kinds = {plain(error.message) for error in known}
    places = {_line(error) for error in known} if by_place else set()
    return [error for error in errors if plain(error.message) not in kinds and _line(error) not in places]


def _line(error: PageError) -> str:
    return error.source.rpartition(":")[0]


def _done_by_browser(action: UserAction, bad: PageLoad) -> bool:
    """Whether the browser itself did something with the user's event, which the handler would have prevented."""
    if action.type in (*LASTING, *_OWN) or bad.left_for:
        return True
    effect = bad.steps[bad.acted].effect if bad.acted is not None else Effect()
    if _CODE.match(action.href) and (effect.changes or effect.form_writes or effect.storage_writes or effect.dialogs):
        return True  # the code in the address ran
    return bool(effect.lifecycle or effect.downloads or effect.requests)


def _instead(probe: Probe, bad: PageLoad, *, done: bool) -> Instead:
    if probe.sends and bad.left_for:
        return Instead.SENDS
    if bad.left_for:
        return Instead.LEAVES
    return Instead.OTHER if done else Instead.NOTHING


def _indirect(candidate: LoadRaceCandidate) -> bool:
    """The handler is not the element's own: a framework's that listens for all, or that of a custom element."""
    deed = candidate.deed
    if not isinstance(deed, Listening) or deed.type == "submit":
        return False
    return deed.type == UPGRADE or deed.target != candidate.target


def _hears_entries(candidate: LoadRaceCandidate) -> bool:
    return isinstance(candidate.deed, Listening) and candidate.deed.type in ("input", "change")


def _told(good: PageLoad, bad: PageLoad, noise: Noise) -> list[OutcomeDifference]:
    """How what the user did ended. It counts where the user is in the end and what is there, not the way there:
    leaving a page early is no difference in itself, nor is loading what the handler would show in place."""
    if good.left_for and place(good.left_for) == place(bad.left_for):
        return []
    found = differences(good.by_user, bad.by_user, noise)
    if not same_places(good.places, bad.places):
        return found
    found = [each for each in found if each.what is not DifferenceKind.URL]
    if not (good.left_for or bad.left_for):
        return found
    gave = delivered(good.requests)
    if gave == delivered(bad.requests):
        found = [each for each in found if each.what is not DifferenceKind.REQUEST]
        if _words(good, counted=not gave) == _words(bad, counted=not gave):
            found = [each for each in found if each.what is not DifferenceKind.TEXT]
    # A page that was loaded again has its fields as they were, and fills its stores anew.
    return [each for each in found if each.what not in _OF_A_LOAD]


def _opens_the_same(good: PageLoad, bad: PageLoad, untouched: str) -> bool:
    """Whether a page was made to work without scripts: nearly all that the handler shows in place is on the page that
    the browser opens by itself. Where the handler shows nothing, the server must have been given the same, too."""
    if not bad.left_for or good.left_for:
        return False
    known = set(map(_in_one_line, untouched.split("\n")))
    lines = {_in_one_line(line) for line in good.by_user.text.split("\n")} - known
    there = _in_one_line(bad.by_user.text)
    if any(lines):
        # What is shown in place has a frame of its own, with a button to close it; a trail of pages that were visited
        # has them in another order.
        words = set(there.split())
        shown = (line for line in lines if line in there or words.issuperset(line.split()))
        return sum(map(len, shown)) >= _NEARLY * sum(map(len, lines))
    missing = set(_in_one_line(untouched).split()) - set(there.split())
    gave = delivered(each for each in good.requests if not asks_for(each, bad.left_for))
    return gave == delivered(bad.requests) and not missing


def _in_one_line(text: str) -> str:
    """Without what differs by data."""
    return " ".join(plain(text).split())


def _is_given(good: PageLoad, bad: PageLoad) -> bool:
    """Whether the server was given something, the same either way, and the user is where the handler would have led."""
    gave = delivered(good.requests)
    return bool(gave and bad.left_for) and gave == delivered(bad.requests) and same_places(good.places, bad.places)


def _has_no_effect(probe: Probe, bad: PageLoad, untouched: str) -> bool:
    """Whether nothing came of it but another fragment in the address: it can be done again."""
    done = (*LASTING, *_OWN)
    if bad.left_for or probe.sends or probe.event.action.type in done or _CODE.match(probe.event.action.href):
        return False
    return bad.by_user.text.split() == untouched.split() and not bad.requests and not bad.by_user.dialogs


def _words(load: PageLoad, *, counted: bool) -> Collection[str]:
    """What can be read. Where the server was given something it may have been given the same before: then numbers do
    not count, nor how often something is there."""
    words = load.by_user.text.split()
    return words if counted else {plain(word) for word in words}


def _nearly_same(good: PageLoad, bad: PageLoad, found: Sequence[OutcomeDifference]) -> bool:
    """The user is where the handler would have led, and nothing is missing but a detail."""
    if not (good.left_for or bad.left_for) or not same_places(good.places, bad.places):
        return False
    if any(each.what is not DifferenceKind.TEXT for each in found):
        return False
    lines = set(good.by_user.text.split("\n")), set(bad.by_user.text.split("\n"))
    return len(lines[0] & lines[1]) >= _NEARLY * len(lines[0] | lines[1])


def failing(bad: PageLoad, good: PageLoad, error: PageError, noise: Noise) -> Verdict:
    """Whether something fails by itself when it comes early, and does not when it comes late."""
    kind = plain(error.message)
    if kind not in map(plain, bad.outcome.errors) or kind in map(plain, good.outcome.errors):
        return Harmless("it fails in any order")
    found = differences(good.outcome, bad.outcome, noise)
    return Shown(
        kind=FindingKind.ACCESS_BEFORE_DEFINITION, severity=severity(found), differences=tuple(found), error=error
    )
