"""The library for asynchronous callers: the same functions as in `jostle`, to be awaited."""

from jostle.aio import races
from jostle.library import SearchResult, check, explore, replay, run, slowdown

__all__ = ["SearchResult", "check", "explore", "races", "replay", "run", "slowdown"]
