"""Writing the timeline of a recording to a file: what `--html` asks for."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from jostle.errors import CouldNotRun
from jostle.recording.file import Recording
from jostle.report.timeline import Replay, timeline


def write_timeline(file: Path, recording: Recording, replays: Sequence[Replay] = ()) -> None:
    """The file is complete or not there. Raises CouldNotRun."""
    page = timeline(recording, replays)
    part = file.with_name(f".{file.name}.part")
    try:
        part.write_text(page, encoding="utf-8")
        part.replace(file)
    except OSError as error:
        raise CouldNotRun(
            f"{file} cannot be written: {error.strerror}.", advice="Name a file in a directory that can be written."
        ) from None
    finally:
        part.unlink(missing_ok=True)
