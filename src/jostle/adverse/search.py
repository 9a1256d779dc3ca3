"""Which injections make a test fail: aggressive runs, runs past each failure, and what is to blame.

Pure: all is written over a function that runs the test under a plan.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

import msgspec

from jostle.adverse.plan import Failure, Injection, InjectionPlan, Running

T = TypeVar("T")

SUSPECTS = 2
"""How many are tried alone at first."""
MOST_RUNS = 40
"""That making a set smaller may take, after bisection has ended."""


class FailedRun(msgspec.Struct, frozen=True, kw_only=True):
    """A failure, with what was injected until then."""

    failure: Failure
    performed: tuple[Injection, ...]
    suspects: tuple[Injection, ...] = ()


class PassOutcome(msgspec.Struct, frozen=True, kw_only=True):
    """What aggressive runs of a test found."""

    failed: tuple[FailedRun, ...] = ()
    flaky: str = ""
    """Why the test cannot be relied on, in words."""
    runs: int = 0
    cut: bool = False
    """There was no time for what should have followed."""


def basic(run: Running, conditions: Sequence[str]) -> PassOutcome:
    """Everything everywhere, once."""
    return _search(run, conditions, points=None, rerun=False, go_on=_always)


def extended(
    run: Running, conditions: Sequence[str], points: int | None = None, *, go_on: Callable[[], bool] | None = None
) -> PassOutcome:
    """The same, and after each failure once more with injections at later points only.

    `points`: how many the ordinary run has, when that is known.
    """
    return _search(run, conditions, points=points, rerun=True, go_on=go_on or _always)


def _always() -> bool:
    return True


def _search(
    run: Running, conditions: Sequence[str], *, points: int | None, rerun: bool, go_on: Callable[[], bool]
) -> PassOutcome:
    after, runs = 0, 0
    failed: list[FailedRun] = []
    while True:
        ran = run(InjectionPlan(conditions=tuple(conditions), after=after))
        runs += 1
        failure = ran.failure
        if failure is None:
            return PassOutcome(failed=tuple(failed), runs=runs)
        if failure.point <= after or not ran.performed:
            words = f"it failed after action {failure.point} although nothing had happened until then"
            return PassOutcome(failed=tuple(failed), flaky=words, runs=runs)
        failed.append(FailedRun(failure=failure, performed=ran.performed, suspects=ran.suspects))
        after = failure.point
        if not rerun or (points is not None and after >= points):
            return PassOutcome(failed=tuple(failed), runs=runs)
        if not go_on():
            return PassOutcome(failed=tuple(failed), runs=runs, cut=True)


class IsolationResult(msgspec.Struct, frozen=True, kw_only=True):
    """What is to blame for a failure."""

    injections: tuple[Injection, ...]
    """One, or the set that could not be made smaller."""
    runs: int = 0
    cut: bool = False
    """There was no time to make it smaller."""

    @property
    def single(self) -> Injection | None:
        return self.injections[0] if len(self.injections) == 1 else None

    @property
    def conditions(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(each.condition for each in self.injections))

    @property
    def points(self) -> tuple[int, ...]:
        return tuple(sorted({each.point for each in self.injections}))


def isolate(
    run: Running,
    failure: Failure,
    performed: Sequence[Injection],
    *,
    suspects: Sequence[Injection] = (),
    smallest: bool = False,
    go_on: Callable[[], bool] | None = None,
) -> IsolationResult:
    """Suspects first, those at the latest point and there in their order. Then by bisection: which condition, at all
    points; then which point, the later half first.

    Each half is verified. Where neither fails alone, several are needed together: then what is left is the answer, with
    `smallest` made as small as removing parts of it can.
    """
    order = list(dict.fromkeys(each.condition for each in performed))
    trial = _Trial(run, failure, order, go_on or _always)
    chosen = [each for each in performed if each.point <= failure.point] or list(performed)
    whole = True

    # Of conditions at one point that set off the same, the first is the simplest: hiding, then freezing what is hidden.
    latest = sorted((each for each in suspects if each in chosen), key=lambda each: -each.point)
    for suspect in latest[:SUSPECTS]:
        if len(chosen) > 1 and trial.fails([suspect]):
            return IsolationResult(injections=(suspect,), runs=trial.runs)

    names = list(dict.fromkeys(each.condition for each in chosen))
    while len(names) > 1 and whole:
        halves = names[: len(names) // 2], names[len(names) // 2 :]
        guilty = next((half for half in halves if trial.fails(i for i in chosen if i.condition in half)), None)
        whole, names = guilty is not None, guilty or names
    chosen = [each for each in chosen if each.condition in names]

    points = sorted({each.point for each in chosen})
    while len(points) > 1 and whole:
        near, far = points[len(points) // 2 :], points[: len(points) // 2]
        near_or_far = next((half for half in (near, far) if trial.fails(i for i in chosen if i.point in half)), None)
        whole, points = near_or_far is not None, near_or_far or points
    chosen = [each for each in chosen if each.point in points]

    if smallest and len(chosen) > 1 and not trial.cut:
        most = trial.runs + MOST_RUNS
        chosen = shrunk(chosen, lambda part: trial.runs < most and trial.fails(part))
    return IsolationResult(injections=tuple(chosen), runs=trial.runs, cut=trial.cut)


def shrunk(items: Sequence[T], fails: Callable[[Sequence[T]], bool]) -> list[T]:
    """A part of what fails as a whole, that fails and from which no single item can be taken (delta debugging)."""
    kept, size = list(items), max(1, len(items) // 2)
    while len(kept) > 1:
        for start in range(0, len(kept), size):
            without = kept[:start] + kept[start + size :]
            if without and fails(without):
                kept = without
                size = max(1, min(size, len(kept) // 2))
                break
        else:
            if size == 1:
                break
            size //= 2
    return kept


class _Trial:
    """Whether a set of injections makes the test fail in the same way, and how many runs that took."""

    def __init__(self, run: Running, failure: Failure, order: Sequence[str], go_on: Callable[[], bool]) -> None:
        self._run = run
        self._failure = failure
        self._order = order
        self._go_on = go_on
        self._known: dict[frozenset[Injection], bool] = {}
        self.runs = 0
        self.cut = False

    def fails(self, injections: Iterable[Injection]) -> bool:
        chosen = frozenset(injections)
        known = self._known.get(chosen)
        if known is not None:
            return known
        if self.cut or not self._go_on():
            self.cut = True
            return False
        self.runs += 1
        ran = self._run(InjectionPlan.of(chosen, self._order))
        self._known[chosen] = self._failure.same(ran.failure)
        return self._known[chosen]
