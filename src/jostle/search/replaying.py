"""Repeating a recorded run, in the recorded conditions or against the live server."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from jostle.browser.chromium_app import ChromiumApp
from jostle.progress import LimitMet
from jostle.recording.answers import RecordedAnswers
from jostle.recording.file import Recording
from jostle.recording.login import logged_in
from jostle.recording.opening import app_of
from jostle.recording.passwords import with_password
from jostle.recording.replay import Replayed, Watching, replay
from jostle.search.browsers import Browsers
from jostle.search.run import Environment
from jostle.search.stream import Emit

WatchedBy = Callable[[ChromiumApp, int], Watching | None]
"""Who watches the n-th replay, from 0."""


async def replay_recording(
    recording: Recording,
    environment: Environment,
    emit: Emit,
    *,
    times: int = 1,
    live: bool = False,
    watching: WatchedBy = lambda app, number: None,
    on_replayed: Callable[[Replayed], None] = lambda replayed: None,
) -> list[Replayed]:
    """Each time in a fresh profile. `live`: the server answers, with somebody logged in as configured; otherwise the
    recording does, and no server is needed."""
    configuration = environment.loaded.configuration
    outcomes: list[Replayed] = []
    recording = with_password(recording) if live else recording
    async with Browsers(environment.browser) as browsers, browsers.lent() as chromium:
        state = await logged_in(environment.loaded, chromium, recording.manifest.url, emit) if live else None
        answers = None if live else RecordedAnswers(recording, ignored=configuration.ignore.parameters)
        app = app_of(
            recording.manifest,
            chromium,
            state=state,
            responder=answers,
            on_limit=lambda words: emit(LimitMet(text=words)),
            block_third_party=live and configuration.block_third_party,
        )
        try:
            for number in range(times):
                if live:
                    await asyncio.to_thread(environment.application.reset)
                eyes = watching(app, number)
                outcomes.append(await replay(app, recording, answers, listener=emit, watching=eyes))
                on_replayed(outcomes[-1])
        finally:
            await app.close()
    return outcomes
