"""Error messages of rewritten programs in the words of the original: V8 prints the code that failed."""

from __future__ import annotations

import re
from bisect import bisect_right

from jostle.instrument import syntax as js
from jostle.instrument.syntax import NotParsed, Syntax

_SHAPES = (
    (re.compile(r"(?P<before>^|: )(?P<code>[^:]*\$jostle.*?)(?= is not a function)"), (js.CALL,)),
    (re.compile(r"(?P<before>^|: )(?P<code>[^:]*\$jostle.*?)(?= is not a constructor)"), (js.NEW,)),
    (
        re.compile(r"(?P<before>^|: )(?P<code>[^:]*\$jostle.*?)(?= is not (?:async )?iterable)"),
        (js.FOR_IN, js.DECLARATOR, js.ASSIGNMENT, js.SPREAD),
    ),
    (re.compile(r"(?P<before> of ')(?P<code>[^']*\$jostle.*?)(?=' as it is )"), (js.DECLARATOR, js.ASSIGNMENT)),
)
_PROBE = re.compile(r"\$jostle\.\w+(?:\(\.\.\.\))?")


def restored(message: str, source: str, offset: int) -> str:
    """The message as the original would have had it; `offset`: where in the original it was thrown."""
    if "$jostle" not in message:
        return message
    for shape, kinds in _SHAPES:
        if found := shape.search(message):
            code = _blamed(source, offset, kinds)
            if code:
                return message[: found.start("code")] + code + message[found.end("code") :]
    return _PROBE.sub("(intermediate value)", message)


def _blamed(source: str, offset: int, kinds: tuple[int, ...]) -> str:
    try:
        syntax = Syntax(source)
    except NotParsed:
        return ""
    node = bisect_right(syntax.starts, offset) - 1
    while node > 0 and (syntax.kinds[node] not in kinds or syntax.ends[node] <= offset):
        node = syntax.parents[node]
    if node <= 0:
        return ""
    kind = syntax.kinds[node]
    if kind in (js.CALL, js.NEW, js.SPREAD):
        return _printed(syntax, node + 1)
    if kind == js.FOR_IN:
        values = (
            n for n in range(node + 1, syntax.last[node]) if syntax.parents[n] == node and syntax.fields[n] == js.RIGHT
        )
        return _printed(syntax, next(values))
    return _printed(syntax, syntax.last[node])


def _printed(syntax: Syntax, node: int) -> str:
    """An expression as V8 prints it."""
    ends: list[str] = []
    while True:
        node = syntax.bare(node)
        kind, last = syntax.kinds[node], syntax.last[node]
        mark = "?." if node in syntax.optional else ""
        if kind == js.MEMBER:
            ends.append((mark or ".") + syntax.text(last))
        elif kind == js.SUBSCRIPT and syntax.kinds[last] == js.STRING:
            ends.append((mark or ".") + syntax.text(last)[1:-1])
        elif kind == js.SUBSCRIPT:
            ends.append(f"{mark}[{_printed(syntax, last)}]")
        elif kind == js.CALL:
            ends.append(f"{mark}(...)")
        else:
            plain = kind in (js.IDENTIFIER, js.THIS, js.NUMBER, js.LITERAL, js.SUPER)
            return (syntax.text(node) if plain else "(intermediate value)") + "".join(reversed(ends))
        node += 1
