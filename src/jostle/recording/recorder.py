"""Recording a run as it happens: every response, message, step and state is kept at once."""

from __future__ import annotations

import base64
import time
from collections.abc import Sequence
from typing import Any, Protocol

import msgspec

from jostle import untrusted
from jostle.browser.chromium_app import ChromiumApp
from jostle.browser.http import Response, SentRequest
from jostle.browser.pending import PendingResponse
from jostle.browser.sockets import Socket
from jostle.events import Event, Settled, Step, Trace
from jostle.recording.exchange import Conversation, Exchange, Happening, Message, interesting
from jostle.recording.file import Manifest, Recording
from jostle.recording.snapshot import text_of

LARGEST_SNAPSHOT = 250_000
"""Characters; of a larger document only the digest is kept after steps of the system."""


class Hears(Protocol):
    """Is told what passes between the application and its servers."""

    def exchanged(self, pending: PendingResponse) -> None: ...

    def traffic(self, socket: Socket, item: dict[str, Any]) -> None: ...

    def limit(self, words: str) -> None:
        """Something could not be controlled or kept."""
        ...


class Keeps(Protocol):
    """Keeps a recording that is being made, so that a kill loses nothing but the step in progress: a run directory."""

    def add_step(self, step: Step) -> int: ...

    def add_exchange(self, exchange: Exchange, body: bytes) -> None: ...


class Recorder:
    """What there is of a recording so far. Hand `exchanged`, `traffic` and `limit` to the ChromiumApp."""

    def __init__(self, manifest: Manifest, run: Keeps | None = None) -> None:
        self._manifest = manifest
        self._run = run
        self._recording = Recording(manifest=manifest)
        self._steps: list[Step] = []
        self._initial: tuple[Event, ...] = ()
        self._exchanges: list[tuple[SentRequest, Response, PendingResponse, str]] = []
        self._places: dict[int, int] = {}
        """Where the latest exchange of an answer is, by its identity: answers are kept."""
        self._conversations: dict[tuple[str, str, int], tuple[str, list[Message]]] = {}
        self._closing: set[tuple[str, str, int]] = set()
        self._limits: list[str] = []
        self._more: tuple[Exchange, ...] = ()
        self._kept = 0
        self._size = 0  # of the last snapshot
        self._began = time.monotonic()

    # What happens.

    def begin(self, initial: tuple[Event, ...]) -> None:
        self._initial = initial

    def exchanged(self, pending: PendingResponse) -> None:
        if pending.response is None:
            return
        request = msgspec.structs.replace(pending.request)
        kept = (request, pending.response, pending, self._recording.add_body(pending.response.body))
        place = self._places.get(id(pending))
        if place is not None and not self._exchanges[place][1].redirect:
            self._exchanges[place] = kept  # another answer to the same request
            return
        self._places[id(pending)] = len(self._exchanges)
        self._exchanges.append(kept)

    def traffic(self, socket: Socket, item: dict[str, Any]) -> None:
        kind = "websocket" if socket.kind == "socket" else "eventsource"
        messages = self._conversations.setdefault((kind, socket.url, socket.number), ("", []))[1]
        if item["type"] == "closing":
            self._closing.add((kind, socket.url, socket.number))
        message = _message(item)
        if (
            message is not None
            and message.what is Happening.CLOSE
            and (kind, socket.url, socket.number) in self._closing
        ):
            message = msgspec.structs.replace(message, by_page=True)  # the page's own doing: it will do it again
        if message is not None:
            messages.append(message)
        if item["type"] == "open" and item.get("data"):
            self._conversations[kind, socket.url, socket.number] = (str(item["data"]), messages)

    def limit(self, words: str) -> None:
        if words not in self._limits:
            self._limits.append(words)

    async def stepped(self, app: ChromiumApp, step: Step, *, whole: bool = True) -> Step:
        """Keep a step with the state it led to. `whole` keeps the document too, however large it is."""
        state = await app.state()
        step = msgspec.structs.replace(step, state=state)
        if state.digest not in self._recording.snapshots and (whole or self._size <= LARGEST_SNAPSHOT):
            text = text_of(await app.snapshots())
            self._size = len(text)
            if whole or self._size <= LARGEST_SNAPSHOT:
                self._recording.snapshots[state.digest] = text
        self._steps.append(step)
        self._keep(step)
        return step

    async def noted(self, step: Step) -> Step:
        """Keep a step without the state it led to: for recordings whose traffic is what matters."""
        self._steps.append(Step(event=step.event, at=step.at))
        return step

    def settled(self, app: ChromiumApp) -> Settled:
        """The application as a user meets it: at rest. Whatever happens in it is kept."""
        return Settled(app, observe=lambda step: self.stepped(app, step, whole=step.event.by_user), on_reset=self.begin)

    def screen(self, name: str, picture: bytes) -> None:
        if picture:
            self._recording.screens[name] = picture

    def borrow(self, other: Recorder, more: Sequence[Exchange] = ()) -> None:
        """Take over what another one has heard servers say, and `more` answers besides."""
        self._exchanges, self._places = other._exchanges, other._places
        self._conversations = other._conversations
        self._more = tuple(more)
        self._recording.bodies |= other._recording.bodies

    @property
    def steps(self) -> list[Step]:
        return self._steps

    def recording(self) -> Recording:
        """Everything so far, ready to be written."""
        recording = self._recording
        seconds = round(time.monotonic() - self._began, 3)
        recording.manifest = msgspec.structs.replace(
            self._manifest, limits=tuple(self._limits), options={**self._manifest.options, "seconds": seconds}
        )
        recording.trace = Trace(steps=tuple(self._steps), initial=self._initial)
        recording.exchanges = [self._exchange(n) for n in range(1, len(self._exchanges) + 1)]
        recording.exchanges += [
            msgspec.structs.replace(each, order=n) for n, each in enumerate(self._more, len(self._exchanges) + 1)
        ]
        recording.conversations = [
            Conversation(order=n, kind=kind, url=url, protocol=protocol, messages=tuple(messages))
            for n, ((kind, url, _), (protocol, messages)) in enumerate(self._conversations.items(), 1)
        ]
        return recording

    def _exchange(self, order: int) -> Exchange:
        request, response, pending, body = self._exchanges[order - 1]
        exchange = exchange_of(order, request, response, body=body, event=pending.event)
        sent = round(max(0.0, 1000 * (pending.sent_at - self._began)), 1)
        return msgspec.structs.replace(exchange, asked_by=pending.cause, sent=sent, took=round(pending.took, 1))

    def _keep(self, step: Step) -> None:
        """To the disk, so that a kill loses nothing but the step in progress."""
        if self._run is None:
            return
        # What the step shows has come with these: their secrets are known by then.
        for number in range(self._kept, len(self._exchanges)):
            exchange = self._exchange(number + 1)
            self._run.add_exchange(exchange, self._recording.body_of(exchange))
        self._run.add_step(step)
        self._kept = len(self._exchanges)


def exchange_of(order: int, request: SentRequest, response: Response, *, body: str = "", event: str = "") -> Exchange:
    """A request and its answer as a recording keeps them. `body` is the name of the answer's body there."""
    return Exchange(
        order=order,
        method=request.method,
        url=request.url,
        resource=request.resource,
        request_headers=interesting(request.headers),
        request_body=request.body,
        status=response.status,
        status_text=response.status_text,
        headers=response.headers,
        body=body,
        error=response.error,
        redirect=response.redirect,
        unkept=response.passed_through and not response.redirect and not response.error,
        event=event,
    )


def _message(item: dict[str, Any]) -> Message | None:
    """A thing that happened on a socket, as the agent tells it."""
    data = item.get("data")
    match item["type"]:
        case "open":
            return Message(what=Happening.OPEN)
        case "send" | "message":
            what = Happening.SENT if item["type"] == "send" else Happening.RECEIVED
            name, last = str(item.get("name") or ""), str(item.get("last") or "")
            if item.get("binary") and what is Happening.RECEIVED:
                return Message(what=what, data=base64.b64decode(str(data)), name=name, id=last)
            return Message(what=what, text=str(data), name=name, id=last)
        case "close":
            told = untrusted.parsed(str(data))
            return Message(what=Happening.CLOSE, code=int(told["code"]), reason=str(told["reason"]))
        case "error":
            return Message(what=Happening.ERROR, code=int(data or 0))
    return None
