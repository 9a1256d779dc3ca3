"""A stand-in for the rewriting of scripts: it replaces texts, and knows where they were."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence

from jostle.rewriting import CodeKind, RewrittenScript

RUNTIME = """(sink) => {
  globalThis.$jostle = {
    o(object, key, mode, site) { sink.object(object, key, mode, site); return object; },
    r(scope, name, value, site) { sink.variable(scope, name, 1, site, value); return value; },
    w(scope, name, value, site) { sink.variable(scope, name, 2, site, value); return value; },
    c: (text, kind) => sink.code(text, kind),
  };
  const pairs = PAIRS;
  return (text) => pairs.reduce((before, [from, to]) => before.replaceAll(to, from), text);
}"""


class Replacing:
    """Replaces the keys of `texts` by their values, within one line each, in scripts and in documents alike."""

    def __init__(self, texts: Mapping[str, str], problem: str = "") -> None:
        self._texts = dict(texts)
        self._problem = problem
        self._shifts: dict[str, list[list[tuple[int, int, int]]]] = {}
        self.runtime = RUNTIME.replace("PAIRS", json.dumps(list(self._texts.items())))
        self.asked: list[tuple[str, str]] = []
        """Kind or `script`/`module`/`document` and address of all that was to be rewritten."""

    def _replaced(self, source: str, url: str) -> str:
        shifts: list[list[tuple[int, int, int]]] = []
        lines = []
        wanted = re.compile("|".join(map(re.escape, sorted(self._texts, key=len, reverse=True))) or "$^")
        for line in source.split("\n"):
            made, last, known = "", 0, []
            for found in wanted.finditer(line):
                made += line[last : found.start()]
                new = self._texts[found[0]]
                known.append((len(made), len(made) + len(new), len(new) - len(found[0])))
                made += new
                last = found.end()
            lines.append(made + line[last:])
            shifts.append(known)
        self._shifts[url] = shifts
        return "\n".join(lines)

    def _made(self, source: str, url: str) -> RewrittenScript:
        if self._problem:
            return RewrittenScript(code=source, problem=self._problem, tag="T")
        return RewrittenScript(code=self._replaced(source, url), tag="T")

    def script(self, source: str, url: str, *, module: bool = False) -> RewrittenScript:
        self.asked.append(("module" if module else "script", url))
        return self._made(source, url)

    def code(self, source: str, url: str, kind: CodeKind) -> RewrittenScript:
        self.asked.append((kind, source))
        return self._made(source, url)

    def document(self, html: str, url: str, *, policies: Sequence[str] = ()) -> tuple[str, Sequence[str]]:
        self.asked.append(("document", url))
        return (html, [self._problem]) if self._problem else (self._replaced(html, url), ())

    def original(self, url: str, line: int, column: int) -> tuple[int, int]:
        shifts = self._shifts.get(url, [])
        if not 0 < line <= len(shifts):
            return line, column
        at = column - 1
        moved = 0
        for start, end, shift in shifts[line - 1]:
            if at >= end:
                moved += shift
            elif at >= start:
                return line, start - moved + 1
        return line, column - moved

    def message(self, text: str, url: str, line: int, column: int) -> str:
        return text

    def url_of(self, tag: str) -> str:
        return "http://a.test/app.js"
