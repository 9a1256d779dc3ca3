"""Kills at random moments: the run directory can be read, and what was announced is in it."""

from __future__ import annotations

import random
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from benchmarks.hostile.processes import Place, place
from benchmarks.hostile.tally import Row
from jostle.errors import Problem
from jostle.recording.file import Recording
from jostle.runs import RunDirectory
from jostle.runs.report import write_report
from tests.browser.live import site_served
from tests.hostile.pages import page

COMMANDS: tuple[tuple[str, ...], ...] = (
    ("explore", "URL", "--events", "300"),
    ("check", "URL", "--budget", "60s"),
    ("races", "init", "URL", "--budget", "60s"),
    ("record", "URL", "--walk", "300", "-o", "walk.jostle"),
)
PAGES = {
    "/": page("<a href=/other>Other</a><input id=q aria-label=City><script src=/late.js></script>"),
    "/other": page("<button onclick='null.x'>Worse</button><a href=/>Back</a>"),
    "/late.js": "q.value = ''",
}
ANNOUNCED = ("Seen: ", "Found: ", "Race: ")
_LATEST = 9.0
"""Seconds after which the latest kill comes."""
_SIDE_BY_SIDE = 2


def kills(number: int, seed: int) -> list[Row]:
    row = Row(what="kills (SIGKILL) at random moments")
    chance = random.Random(seed)
    tries = [(COMMANDS[n % len(COMMANDS)], chance.uniform(0.3, _LATEST)) for n in range(number)]
    kept = announced = 0

    def attack(tried: tuple[tuple[str, ...], float]) -> tuple[str | None, int, int]:
        command, moment = tried
        words = f"{' '.join(command[:2])} after {moment:.1f} s"
        with site_served() as site, place() as at:
            site.serve(PAGES)
            process = at.start([site.url if each == "URL" else each for each in command])
            ended = at.ended(process, at=moment, number=signal.SIGKILL, most=60)
            lines = [line for line in ended.said.splitlines() if line.startswith(ANNOUNCED)]
            if ended.left:
                return f"{words}: {len(ended.left)} processes are left", len(lines), 0
            try:
                failures = list(_wrong(at, lines))
                found = _count(at)
            except Problem as problem:
                if not lines and "not the database of a run" in str(problem):
                    return None, 0, 0  # it was about to be made: there is nothing that could be lost
                return f"{words}: {problem}", len(lines), 0
        return (f"{words}: {'; '.join(failures)}" if failures else None), len(lines), found

    with ThreadPoolExecutor(_SIDE_BY_SIDE) as workers:
        for failure, told, found in workers.map(attack, tries):
            row.count(failure)
            announced += told
            kept += found
    row.figures = f"{announced} announcements, {kept} findings on disk"
    return [row]


def _count(at: Place) -> int:
    if at.run is None:
        return 0
    with RunDirectory.open(at.run) as opened:
        return len(opened.findings)


def _wrong(at: Place, announced: list[str]) -> Iterator[str]:
    """What is not as it should be after a kill. Raises Problem when the run cannot be read."""
    if at.run is None or not (at.run / "run.db").exists():
        if announced:
            yield "there is no run directory"
        return
    with RunDirectory.open(at.run) as opened:
        titles = [finding.title for finding in opened.findings]
        for line in announced:
            title = line.partition(": ")[2]
            if not any(each in title or title in each for each in titles):
                yield f"{line!r} is not on disk"
        for finding in opened.findings:
            if finding.replay is not None:
                Recording.read(Path(at.run, finding.replay))
        list(opened.steps())
        if opened.info.command != "record":  # which looks for nothing
            write_report(opened, at.run / "again.html")
        if opened.info.status.value not in ("interrupted", "finished"):
            yield f"its status is {opened.info.status.value}"
