"""Programs run in a real Chromium, each in a frame of its own: as they are, and rewritten."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from jostle.browser.connection import Connection, Session
from jostle.browser.loop import new as new_loop
from jostle.instrument import Rewriter, memory
from jostle.rewriting import CodeKind
from tests.lending import launched

Text = tuple[CodeKind, str]
URL = "https://example.org/program.js"

# Runs one program in a new frame. What it gives to `log` and how it ends is its behaviour.
_RUN = """async ({ code, source, module, probes, recording, texts }) => {
  const frame = document.body.appendChild(document.createElement("iframe"));
  const page = frame.contentWindow;
  const said = [];
  const accesses = [];
  const errors = [];
  const frame_of = /^    at .*?:(\\d+):(\\d+)\\)?$/gm;
  const where = (error) => Array.from(String(error?.stack).matchAll(frame_of), (found) => found.slice(1));
  const show = (value, depth = 0) => {
    if (typeof value === "function") return `function ${value.name}/${value.length}`;
    if (typeof value === "symbol") return value.toString();
    if (typeof value === "string") return JSON.stringify(value);
    if (typeof value === "bigint") return `${value}n`;
    if (Object.is(value, -0)) return "-0";
    if (typeof value !== "object" || value === null) return String(value);
    if (value instanceof page.Error) {
      if (where(value).length) errors.push([value.message, ...where(value)[0].map(Number)]);
      return `${value.name}: ${value.message}`;
    }
    if (value === page) return "window";
    if (depth > 4) return "...";
    if (page.Array.isArray(value)) {
      return `[${Array.from(value, (each) => show(each, depth + 1))}]`;
    }
    const parts = Reflect.ownKeys(value).map((key) => {
      const own = Reflect.getOwnPropertyDescriptor(value, key);
      return `${String(key)}:${own && "value" in own ? show(own.value, depth + 1) : "accessor"}`;
    });
    return `${value.constructor?.name ?? ""}{${parts}}`;
  };
  const lines = (error) => where(error).map((place) => place[0]).join(" < ");
  page.log = (...values) => void said.push(values.map((value) => show(value)).join(" "));
  page.trace = (error) => void said.push(`line ${lines(error)}`);
  if (probes) {
    const note = (kind, name, mode, site) => {
      if (recording) accesses.push([kind, String(name), mode, site.slice(site.indexOf(":") + 1)]);
    };
    page.sink = {
      object: (object, key, mode, site) => note("object", key, mode, site),
      variable: (scope, name, mode, site) => note(scope ? "closure" : "global", name, mode, site),
      code: (text, kind) => texts[`${kind} ${text}`] ?? text,
    };
    const original = page.eval(`(${probes})(sink)`);
    if (source && original(code) !== source) said.push(`its text comes back as ${original(code)}`);
    delete page.sink;
  }
  const ending = (error) => {
    said.push(`uncaught ${show(error)} in line ${lines(error)}`);
  };
  page.addEventListener("error", (event) => { event.preventDefault(); ending(event.error ?? event.message); });
  page.addEventListener("unhandledrejection", (event) => { event.preventDefault(); ending(event.reason); });
  const script = page.document.createElement("script");
  if (module) script.type = "module";
  script.textContent = code;
  page.document.documentElement.append(script);
  // A module tells nobody that it has ended: it is waited for until it falls silent.
  for (let turns = 0, silent = 0, heard = 0; module && turns < 200 && silent < 8; turns++) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    silent = said.length && said.length === heard ? silent + 1 : 0;
    heard = said.length;
  }
  for (let turn = 0; turn < 4; turn++) await new Promise((resolve) => page.setTimeout(resolve));
  frame.remove();
  return { said, accesses, errors };
}"""


class Behaviour(msgspec.Struct, frozen=True):
    """What a program did: what it logged, errors and their lines included, and the accesses its probes told."""

    said: list[str]
    accesses: list[tuple[str, str, int, str]]
    errors: list[tuple[str, int, int]]
    """Those it met: message, line and column."""


class JavaScript:
    """A browser that runs programs."""

    def __init__(self, loop: asyncio.AbstractEventLoop, connection: Connection) -> None:
        self._loop = loop
        self._session = loop.run_until_complete(self._opened(connection))
        self.rewriter = Rewriter(memory)

    async def _opened(self, connection: Connection) -> Session:
        target = await connection.send("Target.createTarget", {"url": "about:blank"})
        attached = await connection.send("Target.attachToTarget", {"targetId": target["targetId"], "flatten": True})
        return connection.session(attached["sessionId"], lambda method, params: None)

    def evaluate(self, expression: str, seconds: float = 60) -> Any:
        sent = self._session.send(
            "Runtime.evaluate",
            {"expression": expression, "returnByValue": True, "awaitPromise": True},
            timeout=seconds,
        )
        answer = self._loop.run_until_complete(sent)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def runs(self, programs: Sequence[dict[str, Any]]) -> list[Behaviour]:
        """Programs: `code`, `module`, `probes`, `recording`, `texts`; one after the other, each in its frame."""
        every = {"source": "", "module": False, "probes": "", "recording": False, "texts": {}}
        given = json.dumps([{**every, **each} for each in programs])
        behaviours = self.evaluate(
            f"(async () => {{ const run = {_RUN}; const all = [];"
            f"for (const each of {given}) all.push(await run(each)); return all; }})()"
        )
        return msgspec.convert(behaviours, list[Behaviour])

    def both(
        self, sources: Sequence[str], *, module: bool = False, texts: Sequence[Text] = ()
    ) -> list[tuple[list[str], list[str]]]:
        """What programs say as they are, and rewritten; messages in the words of the original."""
        programs: list[dict[str, Any]] = []
        urls: list[str] = []
        for source in sources:
            urls.append(f"https://example.org/{len(urls)}.js")
            rewritten = self.rewriter.script(source, urls[-1], module=module)
            assert not rewritten.problem, f"{rewritten.problem}\n{source}"
            programs.append({"code": source, "module": module})
            programs.append(
                {
                    "code": rewritten.code,
                    "source": source,
                    "module": module,
                    "probes": memory.runtime,
                    "texts": self._evaluated(texts),
                }
            )
        behaviours = self.runs(programs)
        return [
            (before.said, self._restored(after, url))
            for before, after, url in zip(behaviours[::2], behaviours[1::2], urls, strict=True)
        ]

    def _restored(self, behaviour: Behaviour, url: str) -> list[str]:
        said = behaviour.said
        for message, line, column in behaviour.errors:
            said = [each.replace(message, self.rewriter.message(message, url, line, column)) for each in said]
        return said

    def _evaluated(self, texts: Sequence[Text]) -> dict[str, str]:
        return {f"{kind} {text}": self.rewriter.code(text, URL, kind).code for kind, text in texts}

    def accesses(
        self, source: str, *, module: bool = False, texts: Sequence[Text] = ()
    ) -> list[tuple[str, str, int, str]]:
        """What the probes tell: kind, name or key, mode and place."""
        rewritten = self.rewriter.script(source, URL, module=module)
        assert not rewritten.problem, rewritten.problem
        given = self._evaluated(texts)
        program = {
            "code": rewritten.code,
            "module": module,
            "probes": memory.runtime,
            "recording": True,
            "texts": given,
        }
        return self.runs([program])[0].accesses


@contextlib.contextmanager
def started() -> Iterator[JavaScript]:
    loop = new_loop()
    browser = launched()
    connection = loop.run_until_complete(browser.__aenter__())
    try:
        yield JavaScript(loop, connection)
    finally:
        loop.run_until_complete(browser.__aexit__(None, None, None))
        loop.close()
