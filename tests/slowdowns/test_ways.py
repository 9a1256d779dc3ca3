"""Ways to a target: what must be filled in on them, and what is not true any more."""

from __future__ import annotations

import asyncio
import random

import pytest

from jostle.browser.user import visit
from jostle.events import Effect, Event, State, UserEvent
from jostle.exploring.explorer import explore
from jostle.exploring.guided import Guided
from jostle.model.exploration import Exploration
from jostle.model.machine import Machine
from jostle.slowdowns.alternate import alternate
from jostle.slowdowns.history import Action, Pair, action_of
from jostle.slowdowns.paths import Past, PathStep, ways
from jostle.slowdowns.promising import Promising
from jostle.slowdowns.trigger import Walker
from jostle.slowdowns.verdict import PairOutcome, judge
from tests.slowdowns import apps

SEEDS = range(10)
POST = 'click button "Post"'


def explored(seed: int, events: int = 120) -> tuple[Exploration, Promising]:
    chance = random.Random(seed)
    promising = Promising(chance, after=True)
    found = asyncio.run(
        explore(apps.members(), Guided(chance), events=events, chance=chance, on_visit=promising.observe)
    )
    return found, promising


def posted(exploration: Exploration) -> Action:
    return next(action for visit in exploration.visits if (action := action_of(visit)).label == POST)


def walker(exploration: Exploration, seed: int) -> Walker:
    return Walker(apps.members(), exploration.machine, random.Random(seed), visits=exploration.visits)


@pytest.mark.parametrize("seed", SEEDS)
def test_logs_in_again_after_a_fresh_start(seed: int) -> None:
    """The links lead elsewhere as long as nobody is logged in, and the log-in is in vain without a name."""
    exploration, _ = explored(seed)
    walks = walker(exploration, seed)
    assert asyncio.run(walks.trigger(posted(exploration))) is not None
    assert walks.tally.events <= 16


@pytest.mark.parametrize("seed", SEEDS)
def test_what_takes_a_field_is_repeated_with_it_filled_in(seed: int) -> None:
    exploration, promising = explored(seed)
    pairs = {each.pair.cause.label: each.pair for each in promising.worth_repeating(exploration.machine)}
    verdict = judge(asyncio.run(alternate(walker(exploration, seed), pairs[POST])))
    assert verdict.outcome is PairOutcome.SLOWDOWN


def test_a_way_through_a_form_is_known_with_and_without_its_fields() -> None:
    exploration, _ = explored(1)
    past = Past(exploration.visits)
    target = posted(exploration)
    known = [way.hops for way in ways(exploration.machine, past, target.before, target, random.Random(1), longer=0)]
    comment, post = PathStep(target.before, 'type in textbox "Comment"'), PathStep(target.before, POST)
    assert known == [(post,), (comment, post)]


def test_what_was_done_long_ago_is_known_without_its_detours() -> None:
    exploration, _ = explored(1, 250)
    past = Past(exploration.visits)
    start = State(digest="home", url="http://app.test/home")
    target = action_of(exploration.visits[-1])
    for way in past.ways(start, target):
        states = [hop.before for hop in way.hops]
        apart = [state for number, state in enumerate(states) if number == 0 or states[number - 1] != state]
        assert len(way.hops) <= 16 or len(set(apart)) == len(apart)


@pytest.mark.parametrize(("cause", "effect"), [("Tea", "Tea"), ("Milk", "Tea")])
@pytest.mark.parametrize("piling_up", [True, False])
def test_a_box_is_unchecked_so_that_it_can_be_checked_again(cause: str, effect: str, piling_up: bool) -> None:
    """Nobody did so before: that it is the way back is told by where it is done."""
    home = State(digest="home", url="http://app.test/home")
    first, second = (Action(f'check checkbox "{name}"', home, home) for name in (cause, effect))
    walks = Walker(apps.boxes(piling_up), Machine(), random.Random(1))
    verdict = judge(asyncio.run(alternate(walks, Pair(first, second))))
    assert verdict.outcome is (PairOutcome.SLOWDOWN if piling_up else PairOutcome.REFUTED)


def test_the_way_back_is_gone_before_any_page_is_loaded_anew() -> None:
    """The server knows what is checked: another load of the page shows it checked."""
    home = State(digest="home", url="http://app.test/home")
    elsewhere, machine, app = State(digest="b", url="http://app.test/b"), Machine(), apps.boxes()
    page, link = visit("http://app.test/b"), UserEvent(what='click link "Boxes"')
    machine.learn(home, page, elsewhere)
    machine.learn(elsewhere, link, home)
    step, tried = app.step, list[str]()

    async def noted(event: Event) -> Effect:
        tried.append(event.what)
        return await step(event)

    app.step = noted  # type: ignore[method-assign]
    walks = Walker(app, machine, random.Random(1), pages=[page])
    tea = Action('check checkbox "Tea"', home, home)

    async def checked() -> None:
        for _ in range(5):
            assert await walks.trigger(tea) is not None

    asyncio.run(checked())
    assert app.done == ['check checkbox "Tea"', *['uncheck checkbox "Tea"', 'check checkbox "Tea"'] * 4]
    assert tried == app.done


def test_what_stands_elsewhere_is_no_way_back() -> None:
    home = State(digest="home", url="http://app.test/home")
    walks = Walker(apps.vanishing(1), Machine(), random.Random(1))
    taken = Action('click button "Take one"', home, home)
    assert asyncio.run(walks.trigger(taken)) is not None
    assert asyncio.run(walks.trigger(taken)) is None
