"""Writing the timeline of a recording to a file: what `--html` asks for."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from jostle.recording.file import Recording
from jostle.report.timeline import Replay, timeline
from jostle.writing import write_whole


def write_timeline(file: Path, recording: Recording, replays: Sequence[Replay] = ()) -> None:
    """The file is complete or not there. Raises CouldNotRun."""
    write_whole(file, timeline(recording, replays).encode())
