"""What a run is to be like: how a tab is set up, what is seen of it, and how much of it is ours to decide."""

from __future__ import annotations

from enum import Enum, Flag, auto

import msgspec

from jostle.browser.agent import AgentPart


class Control(Enum):
    """How much of what happens in a tab is ours to decide."""

    SCHEDULED = "scheduled"
    """Every response is held until its turn comes, and time stands still within an event."""
    FLOWING = "flowing"
    """Only documents are held of what comes over the network; the rest comes when it comes. Faster, and good enough
    where the order of responses does not matter. Where somebody else answers, or scripts are rewritten, everything has
    to pass through our hands: then it is the same as `SCHEDULED`."""
    KEEPING = "keeping"
    """The same, but what flows passes through our hands, so that a recording has all of it."""
    FREE = "free"
    """Nothing is held, time is real."""
    WATCHED = "watched"
    """The same; responses pass through our hands, and what a person does is told."""
    ADOPTED = "adopted"
    """The same in a tab that is somebody else's: size, touch, locale and focus are left alone."""

    @property
    def holds(self) -> bool:
        return self in (Control.SCHEDULED, Control.FLOWING, Control.KEEPING)

    @property
    def watches(self) -> bool:
        return self in (Control.WATCHED, Control.ADOPTED)


class Profiling(Flag):
    """What is noted of the blocks of JavaScript that run."""

    NONE = 0
    COST = auto()
    """How many, event by event."""
    COVERAGE = auto()
    """Which, to be read whenever one likes."""


class AccessLog(Enum):
    """Which reads and writes of events are noted."""

    NONE = "none"
    SHARED = "shared"
    """Of objects and variables only what several events touch and one of them writes, told when that is seen (see
    `Effect.earlier`): most of what a large application reads and writes matters to nobody else, and to tell it takes
    longer than to do it. Not for sleep sets, which want to know at once."""
    ALL = "all"


class TabSettings(msgspec.Struct, frozen=True, kw_only=True):
    """How a tab is set up."""

    width: int = 1280
    height: int = 800
    touch: bool = False
    locale: str = ""
    timezone: str = ""
    user_agent: str = ""
    start: float = 1_767_225_600_000.0
    """The page's clock at the start of a run, in milliseconds since 1970."""
    control: Control = Control.SCHEDULED
    profiling: Profiling = Profiling.NONE
    accesses: AccessLog = AccessLog.NONE
    frames: int = 1
    """So many animation frames are one event, when nothing else happens in between."""
    registrations: bool = False
    """Note who listens to what and what scripts do to fields and focus, to be asked for with `look`."""
    ignored: tuple[str, ...] = ()
    """CSS selectors of parts of the page that say nothing about its state."""
    parts: tuple[AgentPart, ...] = ()
    """What another room adds to the page agent. Without any, there is no trace of it in the page."""
    scripts: tuple[str, ...] = ()
    """JavaScript that is part of the page: it runs in every document before any script of its own."""


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """How long, in real seconds, to wait for what."""

    load: float = 30.0
    """For the server's answer to the first request of a run."""
    answer: float = 10.0
    """For answers that are on their way; a later one is simply possible later."""
    rewriting: float = 120.0
    """For the rewriting of what has come."""
    step: float = 10.0
    """For an event's JavaScript to come to an end."""
