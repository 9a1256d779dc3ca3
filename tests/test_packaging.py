"""The wheel has everything that is not Python, too."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "jostle"


def test_wheel_is_complete(tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        timeout=100,
        check=True,
    )
    (wheel,) = tmp_path.glob("*.whl")
    packed = set(zipfile.ZipFile(wheel).namelist())
    files = [file.relative_to(PACKAGE) for file in PACKAGE.rglob("*") if file.is_file()]
    ours = [file for file in files if not any(part.startswith((".", "__pycache__")) for part in file.parts)]
    assert {str(Path("jostle") / file) for file in ours} <= packed
    assert any(name.endswith("licenses/LICENSE") for name in packed)


def test_lock_names_no_index() -> None:
    lock = (ROOT / "requirements.lock").read_text()
    assert "://" not in lock
    assert "--" not in lock
    pinned = [line for line in lock.splitlines() if line and not line.lstrip().startswith("#")]
    assert all("==" in line for line in pinned)
