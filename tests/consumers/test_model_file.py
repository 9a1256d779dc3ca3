"""The model of an application, as a file of its own."""

from __future__ import annotations

from pathlib import Path

from jostle.consumers.model_file import ModelFile
from jostle.events import State
from jostle.model.machine import Machine
from jostle.search.stream import ArtefactMade


def test_it_is_written_when_an_exploration_hands_it_over(tmp_path: Path) -> None:
    machine, written = Machine(), list[Path]()
    machine.started(State(digest="a", url="http://x/"))
    consumer = ModelFile(tmp_path / "model.json", written.append)
    consumer(ArtefactMade("macros.json", b"{}", "application/json"))
    assert not written
    consumer(ArtefactMade("model.json", machine.to_json(), "application/json"))
    assert written == [tmp_path / "model.json"]
    assert [state.url for state in Machine.load(written[0]).states] == ["http://x/"]
