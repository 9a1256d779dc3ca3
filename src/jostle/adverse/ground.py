"""The page that conditions happen to, over Playwright."""

from __future__ import annotations

import contextlib
import inspect
import json
import time
from collections.abc import Awaitable, Callable
from typing import Any

from jostle.adverse.driving import Pause, PlaywrightCall

BOUND = 10.0
"""Seconds that a command may take."""
_ENVELOPE = "Target.receivedMessageFromTarget"


class NotDone(Exception):
    """A condition could not be brought about."""


class PageGround:
    """A `Ground`: see condition.py."""

    def __init__(self, page: Any, session: Any, rest: Callable[[], Awaitable[None]]) -> None:
        self.page = page
        self._session = session
        self._browser: Any = None
        self._rest = rest
        self.url: str = page.url

    async def send(self, method: str, **parameters: Any) -> dict[str, Any]:
        answer: dict[str, Any] = await sent(self._session, method, parameters)
        return answer or {}

    async def browser(self, method: str, **parameters: Any) -> dict[str, Any]:
        if self._browser is None:
            browser = self.page.context.browser
            # A browser with a profile of its own is no object of Playwright's; the page's session reaches it too.
            self._browser = (
                await PlaywrightCall(browser.new_browser_cdp_session) if browser is not None else self._session
            )
        answer: dict[str, Any] = await sent(self._browser, method, parameters)
        return answer or {}

    async def evaluate(self, expression: str, *, seconds: float = BOUND) -> Any:
        return await evaluated(self._session, expression, seconds)

    async def until(self, expression: str, *, seconds: float = 5.0) -> bool:
        deadline = time.monotonic() + seconds
        while True:
            try:
                if await evaluated(self._session, expression, bound=max(0.2, deadline - time.monotonic())):
                    return True
            except NotDone:  # between two documents there is nobody to ask
                if self.page.is_closed():
                    raise
            if time.monotonic() > deadline:
                return False
            await Pause(0.02)

    async def elsewhere(self, tab: str, expression: str, *, seconds: float = 5.0) -> Any:
        # Playwright knows nothing of that tab, so what is said to it goes in envelopes.
        attached = await self.send("Target.attachToTarget", targetId=tab, flatten=False)
        answers: list[dict[str, Any]] = []

        def heard(event: dict[str, Any]) -> None:
            if event.get("sessionId") == attached["sessionId"]:
                answers.append(json.loads(event["message"]))

        self._session.on(_ENVELOPE, heard)
        try:
            question = {"id": 1, "method": "Runtime.evaluate", "params": _question(expression)}
            await self.send("Target.sendMessageToTarget", sessionId=attached["sessionId"], message=json.dumps(question))
            deadline = time.monotonic() + seconds
            while not answers:
                if time.monotonic() > deadline:
                    raise NotDone(f"no answer in {seconds:g} s to {expression[:80]}")
                await Pause(0.005)
        finally:
            self._session.remove_listener(_ENVELOPE, heard)
            with contextlib.suppress(NotDone):  # it went with the tab
                await self.send("Target.detachFromTarget", sessionId=attached["sessionId"])
        if problem := answers[0].get("error"):
            raise NotDone(str(problem.get("message")))
        return _value(answers[0]["result"], expression)

    async def pause(self, seconds: float) -> None:
        await Pause(seconds)

    async def rest(self) -> None:
        await self._rest()

    async def close(self) -> None:
        session, self._browser = self._browser, None
        if session is not None and session is not self._session:
            with contextlib.suppress(Exception):  # it went with the browser
                await PlaywrightCall(session.detach)


async def sent(session: Any, method: str, parameters: dict[str, Any], bound: float = BOUND) -> Any:
    """A command of the DevTools Protocol. Raises NotDone."""
    more = {"timeout": bound * 1000} if _has_timeout(type(session)) else {}
    try:
        return await PlaywrightCall(lambda: session.send(method, parameters, **more))
    except Exception as error:  # Playwright's own, whichever API it is
        first = (str(error).strip() or type(error).__name__).splitlines()[0]
        raise NotDone(f"{method}: {first}") from None


async def evaluated(session: Any, expression: str, bound: float = BOUND, *, context: int | None = None) -> Any:
    """The value of an expression in the main frame, or in the execution context that is named. Raises NotDone."""
    question = _question(expression) | ({"contextId": context} if context is not None else {})
    return _value(await sent(session, "Runtime.evaluate", question, bound), expression)


def _question(expression: str) -> dict[str, Any]:
    return {"expression": expression, "awaitPromise": True, "returnByValue": True, "userGesture": True}


def _value(answer: dict[str, Any], expression: str) -> Any:
    if thrown := answer.get("exceptionDetails"):
        said = thrown.get("exception", {}).get("description") or thrown.get("text", "")
        raise NotDone(f"{str(said).splitlines()[0] if said else 'an error'} in {expression[:80]}")
    return answer.get("result", {}).get("value")


def called(function: str, *values: object) -> str:
    """JavaScript that calls a function with values."""
    return f"({function})({', '.join(json.dumps(value) for value in values)})"


_TIMEOUTS: dict[Any, bool] = {}


def _has_timeout(kind: Any) -> bool:
    """Older versions of Playwright know none."""
    if kind not in _TIMEOUTS:
        _TIMEOUTS[kind] = "timeout" in inspect.signature(kind.send).parameters
    return _TIMEOUTS[kind]
