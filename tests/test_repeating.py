"""What `make test` does with tests that fail: a suite made for it, run by the same program."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ONCE = """
from pathlib import Path
import pytest

def first(name):
    seen = Path(__file__).with_name(name)
    if not seen.exists():
        seen.touch()
        return True

def test_passes():
    assert not first("passes") or True

@pytest.mark.parametrize("name", ["plain", "with [brackets] and = spaces"])
def test_fails_once(name):
    assert not first(name.split()[0])

@pytest.fixture
def prepared():
    assert not first("prepared")

def test_is_prepared_the_second_time(prepared):
    pass
"""
ALWAYS = """
def test_fails_always():
    assert False, "as ever"
"""
_FEW_PLUGINS = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}  # loading them takes most of the time
REPEATED = [
    "test_suite.py::test_fails_once[plain]",
    "test_suite.py::test_fails_once[with [brackets] and = spaces]",
    "test_suite.py::test_is_prepared_the_second_time",
]


def repeated(folder: Path, suite: str, *options: str) -> subprocess.CompletedProcess[str]:
    (folder / "pytest.ini").write_text("[pytest]\n")
    (folder / "test_suite.py").write_text(suite)
    program = Path(__file__).with_name("repeating.py")
    # By its path, which is what `python -m tests.repeating` finds: the suite is somewhere else.
    asked = [sys.executable, str(program), *options]
    return subprocess.run(asked, cwd=folder, env=_FEW_PLUGINS, capture_output=True, text=True, timeout=100)


def named(output: str) -> list[str]:
    return re.findall(r"^passed only when repeated: (.*)$", output, re.MULTILINE)


@pytest.mark.parametrize("options", [(), ("-p", "xdist.plugin", "-n", "2", "--dist", "load")])
def test_what_passes_only_when_repeated_is_named(options: tuple[str, ...], tmp_path: Path) -> None:
    done = repeated(tmp_path, ONCE, *options)
    assert done.returncode == 0, done.stdout + done.stderr
    assert named(done.stdout) == REPEATED
    assert re.fullmatch(r"=+ 3 passed in .* =+", done.stdout.splitlines()[-1])


def test_what_fails_again_fails_the_run_and_is_not_named(tmp_path: Path) -> None:
    done = repeated(tmp_path, ONCE + ALWAYS)
    assert done.returncode == 1, done.stdout + done.stderr
    assert named(done.stdout) == REPEATED
    assert re.fullmatch(r"=+ 1 failed, 3 passed in .* =+", done.stdout.splitlines()[-1])
    assert done.stdout.count("as ever") >= 2


def test_nothing_is_repeated_when_all_is_well_or_nothing_could_be_run(tmp_path: Path) -> None:
    for suite, code, last in (
        ("def test_well(): pass", 0, "1 passed"),
        ("import nothing_of_that_name", 2, "1 error"),
        ("", 5, "no tests ran"),
    ):
        done = repeated(tmp_path, suite)
        assert (done.returncode, named(done.stdout)) == (code, []), done.stdout
        assert last in done.stdout.splitlines()[-1]
        assert done.stdout.count("test session starts") == 1


def test_the_makefile_runs_it() -> None:
    makefile = Path(__file__).parent.parent.joinpath("Makefile").read_text()
    assert "$(BIN)/python -m tests.repeating" in makefile
