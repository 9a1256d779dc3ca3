"""The steps of a recording as rows of a timeline: who caused what, what each did, and which repeat themselves."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence

import msgspec

from jostle.events import Event, Kind, Step
from jostle.recording.exchange import Exchange
from jostle.recording.file import Recording
from jostle.report.words import Section, Tone, in_short, sections, size

LONGEST_TEXT = 500
"""Characters of one text of the page; what is longer is cut."""
MOST_LINES = 40
"""Lines of one section."""
LONGEST_PERIOD = 4
"""Events that take turns, at most, for their repetition to be seen."""
SHORTEST_RUN = 5
"""Steps that repeat themselves, at least, to be shown as one."""

# Controls, direction overrides (a text must not turn the one beside it around) and halves of surrogate pairs.
_UNSHOWABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def shown(text: str, longest: int = LONGEST_TEXT) -> str:
    """A text of the page as it can be put into a document of ours; still to be escaped."""
    return _UNSHOWABLE.sub("\ufffd", text if len(text) <= longest else text[:longest] + " …")


class Created(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An event that a step made possible."""

    step: int = 0
    """Number of the step in which it happened; 0 when it never did."""
    kind: Kind | None = None
    """Of one that never happened, like `what`."""
    what: str = ""
    removed: int = 0
    """Number of the step that made it impossible."""


class TimelineRow(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One step."""

    kind: Kind
    what: str
    time: float
    """Virtual time in milliseconds at which it happened."""
    cause: int = 0
    """Number of the step that made it possible; 0 for the user's actions and the first step."""
    created: tuple[Created, ...] = ()
    short: str = ""
    sections: tuple[Section, ...] = ()
    url: str = ""
    """Address of the page after the step."""
    title: str = ""
    bad: bool = False
    """Something went wrong in it."""


class Repetition(msgspec.Struct, frozen=True, array_like=True):
    """Steps in a row that repeat themselves. Numbers from 1, both ends belong to it."""

    first: int
    last: int
    period: int
    """How many different events take turns."""


def rows(recording: Recording) -> tuple[TimelineRow, ...]:
    steps = recording.trace.steps
    numbers: dict[str, int] = {}
    removed: dict[str, int] = {}
    for number, step in enumerate(steps, 1):
        numbers.setdefault(step.event.key, number)
        for key in step.effect.removed:
            removed.setdefault(key, number)
    answers: defaultdict[str, list[Exchange]] = defaultdict(list)
    for exchange in recording.exchanges:
        answers[exchange.event].append(exchange)
    return tuple(
        TimelineRow(
            kind=step.event.kind,
            what=shown(str(step.event)),
            time=_time(steps, number),
            cause=cause if (cause := numbers.get(step.event.creator, 0)) < number else 0,
            created=tuple(_created(event, numbers, removed) for event in step.effect.created),
            short=shown(in_short(step.effect)),
            sections=_sections(recording, step, answers),
            url=shown(step.state.url) if step.state else "",
            title=shown(step.state.title) if step.state else "",
            bad=bool(step.effect.errors or step.effect.hung),
        )
        for number, step in enumerate(steps, 1)
    )


def repetitions(rows: Sequence[TimelineRow]) -> tuple[Repetition, ...]:
    """Where the same events repeat themselves: a timer that re-arms, frames of an animation, polling.

    The user's actions and steps in which something went wrong are never part of one.
    """
    names = [None if row.kind is Kind.USER or row.bad else (row.kind, row.what) for row in rows]
    found: list[Repetition] = []
    start = 0
    while start < len(names):
        length, period = max((_repeated(names, start, period), -period) for period in range(1, LONGEST_PERIOD + 1))
        if length >= max(SHORTEST_RUN, -3 * period):
            found.append(Repetition(start + 1, start + length, -period))
            start += length
        else:
            start += 1
    return tuple(found)


def _repeated(names: Sequence[tuple[Kind, str] | None], start: int, period: int) -> int:
    """How many names from the start on are each the same as the one a period before."""
    if None in names[start : start + period]:
        return 0
    end = start + period
    while end < len(names) and names[end] == names[end - period]:
        end += 1
    return end - start


def _time(steps: Sequence[Step], number: int) -> float:
    """A step begins before the clock moves to where its event is due."""
    step = steps[number - 1]
    due = step.event.detail.due
    moved = max(step.at, due) if due is not None else step.at
    return min(moved, max(step.at, steps[number].at)) if number < len(steps) else moved


def _created(event: Event, numbers: Mapping[str, int], removed: Mapping[str, int]) -> Created:
    key = event.key
    if step := numbers.get(key):
        return Created(step=step)
    return Created(kind=event.kind, what=shown(str(event)), removed=removed.get(key, 0))


def _sections(recording: Recording, step: Step, answers: Mapping[str, Sequence[Exchange]]) -> tuple[Section, ...]:
    told = sections(step.effect)
    if arrived := answers.get(step.event.key):
        failed = any(each.error or each.status >= 400 for each in arrived)
        lines = tuple(_answer(recording, each) for each in arrived)
        told = (*told, Section("Answer", lines, Tone.WARNING if failed else Tone.PLAIN))
        told = tuple(sorted(told, key=lambda each: (each.tone is not Tone.BAD, each.title != "Answer")))
    return tuple(
        Section(
            each.title,
            tuple(shown(line) for line in each.lines[:MOST_LINES])
            + ((f"… and {len(each.lines) - MOST_LINES:,} more",) if len(each.lines) > MOST_LINES else ()),
            each.tone,
        )
        for each in told
    )


def _answer(recording: Recording, exchange: Exchange) -> str:
    got = exchange.error or " ".join(filter(None, (str(exchange.status), exchange.status_text)))
    kind = exchange.header("content-type").split(";")[0]
    length = size(len(recording.body_of(exchange)))
    return f"{exchange.method} {exchange.url}\n" + ", ".join(filter(None, (got, kind, length)))
