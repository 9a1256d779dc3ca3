"""`jostle export`: the test of a finding, as it was written or as its recording gives it."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from jostle.cli.main import run as jostle
from jostle.events import Kind, Step, Trace, event_of
from jostle.findings import Finding, FindingKind
from jostle.recording.file import Manifest, Recording
from jostle.runs import RunDirectory
from tests.report.check_runs import TESTS, some, write_run
from tests.report.explorations import finding as exception

CLICK = {"action": "click", "locator": {"role": "button", "name": "Buy"}}


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    return tmp_path / ".jostle" / "runs"


def asked(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[int, str, str]:
    code = jostle(["export", *map(str, arguments)])
    said = capsys.readouterr()
    return code, said.out, said.err


def test_by_the_beginning_of_its_id(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_run(runs, some())
    write_run(runs, (), command="replay")
    code, said, _ = asked(capsys, "ajax-r", "-o", "test_it.py")
    assert code == 0 and said.startswith("test_it.py: fails because of “")
    assert Path("test_it.py").read_text() == TESTS["test_ajax_race_1.py"]
    assert asked(capsys, "ajax-race-1", "-o", "-")[1] == TESTS["test_ajax_race_1.py"]
    assert asked(capsys, "ajax-race-1")[0] == 0
    assert Path("test_ajax_race_1.py").exists()
    assert asked(capsys, "ajax-race-1")[0] == 0, "it is the same"
    Path("test_ajax_race_1.py").write_text("changed by somebody")
    code, _, wrong = asked(capsys, "ajax-race-1")
    assert code == 2 and "is there already, with another content" in wrong
    assert Path("test_ajax_race_1.py").read_text() == "changed by somebody"


def test_of_another_run(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    older = write_run(runs, some())
    newer = write_run(runs, [exception()])
    code, _, wrong = asked(capsys, "ajax-race-1")
    assert code == 2 and f"The run in {newer.relative_to(runs.parents[1])} has no finding `ajax-race-1`" in wrong
    assert f"--run {older.relative_to(runs.parents[1])}" in wrong
    assert asked(capsys, "ajax-race-1", "--run", older, "-o", "a.py")[0] == 0
    assert asked(capsys, older / "ajax-race-1", "-o", "b.py")[0] == 0
    assert Path("a.py").read_text() == Path("b.py").read_text() == TESTS["test_ajax_race_1.py"]


def explored(runs: Path, **changes: object) -> tuple[Path, Finding]:
    """A run without tests, as older versions left it."""
    finding = exception(replay="way.jostle", **changes)
    click = event_of(kind=Kind.USER, what='click button "Buy"', detail=CLICK)
    manifest = Manifest(url="http://shop.test/", viewport=(400, 300), options={"locale": "de-DE"})
    with RunDirectory.create(runs, "explore") as run:
        run.add_finding(finding)
        Recording(manifest, Trace(steps=(Step(event=click),))).write(run.path / "way.jostle")
    return run.path, finding


def test_made_of_its_recording(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, finding = explored(runs)
    code, text, wrong = asked(capsys, finding.id, "-o", "-")
    assert code == 0, wrong
    ast.parse(text)
    assert 'page.get_by_role("button", name="Buy", exact=True).first.click()' in text
    assert '"viewport": {"width": 400, "height": 300}, "locale": "de-DE"' in text


def test_why_there_is_none(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, finding = explored(runs, kind=FindingKind.BROKEN_INVARIANT, evidence={"invariant": "a basket has a price"})
    code, _, wrong = asked(capsys, finding.id)
    assert code == 3 and "the invariant is a Python function of yours" in wrong and "jostle replay" in wrong
    (path / "way.jostle").write_bytes(b"")
    assert asked(capsys, finding.id)[0] == 2
    with RunDirectory.create(runs, "check") as run:
        for each in some():
            run.add_finding(each)
        run.add_note("No Playwright test for form-input-overwritten-1: A test had to wait for a timer of 90 s.")
    code, _, wrong = asked(capsys, "ajax-race-1")
    assert code == 3 and "test_ajax_race_1.py is not there any more" in wrong
    for each in some():
        code, _, wrong = asked(capsys, each.id)
        assert code in (2, 3) and "Traceback" not in wrong
    code, said, _ = asked(capsys, "--list")
    assert code == 0 and said.count("(no test)") == 5


def test_all_and_a_name_that_leads_elsewhere(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = write_run(runs, some())
    code, said, wrong = asked(capsys, "--all", "-o", "found")
    assert code == 0 and said.startswith(f"{len(list(Path('found').iterdir()))} tests of 5 findings in found")
    assert "There is no Playwright test for" in wrong
    hostile = exception(id="evil-1", evidence={"test": "../../../../etc/passwd"})
    with RunDirectory.create(runs, "check") as other:
        other.add_finding(hostile)
    code, said, wrong = asked(capsys, "evil-1", "-o", "-")
    assert code in (2, 3) and "root" not in said + wrong
    assert asked(capsys, "--all", "-o", run / "run.db")[0] == 2


def test_wrong_usage(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "There are no runs in" in asked(capsys, "x")[2]
    write_run(runs, some())
    for arguments, why in (
        ((), "Name one finding, or give --list or --all."),
        (("x", "--list"), "Name one finding"),
        (("nothing",), "has no finding `nothing`"),
        (("ajax-race-1", "-o", "no/such/place.py"), "cannot be written"),
        (("ajax-race-1", "--run", "nowhere"), "is not the directory of a run"),
        (("",), "Several findings begin with"),
    ):
        code, _, wrong = asked(capsys, *arguments)
        assert code in (2, 3) and why in wrong, wrong
