"""`jostle check` on the example application: which kinds of planted bugs it finds in 1, 2 and 5 minutes, and what it
says of the same application without them: `make eval-check`."""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import msgspec

from jostle.examples import example, running
from jostle.text import duration

BUGGY, CORRECT = "larder-buggy", "larder"


class Checked(msgspec.Struct, kw_only=True):
    """What one run of the command gave."""

    page: str
    budget: str
    seed: int
    workers: int
    expected: tuple[str, ...]
    found: list[str] = []
    titles: list[str] = []
    seconds: float = 0.0
    cpu: float = 0.0
    """Seconds of work of all processes: on a busy machine it says more than the time on the clock."""
    load: float = 0.0
    """How many processes wanted to work, on average over the last minute."""

    @property
    def planted(self) -> int:
        """How many of the planted kinds were found."""
        return len(set(self.expected) & set(self.found))

    @property
    def others(self) -> list[str]:
        """Findings of kinds that nobody planted."""
        pairs = zip(self.found, self.titles, strict=True)
        return [f"{kind}: {title}" for kind, title in pairs if kind not in self.expected]


def check(base: str, name: str, budget: str, seed: int, workers: int | None) -> Checked:
    shown = example(name)
    with tempfile.TemporaryDirectory() as folder:
        document = Path(folder) / "out.json"
        asked = [sys.executable, "-m", "jostle.cli.main", "check", f"{base}{shown.path}"]
        asked += ["--budget", budget, "--seed", str(seed), "--json", str(document), "--out", folder]
        asked += ["--workers", str(workers)] if workers is not None else []
        before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        done = subprocess.run(asked, capture_output=True, text=True, timeout=10 * duration(budget) + 60)
        seconds, after = time.monotonic() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode > 1:
            sys.exit(f"jostle check ended with {done.returncode}:\n{done.stderr}")
        told = json.loads(document.read_bytes())
    return Checked(
        page=name,
        budget=budget,
        seed=seed,
        workers=workers or 0,
        expected=shown.expected,
        found=[each["kind"] for each in told["findings"]],
        titles=[each["title"] for each in told["findings"]],
        seconds=round(seconds, 1),
        cpu=round(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, 1),
        load=round(os.getloadavg()[0], 1),
    )


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.check", description=__doc__)
    parser.add_argument("--budgets", default="1m,2m,5m", help="times of a check (default: 1m,2m,5m)")
    parser.add_argument("--seeds", type=int, default=3, metavar="N", help="checks with each time (default: 3)")
    parser.add_argument("--first", type=int, default=0, metavar="N", help="the first seed (default: 0)")
    parser.add_argument("--workers", type=int, metavar="N", help="browsers side by side (default: what check takes)")
    parser.add_argument("--only", choices=(BUGGY, CORRECT), help="only the one with planted bugs, or the one without")
    parser.add_argument("--out", type=Path, default=Path(".jostle/eval-check.json"), metavar="FILE")
    arguments = parser.parse_args()
    done: list[Checked] = []
    print("| page | time | seed | planted kinds found | other findings | seconds | of work | load |")
    print("|---|--:|--:|---|---|--:|--:|--:|", flush=True)
    for name in (BUGGY, CORRECT) if arguments.only is None else (arguments.only,):
        for budget in arguments.budgets.split(","):
            for seed in range(arguments.first, arguments.first + arguments.seeds):
                with running() as base:  # each begins with the application as it was at first
                    checked = check(base, name, budget, seed, arguments.workers)
                done.append(checked)
                kinds = [kind for kind in checked.expected if kind in checked.found]
                of = f"{len(kinds)} of {len(checked.expected)}: {', '.join(kinds)}" if checked.expected else ""
                others = "; ".join(checked.others) or "none"
                print(
                    f"| {name} | {budget} | {seed} | {of} | {others} | {checked.seconds:.0f} | {checked.cpu:.0f} "
                    f"| {checked.load:.0f} |",
                    flush=True,
                )
    arguments.out.parent.mkdir(parents=True, exist_ok=True)
    arguments.out.write_bytes(msgspec.json.format(msgspec.json.encode(done), indent=2))
    return 0


if __name__ == "__main__":
    sys.exit(main())
