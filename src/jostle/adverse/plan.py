"""What is to happen in a run of a test, and what came of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import msgspec


class Injection(NamedTuple):
    """A condition after an action of the test."""

    point: int
    """The number of the action, from 1."""
    condition: str


class InjectionPlan(msgspec.Struct, frozen=True, kw_only=True):
    """Which conditions are injected where."""

    conditions: tuple[str, ...] = ()
    """In this order, at each point."""
    after: int = 0
    """Only at points after this one."""
    only: frozenset[Injection] | None = None
    """Only these."""

    def wants(self, point: int, condition: str) -> bool:
        if self.only is not None:
            return (point, condition) in self.only
        return point > self.after and condition in self.conditions

    @classmethod
    def of(cls, injections: Iterable[Injection], order: Sequence[str]) -> InjectionPlan:
        """Exactly these; `order`: of conditions at one point."""
        chosen = frozenset(injections)
        names = {each.condition for each in chosen}
        known = [name for name in order if name in names]
        return cls(conditions=(*known, *sorted(names - set(known))), only=chosen)


NOTHING = InjectionPlan()
"""The ordinary run."""


class Failure(msgspec.Struct, frozen=True, kw_only=True):
    """How a test failed."""

    kind: str
    """The exception: `AssertionError`, `TimeoutError` ..."""
    message: str = ""
    where: str = ""
    """The line of the test, `file:line`; empty when it is not known."""
    point: int = 0
    """How many actions were done before."""

    def same(self, other: Failure | None) -> bool:
        """The same exception at the same line; where no line is known, with the same words."""
        if other is None or self.kind != other.kind:
            return False
        return self.where == other.where if self.where or other.where else self.message == other.message


class InjectionOutcome(msgspec.Struct, frozen=True, kw_only=True):
    """What came of one run."""

    failure: Failure | None = None
    performed: tuple[Injection, ...] = ()
    suspects: tuple[Injection, ...] = ()
    """Those after which the page looked otherwise, or something was thrown."""
    points: int = 0
    """How many actions were done."""

    @property
    def passed(self) -> bool:
        return self.failure is None


Running = Callable[[InjectionPlan], InjectionOutcome]
"""Runs the test under a plan, from the same state each time."""
