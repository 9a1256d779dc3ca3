"""The logical cost of an event: how many blocks of the application's JavaScript ran."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from jostle.browser.address import origin
from jostle.browser.agent import NAME
from jostle.browser.connection import ProtocolError
from jostle.browser.tab import Tab


async def blocks_run(tabs: Sequence[Tab], origins: Collection[str]) -> int:
    """Executions of blocks since the last reading, in scripts of the allowed origins and in evaluated code."""
    total = 0
    for tab in tabs:
        if not tab.usable:
            continue
        try:
            taken = await tab.session.send("Profiler.takePreciseCoverage")
        except ProtocolError:
            continue  # a document replaced in this moment
        for script in taken["result"]:
            url = script["url"]
            if url == NAME or (url and origin(url) not in origins):
                continue
            total += sum(block["count"] for function in script["functions"] for block in function["ranges"])
    return total
