"""An order as somebody can bring it about who can only hold things back: what comes late, and when it is let go."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from jostle.addresses import split_url
from jostle.events import Event, Kind, MessageEvent, NetworkEvent, TimerEvent
from jostle.races.schedules.run import ScheduleRun

Late = tuple[str, str, int]
"""What is held, as in `jostle.export`: a method and an address, `timeout` and milliseconds, or `message` and a path;
and which of these it is, from 1."""


def order_with_late(good: ScheduleRun, bad: ScheduleRun) -> list[Event | Late]:
    """What the user does in the bad order, and in between what was held back: everything that something overtakes which
    comes after it in the good order. Raises ValueError, with words for users, when it is something that cannot be held.
    """
    place = {key: number for number, key in enumerate(good.keys)}
    order: list[Event | Late] = []
    numbers = _numbers(bad)
    furthest = -1
    for event in bad.trace.events:
        here = place.get(event.key)
        if event.by_user:
            order.append(event)
        elif here is not None and here < furthest:
            order.append(_late(event, numbers))
        furthest = max(furthest, here if here is not None else -1)
    if not any(isinstance(each, tuple) for each in order):
        raise ValueError("nothing comes late in this order that could be held back.")
    return order


def overtaking_timers(good: ScheduleRun, bad: ScheduleRun) -> float:
    """The longest timer, in milliseconds, that in the bad order fires before something it follows in the good one."""
    place = {key: number for number, key in enumerate(good.keys)}
    delays = [0.0]
    pending: list[tuple[int, float]] = []
    for event in bad.trace.events:
        here = place.get(event.key, -1)
        delays += [delay for there, delay in pending if here < there and not event.by_user]
        if event.kind is Kind.TIMER:
            pending.append((here, event.timer.delay or 0.0))
    return max(delays)


def _late(event: Event, numbers: dict[str, int]) -> Late:
    name = _name(event)
    if name is None:
        raise ValueError(f"“{event}” comes late, which Playwright cannot bring about.")
    return (*name, numbers.get(event.key, 1))


def _name(event: Event) -> tuple[str, str] | None:
    match event:
        case NetworkEvent() if event.detail.url:
            return event.detail.method, event.detail.url
        case TimerEvent() if event.detail.function == "timeout":
            return "timeout", f"{event.detail.delay or 0:g}"
        case MessageEvent() if address := event.detail.address:
            return ("message", split_url(address).path) if address.startswith("ws") else ("GET", address)
    return None


def _numbers(run: ScheduleRun) -> dict[str, int]:
    """Which of several with the same name each event is, in the order in which they became possible."""
    counts: Counter[tuple[str, str]] = Counter()
    numbers: dict[str, int] = {}
    for event in (*run.trace.initial, *_created(run)):
        name = _name(event)
        if name is not None and event.key not in numbers:
            counts[name] += 1
            numbers[event.key] = counts[name]
    return numbers


def _created(run: ScheduleRun) -> Sequence[Event]:
    return [event for step in run.trace.steps for event in step.effect.created]
