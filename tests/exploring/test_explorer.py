"""The exploration itself."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import pytest

from jostle.events import Change, Effect, Event, Kind, Milestone, ModelApp, NotEnabled, Request, Settled, State, World
from jostle.exploring.at_random import AtRandom
from jostle.exploring.avoid import Avoid
from jostle.exploring.explorer import FRUITLESS, TRIES, explore
from jostle.exploring.forms import filled
from jostle.exploring.guided import Guided
from jostle.exploring.situation import Situation, Strategy
from jostle.model.exploration import Exploration
from jostle.model.visit import Visit
from jostle.progress import Finished, LimitMet, Note, Progress, Started, Stepped
from tests.exploring.sites import HOST, BigList, Control, Feed, Site, Wizard


def run(app: Any, strategy: Strategy | None = None, *, events: int = 50, seed: int = 1, **more: Any) -> Exploration:
    chance = random.Random(seed)
    return asyncio.run(explore(app, strategy or AtRandom(chance), events=events, chance=chance, **more))


class Scripted:
    """Does what it is told to, by descriptor; ends when there is no more."""

    reason = "the script has ended"

    def __init__(self, *script: str) -> None:
        self.script = list(script)
        self.asked: list[Situation] = []
        self.observed: list[Visit] = []

    def choose(self, situation: Situation) -> Event | None:
        self.asked.append(situation)
        possible = {event.what: event for event in (*situation.events, *situation.pages)}
        return possible[self.script.pop(0)] if self.script else None

    def observe(self, visit: Visit) -> None:
        self.observed.append(visit)


def test_what_was_done_is_learned_and_told() -> None:
    def turn(world: World) -> None:
        world["on"] = not world["on"]
        world.create(Kind.TIMER, "blink", delay=100, handler=lambda world: None)

    strategy = Scripted("turn", "turn")
    told: list[Progress] = []
    visits: list[Visit] = []
    starts: list[State] = []
    app = Settled(ModelApp({"on": False}, {"turn": turn}, actions=["turn"]))
    done = run(app, strategy, on_visit=visits.append, on_start=starts.append, listener=told.append)
    assert done.ended == "the script has ended"
    assert (done.runs, done.done, len(done.machine), done.machine.transitions) == (1, 2, 2, 2)
    off, on = done.machine.states
    assert starts == [off]
    assert [(visit.before, visit.after, visit.new_state) for visit in visits] == [(off, on, True), (on, off, False)]
    assert strategy.observed == visits
    assert done.machine.successors(off, "turn") == {on: 1}
    assert done.machine.visits(off) == 2
    assert [visit.event.occurrence for visit in done.visits] == [1, 2]
    assert told == [
        Started(what="exploring the application", total=50),
        Stepped(done=1, what="turn"),
        Stepped(done=2, what="turn (#2)"),
        Finished(summary="2 events, 2 states: the script has ended"),
    ]


def test_the_same_seed_makes_the_same_exploration() -> None:
    for make in (AtRandom, Guided):
        made: list[list[str]] = []
        for _ in range(2):
            chance = random.Random(5)
            done = asyncio.run(explore(Wizard(), make(chance), events=80, chance=chance))
            made.append([f"{visit.before.digest} {visit.event}" for visit in done.visits])
        assert made[0] == made[1]
        assert len(made[0]) == 80


def test_the_budget_and_the_time() -> None:
    assert run(Feed(), events=7).done == 7
    assert run(Feed(), events=0).ended == "all events were done"
    times = iter(range(100))
    done = run(Feed(), deadline=10, clock=lambda: next(times))
    assert done.ended == "the time was up"
    assert 0 < done.done < 10


def test_pages_seen_can_be_gone_back_to() -> None:
    strategy = Scripted('click link "Help"', 'click link "Help 1"', f"visit {HOST}/Help", f"visit {HOST}/")
    done = run(Wizard(), strategy)
    assert [visit.after.url for visit in done.visits] == [HOST + path for path in ("/Help", "/Help/1", "/Help", "/")]
    assert [[page.what for page in situation.pages] for situation in strategy.asked] == [
        [f"visit {HOST}/"],
        [f"visit {HOST}/", f"visit {HOST}/Help"],
        *[[f"visit {HOST}/", f"visit {HOST}/Help", f"visit {HOST}/Help/1"]] * 3,
    ]
    assert done.machine.successors(done.visits[1].after, f"visit {HOST}/Help")


def test_what_is_to_be_avoided_is_not_offered_and_told_once() -> None:
    class Guarded(Wizard):
        def controls(self) -> list[Control]:
            return [*super().controls(), self.link("Log out", "nav/a[9]", "/bye")]

    told: list[Progress] = []
    done = run(Guarded(), events=200, listener=told.append)
    assert not any("Log out" in visit.event.what for visit in done.visits)
    assert [note.text for note in told if isinstance(note, Note)] == ['Skipped: click link "Log out" (logging out)']
    assert list(done.avoided) == ['click link "Log out"']
    assert not any('click link "Log out"' in done.machine.labels(state) for state in done.machine.states)
    assert any("Log out" in visit.event.what for visit in run(Guarded(), events=200, avoid=Avoid(careful=False)).visits)


class Tricky(Feed):
    """Offers things that turn out not to be possible."""

    def __init__(self, refuses: Callable[[Event], bool]) -> None:
        self.refuses = refuses
        super().__init__()

    async def step(self, event: Event) -> Effect:
        if self.refuses(event):
            raise NotEnabled(event, "it is covered by div.banner")
        return await super().step(event)


def test_what_is_not_possible_is_left_for_something_else() -> None:
    site = Tricky(lambda event: "Like" in event.what)
    done = run(site, events=100)
    assert done.done == 100
    assert done.impossible > 5
    assert not any("Like" in visit.event.what for visit in done.visits)


def test_nothing_is_possible() -> None:
    done = run(Tricky(lambda event: True))
    assert done.ended.startswith("nothing could be done any more: ")
    assert done.ended.endswith("it is covered by div.banner")
    assert done.runs == FRUITLESS
    assert done.impossible == FRUITLESS * TRIES


def test_a_page_that_cannot_be_visited_is_not_offered_again() -> None:
    refused: list[str] = []

    def refuses(event: Event) -> bool:
        if event.what.startswith("visit"):
            refused.append(event.what)
        return event.what.startswith("visit")

    done = run(Tricky(refuses), events=300)
    assert done.done == 300
    assert refused
    assert len(refused) == len(set(refused))


class DeadEnd(Site):
    """A page with nothing to do on it."""

    def controls(self) -> list[Control]:
        return [self.link("Picture", "a", "/picture.png")] if self.path == "/" else []


def test_out_of_a_dead_end_to_a_page_seen_before() -> None:
    done = run(DeadEnd(), events=6)
    assert [visit.event.what for visit in done.visits[:2]] == ['click link "Picture"', f"visit {HOST}/"]
    assert (done.done, done.runs) == (6, 1)


class Nowhere(DeadEnd):
    async def state(self) -> State:
        return msgspec.structs.replace(await super().state(), url="")


def test_out_of_a_dead_end_by_a_new_run() -> None:
    done = run(Nowhere(), events=3)
    assert (done.done, done.runs) == (3, 3)
    assert [visit.run for visit in done.visits] == [1, 2, 3]
    done = run(Nowhere(), events=30, resets=4)
    assert (done.done, done.runs) == (5, 5)
    assert done.ended == "the application was started 5 times, which is enough: there was nothing to do"


def test_an_application_with_nothing_in_it() -> None:
    done = run(Settled(ModelApp({}, {})))
    assert done.ended == "nothing could be done any more: there was nothing to do"
    assert done.done == 0


def test_after_a_hang_a_new_run_is_begun() -> None:
    class Hanging(Feed):
        async def step(self, event: Event) -> Effect:
            await super().step(event)
            return Effect(hung="the script did not end" if "Write" in event.what else "")

    strategy = Scripted('click link "Help"', 'click link "Home"', 'click button "Write"', 'click link "Help"')
    done = run(Hanging(), strategy)
    assert [(visit.run, visit.effect.hung) for visit in done.visits][1:] == [
        (1, ""),
        (1, "the script did not end"),
        (2, ""),
    ]
    assert (done.runs, done.hangs) == (2, 1)
    assert done.visits[3].before.url == f"{HOST}/"


def test_what_was_done_is_there_when_it_is_interrupted() -> None:
    told: list[Progress] = []
    into = Exploration()

    async def stop(visit: Visit) -> None:
        if len(into.visits) == 3:
            raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        run(Feed(), into=into, on_visit=stop, listener=told.append)
    assert into.done == 3
    assert into.ended == "interrupted"
    assert told[-1] == Finished(summary=f"3 events, {len(into.machine)} states: interrupted", interrupted=True)


def test_going_on_with_an_earlier_model() -> None:
    first = run(Wizard(), events=30)
    second = run(Wizard(), events=30, seed=2, into=Exploration(machine=first.machine))
    assert sum(place.starts for place in second.machine) == 2
    assert second.machine.visits(first.machine.states[0]) >= 2
    assert second.done == 30


def test_effects_are_kept_without_the_changes_of_the_document() -> None:
    class Busy(Feed):
        async def step(self, event: Event) -> Effect:
            await super().step(event)
            return Effect(changes=(Change("text", "p"),) * 1000, limits=("a canvas",), lifecycle=(Milestone("load"),))

    visits: list[Visit] = []
    told: list[Progress] = []
    done = run(Busy(), events=3, on_visit=visits.append, listener=told.append)
    assert all(len(visit.effect.changes) == 1000 for visit in visits)
    assert all(visit.effect.changes == () and visit.effect.lifecycle == (Milestone("load"),) for visit in done.visits)
    assert told.count(LimitMet(text="a canvas")) == 1


def test_the_answer_to_something_sent_is_no_page_to_go_back_to() -> None:
    class Posting(DeadEnd):
        def controls(self) -> list[Control]:
            return [self.link("Other", "a[1]", "/other"), self.link("Send", "a[2]", "/sent")]

        async def step(self, event: Event) -> Effect:
            await super().step(event)
            sent = "Send" in event.what
            return Effect(requests=(Request("POST" if sent else "GET", HOST + self.path),))

    strategy = Scripted('click link "Send"', 'click link "Other"', 'click link "Send"')
    run(Posting(), strategy)
    assert [page.what for page in strategy.asked[-1].pages] == [f"visit {HOST}/", f"visit {HOST}/other"]


def test_another_value_has_a_number_of_its_own() -> None:
    class Writing(Scripted):
        def choose(self, situation: Situation) -> Event | None:
            texts = ["a", "b", "a", "milk"]
            (field,) = (event for event in situation.events if event.action.type == "type")
            number = len(self.observed)
            return filled(field, texts[number]) if number < len(texts) else None

    class Form(Site):
        def controls(self) -> list[Control]:
            return [Control('textbox "x"', "input", lambda value: None, action="type", element="input:text", field={})]

    done = run(Form(), Writing())
    assert [str(visit.event).replace(' in textbox "x"', "") for visit in done.visits] == [
        'type "a"',
        'type "b"',
        'type "a" (#2)',
        'type "milk"',
    ]
    assert done.visits[0].event.action.value == "a"
    assert len(done.machine.labels(done.machine.states[0])) == 1


def test_new_blocks_are_asked_for_once_an_event() -> None:
    told = iter([3, 0, 1])

    async def new_blocks() -> int:
        return next(told)

    done = run(BigList(), events=3, new_blocks=new_blocks)
    assert [visit.new_blocks for visit in done.visits] == [3, 0, 1]


def test_back_to_a_page_one_time_in_ten() -> None:
    done = run(Wizard(), events=1000, seed=3)
    pages = sum(visit.event.action.type == "visit" for visit in done.visits)
    assert 70 < pages < 130
    other: Sequence[Visit] = run(Feed(), AtRandom(random.Random(1), back=0), events=100).visits
    assert not any(visit.event.action.type == "visit" for visit in other)
