"""What a command of the application prints, in a file: line by line, each as it may be written down."""

from __future__ import annotations

import contextlib
import os
import select
import threading
from collections.abc import Callable
from pathlib import Path

from jostle.reading import read_file
from jostle.writing import replace

_PIECE = 1 << 16
_LONGEST_LINE = 1 << 16
"""Bytes. A longer line is written in pieces."""
_REMEMBERED = 1 << 20
"""Bytes of the latest output that are searched for a sign."""
_MOST_CLEANED = 1 << 26
"""Bytes of a log that are cleaned again."""
_LOOK_SECONDS = 0.1
_CLOSE_SECONDS = 2.0


class OutputLog:
    """Takes the output of one process and of what it starts. A thread writes it, so that nobody has to ask for it.

    `clean` makes of a line what is written; it is asked again when the log is closed. Whatever is still on its way then
    is written; what comes later, from processes that were left behind, is not.
    """

    def __init__(self, file: Path, clean: Callable[[str], str]) -> None:
        """Raises OSError when the file cannot be written."""
        file.parent.mkdir(parents=True, exist_ok=True)
        self._file = file
        self._clean = clean
        self._stream = file.open("wb", buffering=0)
        self._latest = bytearray()
        self._line = bytearray()
        self._closing = threading.Event()
        self._reading, self.descriptor = os.pipe()
        self._thread = threading.Thread(target=self._copy, name="jostle-output", daemon=True)

    def begin(self) -> None:
        """The process has its end of the pipe by now."""
        os.close(self.descriptor)
        self._thread.start()

    def abandon(self) -> None:
        """No process was started."""
        os.close(self.descriptor)
        os.close(self._reading)
        self._stream.close()

    def says(self, text: str) -> bool:
        """Whether this was printed lately, also within a line that has not ended."""
        return text.encode() in bytes(self._latest)

    def tail(self, lines: int) -> list[str]:
        """The last lines that were written."""
        return self._file.read_text("utf-8", errors="replace").splitlines()[-lines:]

    def close(self) -> None:
        """Everything that was printed is in the file afterwards. May be called more than once."""
        if self._closing.is_set():
            return
        self._closing.set()
        self._thread.join(_CLOSE_SECONDS)
        with contextlib.suppress(OSError):
            self._clean_again()

    def _clean_again(self) -> None:
        """What was printed before anybody knew that it is a secret."""
        before = read_file(self._file, _MOST_CLEANED)
        after = b"".join(map(self._cleaned, before.splitlines(keepends=True)))
        if after != before:
            replace(self._file, after)

    def _copy(self) -> None:
        with self._stream:
            try:
                while piece := self._read():
                    self._latest += piece
                    del self._latest[:-_REMEMBERED]
                    self._line += piece
                    self._write_lines()
                self._write(bytes(self._line))
            except OSError:
                pass  # the disk is full: what the application prints is not worth ending for
            finally:
                os.close(self._reading)

    def _read(self) -> bytes:
        """The next piece; nothing at the end, which may never come where others have inherited the pipe."""
        while True:
            ready, _, _ = select.select([self._reading], [], [], 0 if self._closing.is_set() else _LOOK_SECONDS)
            if ready:
                return os.read(self._reading, _PIECE)
            if self._closing.is_set():
                return b""

    def _write_lines(self) -> None:
        end = self._line.rfind(b"\n") + 1
        if end == 0 and len(self._line) > _LONGEST_LINE:
            end = len(self._line)
        self._write(bytes(self._line[:end]))
        del self._line[:end]

    def _write(self, lines: bytes) -> None:
        for line in lines.splitlines(keepends=True):
            self._stream.write(self._cleaned(line))

    def _cleaned(self, line: bytes) -> bytes:
        return self._clean(line.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")
