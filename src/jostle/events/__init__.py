"""The vocabulary, pure data: events, effects, traces, schedules, happens-before, and the App interface."""

from jostle.events.app import App, NotEnabled
from jostle.events.effect import (
    Box,
    Change,
    Dialog,
    Effect,
    FormWrite,
    PageError,
    Request,
    StorageWrite,
)
from jostle.events.event import Event, Kind
from jostle.events.trace import Schedule, State, Step, Trace

__all__ = [
    "App",
    "Box",
    "Change",
    "Dialog",
    "Effect",
    "Event",
    "FormWrite",
    "Kind",
    "NotEnabled",
    "PageError",
    "Request",
    "Schedule",
    "State",
    "Step",
    "StorageWrite",
    "Trace",
]
