"""Which pages are one state: the address and the structure of what is shown, or whatever the user says.

A page comes as the parts the browser gives, one for each document: `tab` (from 0), `frame` (`1.2`, empty for the page
itself), `url`, `title`, and `skeleton` (agent/skeleton.js says what is in it) or `dom`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from functools import partial
from hashlib import blake2s
from pathlib import Path
from typing import Any, Literal
from urllib.parse import parse_qsl

import msgspec

from jostle.addresses import split_url
from jostle.errors import ConfigurationProblem
from jostle.events import State
from jostle.events.request_pattern import path_pattern
from jostle.events.volatile import is_buster, volatile_value
from jostle.function import imported
from jostle.plural import count

Part = Mapping[str, Any]
Parts = Sequence[Part]

_DIGITS = re.compile(r"\d+")
_NUMBERED = re.compile(r"^\d+(-.*)?$")
_PIECE = re.compile(r"[({})]|\*|[^\s(){}*]+")
_STRUCTURE = " "
"""What the lines begin with that are skeletons; an address never does."""
_SHOWN = 4
_MOST_LINES = 4000
"""Lines of a structure that are compared one by one."""


class Abstraction(msgspec.Struct, frozen=True, kw_only=True):
    """A function from pages to states."""

    name: str
    """As in the configuration."""
    reads: Literal["skeleton", "snapshot"]
    """What it looks at: the agent's function to be asked for the parts."""
    text: Callable[[Parts], str]
    """What stands for a page: pages with the same text are one state."""

    def state(self, parts: Parts) -> State:
        main = parts[0] if parts else {}
        return State(
            digest=blake2s(self.text(parts).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest(),
            url=str(main.get("url", "")),
            title=str(main.get("title", "")),
        )

    def explain(self, a: Parts, b: Parts) -> str:
        """In words, why two pages are one state or are not."""
        words = explain(self.text(a), self.text(b))
        if self.text(a) != self.text(b):
            return words
        ignored = [
            f"the {what} ({_quoted(one)} and {_quoted(other)})"
            for what, key in (("addresses", "url"), ("titles", "title"))
            if (one := _of(a, key)) != (other := _of(b, key))
        ]
        return words + (f" What differs and does not count: {' and '.join(ignored)}." if ignored else "")


def by_name(name: str, *, origins: Sequence[str] = (), directory: Path | None = None) -> Abstraction:
    """The abstraction that the configuration's `state` names: `skeleton`, `url-title`, or `module:function`.

    `origins`: the application's own, the main one first. Hosts other than that one are named in a state, frames from
    elsewhere do not count. `directory`: of the configuration, where the module is looked for first.
    """
    if name == "skeleton":
        return Abstraction(name=name, reads="skeleton", text=partial(_skeletons, origins=origins))
    if name == "url-title":
        return Abstraction(name=name, reads="skeleton", text=partial(_titles, origins=origins))
    if ":" not in name:
        raise ConfigurationProblem(f"`state` must be `skeleton`, `url-title` or `module:function`, not `{name}`.")
    return Abstraction(name=name, reads="snapshot", text=_of_user(name, directory or Path.cwd()))


def address(url: str, origin: str = "") -> str:
    """What addresses of the same kind of page have in common: `/recipes/*?page`, `/#/items/*`.

    Numbers and generated ids in the path become `*`, of the query only the names are kept, and a fragment counts only
    when it is a route (`#/...`, `#!/...`). The host is named when it is another than that of `origin`.
    """
    if not url.startswith(("http:", "https:", "file:")):
        return url.split(":", 1)[0] + ":" if url.startswith(("data:", "blob:")) else url
    parts, home = split_url(url), split_url(origin)
    same = not origin or (parts.scheme, parts.netloc) == (home.scheme, home.netloc)
    host = "" if same else f"{parts.scheme}://{parts.netloc}"
    route = ""
    if parts.fragment.startswith(("/", "!/")):
        path, _, query = parts.fragment.partition("?")
        route = f"#{_kind_of(path)}{_names(query)}"
    return f"{host}{_kind_of(parts.path) or '/'}{_names(parts.query)}{route}"


def _kind_of(path: str) -> str:
    """With `*` for numbers and for segments that are a number and perhaps a name: `12`, `12-apple-pie`."""
    return "/".join(_DIGITS.sub("*", _NUMBERED.sub("*", segment)) for segment in path_pattern(path).split("/"))


def _names(query: str) -> str:
    items = parse_qsl(query, keep_blank_values=True)
    names = {name for name, value in items if not is_buster(name, value) and not volatile_value(name)}
    return "?" + "&".join(sorted(names)) if names else ""


def _skeletons(parts: Parts, *, origins: Sequence[str]) -> str:
    main = origins[0] if origins else ""
    texts = (
        f"{place}{address(part['url'], main)}\n{_STRUCTURE}{part.get('skeleton', '')}"
        for place, part in _placed(parts)
        if not part["frame"] or _own(part["url"], origins)
    )
    return "\n".join(dict.fromkeys(texts))  # of several frames that are alike there may be any number


def _titles(parts: Parts, *, origins: Sequence[str]) -> str:
    """As in the papers; values that change from visit to visit are left out of the address."""
    main = origins[0] if origins else ""
    pages = ((place, part) for place, part in _placed(parts) if not part["frame"])
    return "\n".join(f"{place}{_exact(part['url'], main)}\n{part['title']}" for place, part in pages)


def _exact(url: str, origin: str) -> str:
    parts = split_url(url)
    query = "&".join(
        f"{name}={'*' if volatile_value(value) else value}"
        for name, value in parse_qsl(parts.query, keep_blank_values=True)
        if not is_buster(name, value)
    )
    same = not origin or url.startswith(f"{origin}/") or url == origin
    host = "" if same else f"{parts.scheme}://{parts.netloc}"
    route = f"#{parts.fragment}" if parts.fragment.startswith(("/", "!/")) else ""
    return f"{host}{path_pattern(parts.path) or '/'}{'?' + query if query else ''}{route}"


def _of_user(name: str, directory: Path) -> Callable[[Parts], str]:
    function = imported(name, "state", directory)

    def text(parts: Parts) -> str:
        return "\n".join(_said(name, function, page) for page in pages_of(parts))

    return text


def pages_of(parts: Parts) -> list[dict[str, Any]]:
    """The pages as users' functions see them, one for each tab: `url`, `title`, `html` ..., and likewise `frames`."""
    pages: list[dict[str, Any]] = []
    for part in parts:
        page = {key: value for key, value in part.items() if key not in ("dom", "digest")}
        page["html"] = part.get("dom", "")
        if not part["frame"]:
            pages.append(page | {"frames": []})
        elif pages:
            pages[-1]["frames"].append(page)
    return pages


def _said(name: str, function: Callable[..., Any], page: dict[str, Any]) -> str:
    try:
        said = function(page)
    except Exception as error:  # the function is the user's: it may raise anything
        raise ConfigurationProblem(
            f"state: {name} failed on {page['url']}: {type(error).__name__}: {error}."
        ) from error
    if not isinstance(said, str):
        raise ConfigurationProblem(
            f"state: {name} gave {type(said).__name__} for {page['url']}.", advice="It must give a text for every page."
        )
    return said


def _own(url: str, origins: Collection[str]) -> bool:
    if not origins or not url.startswith(("http:", "https:")):
        return True
    parts = split_url(url)
    return f"{parts.scheme}://{parts.netloc}" in origins


def _placed(parts: Parts) -> Iterator[tuple[str, Part]]:
    """Each part with where it is among those that are there: how many were there before says nothing."""
    tabs = sorted({part["tab"] for part in parts})
    for part in parts:
        tab = tabs.index(part["tab"])
        yield (f"tab {tab + 1} " if tab else "") + ("frame " if part["frame"] else ""), part


# Saying why.


def explain(a: str, b: str) -> str:
    """In words, why two texts of an `Abstraction` are one state or are not."""
    one, other = a.split("\n"), b.split("\n")
    structured = all(line.startswith(_STRUCTURE) for lines in (one, other) for line in lines[1::2]) and len(one) > 1
    if a == b:
        if not structured:
            return f"One state: {_quoted(a)}."
        kinds = sum(1 for line in one[1::2] for _ in _elements(line))
        return f"One state: {_quoted(one[0])} with the same structure, {count(kinds, 'kind')} of elements."
    if not structured:
        return f"Two states: {_quoted(a)} is not {_quoted(b)}."
    if len(one) != len(other):
        documents = [count(len(lines) // 2, "document") for lines in (one, other)]
        return f"Two states: the first has {documents[0]}, the second {documents[1]}."
    first, second = next((old, new) for old, new in zip(one, other, strict=True) if old != new)
    if not first.startswith(_STRUCTURE):
        return f"Two states: {_quoted(first)} is not {_quoted(second)}."
    gone, come = _difference(first, second)
    told = [f"only the {which} has {_listed(found)}" for which, found in (("first", gone), ("second", come)) if found]
    return f"Two states: {'; '.join(told) or 'the same elements are arranged otherwise'}."


def _elements(skeleton: str) -> Iterator[str]:
    """Each element with where it is: `main > form > input:text[q]`."""
    path: list[str] = []
    last = ""
    for piece in _PIECE.findall(skeleton):
        if piece in "({":
            path.append(last)
            last = ""
        elif piece in ")}":
            last = path.pop() if path else ""
        elif piece == "*":
            yield f"{_where(path)}{last or 'a group'} several times"
        else:
            last = piece
            yield f"{_where(path)}{piece}"


def _where(path: list[str]) -> str:
    shown = [step.rstrip('"') for step in path if step][-3:]
    return "".join(f"{step} > " for step in shown)


def _difference(a: str, b: str) -> tuple[list[str], list[str]]:
    one, other = list(_elements(a))[:_MOST_LINES], list(_elements(b))[:_MOST_LINES]
    gone: list[str] = []
    come: list[str] = []
    for tag, start, end, first, last in SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
        if tag != "equal":
            gone += one[start:end]
            come += other[first:last]
    return gone, come


def _listed(elements: list[str]) -> str:
    shown = ", ".join(
        f"`{element.replace(chr(34), '')}`" + (" with text" if '"' in element else "") for element in elements[:_SHOWN]
    )
    more = len(elements) - _SHOWN
    return shown + (f" and {more} more" if more > 0 else "")


def _of(parts: Parts, key: str) -> str:
    return str(parts[0][key]) if parts else ""


def _quoted(text: str) -> str:
    return f"`{text if len(text) <= 120 else text[:119] + '…'}`"
