"""The steps to a slowdown, in which the same is done over and over, told shortly: `20 times: …`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import msgspec

from jostle.model.label import label_of_words

FEWEST = 3
"""So many times the same, at least, is told as one."""
LONGEST_PERIOD = 12
"""Events that take turns, at most."""


class Fold(msgspec.Struct, frozen=True):
    """One step, or some that are done several times over."""

    text: str = ""
    times: int = 1
    steps: tuple[Fold, ...] = ()

    @property
    def size(self) -> int:
        """Lines it takes to tell it."""
        return 1 + sum(each.size for each in self.steps)


def folded(steps: Sequence[str]) -> tuple[Fold, ...]:
    """The steps in as few lines as can be. Texts that are typed may differ from one time to the next."""
    names = [_name(step) for step in steps]
    texts: defaultdict[str, set[str]] = defaultdict(set)
    for step, name in zip(steps, names, strict=True):
        texts[name].add(step)
    always = {
        name: next(iter(those)) if len(those) == 1 else f"{name} (another value each time)"
        for name, those in texts.items()
    }
    known: dict[tuple[str, ...], tuple[Fold, ...]] = {}

    def fold(names: tuple[str, ...], texts: Sequence[str]) -> tuple[Fold, ...]:
        # From the end on: how many lines the rest takes, and how that begins.
        lines = [0] * (len(names) + 1)
        begins: list[tuple[Fold, int]] = [(Fold(), 0)] * len(names)
        alike = [0] * (LONGEST_PERIOD + 1)  # for each period, how many names from here on are as the one a period later
        for start in reversed(range(len(names))):
            options = [(1 + lines[start + 1], Fold(texts[start]), start + 1)]
            for period in range(1, min(LONGEST_PERIOD, len(names) - start - 1) + 1):
                alike[period] = alike[period] + 1 if names[start] == names[start + period] else 0
                most = alike[period] // period + 1
                for times in (most, most - 1):  # the last one may go better with what follows
                    if times >= FEWEST:
                        end = start + period * times
                        inner = repeated(names[start : start + period])
                        each = Fold(times=times, steps=inner)
                        options.append((each.size + lines[end], each, end))
            lines[start], first, after = min(options, key=lambda option: option[0])
            begins[start] = (first, after)
        told, at = [], 0
        while at < len(names):
            begin, at = begins[at]
            told.append(begin)
        return tuple(told)

    def repeated(names: tuple[str, ...]) -> tuple[Fold, ...]:
        if names not in known:
            known[names] = fold(names, [always[name] for name in names])
        return known[names]

    return fold(tuple(names), steps)


def _name(step: str) -> str:
    return label_of_words(step)
