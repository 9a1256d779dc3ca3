"""Where in the application's code a finding is, as files of a repository are named."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import SplitResult, unquote, urlsplit

import msgspec

from jostle.findings import Finding

MOST = 8
MOST_LINES = 12
_PLACE = re.compile(r"(.+?)(?::(\d{1,9}))?(?::(\d{1,9}))?", re.DOTALL)
_STACK = re.compile(r"(https?://[^\s()]+|/[^\s()]+)(?=\)?$)")
_OF_TOOLS = ("webpack", "webpack-internal", "vite", "turbopack", "rollup", "ng")
"""Schemes that bundlers give to the files something was made from."""


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """A place in the code."""

    file: str
    """Of the application's own files: its path below the address of the application, without a slash in front. Of
    others: their address."""
    own: bool = True
    line: int = 0
    """From 1; 0: not known."""
    column: int = 0
    event: str = ""
    """What happened there, in words."""
    first_line: int = 0
    excerpt: tuple[str, ...] = ()

    def __str__(self) -> str:
        return ":".join(str(part) for part in (self.file, self.line, self.column) if part)


def places(finding: Finding, url: str | None, *, root: str = "") -> tuple[Place, ...]:
    """The places a finding names, the most telling first, each once.

    `url`: the address of the application. `root`: the folder of the repository that is served there, such as `public`.
    """
    found: dict[str, Place] = {}
    for address, more in _named(finding.evidence):
        place = _placed(address, url, root, more)
        if place is not None:
            found.setdefault(str(place), place)
        if len(found) == MOST:
            break
    return tuple(found.values())


def page(url: str | None, *, root: str = "") -> Place:
    """The page itself, for what has no place in the code. What is served for a folder is its `index.html`."""
    return Place(file=_file(_split(url or "").path, root) or _file("/", root))


def _named(evidence: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Addresses with lines, and what else is told of each. Evidence may be anything."""
    for each in _dicts(evidence.get("racing")):
        yield str(each.get("source") or ""), each
    for each in _dicts(evidence.get("functions")):
        line = each.get("line")
        yield (
            f"{each.get('file') or ''}{f':{line}' if isinstance(line, int) else ''}",
            {
                "event": each.get("name"),
                **each,
            },
        )
    if isinstance(source := evidence.get("source"), str):
        yield source, {}
    stack = evidence.get("stack")
    for frame in stack if isinstance(stack, Sequence) and not isinstance(stack, str) else ():
        if found := _STACK.search(str(frame)):
            yield found[1], {}


def _dicts(value: object) -> Iterator[Mapping[str, Any]]:
    if isinstance(value, Sequence) and not isinstance(value, str):
        yield from (each for each in value if isinstance(each, Mapping))


def _placed(address: str, url: str | None, root: str, more: Mapping[str, Any]) -> Place | None:
    found = _PLACE.fullmatch(address.strip())
    if found is None:
        return None
    line, first, lines = int(found[2] or 0), more.get("first_line"), more.get("excerpt")
    place = Place(
        file=found[1],
        own=False,
        line=line,
        column=int(found[3] or 0) if line else 0,
        event=str(more.get("event") or ""),
        first_line=first if isinstance(first, int) and first > 0 else 0,
        excerpt=tuple(map(str, lines[:MOST_LINES])) if isinstance(lines, (list, tuple)) else (),
    )
    parts, home = _split(found[1]), _split(url or "")
    if parts.scheme in ("http", "https"):
        if (parts.scheme, parts.netloc) != (home.scheme, home.netloc):
            return place
    elif parts.scheme not in ("", *_OF_TOOLS):
        return None
    file = _file(parts.path, root)
    return msgspec.structs.replace(place, file=file, own=True) if file else None


def _file(path: str, root: str) -> str:
    """Never outside of the root, whatever a page calls its files."""
    if not path:
        return ""
    inside = posixpath.normpath("/" + unquote(path)).strip("/")
    if not inside or path.endswith("/"):
        inside = posixpath.join(inside, "index.html")
    return posixpath.normpath(posixpath.join(root, inside)) if root else inside


def _split(address: str) -> SplitResult:
    try:
        return urlsplit(address)
    except ValueError:
        return SplitResult("", "", address, "", "")
