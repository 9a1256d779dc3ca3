"""What the pages about orders are made of, in a controlled Chromium: their events, and that twins bear any order."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import permutations

import msgspec
import pytest

from jostle.browser.chromium_app import ChromiumApp
from jostle.browser.fence import Pauses
from jostle.events import Event, Kind, NotEnabled, Settled, State, Step
from jostle.examples import CATALOGUE, Example, example
from jostle.examples.order_pages import WAVE_OPERATIONS
from jostle.examples.scenario import Step as Doing
from tests.browser.live import Browser, browser_launched

PIECE = 8192
"""Bytes after which a parser may stop."""
ORDERS = 3
LONGEST = 100
RESTLESS = {"endless-polling", "many-events", "never-the-same", "huge-script-fixed"}


@pytest.fixture(scope="module")
def launched() -> Iterator[Browser]:
    with browser_launched() as browser:
        yield browser


@pytest.fixture
def browser(launched: Browser) -> Iterator[Browser]:
    yield launched
    launched.close_apps()


def in_pieces(url: str, html: bytes) -> Pauses:
    return Pauses(range(PIECE, len(html), PIECE))


def wanted(step: str, offered: Sequence[Event]) -> Event | None:
    """The event of the user that the step of a scenario stands for, if it is possible."""
    doing = Doing.of(step)
    for event in offered:
        if event.what == step:
            return event
        if doing.value and event.what.startswith('type "') and event.what.endswith(f' in {doing.role} "{doing.name}"'):
            return msgspec.structs.replace(event.with_detail(value=doing.value), what=step)
    return None


async def usual_events(app: ChromiumApp, scenario: Sequence[str]) -> list[Event]:
    events: list[Event] = []

    async def observe(step: Step) -> Step:
        events.append(step.event)
        return step

    settled = Settled(app, observe=observe)
    await settled.reset()
    for step in scenario:
        event = wanted(step, await settled.enabled())
        assert event is not None, step
        await settled.step(event)
    return events


async def end_of(app: ChromiumApp, scenario: Sequence[str], chance: random.Random | None) -> tuple[State, list[str]]:
    """Where the page is in the end and what was thrown, when the next event is always one of the possible ones.

    Without `chance` it is the one that would come by itself. Timers fire in the order of their times.
    """
    left = list(scenario)
    done: Counter[str] = Counter()
    thrown: list[str] = []
    await app.reset()
    for _ in range(LONGEST):
        choices = list(await app.waiting())
        timers = sorted((each for each in choices if each.kind is Kind.TIMER), key=lambda each: each.detail.due or 0)
        choices = [each for each in choices if each not in timers[1:]]
        user = wanted(left[0], await app.enabled()) if left else None
        if user is not None:
            choices.append(msgspec.structs.replace(user, occurrence=done[user.what] + 1))
        if not choices:
            assert not left, f"{left[0]} was never possible"
            return await app.state(), thrown
        event = chance.choice(choices) if chance else choices[0]
        try:
            effect = await app.step(event)
        except NotEnabled:
            continue
        if event.by_user:
            done[event.what] += 1
            left.pop(0)
        thrown += [error.message for error in effect.errors]
    raise AssertionError(f"{app.url} does not come to an end")


@pytest.mark.long
@pytest.mark.parametrize("name", WAVE_OPERATIONS)
def test_benchmarks_have_as_many_events_as_in_the_table(browser: Browser, url: str, name: str) -> None:
    for entry in (example(name), example(f"{name}-fixed")):
        app = browser.made(url + entry.path, fences=in_pieces)
        events = browser.run(usual_events(app, entry.scenario))
        assert (sum(event.by_user for event in events), len(events)) == WAVE_OPERATIONS[name], list(map(str, events))


def test_the_first_figure_has_six_orders_of_which_three_fail(browser: Browser, url: str) -> None:
    app = browser.made(f"{url}/wave-fig1/")

    async def in_order(parts: Sequence[str]) -> bool:
        """Whether something is thrown when the page is followed by events with these parts in their names."""
        thrown = False
        await app.reset()
        for part in ("", *parts):
            event = next(each for each in await app.enabled() if part in each.what)
            thrown = bool((await app.step(event)).errors) or thrown
        return thrown

    orders = list(permutations(("lib.js", "sub.html", "Greet")))
    early = [order for order in orders if order.index("Greet") < order.index("lib.js")]
    assert [order for order in orders if browser.run(in_order(order))] == early
    assert (len(orders), len(early)) == (6, 3)


SILENT = [entry for entry in CATALOGUE if entry.scenario and not entry.expected and entry.name not in RESTLESS]


@pytest.mark.long
@pytest.mark.parametrize("entry", SILENT, ids=lambda entry: entry.name)
def test_pages_without_a_bug_bear_any_order(browser: Browser, url: str, entry: Example) -> None:
    app = browser.made(url + entry.path, fences=in_pieces)
    usual, thrown = browser.run(end_of(app, entry.scenario, None))
    assert not thrown
    for seed in range(ORDERS):
        assert browser.run(end_of(app, entry.scenario, random.Random(seed))) == (usual, []), seed


@pytest.mark.long
def test_a_recording_may_have_thousands_of_events(browser: Browser, url: str) -> None:
    entry = example("many-events")
    app = browser.made(url + entry.path)
    assert len(browser.run(usual_events(app, entry.scenario))) > 3000
