"""A recording that answers in place of the server."""

from __future__ import annotations

import base64
import json
from collections.abc import Collection, Sequence
from typing import Any

from jostle.browser.gate import Asked, Reply
from jostle.recording.exchange import Conversation, Exchange, Happening, Message
from jostle.recording.file import Recording
from jostle.recording.matching import ConversationMatcher, Match, Matcher

_RESOURCES = ("document", "script", "stylesheet", "image", "font", "media", "manifest", "other")
"""What stays the same however often it is asked for."""


class RecordedAnswers:
    """Answers the page's requests and speaks for the servers of its sockets.

    With `asks_server` it knows less, and the server is asked for the rest: only answers to the same request, but for
    what is volatile, and each as often as it was given; files as often as they are wanted. So a run that differs from
    the recorded one gets the same answers as long as it asks the same.
    """

    def __init__(self, recording: Recording, *, ignored: Collection[str] = (), asks_server: bool = False) -> None:
        self.asks_server = asks_server
        self._recording = recording
        self._matcher = Matcher(recording.exchanges, ignored=ignored, fuzzy=not asks_server)
        self._conversations = ConversationMatcher(recording.conversations, ignored=ignored)
        self._speaking: dict[tuple[str, str, int], Conversation | None] = {}
        self._asked: list[tuple[Asked, Match[Exchange]]] = []
        self.missed: list[Asked] = []
        """What was asked for and is not in the recording."""
        self._matches: list[Match[Exchange] | Match[Conversation]] = []
        self._void: set[int] = set()

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

    def answer(self, asked: Asked) -> Reply | None:
        match = self._matcher.take(asked.method, asked.url, asked.body, asked.headers)
        if self.asks_server and match.how == "reused" and asked.resource not in _RESOURCES:
            return None
        self._asked.append((asked, match))
        if asked.resource not in ("other", "manifest"):  # those are the browser's wishes: the favicon
            self._matches.append(match)
        exchange = match.answer
        if exchange is None:
            self.missed.append(asked)
            return None
        return self._reply(exchange, match.edits)

    def _reply(self, exchange: Exchange, edits: Sequence[tuple[str, str]] = ()) -> Reply:
        body = self._recording.body_of(exchange)
        for old, new in edits:
            body = body.replace(old.encode(), new.encode())
        return Reply(
            status=exchange.status,
            status_text=exchange.status_text,
            headers=exchange.headers,
            body=body,
            error=exchange.error,
        )

    def belonging(self, asked: Asked, event: str) -> Reply | None:
        given = next((match for request, match in self._asked if request is asked), None)
        if given is None or given.how != "exact" or given.answer is None:
            return None
        exchange = self._matcher.of_event(asked.method, asked.url, asked.body, asked.headers, event=event)
        if exchange is None or exchange.redirect or exchange is given.answer:
            return None
        same = (exchange.status, exchange.body, exchange.error) == (
            given.answer.status, given.answer.body, given.answer.error,
        )  # fmt: skip
        return None if same else self._reply(exchange)

    def given_up(self, asked: Asked) -> None:
        for place, (request, match) in enumerate(self._asked):
            if request is asked:
                del self._asked[place]
                self._void.add(id(match))
                self.missed = [each for each in self.missed if each is not asked]
                if match.answer is not None:
                    self._matcher.give_back(match.answer)
                return

    def messages(self, kind: str, url: str, number: int, sent: int, fed: int) -> Sequence[dict[str, Any]]:
        kind = "websocket" if kind == "socket" else "eventsource"
        key = (kind, url, number)
        if key not in self._speaking:
            match = self._conversations.take(kind, url)
            self._matches.append(match)
            self._speaking[key] = match.answer
        conversation = self._speaking[key]
        if conversation is None:
            return ()
        return [_fed(message, conversation.protocol) for message in conversation.due(sent, fed)]


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
