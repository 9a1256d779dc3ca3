from __future__ import annotations

from jostle.events import Event, Kind, event_of
from jostle.model.inference import infer
from jostle.model.macro import Macro, Transition, continuations, starts
from jostle.model.relation import Relation
from jostle.model.usage import MicroEvent, UsageEntry, xpath_of
from tests.model.usages import menu, user_event

HOVER, CLICK = MicroEvent("hover", "a"), MicroEvent("click", "a")


def macro(required: Relation) -> Macro:
    first, second = Transition(0, HOVER, Relation.NONE, 1), Transition(1, CLICK, required, 2)
    return Macro(name="menu", states=3, final=(2,), transitions=(first, second))


def event(kind: MicroEvent, xpath: str) -> Event:
    return user_event(UsageEntry(kind, xpath))


def test_a_macro_starts_wherever_its_first_event_is_possible() -> None:
    one, two = macro(Relation.SAME), macro(Relation.NONE)
    hover, other = event(HOVER, "/html/body/a"), event(HOVER, "/html/body/p/a")
    possible = [hover, event(CLICK, "/html/body/a"), event_of(kind=Kind.USER, what="wait"), other]
    assert starts([one, two], possible) == [
        (each, each.transitions[0], found) for each in (one, two) for found in (hover, other)
    ]
    assert starts([], possible) == []


def test_a_macro_goes_on_with_a_relation_at_least_as_strict() -> None:
    last = "/html/body/div/ul/li[2]"
    possible = {
        "same": event(CLICK, last),
        "ancestor": event(CLICK, "/html/body/div/ul"),
        "descendant": event(CLICK, f"{last}/a"),
        "family": event(CLICK, "/html/body/div/ul/li[9]"),
        "none": event(CLICK, "/html/body/form/a"),
        "another event": event(HOVER, last),
    }
    taken = {
        required: [
            next(name for name in possible if possible[name] is found)
            for _, found in continuations(macro(required), 1, last, possible.values())
        ]
        for required in Relation
    }
    assert taken == {
        "same": ["same"],
        "ancestor": ["same", "ancestor"],
        "descendant": ["same", "descendant"],
        "family": ["same", "ancestor", "descendant", "family"],
        "none": ["same", "ancestor", "descendant", "family", "none"],
    }


def test_a_final_state_goes_nowhere() -> None:
    made = macro(Relation.NONE)
    assert made.is_final(2)
    assert continuations(made, 2, "/html", [event(CLICK, "/html/body")]) == []


def test_a_menu_that_was_never_recorded() -> None:
    """Its states are walked as an explorer does, one event at a time."""
    macros, _ = infer([menu(0), menu(1), menu(0)], support=1)
    done = menu(4, menu=9)
    noise = event(MicroEvent("mouseover", "li"), "/html/body/footer/ul/li")
    (found, transition, first) = next(each for each in starts(macros, [noise, user_event(done[0])]) if each[2] != noise)
    places, last = {transition.target}, xpath_of(first)
    for entry in done[1:]:
        possible = [noise, user_event(entry)]
        following = [each for state in places for each in continuations(found, state, last, possible)]
        assert {chosen for _, chosen in following} == {possible[1]}
        places, last = {each.target for each, _ in following}, entry.xpath
    assert any(found.is_final(state) for state in places)
