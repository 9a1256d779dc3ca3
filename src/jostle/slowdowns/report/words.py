"""The evidence of a slowdown, told in words: what makes what slower, how fast it grows, when users will feel it."""

from __future__ import annotations

import msgspec
from markupsafe import Markup

from jostle.findings.evidence import GrowingFunction, GrowthOutcome, Law, SlowdownEvidence
from jostle.plural import count
from jostle.report.rows import shown
from jostle.report.words import time
from jostle.slowdowns.growth import ENOUGH
from jostle.slowdowns.report.plot import number

LONGEST_WORDS = 200
LONGEST_REASON = 2000

_LAWS = {
    Law.LOGARITHMIC: "it grows ever more slowly",
    Law.LINEAR: "every repetition adds about the same",
    Law.LINEARITHMIC: "every repetition adds a little more than the one before",
    Law.QUADRATIC: "twice as many repetitions add about four times as much",
    Law.EXPONENTIAL: "it multiplies again and again",
}
_FELT = {"50": "users begin to notice that", "200": "the page feels slow"}


# Functions ---------------------------------------------------------------------------------------------------------


class BlamedFunction(msgspec.Struct, frozen=True, kw_only=True):
    """A function that does more and more, as it is told."""

    name: str
    place: str
    growth: str
    """`ran once at first, 120 times at the end, 93% of the growth`"""
    share: float | None
    lines: tuple[tuple[int, str, bool], ...]
    """Number, text, and whether it is the line that is meant."""


def blamed(function: GrowingFunction) -> BlamedFunction:
    first, last, share = function.first, function.last, function.share
    runs = f"ran {_times(first)} at first, {_times(last)} at the end" if last is not None else ""
    return BlamedFunction(
        name=function.name,
        place=shown(f"{function.file}:{function.line}" if function.line else function.file),
        growth=", ".join(filter(None, (runs, f"{share:.0%} of the growth" if share is not None else ""))),
        share=share,
        lines=tuple(
            (n, shown(text, LONGEST_WORDS), n == function.line)
            for n, text in enumerate(function.excerpt, function.first_line or 1)
        ),
    )


# In words ----------------------------------------------------------------------------------------------------------


def in_words(evidence: SlowdownEvidence) -> Markup:
    """What makes what slower, how fast it grows, and when users will feel it."""
    told = _TELLING[evidence.outcome](evidence)
    if evidence.inverse and not evidence.itself:
        told.append(Markup("It is the same the other way round: each of the two makes the other slower."))
    return Markup(" ").join(each for each in told if each)


def _slowdown(evidence: SlowdownEvidence) -> list[Markup]:
    return [_who(evidence), _rose(evidence), _law(evidence), _without(evidence), _measured(evidence)]


def _bounded(evidence: SlowdownEvidence) -> list[Markup]:
    level = evidence.levelled
    ends = Markup()
    if level is not None:
        ends = Markup(
            "It stops growing after {}, at a cost of {}: however long the application is used, it gets no worse."
        ).format(count(round(level.at), "repetition"), number(level.cost))
    last = Markup(
        "Something limits it, such as a page with a fixed number of rows. If the time at that level is all right, so "
        "is the application."
    )
    return [_who(evidence), _rose(evidence), ends, _taken(evidence), last]


def _failure(evidence: SlowdownEvidence) -> list[Markup]:
    reason = sentence(evidence.reason) or "In the end the application failed."
    failed = Markup('<bdi class="reason">{}</bdi>').format(reason)
    if not evidence.costs:
        return [failed]
    costs = [cost for _, cost in evidence.costs]
    # The cost of what failed, where there is one, is no cost of the event.
    before = evidence.costs[:-1] if costs[-1:] < costs[-2:-1] else evidence.costs
    return [failed, _who(evidence), _rose(msgspec.structs.replace(evidence, costs=before)), _law(evidence)]


_TELLING = {
    GrowthOutcome.SLOWDOWN: _slowdown,
    GrowthOutcome.BOUNDED: _bounded,
    GrowthOutcome.FAILURE: _failure,
}


def _who(evidence: SlowdownEvidence) -> Markup:
    if evidence.itself:
        return Markup("Every {} leaves more work for the next one.").format(_event(evidence.cause))
    if evidence.cause and evidence.effect:
        return Markup("Every {} leaves more work for {}.").format(_event(evidence.cause), _event(evidence.effect))
    return Markup()


def _event(words: str) -> Markup:
    return Markup("<bdi>{}</bdi>").format(shown(words, LONGEST_WORDS))


def _rose(evidence: SlowdownEvidence) -> Markup:
    if len(evidence.costs) < 2:
        return Markup()
    # What is done for the first time may cost more.
    costs = [cost for _, cost in evidence.costs]
    first = 1 if len(costs) > 2 and costs[0] > costs[1] else 0
    times = count(round(evidence.repetitions), "repetition")
    return Markup("Its cost went from {} to {} in {}.").format(number(costs[first]), number(costs[-1]), times)


def _law(evidence: SlowdownEvidence) -> Markup:
    if evidence.law is None:
        return Markup()
    likely = sorted(evidence.others.items(), key=lambda each: -each[1])
    doubts = [f"{evidence.sure:.0%} sure"] if evidence.sure is not None else []
    doubts += ["else " + " or ".join(f"{shown(law)}, {share:.0%}" for law, share in likely)] if likely else []
    meaning = _LAWS.get(evidence.law, "")
    if len(evidence.costs) < ENOUGH:
        few = count(len(evidence.costs), "cost")
        return Markup("The growth looks <strong>{}</strong>, but {} are too few to be sure.").format(
            shown(evidence.law), few
        )
    return Markup("The growth is <strong>{}</strong>{}{}.").format(
        shown(evidence.law), f" ({'; '.join(doubts)})" if doubts else "", f": {meaning}" if meaning else ""
    )


def _without(evidence: SlowdownEvidence) -> Markup:
    if not evidence.control or len(evidence.costs) < 2:
        return Markup()
    (_, first), (_, last) = evidence.costs[0], evidence.costs[-1]
    if max(cost for _, cost in evidence.control) > last + 0.03 * abs(last - first):
        return Markup()
    again = _times(len(evidence.control))
    return Markup("Done {} more without the cause, it cost no more than before.").format(again)


def _taken(evidence: SlowdownEvidence) -> Markup:
    if not evidence.times:
        return Markup()
    (_, first), (after, last) = evidence.times[0], evidence.times[-1]
    return Markup("Measured here, handling it took {} at first and {} after {}.").format(
        _milliseconds(first), _milliseconds(last), count(round(after), "repetition")
    )


def _measured(evidence: SlowdownEvidence) -> Markup:
    measured = max((x for x, _ in evidence.times), default=0.0)
    known = {limit: at for limit, at in evidence.passes.items() if limit in _FELT}
    if known and all(at is None for at in known.values()):
        least = min(known, key=float)
        foretold = f"As far as can be foretold it stays below {least} ms; users on slower machines may feel it earlier."
    else:
        parts = [_passing(limit, at, measured) for limit, at in sorted(known.items(), key=lambda each: float(each[0]))]
        foretold = sentence(", and ".join(parts))
    return Markup(" ").join(filter(None, (_taken(evidence), Markup("{}").format(foretold))))


def _passing(limit: str, at: float | None, measured: float) -> str:
    if at is None:
        return f"{limit} ms are not within sight"
    if at <= 0:
        return f"it takes longer than {limit} ms from the start ({_FELT[limit]})"
    often = count(round(at), "repetition")
    if at <= measured:
        return f"it takes longer than {limit} ms from {often} on ({_FELT[limit]})"
    return f"it is expected to pass {limit} ms after about {often} ({_FELT[limit]})"


def _milliseconds(value: float) -> str:
    return f"{value:.1f} ms" if value < 10 else time(value)


def _times(number_of: float | None) -> str:
    if number_of is None:
        return "never"
    return {0.0: "never", 1.0: "once", 2.0: "twice"}.get(number_of) or f"{number(number_of)} times"


def sentence(text: str) -> str:
    """With a capital letter and a full stop."""
    text = shown(text.strip(), LONGEST_REASON)
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?", "…")) else ".") if text else ""
