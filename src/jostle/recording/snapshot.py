"""The state of a whole application as one text, and the digest that stands for it."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2s
from typing import Any

from jostle.events import State


def text_of(parts: Sequence[dict[str, Any]]) -> str:
    """All documents of a run, one after the other, a line for each node and each entry of storage."""
    lines: list[str] = []
    for part in parts:
        frame = f" frame {part['frame']}" if part["frame"] else ""
        lines.append(f"tab {part['tab'] + 1}{frame} {part['url']}")
        lines.append(f" title {part['title']}")
        lines.extend(f" {line}" for line in part["dom"].splitlines())
        for area in ("local", "session"):
            lines.extend(f" {area}Storage {key} = {value}" for key, value in part["storage"][area])
        lines.extend(f" cookie {cookie}" for cookie in part["cookies"])
        if part["focus"]:
            lines.append(f" focus {part['focus']}")
        if any(part["scroll"]):
            lines.append(f" scroll {part['scroll'][0]} {part['scroll'][1]}")
    return "\n".join(lines)


def digest_of(text: str) -> str:
    return blake2s(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def state_of(parts: Sequence[dict[str, Any]], text: str) -> State:
    """The state behind a snapshot; `text` is its text."""
    main = parts[0] if parts else {}
    return State(digest=digest_of(text), url=str(main.get("url", "")), title=str(main.get("title", "")))
