"""The state of a whole application as one text, and the digest that stands for it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from hashlib import blake2s
from typing import Any


def text_of(parts: Sequence[dict[str, Any]]) -> str:
    """All documents of a run, one after the other, a line for each node and each entry of storage."""
    lines: list[str] = []
    for part in parts:
        frame = f" frame {part['frame']}" if part["frame"] else ""
        lines.append(f"tab {part['tab'] + 1}{frame} {part['url']}")
        lines.append(f" title {part['title']}")
        lines.extend(f" {line}" for line in _lines(part["dom"]))
        for area in ("local", "session"):
            lines.extend(f" {area}Storage {key} = {value}" for key, value in part["storage"][area])
        lines.extend(f" cookie {cookie}" for cookie in part["cookies"])
        if part["focus"]:
            lines.append(f" focus {part['focus']}")
        if any(part["scroll"]):
            lines.append(f" scroll {part['scroll'][0]} {part['scroll'][1]}")
    return "\n".join(lines)


_TOKEN = re.compile(r'<[^">]*(?:"[^"]*"[^">]*)*>|[^<]+')
_NAME = re.compile(r"</?([^\s>]+)")
_VOID = frozenset(
    ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr")
)


def _lines(document: str) -> Iterator[str]:
    """A line for each element, indented by depth; an element that holds nothing but text is one line with it."""
    tokens = [token for token in _TOKEN.findall(document) if token.strip()]
    depth, number = 0, 0
    while number < len(tokens):
        token = tokens[number]
        number += 1
        if token.startswith("</"):
            depth = max(0, depth - 1)
            continue  # the indentation of what follows says it
        if not token.startswith("<"):
            yield " " * depth + _flat(token)
            continue
        name = _NAME.match(token)
        line = " " * depth + _flat(token)
        if name is not None and name[1] in _VOID:
            yield line
            continue
        text = tokens[number : number + 2]
        if len(text) == 2 and not text[0].startswith("<") and text[1].startswith("</"):
            yield line + _flat(text[0])
            number += 2
            continue
        yield line
        depth += 1


def _flat(text: str) -> str:
    return text.replace("\r", "\\r").replace("\n", "\\n")


def digest_of(text: str) -> str:
    return blake2s(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
