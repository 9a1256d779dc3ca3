"""Which runs there are."""

from __future__ import annotations

from pathlib import Path

import pytest

from jostle.errors import RunProblem
from jostle.runs import RunDirectory, newest, runs_below


def test_the_newest_first(tmp_path: Path) -> None:
    names = ("20300101-000000-check", "20300101-000000-check-2", "20300101-000001-races-init", "20291231-235959-replay")
    made = RunDirectory.create(tmp_path, "check")
    made.close()
    for name in names:
        (tmp_path / name).mkdir()
        (tmp_path / name / "run.db").write_bytes((made.path / "run.db").read_bytes())
    (tmp_path / "20400101-000000-check").mkdir()  # not a run
    (tmp_path / "notes.txt").write_text("")
    assert [each.name for each in runs_below(tmp_path)] == [names[2], names[1], names[0], names[3], made.path.name]
    assert newest(tmp_path).name == names[2]
    assert newest(tmp_path, "check", "explore").name == names[1]
    assert newest(tmp_path, "races init").name == names[2]
    with pytest.raises(RunProblem, match="There is no run in"):
        newest(tmp_path, "slowdown")
    with pytest.raises(RunProblem, match="There are no runs in"):
        newest(tmp_path / "nowhere")
