"""`jostle repair`: real command, real Chromium; and what it says to what it cannot do."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.cli.commands import command
from tests.cli.told import told
from tests.report.check_runs import some, write_run
from tests.report.explorations import finding as exception


def runs(cwd: Path) -> Path:
    return cwd / ".jostle" / "runs"


@pytest.mark.browser
def test_a_run_is_repaired(base: str, tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    found = command("races", "init", f"{base}/form-overwrite/", "--budget", "2m", cwd=tmp_path)
    assert found.returncode == 1, found.stderr
    done = command("repair", "--json", "out.json", cwd=tmp_path)
    assert told(done, tmp_path) == snapshot
    [finding] = json.loads((tmp_path / "out.json").read_text())["findings"]
    repair = finding["evidence"]["repair"]
    assert (repair["outcome"], repair["policy"]) == ("prevented", "protect-field")
    folder = tmp_path / "repair"
    test = repair["test"]
    assert {str(each.relative_to(folder)) for each in folder.rglob("*") if each.is_file()} == {
        "README.md",
        "jostle-repair.js",
        "policy.json",
        "report.html",
        repair["film"],
        f"tests/{test}",
        f"tests/{repair['script']}",
    }
    [directory] = runs(tmp_path).glob("*-repair")
    for name in (repair["script"], repair["replay"], repair["before"], repair["after"], test, finding["replay"]):
        assert (directory / name).is_file(), name
    report = (folder / "report.html").read_text("utf-8")
    assert "Prevented at run time by protect-field" in report and "do not overwrite edited fields" in report
    shown = command("show", directory / repair["replay"], cwd=tmp_path)
    assert "a script runs before those of the page" in shown.stdout
    # A single one, by the beginning of its id, with a policy that does not help.
    (tmp_path / "policy.toml").write_text('name = "nothing"\n', "utf-8")
    done = command("repair", finding["id"][:24], "--policy", "policy.toml", "-o", "other", cwd=tmp_path)
    assert done.returncode == 1, done.stderr
    assert "The policy does not prevent it." in done.stdout
    assert not (tmp_path / "other" / "jostle-repair.js").exists()


@pytest.mark.parametrize(
    "words",
    [
        pytest.param("no-such-finding", id="no such finding"),
        pytest.param("exception-1", id="no race"),
        pytest.param("--policy policy.toml", id="no such policy"),
        pytest.param("--policy wrong.toml", id="a wrong policy"),
        pytest.param("-o file/below", id="a folder that cannot be made"),
        pytest.param("--run elsewhere", id="no run"),
    ],
)
def test_what_cannot_be_done(words: str, tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    write_run(runs(tmp_path), [*some(), exception(id="exception-1")])
    (tmp_path / "file").touch()
    (tmp_path / "wrong.toml").write_text('name = "x"\n[[rules]]\nacton = "postpone"\n', "utf-8")
    done = command("repair", *words.split(), cwd=tmp_path)
    assert done.returncode in (2, 3)
    assert told(done, tmp_path) == snapshot


def test_a_run_without_races(tmp_path: Path) -> None:
    write_run(runs(tmp_path), [exception()])
    done = command("repair", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "There is no race in" in done.stdout and "nothing to repair" in done.stdout
    assert not (tmp_path / "repair").exists()


def test_the_library_has_the_name_of_the_room(tmp_path: Path) -> None:
    """Whichever is imported first."""
    for first in ("from jostle.repair.policy import Policy", "import jostle.aio", "pass"):
        asked = "try:\n    jostle.repair('nowhere')\nexcept jostle.Problem as problem:\n    print(problem)"
        program = f"{first}\nimport jostle\n{asked}"
        done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, timeout=60)
        assert "is not the directory of a run" in done.stdout, done.stderr
