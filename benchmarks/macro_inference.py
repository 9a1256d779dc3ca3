"""How long it takes to learn macros from as much as in the paper: `python -m benchmarks.macro_inference`."""

from __future__ import annotations

import random
import sys
import time
from itertools import pairwise

from jostle.model.inference import macros_of
from jostle.model.mining import closed, frequent
from jostle.model.usage import MicroEvent, UsageEntry

PIECES, EVENTS = 61, 4500
"""Zurmo in the paper: 61 pieces of 4,532 events, 158,969 frequent sequences, 94,293 closed, 18 macros, 85 minutes."""
SUPPORT, LENGTH_MAX = 8, 10
GOAL = 60
"""Seconds."""
NOISE = 55
"""How much more often than a menu something happens that belongs to nothing, in thirds."""


def zurmo(seed: int = 1) -> list[list[UsageEntry]]:
    """People at work in a customer database: menus, forms, lists and what comes between."""
    chance = random.Random(seed)
    pieces = []
    for number in range(PIECES):
        piece: list[UsageEntry] = []
        url = f"http://crm.test/{number}"
        while len(piece) < EVENTS // PIECES + (number < EVENTS % PIECES):
            habit = chance.choices((menu, form, rows, noise), (3, 2, 3, NOISE))[0]
            piece += habit(chance, url)
        pieces.append(piece[: EVENTS // PIECES + (number < EVENTS % PIECES)])
    return pieces


def entry(type_: str, element: str, xpath: str, url: str) -> UsageEntry:
    return UsageEntry(MicroEvent(type_, element), xpath, url)


def menu(chance: random.Random, url: str) -> list[UsageEntry]:
    """Open one of the menus, pass some items, click one."""
    top = f"/html/body/div[1]/ul/li[{chance.randint(2, 4)}]"
    done = [entry("hover", "a", f"{top}/a", url)]
    for item in range(2, 2 + min(6, int(chance.expovariate(0.5)))):
        done += [entry("hover", "li", f"{top}/ul/li[{item}]", url), entry("leave", "li", f"{top}/ul/li[{item}]", url)]
    return [*done, entry("click", "a", f"{top}/ul/li[{chance.randint(2, 8)}]/a", url)]


def form(chance: random.Random, url: str) -> list[UsageEntry]:
    """Fill some fields of a form in their order and send it."""
    place = f"/html/body/div[2]/div[{chance.randint(2, 3)}]/form"
    done = []
    for field in range(2, 7):
        if chance.random() < 0.5:
            path = f"{place}/div[{field}]/{'select' if field == 6 else 'input'}"
            kind = "select" if field == 6 else "input:text"
            done += [entry("click", kind, path, url), entry("select" if field == 6 else "type", kind, path, url)]
            if chance.random() < 0.5:
                done.append(entry("press", kind, path, url))
    return [*done, entry("click", "button", f"{place}/div[9]/button", url)]


def rows(chance: random.Random, url: str) -> list[UsageEntry]:
    """Tick some rows of a list and do something with them."""
    table = "/html/body/div[3]/div[2]/table"
    done = []
    for _ in range(chance.randint(1, 3)):
        path = f"{table}/tbody/tr[{chance.randint(2, 9)}]/td[1]/input"
        done += [entry("hover", "tr", path.rpartition("/td")[0], url), entry("check", "input:checkbox", path, url)]
    return [*done, entry("click", "a", f"{table}/thead/tr/th[{chance.randint(2, 4)}]/a", url)]


def noise(chance: random.Random, url: str) -> list[UsageEntry]:
    """The pointer crosses something, or the page is scrolled."""
    where = f"/html/body/div[{chance.randint(5, 30)}]/p[{chance.randint(2, 9)}]/span/b/i/em/u"
    kind = chance.choice(("hover", "leave", "scroll"))
    return [entry(kind, chance.choice(("h2", "p", "img", "span")), where, url)]


def main() -> int:
    pieces = zurmo()
    times = [time.perf_counter()]
    found = list(frequent(pieces, support=SUPPORT, length_max=LENGTH_MAX))
    times.append(time.perf_counter())
    kept = closed(found)
    times.append(time.perf_counter())
    macros = macros_of(kept)
    times.append(time.perf_counter())
    mining, closing, merging = (after - before for before, after in pairwise(times))
    states = sum(macro.states for macro in macros) / len(macros)
    transitions = sum(len(macro.transitions) for macro in macros) / len(macros)
    print(
        "| events | pieces | frequent | closed | macros | states / transitions | mining | closed only | k-tails | all |"
    )
    print("| ---: " * 10 + "|")
    print(
        f"| {sum(map(len, pieces)):,} | {len(pieces)} | {len(found):,} | {len(kept):,} | {len(macros)} "
        f"| {states:.0f} / {transitions:.0f} | {mining:.1f} s | {closing:.1f} s | {merging:.1f} s "
        f"| {times[-1] - times[0]:.1f} s |"
    )
    return int(len(found) < 100_000 or times[-1] - times[0] > GOAL)


if __name__ == "__main__":
    sys.exit(main())
