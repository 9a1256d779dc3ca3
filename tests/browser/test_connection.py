"""Waiting for the browser's answers."""

from __future__ import annotations

import asyncio

import pytest

from jostle.browser.connection import NoAnswer, Params, answer
from jostle.browser.loop import run


def test_who_is_cancelled_while_the_answer_comes_is_cancelled() -> None:
    """Ctrl-C, in the very moment in which the answer is read."""

    async def both() -> None:
        coming: asyncio.Future[Params] = asyncio.get_running_loop().create_future()
        waiting = asyncio.create_task(answer(coming, "Page.enable", 5))
        await asyncio.sleep(0)
        waiting.cancel()
        if not coming.done():
            coming.set_result({})
        await waiting

    with pytest.raises(asyncio.CancelledError):
        run(both())


def test_what_is_not_answered_is_named() -> None:
    async def never() -> None:
        await answer(asyncio.get_running_loop().create_future(), "Page.enable", 0.01)

    with pytest.raises(NoAnswer, match=r"Page\.enable within 0\.01 s"):
        run(never())
