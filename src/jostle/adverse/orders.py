"""One test with the server's responses in other orders: which of them make it fail, and which one is to blame."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from jostle.adverse.failure import AdverseFailure, BlamedInjection, Comparison, ExaminationResult, ObservedRun
from jostle.adverse.holding import Hold, Holding, ReleaseOrder, written
from jostle.adverse.pictures import PicturePlan
from jostle.adverse.plan import Failure
from jostle.adverse.run import AdverseRun, RunSetup
from jostle.adverse.search import shrunk

WHY = "A server may answer in any order; a page that needs another one works by chance."


class OrdersExamination:
    """Examines one test, which has passed with its responses as they came."""

    def __init__(
        self,
        run: Callable[[RunSetup], ObservedRun],
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
        self.result = ExaminationResult(points=points)

    def examine(self) -> ExaminationResult:
        told: list[frozenset[Hold]] = []
        for mode in (ReleaseOrder.LATEST_FIRST, ReleaseOrder.PAST_NEXT_ACTION):
            if self._over():
                self.result.cut = True
                break
            holding = Holding(mode)
            failure = self._observed(holding, mode.value).outcome.failure
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
        return self.result

    def _blamed(self, failure: Failure, holds: Sequence[Hold]) -> list[Hold]:
        tried: dict[frozenset[Hold], bool] = {}

        def fails(part: Sequence[Hold]) -> bool:
            key = frozenset(part)
            if key not in tried:
                if self._over():
                    self.result.cut = True
                    return False
                observed = self._observed(Holding(ReleaseOrder.EXACTLY, part), "isolation")
                tried[key] = failure.same(observed.outcome.failure)
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
        pictures = PicturePlan(after=failure.point)
        again = self._observed(Holding(ReleaseOrder.EXACTLY, holds), "confirmation", pictures)
        usual = self._observed(Holding(), "confirmation", pictures)
        if not failure.same(again.outcome.failure):
            self.result.notes.append(f"It failed in another order of answers, and not again: {failure.kind}")
            return
        if usual.outcome.failure is not None:
            self.result.unstable = "Flaky: it passed at first, and failed later with answers as they come."
            return
        compared = Comparison(again, usual)
        self.result.failures.append(
            AdverseFailure(
                failure=compared.failure,
                places=tuple(_blamed(hold, again.run, again.requests.get(hold.response, 0)) for hold in holds),
                token=written(holds),
                in_pass="orders",  # noqa: S106
                neutral="commonly",
                why=WHY,
                category=compared.category.value,
                errors=compared.errors,
                actions=compared.actions,
                runs=self.result.runs,
                isolated=self._isolate,
                told=again.told,
                pictures={name: self._keep(name, shot.png) for name, shot in compared.pictures().items()},
            )
        )

    def _observed(self, holding: Holding, purpose: str, pictures: PicturePlan | None = None) -> ObservedRun:
        began = time.monotonic()
        setup = RunSetup(holding=holding, at_ease=False, pictures=pictures or PicturePlan())
        observed = self._run(setup)
        self.result.spend(purpose, time.monotonic() - began)
        self.result.injected += len(holding.performed)
        return observed


def _blamed(hold: Hold, run: AdverseRun, action: int) -> BlamedInjection:
    """Where the test does what the late response is for."""
    points = {point.number: point for point in run.points}
    point = points.get(action)
    return BlamedInjection(
        point=action,
        condition="late-answer",
        title=in_words(hold, {number: each.words for number, each in points.items()}),
        words=point.words if point else "",
        where=point.where if point else "",
    )


def in_words(hold: Hold, actions: dict[int, str]) -> str:
    """`GET /api/cart responds after GET /api/user`"""
    if hold.after.startswith("@"):
        number = int(hold.after[1:])
        action = actions.get(number, f"action {number}")
        return f"{_plain(hold.response)} responds only after the test has gone on: {action}"
    return f"{_plain(hold.response)} responds after {_plain(hold.after)}"


def _plain(name: str) -> str:
    what, _, number = name.rpartition("#")
    return what if number == "1" else f"{what} (number {number})"
