"""Requests that tell how a page is used: nobody loses anything when they are not sent, or sent twice."""

from __future__ import annotations

import re

_WORDS = re.compile(
    r"\b(analytics|beacon|collect|hit|log|metrics|ping|pixel|stats|telemetry|track(ing)?)\b", re.IGNORECASE
)


def is_statistics(sent: str) -> bool:
    """Whether a request, as outcomes have it (`POST http://host/path body`), goes to an address for that."""
    _, _, rest = sent.partition(" ")
    return _WORDS.search(rest.partition(" ")[0].partition("?")[0]) is not None
