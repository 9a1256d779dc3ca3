"""The process of the command as its surroundings made it: signals, standard streams, open files, and leaving it."""

from __future__ import annotations

import atexit
import contextlib
import os
import resource
import signal
import sys
import threading
from types import FrameType
from typing import NoReturn

from jostle.errors import CouldNotRun

LEAST_FILES = 64
"""Files that must be allowed to be open: a browser has pipes, a run has a database."""
WANTED_FILES = 4096
_LEAVING = 2.0
"""Seconds for threads that are still at work when everything is done."""


def prepare() -> None:
    """Once, before anything else is done."""
    _open_streams()
    _allow_files()
    for ending in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(ending) is signal.SIG_DFL:
            signal.signal(ending, _interrupt)


def leave(code: int) -> NoReturn:
    """End the process, also when a thread does not want to: it may be busy with a page's text for ever."""
    left = [each for each in threading.enumerate() if each is not threading.current_thread() and not each.daemon]
    for thread in left:
        if not thread.name.startswith("asyncio_"):  # those wait for work that never comes
            thread.join(_LEAVING)
    if any(each.is_alive() for each in left):
        atexit._run_exitfuncs()
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, ValueError):
                stream.flush()
        os._exit(code)
    sys.exit(code)


def check_files() -> None:
    """Raises CouldNotRun when too few files may be open for a browser to be driven."""
    allowed, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if allowed != resource.RLIM_INFINITY and allowed < LEAST_FILES:
        raise CouldNotRun(
            f"Only {allowed} files may be open at a time, and a browser needs at least {LEAST_FILES}.",
            advice="Allow more in this shell: ulimit -n 1024",
        )


def _interrupt(number: int, frame: FrameType | None) -> None:
    """Being told to end is treated like Ctrl-C, so that browsers and applications are stopped and results kept. Also
    where Ctrl-C itself is ignored, as it is in the background of a script."""
    from jostle.browser import loop  # only who has begun something needs it

    loop.interrupt()


def _open_streams() -> None:
    """Who closes standard output gets nothing there; the next file that is opened must not take its place."""
    for descriptor, name, mode in ((0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w")):
        try:
            os.fstat(descriptor)
        except OSError:
            opened = os.open(os.devnull, os.O_RDWR)  # gets the lowest number that is free
            if opened != descriptor:
                os.dup2(opened, descriptor)
                os.close(opened)
        if getattr(sys, name) is None:
            setattr(sys, name, open(descriptor, mode, encoding="utf-8", closefd=False))  # noqa: SIM115


def _allow_files() -> None:
    allowed, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = WANTED_FILES if most == resource.RLIM_INFINITY else min(WANTED_FILES, most)
    if allowed != resource.RLIM_INFINITY and allowed < wanted:
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))
