"""A test that fails while an application gets slower with use, or fails after some use."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from itertools import pairwise
from statistics import median

from jostle.browser.coverage import KEEPS_COUNTS
from jostle.export.playwright_steps import comment, heading, literal, needs_touch, replaces_page, steps
from jostle.export.python_file import identifier, indented, joined, own_addresses
from jostle.model.visit import Visit
from jostle.slowdowns.alternate import problem_of
from jostle.slowdowns.history import Pair, action_of

ROUNDS = 12
"""How often cause and effect are done: functions are counted one by one, so that it shows soon."""
FEWEST = 6
"""Fewer rounds show no growth."""
REMAINS = 0.25
"""The share of the growth that is let pass: a search in a tree also gets slower."""
AGREE = 0.7
"""A function grows when, of all pairs of rounds, those prevail by this share in which it ran more often later."""
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
    steady: Sequence[float] = (),
) -> str:
    """A file for pytest-playwright whose test fails as long as `pair.cause` makes `pair.effect` more expensive.

    `visits`: what was done from a fresh start on, with costs (`Trial.steps`). `law`: how the cost grows, in words.
    `title`: what was found, in words. `name`: of the test. `origins`: from where scripts of the application come,
    besides that of the URL. `steady`: what the functions alone cost that grow, each time from the second on, where that
    is known (`Trial.steady`). Raises ValueError when there is no growth.
    """
    course = _Course(visits, pair)
    costs = list(steady or course.costs)[:ROUNDS]
    grew = _growth(costs) if len(costs) >= FEWEST else 0
    if grew <= 0:
        raise ValueError(f"{pair}: the cost does not grow in the {len(costs)} repetitions that were done")
    allowed = round(min(max(1, REMAINS * grew), grew / 2))
    body = [
        "ran = []",
        *course.rounds(len(costs), rest="ran.append(work.settle(watch=0 if ran else 0.7))"),
        "growth, costs = growth_of(ran), [each.total() for each in ran]",
        'assert growth <= ALLOWED, f"{FOUND}. It grew by {growth:g}, where {ALLOWED} are let pass. The costs: {costs}"',
    ]
    each = "each time makes the next" if pair.itself else f"each “{pair.cause}” makes"
    constants = [
        f"FOUND = {literal(f'{each} “{pair.effect}” more expensive ({law} growth)')}",
        comment("Cost is how often V8 ran blocks of the application's code. No time is measured. Only functions count"),
        comment("that run more and more often: what others do varies."),
        comment(
            f"When this test was written it grew by {grew:g}: the median of the last third against that of the first."
        ),
        f"ALLOWED = {allowed}",
    ]
    return _file(
        url,
        origins,
        visits,
        title,
        name,
        constants,
        [_BROWSER, _AT_WORK, _GROWTH],
        [*course.first(rest="work.settle()"), *body],
    )


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
    grows = _GROWTH in classes
    head = [
        *heading(title),
        "import time",
        "from collections import Counter",
        *(["from itertools import combinations", "from statistics import median"] if grows else []),
        "",
        *(["import pytest"] if touch or "pytest." in code else []),
        f"from playwright.sync_api import {'Browser, ' if grows else ''}Page, Request",
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

_BROWSER = f'''
@pytest.fixture(scope="module")
def browser(launch_browser, browser_type_launch_args) -> Browser:
    """V8 loses counts of functions that it compiles into others: this one optimises nothing."""
    arguments = [*browser_type_launch_args.get("args", ()), {literal(KEEPS_COUNTS)}]
    browser = launch_browser(args=arguments)
    yield browser
    browser.close()
'''

_GROWTH = f'''
def growth_of(ran: list[Counter]) -> float:
    """By how much those functions do more in the end that run more and more often."""
    growth, third = 0.0, len(ran) // 3
    for function in set().union(*ran):
        counts = [each[function] for each in ran]
        pairs = list(combinations(counts, 2))
        if sum(a < b for a, b in pairs) - sum(a > b for a, b in pairs) >= {AGREE} * len(pairs):
            growth += median(counts[-third:]) - median(counts[:third])
    return growth
'''

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

    def settle(self, watch: float = 0) -> Counter:
        """Wait until the page is at rest; how often blocks of each function of it ran since the last time.

        With `watch` that many seconds must be quiet, and pauses after which it goes on are respected from then on.
        """
        begun = worked = time.monotonic()
        work, paused = Counter(), False
        while True:
            self.page.wait_for_timeout(15)
            ran, now = self.ran(), time.monotonic()
            if ran and paused and watch:
                self.pause = max(self.pause, 2 * (now - worked))
            paused = not ran
            if ran or self.requests:
                work.update(ran)
                worked = now
            if now - worked > max(self.pause, watch):
                return work
            if now - begun > self.longest:  # it never rests, or waits for an answer that does not come
                self.longest = 1.0
                self.requests.clear()
                return work

    def ran(self) -> Counter:
        ran = Counter()
        for script in self.v8.send("Profiler.takePreciseCoverage")["result"]:
            for function in script["functions"] if self.is_own(script["url"]) else ():
                blocks = function["ranges"]
                name = (script["url"], function["functionName"], blocks[0]["startOffset"])
                ran[name] += sum(block["count"] for block in blocks)
        return +ran

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
