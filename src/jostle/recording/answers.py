"""A recording that answers in place of the server."""

from __future__ import annotations

import asyncio
import base64
import json
from collections import Counter
from collections.abc import Collection, Sequence
from typing import Any

from jostle.browser.http import Response, SentRequest
from jostle.browser.responders import Responder, Route
from jostle.events import NetworkEvent
from jostle.recording.exchange import Conversation, Exchange, Happening, Message
from jostle.recording.file import Recording
from jostle.recording.matching import ConversationMatcher, Match, Matcher
from jostle.recording.normal_form import NormalForm, NormalRequest

_RESOURCES = ("document", "script", "stylesheet", "image", "font", "media", "manifest", "other")
"""What stays the same however often it is asked for."""
_MAY_STAY_OPEN = ("xhr", "fetch")


class RecordedAnswers(Responder):
    """Answers the page's requests and speaks for the servers of its sockets.

    With `exact` it knows less, and is to be a layer above the server, which is asked for the rest: only responses to
    the same request, but for what is volatile, and each as often as it was given; files as often as they are wanted. So
    a run that differs from the recorded one gets the same responses as long as it asks the same.

    A request that was still open when the recording ended, such as a long poll, stays open.
    """

    alone = True

    def __init__(self, recording: Recording, *, ignored: Collection[str] = (), exact: bool = False) -> None:
        self._exact = exact
        self._recording = recording
        self._matcher = Matcher(recording.exchanges, ignored=ignored, fuzzy=not exact)
        self._conversations = ConversationMatcher(recording.conversations, ignored=ignored)
        self._speaking: dict[tuple[str, str, int], Conversation | None] = {}
        self._asked: list[tuple[SentRequest, Match[Exchange]]] = []
        self.missed: list[SentRequest] = []
        """What was asked for and is not in the recording."""
        self._matches: list[Match[Exchange] | Match[Conversation]] = []
        self._void: set[int] = set()
        self._ignored = ignored
        self._left_open = Counter[_Name]() if exact else left_open(recording, ignored)
        self._open_now = self._left_open.copy()
        self._waiting: dict[int, tuple[SentRequest, asyncio.Event]] = {}

    @property
    def mark(self) -> int:
        """A moment, for `since`."""
        return len(self._matches)

    def since(self, mark: int = 0) -> list[Match[Exchange] | Match[Conversation]]:
        """How requests were answered from that moment on, in order; those that the page gave up are left out."""
        return [match for match in self._matches[mark:] if id(match) not in self._void]

    def reset(self) -> None:
        """Begin anew, for another replay."""
        self._matcher.reset()
        self._conversations.reset()
        self._speaking.clear()
        self._matches.clear()
        self._void.clear()
        self.missed.clear()
        self._asked.clear()
        self._open_now = self._left_open.copy()
        for _, over in self._waiting.values():
            over.set()

    async def respond(self, request: SentRequest) -> Response | Route | None:
        match = self._matcher.take(request.method, request.url, request.body, request.headers)
        if self._exact and match.how == "reused" and request.resource not in _RESOURCES:
            return None
        if match.how not in ("exact", "volatile") and self._was_left_open(request):
            if match.answer is not None and match.how != "reused":
                self._matcher.give_back(match.answer)
            return await self._never(request)
        self._asked.append((request, match))
        if request.resource not in ("other", "manifest"):  # those are the browser's wishes: the favicon
            self._matches.append(match)
        exchange = match.answer
        if exchange is None:
            self.missed.append(request)
            return None
        return self._response(exchange, match.edits)

    def _was_left_open(self, request: SentRequest) -> bool:
        """Whether all that were answered have been asked for, and this is one of those that were not."""
        name = _name(request.method, request.url, self._ignored)
        if request.resource not in _MAY_STAY_OPEN or self._open_now[name] <= 0:
            return False
        self._open_now[name] -= 1
        return True

    async def _never(self, request: SentRequest) -> Response:
        """Until the page gives it up, or another replay begins."""
        over = asyncio.Event()
        self._waiting[id(request)] = request, over
        try:
            await over.wait()
        finally:
            del self._waiting[id(request)]
        return Response(error="Aborted")

    def _response(self, exchange: Exchange, edits: Sequence[tuple[str, str]] = ()) -> Response:
        body = self._recording.body_of(exchange)
        for old, new in edits:
            body = body.replace(old.encode(), new.encode())
        return Response(
            status=exchange.status,
            status_text=exchange.status_text,
            headers=exchange.headers,
            body=body,
            error=exchange.error,
        )

    def correction(self, request: SentRequest, event: str) -> Response | None:
        given = next((match for asked, match in self._asked if asked is request), None)
        if given is None or given.how != "exact" or given.answer is None:
            return None
        exchange = self._matcher.of_event(request.method, request.url, request.body, request.headers, event=event)
        if exchange is None or exchange.redirect or exchange is given.answer:
            return None
        same = (exchange.status, exchange.body, exchange.error) == (
            given.answer.status, given.answer.body, given.answer.error,
        )  # fmt: skip
        return None if same else self._response(exchange)

    def abandoned(self, request: SentRequest) -> None:
        if id(request) in self._waiting:
            self._waiting[id(request)][1].set()
        for place, (asked, match) in enumerate(self._asked):
            if asked is request:
                del self._asked[place]
                self._void.add(id(match))
                self.missed = [each for each in self.missed if each is not request]
                if match.answer is not None:
                    self._matcher.give_back(match.answer)
                return

    def messages(self, kind: str, url: str, number: int, sent: int, fed: int) -> Sequence[dict[str, Any]] | None:
        kind = "websocket" if kind == "socket" else "eventsource"
        key = (kind, url, number)
        if key not in self._speaking:
            match = self._conversations.take(kind, url)
            self._matches.append(match)
            self._speaking[key] = match.answer
        conversation = self._speaking[key]
        if conversation is None:
            return None
        return [_fed(message, conversation.protocol) for message in conversation.due(sent, fed)]


_Name = tuple[str, str, tuple[str, ...], tuple[tuple[str, str], ...]]


def _name(method: str, url: str, ignored: Collection[str]) -> _Name:
    form = NormalForm(NormalRequest(method, url), ignored)
    return method, form.origin, form.path, form.query


def left_open(recording: Recording, ignored: Collection[str] = ()) -> Counter[_Name]:
    """How many requests of code of the page had no response when the recording ended; equal but for what is volatile,
    they have one name."""
    asked = Counter(
        _name(request.method, request.url, ignored)
        for step in recording.trace.steps
        for request in step.effect.requests
        if request.resource in _MAY_STAY_OPEN
    )
    answered = Counter(_name(each.method, each.url, ignored) for each in recording.exchanges)
    # A response that reached the page may be missing among the exchanges: then that is to be told.
    arrived = Counter(
        _name(step.event.request.method, step.event.request.url, ignored)
        for step in recording.trace.steps
        if isinstance(step.event, NetworkEvent)
    )
    return asked - (answered | arrived)


def _fed(message: Message, protocol: str) -> dict[str, Any]:
    """A message as the page agent takes it."""
    match message.what:
        case Happening.OPEN:
            return {"type": "open", "data": protocol}
        case Happening.CLOSE:
            told = {"code": message.code, "reason": message.reason, "wasClean": message.code == 1000}
            return {"type": "close", "data": json.dumps(told)}
        case Happening.ERROR:
            return {"type": "error", "data": str(message.code)}
    names = {"name": message.name or "message", "last": message.id}
    if message.data is not None:
        return {"type": "message", "data": base64.b64encode(message.data).decode(), "binary": True, **names}
    return {"type": "message", "data": message.text or "", **names}
