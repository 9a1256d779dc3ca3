"""The mock as one of those who answer the requests of a page, in place of the server."""

from __future__ import annotations

from jostle.browser.http import Response, SentRequest
from jostle.browser.responders import Responder, Route
from jostle.serverapi.mock.answering import MockServer

OUTSIDE = "X-Jostle-Outside-Contract"
"""The header of a response that lies outside of the description, with what is wrong with it."""


class MockResponder(Responder):
    """Answers what the description knows; other layers are asked for the rest."""

    alone = True

    def __init__(self, server: MockServer) -> None:
        self.server = server

    async def respond(self, request: SentRequest) -> Response | Route | None:
        made = self.server.respond(request.method, request.url, request.headers, request.body)
        if not made.known:
            return None
        if not made.status:
            return Response(status=0, error="TimedOut")
        headers = (*made.headers, (OUTSIDE, made.fault.value)) if made.fault else made.headers
        return Response(status=made.status, headers=headers, body=made.body)
