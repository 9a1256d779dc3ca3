"""Pairs that are the doing of one root cause, told together."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import pairwise

import msgspec

from jostle.slowdowns.history import Pair
from jostle.slowdowns.verdict import PairJudgement, PairOutcome

ALIKE = 0.5
"""Pairs whose growing functions agree to this share have the same root cause."""


class Root(msgspec.Struct, frozen=True, kw_only=True):
    """One root cause: the pair that shows it best, and what else it shows in."""

    main: PairJudgement
    inverse: tuple[PairJudgement, ...] = ()
    """The same two the other way round: each makes the other slower."""
    duplicates: tuple[PairJudgement, ...] = ()
    functions: frozenset[str] = frozenset()
    """The functions that run more and more often, in any of its pairs."""

    @property
    def verdicts(self) -> tuple[PairJudgement, ...]:
        return (self.main, *self.inverse, *self.duplicates)


def by_root_cause(
    verdicts: Iterable[PairJudgement], growing: Mapping[Pair, Collection[str]] | None = None
) -> list[Root]:
    """The slowdowns, bounds and failures among the verdicts, grouped.

    Two pairs belong together when the same functions grow in both (`growing`), as far as these are known; else when

    - they are the same two events in other states, or the other way round;
    - one was only shown together with the cause of the other, or rises just as fast without its own cause;
    - the effect makes itself slower, and as fast as with the other cause.

    An effect with several causes that each do it alone has several root causes, unless the functions say otherwise.
    """
    functions = {pair: frozenset(names) for pair, names in (growing or {}).items() if names}
    groups: list[list[PairJudgement]] = []
    for verdict in verdicts:
        if not verdict.found:
            continue
        joined = [group for group in groups if any(_together(verdict, other, functions) for other in group)]
        for group in joined:
            groups.remove(group)
        groups.append([each for group in joined for each in group] + [verdict])
    return sorted((_root(group, functions) for group in groups), key=lambda root: _rank(root.main))


def _together(a: PairJudgement, b: PairJudgement, functions: Mapping[Pair, frozenset[str]]) -> bool:
    known = functions.get(a.pair), functions.get(b.pair)
    if known[0] and known[1]:
        return len(known[0] & known[1]) >= ALIKE * len(known[0] | known[1])
    one, other = _labels(a), _labels(b)
    if one == other or one == other[::-1]:
        return True
    return one[1] == other[1] and (_needs(a, b) or _needs(b, a))


def _needs(a: PairJudgement, b: PairJudgement) -> bool:
    """Whether b explains a, which has the same effect."""
    cause = b.pair.cause.label
    if a.without_cause and (b.pair.itself or cause in a.trial.between):
        return True
    return cause in a.trial.between or (b.pair.itself and not a.pair.itself and _slope(a) <= 1.25 * _slope(b))


def _every_time(costs: Sequence[float]) -> bool:
    """Whether each cost is higher than the one before; the first may be a special one."""
    return all(a < b for a, b in pairwise(costs[1:]))


def _slope(verdict: PairJudgement) -> float:
    """By how much the cost rises with each repetition."""
    first, *_, last = (*verdict.trial.samples[:1], *verdict.trial.samples)
    return (last.cost - first.cost) / max(1, last.repetitions - first.repetitions)


def _labels(verdict: PairJudgement) -> tuple[str, str]:
    return verdict.pair.cause.label, verdict.pair.effect.label


_ORDER = {PairOutcome.SLOWDOWN: 0, PairOutcome.FAILURE: 1, PairOutcome.BOUNDED: 2}


def _rank(verdict: PairJudgement) -> tuple[object, ...]:
    """What shows best comes first: alone, with every repetition, without detours, the steepest."""
    return (
        _ORDER[verdict.outcome],
        verdict.without_cause,
        not _every_time(verdict.trial.costs),
        verdict.trial.as_seen,
        len(verdict.trial.between),
        -_slope(verdict),
        _labels(verdict),
    )


def _root(group: list[PairJudgement], functions: Mapping[Pair, frozenset[str]]) -> Root:
    main, *rest = sorted(group, key=_rank)
    # Who looked farther knows more: a growth that has an end beyond where another was left is that one's too.
    ends = [each for each in rest if each.levelled is not None and each.levelled.at > main.trial.repetitions]
    if main.outcome is PairOutcome.SLOWDOWN and ends:
        main, rest = ends[0], [each for each in (main, *rest) if each is not ends[0]]
    back = _labels(main)[::-1]
    inverse = tuple(each for each in rest if _labels(each) == back and back != back[::-1])
    return Root(
        main=main,
        inverse=inverse,
        duplicates=tuple(each for each in rest if each not in inverse),
        functions=frozenset().union(*(functions.get(each.pair, frozenset()) for each in group)),
    )
