"""The vocabulary, pure data: events, effects, traces, schedules, happens-before, and the App interface."""

from jostle.events.access import Access
from jostle.events.app import App, NotEnabled
from jostle.events.causality import Causality
from jostle.events.detail import Field, Locator, UserAction
from jostle.events.effect import (
    Answered,
    Box,
    Change,
    Dialog,
    Effect,
    FormWrite,
    Milestone,
    PageError,
    Request,
    StorageWrite,
)
from jostle.events.event import (
    AnimationEvent,
    Event,
    FrameEvent,
    IdleEvent,
    Kind,
    LifecycleEvent,
    MessageEvent,
    NetworkEvent,
    ObserverEvent,
    ParseEvent,
    TimerEvent,
    UserEvent,
    event_of,
)
from jostle.events.location import Location, LocationKind, located
from jostle.events.model_app import ModelApp, Thrown, View, World
from jostle.events.settled import Settled, Timed, merge
from jostle.events.trace import Schedule, State, Step, Trace

__all__ = [
    "Access",
    "AnimationEvent",
    "Answered",
    "App",
    "Box",
    "Causality",
    "Change",
    "Dialog",
    "Effect",
    "Event",
    "Field",
    "FormWrite",
    "FrameEvent",
    "IdleEvent",
    "Kind",
    "LifecycleEvent",
    "Location",
    "LocationKind",
    "Locator",
    "MessageEvent",
    "Milestone",
    "ModelApp",
    "NetworkEvent",
    "NotEnabled",
    "ObserverEvent",
    "PageError",
    "ParseEvent",
    "Request",
    "Schedule",
    "Settled",
    "State",
    "Step",
    "StorageWrite",
    "Thrown",
    "Timed",
    "TimerEvent",
    "Trace",
    "UserAction",
    "UserEvent",
    "View",
    "World",
    "event_of",
    "located",
    "merge",
]
