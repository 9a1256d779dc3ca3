"""Speed and memory, as ratios measured in one run: `make bench` (or `python -m benchmarks.bench`)."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import functools
import gc
import http.server
import json
import os
import platform
import statistics
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import msgspec
from playwright.async_api import async_playwright

from benchmarks.applications import APPLICATIONS
from benchmarks.applications import running as real_application
from jostle.browser.chromium import Chromium
from jostle.browser.chromium_app import ChromiumApp
from jostle.browser.find import find, sandbox_arguments
from jostle.browser.loop import run
from jostle.browser.settings import Control, TabSettings
from jostle.events import Kind, Settled
from jostle.examples import running

COUNTER = """<!doctype html><title>Counter</title>
<button onclick="n.textContent = Number(n.textContent) + 1">Count</button><p id="n">0</p>"""


class Figure(msgspec.Struct, frozen=True, kw_only=True):
    """One line of the table."""

    name: str
    ours: str
    against: str
    ratio: float
    goal: str
    met: bool


@contextlib.contextmanager
def served(page: str) -> Iterator[str]:
    """A page at an address of its own."""

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            body = page.encode() if self.path == "/" else b""
            self.send_response(200 if body else 404)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args: object) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=functools.partial(server.serve_forever, 0.05), daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()


async def settled_app(chromium: Chromium, url: str) -> tuple[ChromiumApp, Settled]:
    app = ChromiumApp(chromium, url)
    settled = Settled(app)
    await settled.reset()
    return app, settled


async def click(settled: Settled) -> None:
    """What an explorer does for each action: look at what is possible, choose, do it."""
    event = next(event for event in await settled.enabled() if event.what.startswith("click"))
    await settled.step(event)


async def steps_per_second(rounds: int) -> Figure:
    """A click of ours, with looking at what is possible before and all its effects after, against `page.click`."""
    ours: list[float] = []
    theirs: list[float] = []
    with served(COUNTER) as url:
        async with Chromium.launch() as chromium, async_playwright() as playwright:
            app, settled = await settled_app(chromium, url)
            browser = await playwright.chromium.launch(executable_path=str(find().path), args=sandbox_arguments())
            page = await browser.new_page()
            await page.goto(url)
            for _ in range(rounds):
                ours.append(await _timed(lambda: click(settled), 50))
                theirs.append(await _timed(lambda: page.click("button"), 50))
            await browser.close()
            await app.close()
    mine, other = statistics.median(ours), statistics.median(theirs)
    return Figure(
        name="Click with all its effects, against a Playwright `page.click` loop",
        ours=f"{1 / mine:.0f} a second ({mine * 1000:.1f} ms)",
        against=f"{1 / other:.0f} a second ({other * 1000:.1f} ms)",
        ratio=other / mine,
        goal="at least 10 ×",
        met=other / mine >= 10,
    )


async def _timed(work: Callable[[], Awaitable[None]], times: int) -> float:
    begin = time.perf_counter()
    for _ in range(times):
        await work()
    return (time.perf_counter() - begin) / times


async def virtual_time(rounds: int) -> Figure:
    """The example page of timers, event by event to its end, against the same page left to itself."""
    ours: list[float] = []
    with running() as base:
        url = f"{base}/timers/"
        async with Chromium.launch() as chromium:
            app = ChromiumApp(chromium, url)
            for _ in range(rounds):
                await app.reset()
                while (waiting := await app.waiting()) and waiting[0].kind is Kind.NETWORK:
                    await app.step(waiting[0])  # loading takes no virtual time
                begin = time.perf_counter()
                while app.now < 30_000 and (waiting := await app.waiting()):
                    await app.step(waiting[0])
                ours.append(time.perf_counter() - begin)
            await app.close()
    mine = statistics.median(ours)
    return Figure(
        name="30 s of the example page of timers once loaded, event by event, against real time",
        ours=f"{mine:.2f} s",
        against="30 s",
        ratio=30 / mine,
        goal="at least 100 ×",
        met=30 / mine >= 100,
    )


async def load_time(rounds: int, name: str, url: str) -> Figure:
    """Until the load event, the agent watching and nothing held, against the same browser without jostle."""
    watched: list[float] = []
    bare: list[float] = []
    async with Chromium.launch() as chromium:
        for _ in range(rounds):
            watched.append(await load(chromium, url, agent=True))
            bare.append(await load(chromium, url, agent=False))
    mine, other = statistics.median(watched), statistics.median(bare)
    return Figure(
        name=f"Load of {name}, agent on and nothing held, against a bare load",
        ours=f"{mine * 1000:.0f} ms",
        against=f"{other * 1000:.0f} ms",
        ratio=mine / other,
        goal="at most 1.3 ×",
        met=mine / other <= 1.3,
    )


async def load(chromium: Chromium, url: str, *, agent: bool) -> float:
    """Seconds from asking for the page to its load event."""
    if agent:
        app = ChromiumApp(chromium, url, settings=TabSettings(control=Control.FREE))
        await app.reset()
        tab = app.tabs[0]
        await _until(lambda: tab.loaded_at > 0)
        await app.close()
        return tab.loaded_at - tab.asked_at
    times: list[float] = []
    sessions: list[str] = []
    context = await chromium.new_context()
    context.opened = lambda target, session, opener: sessions.append(session)
    await context.open_tab()
    await _until(lambda: bool(sessions))

    def happened(method: str, params: dict[str, object]) -> None:
        if method == "Page.loadEventFired" and times:
            times.append(time.monotonic())

    session = chromium.connection.session(sessions[0], happened)
    settings = TabSettings()
    for command, arguments in (
        ("Page.enable", {}),
        ("Network.enable", {}),
        ("Network.setCacheDisabled", {"cacheDisabled": True}),
        ("Emulation.setDeviceMetricsOverride", _size(settings)),
        ("Runtime.runIfWaitingForDebugger", {}),
    ):
        await session.send(command, arguments)
    times.append(time.monotonic())
    session.post("Page.navigate", {"url": url})
    await _until(lambda: len(times) > 1)
    await context.dispose()
    return times[1] - times[0]


def _size(settings: TabSettings) -> dict[str, object]:
    return {"width": settings.width, "height": settings.height, "deviceScaleFactor": 1, "mobile": False}


async def _until(condition: Callable[[], bool], timeout: float = 60) -> None:
    deadline = time.monotonic() + timeout
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError(f"waited {timeout:g} s")
        await asyncio.sleep(0.001)


async def reset_time(rounds: int) -> Figure:
    """A fresh run in a warm browser, against launching a browser for it."""
    warm: list[float] = []
    cold: list[float] = []
    with served(COUNTER) as url:
        async with Chromium.launch() as chromium:
            app = ChromiumApp(chromium, url)
            await app.reset()
            for _ in range(rounds):
                begin = time.perf_counter()
                await app.reset()
                warm.append(time.perf_counter() - begin)
                await asyncio.sleep(0.3)  # a run of some length: the next profile is made ready meanwhile
            await app.close()
        for _ in range(rounds):
            begin = time.perf_counter()
            async with Chromium.launch() as other:
                fresh = ChromiumApp(other, url)
                await fresh.reset()
                cold.append(time.perf_counter() - begin)
                await fresh.close()
    mine, launched = statistics.median(warm), statistics.median(cold)
    return Figure(
        name="`reset()` in a warm browser, against launching a new one",
        ours=f"{mine * 1000:.0f} ms",
        against=f"{launched * 1000:.0f} ms",
        ratio=launched / mine,
        goal="faster",
        met=launched / mine > 1,
    )


async def memory(steps: int) -> list[Figure]:
    """Growth of our process and of the browser from a fifth of the steps to their end, garbage collected: the page's
    grows to its limit within some thousand steps."""
    marks: dict[str, list[float]] = {"our process": [], "the browser": []}
    with served(COUNTER) as url:
        async with Chromium.launch() as chromium:
            app, settled = await settled_app(chromium, url)
            for number in range(1, steps + 1):
                await click(settled)
                if number % (steps // 5) == 0:
                    gc.collect()
                    await app.tabs[0].session.send("HeapProfiler.collectGarbage")
                    marks["our process"].append(_resident([os.getpid()]))
                    marks["the browser"].append(_resident(_children(os.getpid())))
    return [
        Figure(
            name=f"Memory of {who} after {steps} steps and a collection, against after {steps // 5}",
            ours=f"{sizes[-1]:.0f} MB",
            against=f"{sizes[0]:.0f} MB",
            ratio=sizes[-1] / sizes[0],
            goal="flat (at most 1.15 ×)",
            met=sizes[-1] / sizes[0] <= 1.15,
        )
        for who, sizes in marks.items()
    ]


def _resident(pids: list[int]) -> float:
    """Megabytes, pages shared between processes counted once."""
    total = 0
    for pid in pids:
        with contextlib.suppress(OSError):
            for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
                if line.startswith("Pss:"):
                    total += int(line.split()[1])
    return total / 1024


def _children(pid: int) -> list[int]:
    found: list[int] = []
    parents: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError, ValueError, IndexError):
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
                parents.setdefault(int(fields[1]), []).append(int(entry.name))
    waiting = [pid]
    while waiting:
        below = parents.get(waiting.pop(), [])
        found += below
        waiting += below
    return found


async def measure(quick: bool) -> list[Figure]:
    rounds = 3 if quick else 10
    figures = [await steps_per_second(rounds), await virtual_time(rounds)]
    with running() as base:
        figures.append(await load_time(rounds * 2, "the example application", f"{base}/larder/"))
    with real_application(next(each for each in APPLICATIONS if each.name == "node-red")) as real:
        figures.append(await load_time(rounds, "Node-RED", real.url))
    figures.append(await reset_time(rounds))
    figures += await memory(500 if quick else 5000)
    return figures


def table(figures: list[Figure]) -> str:
    lines = ["| what | ours | against | ratio | goal | met |", "|---|---|---|---|---|---|"]
    for each in figures:
        met = "yes" if each.met else "no"
        lines.append(f"| {each.name} | {each.ours} | {each.against} | {each.ratio:.2f} × | {each.goal} | {met} |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer repetitions")
    parser.add_argument("--json", type=Path, help="write the figures to this file too")
    arguments = parser.parse_args()
    figures = run(measure(arguments.quick))
    print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}\n\n{table(figures)}")
    if arguments.json:
        arguments.json.write_text(json.dumps(msgspec.to_builtins(figures), indent=2))


if __name__ == "__main__":
    main()
