"""Looking for races in the loading of one page: see it load, then try what the patterns suggest."""

from __future__ import annotations

import contextlib
import time
from collections.abc import AsyncIterator, Awaitable, Callable

import msgspec

from jostle.events import Event, Kind, NotEnabled, PageError, Step, Trace
from jostle.findings import FindingKind
from jostle.findings.evidence import LoadRacePart
from jostle.oracles.outcome import Noise, noise_between
from jostle.plural import count
from jostle.progress import Finished, Listener, Note, Started, Stepped, silent
from jostle.races.loading import judge
from jostle.races.loading.judge import Harmless, Shown, Verdict
from jostle.races.loading.loaded import PageLoad
from jostle.races.loading.loads import Diverged, Loads, Worth
from jostle.races.loading.observation import DOCUMENT, WINDOW, Observation, is_long
from jostle.races.loading.patterns import LoadRaceCandidate, Probe
from jostle.races.loading.plan import Task, known_as, plan, words
from jostle.races.loading.sweeping import Refuted, refuted, sweeps

_ALIKE = 2
"""How many of those that look alike are tried before the others are taken to be harmless too."""
_VARIED = 4
"""The same for a handler that listens for many elements."""
_AT_ROOT = 6
"""The same for a root that listens for all: each element has a handler of its own behind it."""
_BOUNDARIES = 4
"""At how many moments of the load one handler is tried."""
_KEPT = 40
"""Loads that are kept for other handlers that hear of the same."""
_MOST_LOADS = 400
_UNPROVED = "not proved: nothing makes the script wait for the element, it may run before anybody sees it"
_UNDEFINED = ("ReferenceError", "TypeError")
_SWEPT = {
    FindingKind.FORM_INPUT_OVERWRITTEN: judge.KEPT,
    FindingKind.ACCESS_BEFORE_DEFINITION: judge.NOTHING_FAILS,
}
"""What a sweep has shown."""


class Race(msgspec.Struct, frozen=True, kw_only=True):
    """A race that was shown."""

    shown: Shown
    part: LoadRacePart
    target: str
    """Id of the element; empty when there is none."""
    event: Event
    """What the user did too early; for a system event, what came too early."""
    held: Event
    """What came after it instead of before."""
    candidate: LoadRaceCandidate | None = None
    good: PageLoad
    bad: PageLoad
    also: tuple[str, ...] = ()
    """Other elements that look the same to us."""


class Dismissed(msgspec.Struct, frozen=True, kw_only=True):
    """What matched a pattern and was not shown to be a race."""

    kind: FindingKind
    candidate: LoadRaceCandidate
    reason: str


class Probing:
    """Tries one page. What there is so far stays here when it is interrupted."""

    def __init__(
        self,
        loads: Loads,
        *,
        listener: Listener = silent,
        deadline: float | None = None,
        allows: Callable[[Event], bool] = lambda event: True,
        unproved: bool = False,
        known: set[tuple[str, ...]] | None = None,
    ) -> None:
        """`deadline` is a time of `time.monotonic`; `allows` says what the user may do. `unproved`: try also what a
        script does that may as well run before the element is there. `known`: what was tried on other pages, which
        is not tried again (see `known_as`); what is tried here is added."""
        self._loads = loads
        self._listener = listener
        self._deadline = deadline
        self._allows = allows
        self._unproved = unproved
        self._known = known
        self.repeated = 0
        """Things to try that were tried on other pages."""
        self._kept: dict[tuple[int | str, ...], PageLoad | str] = {}
        self._shown: set[tuple[FindingKind, LoadRacePart, str]] = set()
        self._swept: set[FindingKind] = set()
        self._refuted: set[Refuted] = set()
        self._done_after: dict[str, Step] = {}
        """What the user did after loading, in a sweep."""
        self.seen = Observation(trace=Trace())
        self.tasks: list[Task] = []
        self.races: list[Race] = []
        self.dismissed: list[Dismissed] = []
        self._done = 0
        self._left_to_others = 0

    @property
    def untried(self) -> list[Task]:
        """What the time did not suffice for."""
        return self.tasks[self._done :]

    @property
    def tried(self) -> int:
        return self._done - self._left_to_others

    async def run(self) -> AsyncIterator[Race]:
        """Give each race as soon as it was shown."""
        self._listener(Started(what="watching the page load"))
        self.seen = await self._loads.observe(self._allows)
        for task in plan(self.seen):
            if self._is_known(task):
                self.repeated += 1
            elif task.first.proved or self._unproved:
                self.tasks.append(task)
            else:
                self.dismissed.append(Dismissed(kind=task.kind, candidate=task.first, reason=_UNPROVED))
        self._listener(Finished(summary=self._summary()))
        self._listener(Started(what="acting early", total=len(self.tasks)))
        for number, task in enumerate(self.tasks, 1):
            if self._over():
                break
            if self._is_known(task):  # another page is being tried at the same time
                self._done, self.repeated = number, self.repeated + 1
                self._left_to_others += 1
                continue
            if self._known is not None:
                self._known.add(known_as(task, self.seen))
            await self._sweep(task.kind)
            async for race in self._try(task):
                self.races.append(race)
                yield race
            self._done = number
            self._listener(Stepped(done=number, what=self._name(task)))
        if self.untried:
            why = "the time was up" if self._loads.count < _MOST_LOADS else f"{_MOST_LOADS} loads are enough"
            self._listener(Note(text=f"Not tried, for {why}: {', '.join(self._names(self.untried))}"))
        async for race in self._failing_by_themselves():
            self.races.append(race)
            yield race
        self._listener(Finished(summary=f"{count(len(self.races), 'race')} in {count(self._loads.count, 'load')}"))

    def _is_known(self, task: Task) -> bool:
        return self._known is not None and known_as(task, self.seen) in self._known

    def _over(self) -> bool:
        return self._loads.count >= _MOST_LOADS or (self._deadline is not None and time.monotonic() > self._deadline)

    def _summary(self) -> str:
        seen = self.seen
        return (
            f"{count(len(seen.trace.steps), 'event')}, {len(seen.boundaries)} of them may take long; "
            f"{count(len(seen.listening), 'handler')}, {count(len(self.tasks), 'thing')} to try"
        )

    def _name(self, task: Task) -> str:
        element = self.seen.elements.get(task.first.target)
        return f"{task.kind.value}: {element.name if element is not None else task.first.target}"

    def _names(self, tasks: list[Task], most: int = 8) -> list[str]:
        names = list(dict.fromkeys(map(self._name, tasks)))
        return names if len(names) <= most else [*names[:most], f"{len(names) - most} more"]

    async def _sweep(self, kind: FindingKind) -> None:
        """Before the first of a kind is tried: several at once, to see which need not be."""
        if kind in self._swept:
            return
        self._swept.add(kind)
        tried = [
            (candidate, probe)
            for task in self.tasks
            if task.kind is kind
            for candidate in self._chosen(task)
            for probe in self._moments(task, candidate)
        ]
        known = [error for _, error in self._loads.errors]
        for sweep in sweeps(kind, tried):
            if self._over():
                return
            with contextlib.suppress(NotEnabled, Diverged):
                swept = await self._loads.sweep(sweep)
                if sweep.position is None:
                    self._done_after.update({key: swept.steps[at] for key, at in swept.done.items()})
                else:
                    self._refuted.update(refuted(sweep, swept, known))

    def _chosen(self, task: Task) -> tuple[LoadRaceCandidate, ...]:
        """Of those that look alike."""
        most = _VARIED if len({self._kind(each) for each in task.candidates}) > 1 else _ALIKE
        return task.candidates[: _AT_ROOT if task.first.delegated else most]

    def _moments(self, task: Task, candidate: LoadRaceCandidate) -> tuple[Probe, ...]:
        return candidate.probes[: _BOUNDARIES if candidate is task.first else 1]

    async def _try(self, task: Task) -> AsyncIterator[Race]:
        """Until one of those that look alike shows it."""
        reason = ""
        for candidate in self._chosen(task):
            if self._over():
                break
            for probe in self._moments(task, candidate):
                if known := self._known_harmless(task, candidate, probe):
                    reason = reason or known
                    continue
                if (task.kind, candidate.part, probe.event.key) in self._shown:
                    return  # the same thing done by the user, seen from another handler
                overwritten = (FindingKind.FORM_INPUT_OVERWRITTEN, LoadRacePart.WRITE, probe.event.key)
                if task.kind is FindingKind.LATE_HANDLER and overwritten in self._shown:
                    break  # that its handler misses it too is no news
                try:
                    race = await self._judged(task, candidate, probe)
                except NotEnabled as problem:
                    reason = reason or f"a user cannot do that then: {problem.reason}"
                    continue
                except Diverged as problem:
                    reason = f"the page did not load in the same way again: {problem}"
                    continue
                if isinstance(race, Harmless):
                    reason = race.reason
                    continue
                if task.kind is FindingKind.ACCESS_BEFORE_DEFINITION and candidate.part is LoadRacePart.USER:
                    race = await self._at_the_last_moment(task, candidate, probe, race)
                self._shown.add((task.kind, candidate.part, probe.event.key))
                others = [each for each in task.candidates if each is not candidate]
                yield msgspec.structs.replace(race, also=tuple(words(others, self.seen)))
                return
        if reason:
            self.dismissed.append(Dismissed(kind=task.kind, candidate=task.first, reason=reason))

    def _known_harmless(self, task: Task, candidate: LoadRaceCandidate, probe: Probe) -> str:
        """Why it need not be tried, in words."""
        if task.kind is FindingKind.LATE_HANDLER:
            step = self._done_after.get(probe.event.key)
            verdict = judge.not_missed(candidate, probe, step) if step is not None else None
            return verdict.reason if verdict is not None else ""
        return _SWEPT[task.kind] if (task.kind, probe.position, probe.event.key) in self._refuted else ""

    async def _at_the_last_moment(self, task: Task, candidate: LoadRaceCandidate, shown: Probe, race: Race) -> Race:
        """The same at the last moment at which it still fails: what comes right after that is what is missing."""
        later = [each for each in candidate.probes if each.position > shown.position]
        later.sort(key=lambda each: each.position)
        low, high = 0, len(later)
        while low < high and not self._over():
            middle = (low + high) // 2
            found: Race | Harmless | None = None
            with contextlib.suppress(NotEnabled, Diverged):
                found = await self._judged(task, candidate, later[middle])
            if isinstance(found, Race) and found.shown.kind is race.shown.kind:
                race, low = found, middle + 1
            else:
                high = middle
        return race

    def _kind(self, candidate: LoadRaceCandidate) -> str:
        element = self.seen.elements.get(candidate.target)
        return element.kind if element is not None else ""

    async def _judged(self, task: Task, candidate: LoadRaceCandidate, probe: Probe) -> Race | Harmless:
        good: PageLoad | None = None
        bad: PageLoad | None = None
        early, held = probe.event, self.seen.trace.steps[probe.position].event
        verdict: Verdict | None
        if candidate.part is LoadRacePart.SYSTEM:
            first = await self._loads.moved(probe.event, before=probe.position)
            last = await self._loads.moved(probe.event, before=None)
            bad, good = first, last
            if candidate.target in (DOCUMENT, WINDOW):  # there it is the script that comes first when all is well
                bad, good, early, held = last, first, held, early
            verdict = judge.unheard(bad, good, self._loads.noise)
        elif task.kind is FindingKind.LATE_HANDLER:
            good = await self._done_late(probe, lambda load: self._verdict(task, candidate, probe, None, load) is None)
            verdict = self._verdict(task, candidate, probe, None, good)
            if verdict is None:
                bad = await self._done_early(probe, lambda load: True)
                verdict = self._verdict(task, candidate, probe, bad, good)
                if isinstance(verdict, Shown) and judge.arrives(verdict, bad, good):
                    verdict = judge.late(
                        candidate,
                        probe,
                        bad,
                        good,
                        await self._noise_elsewhere(probe, good),
                        untouched=self._loads.untouched,
                    )
        else:
            bad = await self._done_early(probe, lambda load: self._verdict(task, candidate, probe, load, None) is None)
            verdict = self._verdict(task, candidate, probe, bad, None)
            if verdict is None:
                good = await self._done_late(probe, lambda load: True)
                verdict = self._verdict(task, candidate, probe, bad, good)
        if not isinstance(verdict, Shown):
            return verdict or Harmless("it could not be judged")
        assert good is not None and bad is not None
        return Race(
            shown=verdict,
            part=candidate.part,
            target=candidate.target,
            event=early,
            held=held,
            candidate=candidate,
            good=good,
            bad=bad,
        )

    async def _noise_elsewhere(self, probe: Probe, good: PageLoad) -> Noise:
        """What the server shows otherwise by now. The page that the browser opens comes from the server, and others
        change its data meanwhile; what the handler shows in place is what the server said at first."""
        return self._loads.noise | noise_between(good.by_user, (await self._loads.served(probe)).by_user)

    def _verdict(
        self, task: Task, candidate: LoadRaceCandidate, probe: Probe, bad: PageLoad | None, good: PageLoad | None
    ) -> Verdict | None:
        """None when the other load is needed too."""
        noise, where = self._loads.noise, self.seen.elements[candidate.target].label
        if task.kind is FindingKind.LATE_HANDLER:
            assert good is not None
            return judge.late(candidate, probe, bad, good, noise, untouched=self._loads.untouched)
        assert bad is not None
        if task.kind is FindingKind.ACCESS_BEFORE_DEFINITION:
            return judge.undefined(bad, good, noise, [error for _, error in self._loads.errors])
        if candidate.part is LoadRacePart.FOCUS:
            return judge.unfocused(bad, good, where)
        return judge.overwritten(bad, good, where)

    async def _done_early(self, probe: Probe, worth: Worth) -> PageLoad:
        return await self._once(("early", probe.position, *probe.done), probe, self._loads.early, worth)

    async def _done_late(self, probe: Probe, worth: Worth) -> PageLoad:
        return await self._once(("late", *probe.done), probe, self._loads.late, worth)

    async def _once(
        self,
        key: tuple[int | str, ...],
        probe: Probe,
        load: Callable[[Probe, Worth], Awaitable[PageLoad]],
        worth: Worth,
    ) -> PageLoad:
        """However many handlers hear of it, it is done once; again only if there is no picture of it yet."""
        kept = self._kept.get(key)
        if kept is None or (isinstance(kept, PageLoad) and not kept.outcome.picture and worth(kept)):
            try:
                kept = await load(probe, worth)
            except NotEnabled as problem:
                kept = problem.reason
            self._kept[key] = kept
            if len(self._kept) > _KEPT:
                del self._kept[next(iter(self._kept))]
        if isinstance(kept, str):
            raise NotEnabled(probe.event, kept)
        return kept

    async def _failing_by_themselves(self) -> AsyncIterator[Race]:
        """System events that fail in the observed load, where they come before everything that may take long."""
        for event, error in self._loads.errors:
            if self._over():
                return
            place = next((n for n, step in enumerate(self.seen.trace.steps) if step.event.key == event.key), None)
            late = [each for each in self.seen.boundaries if place is not None and each.position > place]
            if place is None or not late or not _may_wait(event, error):
                continue
            try:
                bad = await self._loads.moved(event, before=late[0].position)
                good = await self._loads.moved(event, before=None)
            except (NotEnabled, Diverged):
                continue
            verdict = judge.failing(bad, good, error, self._loads.noise)
            if isinstance(verdict, Shown):
                yield Race(
                    shown=verdict,
                    part=LoadRacePart.SYSTEM,
                    target="",
                    event=event,
                    held=self.seen.after(late[-1]),
                    good=good,
                    bad=bad,
                )


def _may_wait(event: Event, error: PageError) -> bool:
    """Whether the event might as well come after those that may take long, and fails for want of something."""
    if error.kind == "console" or not any(name in error.message for name in _UNDEFINED):
        return False
    return (
        not is_long(event) and event.kind is not Kind.PARSE and event.request.blocking is None and bool(event.creator)
    )
