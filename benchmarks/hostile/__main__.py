"""`python -m benchmarks.hostile [--only PART]`: attacks, what came of them, and the figures in docs/benchmarks.md."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

from benchmarks.hostile.endurance import endurance
from benchmarks.hostile.floods import budgets, interrupts
from benchmarks.hostile.kills import kills
from benchmarks.hostile.mutations import mutations
from benchmarks.hostile.secrets import secrets
from benchmarks.hostile.tally import Row, table
from benchmarks.hostile.ways_out import ways_out

Part = Callable[[argparse.Namespace], list[Row]]
PARTS: dict[str, Part] = {
    "kills": lambda given: kills(given.kills, given.seed),
    "files": lambda given: mutations(given.files, given.seed),
    "budgets": lambda given: budgets(given.pages, given.seed, given.page),
    "interrupts": lambda given: interrupts(given.pages, given.seed, given.page),
    "ways-out": lambda given: ways_out(),
    "secrets": lambda given: secrets(),
    "endurance": lambda given: endurance(given.events, given.seconds),
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.hostile", description=__doc__)
    parser.add_argument("--only", action="append", choices=sorted(PARTS), help="only this part; may be repeated")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--kills", type=int, default=64)
    parser.add_argument("--pages", type=int, default=50, help="hostile pages with a budget, and as many with Ctrl-C")
    parser.add_argument("--page", action="append", default=[], help="only these of the hostile pages")
    parser.add_argument("--files", type=int, default=500, help="damaged files of each format")
    parser.add_argument("--events", type=int, default=10_000, help="events of the endurance run")
    parser.add_argument("--seconds", type=float, default=900, help="the endurance run ends after this time")
    given = parser.parse_args()
    rows: list[Row] = []
    for name in given.only or PARTS:
        began = time.monotonic()
        rows += PARTS[name](given)
        print(f"{name}: {time.monotonic() - began:.0f} s", flush=True)
    print()
    print(table(rows))


if __name__ == "__main__":
    main()
