"""Which events may make which others slower: Algorithm 1 of EventBreak, near-linear in the length of the history.

Two consecutive occurrences of an effect are evidence about every cause: *support* when the cost rose and the cause was
done in between; against it when the cost rose without the cause, or did not rise in spite of it. As printed, that
touches every event of the application at every occurrence. Here:

- a rise is counted once for the effect (`all` is the number of rises plus the times the cause was in vain);
- which events were done in a stretch is one large number with a byte for each of them, put together from those of whole
  blocks of the history; adding up the numbers of all stretches counts for all causes at once;
- pairs are compared by counts alone; only what is handed out is made into candidates.

Differences from the printed algorithm, on purpose:

- the thresholds are reached, not passed (`>=`; the paper's text says so, its listing has `>`);
- a stretch across a fresh start of the application is no evidence of anything;
- an event that makes itself slower is found too (`itself`): every two occurrences are evidence about it;
- `several_causes`: the rises brought about by one cause speak against every other cause of the same effect: of three
  causes none gets a confidence above a third. With this, rises without the cause are not counted against it. It finds
  more and is less sure.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from heapq import nsmallest
from operator import add

import msgspec

from jostle.slowdowns.history import Action, Occurrence, Pair

SUPPORT = 3
CONFIDENCE = 0.8
MOST = 10_000
"""No more candidates than this are handed out: nobody can try them all."""
BLOCK = 256
"""The history is cut into blocks of so many events."""


class SuspectedPair(msgspec.Struct, frozen=True, kw_only=True):
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

    def rise(self, cause: int, rises: Sequence[_Stretch]) -> float:
        """By how much the cost rose in those of the stretches in which the cause was done."""
        positions = self.positions[cause]
        if len(positions) < len(rises):
            places = {bisect_left(rises, position, key=lambda each: each.start) - 1: position for position in positions}
            return sum(rises[n].rise for n in sorted(places) if n >= 0 and self._within(positions, rises[n]))
        return sum(each.rise for each in rises if self._within(positions, each))

    def _within(self, positions: Sequence[int], stretch: _Stretch) -> bool:
        found = bisect_right(positions, stretch.start)
        return found < len(positions) and positions[found] < stretch.end


class _Counts:
    """In how many stretches each event was done. Of events that were done less than `least` times that is not known."""

    def __init__(self, seen: _Seen, least: int) -> None:
        often = [number for number, positions in enumerate(seen.positions) if len(positions) >= least]
        lanes = {number: lane for lane, number in enumerate(often)}
        self.events = often
        """The event of each lane."""
        # The last lane is for all the others.
        self._lanes = [lanes.get(number, len(often)) for number in seen.ids]
        blocks = [self._done(n, n + BLOCK) for n in range(0, len(seen.ids) - BLOCK + 1, BLOCK)]
        self._spans = [blocks]
        """The n-th of the k-th has what was done in the 2^k blocks from the n-th on."""
        while 2 ** len(self._spans) <= len(blocks):
            last = self._spans[-1]
            self._spans.append([a | b for a, b in zip(last, last[2 ** (len(self._spans) - 1) :], strict=False)])

    def _done(self, *parts: int) -> int:
        """What was done from the first position up to the second, from the third up to the fourth ..."""
        done = bytearray(len(self.events) + 1)
        for begin, end in zip(parts[::2], parts[1::2], strict=True):
            for lane in self._lanes[begin:end]:
                done[lane] = 1
        return int.from_bytes(done, "little")

    def _within(self, stretch: _Stretch) -> int:
        begin, end = stretch.start + 1, stretch.end
        first, last = -(-begin // BLOCK), end // BLOCK
        if first >= last:
            return self._done(begin, end)
        size = (last - first).bit_length() - 1
        spans = self._spans[size]
        return spans[first] | spans[last - (1 << size)] | self._done(begin, first * BLOCK, last * BLOCK, end)

    def of(self, stretches: Sequence[_Stretch]) -> Sequence[int]:
        """By lane."""
        size = len(self.events) + 1
        total: Sequence[int] = bytes(size)
        for n in range(0, len(stretches), 255):  # as much as a byte can count
            part = sum(map(self._within, stretches[n : n + 255])).to_bytes(size, "little")
            total = part if n == 0 else list(map(add, total, part))
        return total[:-1]


def infer(
    occurrences: Iterable[Occurrence],
    *,
    support: int = SUPPORT,
    confidence: float = CONFIDENCE,
    itself: bool = True,
    several_causes: bool = False,
    most: int = MOST,
) -> list[SuspectedPair]:
    """The pairs whose support and confidence reach the thresholds, the most promising first, at most `most`."""
    if support < 1 or not 0 <= confidence <= 1:
        raise ValueError("support is at least 1 and confidence between 0 and 1")
    occurrences = list(occurrences)
    seen = _Seen(occurrences)
    counts = _Counts(seen, support)
    risen: dict[int, list[_Stretch]] = {}
    found: list[tuple[float, int, float, int, int, int]] = []
    """Confidence, support and rise of the effect, all negative; effect, cause, all."""
    for effect, stretches in _stretches(occurrences, seen):
        rises = [each for each in stretches if each.rise > 0]
        if len(rises) < support:
            continue
        risen[effect] = rises
        rise = -sum(each.rise for each in rises)
        flat = counts.of([each for each in stretches if each.rise <= 0])
        for lane, times in enumerate(counts.of(rises)):
            if times >= support:
                every = (times if several_causes else len(rises)) + flat[lane]
                if times >= confidence * every - 1e-9:
                    found.append((-times / every, -times, rise, effect, counts.events[lane], every))
        if itself and len(rises) >= confidence * len(stretches) - 1e-9:
            found.append((-len(rises) / len(stretches), -len(rises), rise, effect, effect, len(stretches)))
        if len(found) > 8 * most:
            found = nsmallest(most, found)
    candidates = [
        SuspectedPair(
            pair=Pair(seen.actions[cause], seen.actions[effect]),
            support=-times,
            all=every,
            rise=-rise if cause == effect else seen.rise(cause, risen[effect]),
        )
        for _, times, rise, effect, cause, every in nsmallest(most, found)
    ]
    return sorted(candidates, key=lambda each: (-each.confidence, -each.support, -each.rise))


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
