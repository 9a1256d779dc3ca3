"""The network gate: every response to the page is stopped here and let through when it is its turn.

Live, responses are stopped at the response stage: the server sees the requests in the order in which they are sent, the
page sees the responses in the order in which we release them. A flowing gate stops documents only; everything else
comes when it comes, and is only waited for. With responders, requests are stopped before they are sent and answered by
those; no server is needed, unless it is the last of them.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable, Collection, Mapping

import msgspec

from jostle.browser.address import origin
from jostle.browser.connection import Params, ProtocolError, Session
from jostle.browser.containment import elsewhere, leaves
from jostle.browser.draining import drained
from jostle.browser.editing import Editing
from jostle.browser.http import (
    Header,
    Response,
    SentRequest,
    decoded,
    fulfilment,
    is_preflight,
    preflight_allowed,
)
from jostle.browser.interception import Interception
from jostle.browser.open_requests import NetworkListener, OpenRequests, as_told, refusal
from jostle.browser.patience import Patience
from jostle.browser.pending import Delivery, PendingResponse
from jostle.browser.responders import Responder, Route, layered
from jostle.browser.settings import Control

_REASON_TIMEOUT = 2.0


class Errand(msgspec.Struct, frozen=True, kw_only=True):
    """What a request is for."""

    kind: str
    """Its type, as the DevTools Protocol names it."""
    main: bool = False
    """It is the document of a tab's main frame."""
    reasons: Mapping[str, str] = {}
    """Why its frame was sent to an address, as the protocol names it; filled in when the page tells."""


class Gate:
    """The responses of all tabs of one run."""

    def __init__(
        self,
        control: Control,
        listener: NetworkListener,
        *,
        may_open: Callable[[str], bool],
        origins: Collection[str] = (),
        block_third_party: bool = False,
        responder: Responder | None = None,
        editing: Editing | None = None,
        patience: Patience | None = None,
    ) -> None:
        """`origins`: in whose documents something may be done; `may_open` says whether a tab may show an address;
        `block_third_party`: others are not even asked."""
        self._listener = listener
        self._may_open = may_open
        self.origins = origins
        self._block_third_party = block_third_party
        self._contains = control.holds  # a person who is watched may do as he likes, but for leaving the page
        self._responder = layered([responder]) if responder is not None else None
        self._editing = editing or Editing()
        self.rewriting = self._editing.rewriting
        """What scripts and documents become on their way to the page."""
        self.interception = Interception.under(
            control, responders=responder is not None, rewriting=self.rewriting is not None
        )
        self.requests = OpenRequests(
            self.interception,
            listener,
            patience=patience or Patience(),
            responder=self._responder,
            original=self.rewriting.original if self.rewriting is not None else as_told,
        )

    @property
    def has_responder(self) -> bool:
        return self._responder is not None

    @property
    def _recorded_anew(self) -> bool:
        """A run in which the server may be asked is no replay: it is recorded itself."""
        return self._responder is not None and self._responder.reaches_server

    def patterns(self) -> list[Params]:
        return self.interception.patterns(every_request=self._block_third_party)

    # Letting through.

    async def correct(self, pending: PendingResponse, event: str) -> None:
        """Give the response that belongs to the event of this key. In another order fewer requests may have been made
        before, and then the next of the same kind was given what had been said earlier."""
        if self._responder is None or not self._recorded_anew or not pending.ready:
            return
        if (response := self._responder.correction(pending.request, event)) is not None:
            pending.response = response
            self._listener.exchanged(pending)
            await self._editing.edit(pending)

    async def release(self, pending: PendingResponse, *headers: Header) -> None:
        """Let the response through to the page. A request the page has given up meanwhile is gone: no error.

        `headers` are added to those of the server.
        """
        response = pending.response
        if response is None or not pending.release():
            return
        if pending.delivery.by_page:
            self._listener.delivered(pending)
        await self._let_through(pending, response, pending.pause, headers)

    async def _let_through(
        self, pending: PendingResponse, response: Response, pause: str, more: tuple[Header, ...] = ()
    ) -> None:
        with contextlib.suppress(ProtocolError):
            if response.passed_through and pending.hops:
                await self._go_on(pending.session, pause)
            elif pending.drained and (pending.flowing or self.interception is Interception.PASSING):
                # As it came: what the browser knows of where it came from stays known.
                await self._go_on(pending.session, pause)
            elif response.error:
                await pending.session.send("Fetch.failRequest", {"requestId": pause, "errorReason": response.error})
            else:
                given = fulfilment(pause, response, more, live=bool(pending.hops))
                await pending.session.send("Fetch.fulfillRequest", given)

    async def _go_on(self, session: Session, pause: str) -> None:
        await session.send("Fetch.continueRequest", {"requestId": pause})

    # Events of the Fetch domain.

    def paused(self, session: Session, params: Params, errand: Errand) -> None:
        """Fetch.requestPaused."""
        session.connection.in_background(self._paused(session, params, errand), self._listener.limit)

    def went_to(self, url: str) -> None:
        """The page itself has asked for something there: it is told when that is another origin."""
        if not (self.has_responder or self._block_third_party or self._may_open(url)):
            self._listener.limit(elsewhere(origin(url)))

    def leaves(self, request: Params, errand: Errand, first: str = "") -> bool | None:
        """Whether a request leads out of the application; None while the page has not told why. `first`: the address
        from which redirects have led there."""
        url = str(request["url"])
        if not url.startswith(("http:", "https:")) or self._may_open(url):
            return False
        if not self._contains and not errand.main:
            return False
        reason = errand.reasons.get((first or url).split("#", 1)[0], "")
        away = leaves(errand.kind, request["method"], main=errand.main, reason=reason)
        told = reason or errand.main or errand.kind != "Document" or request["method"] != "GET"
        return away if told else None

    def asked_for_password(self, session: Session, params: Params) -> None:
        """Fetch.authRequired: the page gets the server's refusal. Credentials in the address were tried before."""
        answer = {"requestId": params["requestId"], "authChallengeResponse": {"response": "CancelAuth"}}
        session.post("Fetch.continueWithAuth", answer)

    async def _paused(self, session: Session, params: Params, errand: Errand) -> None:
        try:
            await self._decide(session, params, errand)
        except ProtocolError:
            pass  # given up by the page while we looked at it
        except Exception:
            # The page must not wait for ever for what we could not handle, and the server must not get it unseen.
            session.post("Fetch.failRequest", {"requestId": params["requestId"], "errorReason": "Failed"})
            raise
        finally:
            self._listener.changed()

    async def _decide(self, session: Session, params: Params, errand: Errand) -> None:
        request, pause = params["request"], params["requestId"]
        at_response = "responseStatusCode" in params or "responseErrorReason" in params
        if not at_response and await self._leaves(session, params, errand):
            await self._refuse(session, params)
            return
        if is_preflight(request):
            await self._preflight(session, pause, request)
            return
        network_id = params.get("networkId", "")
        pending = await self.requests.noticed((session.id, network_id)) if network_id else None
        if pending is None or not pending.send():
            await self._without_notice(session, pause, "" if at_response else request["url"])
            return
        if pending.request.url != (url := request["url"].split("#", 1)[0]):  # a redirect the page has not told of yet
            pending.request = SentRequest(method=request["method"], url=url, resource=pending.request.resource)
        if at_response:
            await self._receive(pending, params)
        elif not await self._respond(pending, params):
            # Its response is stopped by a pattern of ours, or must be named here.
            intercepting = {"interceptResponse": True} if self.has_responder else {}
            await session.send("Fetch.continueRequest", {"requestId": pause, **intercepting})
            return
        await self._arrived(pending, pause)

    async def _receive(self, pending: PendingResponse, params: Params) -> None:
        """The server has answered."""
        self.went_to(str(params["request"]["url"]))
        if not pending.request.body and params["request"].get("hasPostData"):
            pending.request.body = await self._body_of(pending.session, params)
        response = await drained(pending, params, self._listener.limit)
        if pending.arrive(response, params["requestId"]):
            pending.hops.append(response)
            pending.add_cookies()
            self._listener.exchanged(pending)

    async def _respond(self, pending: PendingResponse, params: Params) -> bool:
        """Answer a request before it is sent. False when it is the server's to answer."""
        request, pause = pending.request, params["requestId"]
        if fenced := self._editing.fence_at(request.url):
            pending.arrive(fenced, pause)
            return True
        if self._responder is not None:
            request.body = request.body or await self._body_of(pending.session, params)
            given = await self._given(self._responder, request)
            if given is not Route.SERVER:
                pending.request = request  # the page may have told of it once more meanwhile: it is this one they know
                if not pending.arrive(given or Response(error="Failed"), pause):
                    self._responder.abandoned(request)
                elif self._recorded_anew:
                    self._listener.exchanged(pending)
                return True
        if self._block_third_party and not self._may_open(request.url):
            self._listener.limit(f"requests to {origin(request.url)} are blocked, as configured")
            if pending.arrive(Response(status=0, error="BlockedByClient"), pause):
                self._listener.exchanged(pending)
            return True
        return False

    async def _given(self, responder: Responder, request: SentRequest) -> Response | Route | None:
        try:
            return await responder.respond(request)
        except Exception as error:
            # A mistake of a responder must not leave the page waiting for ever.
            self._listener.limit(f"{request.method} {request.url} could not be answered: {error!r}")
            return Response(error="Failed")

    async def _arrived(self, pending: PendingResponse, pause: str) -> None:
        """A response is there: follow where it leads, or make it ready for the page."""
        response = pending.response
        if response is not None and response.redirect and pending.send():
            # At once: what the page waits for is the response at the end.
            await self._let_through(pending, response, pause)
            return
        if response is not None and not pending.over:
            await self._editing.edit(pending)
        if pending.over:
            await self._without_notice(pending.session, pause)  # given up by the page while it came
        elif not pending.in_turn or self.interception is Interception.PASSING:
            await self.release(pending)

    async def _leaves(self, session: Session, params: Params, errand: Errand) -> bool:
        """Once it is known. The browser stops a request, the page tells why it was sent: the second may come later."""
        request = params["request"]
        if (away := self.leaves(request, errand)) is not None:
            return away
        network_id = params.get("networkId", "")
        pending = await self.requests.noticed((session.id, network_id)) if network_id else None
        first = pending.first.url if pending is not None else ""
        deadline = time.monotonic() + _REASON_TIMEOUT
        while (away := self.leaves(request, errand, first)) is None and time.monotonic() < deadline:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        return away is not False

    async def _refuse(self, session: Session, params: Params) -> None:
        if network_id := params.get("networkId", ""):
            pending = await self.requests.noticed((session.id, network_id))
            if pending is None or pending.delivery is not Delivery.REFUSED:  # a redirect has led there
                self._listener.limit(refusal(params["request"]["url"]))
        # "Aborted" leaves the page where it is; other reasons would show an error page.
        await session.send("Fetch.failRequest", {"requestId": params["requestId"], "errorReason": "Aborted"})

    async def _without_notice(self, session: Session, pause: str, url: str = "") -> None:
        """A request the page did not make itself, such as the favicon, or does not wait for any more: not an event.

        `url`: where it is going to, if it was not sent yet."""
        if self._block_third_party and not self._may_open(url):
            self._listener.limit(f"requests to {origin(url)} are blocked, as configured")
            await session.send("Fetch.failRequest", {"requestId": pause, "errorReason": "BlockedByClient"})
        elif self.has_responder:
            await session.send("Fetch.fulfillRequest", {"requestId": pause, "responseCode": 404})
        else:
            await self._go_on(session, pause)

    async def _preflight(self, session: Session, pause: str, request: Params) -> None:
        if self.has_responder:
            await session.send("Fetch.fulfillRequest", preflight_allowed(pause, request))
        else:
            await self._go_on(session, pause)

    async def _body_of(self, session: Session, params: Params) -> bytes:
        # Of a form with files the browser does not tell; the page that sent it cannot be asked any more.
        if not params["request"].get("hasPostData") or params.get("resourceType") == "Document":
            return b""
        with contextlib.suppress(ProtocolError):
            data = await session.send("Network.getRequestPostData", {"requestId": params.get("networkId", "")})
            return decoded(data["postData"], data.get("base64Encoded", False))
        return b""
