"""Who answers a page on which a repair is tried: the recordings of its two orders, as far as they go."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from jostle.browser.http import Response, SentRequest
from jostle.browser.responders import Responder, Route, layered
from jostle.recording.answers import RecordedAnswers
from jostle.recording.file import Recording
from jostle.recording.recorder import exchange_of


class BothOrders(Responder):
    """As the one order was answered, as far as the page asks the same; else as the other was. The server is not asked.

    What was given can be kept in a recording of the run: a gate tells only of what came from a server."""

    alone = True

    def __init__(self, own: Recording, other: Recording) -> None:
        exact = (RecordedAnswers(each, exact=True) for each in (own, other))
        self._layers = layered([*exact, RecordedAnswers(own), RecordedAnswers(other)])
        self._given: dict[int, tuple[SentRequest, SentRequest, Response]] = {}

    async def respond(self, request: SentRequest) -> Response | Route | None:
        given = await self._layers.respond(request)
        if isinstance(given, Response):
            self._given[id(request)] = request, msgspec.structs.replace(request), given
        return given

    def correction(self, request: SentRequest, event: str) -> Response | None:
        correct = self._layers.correction(request, event)
        if correct is not None and id(request) in self._given:
            self._given[id(request)] = *self._given[id(request)][:2], correct
        return correct

    def abandoned(self, request: SentRequest) -> None:
        self._layers.abandoned(request)
        self._given.pop(id(request), None)

    def messages(self, kind: str, url: str, number: int, sent: int, fed: int) -> Sequence[dict[str, Any]] | None:
        return self._layers.messages(kind, url, number, sent, fed)

    def keep_in(self, recording: Recording) -> None:
        """Add what was given to the recording of the run."""
        recording.exchanges = [
            exchange_of(number, request, response, body=recording.add_body(response.body))
            for number, (_, request, response) in enumerate(self._given.values(), 1)
        ]
