"""Who gets the stream of a command, in which order, and what happens when one of them fails."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import cast

import pytest

from jostle.cli.outcome import Work
from jostle.consumers.document import JsonFile
from jostle.consumers.terminal import Terminal
from jostle.errors import CouldNotRun
from jostle.progress import Note
from jostle.runs import RunDirectory, Status
from jostle.search.redacting import Redaction
from jostle.search.stream import Consumer, RunEnded, RunEvent
from tests.cli.test_frame import URL, only_run, probe

ENDED = RunEnded(status=Status.FINISHED, seconds=1.0)


def work_with(*consumers: Consumer) -> Work:
    return Work(cast("RunDirectory", None), list(consumers), Terminal(), Redaction(None))


def failing(at: type[RunEvent], words: str) -> Callable[[RunEvent], None]:
    def consumer(event: RunEvent) -> None:
        if isinstance(event, at):
            raise CouldNotRun(words)

    return consumer


def test_the_end_reaches_all_consumers_when_one_fails() -> None:
    seen: list[RunEvent] = []
    work = work_with(failing(RunEnded, "the disk is full"), failing(RunEnded, "another"), seen.append)
    with pytest.raises(CouldNotRun, match="the disk is full"):
        work.emit(ENDED)
    assert seen == [ENDED]


def test_nothing_goes_on_when_a_consumer_fails_before_the_end() -> None:
    seen: list[RunEvent] = []
    work = work_with(failing(Note, "the disk is full"), seen.append)
    with pytest.raises(CouldNotRun):
        work.note("something")
    assert not seen
    work.emit(ENDED)
    assert seen == [ENDED]


def test_what_a_consumer_tells_comes_after_what_it_was_told() -> None:
    seen: list[str] = []

    def telling(event: RunEvent) -> None:
        if isinstance(event, Note) and event.text == "one":
            work.note("two")

    def last(event: RunEvent) -> None:
        assert isinstance(event, Note)
        seen.append(event.text)

    work = work_with(telling, last)
    work.note("one")
    assert seen == ["one", "two"]


def test_a_consumer_that_fails_in_the_end_does_not_hide_why_a_run_failed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(JsonFile, "__call__", lambda self, event: failing(RunEnded, "the disk is full")(event))
    done = probe(tmp_path, URL, "--how", "unreachable", "--json", "out.json")
    assert done.returncode == 3
    assert "Error: nobody answers\nstart it\n" in done.stderr and "the disk is full\n" in done.stderr
    done = probe(tmp_path, URL, "--how", "well", "--json", "out.json", "--out", "other")
    assert done.returncode == 3 and "Error: the disk is full" in done.stderr
    with only_run(tmp_path, "other") as run:
        assert run.info.status is Status.FINISHED
