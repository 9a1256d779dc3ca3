"""`jostle races` on the example pages with known answers, with several seeds: `make eval-races`."""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from benchmarks.bench import load
from jostle.browser.chromium import Chromium
from jostle.browser.loop import run
from jostle.examples import running
from jostle.examples.catalogue import CATALOGUE
from jostle.examples.entry import Example
from jostle.examples.hydration_pages import HYDRATION_PAGES
from jostle.examples.race_pages import RACE_PAGES

KINDS = {
    "ajax": {"ajax-race", "exception"},
    "init": {"form-input-overwritten", "late-handler", "access-before-definition"},
}
"""What each command is to find. Pages with other bugs are left out: one bug may be seen as several kinds."""


class Search(msgspec.Struct, kw_only=True):
    """What one run of the command gave."""

    command: str
    page: str
    seed: int
    expected: tuple[str, ...]
    found: list[str] = []
    unproved: int = 0
    """Findings without a replay."""
    tried: int = 0
    seconds: float = 0.0
    trying: float = 0.0
    """Seconds for all pairs; 0 for `races init`, which has none."""
    bare: float = 0.0
    """Seconds of a load of the page without jostle, measured in the same run."""

    @property
    def right(self) -> bool:
        """Every planted kind was found and nothing else; on a page without a bug, nothing at all."""
        return set(self.expected) == set(self.found)


def pages(command: str) -> Iterator[tuple[Example, tuple[str, ...]]]:
    """The pages with a bug of that kind, their twins, and those that only look as if."""
    kinds = KINDS[command]
    for example in CATALOGUE:
        if example.name.startswith(("larder", "errors")):
            continue  # several pages, not a matter of seconds; errors that are no races
        bug = next((each for each in CATALOGUE if each.name == example.twin_of), example)
        expected = tuple(kind for kind in example.expected if kind in kinds)
        silent = example in (*RACE_PAGES, *HYDRATION_PAGES) and not example.expected
        if expected or silent or kinds & set(bug.expected):
            yield example, expected


async def bare_loads(urls: Sequence[str]) -> dict[str, float]:
    """Seconds until the load event of each page in a browser without jostle, the middle of three."""
    async with Chromium.launch() as chromium:
        return {url: statistics.median([await load(chromium, url, agent=False) for _ in range(3)]) for url in urls}


def search(command: str, url: str, name: str, expected: Sequence[str], seed: int) -> Search:
    with tempfile.TemporaryDirectory() as folder:
        document = Path(folder) / "out.json"
        asked = [sys.executable, "-m", "jostle.cli.main", "races", command, url, "--seed", str(seed), "--budget", "2m"]
        done = subprocess.run(
            [*asked, "--json", str(document), "--out", folder], capture_output=True, text=True, timeout=600
        )
        if not document.exists() or done.returncode > 1:
            raise RuntimeError(f"{name}: {done.stderr[-2000:]}")
        told: dict[str, Any] = json.loads(document.read_bytes())
    return Search(
        command=command,
        page=name,
        seed=seed,
        expected=tuple(expected),
        found=[finding["kind"] for finding in told["findings"] if finding["confidence"] == "witnessed"],
        unproved=sum(finding["confidence"] != "witnessed" for finding in told["findings"]),
        tried=int(told["stats"].get("pairs", told["stats"].get("tried", 0))),
        seconds=float(told["stats"]["seconds"]),
        trying=float(told["stats"].get("seconds a pair", 0.0)) * int(told["stats"].get("pairs", 0)),
    )


def table(searches: Sequence[Search]) -> str:
    lines = ["| command | page | expected | right | found | tried | seconds |", "|---|---|---|--:|---|--:|--:|"]
    for command, name in dict.fromkeys((each.command, each.page) for each in searches):
        runs = [each for each in searches if (each.command, each.page) == (command, name)]
        found = sorted({kind for each in runs for kind in each.found})
        lines.append(
            f"| {command} | {name} | {', '.join(runs[0].expected) or 'nothing'} "
            f"| {sum(each.right for each in runs)} of {len(runs)} | {', '.join(found) or 'nothing'} "
            f"| {statistics.mean(each.tried for each in runs):.1f} "
            f"| {statistics.mean(each.seconds for each in runs):.1f} |"
        )
    for command in dict.fromkeys(each.command for each in searches):
        runs = [each for each in searches if each.command == command]
        bugs, others = [each for each in runs if each.expected], [each for each in runs if not each.expected]
        lines.append(
            f"\n{command}: {sum(each.right for each in bugs)} of {len(bugs)} searches of pages with a bug found it, "
            f"{sum(bool(each.found) for each in others)} of {len(others)} of pages without gave a false alarm; "
            f"{statistics.median(each.seconds for each in runs):.1f} s a page in the middle, "
            f"{statistics.median(each.seconds / each.bare for each in runs):.0f} times a bare load of it."
        )
        if pairs := sum(each.tried for each in runs if each.trying):
            a_pair = sum(each.trying for each in runs) / pairs
            bare = statistics.mean(each.bare for each in runs if each.trying)
            lines.append(f"{a_pair:.2f} s a pair, on average over {pairs}: {a_pair / bare:.1f} times a bare load.")
    return "\n".join(lines) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.races", description=__doc__)
    parser.add_argument("--command", action="append", choices=list(KINDS), help="only this one; may be repeated")
    parser.add_argument("--seeds", type=int, default=10, help="searches of each page (default: 10)")
    parser.add_argument("--first", type=int, default=1, help="the first seed (default: 1)")
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help="only this page; may be repeated")
    parser.add_argument("--out", type=Path, default=Path(".jostle/eval-races"), metavar="DIR", help="where to write")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    searches: list[Search] = []
    with running() as base:
        wanted = [
            (command, example, expected)
            for command in arguments.command or KINDS
            for example, expected in pages(command)
            if not arguments.only or example.name in arguments.only
        ]
        bare = run(bare_loads([*dict.fromkeys(f"{base}{example.path}" for _, example, _ in wanted)]))
        for seed in range(arguments.first, arguments.first + arguments.seeds):
            for command, example, expected in wanted:
                done = search(command, f"{base}{example.path}", example.name, expected, seed)
                done.bare = bare[f"{base}{example.path}"]
                searches.append(done)
                verdict = "right" if done.right else "WRONG"
                found = ", ".join(done.found) or "nothing"
                print(f"{command} {done.page} {seed}: {verdict}: {found} ({done.seconds:.1f} s)", flush=True)
                (arguments.out / "races.json").write_bytes(msgspec.json.encode(searches))
                (arguments.out / "races.md").write_text(table(searches), "utf-8")
    print(f"\n{table(searches)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
