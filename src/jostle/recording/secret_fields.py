"""Values of named fields in texts: queries and forms, what looks like JSON, multipart, XML, markup.

Pure, in time that grows with the text: one generic pattern finds names, whoever asks decides which of them are secret,
and only the values of those are read.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator
from urllib.parse import unquote, unquote_plus

import msgspec

from jostle.recording.json_fields import decoded

IsSecret = Callable[[str], bool]


class Field(msgspec.Struct, frozen=True):
    """The value of a field, and where it is."""

    start: int
    end: int
    value: str
    """Decoded."""
    number: bool = False
    """A bare number in JSON."""


def replaced(text: str, fields: Iterator[Field], replace: Callable[[Field], str | None]) -> str:
    """The text with what `replace` gives for each field; None leaves it. Fields come from left to right."""
    parts: list[str] = []
    end = 0
    for field in fields:
        if field.start >= end and (new := replace(field)) is not None:
            parts += (text[end : field.start], f'"{new}"' if field.number else new)
            end = field.end
    return "".join((*parts, text[end:])) if parts else text


class _Form(msgspec.Struct, frozen=True):
    """How fields are written. The name is sought alone: the value of an ordinary field may hold fields of its own."""

    name: re.Pattern[str]
    value: re.Pattern[str]
    decode: Callable[[str], str] = str
    decode_name: Callable[[str], str] = str

    def fields(self, text: str, is_secret: IsSecret) -> Iterator[Field]:
        for name in self.name.finditer(text):
            if is_secret(self.decode_name(name[1])) and (match := self.value.match(text, name.end())):
                group = match.lastgroup or "value"
                yield Field(*match.span(group), self.decode(match[group]), group == "number")


QUERY = _Form(
    re.compile(r"(?:\A|(?<=[?&#])|(?<=&amp;))([^\s?&=#;\"'<>]{1,200})="),
    re.compile(r"(?P<value>[^\s&#\"'<>]+)"),
    unquote_plus,
    unquote_plus,
)
JSON_LIKE = _Form(
    re.compile(r'"([^"\\]{1,80})"\s{0,20}:'),
    re.compile(r'\s{0,20}(?:"(?P<value>(?:[^"\\]++|\\.)++)"|(?P<number>\d{3,}))', re.DOTALL),
    decoded,
)
JSON_IN_JSON = _Form(re.compile(r'\\"([^"\\]{1,80})\\"\s{0,20}:'), re.compile(r'\s{0,20}\\"(?P<value>[^"\\]+)\\"'))
XML_ELEMENT = _Form(
    re.compile(r"<(?:[\w.-]{1,40}:)?([\w.-]{1,80})(?:\s[^<>]{0,1000})?(?<!/)>"),
    re.compile(r"\s{0,200}(?:<!\[CDATA\[(?P<cdata>[^\]<]{1,65536})\]\]>|(?P<value>[^<>]{1,65536}))(?=\s{0,200}</)"),
    html.unescape,
)
XML_ATTRIBUTE = _Form(
    re.compile(r"(?<![\w:.-])(?:[\w.-]{1,40}:)?([\w.-]{1,80})\s{0,20}=(?=\s{0,20}[\"'])"),
    re.compile(r"\s{0,20}(?:\"(?P<value>[^\"<>]{1,65536})\"|'(?P<single>[^'<>]{1,65536})')"),
    html.unescape,
)

_DELIMITER = re.compile(r"^(--\S[^\r\n]{0,75})\r?\n(?=[Cc]ontent-)", re.MULTILINE)
_DISPOSITION = re.compile(r"^content-disposition:([^\r\n]{1,4096})", re.IGNORECASE | re.MULTILINE)
_PARAMETER = re.compile(r";\s{0,20}(\w{1,20})(\*?)=(?:\"((?:[^\"\\]++|\\.)*+)\"|([^;\s]{1,400}))", re.IGNORECASE)
_LONGEST_HEAD = 16_384


def multipart_fields(text: str, is_secret: IsSecret) -> Iterator[Field]:
    """Fields of a form in parts; files are none."""
    first = _DELIMITER.search(text)
    if first is None:
        return
    delimiter = f"\n{first[1]}"
    start = first.end()
    while start < len(text):
        end = text.find(delimiter, start)
        stop = end if end >= 0 else len(text)
        if body := _part_body(text, start, stop):
            names = _parameters(text[start:body])
            if "filename" not in names and is_secret(names.get("name", "")):
                last = stop - 1 if end >= 0 and text[stop - 1 : stop] == "\r" else stop
                if last > body:
                    yield Field(body, last, text[body:last])
        start = stop + len(delimiter)


def _part_body(text: str, start: int, stop: int) -> int:
    """Where the body of a part begins; 0 if it has none."""
    reach = min(stop, start + _LONGEST_HEAD)
    found = [at + len(gap) for gap in ("\r\n\r\n", "\n\n") if (at := text.find(gap, start, reach)) >= 0]
    return min(found, default=0)


def _parameters(head: str) -> dict[str, str]:
    line = _DISPOSITION.search(head)
    found: dict[str, str] = {}
    for each in _PARAMETER.finditer(line[1] if line else ""):
        value = each[3] if each[3] is not None else each[4]
        found.setdefault(each[1].lower(), unquote(value.rpartition("'")[2]) if each[2] else value)
    return found


_TAG = re.compile(r"<(?:input|meta)\b[^<>]{0,4096}>", re.IGNORECASE)
_ATTRIBUTE = re.compile(
    r"(?<![\w-])([\w-]{1,80})\s{0,20}=\s{0,20}(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+))",
)


def tag_fields(text: str, is_secret: IsSecret) -> Iterator[Field]:
    """Values of password inputs and of hidden ones with a secret's name; `<meta name="csrf-token">`."""
    for tag in _TAG.finditer(text):
        spans = {match[1].lower(): match.span(match.lastindex or 0) for match in _ATTRIBUTE.finditer(tag[0])}
        name, kind = (tag[0][slice(*spans.get(attribute, (0, 0)))] for attribute in ("name", "type"))
        if kind.lower() == "password" or is_secret(html.unescape(name)):
            start, end = spans.get("content" if tag[0][1:5].lower() == "meta" else "value", (0, 0))
            if end > start:
                yield Field(tag.start() + start, tag.start() + end, html.unescape(tag[0][start:end]))
