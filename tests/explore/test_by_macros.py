"""Exploring by macros."""

from __future__ import annotations

import asyncio
import random
from collections import Counter

from jostle.events import Effect, Event, Kind, State
from jostle.explore.at_random import AtRandom
from jostle.explore.by_macros import ByMacros
from jostle.explore.explorer import Exploration, explore
from jostle.explore.situation import Situation, Strategy, Visit
from jostle.model.machine import Machine
from jostle.model.macro import Macro, Transition
from jostle.model.relation import Relation
from jostle.model.usage import MicroEvent
from tests.explore.sites import Menu, Site, Wizard

HOVER = MicroEvent("hover", "a")
CLICK = MicroEvent("click", "a")
MENU = Macro(
    name="menu",
    states=3,
    final=(2,),
    transitions=(
        Transition(0, HOVER, Relation.NONE, 1),
        Transition(1, HOVER, Relation.FAMILY, 1),
        Transition(1, CLICK, Relation.FAMILY, 2),
    ),
)
FORM = Macro(
    name="form",
    states=2,
    final=(1,),
    transitions=(
        *(
            Transition(0, MicroEvent("type", f"input:{kind}"), Relation.NONE, 0)
            for kind in ("email", "text", "number", "date")
        ),
        Transition(0, MicroEvent("click", "button"), Relation.FAMILY, 1),
    ),
)


def run(site: Site, strategy: Strategy, seed: int, events: int = 300) -> Exploration:
    return asyncio.run(explore(site, strategy, events=events, chance=random.Random(seed)))


def event(action: str, xpath: str, element: str = "a") -> Event:
    return Event(
        kind=Kind.USER, what=f"{action} {xpath}", detail={"action": action, "element": element, "xpath": xpath}
    )


def situation(*events: Event, url: str = "http://x/") -> Situation:
    return Situation(state=State(digest=url, url=url), events=events, machine=Machine())


def do(strategy: ByMacros, *events: Event, url: str = "http://x/") -> Event | None:
    """What is chosen, and done."""
    chosen = strategy.choose(situation(*events, url=url))
    if chosen is not None:
        here = State(digest=url, url=url)
        strategy.observe(Visit(before=here, event=chosen, effect=Effect(), after=here))
    return chosen


HEADER = event("hover", "/html/body/nav/ul/li[1]")
ITEM = event("click", "/html/body/nav/ul/li[1]/ul/li[2]/a")
FAR = event("click", "/html/body/footer/p/a")


def test_a_macro_goes_on_until_it_is_completed() -> None:
    for seed in range(30):
        strategy = ByMacros([MENU], random.Random(seed), p_macro=1)
        assert do(strategy, HEADER, FAR) is HEADER
        assert do(strategy, FAR, ITEM) is ITEM  # far away is no continuation
        uses = strategy.uses["menu"]
        assert (uses.started, uses.events, uses.completed, uses.success) == (1, 2, 1, 1.0)
        assert do(strategy, HEADER) is HEADER
        assert strategy.uses["menu"].started == 2


def test_a_macro_is_dropped_when_the_page_changed_or_nothing_fits() -> None:
    other = event("click", "/html/body/p/b")
    for seed in range(10):
        strategy = ByMacros([MENU], random.Random(seed), p_macro=1)
        do(strategy, HEADER)
        assert do(strategy, ITEM, FAR, url="http://x/other") in (ITEM, FAR)
        assert do(strategy, HEADER) is HEADER
        assert do(strategy, other) is other
        uses = strategy.uses["menu"]
        assert (uses.started, uses.events, uses.completed) == (2, 2, 0)


def test_what_was_not_done_does_not_count() -> None:
    strategy = ByMacros([MENU], random.Random(1), p_macro=1)
    assert strategy.choose(situation(HEADER, FAR)) is HEADER
    assert strategy.choose(situation(FAR)) is FAR  # it was not possible after all
    here = State(digest="x", url="http://x/")
    strategy.observe(Visit(before=here, event=FAR, effect=Effect(), after=here))
    assert strategy.uses["menu"].started == 0


def test_half_of_the_beginnings_are_macros() -> None:
    others = [event("click", f"/html/body/p[{n}]/b") for n in range(99)]
    begun = sum(
        ByMacros([MENU], random.Random(seed)).choose(situation(HEADER, *others)) is HEADER for seed in range(400)
    )
    assert 170 < begun < 240


def test_every_macro_has_the_same_chance() -> None:
    buttons = [event("click", f"/html/body/p[{n}]/button", "button") for n in range(50)]
    begin = Macro(
        name="b", states=2, final=(1,), transitions=(Transition(0, MicroEvent("click", "button"), Relation.NONE, 1),)
    )
    met = sum(
        ByMacros([MENU, begin], random.Random(seed), p_macro=1).choose(situation(HEADER, *buttons)) is HEADER
        for seed in range(400)
    )
    assert 160 < met < 240


def test_nothing_to_do() -> None:
    assert ByMacros([], random.Random(1)).choose(situation()) is None
    assert ByMacros([], random.Random(1)).choose(situation(FAR)) is FAR


def test_more_pages_than_at_random_in_a_deep_menu() -> None:
    """Only choosing at the end of the menu leads to another page."""
    pages: dict[str, int] = {"random": 0, "macro": 0}
    completed = 0
    for seed in range(5):
        menu = Menu()
        run(menu, AtRandom(random.Random(seed)), seed)
        pages["random"] += len({screen.split()[0] for screen in menu.seen})
        menu = Menu()
        strategy = ByMacros([MENU], random.Random(seed))
        run(menu, strategy, seed)
        pages["macro"] += len({screen.split()[0] for screen in menu.seen})
        completed += strategy.uses["menu"].completed
    assert completed > 50
    assert pages["macro"] > 1.3 * pages["random"]


def test_forms_are_filled_with_values_that_make_sense() -> None:
    reached = {"random": 0, "macro": 0}
    for seed in range(4):
        for name, strategy in (
            ("random", AtRandom(random.Random(seed))),
            ("macro", ByMacros([FORM], random.Random(seed), p_macro=0.9)),
        ):
            wizard = Wizard()
            run(wizard, strategy, seed, events=500)
            reached[name] += sum(screen.startswith("/step") for screen in wizard.seen)
    assert reached["macro"] > reached["random"]


def test_goes_on_within_the_same_form() -> None:
    """Of two forms, in one part of the page, the one that was begun is filled and sent."""
    fields = [event("type", f"/html/body/main/form[{n}]/p[{k}]/input", "input:text") for n in (1, 2) for k in (1, 2)]
    buttons = [event("click", f"/html/body/main/form[{n}]/div/div/button", "button") for n in (1, 2)]
    typing, pressing = MicroEvent("type", "input:text"), MicroEvent("click", "button")
    macro = Macro(
        name="two fields",
        states=4,
        final=(3,),
        transitions=(
            Transition(0, typing, Relation.NONE, 1),
            Transition(1, typing, Relation.FAMILY, 2),
            Transition(2, pressing, Relation.FAMILY, 3),
        ),
    )
    for seed in range(20):
        strategy = ByMacros([macro], random.Random(seed), p_macro=1)
        first, second, third = (do(strategy, *buttons, *fields) for _ in range(3))
        assert first is not None and second is not None and third is not None
        form = 1 if "form[1]" in first.what else 2
        assert {first.what, second.what} == {each.what for each in fields if f"form[{form}]" in each.what}
        assert third is buttons[form - 1]


def test_types_what_people_typed_where_the_field_takes_it() -> None:
    field = {"type": "number", "name": "id", "label": "Number", "min": "1", "max": "50"}
    number = Event(
        kind=Kind.USER,
        what="type in Number",
        detail={"action": "type", "element": "input:number", "xpath": "/html/body/input", "field": field},
    )
    macro = Macro(
        name="m",
        states=2,
        final=(1,),
        transitions=(Transition(0, MicroEvent("type", "input:number"), Relation.NONE, 1),),
        typed={"input:number id": ("37", "500")},
    )
    typed = Counter(
        str(chosen.detail["value"])
        for seed in range(200)
        if (chosen := ByMacros([macro], random.Random(seed), p_macro=1).choose(situation(number)))
    )
    assert 70 < typed["37"] < 130
    assert typed["500"] == 0
    assert len(typed) > 5


def test_what_was_begun_here_less_often_comes_first() -> None:
    buttons = [event("click", f"/html/body/p[{n}]/button", "button") for n in range(3)]
    press, link = (
        Macro(name=name, states=2, final=(1,), transitions=(Transition(0, begin, Relation.NONE, 1),))
        for name, begin in (("press", MicroEvent("click", "button")), ("link", CLICK))
    )
    for seed in range(10):
        strategy = ByMacros([press, link], random.Random(seed), p_macro=1)
        chosen = [do(strategy, *buttons, FAR) for _ in range(6)]
        assert chosen.count(FAR) == 3
        assert all(chosen.count(button) == 1 for button in buttons)
        assert do(strategy, FAR, url="http://x/elsewhere") is FAR
