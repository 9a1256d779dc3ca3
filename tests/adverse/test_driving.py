"""The same coroutine with calls that block and with calls that are awaited."""

from __future__ import annotations

import asyncio

import pytest

from jostle.adverse.driving import Pause, PlaywrightCall, drive, drive_async
from jostle.errors import UsageProblem


async def added(one: int) -> int:
    return one + 1


async def work(call: object) -> int:
    total = 0
    for number in range(3):
        total = await PlaywrightCall(lambda number=number, total=total: call(number, total))  # type: ignore[operator, misc]
        await Pause(0.001)
    return total


def test_both_ways() -> None:
    async def later(number: int, total: int) -> int:
        await asyncio.sleep(0)
        return number + total

    assert drive(work(lambda number, total: number + total)) == 3
    assert asyncio.run(drive_async(work(later))) == 3


def test_errors_arrive_where_they_are_awaited() -> None:
    def broken() -> None:
        raise KeyError("x")

    async def careful() -> str:
        try:
            await PlaywrightCall(broken)
        except KeyError as error:
            return f"caught {error}"
        return "nothing"

    assert drive(careful()) == "caught 'x'"
    assert asyncio.run(drive_async(careful())) == "caught 'x'"


def test_a_condition_that_waits_for_something_else() -> None:
    async def impatient() -> None:
        await asyncio.sleep(0)

    with pytest.raises(UsageProblem, match="waits for"):
        drive(impatient())


def test_what_is_awaited_in_an_asynchronous_suite() -> None:
    async def own() -> int:
        await asyncio.sleep(0)
        return await added(await PlaywrightCall(lambda: added(1)))

    assert asyncio.run(drive_async(own())) == 3
