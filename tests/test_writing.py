"""Files that were asked for are complete or not there."""

from __future__ import annotations

import io
import os
import threading
from pathlib import Path

import pytest

from jostle.errors import CouldNotRun
from jostle.writing import write_whole


def names(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.iterdir())


def test_a_file_is_written_and_replaced(tmp_path: Path) -> None:
    file = tmp_path / "report.html"
    write_whole(file, b"one")
    write_whole(file, "zwei ü".encode())
    assert file.read_text("utf-8") == "zwei ü"
    assert names(tmp_path) == ["report.html"]


def test_what_stood_there_stays_when_writing_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "model.json"
    file.write_text("old")
    whole = Path.open

    def full(path: Path, mode: str) -> io.BufferedWriter:
        assert mode == "xb"
        with whole(path, "xb") as stream:
            stream.write(b"th")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "open", full)
    with pytest.raises(CouldNotRun, match=r"model\.json cannot be written: No space left on device") as caught:
        write_whole(file, b"the new one")
    monkeypatch.undo()
    assert "directory that can be written" in caught.value.advice
    assert file.read_text() == "old"
    assert names(tmp_path) == ["model.json"]


def test_an_interruption_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(path: Path, target: Path) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_whole(tmp_path / "report.html", b"content")
    assert names(tmp_path) == []


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("missing/report.html", "No such file or directory"),
        ("file/report.html", "Not a directory"),
        ("folder", "Is a directory"),
    ],
)
def test_a_place_that_cannot_be_written_is_named(tmp_path: Path, name: str, reason: str) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "folder").mkdir()
    with pytest.raises(CouldNotRun, match=f"{name} cannot be written: {reason}"):
        write_whole(tmp_path / name, b"content")
    assert names(tmp_path) == ["file", "folder"]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    link, target = tmp_path / "latest.html", tmp_path / "elsewhere" / "report.html"
    target.write_text("old")
    link.symlink_to(target)
    write_whole(link, b"new")
    assert link.is_symlink()
    assert target.read_text() == "new"


def test_a_pipe_is_written_to(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    heard: list[bytes] = []
    reader = threading.Thread(target=lambda: heard.append(pipe.read_bytes()), daemon=True)
    reader.start()
    write_whole(pipe, b"content")
    reader.join(10)
    assert heard == [b"content"]
    assert pipe.is_fifo()
