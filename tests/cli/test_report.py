"""`jostle report`: of whole runs, and of what is left of others."""

from __future__ import annotations

import json
import re
import sqlite3
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner, Result

from jostle.cli.report import report
from jostle.errors import Problem, RunProblem, UsageProblem
from jostle.recording.exchange import Exchange
from jostle.recording.file import Manifest, Recording
from jostle.report.check import page
from jostle.runs import RunDirectory
from jostle.runs.report import reported
from jostle.search.registry import reported_techniques
from tests.report.check_runs import MACROS, TESTS, some, write_run
from tests.report.explorations import finding as exception
from tests.report.explorations import shop
from tests.report.race_findings import search
from tests.report.slowdown_findings import slowdown
from tests.report.test_check import Document


def asked(*arguments: str | Path) -> Result:
    return CliRunner().invoke(report, [str(each) for each in arguments], catch_exceptions=False)


def told(run: Path) -> Document:
    assert asked(run).exit_code == 0
    return Document((run / "report.html").read_text(encoding="utf-8"))


def test_it_is_made_anew(tmp_path: Path) -> None:
    run = write_run(tmp_path, some(), machine=shop())
    done = asked(run)
    assert (done.exit_code, done.output) == (0, f"The report: {run / 'report.html'}\n")
    source = (run / "report.html").read_text(encoding="utf-8")
    with RunDirectory.open(run) as directory:
        assert page(reported(directory), reported_techniques()) == source
    document = Document(source)
    assert "5 problems found" in document.text
    assert "Acting before a page is ready 12 2 31.2 s 3: the time was up" in document.text
    assert "Chrome 156.0" in document.text
    assert "fonts are no matter" in document.text
    assert "A worker was not controlled" in document.text
    assert "any more" not in " ".join(story.text for story in document.stories), "all files are there"
    assert len([name for name in document.kept if name.startswith("picture-")]) == 6, "four of races, two of ends"
    assert TESTS["test_ajax_race_1.py"].split("\n\n")[-1] in json.loads(document.kept["tests"])["blocks"]
    data = json.loads(document.kept["data"])
    assert len(data["model"]["states"]) == len(data["pictures"]) == 4


def test_elsewhere_and_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run, file = write_run(tmp_path, [search()]), tmp_path / "out.html"
    shown: list[str] = []

    def show(address: str) -> bool:
        shown.append(address)
        return True

    monkeypatch.setattr("webbrowser.open", show)
    assert asked(run, "-o", file, "--open").exit_code == 0
    assert shown == [file.as_uri()]
    assert "1 problem found" in file.read_text(encoding="utf-8")
    assert not (run / "report.html").exists()
    monkeypatch.setattr("webbrowser.open", lambda address: False)
    assert "open the file yourself" in asked(run, "--open").output


def test_of_a_run_of_another_command(tmp_path: Path) -> None:
    run = write_run(tmp_path, [search()], told=None, command="races ajax")
    assert "1 problem found" in told(run).text
    with pytest.raises(UsageProblem, match="looks for nothing"):
        asked(write_run(tmp_path, [], command="record"))


def test_what_is_no_run(tmp_path: Path) -> None:
    with pytest.raises(RunProblem, match="not the directory of a run"):
        asked(tmp_path)
    (tmp_path / "run.db").write_bytes(b"SQLite format 3\0" + b"x" * 4000)
    with pytest.raises(RunProblem):
        asked(tmp_path)
    with pytest.raises(Problem, match="cannot be written"):
        asked(write_run(tmp_path / "runs", []), "-o", tmp_path / "nowhere" / "out.html")


# Half a run --------------------------------------------------------------------------------------------------------


def test_a_run_that_was_killed(tmp_path: Path) -> None:
    """Nothing but findings was written, and nobody finished it."""
    run = RunDirectory.create(tmp_path, "check", url="http://shop.test/")
    run.add_finding(search())
    run.close()
    text = told(run.path).text
    assert "The run was interrupted: this is what was known until then." in text
    assert "The run does not tell what it tried: it ended before that was written." in text
    assert "1 problem found" in text
    assert "Took" not in text


def test_a_run_that_goes_on(tmp_path: Path) -> None:
    with RunDirectory.create(tmp_path, "check", url="http://shop.test/") as run:
        run.add_finding(search())
        with RunDirectory.open(run.path) as reading:
            assert reported(reading).status == "running"


def test_a_run_before_it_began(tmp_path: Path) -> None:
    run = RunDirectory.create(tmp_path, "check")
    run.close()
    text = told(run.path).text
    assert "No problem found" in text
    assert "so this result means little" in text


def test_files_that_are_gone(tmp_path: Path) -> None:
    run = write_run(tmp_path, some(), files=False)
    stories = " ".join(story.text for story in told(run).stories)
    for name in ("ajax-race-1-bad.jostle", "test_slowdown_1.py", "exception-1.jostle"):
        assert name in stories
    assert stories.count("Not in the directory of the run any more") == 4
    assert "The picture form-1-bad.png is not here." in stories
    assert "jostle replay" not in stories


@pytest.mark.parametrize("name", ["model.json", "told.json"])
@pytest.mark.parametrize("content", [b"", b"{", b"[1, 2]", b'{"jostle-model": 1, "states": 7}', b"\xff\xfe", None])
def test_artefacts_that_are_damaged(tmp_path: Path, name: str, content: bytes | None) -> None:
    run = write_run(tmp_path, [search(), exception()], machine=shop())
    if content is None:  # it is gone, or was changed by somebody
        with RunDirectory.open(run) as directory:
            file = next(each.file for each in directory.artefacts if each.name == name)
        (run / file).write_bytes(b"something else")
    else:
        with sqlite3.connect(run / "run.db") as database:
            database.execute("UPDATE run SET status = 'interrupted'")
        with RunDirectory.open(run, resume=True) as directory:
            directory.add_artefact(name, content, "application/json")
    document = told(run)
    assert "2 problems found" in document.text
    if content != b"[1, 2]" or name != "told.json":
        what = "model" if name == "model.json" else "account of the searches"
        bad = f"The {what} cannot be read" in document.text
        assert bad or (name == "told.json" and b"states" in (content or b""))


def test_findings_that_cannot_be_read(tmp_path: Path) -> None:
    run = write_run(tmp_path, [search(), exception()])
    with sqlite3.connect(run / "run.db") as database:
        database.execute("UPDATE finding SET json = ? WHERE id = 'ajax-race-1'", (b'{"id": 5}',))
    text = told(run).text
    assert "The findings cannot be read" in text
    assert "The results cannot be read." in text
    assert "No problem found" not in text and "Nothing went wrong" not in text


def test_recordings_and_pictures_that_are_damaged(tmp_path: Path) -> None:
    run = write_run(tmp_path, some())
    for file in run.iterdir():
        if file.suffix in (".jostle", ".png"):
            file.write_bytes(b"broken")
    document = told(run)
    assert "The recording exception-1.jostle cannot be read." in document.text
    assert len(document.stories) == 5


def test_macros(tmp_path: Path) -> None:
    run = RunDirectory.create(tmp_path, "check", url="http://shop.test/")
    run.add_artefact("macros.json", msgspec.json.encode(MACROS), "application/json")
    run.close()
    assert "First move onto a link." in told(run.path).text


def test_the_code_comes_from_the_recording(tmp_path: Path) -> None:
    made = exception(evidence={"message": "no price", "source": "/basket.js:3:9"})
    run = write_run(tmp_path, [made])
    recording = Recording(Manifest(url="http://shop.test/"))
    body = recording.add_body(b"one\ntwo\nthe third is it\nfour\n")
    recording.exchanges.append(Exchange(order=1, method="GET", url="http://shop.test/basket.js", status=200, body=body))
    recording.write(run / "exception-1.jostle")
    story = told(run).stories[0]
    meant = [attrs.get("data-line") for tag, attrs in story.elements if "meant" in (attrs.get("class") or "")]
    assert meant == ["3"]
    assert re.search(r"two\s+the third is it\s+four", story.text)


def test_paths_of_a_finding_lead_nowhere_else(tmp_path: Path) -> None:
    """A name in the database is that of a file in the directory, or of none."""
    (tmp_path / "secret.py").write_text("SECRET")
    (tmp_path / "secret.png").write_bytes(b"\x89PNG\r\n\x1a\nSECRET")
    made = search(test="../secret.py", good={"order": [], "screen": "../secret.png"})
    run = write_run(tmp_path, [made, slowdown(test=str(tmp_path / "secret.py"))], files=False)
    assert asked(run).exit_code == 0
    assert "SECRET" not in (run / "report.html").read_text(encoding="utf-8")
