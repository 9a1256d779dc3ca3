"""Which differences between the ends of two orders do harm to anybody. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from jostle.findings.evidence import DifferenceKind, OutcomeDifference
from jostle.oracles.outcome import Outcome, as_told
from jostle.oracles.statistics import is_statistics

_UNSEEN = frozenset({DifferenceKind.REQUEST, DifferenceKind.STORAGE, DifferenceKind.SCREEN})
"""What nobody reads."""
_ADDED = frozenset({DifferenceKind.REQUEST, DifferenceKind.ERROR, DifferenceKind.DIALOG})
"""What can be there once too often."""
_IDEMPOTENT = ("PUT ", "DELETE ")
"""Sent twice, it has the effect of being sent once."""
_POLLED = 3
"""What is sent so often with the same content, in both orders, asks for news: one more or less is a matter of time."""


def harmful(
    found: Sequence[OutcomeDifference], good: Outcome, bad: Outcome, *, repeats: bool = False
) -> tuple[OutcomeDifference, ...]:
    """The differences without those that do no harm. `repeats`: the user does the same thing twice, or sends
    the same form.

    - statistics;
    - what the page sends again and again to ask for news;
    - an idempotent request that is sent once more with the same content;
    - a request that is sent once instead of twice with the same content, as when a form is disabled while it is sent;
    - and, where everything that can be read is the same: a request that a later one makes needless, because the last to
      its address says the same in both orders (autosave); and one that is not sent because the same control is used
      again, or the same form sent again, before it is ready.
    """
    kept = [each for each in found if not _idle(each, good, bad) and not (_missing(each) and _times(each.good, bad))]
    if any(each.what not in _UNSEEN for each in kept):
        return tuple(kept)
    return tuple(each for each in kept if not (_missing(each) and (repeats or _superseded(each, good, bad))))


def only_added(found: Sequence[OutcomeDifference]) -> tuple[OutcomeDifference, ...]:
    """What is there in the bad order only. For a good order in which the user does one thing less, because it is not
    possible any more: what can be read differs for that reason alone."""
    return tuple(each for each in found if each.what in _ADDED and each.bad and not each.good)


def only_looks(found: Sequence[OutcomeDifference]) -> bool:
    """Whether all that can be read, used or sent is the same."""
    return all(each.what is DifferenceKind.SCREEN for each in found)


def only_stored(found: Sequence[OutcomeDifference]) -> bool:
    """Whether nothing but what is stored in the browser differs: a cache, unless something depends on it later."""
    return bool(found) and all(each.what is DifferenceKind.STORAGE for each in found)


def _idle(each: OutcomeDifference, good: Outcome, bad: Outcome) -> bool:
    if each.what is not DifferenceKind.REQUEST:
        return False
    sent = each.bad or each.good
    if is_statistics(sent) or min(_times(sent, good), _times(sent, bad)) >= _POLLED:
        return True
    return sent.startswith(_IDEMPOTENT) and bool(each.bad) and bool(_times(each.bad, good))


def _times(told: str, end: Outcome) -> int:
    """How often a request, as a difference has it, was sent."""
    return sum(as_told(sent) == told for sent in end.sent)


def _missing(each: OutcomeDifference) -> bool:
    return each.what is DifferenceKind.REQUEST and not each.bad


def _superseded(each: OutcomeDifference, good: Outcome, bad: Outcome) -> bool:
    endpoint = _endpoint(each.good)
    last = _last(good.sent, endpoint)
    return last is not None and last == _last(bad.sent, endpoint)


def _last(sent: Sequence[str], endpoint: str) -> str | None:
    return next((each for each in reversed(sent) if _endpoint(each) == endpoint), None)


def _endpoint(sent: str) -> str:
    """Method and address without its parameters, of a request as outcomes have it."""
    method, _, rest = sent.partition(" ")
    return f"{method} {rest.partition(' ')[0].partition('?')[0]}"
