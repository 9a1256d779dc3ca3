"""Where a browser really gets to when it asks for an address."""

from __future__ import annotations

import asyncio

from jostle.browser.chromium import Chromium
from jostle.browser.connection import Params, ProtocolError

_SECONDS = 20.0


async def reached_port(chromium: Chromium, url: str) -> int | None:
    """The port of the server, or of the proxy, that responds to a request for `url`; None when nobody does."""
    port: asyncio.Future[int | None] = asyncio.get_running_loop().create_future()
    session: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    def told(value: int | None) -> None:
        if not port.done():
            port.set_result(value)

    def happened(method: str, params: Params) -> None:
        if params.get("type") != "Document":
            return
        if method == "Network.requestWillBeSent" and (redirected := params.get("redirectResponse")):
            told(redirected.get("remotePort"))
        elif method == "Network.responseReceived":
            told(params["response"].get("remotePort"))
        elif method == "Network.loadingFailed":
            told(None)

    def opened(target: str, identifier: str, opener: str) -> None:
        if not session.done():
            chromium.connection.session(identifier, happened)
            session.set_result(identifier)

    context = await chromium.new_context()
    context.opened = opened
    try:
        async with asyncio.timeout(_SECONDS):
            creating = asyncio.ensure_future(context.open_tab())
            tab = await session
            chromium.connection.post("Network.enable", session=tab)
            chromium.connection.post("Runtime.runIfWaitingForDebugger", session=tab)
            await creating
            chromium.connection.post("Page.navigate", {"url": url}, session=tab)
            return await port
    except (ProtocolError, TimeoutError):
        return None
    finally:
        await context.dispose()
