"""A recorded run in words, for any kind of output. Nothing here is escaped: whoever shows it must do that."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from enum import StrEnum

import msgspec

from jostle.events import Effect, Event, Kind, PageError, Trace
from jostle.plural import count


def size(octets: int) -> str:
    amount = float(octets)
    for unit in ("bytes", "kB", "MB"):
        if amount < 1000 or unit == "MB":
            break
        amount /= 1000
    return f"{amount:.0f} {unit}" if unit == "bytes" else f"{amount:,.1f} {unit}"


def time(milliseconds: float) -> str:
    """`142 ms`, `11.8 s`, `3 min 5 s`."""
    if milliseconds < 1000:
        return f"{milliseconds:.0f} ms"
    if milliseconds < 60_000:
        return f"{milliseconds / 1000:.1f} s"
    minutes, seconds = divmod(round(milliseconds / 1000), 60)
    return f"{minutes:,} min {seconds} s"


# What was owned ----------------------------------------------------------------------------------------------------


class Owned(msgspec.Struct, frozen=True, kw_only=True):
    """How many events of one kind happened when jostle let them."""

    kind: Kind
    number: int
    noun: str
    """`answer`, in the singular."""
    how: str
    """What jostle did with them."""

    def __str__(self) -> str:
        return count(self.number, self.noun)


_OWNED = {
    Kind.USER: ("user action", "done with trusted input"),
    Kind.NETWORK: ("answer", "held, released one by one"),
    Kind.TIMER: ("timer", "fired on the virtual clock"),
    Kind.FRAME: ("animation frame", "run on the virtual clock"),
    Kind.IDLE: ("idle callback", "run one by one"),
    Kind.ANIMATION: ("animation", "ended on the virtual clock"),
    Kind.MESSAGE: ("message", "held, delivered one by one"),
    Kind.OBSERVER: ("observer callback", "run one by one"),
    Kind.PARSE: ("parser step", "stopped and let go on"),
    Kind.LIFECYCLE: ("page event", "let happen"),
}


def owned(trace: Trace) -> tuple[Owned, ...]:
    """What jostle owned in the run, by kind; kinds that did not occur are left out."""
    happened: Counter[Kind] = Counter()
    for step in trace.steps:
        happened[step.event.kind] += step.effect.frames or 1
    return tuple(
        Owned(kind=kind, number=happened[kind], noun=noun, how=how)
        for kind, (noun, how) in _OWNED.items()
        if happened[kind]
    )


_NTH = re.compile(r" \(#\d+\)$")


def once(what: str) -> str:
    """The event, whether it happens for the first time or for the n-th: without `(#2)`."""
    return _NTH.sub("", what)


# What happens ------------------------------------------------------------------------------------------------------

_HAPPENS = {
    Kind.NETWORK: "The answer to {} comes",
    Kind.TIMER: "Timer: {}",
    Kind.MESSAGE: "Message: {}",
    Kind.PARSE: "The page is read on: {}",
}
_UNSEEN = (Kind.FRAME, Kind.IDLE, Kind.ANIMATION, Kind.OBSERVER, Kind.LIFECYCLE)


def happens(event: Event) -> str:
    """An event as a caption: `Click button "Save"`, `The answer to GET /rows comes`."""
    words = _HAPPENS.get(event.kind, "{}").format(event)
    return words[:1].upper() + words[1:]


def worth_watching(trace: Trace, most: int) -> frozenset[int]:
    """Numbers of steps, from 1, that somebody who watches wants to be told of: what the user does, and what changes the
    page or goes wrong, once there is a page. At most so many, the user's first."""
    users: list[int] = []
    others: list[int] = []
    for number, step in enumerate(trace.steps, 1):
        effect = step.effect
        if number == 1 and not step.event.by_user:
            continue
        if step.event.by_user:
            users.append(number)
        elif effect.errors or effect.hung or effect.dialogs:
            others.insert(0, number)
        elif step.event.kind not in _UNSEEN and (effect.changes or effect.form_writes or effect.lifecycle):
            others.append(number)
    return frozenset([*users, *others][:most])


# What a step did ---------------------------------------------------------------------------------------------------


class Tone(StrEnum):
    PLAIN = ""
    WARNING = "warning"
    BAD = "bad"


class Section(msgspec.Struct, frozen=True):
    """One of the things a step did."""

    title: str
    lines: tuple[str, ...]
    tone: Tone = Tone.PLAIN


def sections(effect: Effect) -> tuple[Section, ...]:
    """What a step did, the worst first, without the events it made possible or impossible."""
    told: Iterable[tuple[str, Iterable[str], Tone]] = (
        ("Did not come to rest", [effect.hung] if effect.hung else [], Tone.BAD),
        ("Errors", (_error(each) for each in effect.errors), Tone.BAD),
        ("Limits", effect.limits, Tone.WARNING),
        ("Changes of the document", (f"{each.what}: {each.target}" for each in effect.changes), Tone.PLAIN),
        (
            "Form fields set by scripts",
            (f"{each.target} = {each.value!r}" for each in effect.form_writes),
            Tone.PLAIN,
        ),
        (
            "Storage",
            (
                f"{each.area} {each.key} " + ("removed" if each.value is None else f"= {each.value}")
                for each in effect.storage_writes
            ),
            Tone.PLAIN,
        ),
        (
            "Requests",
            (f"{each.method} {each.url}" + (f"\n{each.body}" if each.body else "") for each in effect.requests),
            Tone.PLAIN,
        ),
        ("Dialogs", (f"{each.kind} {each.message!r}: {each.answer}" for each in effect.dialogs), Tone.PLAIN),
        ("Downloads", effect.downloads, Tone.PLAIN),
        ("Milestones", map(str, effect.lifecycle), Tone.PLAIN),
    )
    return tuple(Section(title, lines, tone) for title, each, tone in told if (lines := tuple(each)))


def in_short(effect: Effect) -> str:
    """What a step did, in a few words."""
    parts = [f"HUNG: {effect.hung}"] if effect.hung else []
    parts += [f"{error.kind}: {error.message}" for error in effect.errors[:1]]
    parts += [count(effect.frames, "frame")] if effect.frames > 1 else []
    for noun, items in (
        ("error", effect.errors[1:]),
        ("change", effect.changes),
        ("request", effect.requests),
        ("new event", effect.created),
        ("dialog", effect.dialogs),
        ("storage write", effect.storage_writes),
        ("form write", effect.form_writes),
        ("download", effect.downloads),
    ):
        if items:
            parts.append(count(len(items), noun))
    return ", ".join([*parts, *map(str, effect.lifecycle)])


def _error(error: PageError) -> str:
    return "\n".join([f"{error.kind}: {error.message}" + (f" ({error.source})" if error.source else ""), *error.stack])
