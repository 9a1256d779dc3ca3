"""Writing a file that somebody asked for: it is complete or not there."""

from __future__ import annotations

import os
from pathlib import Path

from jostle.errors import CouldNotRun


def write_whole(file: Path, content: bytes) -> None:
    """What stood there before is replaced at once, or stays as it was. Raises CouldNotRun.

    A symbolic link stays one: the file it leads to is replaced. What is no file (`/dev/stdout`, a named pipe) is
    written to as it is.
    """
    try:
        if file.exists() and not file.is_file():
            file.write_bytes(content)
        else:
            _replace(Path(os.path.realpath(file)), content)
    except OSError as error:
        raise CouldNotRun(
            f"{file} cannot be written: {error.strerror}.", advice="Name a file in a directory that can be written."
        ) from None


def _replace(file: Path, content: bytes) -> None:
    part = file.with_name(f".{file.name}.part")
    try:
        part.write_bytes(content)
        part.replace(file)
    finally:
        part.unlink(missing_ok=True)
