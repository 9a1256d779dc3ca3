"""`jostle slowdown` on the example pages with known answers, with several seeds: `make eval-slowdown`."""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from jostle.examples import running
from jostle.examples.catalogue import CATALOGUE

PAGES = [
    example
    for example in CATALOGUE
    if example.name.startswith(("slow-", "leaky-"))
    or example.name in ("innocent-input", "virtual-list", "clock-work", "comment-thread")
]


class Search(msgspec.Struct, kw_only=True):
    """What one run of the command gave."""

    page: str
    seed: int
    expected: tuple[str, ...]
    found: list[str] = []
    laws: list[str] = []
    candidates: int = 0
    targets: int = 0
    reached: int = 0
    events: int = 0
    seconds: float = 0.0

    @property
    def right(self) -> bool:
        """Every planted kind was found, and nothing on a page that has none."""
        return set(self.expected) <= set(self.found) if self.expected else not self.found


def search(url: str, name: str, expected: Sequence[str], seed: int, budget: str) -> Search:
    with tempfile.TemporaryDirectory() as folder:
        document = Path(folder) / "out.json"
        command = [sys.executable, "-m", "jostle.cli.main", "slowdown", url, "--seed", str(seed), "--budget", budget]
        done = subprocess.run(
            [*command, "--json", str(document), "--out", folder], capture_output=True, text=True, timeout=1800
        )
        if not document.exists() or done.returncode > 1:
            raise RuntimeError(f"{name}: {done.stderr[-2000:]}")
        told: dict[str, Any] = json.loads(document.read_bytes())
    stats = told["stats"]
    return Search(
        page=name,
        seed=seed,
        expected=tuple(expected),
        found=[finding["kind"] for finding in told["findings"]],
        laws=[finding["evidence"].get("law", "") for finding in told["findings"]],
        candidates=stats["pairs"],
        targets=stats.get("targets", 0),
        reached=stats.get("reached", 0),
        events=stats.get("events of trials", 0),
        seconds=stats["seconds"],
    )


def table(searches: Sequence[Search]) -> str:
    lines = [
        "| page | expected | right | findings | pairs tried | events a target | seconds |",
        "|---|---|--:|---|--:|--:|--:|",
    ]
    for name in dict.fromkeys(each.page for each in searches):
        runs = [each for each in searches if each.page == name]
        targets, events = sum(run.targets for run in runs), sum(run.events for run in runs)
        found = sorted(
            {f"{kind} ({law})" if law else kind for run in runs for kind, law in zip(run.found, run.laws, strict=True)}
        )
        lines.append(
            f"| {name} | {', '.join(runs[0].expected) or 'nothing'} | {sum(run.right for run in runs)} of {len(runs)} "
            f"| {', '.join(found) or 'none'} | {statistics.mean(run.candidates for run in runs):.0f} "
            f"| {events / targets if targets else 0:.1f} | {statistics.mean(run.seconds for run in runs):.0f} |"
        )
    targets, reached = sum(each.targets for each in searches), sum(each.reached for each in searches)
    events = sum(each.events for each in searches)
    if targets:
        lines.append(
            f"\n{reached} of {targets} targets reached ({reached / targets:.1%}), {events / targets:.1f} events each."
        )
    return "\n".join(lines) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.slowdown", description=__doc__)
    parser.add_argument("--seeds", type=int, default=10, help="searches of each page (default: 10)")
    parser.add_argument("--first", type=int, default=1, help="the first seed (default: 1)")
    parser.add_argument("--budget", default="3m", help="time of each search (default: 3m)")
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help="only this one; may be repeated")
    parser.add_argument("--out", type=Path, default=Path(".jostle/eval-slowdown"), metavar="DIR", help="where to write")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    searches: list[Search] = []
    wanted = [example for example in PAGES if not arguments.only or example.name in arguments.only]
    with running() as base:
        for seed in range(arguments.first, arguments.first + arguments.seeds):
            for example in wanted:
                done = search(f"{base}{example.path}", example.name, example.expected, seed, arguments.budget)
                searches.append(done)
                verdict = "right" if done.right else "WRONG"
                found = ", ".join(done.found) or "nothing"
                print(f"{done.page} {seed}: {verdict}: {found} ({done.seconds:.0f} s)", flush=True)
                (arguments.out / "slowdown.json").write_bytes(msgspec.json.encode(searches))
                (arguments.out / "slowdown.md").write_text(table(searches), "utf-8")
    print(f"\n{table(searches)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
