"""What is kept of a race in the directory of its run: a recording and a picture of either order."""

from __future__ import annotations

from pathlib import Path

from jostle.recording.file import Recording
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
