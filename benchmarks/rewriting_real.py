"""Do large real applications still work when their scripts are rewritten? `python -m benchmarks.rewriting_real`.

Each is used for a while, at random. Then the same things are done again with the same answers, twice as it is and once
rewritten. It still works when everything could be done in the same order, nothing else failed and it ended the same,
apart from what differed between the first two.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from benchmarks.applications import APPLICATIONS, Application, running
from jostle.browser.chromium import Chromium
from jostle.browser.loop import run
from jostle.config import load
from jostle.config.application import Application as Process
from jostle.events import Event
from jostle.exploring.avoid import Avoid
from jostle.exploring.opening import explored as explored_of
from jostle.instrument import Rewriter, memory
from jostle.oracles.outcome import differences, noise_between
from jostle.progress import silent
from jostle.races.rehearsal import rehearsal_of
from jostle.races.schedules.enact import OrderStage
from jostle.races.schedules.run import PlannedOrder, again
from jostle.races.schedules.scenario import original
from jostle.rewriting import CodeKind, RewrittenScript
from jostle.search.browsers import Browsers
from jostle.search.instances import Instances
from jostle.search.subject import Subject

LARGE = ("swagger-ui-dist", "node-red", "tiddlywiki")


class Counting(Rewriter):
    """Knows what it was given."""

    def __init__(self, cache: Path) -> None:
        super().__init__(memory, cache_dir=cache)
        self.given: dict[str, int] = {}
        """Characters of each script."""
        self.refused: dict[str, str] = {}

    def script(self, source: str, url: str, *, module: bool = False) -> RewrittenScript:
        made = super().script(source, url, module=module)
        self.given[url] = len(source)
        if made.problem:
            self.refused[url] = made.problem
        return made

    def code(self, source: str, url: str, kind: CodeKind) -> RewrittenScript:
        made = super().code(source, url, kind)
        self.given[url] = len(source)
        if made.problem:
            self.refused[url] = made.problem
        return made


class Tried(msgspec.Struct, kw_only=True):
    """One application."""

    name: str
    actions: int = 0
    events: int = 0
    scripts: int = 0
    characters: int = 0
    refused: list[str] = []
    differences: list[str] = []
    noise: int = 0
    seconds: tuple[float, float] = (0.0, 0.0)
    """Of a run as it is and of one rewritten, the second time, when everything is in the cache."""

    @property
    def works(self) -> bool:
        return not self.differences


async def walked(subject: Subject, chromium: Chromium, actions: int, seed: int) -> list[Event]:
    """What somebody does who clicks and types at random."""
    app = subject.opened(chromium, subject.view)
    explored = explored_of(subject, app)
    chance, avoid, done = random.Random(seed), Avoid(), []
    try:
        await explored.reset()
        for _ in range(actions):
            offered = [
                each
                for each in await explored.enabled()
                if each.by_user and avoid.allows(each) and each.action.type in ("click", "type", "check")
            ]
            if not offered:
                break
            event = chance.choice(sorted(offered, key=lambda each: each.what))
            if event.action.type == "type":
                event = event.with_detail(value=f"text {chance.randint(1, 9)}")
            await explored.step(event)
            done.append(event)
    finally:
        await app.close()
    return done


async def tried(application: Application, url: str, folder: Path, actions: int, seed: int) -> Tried:
    loaded = load(None)
    told = Tried(name=application.name)
    async with Chromium.launch() as chromium:
        with Process(loaded, folder / "application.log", silent) as process:
            subject = Subject(url, loaded, Instances(process, url), Browsers(), seed=seed)
            await subject.restore(chromium)
            scenario = await walked(subject, chromium, actions, seed)
            rewriter = Counting(folder / "scripts")
            plain = rehearsal_of(subject, chromium, pauses=True)
            rewritten = rehearsal_of(subject, chromium, pauses=True, rewriter=rewriter)
            try:
                first = await original(plain, scenario, silent)
                order = PlannedOrder(events=tuple(map(again, first.trace.steps)), exact=len(first.trace.steps))
                told.actions, told.events = len(scenario), len(order.events)
                stages = OrderStage(plain, first), OrderStage(rewritten, first)
                one, other = await stages[0].run(order), await stages[0].run(order)
                noise = noise_between(one.outcome, other.outcome)
                await stages[1].run(order)
                seconds = []
                for stage in stages:
                    began = time.monotonic()
                    last = await stage.run(order)
                    seconds.append(time.monotonic() - began)
                told.seconds = seconds[0], seconds[1]
                told.noise = len(list(noise))
                told.differences = [str(each) for each in differences(other.outcome, last.outcome, noise)]
                if last.failed and not one.failed and not other.failed:
                    told.differences.insert(0, last.failed)
                if one.failed or other.failed:
                    told.differences.insert(0, f"not comparable: {one.failed or other.failed}")
            finally:
                await plain.close()
                await rewritten.close()
    told.scripts, told.characters = len(rewriter.given), sum(rewriter.given.values())
    told.refused = [f"{name}: {why}" for name, why in rewriter.refused.items()]
    return told


def table(all_tried: Sequence[Tried]) -> str:
    lines = [
        "| application | scripts rewritten | MB | done | events | still works | as it is | rewritten |",
        "|---|--:|--:|--:|--:|---|--:|--:|",
    ]
    for each in all_tried:
        rewritten = each.scripts - len(each.refused)
        lines.append(
            f"| {each.name} | {rewritten} of {each.scripts} | {each.characters / 1e6:.1f} | {each.actions} "
            f"| {each.events} | {'yes' if each.works else 'NO: ' + each.differences[0]} "
            f"| {each.seconds[0]:.1f} s | {each.seconds[1]:.1f} s |"
        )
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.rewriting_real", description=__doc__)
    parser.add_argument("--actions", type=int, default=12, help="things that are done (default: 12)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help="only this one; may be repeated")
    arguments = parser.parse_args()
    done = []
    for application in APPLICATIONS:
        if application.name not in (arguments.only or LARGE):
            continue
        with running(application) as served, TemporaryDirectory() as folder:
            each = run(tried(application, served.url, Path(folder), arguments.actions, arguments.seed))
        done.append(each)
        for words in (*each.refused, *each.differences):
            print(f"{each.name}: {words}", flush=True)
    print(f"\n{table(done)}")
    return 0 if all(each.works for each in done) else 1


if __name__ == "__main__":
    sys.exit(main())
