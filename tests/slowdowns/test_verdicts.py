"""From an application to verdicts: alternation, growth and reasons, on applications with known answers."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from itertools import pairwise

import msgspec
import pytest

from jostle.browser.user import visit as visit_page
from jostle.events import Effect, Event, ModelApp, State, Thrown, World
from jostle.exploring.at_random import AtRandom
from jostle.exploring.explorer import explore
from jostle.findings.evidence import Law
from jostle.model.exploration import Exploration
from jostle.slowdowns.alternate import Ended, Rule, alternate
from jostle.slowdowns.budget import Budget
from jostle.slowdowns.examine import examine
from jostle.slowdowns.grouping import by_root_cause
from jostle.slowdowns.history import Action, Pair, action_of, history
from jostle.slowdowns.inference import SuspectedPair, infer
from jostle.slowdowns.promising import Promising
from jostle.slowdowns.trigger import Walker
from jostle.slowdowns.verdict import PairJudgement, PairOutcome, judge
from tests.slowdowns import apps
from tests.slowdowns.apps import Costed


def explored(app: Costed, seed: int = 1, events: int = 150) -> Exploration:
    chance = random.Random(seed)
    return asyncio.run(explore(app, AtRandom(chance), events=events, chance=chance))


def walker(app: Costed, exploration: Exploration, seed: int = 1, budget: Budget | None = None) -> Walker:
    return Walker(app, exploration.machine, random.Random(seed), visits=exploration.visits, budget=budget)


def action(exploration: Exploration, name: str) -> Action:
    """What was done of that name: where it led on, if it ever did, else what was done most often."""
    seen = [action_of(visit) for visit in exploration.visits if f'"{name}"' in visit.event.what]
    return max(seen, key=lambda each: (each.before != each.after, seen.count(each)))


def verdict(
    make: Callable[[], Costed], cause: str, effect: str, *, rule: Rule = Rule.TREND, seed: int = 1
) -> PairJudgement:
    app = make()
    exploration = explored(app, seed)
    pair = Pair(action(exploration, cause), action(exploration, effect))
    return judge(asyncio.run(alternate(walker(app, exploration, seed), pair, rule=rule)))


@pytest.mark.parametrize("rule", Rule)
@pytest.mark.parametrize(
    ("make", "cause", "effect", "law"),
    [
        (apps.todo, "Add", "Filter", Law.LINEAR),
        (apps.todo, "Duplicate", "Filter", Law.LINEAR),
        (apps.todo, "Import", "Filter", Law.LINEAR),
        (apps.menu, "Save", "Menus", Law.LINEAR),
        (apps.sorting, "Add row", "Sort", Law.LINEARITHMIC),
        (apps.squares, "Add row", "Compare", Law.QUADRATIC),
        (apps.itself, "Log", "Log", Law.LINEAR),
    ],
)
def test_slowdowns(make: Callable[[], Costed], cause: str, effect: str, law: Law, rule: Rule) -> None:
    found = verdict(make, cause, effect, rule=rule)
    assert found.outcome is PairOutcome.SLOWDOWN, found.reason
    assert found.growth is not None
    assert found.growth.law is law
    assert not found.without_cause
    assert f"{law} growth" in found.reason
    assert found.trial.steps[-1].event.what == found.trial.pair.effect.label


def test_a_cause_that_does_no_more_several_times_than_once() -> None:
    """Typing five names and adding one adds one."""
    found = verdict(apps.guests, "Name", "Add guest")
    assert found.outcome is PairOutcome.SLOWDOWN, found.reason
    assert found.growth is not None
    assert found.growth.law is Law.QUADRATIC
    assert [sample.repetitions for sample in found.trial.samples] == list(range(40))


@pytest.mark.parametrize("size", [8, 15, 50])
def test_bounded(size: int) -> None:
    found = verdict(lambda: apps.paged(size), "Add article", "Sort by date")
    assert found.outcome is PairOutcome.BOUNDED, found.reason
    assert found.levelled is not None
    assert found.levelled.cost == 10 + 5 * size
    assert abs(found.levelled.at - size) <= (1 if size < 20 else 5)
    assert f"up to {10 + 5 * size}" in found.reason


def test_failure() -> None:
    found = verdict(apps.crash, "Add block", "Show")
    assert found.outcome is PairOutcome.FAILURE
    assert found.reason == 'after 12 repetitions “click button "Show"” failed: PacketTooLarge: the answer has no rows'
    assert found.growth is not None
    assert found.growth.law is Law.LINEAR


def test_a_failure_that_shows_another_page_is_not_gone_around() -> None:
    app = apps.crash_and_lose()
    exploration = explored(app)
    home = next(visit.event for visit in exploration.visits if visit.event.what == 'click link "home"')
    knows_addresses = Walker(app, exploration.machine, random.Random(1), visits=exploration.visits, pages=[home])
    pair = Pair(action(exploration, "Add block"), action(exploration, "Show"))
    found = judge(asyncio.run(alternate(knows_addresses, pair)))
    assert found.outcome is PairOutcome.FAILURE
    assert "failed: PacketTooLarge" in found.reason
    assert found.trial.steps[-1].event.what == 'click button "Show"'


@pytest.mark.parametrize("rule", Rule)
@pytest.mark.parametrize(
    ("make", "cause", "effect", "words"),
    [
        (apps.todo, "Dark", "Filter", "the cost "),
        (apps.moody, "Query", "Search", "the cost "),
        (apps.lazy, "Close", "Open", "only the first time costs more"),
        (lambda: apps.lazy(5), "Close", "Open", "only the first time costs less"),
    ],
)
def test_refuted(make: Callable[[], Costed], cause: str, effect: str, words: str, rule: Rule) -> None:
    found = verdict(make, cause, effect, rule=rule)
    assert found.outcome is PairOutcome.REFUTED
    assert words in found.reason


def test_what_vanishes_is_unreachable() -> None:
    found = verdict(apps.vanishing, "Take one", "Count")
    assert found.outcome is PairOutcome.UNREACHABLE
    assert '“click button "Take one"” could not be done again after 3 repetitions' in found.reason


def test_what_rises_without_the_cause_is_not_put_on_it() -> None:
    found = verdict(apps.itself, "Beep", "Log")
    assert found.outcome is PairOutcome.SLOWDOWN
    assert found.without_cause
    assert "without" in found.reason


def test_a_field_must_be_filled_first_though_the_model_believes_otherwise() -> None:
    """The worked example of the paper: the model knows "save" to lead on directly; it does so only after a name."""
    for seed in range(10):
        app = apps.menu()
        exploration = explored(app, seed, 200)
        new = next(state for state in exploration.machine.states if state.digest == "new item")
        admin = next(state for state in exploration.machine.states if state.digest == "admin")
        believed = exploration.machine.successors(new, 'click button "Save"')
        assert believed[admin] and believed[new]
        target = Action('click button "Save"', new, admin)
        goes = walker(app, exploration, seed)

        async def save_often(goes: Walker = goes, target: Action = target) -> None:
            for _ in range(10):
                assert await goes.trigger(target) is not None, goes.why

        asyncio.run(save_often())
        assert app.model.variables["items"] == 10
        assert goes.tally.events_per_target <= 6


def test_budgets() -> None:
    app = apps.menu()
    exploration = explored(app)
    pair = Pair(action(exploration, "Save"), action(exploration, "Menus"))
    few = judge(asyncio.run(alternate(walker(app, exploration, budget=Budget(events=25)), pair)))
    assert few.outcome is PairOutcome.UNREACHABLE
    assert "all 25 events were done" in few.reason
    late = walker(app, exploration, budget=Budget(deadline=5, clock=lambda: 6))
    trial = asyncio.run(alternate(late, pair))
    assert (trial.ended, trial.events) == (Ended.SPENT, 0)
    assert "the time was up" in judge(trial).reason


def test_the_same_seed_does_the_same() -> None:
    def run() -> list[str]:
        app = apps.menu()
        exploration = explored(app, 4)
        pair = Pair(action(exploration, "Save"), action(exploration, "Menus"))
        asyncio.run(alternate(walker(app, exploration, 4), pair))
        return app.done

    assert run() == run()


PLANTED = {
    apps.todo: {("Add", "Filter"), ("Duplicate", "Filter"), ("Import", "Filter")},
    apps.menu: {("Save", "Menus")},
    apps.paged: {("Add article", "Sort by date")},
    apps.crash: {("Add block", "Show")},
    apps.sorting: {("Add row", "Sort")},
    apps.moody: set(),
    apps.lazy: set(),
    apps.itself: {("Log", "Log")},
}


async def verdicts(goes: Walker, candidates: list[SuspectedPair]) -> list[PairJudgement]:
    return [each async for each in examine(goes, candidates)]


def test_from_the_first_event_to_the_last_verdict() -> None:
    """Every planted pair is found and nothing else, in few events for each target."""
    events = targets = reached = 0
    for make, planted in PLANTED.items():
        for seed in (1, 2):
            app, chance = make(), random.Random(seed)
            exploration = asyncio.run(explore(app, Promising(chance), events=200, chance=chance))
            candidates = infer(history(exploration.visits), several_causes=True)
            goes = walker(app, exploration, seed)
            roots = by_root_cause(asyncio.run(verdicts(goes, candidates)))
            found = {(_name(root.main.pair.cause), _name(root.main.pair.effect)) for root in roots}
            assert found == planted, (make.__name__, seed)
            events += goes.tally.events
            targets += goes.tally.targets
            reached += goes.tally.reached
    assert events / reached <= 6
    assert reached / targets >= 0.97


def _name(action: Action) -> str:
    return action.label.split('"')[1]


def capped() -> Costed:
    return apps.site(
        {
            'click button "Add article"': apps.adds(),
            'click button "Sort by date"': apps.costs(lambda world: 10 + 5 * min(50, world["items"])),
            'click button "Sort by name"': apps.costs(lambda world: 12 + 7 * min(50, world["items"])),
        }
    )


@pytest.mark.parametrize("seed", range(4))
def test_where_one_pair_has_an_end_another_is_not_left_before_it(seed: int) -> None:
    found = examined(capped(), seed)
    assert [each.outcome for each in found if each.found] == [PairOutcome.BOUNDED] * 2


def examined(app: Costed, seed: int, events: int = 300) -> list[PairJudgement]:
    chance = random.Random(seed)
    exploration = asyncio.run(explore(app, Promising(chance), events=events, chance=chance))
    found = infer(history(exploration.visits), several_causes=True)
    walks = Walker(app, exploration.machine, chance, visits=exploration.visits, pages=[visit_page(Reloading.URL)])

    async def go() -> list[PairJudgement]:
        return [each async for each in examine(walks, found)]

    return asyncio.run(go())


class Hanging(Costed):
    """Computing hangs when it costs too much, or the n-th time."""

    limit = 10.0**9
    stalls_at = 0
    computed = 0

    async def step(self, event: Event) -> Effect:
        effect = await super().step(event)
        if "Compute" not in event.what:
            return effect
        self.computed += 1
        if self.computed == self.stalls_at:
            return Effect(hung="the browser did not answer")
        hangs = (effect.cost or 0) > self.limit
        return msgspec.structs.replace(effect, hung="the script did not end") if hangs else effect


def hanging(base: float) -> tuple[Hanging, Exploration]:
    made = apps.site(
        {
            'click button "Add"': apps.adds(),
            'click button "Compute"': apps.costs(lambda world: 20 + int(10 * base ** world["items"])),
        }
    )
    app = Hanging(made.model, apps.by_page)
    return app, explored(app, 1, 40)


@pytest.mark.parametrize(("limit", "samples"), [(10.0**5, 14), (2 * 10.0**6, 18)])
def test_a_slowdown_that_ends_in_a_hang_is_a_failure(limit: float, samples: int) -> None:
    app, exploration = hanging(2)
    app.limit = limit
    pair = Pair(action(exploration, "Add"), action(exploration, "Compute"))
    found = judge(asyncio.run(alternate(walker(app, exploration), pair)))
    assert found.outcome is PairOutcome.FAILURE and found.trial.hung
    assert len(found.trial.samples) == samples
    assert len(found.trial.steps) >= 2 * samples, "it is told from the start of the application on"


@pytest.mark.parametrize("stalls_at", [1, 2, 5])
def test_a_page_that_stalls_once(stalls_at: int) -> None:
    app, exploration = hanging(1.1)
    app.stalls_at = app.computed + stalls_at
    pair = Pair(action(exploration, "Add"), action(exploration, "Compute"))
    found = judge(asyncio.run(alternate(walker(app, exploration), pair)))
    assert found.outcome is (PairOutcome.FAILURE if stalls_at == 5 else PairOutcome.SLOWDOWN)


@pytest.mark.parametrize("at", [24, 44])
def test_a_cost_that_once_does_not_rise_ends_nothing(at: int) -> None:
    def filters(world: World) -> int:
        return int(10 + 5 * (world["items"] - (world["items"] == at)))

    def make() -> Costed:
        return apps.site({'click button "Add"': apps.adds(), 'click button "Filter"': apps.costs(filters)})

    found = verdict(make, "Add", "Filter", rule=Rule.STRICT)
    assert found.outcome is PairOutcome.SLOWDOWN and len(found.trial.samples) < 60


def test_errors_elsewhere_are_no_failure_of_the_pair() -> None:
    def boom(world: World) -> None:
        world["cost"] = 3
        raise Thrown("TypeError: help is not a function")

    def make() -> Costed:
        return apps.site(
            {
                'click button "Take one"': apps.adds(),
                'click button "Count"': apps.costs(lambda world: 10 + 5 * world["items"]),
                'click button "Broken"': boom,
            },
            guards={'click button "Take one"': lambda view: bool(view["page"] == "home" and view["items"] < 6)},
        )

    found = verdict(make, "Take one", "Count")
    assert found.outcome is PairOutcome.UNREACHABLE, found.reason


class Reloading(Costed):
    """A single page: going to its address makes it forget everything."""

    URL = "http://app.test/"

    async def step(self, event: Event) -> Effect:
        if event.action.type == "visit":
            await self.model.reset()
            return Effect(cost=7)
        return await super().step(event)

    async def state(self) -> State:
        return State(digest=self._screen(self.model.variables), url=self.URL)


@pytest.mark.parametrize("seed", range(4))
def test_a_way_back_through_the_page_is_better_than_loading_it_again(seed: int) -> None:
    def opens(world: World) -> None:
        world["items"] += 1
        world["cost"] = 10 + 4 * world["items"]
        world["page"] = "dialog"

    places = ["dialog", "one", "two", "home"]
    handlers: dict[str, Callable[[World], object]] = {
        f'click button "Leave {here}"': apps.goes(there, 2) for here, there in pairwise(places)
    }
    guards = {f'click button "Leave {here}"': apps.on(here) for here in places[:-1]}
    handlers |= {'click button "Open"': opens, 'click checkbox "Dark"': apps.costs(lambda world: 3)}
    guards |= {name: apps.on("home") for name in ('click button "Open"', 'click checkbox "Dark"')}
    model = ModelApp({"page": "home", "cost": 0, "items": 0}, handlers, actions=list(handlers), guards=guards)
    found = examined(Reloading(model, apps.by_page), seed, events=200)
    [itself] = [each for each in found if each.pair.itself and '"Open"' in each.pair.effect.label]
    assert itself.outcome is PairOutcome.SLOWDOWN, itself.reason
