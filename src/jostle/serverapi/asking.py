"""Which things that a user did asked the server for something, in words."""

from __future__ import annotations

import re

import msgspec

from jostle.events import Trace
from jostle.model.label import label
from jostle.recording.file import Recording

LOADING = "loading the page"
_KEY = re.compile(r"[a-z]+:[0-9a-f]{10}")


def asking(trace: Trace) -> dict[str, str]:
    """By the key of an event, what the user did last when it happened."""
    words: dict[str, str] = {}
    user = LOADING
    for step in trace.steps:
        if step.event.by_user:
            user = label(step.event)
        words.setdefault(step.event.key, user)
    return words


def with_words(recording: Recording) -> Recording:
    """The same recording whose requests say in words what asked for them: its trace may get lost."""
    words = asking(recording.trace)
    exchanges = [
        msgspec.structs.replace(each, asked_by=words.get(each.asked_by, _unknown(each.asked_by)))
        for each in recording.exchanges
    ]
    return Recording(manifest=recording.manifest, trace=recording.trace, exchanges=exchanges, bodies=recording.bodies)


def _unknown(asked_by: str) -> str:
    """What is no key is in words already; a key that the trace does not have says nothing."""
    return "" if _KEY.fullmatch(asked_by) else asked_by
