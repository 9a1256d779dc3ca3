"""Lets conditions happen after an action of a test, as the plan of the run says."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from jostle.adverse.condition import Condition, NotRestored, Pass
from jostle.adverse.ground import NotDone, PageGround, evaluated
from jostle.adverse.page_handle import PageHandle
from jostle.adverse.plan import Injection
from jostle.adverse.points import InjectionPoint
from jostle.adverse.quiet import LOOK, RestOutcome, handled, looks, rest
from jostle.adverse.redundancy import InjectionSituation
from jostle.adverse.screen import screen

if TYPE_CHECKING:
    from jostle.adverse.run import AdverseRun

_ANSWERS = """(async () => {
    const told = {};
    for (const [name, asked] of [%s]) {
        try { told[name] = Boolean(await asked()); } catch { told[name] = true; }
    }
    return [told, %s];
})()"""


class Injector:
    """Injects conditions in one run, and writes down in it what came of that."""

    def __init__(self, run: AdverseRun, conditions: Mapping[str, Condition]) -> None:
        self._run = run
        self._plan = run.setup.plan
        self._pictures = run.setup.pictures
        self._conditions = conditions
        self._lasting: list[_LastingCondition] = []
        self._looked: int | None = None
        self._stirred = False
        """Something happened, and the page has not come to rest since."""

    @property
    def unfinished(self) -> bool:
        return bool(self._lasting)

    async def finish(self) -> None:
        while self._lasting:
            await self._end(self._lasting[0])

    async def before(self, number: int, handle: PageHandle, *, rests: bool) -> None:
        """An action begins: what lasted until then ends."""
        over = [each for each in self._lasting if each.until < number]
        if self._lasting and rests:
            await _rest(handle)
        for each in over:
            await self._end(each)

    async def inject(self, point: InjectionPoint, handle: PageHandle) -> None:
        """An action is done: what is to happen after it happens now."""
        run, page = self._run, handle.page
        point.suspended = run.suspended(page)
        if point.suspended:
            return
        possible, value = self._possible(point), None
        if self._lasting:
            # The test goes on as if nothing were: what is slow now is to be seen by its checks.
            for each in self._lasting:
                if self._plan.wants(point.number, each.condition.name):
                    each.until = point.number + 1
                    run.performed.append(Injection(point.number, each.condition.name))
        elif run.setup.at_ease:
            point.busy, value = await _rest(handle, reading=_mattering(possible))
        run.under_way += 1  # what a condition does to the page is no action of the test
        try:
            for condition in await self._mattering(possible, value, handle):
                await self._inject(condition, point, handle)
            if self._stirred and not page.is_closed():
                await _rest(handle, frames=1)  # it has been painted since
        finally:
            self._stirred = False
            run.under_way -= 1
        if point.number == self._pictures.after:
            await run.picture("end", handle)

    def _possible(self, point: InjectionPoint) -> list[Condition]:
        """What the plan wants here and is not going on anyway."""
        going = {each.condition.name for each in self._lasting}
        wanted = [name for name in self._plan.conditions if self._plan.wants(point.number, name) and name not in going]
        return [self._conditions[name] for name in wanted if name in self._conditions]

    async def _mattering(self, conditions: list[Condition], value: Any, handle: PageHandle) -> list[Condition]:
        """Those that can matter to the page as it is, by what it says itself. It says how it looks, too. `value`: what
        it has said already."""
        if not conditions:
            return []
        try:
            matters, self._looked = value or await evaluated(handle.session, _mattering(conditions))
        except NotDone:  # between two documents
            self._looked = None
            return conditions
        return [each for each in conditions if matters.get(each.name, True)]

    async def _inject(self, condition: Condition, point: InjectionPoint, handle: PageHandle) -> None:
        run, page = self._run, handle.page
        if condition.in_pass is Pass.REBUILT:
            point.barred = run.barred(page, handle.traffic)
            if point.barred:
                return
        injection = Injection(point.number, condition.name)
        ground = PageGround(page, handle.session, lambda: _come_to_rest(handle))
        goes_on = False
        try:
            if condition.relevant is not None and not await condition.relevant(ground):
                return
            if await self._known(condition, point, injection, handle):
                run.skipped += 1
                return
            if injection in self._pictures.around:
                await run.picture("before", handle)
            run.performed.append(injection)
            errors = len(run.errors)
            self._stirred = condition.end is None  # until it is known that the page has come to rest
            value = await condition.inject(ground)
            if condition.end is not None:
                self._lasting.append(_LastingCondition(condition, value, ground, point.number + 1))
                goes_on = True
            else:
                if isinstance(value, str) and value:
                    run.approximated[condition.name] = value
                look = await self._run_out(condition, injection, handle)
                if self._plan.only is None and (look != self._looked or len(run.errors) > errors):
                    run.suspects.append(injection)
                self._looked = look
                await self._check(condition, ground)
            if injection in self._pictures.around:
                await run.picture("after", handle)
        except NotRestored as problem:
            run.unrestored.setdefault(condition.name, str(problem))
        except Exception as problem:  # of Playwright, or of a condition that a user wrote
            said = _first_line(problem)
            run.notes.append(f"{condition.name} after {point.words}: {said}")
            if not page.is_closed():
                run.unrestored.setdefault(condition.name, said)
        finally:
            if not goes_on:
                await ground.close()

    async def _known(
        self, condition: Condition, point: InjectionPoint, injection: Injection, handle: PageHandle
    ) -> bool:
        """Whether it was tried in an equal situation; if not, this one is written down."""
        redundancy = self._run.setup.redundancy
        if redundancy is None:
            return False
        situation = InjectionSituation(await screen(handle.session), point.event, condition.name)
        if redundancy.known(situation):
            return True
        self._run.situations[injection] = situation
        return False

    async def _run_out(self, condition: Condition, injection: Injection, handle: PageHandle) -> int | None:
        """A condition is over: what it has set off runs its course. Gives how the page looks then."""
        # Those that keep the document come one after the other: the page comes to rest when all are over.
        if condition.in_pass is Pass.KEPT and injection not in self._pictures.around:
            look, calm = await handled(handle.session, handle.traffic, self._looked if condition.at_once else None)
            self._stirred = not calm
            # What the page has requested on hearing of it is not to meet the next condition.
            if not handle.traffic.waiting():
                return look
        rested = await _rest(handle, reading=LOOK)
        self._stirred = False
        return rested.value if rested.value is not None else await looks(handle.session)

    async def _end(self, lasting: _LastingCondition) -> None:
        self._lasting.remove(lasting)
        condition = lasting.condition
        assert condition.end is not None
        try:
            await condition.end(lasting.ground, lasting.value)
            await self._check(condition, lasting.ground)
        except NotRestored as problem:
            self._run.unrestored.setdefault(condition.name, str(problem))
        except Exception as problem:
            self._run.notes.append(f"{condition.name}: {_first_line(problem)}")
        finally:
            await lasting.ground.close()

    async def _check(self, condition: Condition, ground: PageGround) -> None:
        if condition.restored is not None and (why := await condition.restored(ground)):
            self._run.unrestored.setdefault(condition.name, why)


class _LastingCondition:
    """A condition of the environment that is going on."""

    def __init__(self, condition: Condition, value: Any, ground: PageGround, until: int) -> None:
        self.condition = condition
        self.value = value
        self.ground = ground
        self.until = until


async def _rest(handle: PageHandle, *, frames: int = 2, reading: str = "null") -> RestOutcome:
    return await rest(handle.page, handle.session, handle.traffic, frames=frames, reading=reading)


async def _come_to_rest(handle: PageHandle) -> None:
    await _rest(handle)


def _mattering(conditions: Sequence[Condition]) -> str:
    """The question which of them can matter to the page, and how it looks."""
    if not conditions:
        return "null"
    asked = (f"[{json.dumps(each.name)}, () => {each.matters}]" for each in conditions if each.matters)
    return _ANSWERS % (", ".join(asked), LOOK)


def _first_line(problem: Exception) -> str:
    return (str(problem).strip() or type(problem).__name__).splitlines()[0]
