"""Seeing what each thing that a user can do leads to, before orders of it are tried."""

from __future__ import annotations

import random
from collections.abc import Sequence

from jostle.browser.chromium import Chromium
from jostle.exploring.avoid import Avoid
from jostle.exploring.opening import explored
from jostle.exploring.reacting import exploring, following
from jostle.model.exploration import Exploration
from jostle.model.reaction import Reaction
from jostle.progress import Listener
from jostle.recording.file import Recording
from jostle.search.subject import Subject


async def look(
    subject: Subject,
    chromium: Chromium,
    scenarios: Sequence[Recording],
    *,
    events: int,
    chance: random.Random,
    avoid: Avoid,
    listener: Listener,
    deadline: float | None,
    into: list[Reaction],
    exploration: Exploration | None = None,
) -> None:
    """Do what each scenario has, from a fresh start; without any, use the application. What
    there is so far is in `into` and `exploration`."""
    app = subject.opened(chromium, subject.view)
    view = explored(subject, app)
    try:
        for scenario in scenarios:
            await following(view, scenario.user_events, listener, into)
        if not scenarios:
            await exploring(
                view,
                events=events,
                chance=chance,
                url=subject.url,
                avoid=avoid,
                listener=listener,
                deadline=deadline,
                into=into,
                exploration=exploration,
            )
    finally:
        await app.close()
