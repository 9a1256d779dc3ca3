"""What the searches of a run tell of themselves (`told.json`), as far as it is there and as it should be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeVar

import msgspec

from jostle.findings.evidence import ServerSlower

T = TypeVar("T")


class SearchSummary(msgspec.Struct, frozen=True, kw_only=True):
    """One search of a run."""

    name: str
    what: str = ""
    tried: int | None = None
    found: int | None = None
    seconds: float | None = None
    not_tried: int = 0
    why: str = ""
    """That something, or everything, was not tried."""
    given_up: tuple[str, ...] = ()
    """Why it failed, or parts of it did: that it found nothing says nothing then."""
    untested: str = ""
    """Why it could test nothing at all, in words; empty where it tested something, or had nothing to test."""
    others: tuple[tuple[str, ...], ...] = ()
    """What was tried and is nothing: what (one text or several), the outcome, the reason."""
    noise: tuple[str, ...] = ()
    stats: Mapping[str, Any] = {}


class RunSummary(msgspec.Struct, frozen=True, kw_only=True):
    """What a run tells of what it did, besides its findings."""

    searches: tuple[SearchSummary, ...] = ()
    stats: Mapping[str, Any] = {}
    """Of the exploration: `events`, `states`, `pages`, `blocks`, `ended`, `avoided` ..."""
    servers: tuple[ServerSlower, ...] = ()
    budget: float | None = None
    seconds: float | None = None
    browser: str = ""

    @property
    def given_up(self) -> tuple[str, ...]:
        """What failed, and why, in words; empty where everything was looked for as far as there was time."""
        failed = (f"{search.name}: {why}" for search in self.searches for why in search.given_up)
        nothing = (f"{each.name}: nothing was tested: {each.untested}" for each in self.searches if each.untested)
        return (*failed, *nothing)

    @property
    def nothing_tested(self) -> bool:
        """Whether no search could test anything: that nothing was found means nothing then."""
        return bool(self.searches) and all(search.untested for search in self.searches)


def read_summary(document: object) -> RunSummary:
    """Whatever of it is as it should be; a run may have been interrupted, or written by another version."""
    given = document if isinstance(document, Mapping) else {}
    stats = given.get("stats")
    return RunSummary(
        searches=tuple(search for each in _list(given.get("searches")) for search in _search(each)),
        stats={str(key): value for key, value in stats.items()} if isinstance(stats, Mapping) else {},
        servers=tuple(server for each in _list(given.get("servers")) for server in _server(each)),
        budget=_as(float, given.get("budget")),
        seconds=_as(float, given.get("seconds")),
        browser=_as(str, given.get("browser")) or "",
    )


def _search(entry: object) -> Iterator[SearchSummary]:
    if not isinstance(entry, Mapping) or not isinstance(entry.get("name"), str):
        return
    stats = entry.get("stats")
    yield SearchSummary(
        name=entry["name"],
        what=_as(str, entry.get("what")) or "",
        tried=_as(int, entry.get("tried")),
        found=_as(int, entry.get("found")),
        seconds=_as(float, entry.get("seconds")),
        not_tried=_as(int, entry.get("not_tried")) or 0,
        why=_as(str, entry.get("why")) or "",
        given_up=tuple(str(each) for each in _list(entry.get("given_up"))),
        untested=_as(str, entry.get("untested")) or "",
        others=tuple(_other(each) for each in _list(entry.get("others"))),
        noise=tuple(str(each) for each in _list(entry.get("noise"))),
        stats={str(key): value for key, value in stats.items()} if isinstance(stats, Mapping) else {},
    )


def _other(entry: object) -> tuple[str, str, str]:
    """Of more than three (a cause, an effect, an outcome and a reason) the first ones say what was tried."""
    parts = [str(each) for each in _list(entry)] or [str(entry)]
    parts = [*parts, "", ""][: max(3, len(parts))]
    return " → ".join(parts[:-2]), parts[-2], parts[-1]


def _server(entry: object) -> Iterator[ServerSlower]:
    given = {key: value for key, value in entry.items() if key != "text"} if isinstance(entry, Mapping) else entry
    server = _as(ServerSlower, given)
    if server is not None and server.times:
        yield server


def _list(value: object) -> Sequence[object]:
    return value if isinstance(value, (list, tuple)) else ()


def _as(type_: type[T], value: object) -> T | None:
    try:
        return msgspec.convert(value, type_)
    except msgspec.ValidationError:
        return None
