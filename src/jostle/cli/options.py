"""The options every analysing command takes."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import click

from jostle.addresses import split_url
from jostle.config import load
from jostle.config.settings import Configuration, Loaded, is_web_address
from jostle.errors import UsageProblem
from jostle.exploring.avoid import Avoid
from jostle.search.browsers import BrowserChoice
from jostle.search.job import Job, SearchOptions
from jostle.search.pytest_run import can_run_tests
from jostle.serverapi.server import LIVE, Server, prepared
from jostle.text import duration

Command = TypeVar("Command", bound=Callable[..., Any])

RUNS = Path(".jostle/runs")
"""Where runs are kept unless `--out` says otherwise."""
config_option = click.option(
    "--config",
    "config_file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Configuration file; otherwise the nearest jostle.toml or pyproject.toml with [tool.jostle].",
)
avoid_option = click.option(
    "--avoid",
    multiple=True,
    metavar="REGEX",
    help="Skip elements whose label or URL matches. May be repeated.",
)
allow_option = click.option(
    "--allow",
    multiple=True,
    metavar="REGEX",
    help="Allow matching actions that look dangerous (log out, pay, delete an account ...). May be repeated.",
)
report_option = click.option(
    "--html",
    "html",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="The report to write. Default: report.html in the run directory.",
)


@dataclass(frozen=True, kw_only=True)
class Options:
    """What the user asked of an analysing command."""

    out: Path
    json: Path | None
    """`Path("-")` is standard output."""
    seed: int
    budget: float | None
    """Seconds; None for no bound."""
    workers: int
    headed: bool
    connect: str | None
    server: Server
    redacted: bool = True
    """Secrets are taken out of everything that is written or shown."""
    verifying: int = 0
    """How many generated tests are run side by side; 0: none is run."""

    @property
    def loaded(self) -> Loaded:
        return self.server.loaded

    @property
    def configuration(self) -> Configuration:
        return self.loaded.configuration

    @property
    def browser(self) -> BrowserChoice:
        return BrowserChoice(
            path=self.loaded.browser_path,
            arguments=self.configuration.browser.args,
            headed=self.headed,
            memory=self.configuration.browser.memory,
            connect=self.connect,
        )

    def job(self, technique: str, url: str | None, wanted: SearchOptions) -> Job:
        """The job that a command was asked for. Raises UsageProblem."""
        Avoid(wanted.avoid, allowed=wanted.allow)  # a mistake in a rule is told before any work begins
        return Job.of(technique, self.address(url), wanted, seed=self.seed, budget=self.budget)

    def address(self, given: str | None) -> str:
        """The address to work on: the given one, else the configured one. Raises UsageProblem."""
        if given is None:
            if self.configuration.url is None:
                raise UsageProblem(
                    "No address was given.", advice="Name one, or set `url` in jostle.toml: jostle COMMAND http://..."
                )
            return self.server.address(self.configuration.url)
        address = _whole(given) or ""
        if not is_web_address(address):
            raise UsageProblem(f"`{given}` is not an http or https address.")
        return self.server.address(address)


def duration_option(text: str | float) -> float:
    """The type of an option that is a time."""
    try:
        return duration(str(text))
    except ValueError as error:
        raise click.BadParameter(f"{error}.") from None


def _connect_option(text: str) -> str:
    address = text.rstrip("/")
    if not is_web_address(address) or split_url(address).port is None or split_url(address).path:
        raise click.BadParameter(f"{text!r} must read http://host:port, such as http://127.0.0.1:9222.")
    return address


def analysing(
    *, budget: str | None = None, workers: int = 1, tests: bool = False, mocked: bool = False
) -> Callable[[Command], Command]:
    """Give a command the common options and hand them over as `options`. `budget` and `workers` are their defaults.
    `tests`: the command generates tests, and runs them before it hands them out. `mocked`: a mock can stand in for the
    server.

    The configuration file is read here, so that a mistake in it is told before any work begins.
    """

    def decorate(function: Command) -> Command:
        @functools.wraps(function)
        def command(
            *args: Any, out: Path, json_file: Path | None, config_file: Path | None, budget: float | None, **rest: Any
        ) -> Any:
            common = {name: rest.pop(name) for name in ("seed", "workers", "headed", "connect", "redacted")}
            verifying = common["workers"] if tests and _verifies(rest.pop("verify_tests")) else 0
            check_writable(json_file)
            named = rest.pop("server") if mocked else LIVE
            connected = common["connect"] is not None
            server = prepared(named, load(config_file), _whole(rest.get("url")), common["seed"], connected=connected)
            options = Options(out=out, json=json_file, budget=budget, server=server, verifying=verifying, **common)
            return function(*args, options=options, **rest)

        more = [*([_verify_option] if tests else []), *([_server_option] if mocked else [])]
        for option in reversed([*_common(budget, workers), *more]):
            command = option(command)
        return command  # type: ignore[return-value]

    return decorate


_verify_option = click.option(
    "--verify-tests/--no-verify-tests",
    "verify_tests",
    default=None,
    help="Run each generated test, and drop those that do not fail because of their finding. Default: on if "
    "pytest-playwright is installed.",
)


_server_option = click.option(
    "--server",
    metavar="live|mock:FILE",
    help="Use a mock built from this description (jostle api learn) in place of the server; live:FILE tests the "
    "application itself, and findings say whether it kept to the description. Default: live.",
)


def _whole(url: str | None) -> str | None:
    """An address as it was typed, perhaps without its scheme."""
    return url if url is None or "://" in url else f"http://{url}"


def _verifies(asked: bool | None) -> bool:
    can = can_run_tests()
    if asked and not can:
        raise UsageProblem("--verify-tests needs pytest-playwright.", advice="Run: pip install pytest-playwright")
    return can if asked is None else asked


def _common(budget: str | None, workers: int) -> list[Callable[[Any], Any]]:
    return [
        click.option(
            "--out",
            type=click.Path(path_type=Path),
            default=RUNS,
            show_default=True,
            metavar="DIR",
            help="Keep the run in a new directory inside this one.",
        ),
        click.option(
            "--json",
            "json_file",
            type=click.Path(path_type=Path),
            metavar="FILE",
            help="Write the result as a JSON document; - for standard output.",
        ),
        click.option(
            "--seed", type=int, default=0, show_default=True, metavar="N", help="Seed for every random choice."
        ),
        click.option(
            "--budget",
            type=duration_option,
            default=budget,
            show_default=budget is not None,
            metavar="TIME",
            help="Stop after this time: 90s, 5m, 1h30m.",
        ),
        click.option(
            "--workers",
            type=click.IntRange(min=1),
            default=workers,
            show_default="one a core, at most 4" if workers != 1 else True,
            metavar="N",
            help="Number of browsers to run in parallel.",
        ),
        click.option("--headed", is_flag=True, help="Show the browser window."),
        click.option(
            "--redact/--no-redact",
            "redacted",
            default=True,
            help="Replace secrets (headers, cookies, passwords, tokens) in everything that is written. Default: yes.",
        ),
        config_option,
        click.option(
            "--connect",
            type=_connect_option,
            metavar="http://HOST:PORT",
            help="Use a browser that is already running, by its remote debugging address.",
        ),
    ]


def check_writable(file: Path | None) -> None:
    """Complain now, not after minutes of work, about a file that cannot be written."""
    if file is None or file == Path("-"):
        return
    existed = file.exists()
    try:
        with file.open("ab"):
            pass
    except OSError as error:
        raise UsageProblem(f"{file} cannot be written: {error.strerror}.") from None
    if not existed:
        file.unlink(missing_ok=True)
