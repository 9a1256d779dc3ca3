"""The run directory: written as things happen, readable after any end."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from jostle.errors import Exit, RunProblem
from jostle.events import Kind, Step, event_of
from jostle.findings.evidence import ErrorEvidence
from jostle.progress import LimitMet, Note, Started, Stepped
from jostle.runs import Confidence, Finding, FindingKind, RunDirectory, Severity, Status


def step(number: int) -> Step:
    return Step(event=event_of(kind=Kind.USER, what=f"click button {number}"), at=float(number))


def finding(name: str = "f1") -> Finding:
    return Finding(
        id=name,
        technique="walk",
        kind=FindingKind.EXCEPTION,
        confidence=Confidence.WITNESSED,
        severity=Severity.HIGH,
        title="TypeError",
        evidence=ErrorEvidence(message="x is undefined", source="", stack=()),
    )


def test_everything_written_is_read_back(tmp_path: Path) -> None:
    with RunDirectory.create(tmp_path / "runs", "record", url="http://x/", seed=7, options={"walk": 30}) as run:
        assert [run.add_step(step(n)) for n in range(3)] == [0, 1, 2]
        run.add_note("a note")
        run.listen(LimitMet(text="a service worker"))
        run.listen(Note(text="another"))
        run.listen(Stepped(done=1))
        run.add_finding(finding())
        run.add_finding(finding("f2"), suppressed_by="twice")
        file = run.add_artefact("last page", b"<p>", "text/html")
        assert file.read_bytes() == b"<p>"
        assert file.suffix == ".html"

    with RunDirectory.open(run.path) as read:
        info = read.info
        assert (info.command, info.url, info.seed, info.options) == ("record", "http://x/", 7, {"walk": 30})
        assert info.status is Status.FINISHED
        assert info.finished is not None
        assert [s.at for s in read.steps()] == [0.0, 1.0, 2.0]
        assert next(read.steps(2)).event.what == "click button 2"
        assert [(r.kind, r.text) for r in read.remarks] == [
            ("note", "a note"),
            ("limit", "a service worker"),
            ("note", "another"),
        ]
        assert read.findings == [finding()]
        assert [(s.finding.id, s.filter) for s in read.suppressed] == [("f2", "twice")]
        assert read.artefact("last page") == b"<p>"
        assert read.artefacts[0].size == 3
        document = read.document(seconds=1.23456, stats={"steps": 3})
        assert document.limits == ("a service worker",)
        assert document.seconds == 1.235


def test_written_steps_are_visible_to_others_at_once(tmp_path: Path) -> None:
    with RunDirectory.create(tmp_path, "record") as run:
        run.add_step(step(0))
        with RunDirectory.open(run.path) as read:
            assert len(list(read.steps())) == 1
            assert read.info.status is Status.RUNNING


def test_more_steps_than_are_read_at_a_time(tmp_path: Path) -> None:
    with RunDirectory.create(tmp_path, "record") as run:
        for number in range(2500):
            run.add_step(step(number))
        assert [s.at for s in run.steps()] == [float(n) for n in range(2500)]


def test_runs_of_the_same_second_get_their_own_directories(tmp_path: Path) -> None:
    runs = [RunDirectory.create(tmp_path, "races init") for _ in range(4)]
    assert len({run.path for run in runs}) == 4
    assert all("races-init" in run.path.name for run in runs)
    for run in runs:
        run.close()


def test_endings(tmp_path: Path) -> None:
    def end(error: BaseException) -> tuple[Status, str | None]:
        run = RunDirectory.create(tmp_path, "record")
        with pytest.raises(type(error)), run:
            raise error
        with RunDirectory.open(run.path) as read:
            return read.info.status, read.info.error

    assert end(KeyboardInterrupt()) == (Status.INTERRUPTED, None)
    assert end(RuntimeError("no luck")) == (Status.FAILED, "no luck")


KILLED = """
import sys, time
from pathlib import Path
from jostle.events import Step, UserEvent
from jostle.runs import RunDirectory
run = RunDirectory.create(Path(sys.argv[1]), "record")
for number in range(5):
    run.add_step(Step(event=UserEvent(what=f"click button {number}"), at=float(number)))
run.add_artefact("page", b"content")
print(run.path, flush=True)
time.sleep(60)
"""


def test_killed_run_is_readable_and_resumable(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", KILLED, str(tmp_path)], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        path = Path(process.stdout.readline().strip())
        try:
            with RunDirectory.open(path) as read:
                assert read.info.status is Status.RUNNING
            with pytest.raises(RunProblem, match=f"written by process {process.pid}"):
                RunDirectory.open(path, resume=True)
        finally:
            process.send_signal(signal.SIGKILL)
            process.wait(10)

    with RunDirectory.open(path) as read:
        assert read.info.status is Status.INTERRUPTED
        assert len(list(read.steps())) == 5
        assert read.artefact("page") == b"content"
    with RunDirectory.open(path, resume=True) as run:
        assert run.info.status is Status.RUNNING
        assert run.step_count == 5
        assert run.add_step(step(5)) == 5
    with RunDirectory.open(path) as read:
        assert read.info.status is Status.FINISHED
        assert [s.at for s in read.steps()] == [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]
    with pytest.raises(RunProblem, match="nothing to resume"):
        RunDirectory.open(path, resume=True)


def test_same_process_cannot_own_a_run_twice(tmp_path: Path) -> None:
    with (
        RunDirectory.create(tmp_path, "record") as run,
        pytest.raises(RunProblem, match=f"written by process {os.getpid()}"),
    ):
        RunDirectory.open(run.path, resume=True)


def test_same_content_is_kept_once_and_nothing_half_written_stays(tmp_path: Path) -> None:
    with RunDirectory.create(tmp_path, "record") as run:
        assert run.add_artefact("a", b"same", "text/plain") == run.add_artefact("b", b"same", "text/plain")
        run.add_artefact("a", b"new", "text/plain")
        assert (run.artefact("a"), run.artefact("b")) == (b"new", b"same")
        assert len(list((run.path / "artefacts").iterdir())) == 2


def test_damaged_and_missing_artefacts(tmp_path: Path) -> None:
    with RunDirectory.create(tmp_path, "record") as run:
        file = run.add_artefact("page", b"content")
        file.write_bytes(b"other")
        with pytest.raises(RunProblem, match="changed or is damaged"):
            run.artefact("page")
        file.unlink()
        with pytest.raises(RunProblem, match="cannot be read"):
            run.artefact("page")
        with pytest.raises(RunProblem, match="no artefact `nothing`"):
            run.artefact("nothing")


def test_output_below_a_file(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(RunProblem, match="cannot be written: Not a directory") as caught:
        RunDirectory.create(tmp_path / "file" / "runs", "record")
    assert caught.value.exit_code is Exit.COULD_NOT_RUN
    assert "--out" in caught.value.advice


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_read_only_output(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(RunProblem, match="cannot be written: Permission denied"):
        RunDirectory.create(tmp_path / "runs", "record")


def finished(tmp_path: Path) -> Path:
    with RunDirectory.create(tmp_path, "record") as run:
        for number in range(200):
            run.add_step(step(number))
    return run.path


def test_not_a_run(tmp_path: Path) -> None:
    with pytest.raises(RunProblem, match=r"no run\.db"):
        RunDirectory.open(tmp_path)
    (tmp_path / "run.db").touch()
    with pytest.raises(RunProblem, match="not the database of a run"):
        RunDirectory.open(tmp_path)


@pytest.mark.parametrize("resume", [False, True])
def test_corrupt_database(tmp_path: Path, resume: bool) -> None:
    path = finished(tmp_path)
    (path / "run.db").write_bytes(b"this is not a database at all" * 100)
    with pytest.raises(RunProblem, match="is damaged") as caught:
        RunDirectory.open(path, resume=resume)
    assert str(path / "run.db") in caught.value.message


def test_truncated_database(tmp_path: Path) -> None:
    path = finished(tmp_path)
    database = path / "run.db"
    database.write_bytes(database.read_bytes()[: database.stat().st_size // 2])
    with pytest.raises(RunProblem), RunDirectory.open(path) as read:
        list(read.steps())


def test_newer_database(tmp_path: Path) -> None:
    path = finished(tmp_path)
    with sqlite3.connect(path / "run.db") as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(RunProblem, match=r"newer jostle \(format 99") as caught:
        RunDirectory.open(path)
    assert "Upgrade" in caught.value.advice


def test_step_that_cannot_be_read(tmp_path: Path) -> None:
    path = finished(tmp_path)
    with sqlite3.connect(path / "run.db") as connection:
        connection.execute("UPDATE step SET json = CAST('{' AS BLOB) WHERE number = 3")
    connection.close()
    with RunDirectory.open(path) as read, pytest.raises(RunProblem, match="Step 3"):
        list(read.steps())


def test_two_findings_with_one_id(tmp_path: Path) -> None:
    with RunDirectory.create(tmp_path, "record") as run:
        run.add_finding(finding("f1"))
        run.add_finding(finding("f2"))
    with sqlite3.connect(run.path / "run.db") as connection:
        connection.execute("UPDATE finding SET json = CAST(replace(CAST(json AS TEXT), 'f2', 'f1') AS BLOB)")
    connection.close()
    with RunDirectory.open(run.path) as damaged, pytest.raises(RunProblem, match="with the same id: f1"):
        damaged.document(seconds=1)


def test_readers_see_that_something_is_new(tmp_path: Path) -> None:
    with RunDirectory.create(tmp_path, "check") as run, RunDirectory.open(run.path) as reading:
        found = finding()
        versions = [reading.version]
        changes: tuple[Callable[[], object], ...] = (
            lambda: run.add_finding(found),
            lambda: run.add_finding(msgspec.structs.replace(found, title="it hangs again")),
            lambda: run.add_note("a note"),
            lambda: run.add_artefact("a", b"1"),
            lambda: run.add_artefact("a", b"22"),
            run.finish,
        )
        for change in changes:
            change()
            versions.append(reading.version)
        assert len(set(versions)) == len(versions)
        assert reading.version == versions[-1]


def test_what_is_being_done(tmp_path: Path) -> None:
    with RunDirectory.create(tmp_path, "check") as run, RunDirectory.open(run.path) as reading:
        assert reading.doing == ""
        run.listen(Started(what="exploring\n\x1b[31m", total=3))
        assert reading.doing.startswith("exploring")
        assert "\n" not in reading.doing
        run.listen(Stepped(done=1, what="at once"))
        assert "at once" not in reading.doing, "not written too often"
        run.finish()
        assert reading.doing == ""
        assert not [each.name for each in run.path.iterdir() if "progress" in each.name]


def test_each_of_several_counts_for_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jostle.runs.directory._EVERY", -1.0)
    with RunDirectory.create(tmp_path, "check") as run, RunDirectory.open(run.path) as reading:
        run.listen(Started(what="exploring", total=300, by="a"))
        run.listen(Started(what="trying pairs", total=2, by="b"))
        run.listen(Stepped(done=11, by="a"))
        assert reading.doing == "exploring: 11 of 300"
        run.listen(Stepped(done=1, total=9, by="b"))
        assert reading.doing == "trying pairs: 1 of 9"
