"""How long the script of a repair keeps a page waiting, in real time."""

from __future__ import annotations

import asyncio
import json
from statistics import median

from jostle.browser.chromium import Chromium
from jostle.browser.connection import NoAnswer, ProtocolError

_TIMES = 5
_PATIENCE = 10.0
"""Seconds."""
_MEASURED = """(async () => {
  const taken = [];
  for (let n = 0; n < %d; n++) {
    const frame = document.createElement("iframe");
    document.documentElement.append(frame);
    const { document: inner, performance } = frame.contentWindow;
    const script = inner.createElement("script");
    script.textContent = %s;
    const began = performance.now();
    inner.documentElement.append(script);
    taken.push(performance.now() - began);
    frame.remove();
  }
  return taken;
})()"""


async def startup_of(chromium: Chromium, script: str) -> float | None:
    """Milliseconds until the script has run as the first of an empty document; None when that cannot be measured."""
    context = await chromium.new_context()
    opened: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    context.opened = lambda target, session, opener: None if opened.done() else opened.set_result(session)
    try:
        await context.open_tab()
        async with asyncio.timeout(_PATIENCE):
            session = chromium.connection.session(await opened, lambda method, params: None)
        await session.send("Runtime.runIfWaitingForDebugger", timeout=_PATIENCE)
        expression = _MEASURED % (_TIMES, json.dumps(script))
        told = await session.send(
            "Runtime.evaluate",
            {"expression": expression, "awaitPromise": True, "returnByValue": True},
            timeout=_PATIENCE,
        )
        taken = told["result"].get("value")
        return round(median(taken), 2) if isinstance(taken, list) and taken else None
    except (ProtocolError, NoAnswer, TimeoutError, KeyError):
        return None
    finally:
        await context.dispose()
