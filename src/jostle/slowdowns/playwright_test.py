"""A test that fails while an application gets slower with use, or fails after some use."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from itertools import pairwise
from statistics import median

from jostle.export.playwright_steps import comment, heading, literal, needs_touch, replaces_page, steps
from jostle.export.python_file import identifier, indented, joined, own_addresses
from jostle.model.visit import Visit
from jostle.slowdowns.alternate import problem_of
from jostle.slowdowns.history import Pair, action_of

ROUNDS = (12, 16, 20)
"""How often cause and effect are done: as seldom as shows it clearly. With more the browser loses counts: it leaves out
functions that it has come to compile into others."""
FEWEST = 6
"""Fewer rounds show no growth."""
CLEARLY = 0.12
"""A growth by this share of the cost is seen at once."""
NOISE = 0.03
"""What a cost may differ by from one time to the next."""
REMAINS = 0.25
"""The share of the growth that is let pass: a search in a tree also gets slower."""
MORE = 2
"""A failure is given so many rounds more than it needed."""


def slowdown_test(
    url: str,
    visits: Sequence[Visit],
    pair: Pair,
    *,
    law: str,
    title: str,
    name: str,
    origins: Collection[str] = (),
) -> str:
    """A file for pytest-playwright whose test fails as long as `pair.cause` makes `pair.effect` more expensive.

    `visits`: what was done from a fresh start on, with costs (`Trial.steps`). `law`: how the cost grows, in words.
    `title`: what was found, in words. `name`: of the test. `origins`: from where scripts of the application come,
    besides that of the URL. Raises ValueError when the visits do not show the growth.
    """
    course = _Course(visits, pair)
    costs = course.costs
    rounds = next((n for n in ROUNDS if len(costs) >= n and _growth(costs[:n]) >= CLEARLY * _early(costs[:n])), 0)
    costs = costs[: rounds or ROUNDS[-1]]
    grew = _growth(costs) if len(costs) >= FEWEST else 0
    if grew <= 0:
        raise ValueError(f"{pair}: the cost does not grow in the {len(costs)} repetitions that were done")
    allowed = max(1, round(min(max(REMAINS * grew, NOISE * _early(costs)), grew / 2)))
    body = [
        "costs = []",
        *course.rounds(len(costs), rest="costs.append(work.settle(watch=0 if costs else 0.7))"),
        f"growth = median(costs[-{len(costs) // 3}:]) - median(costs[:{len(costs) // 3}])",
        'assert growth <= ALLOWED, f"{FOUND}. It grew by {growth:g}, where {ALLOWED} are let pass. The costs: {costs}"',
    ]
    each = "each time makes the next" if pair.itself else f"each “{pair.cause}” makes"
    constants = [
        f"FOUND = {literal(f'{each} “{pair.effect}” more expensive ({law} growth)')}",
        comment("Cost is how often V8 ran blocks of the application's code. No time is measured."),
        comment(
            f"When this test was written it grew by {grew:g}: the median of the last third against that of the first."
        ),
        f"ALLOWED = {allowed}",
    ]
    return _file(url, origins, visits, title, name, constants, [_AT_WORK], [*course.first(rest="work.settle()"), *body])


def failure_test(
    url: str,
    visits: Sequence[Visit],
    pair: Pair,
    *,
    problem: str,
    title: str,
    name: str,
    origins: Collection[str] = (),
) -> str:
    """The same for an application that fails when cause and effect were done often enough.

    The test fails with an uncaught error of the page, or an answer of 500 and above, that did not come in the beginning
    already. `problem`: what went wrong, in words.
    """
    course = _Course(visits, pair)
    check = "trouble.expect_nothing_new()"
    body = [
        "trouble = Trouble(page)",
        *course.first(rest="work.settle(watch=0.7)"),
        *course.rounds(1, rest="work.settle()"),  # what goes wrong the first time always does
        "trouble.known.update(trouble.seen)",
        *course.rounds(len(course.stretches) + MORE - 1, rest="work.settle()", check=check, done=1),
    ]
    constants = [f"FOUND = {literal(f'After {len(course.stretches)} rounds “{pair.effect}” failed: {problem}')}"]
    return _file(url, origins, visits, title, name, constants, [_AT_WORK, _TROUBLE], body)


class _Course:
    """What was done, cut into what leads to the first effect, the stretches from there to the next ones, and the rest
    up to a problem."""

    def __init__(self, visits: Sequence[Visit], pair: Pair) -> None:
        ends = [number for number, visit in enumerate(visits) if action_of(visit) == pair.effect]
        if not ends:
            raise ValueError(f"{pair}: the effect was never done")
        self._first = visits[: ends[0] + 1]
        self.stretches = [visits[a + 1 : b + 1] for a, b in pairwise(ends)]
        rest = visits[ends[-1] + 1 :]
        wrong = next((number for number, visit in enumerate(rest) if problem_of(visit.effect)), len(rest) - 1)
        self._rest = rest[: wrong + 1]
        self.costs = [float(visits[end].effect.cost or 0) for end in ends[1:]]

    def first(self, *, rest: str) -> list[str]:
        """Up to the first effect; `rest` comes after it."""
        return _lines(self._first, rest=rest)

    def rounds(self, count: int, *, rest: str, check: str = "", done: int = 0) -> list[str]:
        """A loop where the stretches are alike; else what was done, as far as it goes. `rest` comes after an effect,
        `check` after everything. `done`: so many stretches are left out."""
        written = [tuple(_lines(stretch, rest=rest, check=check)) for stretch in self.stretches[: done + count]]
        usual, times = Counter(written).most_common(1)[0] if written else ((), 0)
        if times >= 3 and times * 2 > len(written):
            return [f"for _ in range({count}):", *indented(usual)]
        lines = [line for each in written[done:] for line in each]
        return lines + _lines(self._rest, rest="work.settle()", check=check) if done + count > len(written) else lines


def _growth(costs: Sequence[float]) -> float:
    return median(costs[-(len(costs) // 3) :]) - _early(costs)


def _early(costs: Sequence[float]) -> float:
    return median(costs[: len(costs) // 3])


def _lines(visits: Sequence[Visit], *, rest: str, check: str = "") -> list[str]:
    """What was done, each time until the page is at rest; after the last by `rest`."""
    lines: list[str] = []
    for number, visit in enumerate(visits, 1):
        lines += [comment(visit.event.what), *steps(visit.event)]
        if replaces_page(visit.event):
            lines.append("work.follow(page)")
        lines.append(rest if number == len(visits) else "work.settle()")
        if check:
            lines.append(check)
    return lines


def _file(
    url: str,
    origins: Collection[str],
    visits: Sequence[Visit],
    title: str,
    name: str,
    constants: Sequence[str],
    classes: Sequence[str],
    body: Sequence[str],
) -> str:
    touch = needs_touch(visit.event for visit in visits)
    begin = ["work = AtWork(page)", "page.goto(URL)", "work.settle()"]
    if any(visit.effect.dialogs for visit in visits):
        begin.insert(0, 'page.on("dialog", lambda dialog: dialog.accept(dialog.default_value))')
    code = "\n".join([*classes, *body])
    head = [
        *heading(title),
        "import time",
        *(["from statistics import median"] if "median(" in code else []),
        "",
        *(["import pytest"] if touch or "pytest.fail(" in code else []),
        "from playwright.sync_api import Page, Request",
        "",
        f"URL = {literal(url)}",
        f"OWN_SCRIPTS = ({', '.join(map(literal, own_addresses((url, *origins))))},)",
        *constants,
    ]
    test = [f"def {identifier(name, 'slowdown')}(page: Page) -> None:", *indented([*begin, *body])]
    return joined(["\n".join(head), *([_TOUCH] if touch else []), *classes, "\n".join(test)])


_TOUCH = """
@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict) -> dict:
    return {**browser_context_args, "has_touch": True}
"""

_AT_WORK = '''
class AtWork:
    """Tells how much the JavaScript of a page does, and when it has come to rest."""

    def __init__(self, page: Page) -> None:
        self.pause = 0.04  # seconds without work after which the page is at rest
        self.longest = 5.0  # seconds to wait for that
        self.requests: set[Request] = set()
        self.follow(page)

    def follow(self, page: Page) -> None:
        self.page = page
        page.on("request", lambda request: self.requests.add(request))
        page.on("requestfinished", lambda request: self.requests.discard(request))
        page.on("requestfailed", lambda request: self.requests.discard(request))
        self.v8 = page.context.new_cdp_session(page)
        self.v8.send("Profiler.enable")
        self.v8.send("Profiler.startPreciseCoverage", {"callCount": True, "detailed": True})

    def settle(self, watch: float = 0) -> int:
        """Wait until the page is at rest; how often blocks of its code ran since the last time.

        With `watch` that many seconds must be quiet, and pauses after which it goes on are respected from then on.
        """
        begun = worked = time.monotonic()
        work, paused = 0, False
        while True:
            self.page.wait_for_timeout(15)
            ran, now = self.ran(), time.monotonic()
            if ran and paused and watch:
                self.pause = max(self.pause, 2 * (now - worked))
            paused = not ran
            if ran or self.requests:
                work, worked = work + ran, now
            if now - worked > max(self.pause, watch):
                return work
            if now - begun > self.longest:  # it never rests, or waits for an answer that does not come
                self.longest = 1.0
                self.requests.clear()
                return work

    def ran(self) -> int:
        scripts = self.v8.send("Profiler.takePreciseCoverage")["result"]
        own = [script for script in scripts if self.is_own(script["url"])]
        return sum(block["count"] for script in own for function in script["functions"] for block in function["ranges"])

    def is_own(self, address: str) -> bool:
        """Whether it is the application's, which may evaluate code under any name; without one it is Playwright's."""
        others = ("", "http", "https", "chrome", "chrome-extension", "devtools", "extensions")
        return address.startswith(OWN_SCRIPTS) or address.partition(":")[0] not in others
'''

_TROUBLE = '''
class Trouble:
    """What goes wrong: uncaught errors of the page, and answers which say that the server failed."""

    def __init__(self, page: Page) -> None:
        self.seen: list[str] = []
        self.known: set[str] = set()
        page.on("pageerror", lambda error: self.seen.append(str(error)))
        page.on("response", lambda got: self.seen.append(f"{got.status} {got.url}") if got.status >= 500 else None)

    def expect_nothing_new(self) -> None:
        new = [each for each in self.seen if each not in self.known]
        assert not new, f"{FOUND}. Now: {new}"
'''
