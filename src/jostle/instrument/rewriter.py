"""Rewriting scripts so that a running program tells what it does, and behaves as before."""

from __future__ import annotations

import contextlib
import hashlib
import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from jostle.instrument.cache import Cache, CacheEntry
from jostle.instrument.document import Inline, InlineKind
from jostle.instrument.document import rewrite as rewrite_document
from jostle.instrument.edits import Edits, Lines, Positions
from jostle.instrument.messages import restored
from jostle.instrument.program import Probes, Program
from jostle.instrument.scopes import Kind, Scopes
from jostle.instrument.syntax import NotParsed, Syntax
from jostle.rewriting import CodeKind, RewrittenScript

_KINDS: dict[CodeKind, Kind] = {
    "eval": "eval", "indirect": "indirect", "function": "function", "handler": "handler", "timer": "script",
    "url": "script",
}  # fmt: skip
_CALL = re.compile(r"\(|\?\.\(")
_NAME = re.compile(r"([\w$]+)\s*$")
_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


class _File(NamedTuple):
    """A script or document that was rewritten, and where in it scripts stand."""

    source: str
    lines: Lines
    positions: Positions
    scripts: list[tuple[int, int]]

    def original(self, line: int, column: int) -> tuple[int, int]:
        place = self.positions.original(line, column)
        offset = self.lines.offset(*place)
        if _CALL.match(self.source, offset):
            # `f()` is called at its name, and at its parenthesis once the name is wrapped.
            name = _NAME.search(self.source, max(0, offset - 200), offset)
            if name and self.positions.at(name.end(1)):
                return self.lines.at(name.start())
        return place


class Rewriter:
    """Rewrites with one probe set, and remembers what it rewrote."""

    def __init__(self, probes: Probes, cache_dir: Path | None = None) -> None:
        self.probes = probes
        self._cache = Cache(cache_dir) if cache_dir is not None else None
        self._urls: dict[str, str] = {}
        self._files: dict[str, _File] = {}

    @property
    def runtime(self) -> str:
        """What has to run in a page before rewritten code does; see `Probes`."""
        return self.probes.runtime

    def script(self, source: str, url: str, *, module: bool = False) -> RewrittenScript:
        """A script of its own. Never raises: what cannot be rewritten comes back as it was."""
        return self._rewritten(source, url, "module" if module else "script")

    def code(self, source: str, url: str, kind: CodeKind) -> RewrittenScript:
        """A text that the page makes code of. For `Function`: the body; parameters stay as they are.

        `url`: an address of its own, by which stacks name it.
        """
        return self._rewritten(source, url, _KINDS[kind])

    def document(self, html: str, url: str, *, policies: Sequence[str] = ()) -> tuple[str, list[str]]:
        """Inline scripts, handler attributes and `javascript:` addresses of an HTML document, and what was left alone.

        `policies`: the values of its Content-Security-Policy headers. Code that they allow by its hash stays as it is.
        """

        def inline(source: str, kind: InlineKind, line: int, column: int) -> Inline:
            known = _KINDS["url"] if kind == "url" else kind
            entry, _, positions = self._entry(source, url, known, line, column)
            return Inline(entry.code, entry.problem, positions.inserted())

        made = rewrite_document(html, inline, policies)
        lines = Lines(html)
        self._files[url] = _File(html, lines, Positions.of(made.inserted, lines), made.scripts)
        return made.html, made.problems

    def original(self, url: str, line: int, column: int) -> tuple[int, int]:
        """The place in the original of a place in rewritten code, both as V8 counts: from 1."""
        file = self._files.get(url)
        return file.original(line, column) if file else (line, column)

    def message(self, text: str, url: str, line: int, column: int) -> str:
        """An error's message as the original would have had it: `a.b is not a function` names the code that failed.

        `line` and `column`: where it was thrown, in the rewritten code.
        """
        file = self._files.get(url)
        if file is None or "$jostle" not in text:
            return restored(text, "", 0)
        offset = file.lines.offset(*file.original(line, column))
        start, end = next((part for part in file.scripts if part[0] <= offset < part[1]), (0, 0))
        return restored(text, file.source[start:end], offset - start)

    def url_of(self, tag: str) -> str:
        """The address of the script that a site names by its tag; empty when it was not rewritten here."""
        return self._urls.get(tag, "")

    def _rewritten(self, source: str, url: str, kind: Kind) -> RewrittenScript:
        entry, tag, positions = self._entry(source, url, kind, 1, 1)
        if entry.problem:
            return RewrittenScript(code=source, problem=entry.problem)
        self._files[url] = _File(source, positions.lines, positions, [(0, len(source) + 1)])
        return RewrittenScript(code=entry.code, tag=tag)

    def _entry(self, source: str, url: str, kind: Kind, line: int, column: int) -> tuple[CacheEntry, str, Positions]:
        """What became of a source, from the cache where it is known; `line` and `column`: where it begins."""
        tag, digest = self._names(source, kind, line, column)
        lines = Lines(source, line, column)
        if self._cache is not None and (known := self._cache.load(digest)):
            with contextlib.suppress(ValueError):
                positions = Positions.unpacked(known.positions, lines)
                self._urls[tag] = url
                return known, tag, positions
        entry = self._made(source, kind, tag, lines)
        if self._cache is not None:
            self._cache.save(digest, entry)
        self._urls[tag] = url
        return entry, tag, Positions.unpacked(entry.positions, lines)

    def _made(self, source: str, kind: Kind, tag: str, lines: Lines) -> CacheEntry:
        try:
            syntax = Syntax(source)
        except NotParsed as error:
            line, column = lines.at(error.offset)
            near = source[error.offset : error.offset + 40].split("\n")[0]
            return CacheEntry(problem=f"it cannot be parsed at line {line}, column {column}: {near!r}")
        edits = Edits()
        try:
            self.probes.insert(Program(syntax, Scopes(syntax, kind), kind, tag, lines), edits)
        except Exception as error:
            # A mistake of ours must not keep the page from running; it is said instead.
            return CacheEntry(problem=f"it could not be rewritten: {error!r}")
        code, inserted = edits.apply(source)
        return CacheEntry(code=code, positions=Positions.of(inserted, lines).packed())

    def _names(self, source: str, kind: Kind, line: int, column: int) -> tuple[str, str]:
        hashed = hashlib.sha256(source.encode("utf-8", "surrogatepass"))
        hashed.update(f"\0{self.probes.name} {self.probes.version} {kind} {line} {column}".encode())
        number = int.from_bytes(hashed.digest()[:8])
        tag = "".join(_DIGITS[number // 62**place % 62] for place in range(7))
        return tag, hashed.hexdigest()
