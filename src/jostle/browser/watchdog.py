"""Ends work in an event loop that has to end and does not: because its time is up, or because it was interrupted.

An event loop that is busy with one piece of work (a regular expression on a text of a page, a page with a million
elements) hears neither its own timers nor Ctrl-C. So a thread beside it looks whether it still answers, and if it does
not, raises `Stuck` in whatever it is busy with. What is known by then is kept, as after any other error. Some work,
such as a regular expression, lets no other thread run: then a timer of the operating system looks, which counts the
time in which this process computes.
"""

from __future__ import annotations

import asyncio
import contextlib
import signal
import threading
import time
from collections.abc import Iterator
from types import FrameType

ANSWERS = 1.0
"""Seconds within which a loop that has to end answers; else it is stuck."""
AGAIN = 0.5
"""Seconds until it is raised again: whoever was stuck may have caught it."""
PATIENCE = 3.5
"""Seconds after an interruption in which everything is put in order; then the loop is left as it is."""
_SIGNAL = signal.SIGURG
"""By which the thread gets at the main thread. Nobody else sends it, and who does not expect it does not notice."""
_EVERY = 0.1
"""Seconds between two looks."""


class Stuck(Exception):
    """Raised in work that took too long when it was time to end."""

    def __init__(self) -> None:
        super().__init__("it took too long, when the time was up or it was interrupted, and was ended")


class Watchdog:
    """Of one loop, which must run in the main thread."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._work: asyncio.Task[object] | None = None
        self._until: float | None = None
        self._interrupted: float | None = None
        self._asked: float | None = None
        """When the loop was last asked for a sign of life that has not come."""
        self._raised = 0.0
        self._raising: type[BaseException] | None = None
        self._over = threading.Event()

    def watches(self, work: asyncio.Task[object]) -> None:
        """This is what an interruption ends."""
        self._work = work

    @property
    def interrupted(self) -> bool:
        return self._interrupted is not None

    def interrupt(self) -> None:
        """Ctrl-C, or a signal that means the same. Who presses it twice does not want to wait."""
        if self._interrupted is not None or self._work is None:
            raise KeyboardInterrupt
        self._interrupted = time.monotonic()
        self._work.cancel()
        self._loop.call_soon_threadsafe(lambda: None)  # it may be asleep

    @contextlib.contextmanager
    def deadline(self, until: float) -> Iterator[None]:
        """What is done inside has to end at this time of `time.monotonic`, by timers of the loop."""
        before, self._until = self._until, until
        try:
            yield
        finally:
            self._until = before

    @contextlib.contextmanager
    def on_duty(self) -> Iterator[None]:
        """While the loop runs."""
        thread = threading.Thread(target=self._watch, name="jostle-watchdog", daemon=True)
        before = signal.signal(_SIGNAL, self._caught)
        profiling = signal.signal(signal.SIGPROF, self._computed)
        signal.setitimer(signal.ITIMER_PROF, _EVERY, _EVERY)
        keyboard = signal.getsignal(signal.SIGINT)
        if keyboard is signal.default_int_handler:
            signal.signal(signal.SIGINT, lambda number, frame: self.interrupt())
        thread.start()
        try:
            yield
        finally:
            self._over.set()
            thread.join()
            self._raising = None
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.signal(signal.SIGPROF, profiling)
            signal.signal(_SIGNAL, before)
            if keyboard is signal.default_int_handler:
                signal.signal(signal.SIGINT, keyboard)

    def _watch(self) -> None:
        while not self._over.wait(_EVERY):
            if (error := self._due()) is not None:
                self._raising = error
                signal.pthread_kill(threading.main_thread().ident or 0, _SIGNAL)

    def _due(self) -> type[BaseException] | None:
        """What is to be raised in the main thread now."""
        now, interrupted, until = time.monotonic(), self._interrupted, self._until
        if interrupted is None and (until is None or now <= until):
            return None
        stuck = False
        if self._asked is None:
            self._asked = now
            with contextlib.suppress(RuntimeError):  # it was just closed
                self._loop.call_soon_threadsafe(self._answered)
        else:
            stuck = now > self._asked + ANSWERS
        late = interrupted is not None and now > interrupted + PATIENCE
        if not (stuck or late) or now < self._raised + AGAIN:
            return None
        self._raised = now
        return KeyboardInterrupt if late else Stuck

    def _answered(self) -> None:
        self._asked = None

    def _caught(self, number: int, frame: FrameType | None) -> None:
        error, self._raising = self._raising, None
        if error is not None and not self._over.is_set():
            raise error

    def _computed(self, number: int, frame: FrameType | None) -> None:
        if not self._over.is_set() and (error := self._due()) is not None:
            raise error
