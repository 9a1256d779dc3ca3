"""Passwords for what was recorded without them: secrets are not written down, but log-ins need one."""

from __future__ import annotations

import os

import msgspec

from jostle.events import Event
from jostle.recording.file import Recording
from jostle.recording.redaction import is_placeholder

PASSWORD = "JOSTLE_PASSWORD"  # noqa: S105
"""The environment variable that has it."""


def is_missing(event: Event) -> bool:
    """Whether a secret was typed that is not recorded."""
    action = event.action
    return bool(action.is_secret and action.enters_text and action.value and is_placeholder(action.value))


def with_password(recording: Recording) -> Recording:
    """With the password of the environment where one was typed that is not recorded. To be used live only."""
    password = os.environ.get(PASSWORD)
    if not password or not recording.manifest.redacted:
        return recording
    steps = tuple(
        msgspec.structs.replace(step, event=step.event.with_detail(value=password)) if is_missing(step.event) else step
        for step in recording.trace.steps
    )
    return Recording(
        manifest=recording.manifest,
        trace=msgspec.structs.replace(recording.trace, steps=steps),
        exchanges=recording.exchanges,
        conversations=recording.conversations,
        bodies=recording.bodies,
        snapshots=recording.snapshots,
        screens=recording.screens,
    )
