"""Searches for races, for callers that are not asynchronous: `jostle.races`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Unpack

from jostle.aio import races
from jostle.library import SearchResult, Settings, waited_for
from jostle.races.loading.search import LoadRaceOptions
from jostle.races.responses.search import ResponseRaceOptions
from jostle.races.schedules.search import OrderOptions


def init(url: str, options: LoadRaceOptions | None = None, **settings: Unpack[Settings]) -> SearchResult:
    """Act on the page at `url` before it is ready: what `jostle races init` does."""
    return waited_for(races.init(url, options, **settings))


def ajax(
    url: str,
    options: ResponseRaceOptions | None = None,
    *,
    recordings: Sequence[Path | str] = (),
    **settings: Unpack[Settings],
) -> SearchResult:
    """Let responses arrive late in the application at `url`: what `jostle races ajax` does."""
    return waited_for(races.ajax(url, options, recordings=recordings, **settings))


def orders(
    url: str,
    options: OrderOptions | None = None,
    *,
    recordings: Sequence[Path | str] = (),
    **settings: Unpack[Settings],
) -> SearchResult:
    """Do the same things in the application at `url` in other orders: what `jostle races orders` does."""
    return waited_for(races.orders(url, options, recordings=recordings, **settings))
