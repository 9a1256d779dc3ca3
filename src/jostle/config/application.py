"""The application under test as a process: started, waited for, reset and stopped as configured."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import socket
import ssl
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from http.client import HTTPException
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from jostle.addresses import split_url
from jostle.config.output_log import OutputLog
from jostle.config.placeholders import (
    INSTANCE,
    PORT,
    VARIABLES,
    at_stand_in,
    effective_port,
    filled,
    resolver_rules,
    same_server,
    stand_in_rules,
    with_port,
)
from jostle.config.settings import Loaded, is_web_address
from jostle.errors import ApplicationProblem
from jostle.progress import Listener, Note, silent

CALL = re.compile(r"(?:(GET|POST|PUT|PATCH|DELETE)\s+)?(https?://\S+)")
"""`app.reset` as something to call: the method and the address."""
_STOP_SECONDS = 5.0
_LOOK_SECONDS = 0.05
"""How often it is looked whether the application is up."""


class Application:
    """The application under test, as a context: up inside, stopped afterwards whatever happens.

    Without `app.start` nothing is started or stopped, but `reset()` works and a configured `app.ready` address is
    waited for. All calls block; each is bounded by `app.timeout`. Raises ApplicationProblem.

    `another()` gives further instances of it, at ports of their own. They are stopped with the first.
    """

    def __init__(
        self,
        loaded: Loaded,
        log: Path,
        listener: Listener = silent,
        *,
        instance: int = 0,
        port: int | None = None,
        stands_in_for: tuple[str, ...] = (),
        clean: Callable[[str], str] = str,
    ) -> None:
        """`log` is the file that takes the application's output. `port`: where it is to listen; by default where the
        configured `url` says. `stands_in_for`: the origins whose servers it stands in for, at a port of this machine.
        `clean` makes of a line of its output what may be written down; it is called in a thread of its own."""
        self.log = log
        self._clean = clean
        self.instance = instance
        self._stands_in_for = stands_in_for
        self._loaded = loaded
        self._app = loaded.configuration.app
        self._url = url = loaded.configuration.url
        self.port = port if port is not None or url is None else effective_port(url)
        ready = self._app.ready or (url if self._app.start else None)
        self._ready = self.address(self._filled(ready)) if ready else None
        self._listener = listener
        self._process: subprocess.Popen[bytes] | None = None
        self._output: OutputLog | None = None
        self._deadline = 0.0
        self._others: list[Application] = []

    def __enter__(self) -> Self:
        try:
            if self._app.start and self._ready and is_web_address(self._ready) and _answers(self._ready):
                raise ApplicationProblem(
                    f"Something already answers at {self._ready}, so the application was not started.",
                    advice="Stop what is running there, or remove `app.start` from the configuration to test that.",
                )
            self.begin()
            while not self.is_ready():
                time.sleep(_LOOK_SECONDS)
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.stop()

    def another(self, instance: int) -> Application:
        """A further instance, at a free port; it is not started yet."""
        log = self.log.with_name(f"{self.log.stem}-{instance}{self.log.suffix}")
        other = Application(
            self._loaded,
            log,
            instance=instance,
            port=free_port(),
            stands_in_for=self._stands_in_for,
            clean=self._clean,
        )
        self._others.append(other)
        return other

    def address(self, url: str) -> str:
        """Where this instance has what an address of the application names; other addresses stay as they are."""
        if self.port is not None and any(same_server(url, each) for each in self._stands_in_for):
            return at_stand_in(url, self.port)
        if self.instance == 0 or self._url is None or self.port is None:
            return url
        return with_port(url, self.port) if is_web_address(url) and same_server(url, self._url) else url

    def browser_arguments(self, url: str) -> tuple[str, ...]:
        """What leads a browser to this instance when a page asks for the application at `url`."""
        if self._stands_in_for and self.port is not None:
            return (f"--host-resolver-rules={stand_in_rules((url, *self._stands_in_for), self.port)}",)
        if self.instance and self.port is not None:
            return (f"--host-resolver-rules={resolver_rules(url, self.port)}",)
        return ()

    def reset(self) -> None:
        """Bring the initial state back, by command or by URL; nothing when none is configured."""
        if self._app.reset is None:
            return
        reset = self._filled(self._app.reset)
        if call := CALL.fullmatch(reset):
            self._call(call[1] or "POST", self.address(call[2]))
        else:
            self._run(reset, "app.reset")

    def stop(self) -> None:
        """Stop the application, its other instances and everything they started. May be called more than once."""
        every = (self, *self._others)
        with contextlib.ExitStack() as stack:  # whatever happens meanwhile, none is left running
            for each in every:
                stack.callback(each._end)
            for each in every:
                each._ask_to_stop()

    def begin(self) -> None:
        """Start it, as far as configured; `is_ready` tells when it is up."""
        self._deadline = time.monotonic() + self._app.timeout
        if (start := self._app.start) is None:
            return
        command = self._filled(start) if isinstance(start, str) else tuple(map(self._filled, start))
        words = command if isinstance(command, str) else " ".join(command)
        self._listener(Note(text=f"starting the application: {words}"))
        try:
            self._process, self._output = self._started(command, self.log)
        except OSError as error:
            raise ApplicationProblem(f"The application could not be started with `{words}`: {error}.") from None

    def is_ready(self) -> bool:
        """Whether it is up by now. Raises ApplicationProblem when it has ended, or `app.timeout` is over."""
        ready = self._ready
        if ready is None:
            return True
        address = is_web_address(ready)
        if not address and self._process is None:
            return True  # nobody's output to look at
        if self._is_up(ready, address):
            return True
        code = self._process.poll() if self._process else None
        if code is not None:
            raise ApplicationProblem(
                f"The application ended with code {code} before it was ready.{self._tail()}",
                advice="Check `app.start` in the configuration.",
            )
        if time.monotonic() > self._deadline:
            sign = f"{ready} did not answer" if address else f"its output did not say `{ready}`"
            if not address and self.instance and self._output is not None and self._output.says(ready):
                sign = f"nothing listens at port {self.port}"
            raise ApplicationProblem(
                f"The application was not ready after {self._app.timeout:g} seconds: {sign}.{self._tail()}",
                advice="Check `app.ready` in the configuration, or give it more time with `app.timeout`.",
            )
        return False

    def _is_up(self, ready: str, address: bool) -> bool:
        if address:
            return _answers(ready)
        # What another instance says may be the same whether or not it listens where it should.
        said = self._output is not None and self._output.says(ready)
        return said and (self.instance == 0 or self._listens())

    def _listens(self) -> bool:
        assert self._url is not None
        try:
            socket.create_connection((split_url(self._url).hostname or "", self.port or 0), timeout=2).close()
        except OSError:
            return False
        return True

    def _filled(self, text: str) -> str:
        return filled(text, port=self.port, instance=self.instance)

    def _environment(self) -> dict[str, str]:
        """Of its commands."""
        values = {VARIABLES[INSTANCE]: str(self.instance)}
        if self.port is not None:
            values[VARIABLES[PORT]] = str(self.port)
        return {"PYTHONUNBUFFERED": "1", **os.environ, **values}

    def _tail(self, lines: int = 15) -> str:
        if self._output is None:
            return ""
        if self._process is not None and self._process.poll() is not None:
            self._output.close()  # all of it is there
        said = self._output.tail(lines)
        return "\n".join(["\nThe end of its output:", *(f"  {line}" for line in said)]) if said else " It said nothing."

    def _ask_to_stop(self) -> None:
        process = self._process
        if process is None or process.poll() is not None:
            return
        if self._app.stop is None:
            _signal_group(process, signal.SIGTERM)
            return
        try:
            self._run(self._filled(self._app.stop), "app.stop", timeout=_STOP_SECONDS)
        except ApplicationProblem as problem:
            self._listener(Note(text=str(problem)))

    def _end(self) -> None:
        """Wait until it has ended, then kill the whole group; a second Ctrl-C only shortens the wait."""
        process, self._process = self._process, None
        output, self._output = self._output, None
        try:
            if process is not None:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(_STOP_SECONDS)
        finally:
            if process is not None:
                _signal_group(process, signal.SIGKILL)
                process.wait(_STOP_SECONDS)
            if output is not None:
                output.close()

    def _started(self, command: str | tuple[str, ...], log: Path) -> tuple[subprocess.Popen[bytes], OutputLog]:
        """A command of the configuration, at work. Raises OSError."""
        output = OutputLog(log, self._clean)
        try:
            process = subprocess.Popen(
                command,
                shell=isinstance(command, str),
                cwd=self._loaded.directory,
                env=self._environment(),
                stdin=subprocess.DEVNULL,
                stdout=output.descriptor,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        except BaseException:
            output.abandon()
            raise
        output.begin()
        return process, output

    def _run(self, command: str, key: str, timeout: float | None = None) -> None:
        timeout = timeout or self._app.timeout
        try:
            process, output = self._started(command, self.log.with_name(f"{self.log.stem}-{key.partition('.')[2]}.log"))
        except OSError as error:
            raise ApplicationProblem(f"`{key}` could not be run: {error}.") from None
        try:
            code = process.wait(timeout)
        except subprocess.TimeoutExpired:
            raise ApplicationProblem(
                f"`{key}` did not end within {timeout:g} seconds: {command}",
                advice="Correct the command, or give it more time with `app.timeout`.",
            ) from None
        finally:
            if process.poll() is None:
                _signal_group(process, signal.SIGKILL)
                process.wait(_STOP_SECONDS)
            output.close()
        if code:
            said = [line for line in output.tail(5) if line.strip()]
            raise ApplicationProblem("\n".join([f"`{key}` ended with code {code}: {command}", *said]))

    def _call(self, method: str, url: str) -> None:
        try:
            status = _status(url, method, self._app.timeout)
        except (OSError, HTTPException) as error:
            raise ApplicationProblem(f"`app.reset` failed: {method} {url}: {_reason(error)}.") from None
        if status >= 400:
            raise ApplicationProblem(f"`app.reset` failed: {method} {url} answered with status {status}.")


def _signal_group(process: subprocess.Popen[bytes], number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, number)


class _StayHere(urllib.request.HTTPRedirectHandler):
    """A redirect is an answer; where it leads is none of our business."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


def _status(url: str, method: str, timeout: float) -> int:
    """The status of one call, without proxies and whatever the certificate: it is the user's own application."""
    trusting = ssl.create_default_context()
    trusting.check_hostname = False
    trusting.verify_mode = ssl.CERT_NONE
    opener = urllib.request.build_opener(
        urllib.request.ProxyHandler({}), urllib.request.HTTPSHandler(context=trusting), _StayHere()
    )
    request = urllib.request.Request(url, method=method, data=b"" if method in ("POST", "PUT", "PATCH") else None)  # noqa: S310
    try:
        with opener.open(request, timeout=timeout) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        with error:
            return error.code


def _answers(url: str) -> bool:
    try:
        return _status(url, "GET", timeout=2) < 500
    except (OSError, HTTPException):
        return False


def _reason(error: Exception) -> object:
    return error.reason if isinstance(error, urllib.error.URLError) else error


def free_port() -> int:
    """One on which nobody listens at present."""
    with socket.socket() as probe:
        probe.bind(("", 0))
        return int(probe.getsockname()[1])
