"""What is said to the dialogs of a page."""

from __future__ import annotations

from collections.abc import Callable

OnDialog = Callable[[str, str, str], tuple[bool, str]]
"""Given kind, message and default text of a dialog, says whether to accept it and with which text."""


def accept(kind: str, message: str, default: str) -> tuple[bool, str]:
    """Yes to everything, with the text that is suggested."""
    return True, default
