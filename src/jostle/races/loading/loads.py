"""Loading a page again and again: once to see what happens, then with the same answers and a user who acts."""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Protocol

import msgspec

from jostle.browser import agent
from jostle.browser.chromium_app import ChromiumApp
from jostle.browser.responders import SERVER, Responder, layered
from jostle.browser.user import user_event
from jostle.events import Event, Kind, Locator, NotEnabled, PageError, Step, Trace, UserAction
from jostle.events.detail import lenient
from jostle.model.page import READABLE, is_page
from jostle.oracles.outcome import Noise, Outcome, noise_between, outcome
from jostle.progress import silent
from jostle.races.hearing import Hearing
from jostle.races.loading.loaded import FieldValue, PageLoad, led_to, refusals
from jostle.races.loading.observation import (
    Boundary,
    Element,
    FocusMove,
    Listening,
    Observation,
    Unlistening,
    Wired,
    Write,
    is_long,
)
from jostle.races.loading.order import LoadOrder
from jostle.races.loading.patterns import Probe
from jostle.races.loading.sweeping import Sweep, Swept, leaves
from jostle.recording.answers import RecordedAnswers
from jostle.recording.file import Manifest
from jostle.recording.recorder import Hears, Recorder
from jostle.recording.replay import replay

PATIENCE = 5_000.0
"""Virtual milliseconds that are waited for timers after the last answer of a load."""
_AFTERWARDS = 2_000.0
"""The same after the user has acted."""
_MOST_STEPS = 400
_TYPED = "zq7"
_STANDING = ("locator", "element", "xpath", "form")
_FREE_TEXT = ("text", "search", "textarea", "editable", "password")

_FIELD = """(() => { try {
  const { element: el } = %s;
  return el && {
    value: String(/^(checkbox|radio)$/.test(el.type) ? el.checked : el.isContentEditable ? el.textContent : el.value),
    focused: %s.dom.focused() === el,
  };
} catch { return null; } })()"""
"""Nothing when the element has properties of its own that fail."""


Worth = Callable[[PageLoad], bool]


class Opens(Protocol):
    """Opens the application in the browser."""

    def __call__(self, responder: Responder | None, hearing: Hears, *, registrations: bool) -> ChromiumApp: ...


class Diverged(Exception):
    """The page did not load as it did before."""


class Loads:
    """All loads of one page. The first is `observe`; the others are answered as it was."""

    def __init__(self, opens: Opens, manifest: Manifest, on_limit: Callable[[str], None] = lambda words: None) -> None:
        self._opens = opens
        self._on_limit = on_limit
        self._hearing = Hearing(manifest)
        self._again: ChromiumApp | None = None
        self._answers: RecordedAnswers | None = None
        self._scripts: dict[str, str] = {}
        self._order: tuple[str, ...] = ()
        self._rests_at = 0.0
        self.count = 0
        self.seen: Observation | None = None
        self.noise = Noise()
        """What changes by itself."""
        self.untouched = ""
        """What can be read when it has loaded and nobody has done anything."""
        self.errors: tuple[tuple[Event, PageError], ...] = ()
        """What was thrown in the first load, where nobody did anything."""

    async def observe(self, allows: Callable[[Event], bool] = lambda event: True) -> Observation:
        """Load the page and see what happens. `allows`: what the user may do."""
        self.count += 1
        recorder = self._hearing.anew()
        app = self._opens(None, self._hearing, registrations=True)
        eyes = _Eyes(app, allows, self._on_limit)
        try:
            order = LoadOrder(eyes.scripts)
            await app.reset()
            initial = tuple(await app.waiting())
            steps: list[Step] = []

            async def before(event: Event) -> None:
                if is_long(event):
                    await eyes.look(len(steps), steps[-1].event.key if steps else "", offers=True)

            async def after(step: Step) -> Step:
                await eyes.look(len(steps) + 1, step.event.key)
                return step

            await self._rest(app, order, steps, PATIENCE, after, before=before)
            await eyes.look(len(steps), steps[-1].event.key if steps else "", wired=True)
            self._rests_at = app.now
            first = await self._ended(app, steps, await app.snapshots())
            self.untouched = first.text
            length = len(steps)
            await self._rest(app, order, steps, _AFTERWARDS)
            self.noise = noise_between(first, await self._ended(app, steps, await app.snapshots()))
            self.errors = tuple((step.event, each) for step in steps for each in step.effect.errors)
            self._scripts = eyes.scripts
            self._order = tuple(step.event.key for step in steps[:length])
            self.seen = eyes.seen(Trace(steps=tuple(steps[:length]), initial=initial))
        finally:
            await app.close()
        self._answers = RecordedAnswers(recorder.recording(), exact=True)
        self._again = self._opens(layered([self._answers, SERVER]), self._hearing, registrations=False)
        return self.seen

    async def early(self, probe: Probe, worth: Worth) -> PageLoad:
        """Load up to a boundary, let the user act there, then load the rest. `worth`: whether the end is worth a
        picture. Raises NotEnabled and Diverged."""
        return await self._acting(self._order[: probe.position], probe, worth)

    async def late(self, probe: Probe, worth: Worth) -> PageLoad:
        """Load everything, then let the user act. Raises NotEnabled and Diverged."""
        return await self._acting(self._order, probe, worth)

    async def sweep(self, sweep: Sweep) -> Swept:
        """Do several things in one load, as far as they are possible and until the page is left. After everything has
        loaded, the browser does not leave it for a link or form that nobody prevented. Raises Diverged."""
        late = sweep.position is None
        run = await self._begin(kept=False)
        await run.follow(self._order[: sweep.position])
        if late:
            await run.app.evaluate(agent.call("stay"))
        done: dict[str, int] = {}
        entered: dict[str, FieldValue | None] = {}
        for probe in sweep.probes:
            try:
                for event in (*probe.first, probe.event):
                    await run.step(event)
            except NotEnabled:
                continue
            done[probe.event.key] = len(run.steps) - 1
            if leaves(run.steps[-1]):
                break
            if not late:
                entered[probe.event.key] = await _field(run.app, probe.event.action.locator)
        if not late:
            await self._let_rest(run)
        fields = {probe.event.key: probe.event.action.locator for probe in sweep.probes}
        left = {key: await _field(run.app, fields[key]) for key in entered}
        return Swept(steps=tuple(run.steps), done=done, entered=entered, left=left)

    async def moved(self, event: Event, *, before: int | None) -> PageLoad:
        """Load without a user, with one system event right before a boundary, or as late as possible."""
        assert self.seen is not None
        place = self._order.index(event.key)
        behind = {step.event.key for step in led_to(self.seen.trace.steps, place)}
        run = await self._begin()
        if before is not None:
            await run.follow([key for key in self._order[:before] if place < before or key not in behind])
            if place >= before:
                await run.follow([event.key])
        else:
            await run.follow([key for key in self._order if key not in behind])
        await self._let_rest(run)
        return await self._finished(run, lambda loaded: True)

    async def served(self, probe: Probe) -> PageLoad:
        """The same as `late`, with what the server responds now. Raises NotEnabled and Diverged."""
        self.count += 1
        recorder = self._hearing.anew()
        app = self._opens(None, self._hearing, registrations=False)
        try:
            run = _Run(app, recorder, LoadOrder(self._scripts), kept=False)
            await app.reset()
            recorder.begin(tuple(await app.waiting()))
            return await self._acted(run, self._order, probe, lambda load: False)
        finally:
            await app.close()

    async def repeats(self, loaded: PageLoad) -> bool:
        """Whether the recording of a load, replayed, goes the same way."""
        self.count += 1
        answers = RecordedAnswers(loaded.recording)
        self._hearing.anew()
        app = self._opens(answers, self._hearing, registrations=False)
        try:
            return (await replay(app, loaded.recording, answers, listener=silent, every_state=False)).reproduced
        finally:
            await app.close()

    async def close(self) -> None:
        if self._again is not None:
            await self._again.close()

    async def _begin(self, *, kept: bool = True) -> _Run:
        """`kept`: with what a recording needs of each state."""
        if self._again is None or self._answers is None:
            raise RuntimeError("observe first")
        self.count += 1
        self._answers.reset()
        run = _Run(self._again, self._hearing.anew(), LoadOrder(self._scripts), kept=kept)
        await self._again.reset()
        run.recorder.begin(tuple(await self._again.waiting()))
        return run

    async def _acting(self, keys: Sequence[str], probe: Probe, worth: Worth) -> PageLoad:
        return await self._acted(await self._begin(), keys, probe, worth)

    async def _acted(self, run: _Run, keys: Sequence[str], probe: Probe, worth: Worth) -> PageLoad:
        await run.follow(keys)
        for event in (*probe.first, probe.event):
            await run.step(event)
        acted = len(run.steps) - 1
        locator = probe.event.action.locator
        entered = await _field(run.app, locator)
        await self._let_rest(run)
        return await self._finished(run, worth, acted=acted, entered=entered, left=await _field(run.app, locator))

    async def _let_rest(self, run: _Run) -> None:
        """As long as any other load, so that as much time has passed in the end."""
        left = self._rests_at + _AFTERWARDS - run.app.now
        await self._rest(run.app, run.order, run.steps, max(_AFTERWARDS, left), run.keep)

    async def _finished(self, run: _Run, worth: Worth, acted: int | None = None, **more: Any) -> PageLoad:
        parts = await run.app.snapshots()
        ended = await self._ended(run.app, run.steps, parts)
        caused = led_to(run.steps, acted)
        documents = [step.event.request.url for step in caused if is_page(step.event)]
        loaded = PageLoad(
            steps=tuple(run.steps),
            acted=acted,
            outcome=ended,
            by_user=msgspec.structs.replace(outcome((), caused), snapshot=ended.snapshot, text=ended.text),
            addresses=tuple(str(part["url"]) for part in parts if not part["frame"]),
            left_for=next(reversed([*documents, *refusals(caused)]), ""),
            recording=run.recorder.recording(),
            **more,
        )
        if not worth(loaded):
            return loaded
        picture = await run.app.screenshot(whole=True)
        run.recorder.screen("end", picture)
        return msgspec.structs.replace(
            loaded,
            outcome=msgspec.structs.replace(ended, picture=picture),
            by_user=msgspec.structs.replace(loaded.by_user, picture=picture),
        )

    async def _ended(self, app: ChromiumApp, steps: Sequence[Step], parts: Sequence[dict[str, Any]]) -> Outcome:
        text = await app.evaluate(READABLE)
        return outcome(parts, steps, text=str(text or ""))

    async def _rest(
        self,
        app: ChromiumApp,
        order: LoadOrder,
        steps: list[Step],
        patience: float,
        observe: Callable[[Step], Awaitable[Step]] | None = None,
        *,
        before: Callable[[Event], Awaitable[None]] | None = None,
    ) -> None:
        """Let happen what happens by itself. Time is only waited out when nothing else is left."""
        until = None
        refused: set[str] = set()
        most = len(steps) + _MOST_STEPS
        while len(steps) < most:
            waiting = await app.waiting()
            if until is None and not any(event.kind in (Kind.NETWORK, Kind.PARSE) for event in waiting):
                until = app.now + patience
            event = order.next(waiting, until if until is not None else app.now + patience)
            if event is None:
                return
            if before is not None:
                await before(event)
            at = app.now
            try:
                step = Step(event=event, effect=await app.step(event), at=at)
            except NotEnabled:
                if event.key in refused:
                    return  # there is no page any more for it to happen in
                refused.add(event.key)
                continue  # it was taken back
            steps.append(step if observe is None else await observe(step))
            order.happened(event)
            if step.effect.hung:
                return
        self._on_limit(f"the page was not at rest after {_MOST_STEPS} events; the rest was not waited for")


class _Run:
    """A load under way, with its recording."""

    def __init__(self, app: ChromiumApp, recorder: Recorder, order: LoadOrder, *, kept: bool) -> None:
        self.app = app
        self._kept = kept
        self.recorder = recorder
        self.order = order
        self.steps: list[Step] = []

    async def follow(self, keys: Sequence[str]) -> None:
        """Let these system events happen. Raises Diverged."""
        for key in keys:
            waiting = await self.app.waiting()
            event = next((each for each in waiting if each.key == key), None)
            if event is None:
                raise Diverged(f"{key} is not possible after {len(self.steps)} events")
            await self.step(event)

    async def step(self, event: Event) -> None:
        at = self.app.now
        self.steps.append(await self.keep(Step(event=event, effect=await self.app.step(event), at=at)))
        self.order.happened(event)

    async def keep(self, step: Step) -> Step:
        return await self.recorder.stepped(self.app, step, whole=step.event.by_user) if self._kept else step


async def _field(app: ChromiumApp, locator: Locator | None) -> FieldValue | None:
    if locator is None:
        return None
    told = await app.evaluate(_FIELD % (agent.call("find", locator), agent.AGENT))
    return FieldValue(str(told["value"]), bool(told["focused"])) if isinstance(told, dict) else None


class _Eyes:
    """Gathers what the page agent notes while the page loads."""

    def __init__(self, app: ChromiumApp, allows: Callable[[Event], bool], limit: Callable[[str], None]) -> None:
        self._app = app
        self._allows = allows
        self._limit = limit
        self._documents = 0
        self.scripts: dict[str, str] = {}
        """How each script is loaded, by address."""
        self._known_in: dict[str, str] = {}
        """The event after which an asynchronous script was known."""
        self._boundaries: list[Boundary] = []
        self._elements: dict[str, Element] = {}
        self._listening: list[Listening] = []
        self._unlistening: list[Unlistening] = []
        self._wired: dict[str, tuple[Wired, ...]] = {}
        self._writes: dict[tuple[str, str], Write] = {}
        self._moves: list[FocusMove] = []
        self._dropped = 0

    async def look(self, position: int, last: str, *, offers: bool = False, wired: bool = False) -> None:
        """Look at the page after so many events, `last` being the last of them. `offers`: what a user could do;
        `wired`: what frameworks keep for elements."""
        told = await self._app.evaluate(agent.call("look", {"offers": offers, "wired": wired}))
        if not isinstance(told, dict):
            return
        if "failed" in told:
            self._limit(f"the page kept itself from being watched: {told['failed']}")
            return
        self._documents += bool(told["first"])
        self._dropped += int(told["dropped"])
        for script in told["scripts"]:
            self.scripts[script["url"]] = script["kind"]
            self._known_in.setdefault(script["url"], last)
        for item in told["elements"]:
            element = self._element(item)
            self._elements[element.id] = element
        for item in told["notes"]:
            self._note(item)
        for item in told["wired"]:
            kept = tuple(Wired(str(each["type"]), str(each["source"])) for each in item["handlers"])
            self._wired[self._id(item["number"])] = kept
        if offers:
            events = {self._id(each["number"]): self._events(each["actions"]) for each in told["offered"]}
            there = {target: possible for target, possible in events.items() if possible}
            self._boundaries.append(Boundary(position=position, offers=there))

    def seen(self, trace: Trace) -> Observation:
        steps = tuple(
            msgspec.structs.replace(step, event=self._told(step.event, n)) for n, step in enumerate(trace.steps)
        )
        return Observation(
            trace=Trace(steps=steps, initial=trace.initial),
            boundaries=tuple(each for each in self._boundaries if each.position < len(steps)),
            elements=self._elements,
            listening=tuple(self._listening),
            unlistening=tuple(self._unlistening),
            wired=self._wired,
            writes=tuple(self._writes.values()),
            focus_moves=tuple(self._moves),
            dropped=self._dropped,
        )

    def _told(self, event: Event, position: int) -> Event:
        """With what the document says of a script, as `Causality` reads it."""
        request = event.request
        kind = self.scripts.get(request.url)
        parser = f"parser {request.document}"
        if request.resource == "document":
            return event.with_detail(channel=parser)
        if kind == "blocking" or request.resource == "stylesheet":  # scripts wait for styles
            return event.with_detail(blocking=True, channel=parser)
        if kind == "defer":
            return event.with_detail(defer=True, registered=position)
        if kind == "async":
            return event.with_detail(asynchronous=True, after=(self._known_in[request.url],))
        return event

    def _id(self, number: object) -> str:
        """The name of an element: the agent of each document counts from one."""
        return str(number) if isinstance(number, str) else f"{self._documents}.{number}"

    def _element(self, item: dict[str, Any]) -> Element:
        return Element(
            id=self._id(item["number"]),
            label=str(item["label"]),
            kind=str(item.get("element", "")),
            born=str(item["born"]),
            behind=tuple(item["behind"]),
            group=str(item.get("group", "")),
            src=str(item.get("src", "")),
            form=str(item.get("form", "")),
            sends=bool(item.get("sends")),
            path=str(item.get("xpath", "")),
            standing=lenient({name: item.get(name) for name in _STANDING}, UserAction),
        )

    def _note(self, item: dict[str, Any]) -> None:
        event, target = str(item["event"]), self._id(item["target"])
        match item["what"]:
            case "listen":
                self._listening.append(
                    Listening(
                        event=event,
                        target=target,
                        type=str(item["type"]),
                        source=str(item["source"]),
                        site=str(item["site"]),
                        listener=int(item["listener"]),
                        markup=bool(item.get("markup")),
                        within=tuple(self._id(number) for number in item.get("within", ())),
                    )
                )
            case "unlisten":
                gone = Unlistening(event=event, target=target, type=str(item["type"]), listener=int(item["listener"]))
                self._unlistening.append(gone)
            case "write":
                write = Write(
                    event=event,
                    target=target,
                    value=str(item["value"]),
                    site=str(item["site"]),
                    replaced=bool(item.get("replaced")),
                )
                self._writes.setdefault((target, event), write)
            case "focus":
                self._moves.append(
                    FocusMove(event=event, target=target, site=str(item["site"]), auto=bool(item.get("auto")))
                )

    def _events(self, actions: Sequence[dict[str, Any]]) -> tuple[Event, ...]:
        events = []
        for action in actions:
            event = user_event(action, value=_typed(lenient(action, UserAction)))
            if self._allows(event):
                events.append(event)
        return tuple(events)


def _typed(action: UserAction) -> str | None:
    """A text that no script writes; None for what the field itself proposes."""
    field = action.field
    if action.type != "type" or field is None or field.type not in _FREE_TEXT or field.suggestions:
        return None
    with contextlib.suppress(ValueError):
        return _TYPED[: max(1, int(field.maxlength))]
    return _TYPED
