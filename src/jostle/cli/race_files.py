"""What is kept of searches in the directory of their run: a recording and a picture of either order, what was tried,
and the report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from jostle.cli.outcome import Work
from jostle.progress import Note
from jostle.recording.file import Recording
from jostle.report.check_told import Search as Told
from jostle.report.check_told import Told as ToldOfRun
from jostle.report.races import RacesReport, page
from jostle.slowdown.server import ServerSlower
from jostle.writing import write_whole


class RaceFiles:
    """Writes them as races are found."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self.pictures: dict[str, bytes] = {}
        """What was written, by the name of its file."""

    def orders(self, name: str, good: tuple[Recording, bytes], bad: tuple[Recording, bytes]) -> dict[str, str]:
        """The names of the files, by `good replay`, `good screen`, `bad replay` and `bad screen`."""
        files = {}
        for which, (recording, picture) in (("good", good), ("bad", bad)):
            file = f"{name}-{which}"
            recording.write(self._directory / f"{file}.jostle")
            files[f"{which} replay"] = f"{file}.jostle"
            if picture:
                write_whole(self._directory / f"{file}.png", picture)
                files[f"{which} screen"] = f"{file}.png"
                self.pictures[f"{file}.png"] = picture
        return files


def why(verdict: str, reason: str) -> str:
    """Why something that was tried is no finding."""
    return f"{verdict}: {reason}" if reason else verdict


def keep_told(
    work: Work, told: Told, servers: Sequence[ServerSlower] = (), stats: Mapping[str, Any] | None = None
) -> None:
    """What a search tells of itself, for `jostle report`. `stats`: of an exploration."""
    whole = ToldOfRun(searches=(told,), stats=stats or {}, servers=tuple(servers), seconds=told.seconds)
    work.run.add_artefact("told.json", msgspec.json.encode(whole), "application/json")


def write_races_report(work: Work, told: Told, url: str, pictures: Mapping[str, bytes], html: Path | None) -> None:
    """The report of one search for races."""
    keep_told(work, told)
    report = html or work.run.path / "report.html"
    shown = RacesReport(
        url=url,
        command=told.name,
        findings=tuple(work.run.findings),
        others=told.others,
        noise=told.noise,
        stats=dict(told.stats),
        directory=str(work.run.path),
        pictures=pictures,
    )
    write_whole(report, page(shown).encode())
    work.listener(Note(text=f"The report: {report}"))
