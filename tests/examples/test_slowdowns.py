"""What is said about the slow pages is so: the cost of an event rises in a real browser, and on the twin it stays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import msgspec
import pytest

from jostle.browser.chromium_app import ChromiumApp
from jostle.browser.settings import Profiling, TabSettings
from jostle.events import Effect, Event, Settled
from jostle.examples import CATALOGUE, example
from tests.browser.live import Browser, browser_launched

pytestmark = pytest.mark.long

ROUNDS = 8
NOISE = 2
"""Blocks of our own questions to the page may be counted."""


class Case(msgspec.Struct, frozen=True):
    """A page on which the same few things are done again and again."""

    name: str
    round: tuple[str, ...]
    """How the descriptors begin of what is done; ` := text` says what is typed."""
    effect: str
    """Which of these costs more from round to round."""
    growth: int
    """1 linear, 2 quadratic."""

    def __str__(self) -> str:
        return f"{self.name}: {self.effect}"


MENU = (
    'click link "Menu"', 'click button "Save menu"', 'click link "Menu items"', 'click link "New item"',
    "type := River", 'click button "Save & close"',
)  # fmt: skip
TODO = ('click button "Add task"', 'check radio "High"', "type := Tea", 'click button "Save task"')
SLOW = (
    Case("slow-menu", MENU, 'click button "Save menu"', 2),
    Case(
        "slow-categories",
        ('click button "New category"', "type := Garden", 'click button "Save"'),
        'click button "Save"',
        1,
    ),
    Case(
        "slow-articles",
        ('click link "Add article"', "type := Summer", 'click button "Save and publish"', 'click link "Content"'),
        'click link "Content"',
        1,
    ),
    Case("slow-articles-crash", ("type := Paper", 'click button "Save and'), 'click button "Save and', 1),
    Case("slow-todo", TODO, 'check radio "High"', 1),
    Case("slow-todo", TODO, "type := Tea", 1),
    Case("slow-todo", TODO, 'click button "Save task"', 2),
    Case("slow-sort", ("type := Zoe", 'click button "Add guest"'), 'click button "Add guest"', 2),
)
FLAT = (
    Case("virtual-list", ("type := Rain", 'click button "Add entry"'), 'click button "Add entry"', 0),
    Case("virtual-list", ('click button "Last"', 'click button "First"'), 'click button "First"', 0),
    Case("slow-server", ('click button "Older"',), 'click button "Older"', 0),
    Case("clock-work", ('click button "Start"', 'click button "Lap"', 'click button "Stop"'), 'click button "Lap"', 0),
    Case("innocent-input", ("type := abc", 'click button "Count"'), 'click button "Count"', 0),
)
TWINS = [
    msgspec.structs.replace(case, name=entry.name, growth=0)
    for case in SLOW
    for entry in CATALOGUE
    if entry.twin_of == case.name
]


UNSTEADY = {
    "slow-sort-fixed",  # one more halving when the list has doubled
    "clock-work",  # one more tick of a timer, or not
}


@pytest.fixture(scope="module")
def launched() -> Iterator[Browser]:
    with browser_launched() as browser:
        yield browser


@pytest.fixture
def browser(launched: Browser) -> Iterator[Browser]:
    yield launched
    launched.close_apps()


async def repeat(app: ChromiumApp, case: Case, rounds: int) -> list[Effect]:
    """The effects of the case's effect, one of each round."""
    settled = Settled(app)
    await settled.reset()
    effects = []
    for _ in range(rounds):
        for what in case.round:
            done = await settled.step(wanted(what, await settled.enabled()))
            effects += [done] if what == case.effect else []
    return effects


def wanted(what: str, offered: Sequence[Event]) -> Event:
    beginning, _, value = what.partition(" := ")
    for event in offered:
        if event.what.startswith(beginning):
            return event.with_detail(value=value) if value else event
    raise AssertionError(f"no {what} among {[event.what for event in offered]}")


def measured(browser: Browser, url: str, case: Case, rounds: int = ROUNDS) -> list[int]:
    app = browser.made(url + example(case.name).path, settings=TabSettings(profiling=Profiling.COST))
    costs = [effect.cost for effect in browser.run(repeat(app, case, rounds))]
    return [cost for cost in costs if cost is not None]


def rises(costs: list[int]) -> list[int]:
    return [after - before for before, after in pairwise(costs)]


@pytest.mark.parametrize("case", SLOW, ids=str)
def test_the_cost_rises(browser: Browser, url: str, case: Case) -> None:
    costs = measured(browser, url, case)
    assert len(costs) == ROUNDS
    steps = rises(costs)
    assert min(steps) > NOISE, costs
    early, late = sum(steps[:3]), sum(steps[-3:])
    if case.growth == 1:
        assert abs(late - early) <= 2 * NOISE, costs
    else:
        assert late >= 1.2 * early, costs


@pytest.mark.parametrize("case", [*TWINS, *FLAT], ids=str)
def test_the_cost_stays(browser: Browser, url: str, case: Case) -> None:
    costs = measured(browser, url, case)[1:]  # the first time, things are made that are kept
    assert len(costs) == ROUNDS - 1
    assert max(costs) - min(costs) <= (7 if case.name in UNSTEADY else NOISE), costs


def test_the_cost_of_the_list_of_articles_levels_off(browser: Browser, url: str) -> None:
    case = next(case for case in SLOW if case.name == "slow-articles")
    costs = measured(browser, url, case, 18)
    assert max(costs[12:]) - min(costs[12:]) <= NOISE, costs
    assert min(rises(costs[:12])) > NOISE, costs


def test_a_longer_text_costs_more_and_the_next_short_one_does_not(browser: Browser, url: str) -> None:
    count = 'click button "Count"'
    case = Case("innocent-input", ("type := abc", count, "type := abc abc abc", count), count, 0)
    costs = measured(browser, url, case, 4)
    short, long = costs[2::2], costs[3::2]
    assert max(short) - min(short) <= NOISE and max(long) - min(long) <= NOISE, costs
    assert min(long) > max(short) + NOISE, costs


def test_saving_articles_fails_in_the_end(browser: Browser, url: str) -> None:
    case = next(case for case in SLOW if case.name == "slow-articles-crash")
    app = browser.made(url + example(case.name).path, settings=TabSettings(profiling=Profiling.COST))
    effects = browser.run(repeat(app, case, 16))
    statuses = [answer.status for effect in effects for answer in effect.answers]
    failed = statuses.index(500)
    assert ROUNDS < failed < 16
    assert set(statuses[:failed]) == {200} and set(statuses[failed:]) == {500}
    before, after = effects[failed - 1].cost, effects[failed].cost
    assert before is not None and after is not None and after < before
