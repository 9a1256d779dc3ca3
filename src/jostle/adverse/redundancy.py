"""What was injected in an equal situation before is not injected again."""

from __future__ import annotations

import enum
from typing import NamedTuple


class InjectionSituation(NamedTuple):
    """What the page looks like, what was just done, and what is to happen."""

    screen: str
    """The skeleton of the page."""
    event: str
    condition: str


class Commit(enum.StrEnum):
    """When a situation counts as tried."""

    EARLY = "early"
    """As soon as the injection is about to happen, as in the paper."""
    LATE = "late"
    """When the test has come to its end. A test that fails checks nothing that comes after: only what is to blame for
    the failure was tried."""


class TriedSituations:
    """The situations that were tried, for all tests of a suite."""

    def __init__(self, commit: Commit = Commit.LATE) -> None:
        self._commit = commit
        self._tried: set[InjectionSituation] = set()
        self._tentative: set[InjectionSituation] = set()
        self.skipped = 0

    def __len__(self) -> int:
        return len(self._tried)

    def known(self, situation: InjectionSituation) -> bool:
        """Whether it was tried before; from now on it was."""
        if situation in self._tried or situation in self._tentative:
            self.skipped += 1
            return True
        (self._tried if self._commit is Commit.EARLY else self._tentative).add(situation)
        return False

    def ended(self, *, passed: bool) -> None:
        """The run has come to its end."""
        if passed:
            self._tried |= self._tentative
        self._tentative.clear()

    def blamed(self, situation: InjectionSituation) -> None:
        """It made a test fail: seen in another test, it would say the same."""
        self._tried.add(situation)
