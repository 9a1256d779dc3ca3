"""Text and JSON from a browser, a page or a server, made clean where it comes in.

JavaScript strings may hold half a surrogate pair (`"🙂".slice(0, 1)`), which no file and no terminal takes. What comes
out of here can be written anywhere.
"""

from __future__ import annotations

import json
import re
from typing import Any, TypeVar

import msgspec

T = TypeVar("T")
_HALF = re.compile("[\ud800-\udfff]")
_ESCAPE = re.compile(
    r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(?P<half>u[dD][89a-fA-F][0-9a-fA-F]{2})|.)",
    re.DOTALL,
)
_REPLACEMENT = "\ufffd"


def well_formed(text: str) -> str:
    """The text with U+FFFD for each half of a surrogate pair."""
    return _HALF.sub(_REPLACEMENT, text) if _HALF.search(text) else text


def decoded(raw: bytes | str, kind: type[T]) -> T:
    """JSON as a value of this kind, with well-formed text only. Raises msgspec.DecodeError and nothing else."""
    try:
        return msgspec.json.decode(raw, type=kind)
    except (msgspec.DecodeError, UnicodeError):
        pass  # perhaps for nothing but its text
    except RecursionError:
        raise msgspec.DecodeError("nested too deep") from None
    text = raw.decode("utf-8", "replace") if isinstance(raw, bytes) else well_formed(raw)
    try:
        return msgspec.json.decode(_ESCAPE.sub(_whole, text), type=kind)
    except RecursionError:
        raise msgspec.DecodeError("nested too deep") from None


def parsed(raw: bytes | str) -> Any:
    """Any JSON that a server or a page made, by Python's more lenient reader, with well-formed text only. Raises
    ValueError and nothing else."""
    try:
        text = raw.decode("utf-8", "replace") if isinstance(raw, bytes) else well_formed(raw)
        return json.loads(_ESCAPE.sub(_whole, text))
    except RecursionError:
        raise ValueError("nested too deep") from None


def _whole(escape: re.Match[str]) -> str:
    return _REPLACEMENT if escape["half"] else escape[0]
