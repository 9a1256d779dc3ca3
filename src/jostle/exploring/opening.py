"""The application under test as an explorer sees it."""

from __future__ import annotations

from jostle.browser.chromium import Chromium
from jostle.browser.chromium_app import ChromiumApp
from jostle.browser.settings import Profiling
from jostle.exploring.application import Explored
from jostle.recording.recorder import Recorder
from jostle.search.subject import Subject


def explored(subject: Subject, app: ChromiumApp, *, traffic: Recorder | None = None) -> Explored:
    """Each of its runs begins where the first one began, if there is a way to that. `traffic`: is told each step."""
    observe = traffic.noted if traffic is not None else None
    return Explored(app, subject.abstraction(app), restore=lambda: subject.restore_for(app), observe=observe)


async def recorded(subject: Subject, chromium: Chromium, *, cost: bool = False) -> tuple[Explored, Recorder]:
    """The same for one run in which every response is held, and its recording. `cost`: with the costs of events."""
    await subject.restore_once(chromium)
    made = subject.manifest(chromium)
    recorder = Recorder(made)
    app = subject.opened(
        chromium, subject.seen_with(profiling=Profiling.COST if cost else Profiling.NONE), made=made, recorder=recorder
    )
    view = Explored(
        app,
        subject.abstraction(app),
        observe=lambda step: recorder.stepped(app, step, whole=step.event.by_user),
        on_reset=recorder.begin,
    )
    return view, recorder
