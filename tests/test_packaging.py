"""The wheel has everything that is not Python, too, and works where there is nothing else."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "jostle"


def built(folder: Path) -> Path:
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        cwd=ROOT,
        capture_output=True,
        timeout=100,
        check=True,
    )
    (wheel,) = folder.glob("*.whl")
    return wheel


def test_wheel_is_complete(tmp_path: Path) -> None:
    wheel = built(tmp_path)
    packed = set(zipfile.ZipFile(wheel).namelist())
    files = [file.relative_to(PACKAGE) for file in PACKAGE.rglob("*") if file.is_file()]
    ours = [file for file in files if not any(part.startswith((".", "__pycache__")) for part in file.parts)]
    assert {str(Path("jostle") / file) for file in ours} <= packed
    assert any(name.endswith("licenses/LICENSE") for name in packed)


def installed(wheel: Path, folder: Path) -> Path:
    """Where the programs of a clean environment are, with the wheel and what it depends on."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], timeout=60, check=True)
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-input"]
    asked = [
        "--python",
        str(folder),
        "install",
        "--quiet",
        "--no-compile",
        "--constraint",
        str(ROOT / "requirements.lock"),
        str(wheel),
    ]
    done = subprocess.run([*pip, *asked], capture_output=True, text=True, timeout=100)
    if done.returncode:
        one = ["download", "--quiet", "--no-deps", "--dest", str(folder), "click"]
        if subprocess.run([*pip, *one], capture_output=True, timeout=60).returncode:
            pytest.skip(f"no package index can be reached: {done.stderr[-500:]}")
    assert done.returncode == 0, done.stderr
    return folder / "bin"


@pytest.mark.browser
@pytest.mark.slow
def test_wheel_works_in_a_clean_environment(tmp_path: Path) -> None:
    programs = installed(built(tmp_path), tmp_path / "clean")
    here = tmp_path / "somewhere"
    here.mkdir()
    nothing_of_ours = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL"))}
    with subprocess.Popen(
        [programs / "jostle", "examples", "serve", "--port", "0"],
        cwd=here, env=nothing_of_ours, stdout=subprocess.PIPE, text=True,
    ) as examples:  # fmt: skip
        assert examples.stdout is not None
        try:
            address = re.search(r"http://\S+?:\d+", examples.stdout.readline())
            assert address is not None
            page = f"{address[0]}/form-overwrite/"
            done = subprocess.run(
                [str(programs / "jostle"), "check", page, "--only", "init", "--budget", "25s", "--json", "out.json"],
                cwd=here, env=nothing_of_ours, capture_output=True, text=True, timeout=100,
            )  # fmt: skip
            examples.send_signal(signal.SIGINT)
            assert examples.wait(30) == 0
        finally:
            examples.kill()
    assert done.returncode == 1, done.stderr
    document = json.loads((here / "out.json").read_text())
    assert [finding["kind"] for finding in document["findings"]] == ["form-input-overwritten"]
    [report] = here.glob(".jostle/runs/*-check/report.html")
    assert "search.js" in report.read_text("utf-8")
    where = [str(programs / "python"), "-c", "import jostle; print(jostle.__file__)"]
    told = subprocess.run(where, cwd=here, env=nothing_of_ours, capture_output=True, text=True, check=True).stdout
    assert told.startswith(str(tmp_path / "clean"))


def test_lock_names_no_index() -> None:
    lock = (ROOT / "requirements.lock").read_text()
    assert "://" not in lock
    assert "--" not in lock
    pinned = [line for line in lock.splitlines() if line and not line.lstrip().startswith("#")]
    assert all("==" in line for line in pinned)
