"""How faithfully a recorded walk is replayed: on every example page and on real applications."""

from __future__ import annotations

import contextlib
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from pathlib import Path

import msgspec

from benchmarks.applications import APPLICATIONS, Application, Cookies
from benchmarks.applications import running as running_application
from benchmarks.wild.applications import WILD
from jostle.browser.app_options import AppListeners, InitialState, NetworkRules
from jostle.browser.chromium import Chromium
from jostle.browser.chromium_app import ChromiumApp
from jostle.browser.settings import TabSettings
from jostle.examples import CATALOGUE, Example
from jostle.examples import running as running_examples
from jostle.progress import silent
from jostle.recording.answers import RecordedAnswers
from jostle.recording.file import Manifest, Recording
from jostle.recording.opening import FRAMES
from jostle.recording.recorder import Recorder
from jostle.recording.replay import replay
from jostle.recording.walk import walk

SEED = 1
SETTINGS = TabSettings(frames=FRAMES, locale="en-US", timezone="UTC")


class Fidelity(msgspec.Struct, frozen=True, kw_only=True):
    """How well the replays of one recording went."""

    name: str
    version: str = ""
    """Of a real application, with its registry; empty for an example page."""
    actions: int = 0
    """Done by the user."""
    steps: int = 0
    """All events of the recording, the user's and the system's."""
    requests: int = 0
    recording_seconds: float = 0.0
    replays: int = 0
    reproduced: int = 0
    replay_seconds: float = 0.0
    """For one replay, on average."""
    misses: tuple[str, ...] = ()
    """Why replays diverged, each reason once."""
    limits: tuple[str, ...] = ()
    """What could not be controlled."""
    problem: str = ""
    """Why the walk ended early or could not be made."""

    @property
    def allowed_misses(self) -> int:
        return self.replays // 50 if self.version else 0

    @property
    def good(self) -> bool:
        return self.steps > 0 and not self.problem and self.replays - self.reproduced <= self.allowed_misses


def subjects(*, wild: bool = False) -> list[Example | Application]:
    """Everything there is to measure. `wild`: the large applications of `benchmarks.wild` instead."""
    if wild:
        return list(WILD)
    # The one that is never the same cannot be reproduced, which is what it is for.
    return [*(example for example in CATALOGUE if example.name != "never-the-same"), *APPLICATIONS]


async def fidelity(
    chromium: Chromium, subject: Example | Application, *, actions: int, replays: int, keep: Path | None = None
) -> Fidelity:
    """Record a walk, stop the server, replay the walk `replays` times. `keep`: directory for the recording."""
    with _served(subject) as (url, cookies):
        began = time.monotonic()
        recording, ended = await _recorded(chromium, url, cookies, actions)
        recording_seconds = time.monotonic() - began
    if keep is not None:
        recording.write(keep / f"{subject.name}.jostle")
    reproduced = 0
    misses: dict[str, None] = {}
    began = time.monotonic()
    async with _replayable(chromium, recording, cookies) as (app, answers):
        for _ in range(replays):
            outcome = await replay(app, recording, answers, listener=silent, every_state=False)
            reproduced += outcome.reproduced
            if not outcome.reproduced:
                misses[outcome.verdict] = None
    done = sum(step.event.by_user for step in recording.trace.steps)
    return Fidelity(
        name=subject.name,
        version=f"{subject.version} ({subject.registry})" if isinstance(subject, Application) else "",
        actions=done,
        steps=len(recording.trace.steps),
        requests=len(recording.exchanges),
        recording_seconds=round(recording_seconds, 2),
        replays=replays,
        reproduced=reproduced,
        replay_seconds=round((time.monotonic() - began) / max(replays, 1), 2),
        misses=tuple(misses),
        limits=recording.manifest.limits,
        problem="" if done == actions else ended,
    )


@contextlib.contextmanager
def _served(subject: Example | Application) -> Iterator[tuple[str, Cookies]]:
    if isinstance(subject, Application):
        with running_application(subject) as application:
            yield application.url, application.cookies
    else:
        with running_examples() as base:
            yield base + subject.path, ()


async def _recorded(chromium: Chromium, url: str, cookies: Cookies, actions: int) -> tuple[Recording, str]:
    recorder = Recorder(
        Manifest(url=url, seed=SEED, start_time=SETTINGS.start, viewport=(SETTINGS.width, SETTINGS.height))
    )
    app = ChromiumApp(
        chromium,
        url,
        settings=SETTINGS,
        initial=InitialState(seed=SEED, cookies=cookies),
        listeners=AppListeners(exchange=recorder.exchanged, traffic=recorder.traffic, limit=recorder.limit),
    )
    try:
        ended = await walk(app, recorder, actions=actions, seed=SEED, listener=silent)
    finally:
        await app.close()
    return recorder.recording(), ended


@contextlib.asynccontextmanager
async def _replayable(
    chromium: Chromium, recording: Recording, cookies: Cookies
) -> AsyncIterator[tuple[ChromiumApp, RecordedAnswers]]:
    answers = RecordedAnswers(recording)
    url = recording.manifest.url
    app = ChromiumApp(
        chromium,
        url,
        settings=SETTINGS,
        initial=InitialState(seed=SEED, cookies=cookies),
        network=NetworkRules(responder=answers),
    )
    try:
        yield app, answers
    finally:
        await app.close()


def table(results: Sequence[Fidelity]) -> str:
    """The results in Markdown, with the misses explained below."""
    lines = [
        "| page | user actions | steps | requests | reproduced | seconds a replay | seconds recording |",
        "|---|--:|--:|--:|--:|--:|--:|",
    ]
    for each in results:
        name = f"{each.name} {each.version}".strip()
        lines.append(
            f"| {name} | {each.actions} | {each.steps} | {each.requests} | {each.reproduced} of {each.replays} "
            f"| {each.replay_seconds:.1f} | {each.recording_seconds:.1f} |"
        )
    notes = [f"- {each.name}: {note}" for each in results for note in (each.problem, *each.misses) if note]
    return "\n".join([*lines, *(["", "Misses and walks that ended early:", "", *notes] if notes else []), ""])
