"""What the first phase of a search for slowdowns is worth: `python -m benchmarks.slowdown_phases`.

On the example pages with planted pairs, the same number of events is done in three ways: at random, guided, and where
pairs are promising. Counted is how many of the planted pairs the history is enough for.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from jostle.browser.chromium import Chromium
from jostle.browser.chromium_app import ChromiumApp
from jostle.browser.coverage import KEEPS_COUNTS
from jostle.browser.settings import Control, Profiling, TabSettings
from jostle.examples import running
from jostle.exploring.application import Explored
from jostle.exploring.at_random import AtRandom
from jostle.exploring.avoid import Avoid
from jostle.exploring.explorer import explore
from jostle.exploring.guided import Guided
from jostle.exploring.situation import Strategy
from jostle.model.abstraction import by_name
from jostle.recording.opening import FRAMES
from jostle.slowdowns.history import history
from jostle.slowdowns.inference import infer
from jostle.slowdowns.promising import Promising

STRATEGIES: dict[str, Callable[[random.Random], Strategy]] = {
    "random": AtRandom,
    "guided": Guided,
    "promising": Promising,
}
AFTER = (50, 100)
"""Events after which it is counted."""
ENTER = "press Enter"


class Planted(msgspec.Struct, frozen=True):
    """A pair: how the labels of its cause and of its effect begin."""

    page: str
    causes: tuple[str, ...]
    effects: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.causes[0]} → {self.effects[0]}"


PLANTED = (
    Planted("slow-menu", ('click button "Save & close"', ENTER), ('click button "Save menu"',)),
    Planted("slow-categories", ('click button "New category"',), ('click button "Save"', ENTER)),
    Planted("slow-articles", ('click button "Save and publish"', ENTER), ('click link "Content"',)),
    Planted("slow-articles-crash", ('click button "Save and', ENTER, "type"), ('click button "Save and', ENTER)),
    Planted("slow-todo", ('click button "Add task"',), ("check radio", "choose")),
    Planted("slow-todo", ('click button "Save task"', ENTER), ("type",)),
    Planted("slow-todo", ('click button "Save task"', ENTER, "type"), ('click button "Save task"', ENTER)),
    Planted("slow-sort", ('click button "Add guest"', ENTER, "type"), ('click button "Add guest"', ENTER)),
)
Noticed = Counter[tuple[Planted, str, int]]


async def explored(chromium: Chromium, url: str, name: str, seed: int) -> dict[int, list[tuple[str, str]]]:
    """The labels of the pairs that would be tried after so many events."""
    chance = random.Random(seed)
    app = ChromiumApp(
        chromium, url, settings=TabSettings(profiling=Profiling.COST, control=Control.FLOWING, frames=FRAMES)
    )
    try:
        done = await explore(
            Explored(app, by_name("skeleton", origins=tuple(app.origins))),
            STRATEGIES[name](chance),
            events=max(AFTER),
            chance=chance,
            avoid=Avoid(),
        )
    finally:
        await app.close()
    return {
        events: [
            (each.pair.cause.label, each.pair.effect.label)
            for each in infer(history(done.visits[:events]), several_causes=True)
        ]
        for events in AFTER
    }


async def compare(pages: Sequence[str], seeds: Sequence[int], tell: Callable[[Noticed, int], None]) -> None:
    noticed: Noticed = Counter()
    with running() as base:
        async with Chromium.launch(arguments=[KEEPS_COUNTS]) as chromium:
            for number, seed in enumerate(seeds, 1):
                for page in pages:
                    for name in STRATEGIES:
                        pairs = await explored(chromium, f"{base}/{page}/", name, seed)
                        for planted in PLANTED:
                            for events in AFTER if planted.page == page else ():
                                noticed[planted, name, events] += any(
                                    cause.startswith(planted.causes) and effect.startswith(planted.effects)
                                    for cause, effect in pairs[events]
                                )
                tell(noticed, number)


def table(noticed: Noticed, pages: Sequence[str], seeds: int) -> str:
    columns = [(name, events) for events in AFTER for name in STRATEGIES]
    lines = [
        "| page | pair | " + " | ".join(f"{name}, {events}" for name, events in columns) + " |",
        "|---|---|" + "--:|" * len(columns),
    ]
    planted = [each for each in PLANTED if each.page in pages]
    for each in planted:
        counts = (f"{noticed[each, name, events]} of {seeds}" for name, events in columns)
        lines.append(f"| {each.page} | {each} | {' | '.join(counts)} |")
    shares = (
        f"{sum(noticed[each, name, events] for each in planted) / len(planted) / seeds:.0%}" for name, events in columns
    )
    lines.append(f"| all | | {' | '.join(shares)} |")
    return "\n".join(lines) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.slowdown_phases", description=__doc__)
    parser.add_argument("--seeds", type=int, default=10, help="explorations of each page in each way (default: 10)")
    parser.add_argument("--first", type=int, default=1, help="the first seed (default: 1)")
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help="only this page; may be repeated")
    parser.add_argument("--out", type=Path, default=Path(".jostle/eval-slowdown"), metavar="DIR", help="where to write")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    pages = arguments.only or list(dict.fromkeys(each.page for each in PLANTED))

    def tell(noticed: Noticed, seeds: int) -> None:
        (arguments.out / "phases.md").write_text(table(noticed, pages, seeds), "utf-8")
        print(f"{seeds} of {arguments.seeds} seeds", flush=True)

    asyncio.run(compare(pages, range(arguments.first, arguments.first + arguments.seeds), tell))
    print((arguments.out / "phases.md").read_text("utf-8"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
