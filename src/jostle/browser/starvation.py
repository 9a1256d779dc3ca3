"""Is a page that does not answer busy, or does the machine not let it run?

A bound on the clock takes a busy machine for a hanging page. What a page has really done is the processor time that its
browser got.
"""

from __future__ import annotations

import asyncio

from jostle.browser.connection import Connection, Disconnected, NoAnswer, Params, ProtocolError

BUSY = 0.5
"""A browser that gets this part of a core computes."""
ROUND = 0.25
"""Of the time that was waited in vain, how long it is watched at a time."""
ROUNDS = 12


async def keeps_busy(connection: Connection, waited: float, question: asyncio.Future[Params]) -> bool:
    """Whether the browser has been computing while `question` was not answered for so many seconds.

    Watches until it is clear; the answer may come meanwhile, which makes it False. True when it cannot be told, or when
    it has been watched for three times as long again.
    """
    before = await _used(connection)
    for _ in range(ROUNDS):
        await asyncio.wait([question], timeout=ROUND * waited)
        if question.done():
            return False
        after = await _used(connection)
        if before is None or after is None or after - before >= BUSY * ROUND * waited:
            return True
        before = after
    return True


async def _used(connection: Connection) -> float | None:
    """Seconds of processor time of all processes of the browser; None when it does not tell."""
    try:
        told = await connection.send("SystemInfo.getProcessInfo", timeout=5)
    except (ProtocolError, NoAnswer, Disconnected):
        return None
    return sum(float(process["cpuTime"]) for process in told["processInfo"])
