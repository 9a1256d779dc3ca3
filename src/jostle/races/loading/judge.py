"""What two loads show: the user acted early in one, after everything was loaded in the other. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from jostle.events import Effect, PageError
from jostle.findings import FindingKind, Severity
from jostle.findings.evidence import DifferenceKind, OutcomeDifference
from jostle.oracles.outcome import Noise, differences, severity
from jostle.races.loading.loaded import PageLoad
from jostle.races.loading.observation import Listening
from jostle.races.loading.patterns import UPGRADE, LoadRaceCandidate

_UNDEFINED = re.compile(r"\b(ReferenceError|TypeError)\b")
_STATISTICS = re.compile(
    r"\b(analytics|beacon|collect|hit|log|metrics|ping|pixel|stats|telemetry|track(ing)?)\b", re.IGNORECASE
)
_LASTING = ("check", "select")
"""What the browser itself changes with the user's event: doing it again would undo it."""
_OWN = ("type", "fill", "rightclick")
"""What it does otherwise by itself: text is entered, a menu opens."""


class Shown(msgspec.Struct, frozen=True, kw_only=True):
    """A race that the two loads show."""

    kind: FindingKind
    severity: Severity
    differences: tuple[OutcomeDifference, ...]
    error: PageError | None = None


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
        return Harmless("what the user enters before that is kept")
    if good is None:
        return None
    if good.entered is None or good.left is None or good.left.value != good.entered.value or good.left.value == left:
        return Harmless("it is not kept after loading either")
    lost = OutcomeDifference(DifferenceKind.FORM, where, good.left.value, left)
    return Shown(kind=FindingKind.FORM_INPUT_OVERWRITTEN, severity=Severity.HIGH, differences=(lost,))


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


def late(
    candidate: LoadRaceCandidate, action: str, bad: PageLoad | None, good: PageLoad, noise: Noise
) -> Verdict | None:
    """Whether the user's event misses its handler. None: ask again with the `bad` load too."""
    if not (good.prevented or action in _LASTING or _indirect(candidate)):
        return Harmless("the handler prevents nothing that the browser does: it can be done again")
    if bad is None:
        return None
    if not (_done_by_browser(action, bad) or _indirect(candidate)):
        return Harmless("nothing happens without the handler: it can be done again")
    found = _told(good, bad, noise)
    if not found:
        return Harmless("it ends the same, with the handler or without")
    if all(each.what is DifferenceKind.REQUEST and _STATISTICS.search(each.good or each.bad) for each in found):
        return Harmless("only statistics miss it")
    return Shown(kind=FindingKind.LATE_HANDLER, severity=severity(found), differences=tuple(found))


def unheard(bad: PageLoad, good: PageLoad, noise: Noise) -> Verdict:
    """Whether a load event misses its handler."""
    found = [each for each in differences(good.outcome, bad.outcome, noise) if each.what is not DifferenceKind.SCREEN]
    if not found:
        return Harmless("it ends the same, with the handler or without")
    if set(good.outcome.errors) - set(bad.outcome.errors):
        return Harmless("the other order fails as well")
    return Shown(kind=FindingKind.LATE_HANDLER, severity=severity(found), differences=tuple(found))


def undefined(bad: PageLoad, good: PageLoad | None, noise: Noise, known: Sequence[str] = ()) -> Verdict | None:
    """Whether a handler fails, or makes a script fail, because the user acted early. None: ask again with the `good`
    load too. `known`: what is thrown while loading when nobody does anything."""
    failing = [error for error in bad.errors(of_user=True) if _UNDEFINED.search(error.message)]
    later = [error for error in bad.errors(of_user=False) if error.message not in known]
    if not failing and not later:
        return Harmless("nothing fails before that")
    if good is None:
        return None
    if any(_UNDEFINED.search(error.message) for error in good.errors(of_user=True)):
        return Harmless("it fails after loading too")
    found = differences(good.outcome, bad.outcome, noise)
    after = {error.message for error in good.errors(of_user=False)}
    for kind, errors in ((FindingKind.ACCESS_BEFORE_DEFINITION, failing), (FindingKind.ATOMICITY_VIOLATION, later)):
        error = next((error for error in errors if error.message not in after), None)
        if error is not None:
            return Shown(kind=kind, severity=severity(found), differences=tuple(found), error=error)
    return Harmless("the same fails when the user acts later")


def _done_by_browser(action: str, bad: PageLoad) -> bool:
    """Whether the browser itself did something with the user's event, which the handler would have prevented."""
    if action in (*_LASTING, *_OWN) or bad.left_for:
        return True
    effect = bad.steps[bad.acted].effect if bad.acted is not None else Effect()
    return bool(effect.lifecycle or effect.downloads or effect.requests)


def _indirect(candidate: LoadRaceCandidate) -> bool:
    """The handler is not the element's own: a framework's that listens for all, or that of a custom element."""
    deed = candidate.deed
    if not isinstance(deed, Listening) or deed.type == "submit":
        return False
    return deed.type == UPGRADE or deed.target != candidate.target


def _told(good: PageLoad, bad: PageLoad, noise: Noise) -> list[OutcomeDifference]:
    """How what the user did ended: leaving a page early is no difference in itself."""
    if good.left_for and good.left_for == bad.left_for:
        return []
    return differences(good.by_user, bad.by_user, noise)


def failing(bad: PageLoad, good: PageLoad, error: PageError, noise: Noise) -> Verdict:
    """Whether something fails by itself when it comes early, and does not when it comes late."""
    if error.message not in bad.outcome.errors or error.message in good.outcome.errors:
        return Harmless("it fails in any order")
    found = differences(good.outcome, bad.outcome, noise)
    return Shown(
        kind=FindingKind.ACCESS_BEFORE_DEFINITION, severity=severity(found), differences=tuple(found), error=error
    )
