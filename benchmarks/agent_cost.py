"""What the page agent costs each document, in processor time of the page's thread: `python -m benchmarks.agent_cost`.

A page of one line is loaded again and again: without the agent, with it, and with it while coverage is read, as
explorations do. Processor time, not time that passes: other work on the machine matters little.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import sys
from collections.abc import Sequence

from benchmarks.bench import served
from jostle.browser import agent
from jostle.browser.connection import Session
from jostle.browser.coverage import EVERY_BRANCH
from jostle.browser.launch import launched

PAGE = "<!doctype html><title>One line</title><p>Hello</p>"
_WARMING = 5
"""Documents until caches are warm."""


async def milliseconds(url: str, documents: int, *, source: str, counted: bool) -> float:
    """Of the page's thread for one document, the median. `counted`: with V8's block counts."""
    arguments = (EVERY_BRANCH,) if counted else ()
    async with launched(arguments=arguments) as connection:
        target = (await connection.send("Target.createTarget", {"url": "about:blank"}))["targetId"]
        attached = await connection.send("Target.attachToTarget", {"targetId": target, "flatten": True})
        loaded = asyncio.Event()
        session = connection.session(
            attached["sessionId"], lambda method, _: loaded.set() if method == "Page.loadEventFired" else None
        )
        await session.send("Page.enable")
        await session.send("Runtime.enable")
        await session.send("Runtime.addBinding", {"name": agent.BINDING})
        if counted:
            await session.send("Profiler.enable")
            await session.send("Profiler.startPreciseCoverage", {"callCount": True, "detailed": True})
        if source:
            await session.send("Page.addScriptToEvaluateOnNewDocument", {"source": source})
        await session.send("Performance.enable", {"timeDomain": "threadTicks"})
        return statistics.median([await _one(session, loaded, url) for _ in range(documents)][_WARMING:])


async def _one(session: Session, loaded: asyncio.Event, url: str) -> float:
    loaded.clear()
    await session.send("Page.navigate", {"url": url})
    async with asyncio.timeout(30):
        await loaded.wait()
    metrics = (await session.send("Performance.getMetrics"))["metrics"]
    return float(next(each["value"] for each in metrics if each["name"] == "ThreadTime")) * 1000


async def measured(documents: int) -> Sequence[str]:
    with served(PAGE) as url:
        source = agent.source(free=False, recorded=False, origins=[url.rstrip("/")], ignored=[])
        rows = []
        for name, counted in (("as races load it", False), ("as explorations load it, with block counts", True)):
            bare = await milliseconds(url, documents, source="", counted=counted)
            ours = await milliseconds(url, documents, source=source, counted=counted)
            rows.append(f"| {name} | {bare:.1f} ms | {ours:.1f} ms | {ours - bare:.1f} ms |")
    return rows


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.agent_cost", description=__doc__)
    parser.add_argument("--documents", type=int, default=40, metavar="N")
    documents = parser.parse_args().documents
    print("| a document | without the agent | with it | the agent |\n|---|--:|--:|--:|")
    print("\n".join(asyncio.run(measured(documents))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
