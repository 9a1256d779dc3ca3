"""Is it a race? The two orders are run from the same start with the same answers, and their ends are compared."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Sequence
from enum import StrEnum

import msgspec

from jostle.browser.user import LEAVE, visit
from jostle.events import Event
from jostle.exploring.application import Explored
from jostle.findings.evidence import OutcomeDifference, Role
from jostle.model.page import READABLE
from jostle.model.reaction import Reaction, can_be_late, derived
from jostle.oracles.made_up import in_substance
from jostle.oracles.outcome import Noise, Outcome, differences, noise_between, outcome
from jostle.races.rehearsal import Rehearsal
from jostle.races.responses.conflict import ENTERING, Delayed, ResponsePair
from jostle.races.responses.harm import harmful, only_added, only_looks, only_stored
from jostle.races.responses.orders import Acts, Infeasible, Late, RoledStep, afterwards, anything, in_turn, overtaken
from jostle.races.responses.timers import Window, after_timers, before_timers
from jostle.recording.exchange import Happening
from jostle.recording.file import Recording
from jostle.recording.recorder import Recorder

LONGEST_WAY = 12
"""A longer way than this is not gone when a shorter one did not lead to the place."""


class PairVerdict(StrEnum):
    RACE = "race"
    HARMLESS = "harmless"
    """The end is the same in both orders, or differs in nothing that does harm."""
    INCONCLUSIVE = "inconclusive"
    """The end is the same because both sides got the same: with other values it might not be."""
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
    late: tuple[Event, ...] = ()
    """What was held."""


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
    alone: bool = False
    """In the good order the second event is not possible: what it is done to is gone when the response is there."""
    reloaded: bool = False
    """It shows when the page is opened once more."""
    live: bool = False
    """The server was asked in the bad order too; otherwise its responses are those of the good order."""
    text: str = ""
    """What could be read in the end of the good order."""


async def examine(
    rehearsal: Rehearsal,
    candidate: ResponsePair,
    second: Event | None,
    *,
    lead: tuple[Event, ...] = (),
    allows: Callable[[Event], bool] = anything,
) -> ExaminedPair:
    """Run both orders; where the ends differ, both once more, to tell noise from races and to have a recording of each.

    `second`: the second event as it is to be done, with its value; `lead`: and what is entered right before it.
    `allows`: what may be done in the place of something that is gone.
    """
    whole, direct = candidate.first.path, candidate.first.direct
    first, *others = candidate.ways
    tried: list[ExaminedPair] = []
    for way in (first, *(each for each in others if len(each) <= LONGEST_WAY)):
        along = msgspec.structs.replace(candidate, first=msgspec.structs.replace(candidate.first, path=way))
        acts = Acts(candidate.first.event, second, lead, way, _messages(candidate), allows, candidate.same_entry)
        timed = candidate.delayed is Delayed.TIMERS
        orders = (_TimerOrders if timed else _ResponseOrders)(rehearsal, along, acts)
        examined = await _along(orders, along)
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
    entered = [event.key for event in whole if event.action.type in ENTERING]
    return not {event.key for event in way}.issuperset(entered)


async def _along(orders: _Orders, candidate: ResponsePair) -> ExaminedPair:
    """Try it where its way leads to."""
    try:
        return await _examine(orders, candidate)
    except Infeasible as problem:
        verdict = PairVerdict.GUARDED if problem.guarded else PairVerdict.INFEASIBLE
        return ExaminedPair(candidate=candidate, verdict=verdict, reason=str(problem))


async def _examine(orders: _Orders, candidate: ResponsePair) -> ExaminedPair:
    calm = await orders.first()
    if _spoke(calm.recording):  # a server did, in its own time: from here on it does so always at once
        calm = await orders.calm(calm.recording)
    bad = await orders.bad(calm.recording)
    examined = ExaminedPair(
        candidate=candidate,
        verdict=PairVerdict.HARMLESS,
        late=bad.late,
        alone=orders.alone,
        reloaded=orders.reloads,
        text=calm.outcome.text,
    )
    if not bad.late:
        return _told(examined, PairVerdict.HARMLESS, orders.nothing)
    if not differences(calm.outcome, bad.outcome):
        if _says_nothing(candidate, calm, bad):
            return _told(examined, PairVerdict.INCONCLUSIVE, "what was entered made no difference")
        return _told(examined, PairVerdict.HARMLESS, "it ends the same")
    if not orders.harm(calm, bad, Noise()):
        return _told(examined, PairVerdict.HARMLESS, "it differs in nothing that matters to a user or a server")
    good = await orders.calm(calm.recording, states=True)
    # What only the bad order asked for, the server would not answer the same way again: it has it by now.
    recorded = await orders.bad(bad.recording, states=True)
    noise = noise_between(calm.outcome, good.outcome)
    found = orders.harm(good, recorded, noise)
    examined = msgspec.structs.replace(
        examined, noise=noise, differences=found, late=recorded.late, good=good, bad=recorded
    )
    if not found and not orders.harm(calm, bad, noise):
        return _told(examined, PairVerdict.HARMLESS, "it differs only in what differs from run to run")
    if not found:
        return _told(examined, PairVerdict.UNSURE, "it did not happen a second time")
    if differences(bad.outcome, recorded.outcome, noise):
        return _told(examined, PairVerdict.UNSURE, "it ended differently each time")
    if only_stored(found):
        if orders.reloads:
            return _told(examined, PairVerdict.HARMLESS, "it only stores something else, and nothing depends on it")
        orders.reloads = True
        return await _examine(orders, candidate)
    if await orders.ends_as_without_first(recorded, calm.recording, noise):
        return _told(examined, PairVerdict.HARMLESS, "the second action takes the place of the first")
    if not orders.live:
        return _told(examined, PairVerdict.RACE, "")
    served = await orders.bad(None)
    if not orders.harm(good, served, noise):
        return _told(examined, PairVerdict.HARMLESS, "in that order the server responds otherwise, and all is well")
    return _told(msgspec.structs.replace(examined, live=True), PairVerdict.RACE, "")


def _spoke(recording: Recording) -> bool:
    """Whether anything was said over a socket but that it is open."""
    return any(
        each.what is Happening.RECEIVED for conversation in recording.conversations for each in conversation.messages
    )


def _told(examined: ExaminedPair, verdict: PairVerdict, reason: str) -> ExaminedPair:
    return msgspec.structs.replace(examined, verdict=verdict, reason=reason)


def _says_nothing(candidate: ResponsePair, calm: End, bad: End) -> bool:
    """Whether a text was looked for, and to end the same tells nothing: what came late was shown like what came before
    it, or nothing is shown of any of it."""
    if candidate.second is None or not candidate.enters:
        return False
    late = {event.key for event in bad.late}
    return _shows(bad, late) or not _shows(calm, {each.step.event.key for each in calm.told if _responds(each)})


def _responds(told: RoledStep) -> bool:
    return told.role is not Role.LOAD and can_be_late(told.step.event)


def _shows(end: End, keys: Collection[str]) -> bool:
    """Whether one of these events, or what followed from it, changed the page."""
    steps = [each.step for each in end.told]
    led = {key for root in keys for key in derived(root, steps)}
    return any(step.effect.changes or step.effect.form_writes for step in steps if step.event.key in led)


class _Orders:
    """The two orders of a pair, as often as they are wanted. `answers`: those of an earlier run, None for the server's.
    They raise Infeasible."""

    nothing = ""
    """Why nothing was held, in words."""

    def __init__(self, rehearsal: Rehearsal, pair: ResponsePair, acts: Acts) -> None:
        self._rehearsal = rehearsal
        self._pair = pair
        self._acts = acts
        self.alone = False
        """In the good order the second event is not possible."""
        self.reloads = False
        """The page is opened once more in the end."""

    @property
    def live(self) -> bool:
        """Whether the server can be asked in the bad order too."""
        return self._rehearsal.resets

    async def first(self) -> End:
        """The good order, for the first time."""
        return await self.calm(None)

    async def calm(self, answers: Recording | None, *, states: bool = False) -> End:
        raise NotImplementedError

    async def bad(self, answers: Recording | None, *, states: bool = False) -> End:
        raise NotImplementedError

    async def ends_as_without_first(self, bad: End, answers: Recording, noise: Noise) -> bool:
        """Whether the bad order ends as if the user had done nothing but the second: who goes elsewhere before a page
        is there does not want it any more. What is sent to a server is wanted."""
        acts, pair = self._acts, self._pair
        if acts.second is None or pair.repeats or pair.first.sends or self.reloads:
            return False
        path = (*acts.path, *acts.lead)
        only = Acts(acts.second, path=path, messages=(acts.messages[1], 0), allows=acts.allows)
        app, recorder = await self._rehearsal.begin(answers)
        try:
            told = await in_turn(app, only)
        except Infeasible:
            return False
        return not self.harm(await self._end(app, recorder, told), bad, noise)

    def harm(self, good: End, bad: End, noise: Noise) -> tuple[OutcomeDifference, ...]:
        """How the two ends differ, as far as it matters."""
        bodies = (body for end in (good, bad) for body in end.recording.bodies.values())
        entered = (each.step.event.action.value or "" for end in (good, bad) for each in end.told)
        found = in_substance(differences(good.outcome, bad.outcome, noise), bodies, entered)
        if self._pair.delayed is Delayed.TIMERS and only_looks(found):
            return ()  # a cursor that blinks, a highlight that fades
        if self.alone:
            found = list(only_added(found))
        return harmful(found, good.outcome, bad.outcome, repeats=self._pair.resubmits)

    async def _end(self, app: Explored, recorder: Recorder, told: list[RoledStep], late: Sequence[Event] = ()) -> End:
        with contextlib.suppress(Infeasible):  # it may have left for another site
            told += await afterwards(app, LEAVE)  # what shows only below the pointer is not compared
        if self.reloads:
            told += await afterwards(app, visit((await app.state()).url))
        roles = [each.role for each in told]
        raced = told[roles.index(Role.FIRST) :]
        ended = outcome(
            await app.app.snapshots(),
            [each.step for each in raced],
            text=str(await app.evaluate(READABLE) or ""),
            picture=await app.screenshot(),
        )
        recorder.screen("end", ended.picture)
        return End(told=tuple(told), outcome=ended, recording=recorder.recording(), late=tuple(late))


class _ResponseOrders(_Orders):
    """Responses to the first event come before the second event, and after it."""

    nothing = "nothing was asked for that could be late"

    async def first(self) -> End:
        try:
            return await self.calm(None)
        except Infeasible as problem:
            if not (problem.second and self._pair.repeats and self._pair.first.sends):
                raise
            self.alone = True  # a dialog that closes, say: is it sent twice by who is quicker?
            return await self.calm(None)

    async def calm(self, answers: Recording | None, *, states: bool = False) -> End:
        app, recorder = await self._rehearsal.begin(answers, states=states)
        acts = msgspec.structs.replace(self._acts, second=None) if self.alone else self._acts
        return await self._end(app, recorder, await in_turn(app, acts))

    async def bad(self, answers: Recording | None, *, states: bool = False) -> End:
        late = Late(0 if self._acts.second is None else None)
        app, recorder = await self._rehearsal.begin(answers, holds=late.holds, states=states)
        return await self._end(app, recorder, await overtaken(app, self._acts, late), late.events)


class _TimerOrders(_Orders):
    """Timers that the first event sets fire before the second event, and after it."""

    nothing = "the second action stops the timer, or there is none"
    _takes = 0.0

    async def calm(self, answers: Recording | None, *, states: bool = False) -> End:
        window = Window()
        app, recorder = await self._rehearsal.begin(answers, holds=window.holds, states=states)
        told, takes = await after_timers(app, self._acts, window)
        self._takes = self._takes or takes
        return await self._end(app, recorder, told)

    async def bad(self, answers: Recording | None, *, states: bool = False) -> End:
        window = Window()
        app, recorder = await self._rehearsal.begin(answers, holds=window.holds, states=states)
        told = await before_timers(app, self._acts, window, self._takes)
        return await self._end(app, recorder, told, window.fired(each.step for each in told))


def _messages(candidate: ResponsePair) -> tuple[int, int]:
    """How many messages from outside the two events led to when they were seen."""

    def number(reaction: Reaction | None) -> int:
        return sum(event.from_outside for event in reaction.answers) if reaction is not None else 0

    return number(candidate.first), number(candidate.second)
