"""One run of a test: its actions as they come, and what is to happen after them."""

from __future__ import annotations

import base64
import json
import re
import time
from collections.abc import Callable, Coroutine, Mapping, Sequence
from importlib import resources
from typing import Any

import msgspec

from jostle.adverse.condition import Condition, NotRestored, Pass
from jostle.adverse.driving import Ask
from jostle.adverse.ground import NotDone, PageGround, evaluated, sent
from jostle.adverse.holding import Holding
from jostle.adverse.patience import Patience
from jostle.adverse.plan import NOTHING, Injection, Plan
from jostle.adverse.quiet import LOOK, Rest, Traffic, handled, looks, rest
from jostle.adverse.redundancy import Redundancy, Situation

SKELETON = (resources.files("jostle.adverse") / "skeleton.js").read_text("utf-8")
_READS = re.compile(
    r"(?:querySelector(?:All)?|getElement\w+|getAttribute|hasAttribute|getItem|key|getBoundingClientRect|getComputedStyle|"
    r"matches|closest|contains|trim|map|filter|join|slice|find|some|every|includes|from|keys|values|entries|stringify|"
    r"parse|Boolean|Number|String|toString|matchMedia|getEntries\w*|now|reduce|flatMap|split|startsWith|endsWith|"
    r"toLowerCase|toUpperCase|item|at|test|getSelection|elementFromPoint|sort|function|return|if|typeof)"
)
"""Functions that change nothing."""
_CALL = re.compile(r"([A-Za-z_$][\w$]*)\s*\(")
_WRITES = re.compile(r"(?<![=!<>])=(?![=>])|\+\+|--|\bdelete\b|\bnew\b")


_ANSWERS = """(async () => {
    const told = {};
    for (const [name, asked] of [%s]) {
        try { told[name] = Boolean(await asked()); } catch { told[name] = true; }
    }
    return [told, %s];
})()"""


class Point(msgspec.Struct, kw_only=True):
    """An action of the test, after which something may happen."""

    number: int
    api: str
    """`Locator.click`"""
    words: str
    """`click button "Save"`"""
    event: str
    """The same without data: `click button`."""
    where: str
    """The line of the test, `file:line`."""
    suspended: str = ""
    """Why nothing may happen here."""
    barred: str = ""
    """Why the document may not be built anew here."""
    busy: str = ""
    """What kept the page from coming to rest."""

    @property
    def identity(self) -> str:
        return f"{self.api} {self.words}"


class Action(msgspec.Struct, kw_only=True):
    """An action that is under way."""

    page: Any
    api: str
    words: str
    event: str
    where: str
    counts: bool


class Picture(msgspec.Struct, frozen=True, kw_only=True):
    """What a page looked like."""

    png: bytes
    screen: str
    """Its skeleton."""
    address: str


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """Pictures that are taken for the report."""

    around: frozenset[Injection] = frozenset()
    """Before and after these."""
    after: int = 0
    """And when the page has come to rest after this action."""


class Stage:
    """What is known in one run, and what is done in it."""

    def __init__(
        self,
        plan: Plan = NOTHING,
        conditions: Mapping[str, Condition] | None = None,
        *,
        redundancy: Redundancy | None = None,
        in_setup: bool = False,
        at_ease: bool = True,
        wanted: Wanted | None = None,
        held: Mapping[int, tuple[int, int]] | None = None,
        holding: Holding | None = None,
        patience: Patience | None = None,
    ) -> None:
        """`at_ease`: wait for pages to come to rest. `held`: of elements that the test holds on to, after which action
        it got them and after which it used them last. `patience`: if the test is to have less than usual."""
        self.patience = patience
        self.plan = plan
        self._conditions = conditions or {}
        self._redundancy = redundancy
        self._in_setup = in_setup
        self._at_ease = at_ease
        self._wanted = wanted or Wanted()
        self._held_elements = held or {}
        self.holding = holding
        """When answers of the server go to the page; None: as they come."""
        self.phase = "setup"
        self.points: list[Point] = []
        self.performed: list[Injection] = []
        self.suspects: list[Injection] = []
        """Those after which the page looked otherwise, or something was thrown: one of them may be to blame."""
        self._looked: int | None = None
        self.skipped = 0
        """Injections that were left out because they were tried in an equal situation."""
        self.situations: dict[Injection, Situation] = {}
        self.calls: set[str] = set()
        """Names of calls by which the test controls something that conditions do."""
        self.changes: list[str] = []
        """Requests that may have changed the server."""
        self.errors: list[str] = []
        self.notes: list[str] = []
        self.approximated: dict[str, str] = {}
        """Conditions that could only be approximated, and how."""
        self.unrestored: dict[str, str] = {}
        """Conditions after which the page was not as before, with the reason."""
        self.pictures: dict[str, Picture] = {}
        self.held: set[str] = set()
        """Mouse buttons and keys that are down."""
        self.blocks = 0
        """How many `expect_...` blocks the test is in."""
        self.under_way = 0
        self.touched: set[int] = set()
        """Pages whose state the test has changed by a script."""
        self.elements: dict[int, tuple[int, int]] = {}
        self.foreign = ""
        """The browser, when it is none that conditions can happen in."""
        self.last_page: Any = None
        self.longest_action = 0.0
        """Seconds that an action of the test took, the page coming to rest not counted."""
        self.longest_between = 0.0
        """Seconds that the test was busy otherwise, mostly with assertions."""
        self._lap = 0.0
        self._deferred: Action | None = None
        self._open: list[_Open] = []
        self._stirred = False
        """Something happened, and the page has not come to rest since."""

    # The test's own doings.

    @property
    def counting(self) -> bool:
        return self.phase == "call" or (self.phase == "setup" and self._in_setup)

    def used(self, element: int) -> None:
        """The test has used an element that it holds on to."""
        first = self.elements.get(element, (len(self.points), 0))[0]
        self.elements[element] = (first, len(self.points))

    def barred(self, page: Any, traffic: Traffic) -> str:
        """Why its document must not be built anew."""
        if id(page) in self.touched:
            return "the test has changed the page by a script"
        if traffic.entries.get(id(page), "GET") != "GET":
            return "the page is the answer to a form that was sent"
        now = len(self.points)
        if any(first < now <= last for first, last in self._held_elements.values()):
            return "the test holds on to an element of the page"
        return ""

    def acted(self) -> None:
        """An action has ended, whether it counts or not."""
        self.longest_action = max(self.longest_action, self._lapped())

    def waited(self) -> None:
        """The test has done with what it does between two actions, or after the last."""
        self.longest_between = max(self.longest_between, self._lapped())

    def _lapped(self) -> float:
        before, self._lap = self._lap, time.monotonic()
        return self._lap - before if before else 0.0

    # Around an action.

    async def before(self, action: Action, hand: Hand) -> None:
        """What has to end before an action begins."""
        self.waited()
        await self._before(action, hand)
        self._lap = time.monotonic()

    async def _before(self, action: Action, hand: Hand) -> None:
        number = len(self.points) + 1
        if self.holding is not None and action.counts:
            self.holding.begins(number)
        over = [each for each in self._open if each.until < number]
        if self._open and action.counts:
            await self._rest(hand)
        for each in over:
            await self._end(each)

    async def after(self, action: Action, hand: Hand) -> None:
        """The action is done: what is to happen after it happens now."""
        self.acted()
        if action.counts:
            await self._after(action, hand)
        self._lap = time.monotonic()

    async def _after(self, action: Action, hand: Hand) -> None:
        self.last_page = action.page
        self.points.append(
            point := Point(
                number=len(self.points) + 1,
                api=action.api,
                words=action.words,
                event=action.event,
                where=action.where,
            )
        )
        if self.holding is not None:
            self.holding.ends(point.number, time.monotonic())
        if self.blocks:
            point.suspended = "inside an expect block"
            self._deferred = action
            return
        await self._happen(point, action.page, hand)

    async def left_block(self, hand_of: Callable[[Any], Coroutine[Any, Any, Hand | None]]) -> None:
        """An `expect_...` block has ended: what was put off happens now."""
        action, self._deferred = self._deferred, None
        if action is None or self.blocks or not self.points:
            return
        point = self.points[-1]
        point.suspended = ""
        hand = await hand_of(action.page)
        if hand is None:
            point.suspended = "the page is closed"
        else:
            await self._happen(point, action.page, hand)

    async def _happen(self, point: Point, page: Any, hand: Hand) -> None:
        point.suspended = self._suspended(page)
        if point.suspended:
            return
        possible, told = self._possible(point), None
        if self._open:
            # The test goes on as if nothing were: what is slow now is to be seen by its checks.
            for each in self._open:
                if self.plan.wants(point.number, each.condition.name):
                    each.until = point.number + 1
                    self.performed.append(Injection(point.number, each.condition.name))
        elif self._at_ease:
            point.busy, told = await self._rest(hand, asking=_mattering(possible))
        self.under_way += 1  # what a condition does to the page is no action of the test
        try:
            for condition in await self._mattering(possible, told, hand):
                await self._inject(condition, point, page, hand)
            if self._stirred and not page.is_closed():
                await self._rest(hand, frames=1)  # it has been painted since
        finally:
            self._stirred = False
            self.under_way -= 1
        if point.number == self._wanted.after:
            await self.picture("end", hand)

    def _suspended(self, page: Any) -> str:
        if self.held:
            return f"{', '.join(sorted(self.held))} down"
        if self.under_way > 0:
            return "another action is under way"
        if page.is_closed():
            return "the page is closed"
        return ""

    def _possible(self, point: Point) -> list[Condition]:
        """What the plan wants here and is not going on anyway."""
        going = {each.condition.name for each in self._open}
        wanted = [name for name in self.plan.conditions if self.plan.wants(point.number, name) and name not in going]
        return [self._conditions[name] for name in wanted if name in self._conditions]

    async def _mattering(self, conditions: list[Condition], told: Any, hand: Hand) -> list[Condition]:
        """Those that can matter to the page as it is, by what it says itself. It says how it looks, too. `told`: what
        it has said already."""
        if not conditions:
            return []
        try:
            answers, self._looked = told or await evaluated(hand.session, _mattering(conditions))
        except NotDone:  # between two documents
            self._looked = None
            return conditions
        return [each for each in conditions if answers.get(each.name, True)]

    async def _inject(self, condition: Condition, point: Point, page: Any, hand: Hand) -> None:
        if condition.in_pass is Pass.REBUILT:
            point.barred = self.barred(page, hand.traffic)
            if point.barred:
                return
        injection = Injection(point.number, condition.name)
        ground = PageGround(page, hand.session, lambda: self._rest_for(hand))
        goes_on = False
        try:
            if condition.relevant is not None and not await condition.relevant(ground):
                return
            if self._redundancy is not None:
                situation = Situation(str(await evaluated(hand.session, SKELETON)), point.event, condition.name)
                if self._redundancy.known(situation):
                    self.skipped += 1
                    return
                self.situations[injection] = situation
            if injection in self._wanted.around:
                await self.picture("before", hand)
            self.performed.append(injection)
            errors = len(self.errors)
            self._stirred = condition.end is None  # until it is known that the page has come to rest
            value = await condition.inject(ground)
            if condition.end is None and isinstance(value, str) and value:
                self.approximated[condition.name] = value
            if condition.end is not None:
                self._open.append(_Open(condition, value, ground, point.number + 1))
                goes_on = True
            else:
                look = await self._run_out(condition, injection, hand)
                if self.plan.only is None and (look != self._looked or len(self.errors) > errors):
                    self.suspects.append(injection)
                self._looked = look
                await self._check(condition, ground)
            if injection in self._wanted.around:
                await self.picture("after", hand)
        except NotRestored as problem:
            self.unrestored.setdefault(condition.name, str(problem))
        except Exception as problem:  # of Playwright, or of a condition that a user wrote
            said = str(problem).strip() or type(problem).__name__
            self.notes.append(f"{condition.name} after {point.words}: {said.splitlines()[0]}")
            if not page.is_closed():
                self.unrestored.setdefault(condition.name, said.splitlines()[0])
        finally:
            if not goes_on:
                await ground.close()

    async def _run_out(self, condition: Condition, injection: Injection, hand: Hand) -> int | None:
        """A condition is over: what it has set off runs its course. Gives how the page looks then."""
        # Those that keep the document come one after the other: the page comes to rest when all are over.
        if condition.in_pass is Pass.KEPT and injection not in self._wanted.around:
            look, calm = await handled(hand.session, hand.traffic, self._looked if condition.at_once else None)
            self._stirred = not calm
            # What the page has asked for on hearing of it is not to meet the next condition.
            if not hand.traffic.waiting():
                return look
        rested = await self._rest(hand, asking=LOOK)
        self._stirred = False
        return rested.told if rested.told is not None else await looks(hand.session)

    async def _end(self, opened: _Open) -> None:
        self._open.remove(opened)
        assert opened.condition.end is not None
        try:
            await opened.condition.end(opened.ground, opened.value)
            await self._check(opened.condition, opened.ground)
        except NotRestored as problem:
            self.unrestored.setdefault(opened.condition.name, str(problem))
        except Exception as problem:
            said = str(problem).strip() or type(problem).__name__
            self.notes.append(f"{opened.condition.name}: {said.splitlines()[0]}")
        finally:
            await opened.ground.close()

    async def _check(self, condition: Condition, ground: PageGround) -> None:
        if condition.restored is not None and (why := await condition.restored(ground)):
            self.unrestored.setdefault(condition.name, why)

    async def finish(self) -> None:
        """The test has ended: whatever is still going on around it ends too."""
        while self._open:
            await self._end(self._open[0])

    @property
    def illustrated(self) -> bool:
        """Pictures are taken in this run."""
        return bool(self._wanted.after or self._wanted.around)

    @property
    def unfinished(self) -> bool:
        return bool(self._open)

    async def _rest(self, hand: Hand, *, frames: int = 2, asking: str = "null") -> Rest:
        return await rest(hand.page, hand.session, hand.traffic, frames=frames, asking=asking)

    async def _rest_for(self, hand: Hand) -> None:
        await self._rest(hand)

    async def picture(self, name: str, hand: Hand) -> None:
        """Of the page as it is; there may be none."""
        try:
            shot = await sent(hand.session, "Page.captureScreenshot", {"format": "png"})
            screen = str(await evaluated(hand.session, SKELETON))
        except NotDone as problem:
            self.notes.append(f"no picture: {problem}")
            return
        self.pictures[name] = Picture(png=base64.b64decode(shot["data"]), screen=screen, address=hand.page.url)


class Hand:
    """What is needed to do something to a page."""

    def __init__(self, page: Any, session: Any, traffic: Traffic) -> None:
        self.page = page
        self.session = session
        self.traffic = traffic

    @classmethod
    async def on(cls, page: Any, traffic: Traffic) -> Hand:
        """Raises NotDone where there is no such thing: in a browser that is no Chromium, on a page that is closed."""
        try:
            session = await Ask(lambda: page.context.new_cdp_session(page))
        except Exception as error:
            raise NotDone(str(error).strip().splitlines()[0]) from None
        return cls(page, session, traffic)


class _Open:
    """A condition of the environment that is going on."""

    def __init__(self, condition: Condition, value: Any, ground: PageGround, until: int) -> None:
        self.condition = condition
        self.value = value
        self.ground = ground
        self.until = until


def _mattering(conditions: Sequence[Condition]) -> str:
    """The question which of them can matter to the page, and how it looks."""
    if not conditions:
        return "null"
    asked = (f"[{json.dumps(each.name)}, () => {each.matters}]" for each in conditions if each.matters)
    return _ANSWERS % (", ".join(asked), LOOK)


def only_reads(expression: object) -> bool:
    """Whether a script of the test surely changes nothing in the page."""
    text = str(expression)
    if _WRITES.search(re.sub(r"(['\"`])(?:\\.|(?!\1).)*\1", "''", text)):
        return False
    return all(_READS.fullmatch(name) for name in _CALL.findall(text))
