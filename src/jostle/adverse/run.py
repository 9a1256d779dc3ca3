"""One run of a test: its actions as they come, and what is known of it."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from jostle.adverse.condition import Condition
from jostle.adverse.ground import NotDone
from jostle.adverse.holding import Holding
from jostle.adverse.injector import Injector
from jostle.adverse.page_handle import PageHandle
from jostle.adverse.pictures import Picture, PicturePlan, taken
from jostle.adverse.plan import NOTHING, Injection, InjectionPlan
from jostle.adverse.points import InjectionPoint, PlaywrightAction
from jostle.adverse.quiet import Traffic
from jostle.adverse.redundancy import InjectionSituation, TriedSituations
from jostle.adverse.timeouts import Timeouts


class RunSetup(msgspec.Struct, frozen=True, kw_only=True):
    """How a run differs from the test as it is."""

    plan: InjectionPlan = NOTHING
    redundancy: TriedSituations | None = None
    """What was tried in an equal situation is left out."""
    pictures: PicturePlan = PicturePlan()
    holding: Holding | None = None
    """When responses of the server go to the page; None: as they come."""
    timeouts: Timeouts | None = None
    """If the test is to have less time than usual."""
    elements: Mapping[int, tuple[int, int]] = {}
    """Of elements that the test holds on to, after which action it got them and after which it used them last."""
    at_ease: bool = True
    """After each action the page comes to rest."""
    in_setup: bool = False
    """Something may happen after actions of fixtures too."""


class AdverseRun:
    """What is known in one run, and what is done around its actions."""

    def __init__(self, setup: RunSetup | None = None, conditions: Mapping[str, Condition] | None = None) -> None:
        self.setup = setup or RunSetup()
        self.phase = "setup"
        self.points: list[InjectionPoint] = []
        self.performed: list[Injection] = []
        self.suspects: list[Injection] = []
        """Those after which the page looked otherwise, or something was thrown: one of them may be to blame."""
        self.skipped = 0
        """Injections that were left out because they were tried in an equal situation."""
        self.situations: dict[Injection, InjectionSituation] = {}
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
        """As in the setup of a later run."""
        self.foreign = ""
        """The browser, when it is none that conditions can happen in."""
        self.last_page: Any = None
        self.longest_action = 0.0
        """Seconds that an action of the test took, the page coming to rest not counted."""
        self.longest_between = 0.0
        """Seconds that the test was busy otherwise, mostly with assertions."""
        self._lap = 0.0
        self._deferred: PlaywrightAction | None = None
        self._injector = Injector(self, conditions or {})

    # The test's own doings.

    @property
    def counting(self) -> bool:
        return self.phase == "call" or (self.phase == "setup" and self.setup.in_setup)

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
        if any(first < now <= last for first, last in self.setup.elements.values()):
            return "the test holds on to an element of the page"
        return ""

    def suspended(self, page: Any) -> str:
        """Why nothing may happen now."""
        if self.held:
            return f"{', '.join(sorted(self.held))} down"
        if self.under_way > 0:
            return "another action is under way"
        if page.is_closed():
            return "the page is closed"
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

    async def before(self, action: PlaywrightAction, handle: PageHandle) -> None:
        """What has to end before an action begins."""
        self.waited()
        if self.setup.holding is not None and action.counts:
            self.setup.holding.begins(len(self.points) + 1)
        await self._injector.before(len(self.points) + 1, handle, rests=action.counts)
        self._lap = time.monotonic()

    async def after(self, action: PlaywrightAction, handle: PageHandle) -> None:
        """The action is done: what is to happen after it happens now."""
        self.acted()
        if action.counts:
            await self._after(action, handle)
        self._lap = time.monotonic()

    async def _after(self, action: PlaywrightAction, handle: PageHandle) -> None:
        self.last_page = action.page
        self.points.append(
            point := InjectionPoint(
                number=len(self.points) + 1,
                api=action.api,
                words=action.words,
                event=action.event,
                where=action.where,
            )
        )
        if self.setup.holding is not None:
            self.setup.holding.ends(point.number, time.monotonic())
        if self.blocks:
            point.suspended = "inside an expect block"
            self._deferred = action
            return
        await self._injector.inject(point, handle)

    async def left_block(self, handle_of: Callable[[Any], PageHandle | None]) -> None:
        """An `expect_...` block has ended: what was put off happens now."""
        action, self._deferred = self._deferred, None
        if action is None or self.blocks or not self.points:
            return
        point = self.points[-1]
        point.suspended = ""
        handle = handle_of(action.page)
        if handle is None:
            point.suspended = "the page is closed"
        else:
            await self._injector.inject(point, handle)

    @property
    def unfinished(self) -> bool:
        """Something that is still going on has to end with the test."""
        return self._injector.unfinished

    async def finish(self) -> None:
        """The test has ended: whatever is still going on around it ends too."""
        await self._injector.finish()

    async def picture(self, name: str, handle: PageHandle) -> None:
        """Of the page as it is; there may be none."""
        try:
            self.pictures[name] = await taken(handle)
        except NotDone as problem:
            self.notes.append(f"no picture: {problem}")
