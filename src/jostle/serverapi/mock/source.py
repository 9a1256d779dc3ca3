"""Where the responses of a mock come from."""

from __future__ import annotations

from enum import StrEnum


class Source(StrEnum):
    """Where responses come from."""

    RECORDED = "recorded"
    """What was recorded for the request; made where it was not."""
    COVERING = "covering"
    """Made, with every option of the schema in turn."""
    RANDOM = "random"
    """Made, by chance."""
