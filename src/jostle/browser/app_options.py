"""How an application is opened: what its runs begin with, who answers its requests, who listens."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from jostle.browser.connection import Params
from jostle.browser.dialog import OnDialog, accept
from jostle.browser.fence import Fences
from jostle.browser.pending import PendingResponse
from jostle.browser.responders import Responder
from jostle.browser.sockets import Socket
from jostle.events import Effect, Event
from jostle.rewriting import ScriptRewriter


class InitialState(msgspec.Struct, frozen=True, kw_only=True):
    """What every run begins with."""

    seed: int = 0
    """Of all that is random in the page."""
    cookies: Sequence[Params] = ()
    local_storage: dict[str, dict[str, str]] = {}
    """Entries by origin: what a log-in has left behind."""


class NetworkRules(msgspec.Struct, frozen=True, kw_only=True):
    """Who is asked for what, and what becomes of it on its way to the page."""

    allowed_origins: Sequence[str] = ()
    """What may be opened and acted on, beside the origin of the application."""
    block_third_party: bool = False
    """Other origins are not even asked."""
    responder: Responder | None = None
    """Who answers in place of the server; None lets all requests go to the server."""
    fences: Fences | None = None
    """Where the parser of a document pauses."""
    rewriter: ScriptRewriter | None = None
    """What scripts become before they run; with it nothing flows, for everything has to pass through our hands."""


class AppListeners(msgspec.Struct, frozen=True, kw_only=True):
    """Who is told what passes, for a recording to be made, and asked what to say."""

    exchange: Callable[[PendingResponse], None] = lambda pending: None
    traffic: Callable[[Socket, Params], None] = lambda socket, item: None
    limit: Callable[[str], None] = lambda words: None
    """Something could not be controlled, in words."""
    stepped: Callable[[Event, Effect], None] = lambda event, effect: None
    """An event has happened."""
    dialog: OnDialog = accept
    """Asked what to answer to a dialog of the page."""
