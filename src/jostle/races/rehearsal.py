"""Runs of one application that are to differ in nothing but their order: the first is answered by the server, later
ones get the same answers again."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from jostle.browser.chromium import Chromium
from jostle.browser.chromium_app import ChromiumApp
from jostle.browser.responders import SERVER, Replaceable, Responder, layered
from jostle.browser.settings import AccessLog
from jostle.events import Event, Step
from jostle.exploring.application import Explored
from jostle.model.abstraction import Abstraction
from jostle.races.hearing import Hearing
from jostle.recording.answers import RecordedAnswers
from jostle.recording.file import Manifest, Recording
from jostle.recording.recorder import Hears, Recorder
from jostle.rewriting import ScriptRewriter
from jostle.search.subject import Subject

Opens = Callable[[Responder | None, Hears], ChromiumApp]
"""Gives the application in the browser, with somebody to answer it and somebody to hear what passes."""


class Rehearsal:
    """One application, opened twice in one browser: once with its server, once with the answers of an earlier run."""

    def __init__(
        self,
        opens: Opens,
        manifest: Manifest,
        abstraction: Callable[[ChromiumApp], Abstraction],
        restore: Callable[[ChromiumApp], Awaitable[None]],
        *,
        resets: bool = False,
    ) -> None:
        """`restore` brings the server back to where it began, if there is a way to that (`resets`), and logs in."""
        self.resets = resets
        self._hearing = Hearing(manifest)
        self._answers = Replaceable()
        self._live = opens(None, self._hearing)
        self._again = opens(layered([self._answers, SERVER]), self._hearing)
        self._abstraction = abstraction
        self._restore = restore

    async def begin(
        self,
        answers: Recording | None = None,
        *,
        holds: Callable[[Event], bool] = lambda event: False,
        states: bool = False,
        watches: Callable[[ChromiumApp, Step], Awaitable[None]] | None = None,
    ) -> tuple[Explored, Recorder]:
        """A fresh run, loaded and at rest, and what hears its answers. `answers`: those of an earlier run, in place of
        the server's; what it did not ask for is asked of the server. `states`: keep the state after every step too,
        which a recording needs that is to be replayed. `watches` is told of every step, with `states`.
        """
        app, recorder = await self._prepared(answers)

        async def observe(step: Step) -> Step:
            if watches is not None:
                await watches(app, step)
            return await recorder.stepped(app, step, whole=step.event.by_user)

        explored = Explored(
            app,
            self._abstraction(app),
            observe=observe if states else None,
            on_reset=recorder.begin,
            holds=holds,
        )
        await explored.reset()
        return explored, recorder

    async def at_first(self, answers: Recording) -> tuple[ChromiumApp, Recorder]:
        """A fresh run with the answers of an earlier one, before its first event: the caller decides what happens."""
        app, recorder = await self._prepared(answers)
        await app.reset()
        recorder.begin(tuple(await app.waiting()))
        return app, recorder

    async def _prepared(self, answers: Recording | None) -> tuple[ChromiumApp, Recorder]:
        if answers is None:
            await self._restore(self._live)
        else:
            self._answers.now = RecordedAnswers(answers, exact=True)
        return self._live if answers is None else self._again, self._hearing.anew()

    async def close(self) -> None:
        await self._live.close()
        await self._again.close()


def rehearsal_of(
    subject: Subject, chromium: Chromium, *, pauses: bool = False, rewriter: ScriptRewriter | None = None
) -> Rehearsal:
    """For an application under test. `pauses`: the parser of a page may pause, which is an event of its own.
    `rewriter`: with what each event reads and writes."""
    made = subject.manifest(chromium, pauses=pauses)
    watched = rewriter is not None
    view = subject.seen_with(accesses=AccessLog.SHARED if watched else AccessLog.NONE)

    def opens(responder: Responder | None, hearing: Hears) -> ChromiumApp:
        return subject.opened(chromium, view, made=made, recorder=hearing, responder=responder, rewriter=rewriter)

    return Rehearsal(opens, made, subject.abstraction, subject.restore_for, resets=subject.resets)
