"""`jostle races orders` on the example pages with known answers, one strategy after the other: `make eval-orders`.

What was measured is kept in a file, a line for each search, as soon as it is known. Who starts again with the same file
goes on where it ended; `--table` shows what is there. `delays` is the baseline: random delays of the network, in real
time (benchmarks/delays.py).
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from operator import attrgetter
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
from playwright.async_api import Browser

from benchmarks.delays import Undelayed, plain_browser, served, undelayed, until_wrong
from jostle.browser.chromium import Chromium
from jostle.browser.loop import run
from jostle.config import load
from jostle.config.application import Application
from jostle.errors import Problem
from jostle.events import Event
from jostle.examples import running
from jostle.examples.catalogue import CATALOGUE
from jostle.examples.entry import Example
from jostle.exploring.opening import explored as explored_of
from jostle.instrument import Rewriter, memory
from jostle.progress import silent
from jostle.races.rehearsal import rehearsal_of
from jostle.races.schedules.reordering import OrderChoice, OrderStrategy, Reordering
from jostle.search.browsers import Browsers
from jostle.search.instances import Instances
from jostle.search.subject import Subject

ORDERS = 30
"""Tried in one run, as in the paper."""
STRATEGIES: dict[str, OrderChoice] = {
    "precedence": OrderChoice(strategy=OrderStrategy.PRECEDENCE, orders=ORDERS),
    "adjacency": OrderChoice(strategy=OrderStrategy.ADJACENCY, orders=ORDERS),
    "random": OrderChoice(strategy=OrderStrategy.RANDOM, orders=ORDERS),
    "model-check 1": OrderChoice(bound=1, orders=200),
    "model-check 2": OrderChoice(bound=2, orders=200),
    "model-check 3": OrderChoice(bound=3, orders=200),
}
LONGEST = 180
"""Seconds after which no further order is begun."""
BASELINE = "delays"
UNSTEADY = "never-the-same"
"""Its replay differs already: jostle says so and stops, which is tested elsewhere."""
PAGES = [
    example
    for example in CATALOGUE
    if (example.scenario or example.name.startswith("wave-")) and example.name != UNSTEADY
]
BENCHMARKS = [f"wave-b{number}" for number in range(1, 9)]


class Searched(msgspec.Struct, kw_only=True):
    """One search."""

    page: str
    strategy: str
    seed: int
    expected: tuple[str, ...]
    found: list[str] = []
    titles: list[str] = []
    orders: int = 0
    """Tried, or until the first was found."""
    first: float | None = None
    """Seconds from the start until the first wrong order had been run; what comes before it is counted, what shows it
    again and makes it small is not."""
    trying: float | None = None
    """Seconds of them in other orders: all that the baseline counts, which is given what the original does."""
    shown: float | None = None
    """Seconds until it had been made small and shown twice."""
    an_order: float = 0.0
    """Seconds."""
    seconds: float = 0.0
    problem: str = ""

    @property
    def right(self) -> bool:
        return bool(self.found) == bool(self.expected) and not self.problem


async def search(
    chromium: Chromium,
    base: str,
    example: Example,
    strategy: str,
    seed: int,
    *,
    scenarios: dict[str, list[Event]],
    whole: bool,
    minimise: bool,
    folder: Path,
) -> Searched:
    """`whole`: go on after the first that is found. `scenarios`: those that are known, by page."""
    loaded = load(None)
    done = Searched(page=example.name, strategy=strategy, seed=seed, expected=example.expected)
    with Application(loaded, folder / "application.log", silent) as application:
        url = f"{base}{example.path}"
        subject = Subject(url, loaded, Instances(application, url), Browsers(), seed=seed)
        await subject.restore(chromium)
        if example.name not in scenarios:
            scenarios[example.name] = await steps(subject, chromium, example.scenario)
        began = time.monotonic()
        asked = msgspec.structs.replace(STRATEGIES[strategy], seed=seed, minimise=minimise)
        plain = rehearsal_of(subject, chromium, pauses=True)
        rewriter = Rewriter(memory, cache_dir=folder / "scripts")
        checks = asked.strategy is OrderStrategy.MODEL_CHECK
        watched = rehearsal_of(subject, chromium, pauses=True, rewriter=rewriter) if checks else None
        searching = Reordering(plain, watched, asked, listener=silent, deadline=began + LONGEST)
        try:
            async for found in searching.run(scenarios[example.name]):
                done.found.append(found.blame.violation.value)
                done.titles.append(str(found.judged.differences[0]))
                if done.first is None and searching.wrong_at is not None:
                    done.first, done.orders = searching.wrong_at - began, searching.tried
                    done.trying = searching.seconds
                    done.shown = time.monotonic() - began if minimise else None
                if not whole:
                    break
        except Problem as problem:
            done.problem = str(problem)
        finally:
            await plain.close()
            if watched is not None:
                await watched.close()
        done.orders = done.orders or searching.tried
        done.an_order = searching.seconds / max(1, searching.tried)
        done.seconds = time.monotonic() - began
    return done


async def steps(subject: Subject, chromium: Chromium, scenario: Sequence[str]) -> list[Event]:
    """The events of a scenario, as the application offers them."""
    app = subject.opened(chromium, subject.view)
    explored = explored_of(subject, app)
    events: list[Event] = []
    try:
        await explored.reset()
        for words in scenario:
            offered = await explored.enabled()
            kind = words.split(" ", 1)[0]
            place = words.partition('" in ')[2] if kind == "type" else words.split(" ", 1)[1]
            event = next(each for each in offered if each.what.startswith(kind) and each.what.endswith(place))
            if kind == "type":
                value = words.split('"')[1]
                event = msgspec.structs.replace(event.with_detail(value=value), what=words)
            events.append(event)
            await explored.step(event)
    finally:
        await app.close()
    return events


async def delayed(browser: Browser, base: str, example: Example, seed: int, known: dict[str, Undelayed]) -> Searched:
    """The baseline: executions with random delays until one is wrong. `known`: how pages go without, by name."""
    done = Searched(page=example.name, strategy=BASELINE, seed=seed, expected=example.expected)
    try:
        if example.name not in known:
            known[example.name] = await undelayed(browser, base, example)
        run = await until_wrong(browser, base, example, known[example.name], number=1, seed=seed)
    except RuntimeError as problem:
        done.problem = str(problem)
        return done
    done.orders, done.seconds, done.an_order = run.tries, run.seconds, run.seconds / max(1, run.tries)
    if run.wrong:
        done.first = done.trying = run.seconds
        done.found, done.titles = ["wrong"], [run.wrong]
    return done


def read(file: Path) -> list[Searched]:
    """What has been measured so far; a line that was cut short is left out."""
    done = []
    for line in file.read_bytes().splitlines() if file.is_file() else ():
        try:
            done.append(msgspec.json.decode(line, type=Searched))
        except msgspec.DecodeError:
            continue
    return done


def table(searches: Sequence[Searched]) -> str:
    """Page by page, then all benchmarks and all twins together."""
    lines = [
        "| page | strategy | right | orders until found, or tried | seconds to the first error | until shown "
        "| an order | kinds |",
        "|---|---|--:|--:|--:|--:|--:|---|",
    ]
    strategies = [each for each in (*STRATEGIES, BASELINE) if any(search.strategy == each for search in searches)]
    for page in dict.fromkeys(each.page for each in searches):
        for strategy in strategies:
            runs = [each for each in searches if each.page == page and each.strategy == strategy]
            if not runs:
                continue
            firsts = [each.first for each in runs if each.first is not None]
            shown = [each.shown for each in runs if each.shown is not None]
            kinds = sorted({kind for each in runs for kind in each.found})
            lines.append(
                f"| {page} | {strategy} | {sum(each.right for each in runs)} of {len(runs)} "
                f"| {statistics.mean(each.orders for each in runs):.1f} "
                f"| {f'{statistics.mean(firsts):.1f}' if firsts else '–'} "
                f"| {f'{statistics.mean(shown):.1f}' if shown else '–'} "
                f"| {statistics.mean(each.an_order for each in runs):.2f} s | {', '.join(kinds) or 'none'} |"
            )
    return "\n".join(lines) + f"\n\n{summary(searches, strategies)}"


def summary(searches: Sequence[Searched], strategies: Iterable[str]) -> str:
    """Detection on the eight benchmarks, time to the first error beside the baseline's, and false alarms on twins."""
    lines = [
        "| strategy | runs of B1 to B8 | detection | seconds to the first error | in other orders "
        "| faster than random delays, from the start | in other orders | an order "
        "| pages without a bug: runs | flagged |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for strategy in strategies:
        mine = [each for each in searches if each.strategy == strategy]
        benchmarks = [each for each in mine if each.page in BENCHMARKS]
        twins = [each for each in mine if not each.expected]
        firsts = [each.first for each in benchmarks if each.first is not None]
        orders = [each.an_order for each in benchmarks if each.orders]
        trying = [each.trying for each in benchmarks if each.trying is not None]
        baseline = [each for each in searches if each.strategy == BASELINE]
        ratios = [_ratio(benchmarks, baseline, attrgetter(of)) for of in ("first", "trying")]
        lines.append(
            f"| {strategy} | {len(benchmarks)} "
            f"| {f'{sum(bool(each.found) for each in benchmarks) / len(benchmarks):.2f}' if benchmarks else '–'} "
            f"| {f'{statistics.mean(firsts):.1f}' if firsts else '–'} "
            f"| {f'{statistics.mean(trying):.2f}' if trying else '–'} "
            f"| {' | '.join(f'{ratio:.1f} ×' if ratio else '–' for ratio in ratios)} "
            f"| {f'{statistics.median(orders):.2f} s' if orders else '–'} "
            f"| {len(twins)} | {sum(bool(each.found) for each in twins)} |"
        )
    return "\n".join(lines) + "\n"


def _ratio(
    mine: Sequence[Searched], baseline: Sequence[Searched], of: Callable[[Searched], float | None]
) -> float | None:
    """How many times as long the baseline takes, page by page where both found something; the geometric mean."""
    ratios = []
    for page in BENCHMARKS:
        times = [
            [seconds for each in searches if each.page == page and (seconds := of(each)) is not None]
            for searches in (mine, baseline)
        ]
        if all(times):
            ratios.append(statistics.mean(times[1]) / statistics.mean(times[0]))
    return statistics.geometric_mean(ratios) if ratios else None


@asynccontextmanager
async def _plain(wanted: bool) -> AsyncIterator[tuple[Browser, str] | None]:
    """A browser with nothing of jostle in it, and a server that delays."""
    if not wanted:
        yield None
        return
    with served(random.Random(0)) as base:
        async with plain_browser() as browser:
            yield browser, base


async def evaluate(arguments: argparse.Namespace, done: list[Searched]) -> None:
    """Measure what is not there yet, until the time is up."""
    known = {(each.page, each.strategy, each.seed) for each in done}
    deadline = time.monotonic() + arguments.minutes * 60 if arguments.minutes else None
    pages = [example for example in PAGES if _wanted(example, arguments)]
    strategies = arguments.strategy or list(STRATEGIES)
    with TemporaryDirectory() as folder, running() as base, arguments.out.open("ab") as file:
        undelayed_pages: dict[str, Undelayed] = {}
        async with _plain(BASELINE in strategies) as plain:
            for seed in range(arguments.first, arguments.first + arguments.runs):
                left = [
                    (page, strategy)
                    for page in pages
                    for strategy in strategies
                    if (page.name, strategy, seed) not in known
                    and (strategy != BASELINE or (page.scenario and page.expected))
                ]
                if not left:
                    continue
                scenarios: dict[str, list[Event]] = {}
                async with Chromium.launch() as chromium:
                    for page, strategy in left:
                        if deadline is not None and time.monotonic() > deadline:
                            return
                        if strategy == BASELINE:
                            assert plain is not None
                            each = await delayed(*plain, page, seed, undelayed_pages)
                        else:
                            each = await search(
                                chromium,
                                base,
                                page,
                                strategy,
                                seed,
                                scenarios=scenarios,
                                whole=arguments.whole,
                                minimise=not arguments.as_found,
                                folder=Path(folder),
                            )
                        done.append(each)
                        file.write(msgspec.json.encode(each) + b"\n")
                        file.flush()
                        verdict = "right" if each.right else "WRONG"
                        told = each.problem or ", ".join(each.titles) or "nothing"
                        print(
                            f"{each.page} {strategy} {seed}: {verdict}: {told} ({each.orders} orders, "
                            f"{each.seconds:.1f} s)",
                            flush=True,
                        )


def _wanted(example: Example, arguments: argparse.Namespace) -> bool:
    if arguments.only:
        return example.name in arguments.only
    return not arguments.benchmarks or example.name.removesuffix("-fixed") in BENCHMARKS


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.orders", description=__doc__)
    parser.add_argument(
        "--runs", type=int, default=30, help="of each strategy and page, with other seeds (default: 30)"
    )
    parser.add_argument("--first", type=int, default=1, help="the first seed (default: 1)")
    parser.add_argument(
        "--strategy",
        action="append",
        choices=[*STRATEGIES, BASELINE],
        help="only this; may be repeated (default: all but the baseline)",
    )
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help="only this page; may be repeated")
    parser.add_argument("--benchmarks", action="store_true", help="only WAVE's eight benchmarks and their twins")
    parser.add_argument("--whole", action="store_true", help="go on after the first that is found")
    parser.add_argument("--as-found", action="store_true", help="do not look for the fewest reversals")
    parser.add_argument("--minutes", type=float, metavar="N", help="begin nothing after so many")
    parser.add_argument("--table", action="store_true", help="measure nothing, show what is there")
    parser.add_argument(
        "--out",
        type=Path,
        default=Path(".jostle/eval-orders.jsonl"),
        metavar="FILE",
        help="a line for each search; what is there is not measured again (default: .jostle/eval-orders.jsonl)",
    )
    arguments = parser.parse_args()
    if unknown := set(arguments.only) - {example.name for example in PAGES}:
        parser.error(f"no page of that name with a scenario: {', '.join(sorted(unknown))}")
    arguments.out.parent.mkdir(parents=True, exist_ok=True)
    done = read(arguments.out)
    if not arguments.table:
        run(evaluate(arguments, done))
    print(f"\n{table(done)}")
    return 0 if all(each.right for each in done if each.strategy != BASELINE) else 1


if __name__ == "__main__":
    sys.exit(main())
