"""The `jostle` command with one more command, for tests of the frame in a process of its own."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from unittest import mock

import click

from jostle.cli.main import COMMANDS, main
from jostle.cli.options import Options, analysing
from jostle.cli.outcome import working
from jostle.config.application import Application
from jostle.errors import CouldNotRun, Exit
from jostle.events import Kind, Step, event_of
from jostle.findings.evidence import ErrorEvidence
from jostle.progress import Finished, LimitMet, Started, Stepped
from jostle.runs import Confidence, Finding, FindingKind, Severity
from jostle.search.stream import FindingReported


async def forever() -> None:
    print("working", flush=True)
    await asyncio.sleep(60)


@click.command()
@click.argument("url", required=False)
@click.option("--how", default="well")
@analysing(budget="5m")
def probe(url: str | None, how: str, options: Options) -> Exit:
    """Does what --how says."""
    with working("probe", options, options.address(url), how=how) as work:
        work.emit(Started(what="probing", total=3))
        work.run.add_step(Step(event=event_of(kind=Kind.USER, what="click")))
        work.stats["steps"] = 1
        work.stats["budget"] = options.budget
        work.emit(Stepped(done=1, what="click"))
        match how:
            case "finding":
                found = Finding(
                    id="f1",
                    technique="probe",
                    kind=FindingKind.EXCEPTION,
                    confidence=Confidence.WITNESSED,
                    severity=Severity.HIGH,
                    title="broken",
                    evidence=ErrorEvidence(message="broken", source="", stack=()),
                )
                work.emit(FindingReported(found))
            case "limit":
                work.emit(LimitMet(text="a \x1b[31mworker"))
            case "unreachable":
                raise CouldNotRun("nobody answers", advice="start it")
            case "bug":
                raise ZeroDivisionError("by zero")
            case "forever":
                asyncio.run(forever())
            case "application":
                with Application(options.loaded, work.run.path / "app.log", work.emit):
                    asyncio.run(forever())
        work.emit(Finished(summary="1 step"))
    return work.exit_code


@contextlib.contextmanager
def known() -> Iterator[None]:
    """`jostle` has the command within."""
    module = ModuleType("jostle.cli.probe")
    module.probe = probe  # type: ignore[attr-defined]
    with (
        mock.patch.dict(sys.modules, {module.__name__: module}),
        mock.patch.dict(COMMANDS, {"probe": "Does what --how says."}),
    ):
        yield


if __name__ == "__main__":
    sys.path.insert(0, str(Path.cwd()))
    with known():
        main()
