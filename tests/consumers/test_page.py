"""The HTML page of a search with one technique."""

from __future__ import annotations

from pathlib import Path

import msgspec

from jostle.consumers.page import TechniquePage
from jostle.search.registry import technique
from jostle.search.technique import SearchOutcome
from tests.consumers.streams import STREAM, feed


def test_the_technique_makes_it_of_the_whole_stream(tmp_path: Path) -> None:
    seen: list[SearchOutcome] = []
    written: list[Path] = []

    def page(outcome: SearchOutcome) -> str:
        seen.append(outcome)
        return "<p>a page</p>"

    made = msgspec.structs.replace(technique("races ajax"), page=page)
    file = tmp_path / "report.html"
    feed(TechniquePage(made, file, url="http://x/", directory="runs/x", on_written=written.append))
    [outcome] = seen
    assert [each.id for each in outcome.result.findings] == ["low", "high"]
    assert outcome.files.made == {"test_low.py": b"def test_low(): ..."}
    assert written == [file] and file.read_text() == "<p>a page</p>"


def test_nothing_is_written_where_nothing_was_done(tmp_path: Path) -> None:
    written: list[Path] = []
    made = msgspec.structs.replace(technique("races ajax"), page=lambda outcome: "")
    consumer = TechniquePage(made, tmp_path / "r.html", url="http://x/", directory="x", on_written=written.append)
    for event in STREAM:
        consumer(event)
    assert not written and not list(tmp_path.iterdir())
