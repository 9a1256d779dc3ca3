"""`python -m benchmarks.hostile [--only PART]`: attacks, what came of them, and the figures in docs/benchmarks.md."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

from benchmarks.hostile.endurance import endurance
from benchmarks.hostile.mutations import mutations
from benchmarks.hostile.tally import Row, table

Part = Callable[[argparse.Namespace], list[Row]]
PARTS: dict[str, Part] = {
    "files": lambda given: mutations(given.files, given.seed),
    "endurance": lambda given: endurance(given.events, given.seconds),
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.hostile", description=__doc__)
    parser.add_argument("--only", action="append", choices=sorted(PARTS), help="only this part; may be repeated")
    parser.add_argument("--seed", type=int, default=0)
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
