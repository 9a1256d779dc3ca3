"""Reading a file that somebody else may have made: no link is followed, no device read, and there is a bound."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import BinaryIO

_MB = 2**20
MOST_NAMED = 64 * _MB
"""Bytes of a file that a user names, such as a baseline or a storage state. Recordings have bounds of their own."""


def read_within(directory: Path, name: str, most: int) -> bytes:
    """A file below a directory, by its name there. Raises OSError, with words: when it is not there, leads out of the
    directory, is no ordinary file, or has more than `most` bytes."""
    path = directory / name
    if Path(name).is_absolute() or ".." in Path(name).parts:
        raise OSError(errno.EACCES, f"{name!r} is outside of the directory")
    if Path(os.path.realpath(path.parent)) != Path(os.path.realpath(directory), Path(name).parent):
        raise OSError(errno.EACCES, f"{name!r} leads out of the directory")
    return read_file(path, most)


def read_file(path: Path, most: int, *, follow: bool = False) -> bytes:
    """An ordinary file of at most so many bytes. Raises OSError, with words. `follow`: it may be a link to one."""
    with open_file(path, follow=follow) as stream:
        if os.fstat(stream.fileno()).st_size > most:
            raise OSError(errno.EFBIG, f"it has more than {most // _MB} MB")
        data = stream.read(most + 1)
    if len(data) > most:
        raise OSError(errno.EFBIG, f"it has more than {most // _MB} MB")
    return data


def read_named(path: Path) -> bytes:
    """A file that a user names: it may be a link, but no device, pipe or endless file. Raises OSError, with words."""
    return read_file(path, MOST_NAMED, follow=True)


def open_file(path: Path, *, follow: bool = False) -> BinaryIO:
    """An ordinary file, to read it. Raises OSError, with words."""
    flags = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | (0 if follow else os.O_NOFOLLOW)
    try:
        descriptor = os.open(path, flags)
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise OSError(errno.ELOOP, "it is a link") from None
        raise
    mode = os.fstat(descriptor).st_mode
    if not stat.S_ISREG(mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "it is a directory" if stat.S_ISDIR(mode) else "it is no ordinary file")
    return os.fdopen(descriptor, "rb")
