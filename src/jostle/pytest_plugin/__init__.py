"""The pytest plugin: does nothing until one of its options is given.

It is imported by every pytest in whose environment jostle is installed, so it imports nothing else at first, and
Playwright need not be there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from jostle.adverse.suite import SuiteOptions


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("jostle", "jostle: the same tests in adverse conditions")
    option = group.addoption
    option(
        "--jostle-adverse",
        action="store_true",
        help="Run each Playwright test again while things happen after its actions that should make no difference.",
    )
    option(
        "--jostle-orders",
        action="store_true",
        help="Run each Playwright test again with the answers of the server in other orders.",
    )
    option(
        "--jostle-conditions",
        action="append",
        default=[],
        metavar="NAMES",
        help="Conditions or passes (kept, rebuilt, environment), separated by commas; `list` explains them all. "
        "Default: all but those that have to be asked for.",
    )
    option(
        "--jostle-select",
        action="append",
        default=[],
        metavar="TEXT",
        help="Only tests with this text in their name take part; the others run as always. May be repeated.",
    )
    option(
        "--jostle-rerun",
        action="store_true",
        help="After a failure run the test once more with conditions after later actions only, to find further ones.",
    )
    option(
        "--jostle-isolate",
        action="store_true",
        default=True,
        help="Find out which condition after which action is to blame for a failure. This is the default.",
    )
    option(
        "--jostle-no-isolate",
        dest="jostle_isolate",
        action="store_false",
        help="Do not: failures are told with everything that happened before them.",
    )
    option(
        "--jostle-reduce",
        action="store_true",
        help="Leave out what was tried in an equal situation, also of another test: quicker, fewer failures of a bug.",
    )
    option(
        "--jostle-in-setup",
        action="store_true",
        help="Let conditions happen after actions of fixtures too, not only after those of the test.",
    )
    option("--jostle-budget", metavar="TIME", help="Begin nothing more after this time: 90s, 5m, 1h30m.")
    option(
        "--jostle-timeout",
        metavar="TIME",
        default="10s",
        help="What an action may take unless the test says otherwise; Playwright's 30s would make failures slow.",
    )
    option(
        "--jostle-repro", metavar="TOKEN", help="Run the given test once, as it failed: TOKEN is told with a failure."
    )
    option(
        "--jostle-out",
        metavar="DIR",
        default=".jostle/runs",
        help="Keep the run, with its report, in a new directory below this one. Default: .jostle/runs.",
    )
    option("--jostle-baseline", metavar="FILE", help="What is known, and no failure any more.")
    option(
        "--jostle-update-baseline",
        action="store_true",
        help="Write what is found into the baseline: it is known from now on.",
    )
    option("--jostle-json", metavar="FILE", help="Write the outcome as one JSON document.")
    option("--jostle-no-redact", action="store_true", help="Write secrets (cookies, passwords, tokens) as they are.")
    option(
        "--jostle-html", metavar="FILE", help="The report to write. Default: report.html in the directory of the run."
    )


def pytest_addhooks(pluginmanager: pytest.PytestPluginManager) -> None:
    pluginmanager.add_hookspecs(Hooks)


class Hooks:
    """Hooks that a conftest.py can have."""

    def pytest_jostle_reset(self, item: pytest.Item) -> None:
        """Brings the application back to its initial state; called before each run of a test."""


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers",
        "adverse(skip=[...], only=[...]): conditions or passes that this test is not, or only, run in "
        "by --jostle-adverse",
    )
    option = config.option
    if not (option.jostle_adverse or option.jostle_orders or option.jostle_repro) or _only_looks(config):
        return
    if option.jostle_adverse and option.jostle_orders:
        raise pytest.UsageError("--jostle-adverse and --jostle-orders cannot be together: run pytest twice.")
    if option.jostle_update_baseline and not option.jostle_baseline:
        raise pytest.UsageError("--jostle-update-baseline needs --jostle-baseline FILE.")
    from jostle.pytest_plugin.session import begin

    with _for_people():
        begin(config, _options(config))


def pytest_cmdline_main(config: pytest.Config) -> int | None:
    if "list" not in _listed(config.option.jostle_conditions):
        return None
    from jostle.pytest_plugin.conditions_list import explained

    print(explained())  # noqa: T201
    return 0


def _options(config: pytest.Config) -> SuiteOptions:
    from jostle.adverse.suite import SuiteOptions
    from jostle.text import duration

    option = config.option

    def seconds(name: str) -> float | None:
        text = getattr(option, f"jostle_{name}")
        try:
            return duration(text) if text is not None else None
        except ValueError as error:
            raise pytest.UsageError(f"--jostle-{name}: {error}.") from None

    return SuiteOptions(
        adverse=option.jostle_adverse,
        orders=option.jostle_orders,
        repro=option.jostle_repro or "",
        conditions=tuple(_listed(option.jostle_conditions)),
        select=tuple(option.jostle_select),
        rerun=option.jostle_rerun,
        isolate=option.jostle_isolate,
        reduce=option.jostle_reduce,
        in_setup=option.jostle_in_setup,
        budget=seconds("budget"),
        timeout=seconds("timeout") or 10.0,
    )


def _listed(given: list[str]) -> list[str]:
    return [name for text in given for part in text.split(",") if (name := part.strip())]


def _only_looks(config: pytest.Config) -> bool:
    option: Any = config.option
    return bool(option.collectonly or getattr(option, "setupplan", False) or getattr(option, "setuponly", False))


class _for_people:  # noqa: N801
    """What is for the user is told without a traceback."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, error: Any, at: Any) -> None:
        from jostle.errors import Problem

        if isinstance(error, Problem):
            raise pytest.UsageError(str(error)) from None
