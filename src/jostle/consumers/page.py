"""The HTML page of a search with one technique."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from jostle.search.result import Files, Result
from jostle.search.stream import RunEvent, SearchEnded
from jostle.search.technique import SearchOutcome, Technique
from jostle.writing import write_whole


class TechniquePage:
    """Writes the page when the search ends, if anything was done."""

    def __init__(
        self, technique: Technique, file: Path, *, url: str, directory: str, on_written: Callable[[Path], None]
    ) -> None:
        self._technique = technique
        self._file = file
        self._on_written = on_written
        self._outcome = SearchOutcome(url=url, directory=directory, result=Result(), files=Files(but=".jostle"))

    def __call__(self, event: RunEvent) -> None:
        self._outcome.result(event)
        self._outcome.files(event)
        if isinstance(event, SearchEnded) and (page := self._technique.page(self._outcome)):
            write_whole(self._file, page.encode())
            self._on_written(self._file)
