"""Which events may make which others slower: Algorithm 1 of EventBreak, near-linear in the length of the history.

Two consecutive occurrences of an effect are evidence about every cause: *support* when the cost rose and the cause was
done in between; against it when the cost rose without the cause, or did not rise in spite of it. As printed, that
touches every event of the application at every occurrence. Here:

- a rise is counted once for the effect (`all` is the number of rises plus the times the cause was in vain);
- a cause must be in at least `least` of the rises, so it must be in one of the few shortest stretches between rises:
  only the events in those are looked at, the shortest stretches first, and dropped as soon as they miss too many;
- whether an event was done in a stretch is a binary search in the list of its occurrences.

Differences from the printed algorithm, on purpose:

- the thresholds are reached, not passed (`>=`; the paper's text says so, its listing has `>`);
- a stretch across a fresh start of the application is no evidence of anything;
- an event that makes itself slower is found too (`itself`): every two occurrences are evidence about it;
- `several_causes`: the rises brought about by one cause speak against every other cause of the same effect: of three
  causes none gets a confidence above a third. With this, rises without the cause are not counted against it. It finds
  more and is less sure.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from jostle.slowdown.history import Action, Occurrence, Pair

SUPPORT = 3
CONFIDENCE = 0.8


class Candidate(msgspec.Struct, frozen=True, kw_only=True):
    """A pair that may be a slowdown, with the evidence for it."""

    pair: Pair
    support: int
    """How often the effect cost more than the time before and the cause had been done in between."""
    all: int
    """The same, and how often one of the two was so without the other."""
    rise: float = 0.0
    """By how much the cost of the effect rose in the supporting stretches, all in all."""

    @property
    def confidence(self) -> float:
        return self.support / self.all

    def __str__(self) -> str:
        return f"{self.pair} ({self.support}/{self.all})"


class _Stretch(msgspec.Struct, frozen=True):
    """From one occurrence of an effect to the next: positions in the history, and by how much the cost rose."""

    start: int
    end: int
    rise: float


class _Seen:
    """Where in the history each event was done."""

    def __init__(self, occurrences: Sequence[Occurrence]) -> None:
        numbers: dict[Action, int] = {}
        self.ids = [numbers.setdefault(each.action, len(numbers)) for each in occurrences]
        self.actions = list(numbers)
        self.positions: list[list[int]] = [[] for _ in numbers]
        for position, number in enumerate(self.ids):
            self.positions[number].append(position)

    def within(self, number: int, stretch: _Stretch) -> bool:
        positions = self.positions[number]
        found = bisect_right(positions, stretch.start)
        return found < len(positions) and positions[found] < stretch.end


def infer(
    occurrences: Iterable[Occurrence],
    *,
    support: int = SUPPORT,
    confidence: float = CONFIDENCE,
    itself: bool = True,
    several_causes: bool = False,
) -> list[Candidate]:
    """The pairs whose support and confidence reach the thresholds, the most promising first."""
    if support < 1 or not 0 <= confidence <= 1:
        raise ValueError("support is at least 1 and confidence between 0 and 1")
    occurrences = list(occurrences)
    seen = _Seen(occurrences)
    found: list[Candidate] = []
    for effect, stretches in _stretches(occurrences, seen):
        rises = [each for each in stretches if each.rise > 0]
        if len(stretches) < support or len(rises) < support:
            continue
        flat = sorted((each for each in stretches if each.rise <= 0), key=lambda each: each.start - each.end)
        if several_causes:
            counted = _counts(rises, seen), _counts(flat, seen)
            causes = {
                cause: times
                for cause, times in counted[0].items()
                if cause != effect and times >= max(support, confidence * (times + counted[1][cause]) - 1e-9)
            }
        else:
            causes = _in_most(rises, seen, effect, max(support, math.ceil(confidence * len(rises) - 1e-9)))
        for cause, times in causes.items():
            base = times if several_causes else len(rises)
            against = _against(cause, flat, seen, times / confidence - base if confidence else math.inf)
            if against is not None:
                total = base + against
                rise = sum(each.rise for each in rises if seen.within(cause, each))
                pair = Pair(seen.actions[cause], seen.actions[effect])
                found.append(Candidate(pair=pair, support=times, all=total, rise=rise))
        if itself and len(rises) >= confidence * len(stretches) - 1e-9:
            pair = Pair(seen.actions[effect], seen.actions[effect])
            rise = sum(each.rise for each in rises)
            found.append(Candidate(pair=pair, support=len(rises), all=len(stretches), rise=rise))
    return sorted(found, key=lambda each: (-each.confidence, -each.support, -each.rise))


def _stretches(occurrences: Sequence[Occurrence], seen: _Seen) -> Iterator[tuple[int, list[_Stretch]]]:
    """For each event, what lies between its occurrences."""
    for number, positions in enumerate(seen.positions):
        stretches: list[_Stretch] = []
        last: int | None = None
        for position in positions:
            cost = occurrences[position].cost
            if cost is None:
                continue
            if last is not None and occurrences[last].run == occurrences[position].run:
                before = occurrences[last].cost
                assert before is not None
                stretches.append(_Stretch(last, position, cost - before))
            last = position
        yield number, stretches


def _counts(stretches: Iterable[_Stretch], seen: _Seen) -> Counter[int]:
    """In how many of the stretches each event was done."""
    times: Counter[int] = Counter()
    for stretch in stretches:
        times.update(set(seen.ids[stretch.start + 1 : stretch.end]))
    return times


def _against(cause: int, flat: Iterable[_Stretch], seen: _Seen, most: float) -> int | None:
    """In how many of the stretches, long ones first, the cause was done; None for more than `most`."""
    count = 0
    for stretch in flat:
        count += seen.within(cause, stretch)
        if count > most + 1e-9:
            return None
    return count if most > -1e-9 else None


def _in_most(rises: Sequence[_Stretch], seen: _Seen, effect: int, least: int) -> dict[int, int]:
    """The events, but for the effect itself, that were done in at least `least` of the stretches, and in how many."""
    shortest_first = sorted(rises, key=lambda each: each.end - each.start)
    misses = len(rises) - least
    first, rest = shortest_first[: misses + 1], shortest_first[misses + 1 :]
    missed = {cause: len(first) - times for cause, times in _counts(first, seen).items() if cause != effect}
    for stretch in rest:
        if not missed:
            break
        if stretch.end - stretch.start < 8 * len(missed):
            absent = missed.keys() - set(seen.ids[stretch.start + 1 : stretch.end])
        else:
            absent = {cause for cause in missed if not seen.within(cause, stretch)}
        for cause in absent:
            if missed[cause] == misses:
                del missed[cause]
            else:
                missed[cause] += 1
    return {cause: len(rises) - times for cause, times in missed.items()}
