"""Enacting an order on an application that keeps to it, and on one that a policy keeps from it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

import msgspec
from hypothesis import given
from hypothesis import strategies as some

from jostle.events import Effect, Event, NotEnabled, Step
from jostle.repair.enactment import Enactment, enact
from tests.repair.witnesses import response, timer, user


class Page:
    """What leads to what, by the words of the events; `kept` is what a policy keeps back: it happens with another."""

    def __init__(
        self, leads: Mapping[str, Sequence[Event]], kept: dict[str, str] | None = None, refuses: Sequence[str] = ()
    ) -> None:
        self.leads = leads
        self.kept = kept or {}
        self.refuses = dict.fromkeys(refuses, True)
        self.possible: list[Event] = list(leads.get("", ()))
        self.now = 0.0
        self.happened: list[str] = []
        self._waiting: dict[str, list[str]] = {}

    def passed(self, now: float) -> None:
        self.now = max(self.now, now)

    async def waiting(self) -> Sequence[Event]:
        return tuple(sorted(self.possible, key=lambda each: each.detail.due or 0.0))

    async def step(self, event: Event) -> Effect:
        if self.refuses.get(event.what):
            raise NotEnabled(event, "it is disabled")
        if not event.by_user:
            if event not in self.possible:
                raise NotEnabled(event)
            self.possible.remove(event)
        self.now = max(self.now, event.detail.due or 0.0)
        if (until := self.kept.get(event.what)) is not None and until not in self.happened:
            self._waiting.setdefault(until, []).append(event.what)
            self.happened.append(f"{event.what} (postponed)")
            return Effect()
        self._do(event.what, event)
        return Effect()

    def _do(self, what: str, cause: Event) -> None:
        self.happened.append(what)
        for each in self.leads.get(what, ()):
            self.possible.append(msgspec.structs.replace(each, creator=cause.key))
        if what == "GET /enables":
            self.refuses.clear()
        for late in self._waiting.pop(what, ()):
            self._do(late, cause)


def enacted(page: Page, order: Sequence[Event], until: float = 10_000) -> Enactment:
    steps = [Step(event=event, effect=Effect(), at=float(n)) for n, event in enumerate(order)]
    return asyncio.run(enact(page, steps, until=until))


FIRST, SECOND = user("First"), user("Second")
ONE, OTHER = response("/one", FIRST), response("/other", SECOND)
LEADS = {FIRST.what: (response("/one"),), SECOND.what: (response("/other"),)}


def test_an_order_that_can_be_kept_is_kept() -> None:
    page = Page(LEADS)
    enacted(page, [FIRST, SECOND, OTHER, ONE])
    assert page.happened == [FIRST.what, SECOND.what, "GET /other", "GET /one"], "the first response is held back"
    page = Page(LEADS)
    enacted(page, [FIRST, ONE, SECOND, OTHER])
    assert page.happened == [FIRST.what, "GET /one", SECOND.what, "GET /other"]


def test_what_a_policy_postpones_leads_to_its_response_later() -> None:
    """The second action waits for the first response, so that its own response has another cause."""
    page = Page(LEADS, kept={SECOND.what: "GET /one"})
    done = enacted(page, [FIRST, SECOND, OTHER, ONE])
    assert page.happened == [FIRST.what, f"{SECOND.what} (postponed)", "GET /one", SECOND.what, "GET /other"]
    assert not done.undone and not done.hung


def test_an_action_that_is_refused_is_done_as_soon_as_it_can_be() -> None:
    go, enables = user("Go"), response("/enables", FIRST)
    page = Page({FIRST.what: (response("/enables"),)}, refuses=[go.what])
    done = enacted(page, [FIRST, go, enables])
    assert page.happened == [FIRST.what, "GET /enables", go.what] and not done.undone


def test_an_action_that_is_never_possible_is_told() -> None:
    page = Page(LEADS, refuses=[SECOND.what])
    done = enacted(page, [FIRST, SECOND, OTHER, ONE])
    assert page.happened == [FIRST.what, "GET /one"]
    assert [str(each) for each in done.undone] == [SECOND.what]


def test_the_user_keeps_the_order_of_what_the_user_does() -> None:
    third = user("Third")
    page = Page(LEADS, refuses=[SECOND.what])
    done = enacted(page, [FIRST, SECOND, third, ONE])
    assert third.what not in page.happened and len(done.undone) == 2


def test_what_the_order_does_not_have_happens_as_it_does_by_itself() -> None:
    page = Page({**LEADS, "": (response("/banner"), timer(50), timer(90_000))})
    enacted(page, [FIRST, ONE])
    assert page.happened == ["GET /banner", FIRST.what, "GET /one", "timeout 50 at /app.js:1:1"], "no later than asked"


def test_a_timer_that_is_due_before_the_next_step_fires_before_it() -> None:
    """A controller that looks every 50 ms whether something is there."""
    page = Page({"": (timer(50),)})
    steps = [Step(event=FIRST, effect=Effect(), at=200.0)]
    asyncio.run(enact(page, steps, until=1000))
    assert page.happened == ["timeout 50 at /app.js:1:1", FIRST.what]


def test_the_same_button_twice() -> None:
    page = Page({FIRST.what: (response("/one"),)})
    done = enacted(page, [FIRST, FIRST, ONE])
    assert page.happened[:2] == [FIRST.what, FIRST.what]
    assert [step.event.occurrence for step in done.steps[:2]] == [1, 2]


@given(some.permutations([FIRST, ONE, SECOND, OTHER]))
def test_any_order_comes_as_near_as_it_can(order: list[Event]) -> None:
    """All happens once, the user's actions in their order, and each response after its request; of what is possible,
    what comes first in the order."""
    page = Page(LEADS)
    users = [event for event in order if event.by_user]
    done = enacted(page, order)
    assert sorted(page.happened) == sorted(event.what for event in order)
    assert [what for what in page.happened if what.startswith("click")] == [event.what for event in users]
    assert page.happened == _greedy(
        [event.what for event in order], {"GET /one": FIRST.what, "GET /other": SECOND.what}
    )
    assert not done.undone


def _greedy(order: list[str], needs: dict[str, str]) -> list[str]:
    """The naive reference."""
    left, happened = list(order), list[str]()
    while left:
        users = [what for what in left if what.startswith("click")]
        for what in left:
            if what in users[1:] or (what in needs and needs[what] not in happened):
                continue
            left.remove(what)
            happened.append(what)
            break
    return happened
