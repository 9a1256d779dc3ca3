"""The vocabulary, pure data: events, effects, traces, schedules, happens-before, and the App interface."""

from jostle.events.access import Access
from jostle.events.app import App, NotEnabled
from jostle.events.causality import Causality
from jostle.events.effect import (
    Answered,
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
from jostle.events.model_app import ModelApp, Thrown, View, World
from jostle.events.settled import Settled, Timed, merge
from jostle.events.trace import Schedule, State, Step, Trace

__all__ = [
    "Access",
    "Answered",
    "App",
    "Box",
    "Causality",
    "Change",
    "Dialog",
    "Effect",
    "Event",
    "FormWrite",
    "Kind",
    "ModelApp",
    "NotEnabled",
    "PageError",
    "Request",
    "Schedule",
    "Settled",
    "State",
    "Step",
    "StorageWrite",
    "Thrown",
    "Timed",
    "Trace",
    "View",
    "World",
    "merge",
]
