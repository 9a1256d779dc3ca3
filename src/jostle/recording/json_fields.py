"""Secrets in JSON: by the names of fields, also in lists and objects below one, and in JSON or GraphQL in its texts."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator

import msgspec

IsSecret = Callable[[str], bool]
Replace = Callable[[str, bool], str | None]
"""Given a value, and whether it is a message to people by its place; None leaves it."""

_TOKEN = re.compile(
    r'"(?P<text>[^"\\]*+(?:\\.[^"\\]*+)*+)(?:"|\\?\Z)|(?P<mark>[{}\[\]:,])|(?P<number>-?\d[\d.eE+-]{0,400})', re.DOTALL
)
_GUARD = re.compile(r"\s{0,100}(?:\)\]\}',?|while\s?\(1\);|for\s?\(;;\);)?\s{0,100}(?=[{\[\"])")
"""What servers write before JSON, so that it is no script."""
_LINE = re.compile(r"^[ \t]{0,20}(?:data:[ \t]{0,9})?(?=[{\[])", re.MULTILINE)
_SCRIPT = re.compile(r"<script\b[^<>]{0,400}\bjson\b[^<>]{0,400}>\s{0,100}(?=[{\[])", re.IGNORECASE)
_GRAPHQL = re.compile(
    r"(?<![\w$-])(?P<name>[\w-]{1,80})\s{0,20}:\s{0,20}"
    r'(?:"""(?P<block>[^"]++)"""|"(?P<text>[^"\\]*+(?:\\.[^"\\]*+)*+)"|(?P<number>\d{3,}))',
    re.DOTALL,
)
_GRAPHQL_KEYS = frozenset(("query", "mutation"))
_NAMING = frozenset(("name", "key", "id", "field", "type", "label"))
_VALUES = frozenset(("value", "val", "content", "data", "text"))
_ABOUT = re.compile(
    r"^(?:type|kind|name|user(?:name)?|email|id|scopes?|label|title|algorithm|alg|url|href|status|expir|created|updated)",
    re.IGNORECASE,
)
"""What an object below a secret name says about the secret."""
_MESSAGES = re.compile(r"error|message|validation|violation|label|transl|i18n|hint|problem", re.IGNORECASE)
_DEEPEST = 4
"""JSON in texts in JSON ..."""


class _Level(msgspec.Struct):
    is_object: bool
    below: bool
    """Whether a name above says that this is a secret."""
    messages: bool
    key: str = ""
    takes_key: bool = True
    named: bool = False
    """Whether the object tells the name of a secret: {"name": "password", "value": ...}."""
    values: list[tuple[int, int, str, bool]] = []


def json_parts(text: str, *, sure: bool = False) -> Iterator[tuple[int, int]]:
    """Where JSON is in a text: all of it, or lines and scripts. `sure`: it says that it is JSON."""
    if (start := _GUARD.match(text)) and (sure or _is_json(text[start.end() :])):
        yield start.end(), len(text)
        return
    end = 0
    for start in _LINE.finditer(text):
        if start.end() >= end:
            end = text.find("\n", start.end()) % (len(text) + 1)
            if _is_json(text[start.end() : end]):
                yield start.end(), end
    for start in _SCRIPT.finditer(text):
        end = text.find("</", start.end()) % (len(text) + 1)
        if _is_json(text[start.end() : end]):
            yield start.end(), end


def with_json_secrets(text: str, is_secret: IsSecret, replace: Replace, *, graphql: bool, depth: int = 0) -> str:
    """JSON with what `replace` gives for each secret. `graphql`: queries in it have values of their own."""
    edits = sorted(_edits(text, is_secret, replace, graphql, depth))
    parts: list[str] = []
    end = 0
    for start, stop, new in edits:
        parts += (text[end:start], new)
        end = stop
    return "".join((*parts, text[end:])) if parts else text


def with_graphql_secrets(text: str, is_secret: IsSecret, replace: Replace) -> str:
    """A GraphQL document without the secrets among its values."""

    def one(match: re.Match[str]) -> str:
        group = match.lastgroup or ""
        value = match[group]
        new = replace(decoded(value) if group == "text" else value, False) if is_secret(match["name"]) else None
        if new is None:
            return match[0]
        start, end = (place - match.start() for place in match.span(group))
        return match[0][:start] + (f'"{new}"' if group == "number" else new) + match[0][end:]

    return _GRAPHQL.sub(one, text)


def decoded(text: str) -> str:
    """A text as JSON writes it, without its quotes."""
    if "\\" not in text:
        return text
    try:
        value = json.loads(f'"{text}"', strict=False)
    except ValueError:
        return text
    return value if isinstance(value, str) else text


def _edits(
    text: str, is_secret: IsSecret, replace: Replace, graphql: bool, depth: int
) -> Iterator[tuple[int, int, str]]:
    def edit(start: int, end: int, value: str, number: bool, messages: bool) -> Iterator[tuple[int, int, str]]:
        if (new := replace(value, messages)) is not None:
            yield start, end, f'"{new}"' if number else new

    levels = [_Level(is_object=False, below=False, messages=False)]
    for token in _TOKEN.finditer(text):
        level = levels[-1]
        mark = token["mark"]
        if mark in ("{", "["):
            below = level.below or (level.is_object and is_secret(level.key))
            messages = level.messages or bool(_MESSAGES.search(level.key[:80]))
            levels.append(_Level(is_object=mark == "{", below=below, messages=messages, values=[]))
            if mark == "[":
                levels[-1].key = level.key
            continue
        if mark in ("}", "]"):
            if len(levels) > 1:
                levels.pop()
            if level.named:
                for pending in level.values:
                    yield from edit(*pending, level.messages)
            continue
        if mark:
            level.takes_key = mark == ","
            continue
        number = token["number"] is not None
        start, end = token.span("number" if number else "text")
        value = token["number"] if number else decoded(token["text"])
        if level.is_object and level.takes_key:
            level.key = value
            continue
        if not value or (number and not (value.isdigit() and len(value) >= 3)):
            continue
        key = level.key.lower()
        if is_secret(level.key) if level.is_object else level.below and (not number or is_secret(level.key)):
            yield from edit(start, end, value, number, level.messages)
        elif level.below and not number and not _ABOUT.search(level.key):
            yield from edit(start, end, value, False, True)
        elif key in _VALUES and level.is_object:
            level.values.append((start, end, value, number))
        elif level.is_object and key in _NAMING and not number and _is_name(key, value) and is_secret(value):
            level.named = True
        elif not number and depth < _DEEPEST:
            inner = value
            if graphql and key in _GRAPHQL_KEYS:
                inner = with_graphql_secrets(value, is_secret, replace)
            elif value.lstrip()[:1] in ("{", "[") and _is_json(value):
                inner = with_json_secrets(value, is_secret, replace, graphql=graphql, depth=depth + 1)
            if inner != value:
                written = json.dumps(inner, ensure_ascii=token["text"].isascii() or "\\u" in token["text"])
                yield start, end, written[1:-1]
    for level in levels:  # never closed
        if level.named:
            for pending in level.values:
                yield from edit(*pending, level.messages)


def _is_name(key: str, value: str) -> bool:
    """Whether this names a field. Tokens are of a `type`, too, in programs that read programs."""
    return len(value) <= 80 and " " not in value and (key != "type" or "pass" in value.lower())


def _is_json(text: str) -> bool:
    try:
        json.loads(text, strict=False, parse_int=str, parse_float=str)
    except RecursionError:
        return True
    except ValueError:
        return False
    return True
