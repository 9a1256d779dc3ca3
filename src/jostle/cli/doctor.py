"""`jostle doctor`: what is there, what is missing, and the command that fixes it."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import platform
import shutil
import sys
import tempfile
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path

import click
import msgspec

from jostle.browser import find as browsers
from jostle.cli.options import RUNS, config_option
from jostle.config import load
from jostle.config.settings import Loaded
from jostle.errors import Exit, Problem
from jostle.text import in_words, printable
from jostle.version import __version__


class Health(StrEnum):
    OK = "ok"
    NOTICE = "notice"
    """Works, but something is worth knowing, or something optional is missing."""
    MISSING = "missing"


class Check(msgspec.Struct, frozen=True, kw_only=True):
    """One thing looked at."""

    name: str
    health: Health
    found: str
    fix: str = ""


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=RUNS,
    show_default=True,
    metavar="DIR",
    help="The directory runs are to be kept in.",
)
@config_option
def doctor(as_json: bool, out: Path, config_file: Path | None) -> Exit:
    """Tell whether everything jostle needs is there, and how to get what is not.

    Starts the browser once. Exit code 0 when jostle can run, 3 when something is missing.
    """
    checks = []
    for check in examine(out, config_file):
        checks.append(check)
        if not as_json:
            _show(check)
    healthy = all(check.health is not Health.MISSING for check in checks)
    if as_json:
        report = {"jostle": __version__, "healthy": healthy, "checks": checks}
        click.echo(msgspec.json.format(msgspec.json.encode(report), indent=2).decode())
    else:
        click.echo("\njostle can run." if healthy else "\njostle cannot run yet: see what is missing above.")
    return Exit.NOTHING_FOUND if healthy else Exit.COULD_NOT_RUN


def examine(out: Path, config_file: Path | None = None) -> Iterator[Check]:
    """Look at everything, one after the other."""
    yield Check(name="jostle", health=Health.OK, found=f"{__version__} in {Path(__file__).parents[1]}")
    yield Check(name="Python", health=Health.OK, found=f"{platform.python_version()} in {sys.executable}")
    loaded: Loaded | None = None
    try:
        loaded = load(config_file)
    except Problem as problem:
        yield Check(name="configuration", health=Health.MISSING, found=problem.message, fix=problem.advice)
    else:
        yield Check(name="configuration", health=Health.OK, found=str(loaded.file or "none: the defaults are used"))
    yield from _browser(loaded)
    yield _playwright()
    yield _display()
    yield _runs(out)


def _browser(loaded: Loaded | None) -> Iterator[Check]:
    settings = loaded.configuration.browser if loaded else None
    try:
        found = browsers.find(loaded.browser_path if loaded else None)
    except Problem as problem:
        yield Check(name="Chromium", health=Health.MISSING, found=problem.message, fix=problem.advice)
        return
    number = browsers.version(found.path)
    known = f"{found.path} (from {found.origin}), version {number or 'unknown'}"
    trial = browsers.try_start(found.path, arguments=settings.args if settings else ())
    if not trial.works:
        trouble = f"{known}, does not start: {trial.trouble}"
        yield Check(name="Chromium", health=Health.MISSING, found=trouble, fix=browsers.advice_for(trial))
    elif number and int(number.partition(".")[0]) < browsers.OLDEST:
        yield Check(
            name="Chromium",
            health=Health.MISSING,
            found=f"{known}, older than {browsers.OLDEST}",
            fix="Upgrade it. " + browsers.INSTALL_ADVICE,
        )
    else:
        yield Check(name="Chromium", health=Health.OK, found=f"{known}, starts in {in_words(trial.seconds)}")
    if browsers.is_root():
        yield Check(
            name="sandbox",
            health=Health.NOTICE,
            found="off: Chromium cannot use its sandbox as root, so it gets --no-sandbox",
            fix="Test only pages you trust, or run jostle as another user.",
        )
    elif settings and "--no-sandbox" in settings.args:
        yield Check(name="sandbox", health=Health.NOTICE, found="off: `browser.args` in the configuration says so")
    else:
        yield Check(name="sandbox", health=Health.OK, found="on")


def _playwright() -> Check:
    if importlib.util.find_spec("playwright"):
        return Check(name="Playwright", health=Health.OK, found=importlib.metadata.version("playwright"))
    return Check(
        name="Playwright",
        health=Health.NOTICE,
        found="not installed; only Playwright's own tests need it",
        fix="pip install 'jostle[playwright]'",
    )


def _display() -> Check:
    """Only --headed needs a display."""
    display = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    if display or sys.platform == "darwin":
        return Check(name="display", health=Health.OK, found=display or "the Mac's")
    if shutil.which("xvfb-run"):
        found = "none, but there is Xvfb for --headed"
        return Check(name="display", health=Health.NOTICE, found=found, fix="xvfb-run jostle ... --headed")
    return Check(
        name="display",
        health=Health.NOTICE,
        found="none: --headed will not work, everything else does",
        fix="apt-get install xvfb, then xvfb-run jostle ... --headed",
    )


def _runs(out: Path) -> Check:
    place = out.absolute()
    existing = next(folder for folder in (place, *place.parents) if folder.exists())
    try:
        with tempfile.TemporaryFile(dir=existing):
            pass
    except OSError as error:
        return Check(
            name="run directory",
            health=Health.MISSING,
            found=f"{place} cannot be written: {error.strerror}",
            fix="Name a directory that can be written to with --out.",
        )
    return Check(name="run directory", health=Health.OK, found=f"{place} can be written")


def _show(check: Check) -> None:
    mark = {Health.OK: "ok", Health.NOTICE: "note", Health.MISSING: "MISSING"}[check.health]
    colour = {Health.OK: "green", Health.NOTICE: "yellow", Health.MISSING: "red"}[check.health]
    found, *more = printable(check.found).splitlines() or [""]
    click.echo(f"{click.style(f'{mark:>7}', fg=colour)}  {check.name}: {found}")
    for line in (*more, *printable(check.fix).splitlines()):
        click.echo(f"{'':>9}{line}")
