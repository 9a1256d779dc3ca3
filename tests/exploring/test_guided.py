"""Guided exploration: what it prefers, and that it gets further than the others."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Callable

import pytest

from jostle.events import Event, Kind, ModelApp, Settled, State, View, World, event_of
from jostle.exploring.at_random import AtRandom
from jostle.exploring.by_macros import ByMacros
from jostle.exploring.explorer import explore
from jostle.exploring.family import family, shape
from jostle.exploring.forms import accepts
from jostle.exploring.guided import Guided
from jostle.exploring.situation import Strategy
from jostle.model.exploration import Exploration
from tests.exploring.sites import HOST, BigList, Calendar, Control, Feed, Menu, Sections, Site, Wizard
from tests.exploring.test_by_macros import FORM, MENU

SEEDS = range(5)


def run(site: Site, seed: int, events: int = 300, make: Callable[[random.Random], Strategy] = Guided) -> Exploration:
    chance = random.Random(seed)
    return asyncio.run(explore(site, make(chance), events=events, chance=chance))


def by_macros(chance: random.Random) -> ByMacros:
    return ByMacros([MENU, FORM], chance)


def everywhere(screen: str) -> bool:
    return True


def outside_the_calendar(screen: str) -> bool:
    return not screen.startswith("/month")


@pytest.mark.parametrize(
    ("make", "events", "margins"),
    [
        (Wizard, 300, {everywhere: 1.2}),
        (Menu, 300, {everywhere: 0.9}),  # nearly one with every event, for those with the right macro too
        (BigList, 100, {everywhere: 3.0}),
        (Calendar, 300, {everywhere: 1.5, outside_the_calendar: 1.2}),
        (Feed, 100, {everywhere: 1.3}),
    ],
)
@pytest.mark.sampled(3)
def test_reaches_more_states_than_the_others(
    make: Callable[[], Site], events: int, margins: dict[Callable[[str], bool], float]
) -> None:
    strategies: dict[str, Callable[[random.Random], Strategy]] = {
        "guided": Guided,
        "random": AtRandom,
        "macro": by_macros,
    }
    seen: dict[str, list[str]] = {name: [] for name in strategies}
    for name, strategy in strategies.items():
        for seed in SEEDS:
            site = make()
            run(site, seed, events, strategy)
            seen[name] += site.seen
    for counted, margin in margins.items():
        reached = {name: sum(map(counted, screens)) for name, screens in seen.items()}
        assert reached["guided"] > margin * max(reached["random"], reached["macro"]), reached


def test_on_an_application_without_any_details() -> None:
    """A row of wheels behind each of some doors: what is possible depends on what was done before."""

    def turn(door: int, wheel: int) -> Callable[[World], None]:
        def handler(world: World) -> None:
            world["at"] = (door, wheel)

        return handler

    def reachable(door: int, wheel: int) -> Callable[[View], bool]:
        return lambda view: view["at"] in ((door, wheel - 1), (door, wheel)) or (wheel == 0 and view["at"] == (-1, 0))

    names = {f"turn wheel {wheel} of door {door}": (door, wheel) for door in range(6) for wheel in range(6)}
    handlers: dict[str, Callable[[World], object]] = {name: turn(*at) for name, at in names.items()}
    handlers["go away"] = turn(-1, 0)
    guards = {name: reachable(*at) for name, at in names.items()}
    states: Counter[str] = Counter()
    strategies: dict[str, Callable[[random.Random], Strategy]] = {"guided": Guided, "random": AtRandom}
    for name, make in strategies.items():
        for seed in SEEDS:
            app = Settled(ModelApp({"at": (-1, 0)}, handlers, actions=list(handlers), guards=guards))
            chance = random.Random(seed)
            states[name] += len(asyncio.run(explore(app, make(chance), events=120, chance=chance)).machine)
    assert states["guided"] > 1.5 * states["random"], states


def test_stops_when_nothing_new_turns_up() -> None:
    class Small(Sections):
        sections = ("One", "Two")

    chance = random.Random(1)
    done = asyncio.run(explore(Small(), Guided(chance, patience=100), events=1000, chance=chance))
    assert done.ended == "nothing new turned up in the last 100 events"
    assert len(done.machine) == 11
    assert done.done < 160
    assert sum(len(done.machine.unexplored(state)) for state in done.machine.states) <= 2


def test_a_calendar_without_end_is_nothing_new_for_ever() -> None:
    chance = random.Random(1)
    site = Calendar()
    done = asyncio.run(explore(site, Guided(chance, patience=150), events=3000, chance=chance))
    assert done.ended == "nothing new turned up in the last 150 events"
    assert sum(map(outside_the_calendar, site.seen)) == 37


def test_forms_are_filled_before_they_are_sent() -> None:
    right = wrong = tries = 0
    for seed in SEEDS:
        site = Wizard()
        done = run(site, seed, 300)
        assert "/thanks" in site.seen
        for visit in done.visits:
            field = visit.event.action.field
            if field:
                fits = accepts(field, visit.event.action.value or "")
                right, wrong = right + fits, wrong + (not fits)
            tries += visit.event.what.startswith('click button "Next"')
    assert 0 < wrong < 0.15 * right
    assert right > 2 * tries


def test_what_brings_new_code_is_done_more_often() -> None:
    """Every press of one button runs code that never ran; the state does not show it."""

    class Machine(Site):
        def controls(self) -> list[Control]:
            return [
                Control(f'click button "{n}"', f"div[{n}]/main/p/button", lambda value: None, element="b")
                for n in range(10)
            ]

    pressed: Counter[str] = Counter()

    async def go() -> None:
        chance = random.Random(3)
        last: list[str] = []

        async def new_blocks() -> int:
            return int(last[-1] == 'click button "7"')

        class Watching(Machine):
            async def step(self, event: Event):  # type: ignore[no-untyped-def]
                last.append(event.what)
                pressed[event.what] += 1
                return await super().step(event)

        await explore(Watching(), Guided(chance), events=100, chance=chance, new_blocks=new_blocks)

    asyncio.run(go())
    assert len(pressed) >= 8
    assert pressed['click button "7"'] > 40


def test_another_page_is_better_than_nothing() -> None:
    """Items that look alike, each with an address of its own, among as many buttons that do nothing."""

    class Shop(Site):
        def __init__(self) -> None:
            self.addresses: set[str] = set()
            super().__init__()

        def controls(self) -> list[Control]:
            self.addresses.add(self.path)
            return [
                control
                for n in range(40)
                for control in (
                    self.link(f"Item {n}", f"main/ul/li[{n}]/a", f"/item/{n}"),
                    Control(f'click button "{n}"', f"main/ol/li[{n}]/button", lambda value: None, element="button"),
                )
            ]

        def screen(self) -> str:
            return "list"

    followed = 0
    for seed in SEEDS:
        shop = Shop()
        run(shop, seed, 50)
        followed += len(shop.addresses)
    assert followed > 0.7 * 41 * len(SEEDS), followed


def test_gives_up_on_routes_that_fail() -> None:
    """The way to the cellar is open only once; the rest must be found all the same."""

    class House(Sections):
        sections = tuple("abcdefgh")

        def begin(self) -> None:
            super().begin()
            self.opened = 0

        def controls(self) -> list[Control]:
            controls = super().controls()
            if self.path == "/cellar":
                controls += [self.link(f"Barrel {n}", f"main/section/b[{n}]/a", f"/barrel{n}") for n in range(50)]
            if self.path == "/":
                controls.append(Control('click button "Cellar"', "main/button", self.enter, element="button"))
            return controls

        def enter(self, value: str) -> None:
            self.opened += 1
            self.path = "/cellar" if self.opened == 1 else "/"

        async def state(self) -> State:
            self.seen.add(self.path)
            return State(digest=self.path)  # without an address there is no page to go back to

    for seed in SEEDS:
        site = House()
        run(site, seed, 400)
        assert len([path for path in site.seen if path.count("/") == 2]) == 32, site.seen


def test_a_menu_that_is_opened_everywhere_is_not_dull_because_it_closes_again() -> None:
    """On every page the menu can be opened, and the same header closes it: one new state a page, if that is done."""

    class Pages(Sections):
        sections = tuple(f"Page {n}" for n in range(12))

        def begin(self) -> None:
            super().begin()
            self.open_on = ""

        def screen(self) -> str:
            return f"{self.path} {self.open_on == self.path}"

        def controls(self) -> list[Control]:
            def toggle(value: str) -> None:
                self.open_on = "" if self.open_on == self.path else self.path

            return [*super().controls(), Control('click summary "Menu"', "nav/details/summary", toggle)]

    opened = clicks = 0
    for seed in SEEDS:
        site = Pages()
        visits = run(site, seed, 200).visits
        opened += sum("True" in screen for screen in site.seen)
        clicks += sum("Menu" in visit.event.what for visit in visits)
    assert clicks < 1.3 * opened, (clicks, opened)


def test_family() -> None:
    def click(xpath: str, what: str = "click x") -> Event:
        return event_of(kind=Kind.USER, what=what, detail={"action": "click", "xpath": xpath})

    assert family(click("/html/body/ul/li[3]/a")) == family(click("/html/body/ul/li[17]/a"))
    assert family(click("/html/body/ul/li[3]/a")) != family(click("/html/body/ol/li[3]/a"))
    enters = [
        event_of(
            kind=Kind.USER, what=f"press Enter in {n}", detail={"action": "press", "xpath": f"{form}/{n}", "form": form}
        )
        for form, n in (
            ("/html/body/form[1]", "input"),
            ("/html/body/form[1]", "p/input"),
            ("/html/body/div/form", "input"),
        )
    ]
    assert family(enters[0]) == family(enters[1]) != family(enters[2])
    assert family(event_of(kind=Kind.USER, what="click day 3")) == family(event_of(kind=Kind.USER, what="click day 31"))
    assert family(event_of(kind=Kind.USER, what="click day 3")) != family(event_of(kind=Kind.USER, what="click week 3"))


def test_shape() -> None:
    assert shape(f"{HOST}/item/3?page=2&q=a") == shape(f"{HOST}/item/44?q=b&page=9") != shape(f"{HOST}/item/3?q=a")
    assert shape(f"{HOST}/x/3fa85f64-5717-4562-b3fc-2c963f66afa6") == shape(f"{HOST}/x/7")
    assert shape(f"{HOST}/about") != shape(f"{HOST}/contact")
