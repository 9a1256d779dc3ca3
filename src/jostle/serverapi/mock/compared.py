"""Values that the scripts of a page compare with: those that decide which way it goes.

Read from the code: `item.status === "done"`, `switch (item.status) { case "done": ... }`,
`["done", "open"].includes(item.status)`, `stock < 5`. A value is known by the name of what it is compared with, which
is the name of the property in the response as long as nobody renamed it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache

import tree_sitter
import tree_sitter_javascript

from jostle.instrument.document import Inline, InlineKind, rewrite
from jostle.recording.file import Recording
from jostle.serverapi.bodies import media_type

Comparable = str | int | float

LARGEST = 2 * 2**20
"""Characters of a script that is read, and of all together."""
_MOST_VALUES = 12
"""For one name."""
_LONGEST = 100
_QUERY = """
(binary_expression
  left: [(member_expression property: (property_identifier) @name) (subscript_expression index: (string) @name)
         (identifier) @name]
  operator: ["===" "==" "!==" "!=" "<" ">" "<=" ">="] @operator
  right: [(string) (number)] @value)
(binary_expression
  left: [(string) (number)] @value
  operator: ["===" "==" "!==" "!=" "<" ">" "<=" ">="] @operator
  right: [(member_expression property: (property_identifier) @name) (subscript_expression index: (string) @name)
          (identifier) @name])
(switch_statement
  value: (parenthesized_expression [(member_expression property: (property_identifier) @name) (identifier) @name])
  body: (switch_body (switch_case value: [(string) (number)] @value)))
(call_expression
  function: (member_expression object: (array [(string) (number)] @value) property: (property_identifier) @_includes)
  arguments: (arguments . [(member_expression property: (property_identifier) @name) (identifier) @name])
  (#any-of? @_includes "includes" "indexOf"))
"""
_ESCAPE = re.compile(r"\\(?:u\{([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(.))", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0"}
_BOUNDS = frozenset(("<", ">", "<=", ">="))


def compared_in(recording: Recording) -> dict[str, tuple[Comparable, ...]]:
    """What the scripts and documents in a recording compare with, by the name of the property."""
    left = LARGEST
    sources: list[str] = []
    for name, kind in dict.fromkeys(
        (each.body, media_type(each.header("content-type"))) for each in recording.exchanges if each.body
    ):
        is_html = kind in ("text/html", "application/xhtml+xml")
        if not is_html and "javascript" not in kind and "ecmascript" not in kind:
            continue
        text = recording.bodies[name].decode("utf-8", "replace")
        if len(text) > left:
            continue
        left -= len(text)
        sources += _scripts_in(text) if is_html else [text]
    return compared(sources)


def compared(sources: Iterable[str]) -> dict[str, tuple[Comparable, ...]]:
    """What these scripts compare with. What is no JavaScript says nothing."""
    found: dict[str, dict[Comparable, None]] = {}
    for source in dict.fromkeys(sources):
        for name, value in _comparisons(source):
            values = found.setdefault(name, {})
            if len(values) < _MOST_VALUES:
                values.setdefault(value)
    return {name: tuple(values) for name, values in found.items()}


def _comparisons(source: str) -> Iterator[tuple[str, Comparable]]:
    parser, query = _tools()
    tree = parser.parse(source.encode("utf-8", "replace"))
    for _, captured in tree_sitter.QueryCursor(query).matches(tree.root_node):
        names = [_name(each) for each in captured.get("name", ())]
        bound = any(_text(each) in _BOUNDS for each in captured.get("operator", ()))
        for node in captured.get("value", ()):
            value = _value(node)
            if value is None:
                continue
            for name in names:
                yield name, value
                if bound and isinstance(value, int | float):
                    yield from ((name, value - 1), (name, value + 1))


@cache
def _tools() -> tuple[tree_sitter.Parser, tree_sitter.Query]:
    language = tree_sitter.Language(tree_sitter_javascript.language())
    return tree_sitter.Parser(language), tree_sitter.Query(language, _QUERY)


def _scripts_in(html: str) -> list[str]:
    found: list[str] = []

    def note(source: str, kind: InlineKind, line: int, column: int) -> Inline:
        found.append(source)
        return Inline(source, "", [])

    rewrite(html, note)
    return found


def _name(node: tree_sitter.Node) -> str:
    text = _text(node)
    return text[1:-1] if node.type == "string" else text


def _value(node: tree_sitter.Node) -> Comparable | None:
    text = _text(node)
    if node.type == "string":
        inner = text[1:-1]
        return _ESCAPE.sub(_unescaped, inner) if inner and len(inner) <= _LONGEST else None
    try:
        return int(text) if text.isdigit() and len(text) < 16 else float(text)
    except ValueError:
        return None


def _unescaped(found: re.Match[str]) -> str:
    code = found[1] or found[2] or found[3]
    if not code:
        return _ESCAPED.get(found[4], found[4])
    number = int(code, 16)
    return chr(number) if number < 0x110000 and not 0xD800 <= number < 0xE000 else ""


def _text(node: tree_sitter.Node) -> str:
    return (node.text or b"").decode("utf-8", "replace")
