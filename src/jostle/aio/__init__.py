"""The library for asynchronous callers: the same functions as in `jostle`, to be awaited."""

from jostle.aio import races
from jostle.library import RepairResult, SearchResult, check, explore, repair, replay, run, slowdown

__all__ = ["RepairResult", "SearchResult", "check", "explore", "races", "repair", "replay", "run", "slowdown"]
