"""The library for callers that are not asynchronous: the functions of `jostle.library`, waited for."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Unpack

from jostle import library
from jostle.checking.search import CheckOptions
from jostle.exploring.search import ExploreOptions
from jostle.library import RepairResult, SearchResult, Settings, waited_for
from jostle.recording.file import Recording
from jostle.recording.replay import Replayed
from jostle.search.job import Job
from jostle.slowdowns.search import SlowdownOptions


def check(
    url: str,
    options: CheckOptions | None = None,
    *,
    recordings: Sequence[Path | str] = (),
    repair: bool = False,
    **settings: Unpack[Settings],
) -> SearchResult:
    """Look for everything that breaks in the application at `url`: what `jostle check` does. `repair`: look for a
    repair of each race, too."""
    return waited_for(library.check(url, options, recordings=recordings, repair=repair, **settings))


def explore(url: str, options: ExploreOptions | None = None, **settings: Unpack[Settings]) -> SearchResult:
    """Use the application at `url` as a tester would: what `jostle explore` does."""
    return waited_for(library.explore(url, options, **settings))


def slowdown(
    url: str,
    options: SlowdownOptions | None = None,
    *,
    recordings: Sequence[Path | str] = (),
    **settings: Unpack[Settings],
) -> SearchResult:
    """Look for clicks that make other clicks slower: what `jostle slowdown` does."""
    return waited_for(library.slowdown(url, options, recordings=recordings, **settings))


def repair(
    run: SearchResult | Path | str,
    finding: str = "",
    *,
    policy: Path | str = "",
    live: bool = False,
    **settings: Unpack[Settings],
) -> RepairResult:
    """Look for repairs of the races of a run: what `jostle repair` does. `run`: its directory, or what came of a search
    just now. `finding`: only the one with this id. `policy`: a policy file that is tried instead of looking for one.
    `live`: ask the server for what the recordings do not know."""
    return waited_for(library.repair(run, finding, policy=policy, live=live, **settings))


def run(job: Job, **settings: Unpack[Settings]) -> SearchResult:
    """Run a job. Its seed and budget hold unless the settings have others."""
    return waited_for(library.run(job, **settings))


def replay(
    recording: Recording | Path | str, *, times: int = 1, live: bool = False, **settings: Unpack[Settings]
) -> tuple[Replayed, ...]:
    """Repeat a recorded run and compare each step: what `jostle replay` does. `live`: let the server answer."""
    return waited_for(library.replay(recording, times=times, live=live, **settings))
