"""Searches for races, for asynchronous callers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Unpack

from jostle.library import SearchResult, Settings, searched
from jostle.races.loading.search import LoadRaceOptions
from jostle.races.responses.search import ResponseRaceOptions
from jostle.races.schedules.search import OrderOptions


async def init(url: str, options: LoadRaceOptions | None = None, **settings: Unpack[Settings]) -> SearchResult:
    """Act on the page at `url` before it is ready: what `jostle races init` does."""
    return await searched("races init", url, options or LoadRaceOptions(), (), settings)


async def ajax(
    url: str,
    options: ResponseRaceOptions | None = None,
    *,
    recordings: Sequence[Path | str] = (),
    **settings: Unpack[Settings],
) -> SearchResult:
    """Let responses arrive late in the application at `url`: what `jostle races ajax` does."""
    return await searched("races ajax", url, options or ResponseRaceOptions(), recordings, settings)


async def orders(
    url: str,
    options: OrderOptions | None = None,
    *,
    recordings: Sequence[Path | str] = (),
    **settings: Unpack[Settings],
) -> SearchResult:
    """Do the same things in the application at `url` in other orders: what `jostle races orders` does."""
    return await searched("races orders", url, options or OrderOptions(), recordings, settings)
