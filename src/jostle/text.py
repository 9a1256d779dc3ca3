"""Texts for the terminal."""

from __future__ import annotations

import unicodedata


def printable(text: str) -> str:
    """The text without anything that could steer a terminal: texts of a page are hostile input."""
    return "".join(
        character
        if character in "\n\t" or unicodedata.category(character) not in ("Cc", "Cf", "Cs", "Co")
        else "\ufffd"
        for character in text
    )


def in_words(seconds: float) -> str:
    """`0.3 s`, `12 s`, `3 min 5 s`."""
    if seconds < 10:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"
