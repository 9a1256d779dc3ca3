"""The lines of the application's code around a place in it, from what a recording has of its files."""

from __future__ import annotations

import re

from jostle.findings.evidence import CodeExcerpt
from jostle.recording.file import Recording

BEFORE, AFTER = 2, 4
LONGEST_LINE = 160
_PLACE = re.compile(r"^(.*?):(\d+)(?::(\d+))?$")


def excerpt(recording: Recording, source: str, event: str = "") -> CodeExcerpt:
    """The lines around a place; without lines when the recording does not have the file."""
    place = _PLACE.match(source)
    if place is None:
        return CodeExcerpt(event=event, source=source)
    file, line = place[1], int(place[2])
    for exchange in recording.exchanges:
        if exchange.url == file.partition("#")[0] and exchange.body:
            lines = recording.body_of(exchange).decode("utf-8", "replace").split("\n")
            first = max(1, line - BEFORE)
            shown = tuple(_cut(each, int(place[3] or 1)) for each in lines[first - 1 : line + AFTER])
            return CodeExcerpt(event=event, source=source, first_line=first, excerpt=shown)
    return CodeExcerpt(event=event, source=source)


def _cut(line: str, column: int) -> str:
    """Of a long line, as in files made smaller, the part around the column."""
    line = line.rstrip("\r")
    if len(line) <= LONGEST_LINE:
        return line
    first = max(0, min(column - LONGEST_LINE // 2, len(line) - LONGEST_LINE))
    return f"{'…' if first else ''}{line[first : first + LONGEST_LINE]}…"
