"""Where the parser of a page may pause, so that something else comes in between: a browser does so when it likes."""

from __future__ import annotations

import re
from bisect import bisect_left

from jostle.browser.fence import InlineScript, Pauses, inline_scripts, last_content, safe_points

PIECE = 8 * 1024
"""Bytes after which more may have to be waited for: documents come in pieces."""
MOST = 8
MOST_BRIEF = 4
_CLASSIC = frozenset({"", "text/javascript", "application/javascript", "text/ecmascript", "application/ecmascript"})
"""Types of scripts for which the parser waits. Modules run when all is parsed."""
_DIALOG = re.compile(rb"\b(?:alert|confirm|prompt)\s*\(")
_STARTS = re.compile(
    rb"\b(?:setTimeout|setInterval|requestAnimationFrame|requestIdleCallback|postTask|postMessage|fetch|import)\s*\("
    rb"|\b(?:XMLHttpRequest|WebSocket|EventSource|Worker|SharedWorker|BroadcastChannel|Image|axios)\b"
    rb"|\.(?:ajax|getJSON|getScript)\s*\(|\$\.(?:get|post)\s*\(|\.src\s*="
)
"""What sets something going that happens later by itself: a timer, a request, a message."""
_EXTERNAL = re.compile(rb"\s*<script\b(?=[^>]*\ssrc\b)(?![^>]*\s(?:async|defer|type)\b)", re.IGNORECASE)


def pauses(url: str, html: bytes) -> Pauses:
    """Places where the parser is made to wait: behind scripts of the page itself that open a dialog, and after every so
    many bytes. For a moment, also behind scripts that start something which could happen before the rest is parsed, in
    small documents too.

    What waits for an external script has a pause there anyway. At most `MOST` of them, behind dialogs first.
    """
    points = safe_points(html)
    if not points:
        return Pauses()
    last = points[-1]
    scripts = [script for script in inline_scripts(html) if script.type in _CLASSIC and script.end < last]
    dialogs = [script.end for script in scripts if script.end in points and _DIALOG.search(script.code)][:MOST]
    pieces = [points[bisect_left(points, start)] for start in range(PIECE, last, PIECE)]
    left = MOST - len(dialogs)
    every = -(-len(pieces) // left) if left else 0  # of very long documents, some evenly
    long = {*dialogs, *(pieces[::every] if left and pieces else ())} - {last}
    brief = dict.fromkeys(points[bisect_left(points, script.end)] for script in scripts if _starts(script))
    end = last_content(html)
    chosen = [point for point in brief if point < end and point not in long and not _EXTERNAL.match(html, point)]
    return Pauses(sorted(long), chosen[: min(MOST_BRIEF, MOST - len(long))])


def _starts(script: InlineScript) -> bool:
    return _STARTS.search(script.code) is not None
