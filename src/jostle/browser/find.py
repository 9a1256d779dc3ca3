"""Finding a Chromium on this machine, trying whether it starts, and installing one.

`python -m jostle.browser.find` tells which browser is used; with `--install` it gets one when there is none.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from jostle.errors import NoBrowser, Problem

VARIABLE = "JOSTLE_BROWSER"
OLDEST = 112
"""The first major version with the new headless mode."""

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "microsoft-edge")
_MAC = (
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)
_PLAYWRIGHT = (
    "chrome-linux*/chrome",
    "chrome-mac*/Chromium.app/Contents/MacOS/Chromium",
    "chrome-mac*/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing",
)
INSTALL_ADVICE = (
    "Install one with `python -m jostle.browser.find --install` (or `playwright install chromium`, or on Debian "
    f"`apt-get install chromium`), or name one: {VARIABLE}=/path/to/chromium, or `browser.path` in the configuration."
)


class BrowserBinary(msgspec.Struct, frozen=True):
    """A Chromium on this machine."""

    path: Path
    origin: str
    """Where it was found: `JOSTLE_BROWSER`, `configuration`, `PATH`, `Playwright` ..."""


class BrowserTrial(msgspec.Struct, frozen=True):
    """What came of starting a browser once."""

    works: bool
    seconds: float
    trouble: str = ""
    """Why it does not work, in words."""


def is_root() -> bool:
    return os.geteuid() == 0


def sandbox_arguments() -> list[str]:
    """Chromium refuses to run as root with its sandbox on; nobody else loses the sandbox."""
    return ["--no-sandbox"] if is_root() else []


def short_place() -> str:
    """Where a browser's temporary files can go: it makes a socket there, whose path may have 107 characters only."""
    usual = tempfile.gettempdir()
    return usual if len(usual) <= 40 else "/tmp"  # noqa: S108


def find(configured: str | Path | None = None) -> BrowserBinary:
    """The Chromium to use: `JOSTLE_BROWSER`, else the configured one, else one found on the machine. Raises NoBrowser.

    A browser named by the user is used or complained about, never passed over.
    """
    for origin, named in ((VARIABLE, os.environ.get(VARIABLE)), ("configuration", configured)):
        if named:
            path = shutil.which(Path(named).expanduser())
            if path is None:
                source = VARIABLE if origin == VARIABLE else "`browser.path` in the configuration"
                raise NoBrowser(
                    f"{source} names {named}, which is not a program that can be run.",
                    advice="Correct the path, or remove it so that a browser on this machine is looked for.",
                )
            return BrowserBinary(Path(path), origin)
    for found in on_this_machine():
        return found
    raise NoBrowser("No Chromium was found on this machine.", advice=INSTALL_ADVICE)


def on_this_machine() -> Iterator[BrowserBinary]:
    """Every Chromium found in the usual places, best first."""
    for name in _NAMES:
        if program := shutil.which(name):
            yield BrowserBinary(Path(program), "PATH")
    for application in _MAC:
        if os.access(application, os.X_OK):
            yield BrowserBinary(Path(application), "Applications")
    for path in _from_playwright():
        yield BrowserBinary(path, "Playwright")


def _from_playwright() -> list[Path]:
    if (named := os.environ.get("PLAYWRIGHT_BROWSERS_PATH")) and named != "0":
        cache = Path(named)
    elif sys.platform == "darwin":
        cache = Path.home() / "Library/Caches/ms-playwright"
    else:
        cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "ms-playwright"
    revisions = sorted(cache.glob("chromium-*"), key=lambda folder: _number(folder.name), reverse=True)
    return [path for folder in revisions for pattern in _PLAYWRIGHT for path in folder.glob(pattern)]


def _number(name: str) -> int:
    digits = re.search(r"\d+", name)
    return int(digits[0]) if digits else 0


def version(path: Path, timeout: float = 10) -> str:
    """`156.0.8078.79`; empty when the program does not tell."""
    try:
        told = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=timeout, check=False).stdout
    except (OSError, subprocess.TimeoutExpired):
        return ""
    number = re.search(r"\d+(\.\d+){1,3}", told)
    return number[0] if number else ""


def try_start(path: Path, timeout: float = 20, arguments: Sequence[str] = ()) -> BrowserTrial:
    """Really start the browser once, headless, with an empty profile, and load an empty page in it."""
    started = time.monotonic()

    def trial(trouble: str) -> BrowserTrial:
        return BrowserTrial(works=not trouble, seconds=time.monotonic() - started, trouble=trouble)

    with tempfile.TemporaryDirectory(prefix="jostle-", dir=short_place(), ignore_cleanup_errors=True) as folder:
        # Files, not pipes: a child of the browser that outlives it would keep a pipe open.
        page, log = Path(folder, "page"), Path(folder, "log")
        command = [
            str(path),
            "--headless=new",
            "--no-first-run",
            "--disable-gpu",
            f"--user-data-dir={folder}/profile",
            *sandbox_arguments(),
            *arguments,
            "--dump-dom",
            "about:blank",
        ]
        with page.open("wb") as out, log.open("wb") as err:
            try:
                browser = subprocess.Popen(
                    command,
                    env={**os.environ, "TMPDIR": folder},
                    stdin=subprocess.DEVNULL,
                    stdout=out,
                    stderr=err,
                    start_new_session=True,
                )
            except OSError as error:
                return trial(f"it cannot be run: {error.strerror}")
            try:
                code = browser.wait(timeout)
            except subprocess.TimeoutExpired:
                return trial(f"it did not load an empty page within {timeout:g} seconds")
            finally:
                _end(browser)
        if b"<html" in page.read_bytes():
            return trial("")
        said = [line for line in log.read_text(errors="replace").splitlines() if line.strip()]
        # The first fatal line tells the cause; without one, the last line is the nearest to it.
        causes = [line for line in said if "FATAL" in line or "error while loading" in line] or said[-1:]
        return trial(": ".join([f"it ended with code {code}", *causes[:1]]))


def _end(browser: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(browser.pid, signal.SIGKILL)
    browser.wait(10)


def advice_for(trial: BrowserTrial) -> str:
    """What to do about a browser that does not start."""
    if "sandbox" in trial.trouble.lower():
        return (
            "Its sandbox cannot be used here. Allow unprivileged user namespaces, or in a container that isolates "
            'the browser anyway set `browser.args = ["--no-sandbox"]` in the configuration.'
        )
    if "error while loading shared libraries" in trial.trouble:
        return "System libraries are missing: run `playwright install-deps chromium` as root."
    return INSTALL_ADVICE


def install(timeout: float = 900) -> BrowserBinary:
    """A Chromium that starts: the one there is, else from Playwright, else from Debian when root. Raises NoBrowser."""
    try:
        found = find()
    except NoBrowser:
        if os.environ.get(VARIABLE):
            raise
    else:
        trial = try_start(found.path)
        if trial.works:
            return found
        if found.origin == VARIABLE:
            raise NoBrowser(f"{found.path} does not start: {trial.trouble}.", advice=advice_for(trial))
        _tell(f"{found.path} does not start: {trial.trouble}.")
    tried = []
    for way, commands in _ways():
        _tell(f"Installing Chromium with {way} ...")
        trouble = _run_all(commands, timeout)
        if not trouble:
            for found in on_this_machine():
                if try_start(found.path).works:
                    return found
            trouble = "it was installed but does not start"
        tried.append(f"{way}: {trouble}")
    raise NoBrowser(
        "No Chromium that starts was found, and none could be installed.\n"
        + "\n".join(f"  {line}" for line in tried or ["there is neither Playwright nor, as root, apt-get"]),
        advice=f"Install Chromium or Chrome by hand, then try again; or name one with {VARIABLE}=/path/to/chromium.",
    )


def _ways() -> Iterator[tuple[str, list[list[str]]]]:
    if importlib.util.find_spec("playwright"):
        yield "playwright install chromium", [[sys.executable, "-m", "playwright", "install", "chromium"]]
    if is_root() and shutil.which("apt-get"):
        yield (
            "apt-get install chromium",
            [
                ["apt-get", "update", "--quiet=2"],
                ["apt-get", "install", "--yes", "--quiet=2", "--no-install-recommends", "chromium"],
            ],
        )


def _run_all(commands: list[list[str]], timeout: float) -> str:
    """Run one after the other; the trouble in words, empty when all went well."""
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in commands:
        try:
            # What these programs say goes to the terminal: a download takes its time.
            code = subprocess.run(command, env=quiet, timeout=timeout, stdout=sys.stderr, check=False).returncode
        except (OSError, subprocess.TimeoutExpired) as error:
            return str(error)
        if code:
            return f"ended with code {code}"
    return ""


def _tell(text: str) -> None:
    print(text, file=sys.stderr, flush=True)  # noqa: T201  this module is also a program


def _program(arguments: list[str]) -> int:
    try:
        found = install() if "--install" in arguments else find()
    except Problem as problem:
        _tell(f"Error: {problem}")
        return problem.exit_code
    print(f"{found.path} (version {version(found.path) or 'unknown'}, from {found.origin})")  # noqa: T201
    return 0


if __name__ == "__main__":
    sys.exit(_program(sys.argv[1:]))
