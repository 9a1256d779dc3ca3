"""Interrupting the event loop, without a browser."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
import time
from collections.abc import Iterator

import pytest

from jostle.browser import loop


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
