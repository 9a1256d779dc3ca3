"""The event loop: libuv's, on which the way to the browser and back takes a fifth less time than on Python's own."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

import uvloop

_Result = TypeVar("_Result")


def new() -> asyncio.AbstractEventLoop:
    return uvloop.new_event_loop()


def run(work: Coroutine[Any, Any, _Result]) -> _Result:
    """Like `asyncio.run`."""
    with asyncio.Runner(loop_factory=new) as runner:
        return runner.run(work)
