"""The application model."""

from __future__ import annotations

import itertools
import json
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jostle.errors import CouldNotRun, UsageProblem
from jostle.events import Event, Kind, State, event_of
from jostle.model.machine import Machine, Route

NAMES = st.sampled_from("ABCD")
LABELS = st.sampled_from(["go", "save", "back", "open"])
HISTORY = st.lists(st.tuples(NAMES, LABELS, NAMES), max_size=30)


def state(name: str) -> State:
    return State(digest=name, url=f"http://x/{name}", title=name)


def click(what: str) -> Event:
    return event_of(kind=Kind.USER, what=what)


def learned(*history: tuple[str, str, str]) -> Machine:
    machine = Machine()
    for before, what, after in history:
        machine.learn(state(before), click(what), state(after))
    return machine


def words(routes: list[Route]) -> list[str]:
    return [" ".join(hop.label for hop in route) for route in routes]


@settings(deadline=None)
@given(HISTORY, st.lists(st.tuples(NAMES, LABELS), max_size=10), st.integers(0, 30))
def test_one_by_one_is_as_all_at_once(
    history: list[tuple[str, str, str]], sightings: list[tuple[str, str]], cut: int
) -> None:
    machine = learned(*history[:cut])
    for name, what in sightings:
        machine.sighted(state(name), [click(what)])
    machine = Machine.from_json(machine.to_json())  # going on from a file makes no difference
    for before, what, after in history[cut:]:
        machine.learn(state(before), click(what), state(after))

    led = Counter(history)
    possible = {(before, what) for before, what, _ in history} | set(sightings)
    for name in "ABCD":
        assert machine.visits(state(name)) == sum(after == name for _, _, after in history)
        assert set(machine.labels(state(name))) == {what for where, what in possible if where == name}
        assert set(machine.unexplored(state(name))) == {
            what for where, what in possible if where == name and not any(led[where, what, to] for to in "ABCD")
        }
        for what in ["go", "save", "back", "open"]:
            expected = {state(to): led[name, what, to] for to in "ABCD" if led[name, what, to]}
            assert machine.successors(state(name), what) == expected
            assert machine.tried(state(name), what) == sum(expected.values())
    assert machine.transitions == len(led)


def every_walk(history: list[tuple[str, str, str]], start: str, target: str, length: int) -> set[tuple[str, ...]]:
    """All sequences of this length that end with the event wanted."""
    edges = set(history)
    found = set()
    for walk in itertools.product(edges, repeat=length):
        joined = all(one[2] == two[0] for one, two in itertools.pairwise(walk))
        if joined and walk[0][0] == start and walk[-1][1] == target:
            found.add(tuple(edge[1] for edge in walk))
    return found


@settings(deadline=None)
@given(st.lists(st.tuples(NAMES, LABELS, NAMES), min_size=1, max_size=6), NAMES, LABELS, st.integers())
def test_all_shortest_routes(history: list[tuple[str, str, str]], start: str, target: str, seed: int) -> None:
    machine = learned(*history)
    routes = machine.routes(
        state(start), lambda where, what: what == target, random.Random(seed), longer=0, most=10_000
    )
    expected: set[tuple[str, ...]] = set()
    for length in range(1, 5):
        expected = every_walk(history, start, target, length)
        if expected:
            break
    assert {tuple(hop.label for hop in route) for route in routes} == expected


@settings(deadline=None)
@given(st.lists(st.tuples(NAMES, LABELS, NAMES), min_size=1, max_size=20), NAMES, LABELS, st.integers())
def test_longer_routes_are_walks_of_the_model(
    history: list[tuple[str, str, str]], start: str, target: str, seed: int
) -> None:
    machine = learned(*history)
    routes = machine.routes(state(start), lambda where, what: what == target, random.Random(seed))
    again = machine.routes(state(start), lambda where, what: what == target, random.Random(seed))
    assert routes == again
    for route in routes:
        assert route[0].before == state(start)
        assert route[-1].label == target
        for one, two in itertools.pairwise(route):
            assert one.after == two.before
        for hop in route:
            assert hop.after in machine.successors(hop.before, hop.label)


def test_a_longer_way_is_found_where_the_short_one_is_not_true() -> None:
    """Saving works only with a name, which the model does not know; it knows that naming is possible."""
    machine = learned(("items", "new", "form"), ("form", "type name", "form"), ("form", "save", "items"))
    chance = random.Random(1)

    def saving(where: State, what: str) -> bool:
        return what == "save"

    met = Counter(
        itertools.chain.from_iterable(words(machine.routes(state("form"), saving, chance)) for _ in range(300))
    )
    assert met["save"] == 300
    assert 70 < met["type name save"] < 130  # one event beyond the shortest: probability 0.33
    assert 10 < met["save new save"] < 60  # two events beyond


def test_a_wanted_event_that_was_never_done() -> None:
    machine = learned(("home", "open", "list"))
    machine.sighted(state("list"), [click("delete"), event_of(kind=Kind.NETWORK, what="GET /")])
    assert machine.unexplored(state("list")) == ("delete",)
    routes = machine.routes(
        state("home"), lambda where, what: what in machine.unexplored(where), random.Random(1), longer=0
    )
    assert words(routes) == ["open delete"]
    assert routes[0][-1].after is None
    assert machine.routes(state("nowhere"), lambda where, what: True, random.Random(1)) == []
    assert machine.routes(state("list"), lambda where, what: what == "fly", random.Random(1)) == []


def test_many_routes_are_bounded() -> None:
    history = [(str(n), f"way {way}", str(n + 1)) for n in range(12) for way in range(12)]
    routes = learned(*history).routes(state("0"), lambda where, what: where == state("11"), random.Random(2), most=20)
    assert 20 <= len(routes) <= 40


def test_typed_text_is_not_part_of_an_edge() -> None:
    machine = Machine()
    for text in ("milk", "bread"):
        event = event_of(
            kind=Kind.USER,
            what=f'type "{text}" in textbox "Item"',
            detail={"action": "type", "locator": {"words": 'textbox "Item"'}},
        )
        machine.learn(state("A"), event, state("A"))
    assert machine.labels(state("A")) == ('type in textbox "Item"',)


def test_document(tmp_path: Path) -> None:
    machine = learned(("A", 'click "\ud83d"', "B"))
    machine.started(state("A"))
    machine.illustrate(state("B"), picture="b.png", skeleton="main > p")
    machine.illustrate(state("B"), picture="b2.png")
    read = Machine.from_json(machine.to_json())
    assert read.to_json() == machine.to_json()
    assert [(place.state.url, place.visits, place.starts) for place in read] == [
        ("http://x/B", 1, 0),
        ("http://x/A", 1, 1),
    ]
    assert next(iter(read)).picture == "b2.png"
    assert next(iter(read)).skeleton == "main > p"
    file = tmp_path / "model.json"
    machine.save(file)  # the pictures are not beside it
    assert Machine.load(file).to_json() == machine.to_json(pictures=False)
    assert json.loads(file.read_bytes())["jostle-model"] == 1
    with pytest.raises(CouldNotRun, match="cannot be written"):
        machine.save(tmp_path)


GOOD: dict[str, Any] = {
    "jostle-model": 1,
    "states": [{"digest": "A", "events": [{"event": "go", "led": {"A": 1}}]}],
}


@pytest.mark.parametrize(
    ("document", "message"),
    [
        (b"{", "not valid JSON"),
        (b"\xff", "not valid JSON"),
        (b"[]", "`jostle-model` is missing"),
        (GOOD | {"jostle-model": 2}, "newer jostle"),
        (GOOD | {"jostle-model": "x"}, "Expected `int`"),
        (GOOD | {"states": [{"url": "x"}]}, "missing required field `digest`"),
        (GOOD | {"states": GOOD["states"] * 2}, "same digest"),
        (GOOD | {"states": [{"digest": "A", "events": [{"event": "go", "led": {"Z": 1}}]}]}, "leads to Z"),
        (GOOD | {"states": [{"digest": "A", "events": [{"event": "go", "led": {"A": 0}}]}]}, ">= 1|> 0"),
        (GOOD | {"states": [{"digest": "A", "events": [{"event": "go"}, {"event": "go"}]}]}, "twice"),
        (GOOD | {"states": [{"digest": "A", "picture": "../../secret.png"}]}, "plain file name"),
    ],
)
def test_bad_documents(document: Any, message: str) -> None:
    text = document if isinstance(document, bytes) else json.dumps(document).encode()
    with pytest.raises(UsageProblem, match=message) as problem:
        Machine.from_json(text, "model.json")
    assert "model.json" in problem.value.message


def test_a_good_document_and_a_file_that_is_not_there(tmp_path: Path) -> None:
    assert Machine.from_json(json.dumps(GOOD).encode()).successors(state("A"), "go") == {state("A"): 1}
    with pytest.raises(UsageProblem, match="cannot be read"):
        Machine.load(tmp_path / "none.json")


def test_routes_only_by_events_that_are_allowed() -> None:
    home, list_, form = State(digest="home"), State(digest="list"), State(digest="form")
    machine = Machine()
    machine.started(home)
    for before, what, after in (
        (home, "visit http://a/form", form),
        (home, "click link List", list_),
        (list_, "click link New", form),
        (form, "click button Save", list_),
    ):
        machine.learn(before, event_of(kind=Kind.USER, what=what, detail={"action": what.split(" ")[0]}), after)

    def wanted(state: State, event: str) -> bool:
        return state == form and event.startswith("click button Save")

    chance = random.Random(1)
    assert [len(route) for route in machine.routes(home, wanted, chance, longer=0)] == [2]
    by_links = machine.routes(home, wanted, chance, longer=0, allows=lambda state, event: not event.startswith("visit"))
    assert [[hop.label for hop in route][:2] for route in by_links] == [["click link List", "click link New"]]
    assert machine.routes(home, wanted, chance, longer=0, allows=lambda state, event: False) == []


@settings(deadline=None)
@given(HISTORY, NAMES, LABELS)
def test_how_far_away_states_are(history: list[tuple[str, str, str]], start: str, barred: str) -> None:
    """Against following every walk, of at most as many events as there are states."""
    away = learned(*history).away_from(state(start), lambda _, name: name != barred)
    reached = {start: 0}
    for length in range(1, 5):
        for before, what, after in history:
            if what != barred and reached.get(before) == length - 1 and after not in reached:
                reached[after] = length
    assert away == {state(name): length for name, length in reached.items()}
