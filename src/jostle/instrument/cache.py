"""Rewritten scripts on disk, by what they were made from."""

from __future__ import annotations

import contextlib
import os
import zlib
from pathlib import Path

import msgspec

from jostle.secret_look import looks_secret


class CacheEntry(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """What became of a script."""

    code: str = ""
    positions: bytes = b""
    problem: str = ""


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(CacheEntry).decode


class Cache:
    """A directory of entries. One that is damaged, or cannot be read or written, is as good as none."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory

    def load(self, digest: str) -> CacheEntry | None:
        try:
            data = self._file(digest).read_bytes()
            content, check = data[:-4], int.from_bytes(data[-4:])
            return _decode(content) if len(data) > 4 and zlib.crc32(content) == check else None
        except (OSError, msgspec.MsgspecError, UnicodeError):
            return None

    def save(self, digest: str, entry: CacheEntry) -> None:
        """Keep it, unless a secret is in it."""
        if looks_secret(entry.code):
            return
        file = self._file(digest)
        part = file.with_name(f".{digest}.{os.getpid()}.part")
        try:
            content = _encode(entry)
        except UnicodeError:  # a lone surrogate in the source: nothing that a file in UTF-8 could hold
            return
        with contextlib.suppress(OSError):
            self._directory.mkdir(mode=0o700, parents=True, exist_ok=True)
            file.parent.mkdir(mode=0o700, exist_ok=True)
            try:
                part.write_bytes(content + zlib.crc32(content).to_bytes(4))
                part.replace(file)
            finally:
                part.unlink(missing_ok=True)

    def _file(self, digest: str) -> Path:
        return self._directory / digest[:2] / digest
