"""How severe and how sure findings are: in which order they are told, and in which words."""

from __future__ import annotations

from jostle.findings import Confidence, Severity

SEVERITIES = (Severity.HIGH, Severity.MEDIUM, Severity.LOW)
CONFIDENCES = {
    Confidence.WITNESSED: (
        "seen in two runs",
        "Both orders were run with real input; they differ in nothing but the order of events.",
    ),
    Confidence.ADVERSE: (
        "seen when forced",
        "Seen when jostle forced it; a run on its own did not show it again.",
    ),
    Confidence.PREDICTED: (
        "predicted, not seen",
        "Nobody has seen this yet: it was concluded from what the page did in an ordinary run.",
    ),
}
"""A tag, and a sentence."""
SURENESS = tuple(CONFIDENCES)
"""The surest first."""
