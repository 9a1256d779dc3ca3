"""The wire to Chromium: DevTools Protocol messages over a pipe or a WebSocket, in the order they are sent."""

from __future__ import annotations

import asyncio
import json
import logging
import re
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, NamedTuple, Protocol

import msgspec

from jostle import untrusted
from jostle.errors import CouldNotRun, debugging
from jostle.text import cut

log = logging.getLogger("jostle.browser")

Params = dict[str, Any]
Handler = Callable[[str, Params], None]
"""Called with the method and the parameters of every event of a session, in the order of arrival."""

Troubled = Callable[[str], None]
"""Told, in words, of a message that could not be understood or acted on, and of work that failed because of one."""

ANSWER_TIMEOUT = 30.0
_LONGEST_REASON = 120
"""Characters of an error that are told."""
_ANSWER_TO = re.compile(rb'\s*\{\s*"id"\s*:\s*(\d{1,18})\b')
_ADDRESSED_TO = re.compile(rb'"sessionId"\s*:\s*"([0-9A-Fa-f]{1,64})"\s*\}\s*\Z')


class ProtocolError(Exception):
    """Chromium refused a command."""

    def __init__(self, method: str, message: str) -> None:
        super().__init__(f"{method}: {message}")
        self.method = method
        self.message = message


class NoAnswer(Exception):
    """Chromium did not answer a command in time."""

    def __init__(self, method: str, seconds: float) -> None:
        super().__init__(f"the browser did not answer {method} within {seconds:g} s")
        self.method = method


class Disconnected(CouldNotRun):
    """The browser has gone: it crashed, was killed or was closed."""

    def __init__(self, message: str = "the browser has ended") -> None:
        super().__init__(message, advice="See: jostle doctor")


class Transport(Protocol):
    def start(self, receive: Callable[[bytes], None], ended: Callable[[str], None]) -> None:
        """From now on hand over each message as it comes, and at the end say why there are no more."""
        ...

    def write(self, message: bytes) -> None: ...

    async def close(self) -> None: ...


class _Message(msgspec.Struct):
    id: int = 0
    method: str = ""
    params: Params = {}
    result: Params = {}
    error: dict[str, Any] | None = None
    sessionId: str = ""  # noqa: N815  (the protocol's name)


_decode = msgspec.json.Decoder(_Message).decode
_encode = msgspec.json.Encoder().encode


def _read(raw: bytes) -> _Message:
    """Raises msgspec.DecodeError."""
    try:
        return _decode(raw)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return untrusted.decoded(raw, _Message)


def _written(message: dict[str, Any]) -> bytes:
    try:
        return _encode(message)
    except UnicodeEncodeError:  # half a surrogate pair, from a recording or a configuration
        return json.dumps(message).encode("ascii")


class _Posted(NamedTuple):
    """A command that waits for its answer."""

    method: str
    session: str
    future: asyncio.Future[Params]
    late: Callable[[Params], None] | None


class Connection:
    """All sessions of one browser. `post` sends at once and keeps the order; `send` also waits for the answer."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self._last_id = 0
        self._waiting: dict[int, _Posted] = {}
        self._handlers: dict[str, Handler] = {}
        self._troubled: dict[str, Troubled] = {}
        self._background: set[asyncio.Task[Any]] = set()
        self.pid = 0
        """The browser's process, when it is one of ours."""
        self.gone: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        transport.start(self._receive, self._end)

    def post(
        self, method: str, params: Params | None = None, session: str = "", late: Callable[[Params], None] | None = None
    ) -> asyncio.Future[Params]:
        """Send a command now; the future holds its answer.

        Who no longer waits may end the future; an answer that comes then is given to `late`, or dropped in silence.
        """
        future: asyncio.Future[Params] = asyncio.get_running_loop().create_future()
        future.add_done_callback(_retrieve)
        if self.gone.done():
            future.set_exception(Disconnected("the browser is gone"))
            return future
        self._last_id += 1
        message: dict[str, Any] = {"id": self._last_id, "method": method, "params": params or {}}
        if session:
            message["sessionId"] = session
        self._waiting[self._last_id] = _Posted(method, session, future, late)
        self._transport.write(_written(message))
        return future

    async def send(
        self, method: str, params: Params | None = None, session: str = "", timeout: float = ANSWER_TIMEOUT
    ) -> Params:
        return await answer(self.post(method, params, session), method, timeout)

    def session(self, session_id: str, handler: Handler, troubled: Troubled = log.warning) -> Session:
        """One message that cannot be understood, or that `handler` fails at, costs that message: `troubled` is told."""
        self._handlers[session_id] = handler
        self._troubled[session_id] = troubled
        return Session(self, session_id)

    def drop(self, session_id: str) -> None:
        """Forget a session that was detached: its commands will never be answered."""
        self._handlers.pop(session_id, None)
        self._troubled.pop(session_id, None)
        for number, posted in list(self._waiting.items()):
            if posted.session == session_id:
                del self._waiting[number]
                if not posted.future.done():
                    posted.future.set_exception(ProtocolError(posted.method, "the page or frame is gone"))

    def in_background(self, work: Coroutine[Any, Any, Any], troubled: Troubled = log.warning) -> None:
        """Run a reaction to an event beside the reading of events; ends with the connection."""
        task = asyncio.create_task(work)
        self._background.add(task)
        task.add_done_callback(self._background.discard)

        def ended(done: asyncio.Task[Any]) -> None:
            error = None if done.cancelled() else done.exception()
            if error is not None and not isinstance(error, Disconnected):
                troubled(_words("it", error))

        task.add_done_callback(ended)

    async def close(self) -> None:
        for task in list(self._background):
            task.cancel()
        await self._transport.close()
        self._end("the connection was closed")

    def _receive(self, raw: bytes) -> None:
        if self.gone.done():
            return
        try:
            message = _read(raw)
        except msgspec.DecodeError as error:
            self._not_understood(raw, error)
            return
        try:
            if message.id:
                self._answered(message)
            elif handler := self._handlers.get(message.sessionId):
                handler(message.method, message.params)
        except Exception as error:
            # Ours, or a page that says what no page should: the messages after it are worth hearing.
            self._troubled.get(message.sessionId, log.warning)(_words(message.method or "an answer", error))

    def _not_understood(self, raw: bytes, error: msgspec.DecodeError) -> None:
        """Nobody must wait for an answer that cannot be read."""
        words = _words("it", error)
        answered = _ANSWER_TO.match(raw)
        posted = self._waiting.pop(int(answered[1]), None) if answered else None
        if posted is not None and not posted.future.done():
            posted.future.set_exception(ProtocolError(posted.method, words))
            return
        addressed = _ADDRESSED_TO.search(raw[-200:])
        self._troubled.get(addressed[1].decode() if addressed else "", log.warning)(words)

    def _answered(self, message: _Message) -> None:
        posted = self._waiting.pop(message.id, None)
        if posted is None:
            return
        if posted.future.done():
            if posted.late is not None and message.error is None:
                posted.late(message.result)
        elif message.error is None:
            posted.future.set_result(message.result)
        else:
            words = str(message.error.get("message", message.error))
            posted.future.set_exception(ProtocolError(posted.method, words))

    def _end(self, reason: str) -> None:
        for posted in self._waiting.values():
            if not posted.future.done():
                posted.future.set_exception(Disconnected(reason))
        self._waiting.clear()
        if not self.gone.done():
            self.gone.set_result(None)


class Session:
    """One attached target: the same commands, addressed to it."""

    __slots__ = ("connection", "id")

    def __init__(self, connection: Connection, session_id: str) -> None:
        self.connection = connection
        self.id = session_id

    def post(
        self, method: str, params: Params | None = None, late: Callable[[Params], None] | None = None
    ) -> asyncio.Future[Params]:
        return self.connection.post(method, params, self.id, late)

    async def send(self, method: str, params: Params | None = None, timeout: float = ANSWER_TIMEOUT) -> Params:
        return await answer(self.post(method, params), method, timeout)


async def answer(future: Awaitable[Params], method: str, timeout: float = ANSWER_TIMEOUT) -> Params:
    """Wait, within bounds, for the answer to a posted command."""
    try:
        # Not `wait_for`: before Python 3.12 it forgets a Ctrl-C that comes together with the answer.
        async with asyncio.timeout(timeout):
            return await future
    except TimeoutError:
        raise NoAnswer(method, timeout) from None


def _words(what: str, error: BaseException) -> str:
    if debugging():
        log.warning("a message of the browser was skipped", exc_info=error)
    reason = cut(f"{type(error).__name__}: {error}", _LONGEST_REASON)
    return f"a message of the browser was skipped, as {what} could not be handled ({reason})"


def _retrieve(future: asyncio.Future[Any]) -> None:
    if not future.cancelled():
        future.exception()
