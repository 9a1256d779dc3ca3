"""Finding, trying and installing a browser."""

from __future__ import annotations

import os
import tempfile
import time
from pathlib import Path

import pytest

from jostle.browser import find as browsers
from jostle.errors import Exit, NoBrowser

WORKS = "#!/bin/sh\necho '<html></html>'\n"


def program(file: Path, text: str = WORKS) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    file.chmod(0o755)
    return file


@pytest.fixture
def bare_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine without any browser; the folder that is its PATH."""
    monkeypatch.delenv("JOSTLE_BROWSER", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path / "playwright"))
    monkeypatch.setattr(browsers, "_MAC", ())
    return tmp_path / "bin"


def test_variable_before_configuration_before_machine(bare_machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(NoBrowser, match="No Chromium was found") as caught:
        browsers.find()
    assert caught.value.exit_code is Exit.COULD_NOT_RUN
    assert "--install" in caught.value.advice
    on_path = program(bare_machine / "google-chrome")
    assert browsers.find() == browsers.BrowserBinary(on_path, "PATH")
    configured = program(bare_machine.parent / "mine")
    assert browsers.find(configured) == browsers.BrowserBinary(configured, "configuration")
    named = program(bare_machine.parent / "named")
    monkeypatch.setenv("JOSTLE_BROWSER", str(named))
    assert browsers.find(configured) == browsers.BrowserBinary(named, "JOSTLE_BROWSER")


def test_named_browser_is_never_passed_over(bare_machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(bare_machine / "chromium")
    with pytest.raises(NoBrowser, match=r"`browser\.path` in the configuration names /nowhere"):
        browsers.find("/nowhere")
    plain = bare_machine / "plain"
    plain.write_text("not a program")
    monkeypatch.setenv("JOSTLE_BROWSER", str(plain))
    with pytest.raises(NoBrowser, match="JOSTLE_BROWSER names"):
        browsers.find()
    with pytest.raises(NoBrowser, match="JOSTLE_BROWSER names"):
        browsers.install()


def test_newest_of_playwright(bare_machine: Path) -> None:
    cache = bare_machine.parent / "playwright"
    program(cache / "chromium-999" / "chrome-linux" / "chrome")
    newest = program(cache / "chromium-1200" / "chrome-linux64" / "chrome")
    program(cache / "chromium_headless_shell-1300" / "chrome-linux" / "headless_shell")
    assert browsers.find() == browsers.BrowserBinary(newest, "Playwright")


@pytest.mark.browser
def test_real_browser_starts_and_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    found = browsers.find()
    assert int(browsers.version(found.path).split(".")[0]) >= browsers.OLDEST
    with tempfile.TemporaryDirectory(dir="/tmp") as place:
        monkeypatch.setenv("TMPDIR", place)
        monkeypatch.setattr("tempfile.tempdir", None)
        trial = browsers.try_start(found.path)
        assert trial.works, trial.trouble
        assert list(Path(place).iterdir()) == []
        assert not [pid for pid in running() if place.encode() in command_line(pid)]


@pytest.mark.browser
def test_real_browser_starts_where_the_temporary_directory_has_a_long_name(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    place = tmp_path / ("long" * 20)
    place.mkdir()
    monkeypatch.setenv("TMPDIR", str(place))
    monkeypatch.setattr("tempfile.tempdir", None)
    trial = browsers.try_start(browsers.find().path)
    assert trial.works, trial.trouble


def running() -> list[int]:
    return [int(folder.name) for folder in Path("/proc").iterdir() if folder.name.isdigit()]


def command_line(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def test_browser_that_hangs_is_ended_with_its_children(tmp_path: Path) -> None:
    hanging = program(tmp_path / "chromium", f"#!/bin/sh\nsleep 300 & echo $! > {tmp_path}/child\nwait\n")
    began = time.monotonic()
    trial = browsers.try_start(hanging, timeout=0.5)
    assert time.monotonic() - began < 60  # its child sleeps for 300 s
    assert not trial.works
    assert "within 0.5 seconds" in trial.trouble
    child = int((tmp_path / "child").read_text())
    deadline = time.monotonic() + 30
    while command_line(child) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert command_line(child) == b""


@pytest.mark.parametrize(
    ("text", "trouble", "advice"),
    [
        (
            "#!/bin/sh\necho 'FATAL: No usable sandbox!' >&2; echo more >&2; exit 1\n",
            "No usable sandbox",
            "--no-sandbox",
        ),
        (
            "#!/bin/sh\necho 'x: error while loading shared libraries: libnss3' >&2; exit 127\n",
            "libnss3",
            "install-deps",
        ),
        ("#!/bin/sh\nexit 4\n", "ended with code 4", "--install"),
        ("#!/no/such/interpreter\n", "cannot be run", "--install"),
    ],
)
def test_browser_that_fails(tmp_path: Path, text: str, trouble: str, advice: str) -> None:
    trial = browsers.try_start(program(tmp_path / "chromium", text))
    assert not trial.works
    assert trouble in trial.trouble
    assert advice in browsers.advice_for(trial)


def test_install_uses_what_is_there(bare_machine: Path) -> None:
    there = program(bare_machine / "chromium", f"#!{os.path.realpath('/bin/sh')}\necho '<html>'\n")
    assert browsers.install().path == there


def test_install_goes_through_the_ways_until_one_works(
    bare_machine: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    program(bare_machine / "chromium", "#!/bin/sh\nexit 1\n")
    good = program(bare_machine.parent / "good")
    ways = [
        ("the first way", [["/bin/false"]]),
        ("the second way", [["/bin/true"]]),
        ("the third way", [["/bin/cp", str(good), str(bare_machine / "chromium")]]),
        ("the fourth way", [["/bin/rm", str(bare_machine / "chromium")]]),
    ]
    monkeypatch.setattr(browsers, "_ways", lambda: iter(ways))
    assert browsers.install().path == bare_machine / "chromium"
    told = capfd.readouterr().err
    assert "does not start" in told
    assert "the third way" in told
    assert "the fourth way" not in told


def test_install_that_fails_tells_what_was_tried(bare_machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(browsers, "_ways", lambda: iter([("a way", [["/bin/false"]]), ("another", [["/bin/true"]])]))
    with pytest.raises(NoBrowser, match=r"a way: ended with code 1\n\s+another: it was installed but does not start"):
        browsers.install()
    monkeypatch.setattr(browsers, "_ways", lambda: iter([]))
    with pytest.raises(NoBrowser, match="neither Playwright nor, as root, apt-get"):
        browsers.install()
