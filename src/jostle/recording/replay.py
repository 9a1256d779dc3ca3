"""Repeating a recorded run: step by step the same events, compared with the recording after each."""

from __future__ import annotations

from typing import Protocol

import msgspec

from jostle.browser.chromium_app import ChromiumApp
from jostle.browser.dialog import accept
from jostle.events import Dialog, NotEnabled, Step
from jostle.progress import Finished, Listener, Started, Stepped
from jostle.recording.answers import RecordedAnswers
from jostle.recording.divergence import ASPECTS, Aspect, Divergence, compare_steps, missing_event, unanswered
from jostle.recording.file import Recording
from jostle.recording.same_step import comparable, same_event
from jostle.recording.snapshot import digest_of, text_of

_EXACT: tuple[Aspect, ...] = ASPECTS
_LIVE: tuple[Aspect, ...] = ("event", "error", "hung", "dialog", "document")
"""A live server may answer with other headers, cookies and speeds; what the user meets must still agree."""


class Watching(Protocol):
    """Somebody who watches a replay. What they do must not be seen by the page."""

    async def before(self, number: int, step: Step) -> None:
        """A step is about to be done; they are counted from 1."""
        ...

    async def end(self, verdict: str) -> None:
        """The replay is over."""
        ...


class Replayed(msgspec.Struct, frozen=True, kw_only=True):
    """What came of a replay."""

    steps: tuple[Step, ...]
    divergence: Divergence | None = None

    @property
    def reproduced(self) -> bool:
        return self.divergence is None

    @property
    def verdict(self) -> str:
        """`reproduced`, or `diverged at step n because ...`."""
        return str(self.divergence) if self.divergence else "reproduced"


async def replay(
    app: ChromiumApp,
    recording: Recording,
    answers: RecordedAnswers | None,
    *,
    listener: Listener,
    every_state: bool = True,
    watching: Watching | None = None,
) -> Replayed:
    """Do what was done in the recording; stop at the first difference.

    `answers` is the one given to the app, or None when the server itself answers. Without `every_state`, states are
    compared only after the user's steps and at the end, which is faster. `watching` sees it go on.
    """
    replayed = await _replay(app, recording, answers, listener, every_state, watching)
    if watching is not None:
        await watching.end(replayed.verdict)
    return replayed


async def _replay(
    app: ChromiumApp,
    recording: Recording,
    answers: RecordedAnswers | None,
    listener: Listener,
    every_state: bool,
    watching: Watching | None,
) -> Replayed:
    steps = recording.trace.steps
    done: list[Step] = []
    listener(Started(what=f"replaying {recording.manifest.url}", total=len(steps)))
    if answers is not None:
        answers.reset()
    dialogs: list[Dialog] = []
    app.on_dialog = lambda kind, message, default: as_recorded(dialogs, kind, message, default)
    await app.reset()
    for number, expected in enumerate(steps, 1):
        answered = answers.mark if answers else 0
        dialogs[:] = expected.effect.dialogs
        last = number == len(steps) or steps[number].event.by_user
        if watching is not None:
            await watching.before(number, expected)
        possible = await app.waiting()
        app.passed(expected.at)  # a stored date tells one millisecond from the next
        try:
            at = app.now
            effect = await app.step(same_event(expected, possible))
        except NotEnabled as problem:
            enabled = await app.enabled() if expected.event.by_user else possible
            return _ended(listener, done, missing_event(number, expected.event, list(enabled), problem.reason))
        got = Step(event=expected.event, effect=effect, at=at)
        snapshot = ""
        if expected.state is not None and (every_state or last):
            state = await app.state()
            if state != expected.state:
                snapshot = text_of(await app.snapshots())
                if digest_of(snapshot) == expected.state.digest:  # redacted: the digest is that of the text
                    state = expected.state
            got = msgspec.structs.replace(got, state=state)
        done.append(got)
        matches = answers.since(answered) if answers else []
        divergence = next((unanswered(number, expected.event, match) for match in matches if match.how == "none"), None)
        divergence = divergence or compare_steps(
            number,
            comparable(expected),
            comparable(got),
            expected_snapshot=recording.snapshot_after(expected),
            got_snapshot=snapshot,
            matches=matches,
            aspects=_EXACT if answers else _LIVE,
        )
        if divergence is not None:
            return _ended(listener, done, divergence)
        listener(Stepped(done=number, what=str(expected.event)))
    return _ended(listener, done, None)


def as_recorded(recorded: list[Dialog], kind: str, message: str, default: str) -> tuple[bool, str]:
    """What was said to the dialog when the run was recorded; one that is new is accepted."""
    for place, dialog in enumerate(recorded):
        if dialog.kind == kind:
            del recorded[place]
            accepted = dialog.answer != "dismiss"
            return accepted, dialog.answer if accepted and kind == "prompt" else ""
    return accept(kind, message, default)


def _ended(listener: Listener, steps: list[Step], divergence: Divergence | None) -> Replayed:
    replayed = Replayed(steps=tuple(steps), divergence=divergence)
    listener(Finished(summary=f"{len(steps)} steps: {replayed.verdict}"))
    return replayed
