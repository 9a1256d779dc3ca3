"""Texts for the terminal, and of it."""

from __future__ import annotations

import re
import unicodedata

_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}


_COMMAND = re.compile(r"^([^\S\n]*):(?=:)|#(?=#\[)", re.MULTILINE)
"""How a line begins, or what it contains, that a continuous integration takes for a command."""


def printable(text: str) -> str:
    """The text without anything that could steer a terminal, or the continuous integration that reads it: texts of a
    page are hostile input."""
    plain = "".join(
        character
        if character in "\n\t" or unicodedata.category(character) not in ("Cc", "Cf", "Cs", "Co")
        else "\ufffd"
        for character in text
    )
    return _COMMAND.sub(lambda found: f"{found[0]} ", plain) if "::" in plain or "##[" in plain else plain


def cut(text: str, longest: int) -> str:
    """The text on one line, with at most so many characters."""
    flat = " ".join(text.split())
    return flat if len(flat) <= longest else f"{flat[: longest - 1]}…"


def in_words(seconds: float) -> str:
    """`0.3 s`, `12 s`, `3 min 5 s`."""
    if seconds < 10:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


def duration(text: str) -> float:
    """Seconds of `90s`, `5m`, `1h30m`, `500ms` or `90`. Raises ValueError."""
    text = text.strip().lower()
    if re.fullmatch(r"\d+(\.\d+)?", text):
        seconds = float(text)
    elif re.fullmatch(r"(\d+(\.\d+)?(ms|s|m|h))+", text):
        parts = re.findall(r"(\d+(?:\.\d+)?)(ms|s|m|h)", text)
        seconds = sum(float(number) * _UNITS[unit] for number, unit in parts)
    else:
        raise ValueError(f"{text!r} is not a duration; write 90s, 5m or 1h30m")
    if seconds <= 0:
        raise ValueError("a duration must be longer than nothing")
    return seconds
