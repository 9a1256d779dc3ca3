"""Is it a race? The two orders are run from the same start with the same answers, and their ends are compared."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

import msgspec

from jostle.events import Event
from jostle.exploring.application import Explored
from jostle.findings.evidence import OutcomeDifference, Role
from jostle.model.page import READABLE
from jostle.model.reaction import Reaction
from jostle.oracles.outcome import Noise, Outcome, differences, noise_between, outcome
from jostle.races.rehearsal import Rehearsal
from jostle.races.responses.conflict import ResponsePair
from jostle.races.responses.orders import Infeasible, Late, RoledStep, in_turn, overtaken
from jostle.recording.file import Recording
from jostle.recording.recorder import Recorder

LONGEST_WAY = 12
"""A longer way than this is not gone when a shorter one did not lead to the place."""
_ENTERING = ("type", "fill", "select", "check", "upload")


class PairVerdict(StrEnum):
    RACE = "race"
    HARMLESS = "harmless"
    """The end is the same in both orders."""
    GUARDED = "guarded"
    """While answers are missing, the application does not let the second event happen."""
    INFEASIBLE = "infeasible"
    UNSURE = "not repeatable"
    """The ends differ, but not every time in the same way."""


class End(msgspec.Struct, frozen=True, kw_only=True):
    """A run that was made."""

    told: tuple[RoledStep, ...]
    outcome: Outcome
    recording: Recording


class ExaminedPair(msgspec.Struct, frozen=True, kw_only=True):
    """What came of trying a pair."""

    candidate: ResponsePair
    verdict: PairVerdict
    reason: str = ""
    differences: tuple[OutcomeDifference, ...] = ()
    noise: Noise = Noise()
    late: tuple[Event, ...] = ()
    """What was held."""
    good: End | None = None
    bad: End | None = None


async def examine(rehearsal: Rehearsal, candidate: ResponsePair, second: Event | None) -> ExaminedPair:
    """Run both orders; where the ends differ, both once more, to tell noise from races and to have a recording of each.

    `second`: the second event as it is to be done, with its value.
    """
    whole, direct = candidate.first.path, candidate.first.direct
    first, *others = candidate.ways
    tried: list[ExaminedPair] = []
    for way in (first, *(each for each in others if len(each) <= LONGEST_WAY)):
        examined = await _along(rehearsal, candidate, way, second)
        tried.append(examined)
        if examined.verdict in (PairVerdict.RACE, PairVerdict.GUARDED):
            return examined
        # Else states told too little, and the shorter way does not lead there. What was entered on other pages than
        # this one is gone.
        if examined.late and (way == direct or not leaves_out(way, whole)):
            break
    return next((each for each in tried if each.late), tried[-1])


def leaves_out(way: Sequence[Event], whole: Sequence[Event]) -> bool:
    """Whether something was entered on the whole way that is not on this one: states do not tell what is in fields."""
    entered = [event.key for event in whole if event.action.type in _ENTERING]
    return not {event.key for event in way}.issuperset(entered)


async def _along(
    rehearsal: Rehearsal, candidate: ResponsePair, way: tuple[Event, ...], second: Event | None
) -> ExaminedPair:
    """Try it where this way leads to."""
    reaction = msgspec.structs.replace(candidate.first, path=way)
    candidate = msgspec.structs.replace(candidate, first=reaction)
    try:
        return await _examine(rehearsal, candidate, second)
    except Infeasible as problem:
        verdict = PairVerdict.GUARDED if problem.guarded else PairVerdict.INFEASIBLE
        return ExaminedPair(candidate=candidate, verdict=verdict, reason=str(problem))


async def _examine(rehearsal: Rehearsal, candidate: ResponsePair, second: Event | None) -> ExaminedPair:
    only = 0 if candidate.second is None else None
    calm = await _calm(rehearsal, candidate, second, None)
    if calm.recording.conversations:  # a server spoke in its own time: from here on it does so always at once
        calm = await _calm(rehearsal, candidate, second, calm.recording)
    late = Late(only)
    bad = await _overtaken(rehearsal, candidate, second, calm.recording, late)
    examined = ExaminedPair(candidate=candidate, verdict=PairVerdict.HARMLESS, late=tuple(late.events))
    if not late.events:
        return _told(examined, PairVerdict.HARMLESS, "nothing was asked for that could be late")
    if not differences(calm.outcome, bad.outcome):
        return _told(examined, PairVerdict.HARMLESS, "it ends the same")
    good = await _calm(rehearsal, candidate, second, calm.recording, states=True)
    again = Late(only)
    recorded = await _overtaken(rehearsal, candidate, second, calm.recording, again, states=True)
    noise = noise_between(calm.outcome, good.outcome)
    found = tuple(differences(good.outcome, recorded.outcome, noise))
    examined = msgspec.structs.replace(
        examined, noise=noise, differences=found, late=tuple(again.events), good=good, bad=recorded
    )
    if not found and not differences(calm.outcome, bad.outcome, noise):
        return _told(examined, PairVerdict.HARMLESS, "it differs only in what differs from run to run")
    if not found:
        return _told(examined, PairVerdict.UNSURE, "it did not happen a second time")
    if differences(bad.outcome, recorded.outcome, noise):
        return _told(examined, PairVerdict.UNSURE, "it ended differently each time")
    return _told(examined, PairVerdict.RACE, "")


def _told(examined: ExaminedPair, verdict: PairVerdict, reason: str) -> ExaminedPair:
    return msgspec.structs.replace(examined, verdict=verdict, reason=reason)


async def _calm(
    rehearsal: Rehearsal,
    candidate: ResponsePair,
    second: Event | None,
    answers: Recording | None,
    *,
    states: bool = False,
) -> End:
    app, recorder = await rehearsal.begin(answers, states=states)
    told = await in_turn(app, candidate.first.path, candidate.first.event, second, messages=_messages(candidate))
    return await _end(app, recorder, told)


async def _overtaken(
    rehearsal: Rehearsal,
    candidate: ResponsePair,
    second: Event | None,
    answers: Recording,
    late: Late,
    *,
    states: bool = False,
) -> End:
    app, recorder = await rehearsal.begin(answers, holds=late.holds, states=states)
    first = candidate.first
    told = await overtaken(app, first.path, first.event, second, late, messages=_messages(candidate))
    return await _end(app, recorder, told)


def _messages(candidate: ResponsePair) -> tuple[int, int]:
    """How many messages from outside the two events led to when they were seen."""

    def number(reaction: Reaction | None) -> int:
        return sum(event.from_outside for event in reaction.answers) if reaction is not None else 0

    return number(candidate.first), number(candidate.second)


async def _end(app: Explored, recorder: Recorder, told: list[RoledStep]) -> End:
    roles = [each.role for each in told]
    raced = told[roles.index(Role.FIRST) :]
    ended = outcome(
        await app.app.snapshots(),
        [each.step for each in raced],
        text=str(await app.evaluate(READABLE) or ""),
        picture=await app.screenshot(),
    )
    recorder.screen("end", ended.picture)
    return End(told=tuple(told), outcome=ended, recording=recorder.recording())
