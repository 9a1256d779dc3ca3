"""Where in the application's code a finding is, as files of a repository are named."""

from __future__ import annotations

import posixpath
import re
from urllib.parse import unquote

import msgspec

from jostle.addresses import split_url
from jostle.findings import Finding
from jostle.findings.evidence import CodeExcerpt

MOST = 8
MOST_LINES = 12
_PLACE = re.compile(r"(.+?)(?::(\d{1,9}))?(?::(\d{1,9}))?", re.DOTALL)
_OF_TOOLS = ("webpack", "webpack-internal", "vite", "turbopack", "rollup", "ng")
"""Schemes that bundlers give to the files something was made from."""


class SourcePlace(msgspec.Struct, frozen=True, kw_only=True):
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


def places(finding: Finding, url: str | None, *, root: str = "") -> tuple[SourcePlace, ...]:
    """The places a finding names, the most telling first, each once.

    `url`: the address of the application. `root`: the folder of the repository that is served there, such as `public`.
    """
    found: dict[str, SourcePlace] = {}
    for code in finding.evidence.code:
        place = _placed(code, url, root)
        if place is not None:
            found.setdefault(str(place), place)
        if len(found) == MOST:
            break
    return tuple(found.values())


def page(url: str | None, *, root: str = "") -> SourcePlace:
    """The page itself, for what has no place in the code. What is served for a folder is its `index.html`."""
    return SourcePlace(file=_file(split_url(url or "").path, root) or _file("/", root))


def _placed(code: CodeExcerpt, url: str | None, root: str) -> SourcePlace | None:
    found = _PLACE.fullmatch(code.source.strip())
    if found is None:
        return None
    line = int(found[2] or 0)
    place = SourcePlace(
        file=found[1],
        own=False,
        line=line,
        column=int(found[3] or 0) if line else 0,
        event=code.event,
        first_line=max(0, code.first_line),
        excerpt=code.excerpt[:MOST_LINES],
    )
    parts, home = split_url(found[1]), split_url(url or "")
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
