"""How much memory the processes of a browser of ours take."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

_PROCESSES = Path("/proc")


def private_megabytes(group: int) -> float:
    """What the processes of a process group have for themselves; 0 where the system does not tell (macOS)."""
    pages = 0
    for process in _PROCESSES.glob("[0-9]*"):
        with contextlib.suppress(OSError, ValueError, IndexError):  # it has just ended
            # The name of a program may contain anything, but behind its closing bracket comes the rest.
            rest = (process / "stat").read_text(errors="replace").rpartition(")")[2].split()
            if int(rest[2]) == group:
                _, resident, shared, *_ = (process / "statm").read_text().split()
                pages += int(resident) - int(shared)
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20
