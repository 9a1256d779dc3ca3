"""The application under test as a process: started, waited for, reset and stopped as configured."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import ssl
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from http.client import HTTPException
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Self

from jostle.config.settings import Loaded, is_web_address
from jostle.errors import ApplicationProblem
from jostle.progress import Listener, Note, silent

_CALL = re.compile(r"(?:(GET|POST|PUT|PATCH|DELETE)\s+)?(https?://\S+)")
_STOP_SECONDS = 5.0


class Application:
    """The application under test, as a context: up inside, stopped afterwards whatever happens.

    Without `app.start` nothing is started or stopped, but `reset()` works and a configured `app.ready` address is
    waited for. All calls block; each is bounded by `app.timeout`. Raises ApplicationProblem.
    """

    def __init__(self, loaded: Loaded, log: Path, listener: Listener = silent) -> None:
        """`log` is the file that takes the application's output."""
        self.log = log
        self._app = loaded.configuration.app
        self._directory = loaded.directory
        self._ready = self._app.ready or (loaded.configuration.url if self._app.start else None)
        self._listener = listener
        self._process: subprocess.Popen[bytes] | None = None
        self._output: BinaryIO | None = None

    def __enter__(self) -> Self:
        try:
            self._start()
            self._wait_until_ready()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.stop()

    def reset(self) -> None:
        """Bring the initial state back, by command or by URL; nothing when none is configured."""
        reset = self._app.reset
        if reset is None:
            return
        if call := _CALL.fullmatch(reset):
            self._call(call[1] or "POST", call[2])
        else:
            self._run(reset, "app.reset")

    def stop(self) -> None:
        """Stop the application and everything it started. May be called more than once."""
        process, self._process = self._process, None
        try:
            if process is not None:
                _end(process, self._stop_command if self._app.stop else None)
        finally:
            if self._output is not None:
                self._output.close()

    def _start(self) -> None:
        command = self._app.start
        if command is None:
            return
        if self._ready and is_web_address(self._ready) and _answers(self._ready):
            raise ApplicationProblem(
                f"Something already answers at {self._ready}, so the application was not started.",
                advice="Stop what is running there, or remove `app.start` from the configuration to test that.",
            )
        words = " ".join(command) if isinstance(command, tuple) else command
        self._listener(Note(text=f"starting the application: {words}"))
        try:
            self.log.parent.mkdir(parents=True, exist_ok=True)
            self._output = self.log.open("wb")
            self._process = subprocess.Popen(
                command,
                shell=isinstance(command, str),
                cwd=self._directory,
                env={"PYTHONUNBUFFERED": "1", **os.environ},
                stdin=subprocess.DEVNULL,
                stdout=self._output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        except OSError as error:
            raise ApplicationProblem(f"The application could not be started with `{words}`: {error}.") from None

    def _wait_until_ready(self) -> None:
        ready = self._ready
        if ready is None:
            return
        deadline = time.monotonic() + self._app.timeout
        address = is_web_address(ready)
        if not address and self._process is None:
            return  # nobody's output to look at
        while not (_answers(ready) if address else ready.encode() in self.log.read_bytes()):
            code = self._process.poll() if self._process else None
            if code is not None:
                raise ApplicationProblem(
                    f"The application ended with code {code} before it was ready.{self._tail()}",
                    advice="Check `app.start` in the configuration.",
                )
            if time.monotonic() > deadline:
                sign = f"{ready} did not answer" if address else f"its output did not say `{ready}`"
                raise ApplicationProblem(
                    f"The application was not ready after {self._app.timeout:g} seconds: {sign}.{self._tail()}",
                    advice="Check `app.ready` in the configuration, or give it more time with `app.timeout`.",
                )
            time.sleep(0.05)

    def _tail(self, lines: int = 15) -> str:
        if self._process is None:
            return ""
        said = self.log.read_text("utf-8", errors="replace").splitlines()[-lines:]
        return "\n".join(["\nThe end of its output:", *(f"  {line}" for line in said)]) if said else " It said nothing."

    def _stop_command(self) -> None:
        assert self._app.stop is not None
        try:
            self._run(self._app.stop, "app.stop", timeout=_STOP_SECONDS)
        except ApplicationProblem as problem:
            self._listener(Note(text=str(problem)))

    def _run(self, command: str, key: str, timeout: float | None = None) -> None:
        timeout = timeout or self._app.timeout
        output = self.log.with_name(f"{self.log.stem}-{key.partition('.')[2]}.log")
        try:
            output.parent.mkdir(parents=True, exist_ok=True)
            with output.open("wb") as out:
                process = subprocess.Popen(  # noqa: S602  the user's own command line
                    command,
                    shell=True,
                    cwd=self._directory,
                    stdin=subprocess.DEVNULL,
                    stdout=out,
                    stderr=subprocess.STDOUT,
                    start_new_session=True,
                )
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
        if code:
            said = output.read_text("utf-8", errors="replace").strip().splitlines()[-5:]
            raise ApplicationProblem("\n".join([f"`{key}` ended with code {code}: {command}", *said]))

    def _call(self, method: str, url: str) -> None:
        try:
            status = _status(url, method, self._app.timeout)
        except (OSError, HTTPException) as error:
            raise ApplicationProblem(f"`app.reset` failed: {method} {url}: {_reason(error)}.") from None
        if status >= 400:
            raise ApplicationProblem(f"`app.reset` failed: {method} {url} answered with status {status}.")


def _end(process: subprocess.Popen[bytes], stop: Callable[[], None] | None = None) -> None:
    """Ask to stop, wait, then kill the whole group; a second Ctrl-C only shortens the wait."""
    try:
        if process.poll() is None:
            if stop:
                stop()
            else:
                _signal_group(process, signal.SIGTERM)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(_STOP_SECONDS)
    finally:
        _signal_group(process, signal.SIGKILL)
        process.wait(_STOP_SECONDS)


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
