"""How long finding pairs takes in a history of many different events: `python -m benchmarks.slowdown_inference`."""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable, Sequence

from jostle.events import State
from jostle.slowdowns.history import Action, Occurrence
from jostle.slowdowns.inference import infer

EVENTS, UNIQUE = 50_000, 2_000
GOAL = 10.0
Cost = Callable[[int, int, random.Random], float]
"""Of an event, at a position."""

COSTS: dict[str, Cost] = {
    "constant": lambda event, position, chance: 7,
    "a quarter by chance": lambda event, position, chance: 7 if event % 4 else chance.randrange(100),
    "all by chance": lambda event, position, chance: chance.randrange(100),
    "all rise all the time": lambda event, position, chance: position,
}


def orders(chance: random.Random) -> dict[str, Sequence[int]]:
    return {
        "all alike": chance.choices(range(UNIQUE), k=EVENTS),
        "some often, most seldom": chance.choices(range(UNIQUE), [1 / (n + 1) for n in range(UNIQUE)], k=EVENTS),
        "in turn": [n % UNIQUE for n in range(EVENTS)],
    }


def main() -> int:
    actions = [Action(f"event {n}", State("s"), State("s")) for n in range(UNIQUE)]
    print(f"{EVENTS:,} events, {UNIQUE:,} of them different\n")
    print("| events come | costs | one cause | several causes |\n|---|---|--:|--:|")
    worst = 0.0
    for order, chosen in orders(random.Random(1)).items():
        for name, cost in COSTS.items():
            chance = random.Random(2)
            past = [Occurrence(actions[n], cost(n, at, chance)) for at, n in enumerate(chosen)]
            taken: list[float] = []
            for several in (False, True):
                began = time.process_time()
                infer(past, several_causes=several)
                taken.append(time.process_time() - began)
            worst = max(worst, *taken)
            print(f"| {order} | {name} | {taken[0]:.1f} s | {taken[1]:.1f} s |", flush=True)
    print(f"\nAt most {worst:.1f} s; the goal is {GOAL:g} s.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
