"""Random delays of the network, the usual way to look for wrong orders: what jostle's orders are measured against.

Every answer is delayed by a random time, long documents piece by piece, and the user acts at random moments, as soon as
it is possible; all of it in real time in a plain Chromium. An execution is wrong if something is thrown that was not
thrown in the original one, if it cannot be completed, or if it ends with another document.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import random
import statistics
import sys
import threading
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from pathlib import Path

import msgspec
import uvicorn
from playwright.async_api import Browser, Dialog, Error, Page, async_playwright
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from jostle.browser.find import find, sandbox_arguments
from jostle.examples import CATALOGUE, Example, create_app, example
from jostle.examples.scenario import Step

LONGEST = 1000.0
"""Milliseconds of the longest delay."""
TRIES = 30
"""Executions in one run, if none of them is wrong before."""
TOGETHER = 4
"""Runs side by side: they spend their time waiting."""

_PIECE = 8192
"""Bytes of a document that come in one piece: the parser stops between two of them."""
_MARK = b"x-delay"
_PAUSE = 200.0
"""Milliseconds of the longest pause of the user before something that could be done already."""
_QUIET = 1.2
"""Seconds without a request or a step after which an execution is over."""
_STEP_TIMEOUT = 10_000.0
_END_TIMEOUT = 20.0
_START_TIMEOUT = 10.0

_DOCUMENT = """() => {
  const fields = [...document.querySelectorAll("input, select, textarea")];
  const entered = fields.map((field) => `${field.value} ${field.checked}`);
  return [location.pathname, document.documentElement.outerHTML, ...entered].join("\\n");
}"""


class Ended(msgspec.Struct, frozen=True, kw_only=True):
    """How one execution ended."""

    document: str
    """All frames and the values of their fields."""
    thrown: frozenset[str] = frozenset()
    incomplete: str = ""
    """Which step could not be done."""


class Run(msgspec.Struct, kw_only=True):
    """Executions of one page until one of them was wrong."""

    page: str
    number: int
    tries: int = 0
    seconds: float = 0.0
    """Until the first wrong one was known to be wrong, or until the last."""
    wrong: str = ""
    """What was wrong; empty when nothing was."""


class _Delayed:
    """Delays what is asked for with our mark, so that one server serves delayed executions and others."""

    def __init__(self, app: ASGIApp, chance: random.Random) -> None:
        self._app = app
        self._chance = chance

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        longest = next((float(value) for name, value in scope.get("headers", ()) if name == _MARK), 0.0)
        document = False

        async def wait() -> None:
            await asyncio.sleep(self._chance.uniform(0, longest) / 1000)

        async def delayed(message: Message) -> None:
            nonlocal document
            if message["type"] == "http.response.start":
                document = any(name == b"content-type" and b"text/html" in value for name, value in message["headers"])
                await wait()
            body = message.get("body", b"")
            if not document or len(body) <= _PIECE:
                await send(message)
                return
            for start in range(0, len(body), _PIECE):
                last = start + _PIECE >= len(body)
                more = not last or message.get("more_body", False)
                await send({**message, "body": body[start : start + _PIECE], "more_body": more})
                if not last:
                    await wait()

        await self._app(scope, receive, delayed if longest else send)


@contextlib.contextmanager
def served(chance: random.Random) -> Iterator[str]:
    """The examples, delayed for whoever asks for it; gives the base URL."""
    app = _Delayed(create_app(), chance)
    config = uvicorn.Config(app, port=0, log_config=None, timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    deadline = time.monotonic() + _START_TIMEOUT
    try:
        while not server.started:
            if time.monotonic() > deadline:
                raise RuntimeError(f"the example server did not start within {_START_TIMEOUT:g} s")
            time.sleep(0.01)
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(_START_TIMEOUT)


async def executed(
    browser: Browser,
    url: str,
    scenario: Sequence[str],
    chance: random.Random,
    longest: float,
    original: Ended | None = None,
) -> Ended:
    """One execution, with delays of up to `longest` milliseconds; without any, the user waits for the page each time.

    It ends as soon as something is thrown that the original did not throw.
    """
    headers = {_MARK.decode(): str(longest)} if longest else {}
    context = await browser.new_context(extra_http_headers=headers)
    try:
        page = await context.new_page()
        thrown: set[str] = set()
        quiet = _Quiet(page)

        def caught(error: Error) -> None:
            thrown.add(f"{error.name}: {error.message}")
            quiet.over = original is not None and not thrown <= original.thrown

        page.on("pageerror", caught)

        async def answer(dialog: Dialog) -> None:
            with contextlib.suppress(Error):  # the page may be gone
                await asyncio.sleep(chance.uniform(0, longest) / 1000)
                await dialog.accept()

        page.on("dialog", answer)
        incomplete = ""
        try:
            await page.goto(url, wait_until="commit" if longest else "load")
            for text in scenario:
                if longest:
                    await page.wait_for_timeout(chance.uniform(0, _PAUSE))
                else:
                    await quiet.wait()
                if quiet.over:
                    break
                await _do(page, Step.of(text))
                quiet.stir()
        except Error as problem:
            incomplete = problem.message.splitlines()[0]
        await quiet.wait()
        return Ended(document=await _document(page), thrown=frozenset(thrown), incomplete=incomplete)
    finally:
        await context.close()


async def _do(page: Page, step: Step) -> None:
    # Roles as Playwright names them; whichever a page has.
    target = page.get_by_role(step.role, name=step.name, exact=True)  # type: ignore[arg-type]
    match step.action:
        case "fill":
            await target.fill(step.value, timeout=_STEP_TIMEOUT)
        case "check":
            await target.check(timeout=_STEP_TIMEOUT)
        case _:
            await target.click(timeout=_STEP_TIMEOUT, no_wait_after=True)


class _Quiet:
    """Knows when nothing has happened for a while."""

    def __init__(self, page: Page) -> None:
        self.over = False
        """Set when there is nothing to wait for any more."""
        self._underway = 0
        self._last = time.monotonic()
        page.on("request", lambda request: self._counted(1))
        page.on("requestfinished", lambda request: self._counted(-1))
        page.on("requestfailed", lambda request: self._counted(-1))

    def _counted(self, change: int) -> None:
        self._underway += change
        self.stir()

    def stir(self) -> None:
        self._last = time.monotonic()

    async def wait(self) -> None:
        """Pages that never rest are left after a while."""
        deadline = time.monotonic() + _END_TIMEOUT
        while not self.over and time.monotonic() < deadline:
            if self._underway <= 0 and time.monotonic() - self._last > _QUIET:
                return
            await asyncio.sleep(0.02)


async def _document(page: Page) -> str:
    told = []
    for frame in page.frames:
        try:
            told.append(str(await frame.evaluate(_DOCUMENT)))
        except Error:
            told.append("a frame that went away")
    return "\n".join(told)


def wrong(original: Ended, other: Ended, *, steady: bool = True) -> str:
    """What is wrong with the other execution, in words; `steady`: documents can be compared."""
    if new := sorted(other.thrown - original.thrown):
        return new[0]
    if other.incomplete:
        return f"could not be completed: {other.incomplete}"
    return "another document at the end" if steady and other.document != original.document else ""


class Undelayed(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of a page before anything is delayed."""

    original: Ended
    steady: bool
    """Its document is the same each time."""


async def undelayed(browser: Browser, base: str, subject: Example) -> Undelayed:
    """Raises RuntimeError when the scenario cannot be done."""
    url = f"{base}{subject.path}"
    first, second = [await executed(browser, url, subject.scenario, random.Random(0), 0.0) for _ in range(2)]
    if first.incomplete:
        raise RuntimeError(f"{subject.name}: the scenario cannot be done: {first.incomplete}")
    return Undelayed(original=first, steady=not wrong(first, second))


async def until_wrong(
    browser: Browser,
    base: str,
    subject: Example,
    known: Undelayed,
    *,
    number: int,
    tries: int = TRIES,
    longest: float = LONGEST,
    seed: int = 0,
) -> Run:
    """Executions with random delays, until one of them is wrong."""
    run = Run(page=subject.name, number=number)
    url = f"{base}{subject.path}"
    began = time.monotonic()
    while run.tries < tries and not run.wrong:
        run.tries += 1
        chance = random.Random(f"{seed} {number} {run.tries}")
        other = await executed(browser, url, subject.scenario, chance, longest, known.original)
        run.wrong = wrong(known.original, other, steady=known.steady)
    run.seconds = time.monotonic() - began
    return run


async def measured(
    browser: Browser,
    base: str,
    subject: Example,
    *,
    runs: int,
    tries: int = TRIES,
    longest: float = LONGEST,
    together: int = TOGETHER,
    seed: int = 0,
) -> AsyncIterator[Run]:
    """Runs of one page as they end. Each has up to `tries` executions with random delays."""
    known = await undelayed(browser, base, subject)
    free = asyncio.Semaphore(together)

    async def one(number: int) -> Run:
        async with free:
            return await until_wrong(
                browser, base, subject, known, number=number, tries=tries, longest=longest, seed=seed
            )

    for ended in asyncio.as_completed([one(number) for number in range(1, runs + 1)]):
        yield await ended


@contextlib.asynccontextmanager
async def plain_browser() -> AsyncIterator[Browser]:
    """The same Chromium that jostle uses, with nothing of jostle in it."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=find().path, args=sandbox_arguments())
        try:
            yield browser
        finally:
            await browser.close()


def detection(runs: Sequence[Run]) -> float:
    """The share of runs in which something wrong was seen."""
    return sum(bool(run.wrong) for run in runs) / len(runs)


def seconds(runs: Sequence[Run]) -> float | None:
    """Seconds to the first error, on average over the runs that saw one."""
    found = [run.seconds for run in runs if run.wrong]
    return statistics.mean(found) if found else None


def table(runs: Sequence[Run]) -> str:
    lines = ["| page | runs | detection | executions | seconds to the first error |", "|---|--:|--:|--:|--:|"]
    for name in dict.fromkeys(run.page for run in runs):
        mine = [run for run in runs if run.page == name]
        first = seconds(mine)
        lines.append(
            f"| {name} | {len(mine)} | {detection(mine):.2f} | {statistics.mean(run.tries for run in mine):.1f} "
            f"| {'–' if first is None else f'{first:.1f}'} |"
        )
    return "\n".join(lines) + "\n"


async def _evaluate(arguments: argparse.Namespace, subjects: Sequence[Example]) -> list[Run]:
    done: list[Run] = []
    with served(random.Random(arguments.seed)) as base:
        async with plain_browser() as browser:
            for subject in subjects:
                async for run in measured(
                    browser,
                    base,
                    subject,
                    runs=arguments.runs,
                    tries=arguments.tries,
                    longest=arguments.longest,
                    together=arguments.together,
                    seed=arguments.seed,
                ):
                    done.append(run)
                    print(f"{run.page} {run.number}: {run.wrong or 'nothing'} ({run.tries} tries, {run.seconds:.1f} s)")
                    sys.stdout.flush()
                    (arguments.out / "delays.json").write_bytes(msgspec.json.encode(done))
                    (arguments.out / "delays.md").write_text(table(done), "utf-8")
    return done


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.delays", description=__doc__)
    parser.add_argument("--runs", type=int, default=30, help="runs of each page (default: 30)")
    parser.add_argument("--tries", type=int, default=TRIES, help=f"executions in a run at most (default: {TRIES})")
    parser.add_argument(
        "--longest", type=float, default=LONGEST, metavar="MS", help="the longest delay (default: 1000)"
    )
    parser.add_argument("--together", type=int, default=TOGETHER, help=f"runs side by side (default: {TOGETHER})")
    parser.add_argument(
        "--seed", type=int, default=0, help="of the delays; real time makes each run another (default: 0)"
    )
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help="only this page; may be repeated")
    parser.add_argument("--out", type=Path, default=Path(".jostle/eval-delays"), metavar="DIR", help="where to write")
    arguments = parser.parse_args()
    known = {entry.name for entry in CATALOGUE if entry.scenario}
    if unknown := set(arguments.only) - known:
        parser.error(f"no page of that name with a scenario: {', '.join(sorted(unknown))}")
    names = arguments.only or [name for name in known if name.startswith("wave-") and not name.endswith("-fixed")]
    arguments.out.mkdir(parents=True, exist_ok=True)
    print(f"\n{table(asyncio.run(_evaluate(arguments, [example(name) for name in sorted(names)])))}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
