"""Interrupting the event loop, without a browser."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import signal
import threading
import time
from collections.abc import Iterator

import pytest

from jostle.browser import loop
from jostle.browser.watchdog import Stuck

SOON = 8.0
"""Seconds; it takes 5 at most on a machine that lets it run."""


@pytest.fixture
def interrupted() -> Iterator[None]:
    """Ctrl-C is pressed soon."""
    pressing = threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGINT))
    pressing.start()
    yield
    pressing.join()


def test_a_result_and_an_error() -> None:
    async def work(error: Exception | None) -> int:
        await asyncio.sleep(0)
        if error is not None:
            raise error
        return 7

    assert loop.run(work(None)) == 7
    with pytest.raises(ZeroDivisionError):
        loop.run(work(ZeroDivisionError()))


def test_what_is_interrupted_puts_things_in_order(interrupted: None) -> None:
    done: list[str] = []

    async def work() -> None:
        try:
            await asyncio.sleep(60)
        finally:
            await asyncio.sleep(0.1)
            done.append("in order")

    with pytest.raises(KeyboardInterrupt):
        loop.run(work())
    assert done == ["in order"]


def test_who_waits_in_vain_while_putting_things_in_order_is_ended(
    interrupted: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loop, "GRACE", 0.2)
    monkeypatch.setattr(loop, "PRESSING", 0.05)
    done: list[str] = []

    async def closes(name: str) -> None:
        try:
            await asyncio.sleep(60)
        finally:
            done.append(name)

    async def work() -> None:
        try:
            try:
                await asyncio.sleep(60)
            finally:
                await closes("page")
        finally:
            await asyncio.gather(closes("browser"))

    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        loop.run(work())
    assert done == ["page", "browser"]
    assert time.monotonic() - began < 10


def test_what_goes_wrong_while_putting_things_in_order_is_told(interrupted: None) -> None:
    async def work() -> None:
        try:
            await asyncio.sleep(60)
        finally:
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        loop.run(work())


def test_ctrl_c_ends_what_keeps_the_loop_busy(interrupted: None) -> None:
    async def work() -> None:
        await asyncio.sleep(0)
        while True:
            pass

    began = time.monotonic()
    with pytest.raises((KeyboardInterrupt, Stuck)):
        loop.run(work())
    assert time.monotonic() - began < SOON


def test_ctrl_c_ends_a_regular_expression(interrupted: None) -> None:
    async def work() -> None:
        await asyncio.sleep(0)
        re.match("(a|aa)+$", "a" * 60 + "b")

    began = time.monotonic()
    with pytest.raises((KeyboardInterrupt, Stuck)):
        loop.run(work())
    assert time.monotonic() - began < SOON


def test_ctrl_c_ends_who_does_not_want_to_end(interrupted: None) -> None:
    async def work() -> None:
        while True:
            with contextlib.suppress(Exception, asyncio.CancelledError):
                await asyncio.sleep(0.01)

    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        loop.run(work())
    assert time.monotonic() - began < SOON


def test_what_keeps_the_loop_busy_is_ended_when_the_time_is_up() -> None:
    kept: list[str] = []

    async def busy() -> None:
        try:
            while True:
                pass
        finally:
            kept.append("what it had")

    async def work() -> str:
        with pytest.raises(Stuck):
            await loop.within(busy(), 0.2)
        assert await loop.within(asyncio.sleep(60, "never"), 0.1) is None
        return "goes on"

    assert loop.run(work()) == "goes on"
    assert kept == ["what it had"]


def test_who_is_in_time_is_not_disturbed() -> None:
    async def work() -> str | None:
        return await loop.within(asyncio.sleep(0.01, "done"), 30)

    assert loop.run(work()) == "done"
    with pytest.raises(ZeroDivisionError):
        loop.run(loop.within(_fails(), 30))


async def _fails() -> None:
    raise ZeroDivisionError
