"""Questions to the documents of a tab: expressions that are evaluated there."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from jostle.browser import agent
from jostle.browser.connection import Connection, NoAnswer, Params, ProtocolError
from jostle.browser.frame import ContextGone, Frame
from jostle.browser.starvation import keeps_busy
from jostle.errors import CouldNotRun
from jostle.text import cut

_LONGEST = 200
"""Characters of what the page said to it."""


class AgentFailed(CouldNotRun, RuntimeError):
    """The page has changed what JavaScript or the document can do, so that the agent in it does not work any more."""

    def __init__(self, said: str) -> None:
        super().__init__(
            f"The page keeps itself from being tested: its agent failed ({cut(said, _LONGEST)}).",
            advice="Does it replace functions of JavaScript or of the document? See docs/limits.md.",
        )


class Questions:
    """Those that wait for an answer, and the session each was put to."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._asking: dict[asyncio.Future[Params], str] = {}

    async def ask(
        self,
        frame: Frame,
        expression: str,
        timeout: float,
        *,
        late: Callable[[Any], None] = lambda answer: None,
        sent: Callable[[], None] = lambda: None,
    ) -> Any:
        """Evaluate an expression in a frame's document. Raises ContextGone when that document is gone or about to go.

        `late` is given an answer that comes after that; `sent` is called as soon as the question is on its way.
        Raises NoAnswer after `timeout` seconds, later where the machine does not let the browser run.
        """
        posted = frame.session.post(
            "Runtime.evaluate",
            {
                "expression": f"{expression}{agent.OURS}",
                "uniqueContextId": frame.context,
                "awaitPromise": True,
                "returnByValue": True,
                "silent": True,
            },
            late=lambda result: late(_value(result)),
        )
        self._asking[posted] = frame.session.id
        sent()
        watching: list[asyncio.Task[None]] = []

        async def watch() -> None:
            if await keeps_busy(self._connection, timeout, posted):
                _give_up(posted, NoAnswer("Runtime.evaluate", timeout))

        loop = asyncio.get_running_loop()
        alarm = loop.call_later(timeout, lambda: watching.append(loop.create_task(watch())))
        try:
            return _value(await posted)
        except ProtocolError as error:
            raise ContextGone from error
        finally:
            alarm.cancel()
            for task in watching:
                task.cancel()
            del self._asking[posted]

    def give_up(self, session: str = "") -> None:
        """A document that is about to be replaced, or crashed, answers late or never."""
        for posted, asked in self._asking.items():
            if not session or asked == session:
                _give_up(posted, ContextGone())


def _give_up(question: asyncio.Future[Params], reason: Exception) -> None:
    if not question.done():
        question.set_exception(reason)


def _value(result: Params) -> Any:
    """What an expression gave."""
    if details := result.get("exceptionDetails"):
        description = details.get("exception", {}).get("description", details.get("text"))
        raise AgentFailed(str(description))
    return result["result"].get("value")
