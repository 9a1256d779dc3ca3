"""A random walk through an application, recorded."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable, Sequence

from jostle.browser.chromium_app import ChromiumApp
from jostle.events import Event, NotEnabled
from jostle.progress import Finished, Listener, Started, Stepped
from jostle.recording.recorder import Recorder

_TRIES = 5


async def walk(
    app: ChromiumApp,
    recorder: Recorder,
    *,
    actions: int,
    seed: int,
    listener: Listener,
    prescribed: Sequence[Event] = (),
    deadline: float | None = None,
    allows: Callable[[Event], bool] = lambda event: True,
) -> str:
    """Do `actions` things a user could do, chosen at random; after each, let the application come to rest.

    `prescribed` are done first, as they are: the walk that is being resumed. `deadline` is a time of
    `time.monotonic`. What `allows` refuses is not done. The answer says why the walk ended. Whatever was done is with
    the recorder, also when this raises.
    """
    chance = random.Random(seed)
    settled = recorder.settled(app)
    done = 0
    tried: Counter[str] = Counter()
    listener(Started(what=f"walking {app.url}", total=actions))
    await settled.reset()
    recorder.screen("start", await app.screenshot())
    while done < actions:
        if deadline is not None and time.monotonic() > deadline:
            return _end(listener, f"{done} of {actions} actions: the time was up")
        if done < len(prescribed):
            choices: Sequence[Event] = [prescribed[done]]
        else:
            choices = [event for event in await settled.enabled() if not event.by_user or allows(event)]
        if not choices:
            why = app.trouble or app.user.reason or "there was nothing more to do"
            return _end(listener, f"{done} of {actions} actions: {why}")
        event = _choose(chance, choices, tried)
        try:
            effect = await settled.step(event)
        except NotEnabled:
            tried[event.what] += _TRIES  # a person could not do it after all: look for something else
            if done < len(prescribed) or all(tried[each.what] >= _TRIES for each in choices):
                raise
            continue
        done += 1
        tried[event.what] += 1
        listener(Stepped(done=done, what=str(event)))
        if effect.hung:
            return _end(listener, f"{done} of {actions} actions: {effect.hung}")
    recorder.screen("end", await app.screenshot())
    return _end(listener, f"{done} actions")


def _choose(chance: random.Random, choices: Sequence[Event], tried: Counter[str]) -> Event:
    """Any of them, the ones done less often more likely."""
    weights = [1 / (1 + tried[event.what]) for event in choices]
    return chance.choices(choices, weights)[0]


def _end(listener: Listener, summary: str) -> str:
    listener(Finished(summary=f"Recorded {summary}"))
    return summary
