"""One test with the server's answers in other orders: which of them make it fail, and which answer is to blame."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Protocol

from jostle.adverse.examine import AdverseFailure, Examined, Place, Ran
from jostle.adverse.holding import Hold, Holding, Mode, written
from jostle.adverse.plan import Failure
from jostle.adverse.search import shrunk
from jostle.adverse.stage import Stage, Wanted
from jostle.adverse.triage import Evidence, category

WHY = "A server may answer in any order; a page that needs another one works by chance."


class Ordering(Protocol):
    """Runs the test once, with its answers released so."""

    def __call__(self, holding: Holding, *, wanted: Wanted | None = None) -> Ran: ...


class OrdersExamination:
    """Examines one test, which has passed with its answers as they came."""

    def __init__(
        self,
        run: Ordering,
        points: int,
        *,
        isolate: bool = True,
        over: Callable[[], bool] = lambda: False,
        keep: Callable[[str, bytes], str] = lambda name, data: "",
    ) -> None:
        self._run = run
        self._isolate = isolate
        self._over = over
        self._keep = keep
        self.result = Examined(points=points)

    def examine(self) -> Examined:
        told: list[frozenset[Hold]] = []
        slow: list[str] = []
        """Only kept back for a while: a test that does not wait for what it checks."""
        for mode in (Mode.LATEST_FIRST, Mode.PAST_NEXT_ACTION):
            if self._over():
                self.result.cut = True
                break
            holding = Holding(mode)
            ran = self._ran(holding, mode.value)
            failure = ran.run.failure
            if failure is None:
                continue
            if not holding.performed:
                # Only kept back for a while: a test that does not wait for what it checks.
                self.result.notes.append(
                    f"It fails when answers take a second longer: {failure.kind} at {failure.where}"
                )
                continue
            blamed = self._blamed(failure, holding.performed)
            if self.result.unstable:
                break
            if blamed and frozenset(blamed) not in told:
                told.append(frozenset(blamed))
                self._tell(failure, blamed)
        if not self.result.failures:
            self.result.notes += slow
        return self.result

    def _blamed(self, failure: Failure, holds: Sequence[Hold]) -> list[Hold]:
        tried: dict[frozenset[Hold], bool] = {}

        def fails(part: Sequence[Hold]) -> bool:
            key = frozenset(part)
            if key not in tried:
                if self._over():
                    self.result.cut = True
                    return False
                ran = self._ran(Holding(Mode.EXACTLY, part), "isolation")
                tried[key] = failure.same(ran.run.failure)
            return tried[key]

        every = list(dict.fromkeys(holds))
        if not fails(every):
            self.result.notes.append(f"It failed once in another order of answers, and not again: {failure.kind}")
            return []
        if not self._isolate:
            return every
        part = every
        while len(part) > 1:
            halves = part[len(part) // 2 :], part[: len(part) // 2]
            guilty = next((half for half in halves if fails(half)), None)
            if guilty is None:
                return shrunk(part, fails)
            part = guilty
        return part

    def _tell(self, failure: Failure, holds: Sequence[Hold]) -> None:
        again = self._ran(Holding(Mode.EXACTLY, holds), "confirmation", Wanted(after=failure.point))
        usual = self._ran(Holding(), "confirmation", Wanted(after=failure.point))
        if not failure.same(again.run.failure):
            self.result.notes.append(f"It failed in another order of answers, and not again: {failure.kind}")
            return
        if usual.run.failure is not None:
            self.result.unstable = "Flaky: it passed at first, and failed later with answers as they come."
            return
        assert again.run.failure is not None
        stage, asked = again.stage, again.asked
        end, good = stage.pictures.get("end"), usual.stage.pictures.get("end")
        errors = tuple(dict.fromkeys(each for each in stage.errors if each not in usual.stage.errors))
        seen = Evidence(
            message=again.run.failure.message,
            errors=errors,
            screen=end.screen if end else None,
            usual=good.screen if good else None,
            address=end.address if end else "",
            usual_address=good.address if good else "",
        )
        shots = {"usual": good, "failed": stage.pictures.get("failed") or end}
        self.result.failures.append(
            AdverseFailure(
                failure=again.run.failure,
                places=tuple(self._place(hold, stage, asked.get(hold.answer, 0)) for hold in holds),
                token=written(holds),
                in_pass="orders",  # noqa: S106
                neutral="commonly",
                why=WHY,
                category=category(seen).value,
                errors=errors,
                actions=tuple(point.words for point in stage.points),
                runs=self.result.runs,
                isolated=self._isolate,
                told=again.told,
                pictures={name: self._keep(name, shot.png) for name, shot in shots.items() if shot is not None},
            )
        )

    def _place(self, hold: Hold, stage: Stage, action: int) -> Place:
        """Where the test does what the late answer is for."""
        points = {point.number: point for point in stage.points}
        point = points.get(action)
        return Place(
            point=action,
            condition="late-answer",
            title=in_words(hold, {number: each.words for number, each in points.items()}),
            words=point.words if point else "",
            where=point.where if point else "",
        )

    def _ran(self, holding: Holding, purpose: str, wanted: Wanted | None = None) -> Ran:
        began = time.monotonic()
        ran = self._run(holding, wanted=wanted)
        self.result.seconds[purpose] = self.result.seconds.get(purpose, 0.0) + time.monotonic() - began
        self.result.runs += 1
        self.result.injected += len(holding.performed)
        return ran


def in_words(hold: Hold, actions: dict[int, str]) -> str:
    """`GET /api/cart answers after GET /api/user`"""
    if hold.after.startswith("@"):
        number = int(hold.after[1:])
        return (
            f"{_plain(hold.answer)} answers only after the test has gone on: {actions.get(number, f'action {number}')}"
        )
    return f"{_plain(hold.answer)} answers after {_plain(hold.after)}"


def _plain(name: str) -> str:
    what, _, number = name.rpartition("#")
    return what if number == "1" else f"{what} (number {number})"
