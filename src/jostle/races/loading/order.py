"""In which order the events of a loading page happen in our runs: whatever a user does not wait for comes first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from jostle.events import Event, Kind
from jostle.races.loading.observation import is_long, is_script

_ROUNDS = 3
"""How often a timer or frame that sets itself again runs before it must wait for everything else, and after that."""
_SCRIPT_RANKS = {"blocking": 2, "": 3, "defer": 4, "async": 5}


class LoadOrder:
    """Chooses the next event of a run. What may take long comes as late as it can, in an order that is possible: first
    what the parser waits for, then deferred scripts, then the rest, and long timers at the very end.
    """

    def __init__(self, scripts: Mapping[str, str]) -> None:
        """`scripts`: how scripts are loaded (`blocking`, `defer`, `async`), by address, as far as that is known."""
        self._scripts = scripts
        self._names: dict[str, str] = {}
        self._turns: Counter[str] = Counter()

    def happened(self, event: Event) -> None:
        if self._again(event):
            self._turns[event.what] += 1
        self._names[event.key] = event.what

    def next(self, waiting: Sequence[Event], until: float) -> Event | None:
        """The next of the events that could happen, none of which is due after `until`."""
        due = [event for event in waiting if event.due_by(until)]
        fit = [event for event in due if not self._again(event) or self._turns[event.what] < 2 * _ROUNDS]
        return min(fit, key=self._rank, default=None)  # of equals the first: their natural order

    def _rank(self, event: Event) -> tuple[int, float]:
        if is_script(event):
            return _SCRIPT_RANKS[self._scripts.get(event.request.url, "")], 0
        if event.kind in (Kind.NETWORK, Kind.PARSE):
            return (5 if is_long(event) else 0), 0
        if is_long(event):
            return (6 if event.kind is Kind.TIMER else 5), event.detail.due or 0.0
        if self._again(event) and self._turns[event.what] >= _ROUNDS:
            return 6, event.detail.due or 0.0
        return 1, event.detail.due or 0.0

    def _again(self, event: Event) -> bool:
        """Whether it was set by an earlier one of its kind."""
        return event.kind in (Kind.TIMER, Kind.FRAME) and self._names.get(event.creator) == event.what
