"""A server that gets slower instead of the page: what is done again and again, and the answers take longer each time.

That is no cost of the page, and no finding; but it is told. Times vary as costs do not. So what looks like it while the
application is explored is tried several times, each from a fresh start, and the quickest answers are compared.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, pairwise
from statistics import median

from jostle.addresses import split_url
from jostle.events import Effect
from jostle.findings.evidence import ServerSlower
from jostle.model.visit import Visit
from jostle.slowdowns.growth import Point, rises
from jostle.slowdowns.history import Action, Occurrence, Pair, action_of
from jostle.slowdowns.inference import infer
from jostle.slowdowns.trigger import Walker

ANSWERS = 13
"""So many times the effect is done in a trial. The first answer does not count: for it, the connection is made."""
LEAST = 8
"""With fewer answers nothing is said."""
TRIALS = 3
"""Another program may keep a server waiting, but hardly at the same place in each of so many trials."""
PROMISING, AGREE = 0.2, 0.8
"""Of all pairs of answers, the share by which those prevail in which the later one took longer: what is worth another
trial, and what is told. The latter is what chance brings about once in thousands of times."""
JUMP = 0.6
"""When more than this share of the growth comes all at once, it is another thing that has happened."""
GROWN, TIMES = 20.0, 1.5
"""Answers must take so many milliseconds longer in the end, and so many times as long."""
EFFECTS, CAUSES = 4, 2
"""How many effects are tried; and with how many other events each, besides itself."""
_RESOURCES = ("document", "fetch", "xhr")
_NUMBER = re.compile(r"\d+|[0-9a-f-]{16,}", re.IGNORECASE)

Asked = tuple[str, int]
"""A request without what differs each time, and the how many-th of its kind in an event."""


def answer_times(effect: Effect) -> dict[Asked, float]:
    """How long each answer of an event took, in milliseconds."""
    found: dict[Asked, float] = {}
    seen: Counter[str] = Counter()
    for answer in effect.answers:
        if answer.took and answer.resource in _RESOURCES and not answer.error:
            path = "/".join("…" if _NUMBER.fullmatch(part) else part for part in split_url(answer.url).path.split("/"))
            request = f"{answer.method} {path}"
            seen[request] += 1
            found[request, seen[request]] = answer.took
    return found


def agreement(times: Sequence[float]) -> float:
    """Kendall's τ with time: 1 when every answer took longer than the one before, about 0 when it is chance."""
    pairs = list(combinations(times, 2))
    return (sum(a < b for a, b in pairs) - sum(a > b for a, b in pairs)) / len(pairs) if pairs else 0.0


def slower(times: Sequence[float]) -> bool:
    """Whether answers took longer and longer: steadily, and by enough to be felt."""
    if len(times) < LEAST or agreement(times) < AGREE:
        return False
    smooth = [median(times[n : n + 3]) for n in range(len(times) - 2)]
    grown = smooth[-1] - smooth[0]
    jump = max(b - a for a, b in pairwise(smooth))
    return grown >= GROWN and smooth[-1] >= TIMES * smooth[0] and jump <= JUMP * grown


def suspects(visits: Iterable[Visit]) -> Iterator[list[Pair]]:
    """Pairs that may be the cause of answers that took longer at times, for each effect; each by itself at first."""
    visits = list(visits)
    timed = [(visit, action_of(visit), answer_times(visit.effect)) for visit in visits]
    series: dict[tuple[Asked, Action], list[float]] = {}
    for _, action, times in timed:
        for asked, time in times.items():
            series.setdefault((asked, action), []).append(time)
    spread: dict[tuple[Asked, Action], float] = {}
    for key, took in series.items():
        few = len(took) // 20  # the quickest and the slowest may be chance
        least, most = sorted(took)[few], sorted(took)[-1 - few]
        if most - least >= GROWN and most >= TIMES * least:
            spread[key] = most - least
    told: set[Action] = set()
    for asked, effect in sorted(spread, key=lambda key: -spread[key]):
        if effect in told or len(told) >= EFFECTS:
            continue
        told.add(effect)
        past = [
            Occurrence(action, times.get(asked) if action == effect else None, visit.run)
            for visit, action, times in timed
        ]
        likely = infer(past, support=2, confidence=0.5, itself=False, several_causes=True)
        yield [Pair(effect, effect), *(each.pair for each in sorted(likely, key=lambda each: -each.rise)[:CAUSES])]


async def slower_servers(walker: Walker, visits: Iterable[Visit]) -> list[ServerSlower]:
    """What is so, of what looked so while the application was explored."""
    found: list[ServerSlower] = []
    for pairs in suspects(visits):
        for pair in pairs:
            shown = await _shown(walker, pair)
            if shown is not None:
                found.append(shown)
                break
    return found


async def _shown(walker: Walker, pair: Pair) -> ServerSlower | None:
    """When the quicker of each two answers, or the quickest of three, take longer and longer."""
    best: dict[Asked, list[float]] = {}
    for trial in range(TRIALS):
        series = await _tried(walker, pair)
        if not any(agreement(times) > PROMISING for times in series.values()):
            return None
        best = {
            asked: [min(both) for both in zip(times, best.get(asked, times), strict=False)]
            for asked, times in series.items()
            if asked in best or not trial
        }
        grown = {asked: times for asked, times in best.items() if slower(times)} if trial else {}
        if grown:
            asked = max(grown, key=lambda each: grown[each][-1] - grown[each][0])
            times = tuple((float(number), time) for number, time in enumerate(grown[asked], 1))
            return ServerSlower(request=asked[0], cause=pair.cause.label, effect=pair.effect.label, times=times)
    return None


async def _tried(walker: Walker, pair: Pair) -> dict[Asked, list[float]]:
    """Cause and effect in turn, from a fresh start: the times of each request, from the second answer on. Nothing when
    the page has more and more to do with it."""
    if walker.budget.spent:
        return {}
    await walker.begin()
    answers: list[Mapping[Asked, float]] = []
    costs: list[Point] = []
    while len(answers) < ANSWERS:
        if answers and not pair.itself and await walker.trigger(pair.cause) is None:
            break
        visit = await walker.trigger(pair.effect)
        if visit is None:
            break
        answers.append(answer_times(visit.effect))
        costs.append((float(len(costs)), float(visit.effect.cost or 0)))
        if len(answers) == LEAST and not any(agreement(each) > PROMISING for each in _series(answers).values()):
            break
    return _series(answers) if not rises(costs[1:]) else {}


def _series(answers: Sequence[Mapping[Asked, float]]) -> dict[Asked, list[float]]:
    """Of the requests that were made every time."""
    return {
        asked: [times[asked] for times in answers[1:]]
        for asked in (answers[1] if len(answers) > 1 else ())
        if all(asked in times for times in answers[1:])
    }
