"""Exploring by macros."""

from __future__ import annotations

import asyncio
import random
from collections import Counter

import msgspec

from jostle.events import Effect, Event, Kind, State, event_of
from jostle.exploring.at_random import AtRandom
from jostle.exploring.by_macros import ByMacros
from jostle.exploring.explorer import explore
from jostle.exploring.situation import Situation, Strategy
from jostle.model.exploration import Exploration
from jostle.model.machine import Machine
from jostle.model.macro import Macro, Transition
from jostle.model.relation import Relation
from jostle.model.usage import MicroEvent
from jostle.model.visit import Visit
from tests.exploring.sites import Menu, Site, Wizard

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
    return event_of(
        kind=Kind.USER, what=f"{action} {xpath}", detail={"action": action, "element": element, "xpath": xpath}
    )


def situation(*events: Event, url: str = "http://x/") -> Situation:
    return Situation(state=State(digest=url, url=url), events=events, machine=Machine())


def do(strategy: ByMacros, *events: Event, url: str = "http://x/") -> Event | None:
    """What is chosen, and done; it always brings a new state."""
    chosen = strategy.choose(situation(*events, url=url))
    if chosen is not None:
        here = State(digest=url, url=url)
        strategy.observe(Visit(before=here, event=chosen, effect=Effect(), after=here, new_state=True))
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
    number = event_of(
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
        str(chosen.action.value)
        for seed in range(200)
        if (chosen := ByMacros([macro], random.Random(seed), p_macro=1).choose(situation(number)))
    )
    assert 70 < typed["37"] < 130
    assert typed["500"] == 0
    assert len(typed) > 5


def test_what_brought_nothing_here_is_begun_less_often() -> None:
    """One macro brings nothing, the other a new state each time; elsewhere the first has another chance."""
    buttons = [event("click", f"/html/body/p[{n}]/button", "button") for n in range(3)]
    press, link = macros_for(("press", "button"), ("link", "a"))
    counts: Counter[str] = Counter()
    for seed in range(10):
        strategy = ByMacros([press, link], random.Random(seed), p_macro=1)
        for _ in range(40):
            chosen = strategy.choose(situation(*buttons, FAR))
            assert chosen is not None
            observed(strategy, chosen, new_state=chosen is FAR)
        counts["press"] += strategy.uses["press"].started
        counts["link"] += strategy.uses["link"].started
    assert counts["press"] < 0.3 * counts["link"], counts
    assert counts["press"] > 10


def test_macros_that_bring_less_than_chance_are_left_to_chance() -> None:
    """They were begun in half of the cases at first."""
    (press,) = macros_for(("press", "button"))
    button = event("click", "/html/body/p/button", "button")
    begun: Counter[str] = Counter()
    for seed in range(20):
        strategy = ByMacros([press], random.Random(seed))
        for n in range(100):
            before = strategy.uses["press"].started
            chosen = strategy.choose(situation(button, *[event("click", f"/html/body/p[{k}]/b") for k in range(20)]))
            assert chosen is not None
            observed(strategy, chosen, new_state=chosen is not button)
            begun["early" if n < 20 else "late" if n >= 80 else ""] += strategy.uses["press"].started - before
    assert begun["early"] > 20
    assert begun["late"] < 0.3 * begun["early"], begun


def test_what_left_nothing_to_do_is_not_done_again() -> None:
    """Typing anything and pressing the button beside it empties the page, but for that field and that button."""
    box, explore_ = (
        event("type", "/html/body/header/input", "input:text"),
        event("click", "/html/body/header/button", "button"),
    )
    rest = [event("click", f"/html/body/main/section[{n}]/h3/b") for n in range(30)]
    macro = Macro(
        name="form",
        states=3,
        final=(2,),
        transitions=(
            Transition(0, MicroEvent("type", "input:text"), Relation.NONE, 1),
            Transition(1, MicroEvent("click", "button"), Relation.FAMILY, 2),
        ),
    )
    for seed in range(10):
        strategy = ByMacros([macro], random.Random(seed), p_macro=1)
        emptied = 0
        for _ in range(60):
            offered = (box, explore_, *rest)
            chosen = strategy.choose(situation(*offered))
            assert chosen is not None
            by_macro = strategy._intended is not None
            observed(strategy, chosen)
            if chosen is explore_:
                emptied += by_macro
                back = strategy.choose(situation(box, explore_, url="http://x/"))
                assert back is not None
                observed(strategy, back)
        assert emptied <= 1


def test_a_menu_that_covers_the_page_is_no_dead_end() -> None:
    """It leaves little to do, and is not new any more, but the macro goes on and gets out of it."""
    rest = [event("click", f"/html/body/main/p[{n}]/b") for n in range(30)]
    for seed in range(10):
        strategy = ByMacros([MENU], random.Random(seed), p_macro=1, back=0)
        for _ in range(20):
            while strategy.choose(situation(HEADER, *rest)) is not HEADER:
                observed(strategy, rest[0])
            observed(strategy, HEADER)
            if strategy._active is not None:
                assert strategy.choose(situation(ITEM, FAR)) is ITEM
                observed(strategy, ITEM, new_state=True)
        assert strategy.uses["menu"].completed == strategy.uses["menu"].started > 10


def test_a_smaller_page_is_no_dead_end() -> None:
    """Sending a form of many fields leads to a short list, again and again; on the page itself it would be one."""
    page = event_of(kind=Kind.USER, what="visit http://x/", detail={"action": "visit", "href": "http://x/"})
    (press,) = macros_for(("press", "button"))
    button = event("click", "/html/body/form/button", "button")
    fields = [event("type", f"/html/body/form/p[{n}]/input", "input:text") for n in range(40)]
    listed = [event("click", f"/html/body/ul/li[{n}]/a") for n in range(5)]
    form, sent = State(digest="form", url="http://x/form"), State(digest="sent", url="http://x/list")
    for after, stuck in ((sent, False), (msgspec.structs.replace(sent, url="http://x/form#sent"), True)):
        gone: Counter[bool] = Counter()
        for seed in range(30):
            strategy = ByMacros([press], random.Random(seed), p_macro=1, back=0)
            for _ in range(3):
                strategy.choose(situation(button, *fields, url=form.url))
                strategy.observe(Visit(before=form, event=button, effect=Effect(), after=after))
                here = msgspec.structs.replace(situation(*listed, url=after.url), pages=(page,))
                chosen = strategy.choose(here)
                assert chosen is not None
                gone[chosen is page] += 1
                strategy.observe(Visit(before=after, event=chosen, effect=Effect(), after=form))
            assert bool(strategy._narrowing) is stuck
        assert (gone[True] > 8) if stuck else not gone[True]


def test_goes_back_from_where_a_macro_got_stuck() -> None:
    """Once there is nothing new in it, and until there is something to do again."""
    page = event_of(kind=Kind.USER, what="visit http://x/", detail={"action": "visit", "href": "http://x/"})
    rest = [event("click", f"/html/body/main/section[{n}]/h3/b") for n in range(30)]
    (press,) = macros_for(("press", "button"))
    button = event("click", "/html/body/header/button", "button")
    left: Counter[str] = Counter()
    for seed in range(300):
        strategy = ByMacros([press], random.Random(seed), p_macro=1, back=0)
        assert strategy.choose(situation(button, *rest)) is button
        observed(strategy, button, new_state=True)
        for name, offered in (("new", rest[:2]), ("stuck", rest[:2]), ("out", rest)):
            here = situation(*offered)
            chosen = strategy.choose(msgspec.structs.replace(here, pages=(page,)))
            left[name] += chosen is page
            observed(strategy, rest[0])
    assert left["new"] == left["out"] == 0
    assert 120 < left["stuck"] < 180


def test_a_macro_begins_where_people_began_it() -> None:
    (press,) = macros_for(("press", "button"))
    press = msgspec.structs.replace(press, seen=("click /html/body/main/ul/li/button",))
    known = [event("click", f"/html/body/main/ul/li[{n}]/button", "button") for n in range(2)]
    strange = [event("click", f"/html/body/header/p[{n}]/button", "button") for n in range(2)]
    met = Counter(
        chosen in known
        for seed in range(400)
        if (chosen := ByMacros([press], random.Random(seed), p_macro=1).choose(situation(*strange, *known)))
    )
    assert met[True] > 5 * met[False] > 0
    # Where there is nothing else it is tried, and when it is worth it, used.
    strategy = ByMacros([press], random.Random(1), p_macro=1)
    for _ in range(50):
        chosen = strategy.choose(situation(*strange))
        assert chosen is not None
        observed(strategy, chosen, new_state=True)
    assert strategy.uses["press"].started > 30


def test_goes_on_with_what_was_done_least_often() -> None:
    items = [event("click", f"/html/body/nav/ul/li[1]/ul/li[{n}]/a") for n in range(1, 6)]
    for seed in range(10):
        strategy = ByMacros([MENU], random.Random(seed), p_macro=1)
        clicked = []
        for _ in range(5):
            assert strategy.choose(situation(HEADER)) is HEADER
            observed(strategy, HEADER, new_state=True)
            item = strategy.choose(situation(*items))
            assert item is not None
            observed(strategy, item, new_state=True)
            clicked.append(item)
        assert set(clicked) == set(items)


def test_goes_on_with_what_leads_elsewhere() -> None:
    """Other words for the same address, and another number at the same place, are nothing new."""
    link = event("click", "/html/body/nav/ul/li[1]/ul/li[1]/a")
    here = link.with_detail(href="http://x/")
    likes = [msgspec.structs.replace(ITEM, what=f"click Like {n}") for n in range(2)]
    for seed in range(10):
        strategy = ByMacros([MENU], random.Random(seed), p_macro=1)
        for offered, expected in (((here, likes[0]), likes[0]), ((likes[1], link), link)):
            assert strategy.choose(situation(HEADER)) is HEADER
            observed(strategy, HEADER, new_state=True)
            assert strategy.choose(situation(*offered)) is expected
            observed(strategy, expected, new_state=True)


def test_types_what_was_typed_least_often() -> None:
    field = {"type": "text", "name": "q"}
    box = event_of(
        kind=Kind.USER,
        what="type in Search",
        detail={"action": "type", "element": "input:text", "xpath": "/html/body/input", "field": field},
    )
    words = tuple(f"word {n}" for n in range(6))
    macro = Macro(
        name="m",
        states=2,
        final=(1,),
        transitions=(Transition(0, MicroEvent("type", "input:text"), Relation.NONE, 1),),
        typed={"input:text q": words},
    )
    for seed in range(10):
        strategy = ByMacros([macro], random.Random(seed), p_macro=1)
        typed: Counter[str] = Counter()
        while sum(typed.values()) < 12:
            chosen = strategy.choose(situation(box))
            assert chosen is not None
            observed(strategy, chosen, new_state=True)
            if chosen.action.value in words:
                typed[chosen.action.value] += 1
        assert all(typed[word] == 2 for word in words)


def macros_for(*begins: tuple[str, str]) -> list[Macro]:
    """Macros of one click."""
    return [
        Macro(
            name=name,
            states=2,
            final=(1,),
            transitions=(Transition(0, MicroEvent("click", element), Relation.NONE, 1),),
        )
        for name, element in begins
    ]


def observed(strategy: ByMacros, chosen: Event, *, new_state: bool = False) -> None:
    here = State(digest="http://x/", url="http://x/")
    strategy.observe(Visit(before=here, event=chosen, effect=Effect(), after=here, new_state=new_state))
