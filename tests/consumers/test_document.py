"""The JSON document."""

from __future__ import annotations

from pathlib import Path

import pytest

from jostle.consumers.document import JsonFile
from jostle.runs import Document, Status
from tests.consumers.streams import STREAM, feed


def test_it_is_written_when_the_run_ends(tmp_path: Path) -> None:
    file = tmp_path / "out.json"
    consumer = JsonFile(file)
    for event in STREAM:
        consumer(event)
    assert not file.exists()
    feed(JsonFile(file), status=Status.INTERRUPTED)
    document = Document.read(file)
    assert (document.command, document.url, document.seed) == ("check", "http://x/", 7)
    assert (document.status, document.seconds, document.stats) == (Status.INTERRUPTED, 3.25, {"pairs": 4})
    assert [each.id for each in document.findings] == ["low", "high"]
    assert [(each.finding.id, each.filter) for each in document.suppressed] == [("harmless", "it ends the same")]
    assert document.limits == ("a worker",)


def test_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    feed(JsonFile(Path("-")))
    assert capsys.readouterr().out.startswith('{\n  "jostle": ')
