"""How the time is shared among pairs: none keeps all others waiting."""

from __future__ import annotations

import asyncio
import random

from jostle.events import State
from jostle.model.machine import Machine
from jostle.slowdowns.alternate import Ended
from jostle.slowdowns.budget import Budget
from jostle.slowdowns.examine import LEAST, examine
from jostle.slowdowns.history import Action, Pair
from jostle.slowdowns.inference import SuspectedPair
from jostle.slowdowns.trigger import Walker
from jostle.slowdowns.verdict import PairJudgement
from tests.slowdowns import apps

HOME = State(digest="home", url="http://app.test/home")
SECONDS_AN_EVENT = 2.0


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def tried(*labels: str, seconds: float, share: float) -> list[PairJudgement]:
    """What becomes of events that are done again and again, each of which takes two seconds."""
    clock, app = Clock(), apps.itself()
    step = app.step

    async def slow(event: object) -> object:
        clock.now += SECONDS_AN_EVENT
        return await step(event)  # type: ignore[arg-type]

    app.step = slow  # type: ignore[method-assign, assignment]
    walker = Walker(app, Machine(), random.Random(1), budget=Budget(deadline=seconds, clock=clock))
    actions = [Action(name, HOME, HOME) for name in labels]
    candidates = [SuspectedPair(pair=Pair(each, each), support=0, all=1) for each in actions]

    async def all_of_them() -> list[PairJudgement]:
        return [verdict async for verdict in examine(walker, candidates, share=share)]

    return asyncio.run(all_of_them())


LOG, BEEP = 'click button "Log"', 'click button "Beep"'


def test_a_pair_gets_its_share_and_the_next_one_is_tried_all_the_same() -> None:
    log, beep = tried(LOG, BEEP, seconds=60, share=0.35)
    assert log.trial.ended is Ended.SPENT and 10 <= log.trial.events <= 13
    assert beep.trial.ended is Ended.STOPPED


def test_who_has_all_the_time_takes_it() -> None:
    log, beep = tried(LOG, BEEP, seconds=16, share=1.0)
    assert log.trial.events >= 8 and beep.trial.events == 0


def test_no_share_is_too_short_for_anything_and_none_is_longer_than_what_is_left() -> None:
    clock = Clock()
    whole = Budget(deadline=30, clock=clock)
    part = whole.part(0.1, LEAST)
    clock.now = LEAST - 0.1
    assert not part.spent
    clock.now = LEAST + 0.1
    assert part.spent and not whole.spent
    rest = whole.part(0.1, LEAST)
    clock.now = 30.1
    assert rest.spent
    assert Budget().part(0.5, LEAST).spent == ""
