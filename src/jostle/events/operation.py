"""What a request asks to be done, where its body says so: the method of a remote call, the name of a query."""

from __future__ import annotations

import re
from urllib.parse import parse_qsl

import msgspec

_NAMES = ("operationName", "method", "action", "call", "op", "cmd")
_FORM = re.compile(r"[\w.\[\]%-]+=")
_OPERATION = re.compile(r"[\w.:/-]{1,60}", re.ASCII)
_LARGEST = 100_000
"""Characters of a body that is read."""


def operation_of(body: str) -> str:
    """`torrent-get` of `{"method": "torrent-get"}` and of `method=torrent-get`; empty where nothing is said."""
    told: dict[str, object] = {}
    if body[:1] == "{" and len(body) <= _LARGEST:
        try:
            told = msgspec.json.decode(body, type=dict[str, object])
        except msgspec.MsgspecError:
            return ""
    elif _FORM.match(body) and len(body) <= _LARGEST:
        told = dict(parse_qsl(body))
    said = next((told[name] for name in _NAMES if told.get(name)), "")
    return said if isinstance(said, str) and _OPERATION.fullmatch(said) else ""
