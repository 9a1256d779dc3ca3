"""Who answers the requests of a page in place of the server, or before it.

Responders are layered: a mock before a recording before the server. Each is asked in turn; the first that knows the
response gives it. What no layer knows fails, unless `SERVER` lies at the bottom.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum
from typing import ClassVar, Protocol

from jostle.browser.connection import Params
from jostle.browser.http import Response, SentRequest


class Route(Enum):
    """Where else a request goes."""

    SERVER = "server"
    """Past all layers below, to the server."""


class Responder(Protocol):
    """Knows responses beforehand: a recording, a mock. Derive from it and override what it knows."""

    alone: ClassVar[bool] = False
    """It never sends a request to the server. Pages that only such responders answer have no network at all."""

    async def respond(self, request: SentRequest) -> Response | Route | None:
        """None when it does not know: the next layer is asked.

        It may take its time; meanwhile the request counts as on its way, as it does while a server works on it. Whoever
        tells equal requests apart by their order should do so before it first waits for something.
        """
        ...

    def correction(self, request: SentRequest, event: str) -> Response | None:
        """What the event of this key delivered when it was recorded, if that is not what `respond` gave.

        Asked right before the delivery. None if it is the same, or if this responder did not give it."""
        return None

    def abandoned(self, request: SentRequest) -> None:
        """The page gave a request up before it got the response. All layers are told, whoever gave it."""
        return

    def messages(self, kind: str, url: str, number: int, sent: int, fed: int) -> Sequence[Params] | None:
        """What the server of the n-th socket of this address has still to say; None when it does not speak for that
        socket, which must stay so: then the next layer does.

        `sent`: how many messages the page has sent; `fed`: how many things it was given already.
        Each is what the agent's `feed` takes: type, data, binary, name, last. Behind a socket of a page that has any
        responder there never is the server itself.
        """
        return None


class Server(Responder):
    """The bottom layer: whatever gets here, the server is asked."""

    async def respond(self, request: SentRequest) -> Response | Route | None:
        return Route.SERVER


SERVER = Server()


class Layered(Responder):
    """Several responders as one; made by `layered`."""

    def __init__(self, layers: Sequence[Responder]) -> None:
        self._layers = tuple(layers)

    @property
    def layers(self) -> tuple[Responder, ...]:
        return self._layers

    @property
    def offline(self) -> bool:
        """Whether nothing can get to a server."""
        return all(each.alone for each in self._layers)

    @property
    def reaches_server(self) -> bool:
        """Whether the server is asked for what no other layer knows; otherwise such requests fail."""
        return any(isinstance(each, Server) for each in self._layers)

    async def respond(self, request: SentRequest) -> Response | Route | None:
        for layer in self._layers:
            if (given := await layer.respond(request)) is not None:
                return given
        return None

    def correction(self, request: SentRequest, event: str) -> Response | None:
        corrections = (layer.correction(request, event) for layer in self._layers)
        return next((each for each in corrections if each is not None), None)

    def abandoned(self, request: SentRequest) -> None:
        for layer in self._layers:
            layer.abandoned(request)

    def messages(self, kind: str, url: str, number: int, sent: int, fed: int) -> Sequence[Params] | None:
        said = (layer.messages(kind, url, number, sent, fed) for layer in self._layers)
        return next((each for each in said if each is not None), None)


class Replaceable(Responder):
    """Whichever responder is put there: for an application that is opened once and run with several."""

    def __init__(self, now: Responder | None = None) -> None:
        self.now = now

    async def respond(self, request: SentRequest) -> Response | Route | None:
        return await self.now.respond(request) if self.now is not None else None

    def correction(self, request: SentRequest, event: str) -> Response | None:
        return self.now.correction(request, event) if self.now is not None else None

    def abandoned(self, request: SentRequest) -> None:
        if self.now is not None:
            self.now.abandoned(request)

    def messages(self, kind: str, url: str, number: int, sent: int, fed: int) -> Sequence[Params] | None:
        return self.now.messages(kind, url, number, sent, fed) if self.now is not None else None


def layered(layers: Iterable[Responder]) -> Layered:
    """Ask these in turn: `layered([mock, recording, SERVER])`. Layers of layers become one pile."""
    flat: list[Responder] = []
    for each in layers:
        flat += each.layers if isinstance(each, Layered) else (each,)
    return Layered(flat)
