"""Lines of the application's code, cut so that they can be shown."""

from __future__ import annotations

import re

from jostle.findings.evidence import CodeExcerpt
from jostle.report.rows import shown

LONGEST_LINE = 200
"""Characters of a line of source that are shown."""
MOST_SOURCE = 40
"""Lines of source that are shown."""
BEFORE = 60
"""Characters of a long line that are shown before the column that is meant."""
_PLACE = re.compile(r"(.*?):(\d{1,9})(?::(\d{1,9}))?", re.DOTALL)


def lines(code: CodeExcerpt) -> list[tuple[str, str, bool]]:
    """Number, where it is known, text, and whether it is the line that is meant."""
    found = _PLACE.fullmatch(code.source)
    line, column = (int(found[2]), int(found[3] or 1)) if found else (0, 1)
    start = max(0, min(line - code.first_line - MOST_SOURCE // 2, len(code.excerpt) - MOST_SOURCE))
    told = enumerate(code.excerpt[start : start + MOST_SOURCE], code.first_line + start)
    return [
        (str(n) if code.first_line > 0 else "", _part(text, column if n == line else 1), 0 < n == line)
        for n, text in told
    ]


def _part(line: str, column: int) -> str:
    """Of a line that is too long, the part in which the column is."""
    start = max(0, column - 1 - BEFORE) if len(line) > LONGEST_LINE else 0
    return ("… " if start else "") + shown(line[start : start + LONGEST_LINE + 1], LONGEST_LINE)
