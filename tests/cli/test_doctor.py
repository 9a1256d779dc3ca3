"""`jostle doctor` on healthy and on broken machines."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from jostle.browser.find import is_root
from jostle.cli.main import run


def examine(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict[str, Any]]:
    code = run(["doctor", "--json", *arguments])
    report = json.loads(capsys.readouterr().out)
    assert report["healthy"] == (code == 0)
    return code, {check["name"]: check for check in report["checks"]}


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def broken_browser(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Spares tests of other things the start of a real one."""
    program = tmp_path / "broken"
    program.write_text(
        "#!/bin/sh\n[ $1 = --version ] && echo Chromium 150.0.1 && exit\necho 'FATAL: no usable sandbox' >&2\nexit 5\n"
    )
    program.chmod(0o755)
    monkeypatch.setenv("JOSTLE_BROWSER", str(program))
    return program


@pytest.mark.browser
def test_healthy(capsys: pytest.CaptureFixture[str]) -> None:
    code, checks = examine(capsys)
    assert code == 0
    assert "starts in" in checks["Chromium"]["found"]
    assert checks["Chromium"]["health"] == "ok"
    assert ("--no-sandbox" in checks["sandbox"]["found"]) == is_root()
    assert set(checks) == {
        "jostle", "Python", "configuration", "Chromium", "sandbox", "Playwright", "display", "run directory",
    }  # fmt: skip


def test_browser_that_does_not_start(broken_browser: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, checks = examine(capsys)
    assert code == 3
    assert checks["Chromium"]["health"] == "missing"
    assert str(broken_browser) in checks["Chromium"]["found"]
    assert (
        "version 150.0.1, does not start: it ended with code 5: FATAL: no usable sandbox" in checks["Chromium"]["found"]
    )
    assert "--no-sandbox" in checks["Chromium"]["fix"]


def test_no_browser(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("JOSTLE_BROWSER", "/no/such/chromium")
    assert run(["doctor"]) == 3
    shown = capsys.readouterr().out
    assert "MISSING  Chromium: JOSTLE_BROWSER names /no/such/chromium" in shown
    assert "jostle cannot run yet" in shown


def test_configured_browser_is_looked_at(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "jostle.toml").write_text('[browser]\npath = "bin/none"')
    code, checks = examine(capsys)
    assert code == 3
    assert str(tmp_path / "bin/none") in checks["Chromium"]["found"]


@pytest.mark.usefixtures("broken_browser")
def test_wrong_configuration(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "jostle.toml").write_text("ulr = 3")
    code, checks = examine(capsys)
    assert code == 3
    assert checks["configuration"]["health"] == "missing"
    assert "Did you mean `url`?" in checks["configuration"]["found"]


@pytest.mark.usefixtures("broken_browser")
def test_run_directory_that_cannot_be_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("")
    _, checks = examine(capsys, "--out", "file/runs")
    assert checks["run directory"]["health"] == "missing"
    assert "--out" in checks["run directory"]["fix"]


@pytest.mark.skipif(sys.platform == "darwin", reason="a Mac always has a display")
@pytest.mark.usefixtures("broken_browser")
def test_display(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("DISPLAY", ":7")
    assert examine(capsys)[1]["display"] == {"name": "display", "health": "ok", "found": ":7", "fix": ""}
    monkeypatch.delenv("DISPLAY")
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    display = examine(capsys)[1]["display"]
    assert display["health"] == "notice"
    assert "xvfb-run jostle" in display["fix"]
