"""A server that gets slower instead of the page is told; one that is only moody is not."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable

import msgspec
import pytest

from jostle.browser.settings import Control, Profiling, TabSettings
from jostle.events import Answered, App, Effect, Event, World
from jostle.exploring.application import Explored
from jostle.exploring.at_random import AtRandom
from jostle.exploring.explorer import explore
from jostle.findings.evidence import ServerSlower
from jostle.model.abstraction import by_name
from jostle.slowdowns.server import ANSWERS, answer_times, slower, slower_servers
from jostle.slowdowns.trigger import Walker
from tests.browser.live import Request, browser_launched, site_served
from tests.slowdowns.apps import Costed, adds, site

TIMES: dict[str, Callable[[int, random.Random], float]] = {
    "steadily": lambda n, chance: 20 + 15 * n,
    "with noise": lambda n, chance: 20 + 15 * n + chance.gauss(0, 8),
    "by the square": lambda n, chance: 10 + n * n,
    "with one that is late": lambda n, chance: 20 + 15 * n + 300 * (n == 7),
    "a first one that is late": lambda n, chance: 60 if n == 0 else 15 + 12 * n,
}
SILENT: dict[str, Callable[[int, random.Random], float]] = {
    "always the same": lambda n, chance: 40,
    "any time": lambda n, chance: chance.uniform(5, 400),
    "mostly quick": lambda n, chance: chance.expovariate(1 / 80),
    "one jump": lambda n, chance: chance.gauss(20 if n < 6 else 200, 4),
    "too little": lambda n, chance: 20 + n,
    "too little beside the rest": lambda n, chance: 900 + 10 * n,
    "faster": lambda n, chance: 300 - 20 * n,
}


def series(time: Callable[[int, random.Random], float], seed: int) -> list[float]:
    chance = random.Random(seed)
    return [time(n, chance) for n in range(ANSWERS)]


@pytest.mark.parametrize("name", TIMES)
def test_slower_and_slower(name: str) -> None:
    assert all(slower(series(TIMES[name], seed)) for seed in range(100))
    assert not slower(series(TIMES[name], 1)[:7])


@pytest.mark.parametrize("name", SILENT)
def test_not_slower(name: str) -> None:
    """Chance does it once in thousands of times."""
    assert sum(slower(series(SILENT[name], seed)) for seed in range(1000)) <= 2


def test_requests_are_told_apart_by_what_stays() -> None:
    def answered(url: str, took: float, method: str = "GET", resource: str = "fetch") -> Answered:
        return Answered(method, f"http://a.test{url}", 200, resource, took=took)

    effect = Effect(
        answers=(
            answered("/api/items/17?page=3", 5),
            answered("/api/items/18", 7),
            answered("/api/items/18", 9, "PUT"),
            answered("/logo.png", 50, resource="image"),
            answered("/never", 0),
        )
    )
    assert answer_times(effect) == {
        ("GET /api/items/…", 1): 5,
        ("GET /api/items/…", 2): 7,
        ("PUT /api/items/…", 1): 9,
    }


class Timed:
    """An application whose variable `took` is how long the server took for the last event."""

    def __init__(self, app: Costed) -> None:
        self._app = app
        self.reset, self.enabled, self.waiting, self.state = app.reset, app.enabled, app.waiting, app.state

    async def step(self, event: Event) -> Effect:
        effect = await self._app.step(event)
        took = self._app.model.variables.get("took", 0)
        answers = (Answered("GET", "http://a.test/api/list", 200, "fetch", took=took),) if took else ()
        return msgspec.structs.replace(effect, answers=answers)


def told(app: App, seed: int = 1, events: int = 60) -> list[ServerSlower]:
    async def search() -> list[ServerSlower]:
        chance = random.Random(seed)
        exploration = await explore(app, AtRandom(chance), events=events, chance=chance)
        walker = Walker(app, exploration.machine, chance, visits=exploration.visits)
        return await slower_servers(walker, exploration.visits)

    return asyncio.run(search())


def lists(cost: Callable[[World], int], took: Callable[[World], float]) -> Callable[[World], None]:
    def handler(world: World) -> None:
        world["cost"], world["took"] = cost(world), took(world)

    return handler


def quick(handler: Callable[[World], None]) -> Callable[[World], None]:
    def quickly(world: World) -> None:
        handler(world)
        world["took"] = 0.0

    return quickly


def shop(cost: Callable[[World], int], took: Callable[[World], float]) -> Timed:
    handlers = {'click button "Add"': quick(adds()), 'click button "List"': lists(cost, took)}
    return Timed(site(handlers, {"took": 0.0}, links=1))


def test_what_makes_the_server_slower_is_named() -> None:
    (found,) = told(shop(lambda world: 30, lambda world: 20 + 9 * world["items"]))
    assert (found.cause, found.effect) == ('click button "Add"', 'click button "List"')
    assert found.request == "GET /api/list"
    words = 'slower and slower: 38 ms at first, 119 ms after 12 repetitions of “click button "Add"”; the page\'s own'
    assert words in str(found)


def test_where_the_page_has_more_to_do_it_is_not_the_server_alone() -> None:
    assert told(shop(lambda world: 30 + 4 * world["items"], lambda world: 20 + 9 * world["items"])) == []


def test_a_moody_server_is_not_told() -> None:
    for seed in range(10):
        chance = random.Random(seed)
        moody = shop(lambda world: 30, lambda world, chance=chance: chance.uniform(5, 400))  # type: ignore[misc]
        assert told(moody, seed) == []


def test_a_machine_that_is_busy_with_something_else_at_times() -> None:
    for seed in range(10):
        chance = random.Random(seed)

        def took(world: World, chance: random.Random = chance) -> float:
            return float(20 + 9 * world["items"] + (chance.uniform(50, 500) if chance.random() < 0.15 else 0))

        assert [each.request for each in told(shop(lambda world: 30, took), seed)] == ["GET /api/list"]


PAGE = """<!doctype html><title>List</title><button>Load</button> <output>none</output>
<script>
document.querySelector("button").addEventListener("click", async () => {
  document.querySelector("output").textContent = await (await fetch("/api/list.txt")).text();
});
</script>"""


@pytest.mark.browser
@pytest.mark.long
def test_in_a_browser() -> None:
    """A server that forgets with each start of the page, and one whose times are chance."""
    with browser_launched() as browser, site_served() as served:

        def search(took: Callable[[int], float]) -> list[ServerSlower]:
            asked = 0

            def page(request: Request) -> str:
                nonlocal asked
                asked = 0
                return PAGE

            def answer(request: Request) -> str:
                nonlocal asked
                asked += 1
                time.sleep(took(asked) / 1000)
                return "some"

            url = served.serve({"/": page, "/api/list.txt": answer})
            app = browser.made(url, settings=TabSettings(profiling=Profiling.COST, control=Control.FLOWING))
            return browser.run(_searched(Explored(app, by_name("skeleton", origins=[url]))))

        (found,) = search(lambda n: 10 + 16 * n)
        assert found.request == "GET /api/list.txt"
        assert found.effect == found.cause == 'click button "Load"'
        assert found.first + 80 < found.last
        chance = random.Random(5)
        assert search(lambda n: chance.uniform(2, 80)) == []


async def _searched(app: Explored) -> list[ServerSlower]:
    chance = random.Random(1)
    exploration = await explore(app, AtRandom(chance, back=0), events=6, chance=chance)
    walker = Walker(app, exploration.machine, chance, visits=exploration.visits)
    return await slower_servers(walker, exploration.visits)
