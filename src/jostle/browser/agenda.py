"""What could happen: the system events of a run, what they are called, and where each is held."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from jostle.addresses import split_url
from jostle.browser import fence
from jostle.browser.address import origin
from jostle.browser.connection import Params
from jostle.browser.frame import Frame
from jostle.browser.pending import PendingResponse
from jostle.browser.tab import Tab
from jostle.events import Event, Kind, ParseEvent
from jostle.events.detail import place_in_browser
from jostle.events.event import event_told
from jostle.events.request_pattern import url_pattern


class Waiting(msgspec.Struct, kw_only=True, eq=False):
    """A system event that could happen, and where it is held."""

    event: Event
    tab: Tab | None = None
    frame: str = ""
    document: int = 0
    item: int = 0
    """The agent's number of it."""
    answer: PendingResponse | None = None
    order: int = 0


class Agenda:
    """The events waiting in one run, by key, and the numbers by which equal ones are told apart."""

    def __init__(self, url: str, *, remembers: bool = False) -> None:
        """`remembers`: also what has happened or was taken back, see `named`."""
        self._origin = origin(url)
        self._named: dict[tuple[str, int, int], str] | None = {} if remembers else None
        self._waiting: dict[str, Waiting] = {}
        self._occurrences: dict[tuple[str, str, str], int] = {}
        self._parsed: dict[tuple[str, int], tuple[int, str]] = {}
        self._reached: dict[tuple[str, int], tuple[str, str]] = {}
        self._order = 0

    @property
    def keys(self) -> set[str]:
        return set(self._waiting)

    def get(self, key: str) -> Waiting | None:
        return self._waiting.get(key)

    def since(self, before: set[str]) -> tuple[Event, ...]:
        """The events that were not there before."""
        return tuple(waiting.event for key, waiting in self._waiting.items() if key not in before)

    def ready(self) -> list[Waiting]:
        """Everything that is held here and now."""
        return [each for each in self._waiting.values() if each.answer is None or each.answer.ready]

    def numbered(self, event: Event) -> Event:
        """A user's event with the number it would have if it were done now."""
        return msgspec.structs.replace(event, occurrence=self._occurrences.get(_name(event), 0) + 1)

    def happens(self, event: Event, frame: Frame | None) -> None:
        """The event is about to happen; `frame` is where it is held."""
        if event.by_user:
            self._occurrences[_name(event)] = event.occurrence
        elif self._waiting.pop(event.key, None) is not None and isinstance(event, ParseEvent) and frame is not None:
            self._parsed[frame.id, frame.document] = (event.detail.fence, event.key)

    def add(self, tab: Tab, frame: Frame, entry: Params, cause: str) -> None:
        """Something the agent of a document holds, as the agent tells it."""
        kind, creator = Kind(entry["kind"]), entry.get("creator")
        known: dict[str, Any] = {"document": document_name(tab, frame, frame.document)}
        if creator is not None and kind is Kind.MESSAGE:
            known["outside"] = True
        what = f"{entry['what']}{place_in_browser(frame.path, tab.number)}"
        event = self._created(kind, what, cause if creator is None else creator, entry, known)
        self._order += 1
        item = int(entry["id"])
        self._waiting[event.key] = Waiting(
            event=event, tab=tab, frame=frame.id, document=frame.document, item=item, order=self._order
        )
        if self._named is not None:
            self._named[frame.id, frame.document, item] = event.key

    def parsed(self, frame: Frame, fenced: str, event: str) -> None:
        """After this event the parser of a document stands at the fence of that address, if it is not empty."""
        if fenced and self._reached.get((frame.id, frame.document), ("", ""))[0] != fenced:
            self._reached[frame.id, frame.document] = (fenced, event)

    def named(self, frame: Frame, document: int, item: int) -> str:
        """The key of what the agent of a document holds, or held, under a number; empty when it never came to be an
        event."""
        return self._named.get((frame.id, document, item), "") if self._named is not None else ""

    def cancel(self, frame: Frame, items: set[int]) -> None:
        """The page took these back: a cleared timer, a cancelled frame."""
        for key, waiting in list(self._waiting.items()):
            if waiting.frame == frame.id and waiting.document == frame.document and waiting.item in items:
                del self._waiting[key]

    def leave(self, frames: set[str]) -> None:
        """These documents are being left: whether a transition had begun in them by then, nobody sees."""
        for key, waiting in list(self._waiting.items()):
            if waiting.frame in frames and waiting.event.kind is Kind.ANIMATION:
                del self._waiting[key]

    def collect(self, answers: Iterable[PendingResponse], tabs: Iterable[Tab]) -> None:
        """Make events of what was asked for; forget what is gone. An event is possible once its answer is there."""
        places = {frame.id: (tab, frame) for tab in tabs if tab.usable for frame in tab.frames.values()}
        expected = [answer for answer in answers if answer.in_turn and not answer.released]
        known = {id(waiting.answer) for waiting in self._waiting.values() if waiting.answer is not None}
        for answer in expected:
            if id(answer) not in known:
                self._expect(answer, *places.get(answer.frame, (None, None)))
        self._drop_void({id(answer) for answer in expected}, {key: frame for key, (_, frame) in places.items()})

    def _expect(self, answer: PendingResponse, tab: Tab | None, frame: Frame | None) -> None:
        asked = answer.first
        known: dict[str, Any] = {}
        if tab is not None and frame is not None:
            # A document belongs to itself, not to the one that it replaces.
            known["document"] = document_name(tab, frame, frame.document + (asked.resource == "document"))
        if number := fence.number_of(asked.url):
            if tab is None or frame is None:
                return
            passed, last = self._parsed.get((frame.id, frame.document), (0, ""))
            if number != passed + 1:
                return  # asked for ahead of time: it is possible when the parser has come past the one before
            what = f"parse past fence {number} of {split_url(frame.url).path}{place_in_browser(frame.path, tab.number)}"
            known["fence"] = number
            if fence.is_brief(asked.url):
                reached, event_before = self._reached.get((frame.id, frame.document), ("", ""))
                if reached != asked.url:
                    return  # the parser waits for something else
                known |= {"brief": True, "after": (event_before,)}
            event = self._created(Kind.PARSE, what, last or answer.cause, {}, known)
        else:
            what = url_pattern(asked.url, asked.method, origin=self._origin, body=asked.body)
            known |= {
                "method": asked.method,
                "url": asked.url,
                "resource": asked.resource,
                "request": answer.network_id,
            }
            known |= {
                "sources": tuple(answer.sources),
                "in_frame": asked.resource == "document" and bool(frame and frame.path),
            }
            event = self._created(Kind.NETWORK, what, answer.cause, {}, known)
        answer.event = event.key
        self._waiting[event.key] = Waiting(event=event, frame=answer.frame, answer=answer, order=answer.order)

    def _drop_void(self, answers: set[int], frames: dict[str, Frame]) -> None:
        for key, waiting in list(self._waiting.items()):
            if waiting.answer is not None:
                void = id(waiting.answer) not in answers
            else:
                frame = frames.get(waiting.frame)
                void = frame is None or frame.document != waiting.document
            if void:
                del self._waiting[key]

    def _created(self, kind: Kind, what: str, creator: str, told: Params, known: Params) -> Event:
        """`told`: what the page says of it; `known`: what we know better."""
        count = self._occurrences.get((kind, what, creator), 0) + 1
        self._occurrences[kind, what, creator] = count
        return event_told(kind, what, creator, count, told, **known)


def possible(waiting: list[Waiting]) -> list[Event]:
    """What could happen now, in natural order.

    A parser that waits only for a moment goes on before all else. What a page sends to itself comes at once, before
    anything from outside: schedulers of frameworks do their work so, and what a response sets off must not be done
    along with what was sent before it. Answers come in the order of their requests, messages of one channel one after
    the other. A timer can fire before another of its document only if it was set later with a shorter delay, or is the
    earlier one anyway.
    """
    heads: set[tuple[str, str]] = set()
    shortest: dict[str, float] = {}
    chosen = []
    for each in sorted(waiting, key=lambda each: each.order):
        detail = each.event.detail
        if each.event.kind in (Kind.MESSAGE, Kind.OBSERVER):
            head = (detail.document, detail.channel)
            if head in heads:
                continue
            heads.add(head)
        elif each.event.kind is Kind.TIMER:
            delay = each.event.timer.delay or 0.0
            if delay >= shortest.get(detail.document, float("inf")):
                continue
            shortest[detail.document] = delay
        chosen.append(each)
    chosen.sort(key=lambda each: (_rank(each.event), each.event.detail.due or 0.0, each.order))
    return [each.event for each in chosen]


def _rank(event: Event) -> int:
    if isinstance(event, ParseEvent) and event.detail.brief:
        return _FIRST
    return _AT_ONCE if event.kind is Kind.MESSAGE and not event.from_outside else _RANK[event.kind]


_FIRST = -2
_AT_ONCE = -1
_RANK = {
    Kind.NETWORK: 0,
    Kind.PARSE: 0,
    Kind.MESSAGE: 1,
    Kind.OBSERVER: 2,
    Kind.TIMER: 3,
    Kind.FRAME: 3,
    Kind.ANIMATION: 3,
    Kind.IDLE: 4,
    Kind.LIFECYCLE: 4,
    Kind.USER: 5,
}


def _name(event: Event) -> tuple[str, str, str]:
    return (event.kind, event.what, event.creator)


def document_name(tab: Tab, frame: Frame, number: int) -> str:
    """The name of the n-th document of a frame: the same in every run."""
    return f"{tab.number}/{'.'.join(map(str, frame.path))}/{number}"
