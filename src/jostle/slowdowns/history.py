"""What was done, and what it cost: the event-cost history."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from jostle.events import State
from jostle.model.label import label
from jostle.model.visit import Visit


class Action(msgspec.Struct, frozen=True):
    """An event as the application knows it again: the same when label and both abstract states agree."""

    label: str
    """Its descriptor with what was done to which element, without typed values."""
    before: State
    after: State

    def __str__(self) -> str:
        return self.label


class Pair(msgspec.Struct, frozen=True):
    """Doing `cause` may make `effect` slower. They may be the same: an event that makes itself slower."""

    cause: Action
    effect: Action

    @property
    def itself(self) -> bool:
        """Whether an event makes itself slower."""
        return self.cause == self.effect

    def __str__(self) -> str:
        return f"{self.cause} → {self.effect}"


class Occurrence(msgspec.Struct, frozen=True):
    """An event that was done once."""

    action: Action
    cost: float | None = None
    """None when it was not measured. Such an occurrence may be a cause, never an effect."""
    run: int = 1
    """The n-th run: a fresh start lies between two runs, so costs before and after it do not compare."""


def action_of(visit: Visit) -> Action:
    """What was done in a step of an exploration."""
    return Action(label(visit.event), visit.before, visit.after)


def history(visits: Iterable[Visit]) -> list[Occurrence]:
    """The event-cost history of an exploration. The cost of a step that hung is not what the event costs."""
    return [
        Occurrence(action_of(visit), None if visit.effect.hung else visit.effect.cost, visit.run) for visit in visits
    ]
