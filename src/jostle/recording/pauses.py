"""Where the parser of a page may pause, so that something else comes in between: a browser does so when it likes."""

from __future__ import annotations

import re

from jostle.browser.fence import after_elements, safe_points

PIECE = 8 * 1024
"""Bytes after which more may have to be waited for: documents come in pieces."""
MOST = 8
_INLINE = re.compile(rb"<script\b[^>]*>(?P<code>.*?)</script\s*>", re.IGNORECASE | re.DOTALL)
_DIALOG = re.compile(rb"\b(?:alert|confirm|prompt)\s*\(")


def pauses(url: str, html: bytes) -> list[int]:
    """Behind scripts of the page itself that open a dialog, and after every so many bytes: places where the parser is
    made to wait.

    What waits for an external script has a pause there anyway. At most `MOST` of them, behind scripts first.
    """
    behind = set(after_elements(html, "script"))
    found = {
        script.end() for script in _INLINE.finditer(html) if script.end() in behind and _DIALOG.search(script["code"])
    }
    points = safe_points(html)
    last = points[-1] if points else 0
    chosen = sorted(place for place in found if place < last)[:MOST]
    pieces = [next(point for point in points if point >= start) for start in range(PIECE, last, PIECE)]
    left = MOST - len(chosen)
    every = -(-len(pieces) // left) if left else 0  # of very long documents, some evenly
    return sorted({*chosen, *(pieces[::every] if left and pieces else ())} - {last})
