"""`jostle races orders` on the example pages with known answers, one strategy after the other: `make eval-orders`."""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from jostle.browser.chromium import Chromium
from jostle.browser.loop import run
from jostle.cli.options import Options
from jostle.cli.subject import Subject
from jostle.config import load
from jostle.config.application import Application
from jostle.errors import Problem
from jostle.events import Event
from jostle.examples import running
from jostle.examples.catalogue import CATALOGUE
from jostle.examples.entry import Example
from jostle.instrument import Rewriter, memory
from jostle.progress import silent
from jostle.races.orders.search import Asked, Search, Strategy

ORDERS = 30
"""Tried in one run, as in the paper."""
STRATEGIES: dict[str, Asked] = {
    "precedence": Asked(strategy=Strategy.PRECEDENCE, orders=ORDERS),
    "adjacency": Asked(strategy=Strategy.ADJACENCY, orders=ORDERS),
    "random": Asked(strategy=Strategy.RANDOM, orders=ORDERS),
    "model-check 1": Asked(bound=1, orders=200),
    "model-check 2": Asked(bound=2, orders=200),
    "model-check 3": Asked(bound=3, orders=200),
}
PAGES = [example for example in CATALOGUE if example.scenario or example.name.startswith("wave-")]


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
    """Seconds from the start until the first was shown twice."""
    an_order: float = 0.0
    """Seconds."""
    seconds: float = 0.0
    problem: str = ""

    @property
    def right(self) -> bool:
        return bool(self.found) == bool(self.expected) and not self.problem


async def search(
    chromium: Chromium, base: str, example: Example, strategy: str, seed: int, *, whole: bool, folder: Path
) -> Searched:
    """`whole`: go on after the first that is found."""
    options = Options(
        out=folder, json=None, seed=seed, budget=None, workers=1, headed=False, connect=None, loaded=load(None)
    )
    done = Searched(page=example.name, strategy=strategy, seed=seed, expected=example.expected)
    with Application(options.loaded, folder / "application.log", silent) as application:
        subject = Subject(options, application, f"{base}{example.path}")
        await subject.restore(chromium)
        began = time.monotonic()
        asked = msgspec.structs.replace(STRATEGIES[strategy], seed=seed)
        plain = subject.rehearsal(chromium, pauses=True)
        rewriter = Rewriter(memory, cache_dir=folder / "scripts")
        checks = asked.strategy is Strategy.MODEL_CHECK
        watched = subject.rehearsal(chromium, pauses=True, rewriter=rewriter) if checks else None
        searching = Search(plain, watched, asked, listener=silent)
        try:
            async for found in searching.run(await steps(subject, chromium, example.scenario)):
                done.found.append(found.blame.violation.value)
                done.titles.append(str(found.judged.differences[0]))
                if done.first is None:
                    done.first, done.orders = time.monotonic() - began, searching.tried
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
    explored = subject.explored(app, chromium)
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
                event = msgspec.structs.replace(event, what=words, detail={**event.detail, "value": value})
            events.append(event)
            await explored.step(event)
    finally:
        await app.close()
    return events


def table(searches: Sequence[Searched]) -> str:
    lines = [
        "| page | strategy | right | orders until found, or tried | seconds until shown | an order | kinds |",
        "|---|---|--:|--:|--:|--:|---|",
    ]
    for page in dict.fromkeys(each.page for each in searches):
        for strategy in dict.fromkeys(each.strategy for each in searches):
            runs = [each for each in searches if each.page == page and each.strategy == strategy]
            if not runs:
                continue
            firsts = [each.first for each in runs if each.first is not None]
            kinds = sorted({kind for each in runs for kind in each.found})
            lines.append(
                f"| {page} | {strategy} | {sum(each.right for each in runs)} of {len(runs)} "
                f"| {statistics.mean(each.orders for each in runs):.1f} "
                f"| {f'{statistics.mean(firsts):.1f}' if firsts else '–'} "
                f"| {statistics.mean(each.an_order for each in runs):.2f} s | {', '.join(kinds) or 'none'} |"
            )
    return "\n".join(lines) + "\n"


async def evaluate(arguments: argparse.Namespace) -> list[Searched]:
    done: list[Searched] = []
    wanted = [example for example in PAGES if not arguments.only or example.name in arguments.only]
    with TemporaryDirectory() as folder, running() as base:
        for seed in range(arguments.first, arguments.first + arguments.runs):
            async with Chromium.launch() as chromium:
                for example in wanted:
                    for strategy in arguments.strategy or STRATEGIES:
                        each = await search(
                            chromium, base, example, strategy, seed, whole=arguments.whole, folder=Path(folder)
                        )
                        done.append(each)
                        verdict = "right" if each.right else "WRONG"
                        told = each.problem or ", ".join(each.titles) or "nothing"
                        print(
                            f"{each.page} {strategy} {seed}: {verdict}: {told} ({each.orders} orders, "
                            f"{each.seconds:.1f} s)",
                            flush=True,
                        )
                        (arguments.out / "orders.json").write_bytes(msgspec.json.encode(done))
                        (arguments.out / "orders.md").write_text(table(done), "utf-8")
    return done


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.orders", description=__doc__)
    parser.add_argument(
        "--runs", type=int, default=30, help="of each strategy and page, with other seeds (default: 30)"
    )
    parser.add_argument("--first", type=int, default=1, help="the first seed (default: 1)")
    parser.add_argument("--strategy", action="append", choices=list(STRATEGIES), help="only this; may be repeated")
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help="only this page; may be repeated")
    parser.add_argument("--whole", action="store_true", help="go on after the first that is found")
    parser.add_argument("--out", type=Path, default=Path(".jostle/eval-orders"), metavar="DIR", help="where to write")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    done = run(evaluate(arguments))
    print(f"\n{table(done)}")
    return 0 if all(each.right for each in done) else 1


if __name__ == "__main__":
    sys.exit(main())
