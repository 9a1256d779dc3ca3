"""The applications whose interfaces are learned, and how jostle uses them: `python -m benchmarks.api_subjects`.

Written down by that: a recording of each exploration, in `benchmarks/sessions`. They are what the learner is measured
on, so they are made again only on purpose.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

import jostle
from benchmarks import applications
from benchmarks.wild.applications import WILD
from jostle.config.settings import Configuration
from jostle.examples import server
from jostle.exploring.search import TRAFFIC
from jostle.options import ExploreOptions
from jostle.recording.file import Recording
from jostle.search.stream import ArtefactMade
from jostle.serverapi.files import combined

ROOT = Path(__file__).parents[1]
SESSIONS = ROOT / "benchmarks/sessions"
EVENTS = 150
SECONDS = 180.0


@dataclass(frozen=True)
class Subject:
    """An application with an interface of its own."""

    name: str
    path: str = "/"
    allow: tuple[str, ...] = ()
    """What is dangerous elsewhere: this is a test installation."""
    seeds: tuple[int, ...] = (1, 2, 3)


LARDER = Subject("larder", "/larder/")
ISSO = Subject("isso", "/demo/", allow=("delete",))
TRANSMISSION = Subject("transmission-daemon", "/transmission/web/", allow=("remove", "delete", "trash"))
PUBLISHED = (ISSO, TRANSMISSION)
SUBJECTS = (LARDER, *PUBLISHED)


@contextlib.contextmanager
def running(subject: Subject) -> Iterator[str]:
    """The application with fresh data; its address."""
    if subject is LARDER:
        with server.running() as base:
            yield f"{base}{subject.path}"
        return
    known = {each.name: each for each in (*applications.APPLICATIONS, *WILD)}
    with applications.running(known[subject.name]) as up:
        yield up.url


def explored(
    url: str,
    subject: Subject,
    *,
    seed: int,
    events: int = EVENTS,
    seconds: float = SECONDS,
    server: str = "live",
    traffic: bool = False,
) -> tuple[Any, Recording | None]:
    """What came of an exploration, and what went over the network."""
    kept: list[bytes] = []

    def heard(event: object) -> None:
        if isinstance(event, ArtefactMade) and event.name == TRAFFIC:
            kept.append(event.data)

    options = ExploreOptions(events=events, patience=events, reports=False, traffic=traffic, allow=subject.allow)
    result = jostle.explore(
        url,
        options,
        seed=seed,
        budget=seconds,
        server=server,
        config=Configuration(),
        verify_tests=False,
        on_event=heard,
    )
    return result, Recording.from_bytes(kept[-1], url) if kept else None


def of_interface(recording: Recording) -> Recording:
    """Without the files of the page, whose licences are their own: only what scripts asked for."""
    whole = combined([recording])
    exchanges = [each for each in whole.exchanges if each.resource.lower() in ("xhr", "fetch", "ping")]
    numbered = [msgspec.structs.replace(each, order=n) for n, each in enumerate(exchanges, 1)]
    bodies = {each.body: whole.bodies[each.body] for each in exchanges if each.body}
    return Recording(manifest=whole.manifest, exchanges=numbered, bodies=bodies)


def sessions(subject: Subject) -> list[Path]:
    """The recordings of an application, as they were made."""
    if subject is LARDER:
        return sorted((ROOT / "src/jostle/examples/sessions").glob("larder-*.jostle"))
    return sorted(SESSIONS.glob(f"api-{subject.name}-*.jostle"))


def main() -> int:
    for subject in PUBLISHED:
        for seed in subject.seeds:
            with running(subject) as url:
                result, recording = explored(url, subject, seed=seed, traffic=True)
            assert recording is not None
            kept = of_interface(recording)
            file = SESSIONS / f"api-{subject.name}-{seed}.jostle"
            kept.write(file)
            done = result.stats.get("events")
            print(f"{file.name}: {len(kept.exchanges)} requests of {done} events", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
