"""Events, effects and steps as JSON and back. Locations and milestones are written as text.

What earlier versions wrote is read too, see `completed`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, TypeVar

import msgspec

from jostle.events.detail import NetworkDetail
from jostle.events.effect import Milestone
from jostle.events.event import Event, LifecycleEvent, NetworkEvent, TimerEvent
from jostle.events.location import Location, located
from jostle.events.trace import Step

T = TypeVar("T")

_METHOD = re.compile(r"([A-Z]+) ")
_TIMER = re.compile(r"(timeout|interval|task) [\d.e+]+ at (.*?)(?: in (?:frame|tab) [\d.]+)*$", re.DOTALL)
_LIFECYCLE = re.compile(r"[A-Za-z]+")


def _written(value: object) -> str:
    if isinstance(value, Location | Milestone):
        return str(value)
    raise NotImplementedError(f"{type(value).__name__} cannot be written")


def _read(kind: type, value: object) -> object:
    if not isinstance(value, str):
        raise ValueError(f"expected a text, got {type(value).__name__}")
    if kind is Location:
        return located(value)
    if kind is Milestone:
        return Milestone.parse(value)
    raise NotImplementedError(f"{kind.__name__} cannot be read")


def encode(value: object) -> bytes:
    return msgspec.json.encode(value, enc_hook=_written)


def to_plain(value: object) -> Any:
    return msgspec.to_builtins(value, enc_hook=_written)


def decode(text: bytes | str, kind: type[T]) -> T:
    return msgspec.json.decode(text, type=kind, dec_hook=_read)


def decoder(kind: type[T]) -> Callable[[bytes | str], T]:
    """The same for many texts."""
    return msgspec.json.Decoder(kind, dec_hook=_read).decode


def from_plain(value: object, kind: type[T]) -> T:
    return msgspec.convert(value, kind, dec_hook=_read)


def completed(event: Event) -> Event:
    """An event as an earlier version wrote it: what only its descriptor told then, its detail tells now."""
    match event:
        case NetworkEvent() if not event.detail.method and (found := _METHOD.match(event.what)):
            return event.with_detail(method=found[1], in_frame=_is_in_frame(event.detail))
        case TimerEvent() if not event.detail.function and (found := _TIMER.match(event.what)):
            return event.with_detail(function=found[1], site=found[2])
        case LifecycleEvent() if not event.detail.type and (found := _LIFECYCLE.match(event.what)):
            return event.with_detail(type=found[0])
    return event


def _is_in_frame(detail: NetworkDetail) -> bool:
    """The name of a document was the only one to tell: `TAB/FRAME/NUMBER`."""
    return detail.resource == "document" and bool("".join(detail.document.split("/")[1:2]))


def completed_step(step: Step) -> Step:
    """The same for the event of a step and for those that it created."""
    event, created = completed(step.event), tuple(map(completed, step.effect.created))
    if event is step.event and all(one is other for one, other in zip(created, step.effect.created, strict=True)):
        return step
    return msgspec.structs.replace(step, event=event, effect=msgspec.structs.replace(step.effect, created=created))
