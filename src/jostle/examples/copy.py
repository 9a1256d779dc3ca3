"""Examples to be copied and edited: small applications that run by themselves."""

from __future__ import annotations

import shutil
from pathlib import Path

COPIED = {"bookshelf": "A search as you type, with a server in plain Python. Its bug is for the reader to mend."}
"""What there is, and what it is."""


def copy(name: str, to: Path) -> list[str]:
    """Write the files of an example into a new folder, or into an empty one; their names.

    Raises KeyError for an unknown name, FileExistsError when there is something already, and OSError.
    """
    if name not in COPIED:
        raise KeyError(name)
    if to.exists() and any(to.iterdir()):
        raise FileExistsError(f"{to} is not empty")
    to.mkdir(parents=True, exist_ok=True)
    source = Path(__file__).parent / name
    files = sorted(file for file in source.iterdir() if file.is_file())
    for file in files:
        shutil.copyfile(file, to / file.name)
    return [file.name for file in files]
