"""Which blocks of the application's JavaScript ran, and how often: coverage, and the logical cost of an event."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from jostle.browser.address import origin
from jostle.browser.agent import NAME
from jostle.browser.connection import NoAnswer, Params, ProtocolError
from jostle.browser.tab import Tab

PATIENCE = 2.0
"""Seconds to wait for a page's figures: one that is about to be left, or that does not end, has none to give."""


async def blocks_run(tabs: Sequence[Tab], origins: Collection[str]) -> int:
    """Executions of blocks since the last reading, in scripts of the allowed origins and in evaluated code."""
    return sum([block["count"] for _, block in await _blocks(tabs, origins)])


class Coverage:
    """The blocks that have run in any run so far. V8 calls every branch of a condition and every loop body a block."""

    def __init__(self) -> None:
        self._run: set[tuple[str, int, int]] = set()

    def __len__(self) -> int:
        return len(self._run)

    async def read(self, tabs: Sequence[Tab], origins: Collection[str]) -> int:
        """How many blocks have run for the first time since the last reading."""
        before = len(self._run)
        for url, block in await _blocks(tabs, origins):
            if block["count"]:
                self._run.add((url, block["startOffset"], block["endOffset"]))
        return len(self._run) - before


async def _blocks(tabs: Sequence[Tab], origins: Collection[str]) -> list[tuple[str, Params]]:
    """Every block that was looked at since the last reading, with the address of its script."""
    blocks: list[tuple[str, Params]] = []
    for tab in tabs:
        if not tab.usable or tab.leaving:
            continue
        try:
            taken = await tab.session.send("Profiler.takePreciseCoverage", timeout=PATIENCE)
        except (ProtocolError, NoAnswer):
            continue  # a document replaced in this moment
        for script in taken["result"]:
            url = script["url"].partition("?")[0]
            if url == NAME or (url and origin(url) not in origins):
                continue
            blocks += [(url, block) for function in script["functions"] for block in function["ranges"]]
    return blocks
