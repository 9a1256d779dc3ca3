"""Starting a Chromium of our own and ending it without a trace: no process, no profile left behind."""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import fcntl
import logging
import os
import shutil
import signal
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

from jostle.browser.connection import Connection, Disconnected, NoAnswer
from jostle.browser.find import find, sandbox_arguments, short_place
from jostle.browser.transport import PipeTransport, WebSocketTransport
from jostle.errors import NoBrowser

log = logging.getLogger("jostle.browser")

_PROFILE_PREFIX = "jostle-profile-"
_OWNER = "jostle-owner"

_FEATURES_OFF = (
    "AcceptCHFrame",
    "BackForwardCache",
    "DeferRendererTasksAfterInput",  # it would hold everything back for a frame after a click
    "HttpsFirstBalancedModeAutoEnable",
    "HttpsUpgrades",
    # A page whose answer came through our hands counts as a public one: it may still speak to local servers.
    "LocalNetworkAccessChecks",
    "MediaRouter",
    "NetworkErrorLogging",  # it and the one below: reports that the browser sends by itself, to wherever a page says
    "OptimizationHints",
    "PaintHolding",
    "Reporting",
    "PreloadTopChromeWebUI",  # these four: processes for a toolbar that nobody sees
    "Prerender2",
    "SpareRendererForSitePerProcess",
    "Translate",
    "WebUIOmniboxAimPopup",
    "WebUIOmniboxFullPopup",
    "WebUIOmniboxPopup",
)

_FLAGS = (
    "--remote-debugging-pipe",
    "--no-first-run",
    "--no-default-browser-check",
    "--no-service-autorun",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-component-extensions-with-background-pages",
    "--disable-default-apps",
    "--disable-domain-reliability",
    "--disable-extensions",
    "--disable-sync",
    "--disable-quic",
    "--disable-search-engine-choice-screen",
    # A page in the background, a slow handler and a burst of navigations are what we are here for.
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--disable-hang-monitor",
    "--disable-ipc-flooding-protection",
    "--disable-popup-blocking",
    "--disable-prompt-on-repost",
    # Pictures that are the same every time.
    "--disable-gpu",
    "--disable-lcd-text",
    "--disable-smooth-scrolling",
    "--force-color-profile=srgb",
    "--font-render-hinting=none",
    "--blink-settings=imageAnimationPolicy=2",
    "--hide-scrollbars",
    "--mute-audio",
    "--password-store=basic",
    "--use-mock-keychain",
    "--disable-dev-shm-usage",
    f"--disable-features={','.join(_FEATURES_OFF)}",
)

_PREFERENCES = '{"net": {"network_prediction_options": 2}}'
"""Nothing is loaded on the guess that somebody might want it: such requests are not stopped at the gate."""

_LISTS = {
    "--disable-features": ",",
    "--enable-features": ",",
    "--blink-settings": ",",
    "--host-resolver-rules": ",",
    "--js-flags": " ",
}
"""Arguments that are lists, and what stands between their items."""


def joined(arguments: Sequence[str]) -> list[str]:
    """Lists that are given several times made one: Chromium would take the last and forget the others."""
    names: list[str] = []
    values: dict[str, list[str]] = {}
    for argument in arguments:
        name, _, value = argument.partition("=")
        name = name if name in _LISTS else argument
        if name not in values:
            names.append(name)
        values.setdefault(name, []).append(value)
    return [f"{name}={_LISTS[name].join(values[name])}" if name in _LISTS else name for name in names]


class _Process:
    """A running Chromium with its temporary profile."""

    def __init__(self, pid: int, profile: Path, log_file: Path) -> None:
        self.pid = pid
        self.profile = profile
        self.log_file = log_file
        self._ended = False
        atexit.register(self.kill)

    def ended(self) -> bool:
        if not self._ended:
            with contextlib.suppress(ChildProcessError):
                pid, _ = os.waitpid(self.pid, os.WNOHANG)
                self._ended = pid != 0
                return self._ended
            self._ended = True
        return self._ended

    def kill(self) -> None:
        """Make sure it is gone, at once. Safe to call twice."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)
        deadline = time.monotonic() + 5
        while not self.ended() and time.monotonic() < deadline:
            time.sleep(0.01)
        # The browser's other processes may still write into the profile for a moment after the kill.
        for _ in range(10):
            shutil.rmtree(self.profile, ignore_errors=True)
            if not self.profile.exists():
                break
            time.sleep(0.02)
        atexit.unregister(self.kill)

    def last_words(self) -> str:
        with contextlib.suppress(OSError):
            lines = self.log_file.read_text(errors="replace").splitlines()
            return "\n".join(line for line in lines[-8:] if line.strip())
        return ""


@contextlib.asynccontextmanager
async def launched(
    executable: str | None = None,
    *,
    headed: bool = False,
    site_isolation: bool = False,
    arguments: Sequence[str] = (),
    timeout: float = 30.0,
) -> AsyncIterator[Connection]:
    """A connection to a Chromium started for this purpose. On leaving, its processes and profile are gone.

    Pages of one context, and frames of other sites, share a process unless `site_isolation` is set: one process is
    faster and starts alike every time; both ways are supported.
    """
    sweep_profiles()
    process, read_fd, write_fd = await asyncio.to_thread(_start, executable, headed, site_isolation, arguments)
    try:
        connection = Connection(await PipeTransport.open(read_fd, write_fd))
        connection.pid = process.pid
        try:
            await connection.send("Browser.getVersion", timeout=timeout)
        except (Disconnected, NoAnswer) as error:
            await connection.close()
            raise NoBrowser(
                f"Chromium did not start: {error}. {process.last_words()}".rstrip(), advice="See: jostle doctor"
            ) from error
        try:
            yield connection
        finally:
            await connection.close()
    finally:
        process.kill()  # it has nothing to keep, and a page that does not end would keep it from ending by itself


@contextlib.asynccontextmanager
async def connected(url: str) -> AsyncIterator[Connection]:
    """A connection to a Chromium that is running already; it is left running."""
    connection = Connection(await WebSocketTransport.open(url))
    try:
        yield connection
    finally:
        await connection.close()


def sweep_profiles() -> None:
    """Remove profiles whose owner was killed before it could clean up."""
    for profile in Path(short_place()).glob(f"{_PROFILE_PREFIX}*"):
        with contextlib.suppress(OSError, ValueError):
            owner = int((profile / _OWNER).read_text())
            if not _alive(owner):
                shutil.rmtree(profile, ignore_errors=True)


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _start(
    executable: str | None, headed: bool, site_isolation: bool, arguments: Sequence[str]
) -> tuple[_Process, int, int]:
    path = str(find(executable).path)
    profile = Path(tempfile.mkdtemp(prefix=_PROFILE_PREFIX, dir=short_place()))
    (profile / _OWNER).write_text(str(os.getpid()))
    (profile / "Default").mkdir()
    (profile / "Default" / "Preferences").write_text(_PREFERENCES)
    command = [path, *_FLAGS, f"--user-data-dir={profile}"]
    # The windows that are seen are those of pages that are used.
    command.append("--no-startup-window" if headed else "--headless=new")
    if not site_isolation:
        command += ["--disable-site-isolation-trials", "--renderer-process-limit=1"]
    if sandbox := sandbox_arguments():
        log.info("running as root: Chromium is started with %s", " ".join(sandbox))
        command += sandbox
    command = [*joined([*command, *arguments]), "about:blank"]

    # Chromium reads commands from descriptor 3 and writes to 4; ours are lifted above 10 first so that
    # moving one to its place does not overwrite the other.
    to_browser_read, to_browser_write = os.pipe()
    from_browser_read, from_browser_write = os.pipe()
    child_in = fcntl.fcntl(to_browser_read, fcntl.F_DUPFD_CLOEXEC, 10)
    child_out = fcntl.fcntl(from_browser_write, fcntl.F_DUPFD_CLOEXEC, 10)
    os.close(to_browser_read)
    os.close(from_browser_write)
    log_file = profile / "stderr.log"
    try:
        pid = os.posix_spawn(
            path,
            command,
            {**os.environ, "TMPDIR": str(profile)},  # its temporary files go with the profile
            file_actions=[
                (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
                (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
                (os.POSIX_SPAWN_OPEN, 2, str(log_file), os.O_WRONLY | os.O_CREAT, 0o600),
                (os.POSIX_SPAWN_DUP2, child_in, 3),
                (os.POSIX_SPAWN_DUP2, child_out, 4),
            ],
            setpgroup=0,  # Ctrl-C in the terminal is ours to handle, and the whole group can be killed
        )
    except OSError as error:
        os.close(to_browser_write)
        os.close(from_browser_read)
        shutil.rmtree(profile, ignore_errors=True)
        raise NoBrowser(f"{path} could not be started: {error}", advice="See: jostle doctor") from error
    finally:
        os.close(child_in)
        os.close(child_out)
    return _Process(pid, profile, log_file), from_browser_read, to_browser_write
