"""Writing a file that somebody asked for: it is complete or not there."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from jostle.errors import CouldNotRun


def write_whole(file: Path, content: bytes, *, follow: bool = True) -> None:
    """What stood there before is replaced at once, or stays as it was. Raises CouldNotRun.

    A symbolic link stays one: the file it leads to is replaced. What is no file (`/dev/stdout`, a named pipe) is
    written to as it is. Without `follow`, both are replaced like any file: for directories that others may have filled.
    """
    try:
        if not follow:
            replace(file, content)
        elif file.exists() and not file.is_file():
            file.write_bytes(content)
        else:
            replace(Path(os.path.realpath(file)), content)
    except OSError as error:
        raise CouldNotRun(
            f"{file} cannot be written: {error.strerror}.", advice="Name a file in a directory that can be written."
        ) from None


def replace(file: Path, content: bytes) -> None:
    """Put a file in its place, at once. Raises OSError."""
    part = file.with_name(f".{file.name[:100]}.{secrets.token_hex(6)}.part")
    try:
        with part.open("xb") as stream:  # nobody has laid a link there
            stream.write(content)
        part.replace(file)
    finally:
        part.unlink(missing_ok=True)
