"""Pages for the tests of what is seen and done in a page: served from here, opened in a real Chromium.

Only the reading half of the agent is injected, so that nothing is held and a page runs by itself.
"""

from __future__ import annotations

import asyncio
import contextlib
import http.server
import json
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from importlib.resources import files
from typing import Any, TypeVar

from jostle.browser import agent
from jostle.browser.agent import TAKEN
from jostle.browser.connection import Connection, Session
from jostle.browser.inputs import KEYBOARD_ACTIONS, Inputs
from jostle.browser.loop import new as new_loop
from jostle.events.detail import UserAction, lenient
from tests.lending import launched

T = TypeVar("T")
AGENT = agent.AGENT

# The parts of settle.js and effects.js these files lean on: frames, and who listens for what.
_LISTENERS = """(jostle) => {
  jostle.nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  jostle.listeners = new WeakMap();
  const add = EventTarget.prototype.addEventListener;
  EventTarget.prototype.addEventListener = function (type, ...rest) {
    const types = jostle.listeners.get(this) ?? new Set();
    jostle.listeners.set(this, types.add(type));
    return add.call(this, type, ...rest);
  };
}"""


def agent_source() -> str:
    folder = files("jostle.browser.agent")
    parts = []
    for name in ("dom", "locate", "xpath", "actions", "snapshot", "skeleton"):
        text = (folder / f"{name}.js").read_text("utf-8")
        parts.append(text[text.index("(jostle)") :].rstrip().rstrip(";"))
    body = "\n".join(f"({part})(jostle);" for part in [_LISTENERS, *parts])
    return f"(() => {{ const jostle = {{}};\n{TAKEN}\n{body}\nlocation['{agent.NAME}'] = () => jostle; }})()"


class Page:
    """One tab, driven step by step from a test."""

    def __init__(self, loop: asyncio.AbstractEventLoop, connection: Connection, serve: Callable[[str], str]) -> None:
        self._loop = loop
        self._serve = serve
        self.run(self._open(connection))

    async def _open(self, connection: Connection) -> None:
        context = (await connection.send("Target.createBrowserContext"))["browserContextId"]
        target = await connection.send(
            "Target.createTarget", {"url": "about:blank", "browserContextId": context, "width": 800, "height": 600}
        )
        attached = await connection.send("Target.attachToTarget", {"targetId": target["targetId"], "flatten": True})
        self.session: Session = connection.session(attached["sessionId"], self._event)
        self.inputs = Inputs(self.session.post)
        self._loaded = asyncio.Event()
        await self.session.send("Page.enable")
        await self.session.send("Emulation.setFocusEmulationEnabled", {"enabled": True})
        await self.session.send(
            "Emulation.setDeviceMetricsOverride", {"width": 800, "height": 600, "deviceScaleFactor": 1, "mobile": False}
        )
        await self.session.send("Page.addScriptToEvaluateOnNewDocument", {"source": agent_source()})

    def _event(self, method: str, params: dict[str, Any]) -> None:
        self.inputs.event(method, params)
        if method == "Page.loadEventFired":
            self._loaded.set()

    def run(self, work: Awaitable[T]) -> T:
        return self._loop.run_until_complete(asyncio.wait_for(work, 20))

    def begin(self, html: str) -> None:
        """Open a page with this body."""
        self._loaded.clear()
        self.run(self.session.send("Page.navigate", {"url": self._serve(html)}))

    def show(self, html: str, *, painted: bool = True) -> None:
        """Open a page with this body and wait until it can be seen; an empty page is never painted."""
        self.begin(html)
        self.run(self._loaded.wait())
        if painted:
            self.until("jostle.painted()")

    def js(self, expression: str) -> Any:
        """The value of an expression in the page; `jostle` is the agent."""
        answer = self.run(
            self.session.send(
                "Runtime.evaluate",
                {
                    "expression": f"(() => {{ const jostle = {AGENT}; return ({expression}) }})()",
                    "returnByValue": True,
                    "awaitPromise": True,
                },
            )
        )
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def until(self, expression: str) -> None:
        """Wait until it holds."""
        deadline = time.monotonic() + 30
        while not self.js(expression):
            assert time.monotonic() < deadline, f"never true: {expression}"
            time.sleep(0.01)

    def call(self, function: str, *arguments: Any) -> Any:
        return self.js(f"jostle.{function}({', '.join(json.dumps(argument) for argument in arguments)})")

    def actions(self) -> list[dict[str, Any]]:
        answer = self.call("actions")
        assert answer["reason"] == ""
        actions: list[dict[str, Any]] = answer["actions"]
        assert len({action["words"] for action in actions}) == len(actions), "two actions with the same words"
        return actions

    def words(self) -> list[str]:
        return [action["words"] for action in self.actions()]

    def action(self, words: str) -> dict[str, Any]:
        by_words = {action["words"]: action for action in self.actions()}
        assert words in by_words, list(by_words)
        return by_words[words]

    def object(self, locator: dict[str, Any]) -> str:
        answer = self.run(
            self.session.send("Runtime.evaluate", {"expression": f"{AGENT}.find({json.dumps(locator)}).element"})
        )
        object_id: str = answer["result"]["objectId"]
        return object_id

    def do(self, words: str, value: str | None = None, files: list[str] | None = None) -> None:
        """Do one of the listed actions as the driver does."""
        action = self.action(words)
        to = None
        if action["action"] == "drag":
            point, to = self.call("points", [action["locator"], action["to"]])
        else:
            point = self.call("point", action["locator"], {"keyboard": action["action"] in KEYBOARD_ACTIONS})
        assert not point["reason"], point
        needs_object = action["action"] in ("upload", "fill")
        self.run(
            self.inputs.perform(
                lenient(action, UserAction),
                point,
                value=value,
                to=to,
                object_id=self.object(action["locator"]) if needs_object else "",
                files=files or [],
            )
        )


@contextlib.contextmanager
def serving() -> Iterator[Callable[[str], str]]:
    """A server of single pages: give it HTML, get its address. `/held` is answered when `/release` is asked for."""
    pages: list[str] = []
    release = threading.Event()

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            number = self.path.lstrip("/")
            if number == "held":
                release.wait(10)
            elif number == "release":
                release.set()
            known = number.isdigit() and int(number) < len(pages)
            body = pages[int(number)].encode() if known else b""
            self.send_response(200 if known else 404)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *arguments: object) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()

    def serve(html: str) -> str:
        pages.append(f"<!doctype html><title>A page</title>{html}")
        return f"http://127.0.0.1:{server.server_port}/{len(pages) - 1}"

    try:
        yield serve
    finally:
        server.shutdown()
        server.server_close()


@contextlib.contextmanager
def opened() -> Iterator[Page]:
    """A browser with one tab."""
    loop = new_loop()
    browser = launched()
    connection = loop.run_until_complete(browser.__aenter__())
    try:
        with serving() as serve:
            yield Page(loop, connection, serve)
    finally:
        loop.run_until_complete(browser.__aexit__(None, None, None))
        loop.close()
