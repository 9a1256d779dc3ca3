"""The files of a race: a recording and a picture of either order."""

from __future__ import annotations

from jostle.recording.file import Recording
from jostle.search.stream import Emit, FileMade


def emit_orders(emit: Emit, name: str, good: tuple[Recording, bytes], bad: tuple[Recording, bytes]) -> dict[str, str]:
    """The names of the files, by `good replay`, `good screen`, `bad replay` and `bad screen`."""
    files = {}
    for which, (recording, picture) in (("good", good), ("bad", bad)):
        file = f"{name}-{which}"
        emit(FileMade(f"{file}.jostle", recording.to_bytes()))
        files[f"{which} replay"] = f"{file}.jostle"
        if picture:
            emit(FileMade(f"{file}.png", picture))
            files[f"{which} screen"] = f"{file}.png"
    return files


def why(verdict: str, reason: str) -> str:
    """Why something that was tried is no finding."""
    return f"{verdict}: {reason}" if reason else verdict
