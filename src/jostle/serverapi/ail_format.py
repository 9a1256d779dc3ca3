"""Descriptions as AIL text. What is written here is read back as it was."""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import quote

from jostle.serverapi.description import (
    Alternative,
    Anything,
    Constant,
    Datatype,
    Description,
    Fragment,
    Identifier,
    Integer,
    JsonSchema,
    Media,
    Operation,
    Parameter,
    Pattern,
    Place,
    RelaxNg,
    Simple,
    Void,
)

WIDTH = 110
BARE_NAME = re.compile(r"[A-Za-z_$][\w$.\[\]-]*", re.ASCII)
"""A name that needs no quotes, unless it is one of the words below or begins with `body.`."""
PLACES = ("body", "graphql")
_IN_PATH = "._~!$&'+=;@-"
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def format_description(description: Description) -> str:
    """The text of a description, with a newline at its end."""
    text = "".join([*_comment_lines(description.comments), f"URL {description.base}\n"])
    apart = True
    for operation in description.operations:
        block = f"{''.join(_comment_lines(operation.comments))}{format_operation(operation)}\n"
        long = block.count("\n") > 1
        text += f"\n{block}" if long or apart else block
        apart = long
    footer = "".join(_comment_lines(description.footer))
    return f"{text}\n{footer}" if footer else text


def format_operation(operation: Operation) -> str:
    """One operation, on one line where it fits."""
    head = format_head(operation.pattern)
    parameters = [format_parameter(each) for each in operation.pattern.parameters]
    responses = [format_alternative(each) for each in operation.responses]
    line = f"{head}({', '.join(parameters)}) : {' | '.join(responses)}"
    if len(line) <= WIDTH:
        return line
    inside = "".join(f"\n    {each}{',' if n < len(parameters) else ''}" for n, each in enumerate(parameters, 1))
    shown = f"{head}({inside}\n)" if len(parameters) > 1 else f"{head}({', '.join(parameters)})"
    return f"{shown} :\n    " + "\n  | ".join(responses)


def format_pattern(pattern: Pattern) -> str:
    """`GET users/id:int(page:?int)`"""
    return f"{format_head(pattern)}({', '.join(map(format_parameter, pattern.parameters))})"


def format_head(pattern: Pattern) -> str:
    """Method and path: `GET users/id:int`."""
    return f"{pattern.method} {'/'.join(map(format_fragment, pattern.path)) or '/'}"


def format_fragment(fragment: Fragment) -> str:
    if fragment.constant:
        return "".join(map(_path_character, fragment.text))
    if not fragment.name and fragment.datatype == (Anything(),):
        return "*"
    return f"{_name(fragment.name)}:{format_datatype(fragment.datatype)}"


def format_parameter(parameter: Parameter) -> str:
    match parameter.place:
        case Place.BODY | Place.GRAPHQL:
            name = parameter.place.value
        case Place.PROPERTY:
            name = f"body.{_name(parameter.name)}"
        case _:
            reserved = parameter.name in PLACES or parameter.name.startswith("body.")
            name = _quoted(parameter.name) if reserved else _name(parameter.name)
    return f"{name}:{parameter.cardinality.value}{format_datatype(parameter.datatype)}"


def format_alternative(alternative: Alternative) -> str:
    shown = format_simple(alternative.type)
    return f"{alternative.status} {shown}" if alternative.status else shown


def format_datatype(datatype: Datatype) -> str:
    return "|".join(map(format_simple, datatype))


def format_simple(simple: Simple) -> str:
    match simple:
        case Constant(text=text):
            return _quoted(text)
        case Anything():
            return "*"
        case Void():
            return "void"
        case Integer():
            return "int"
        case Identifier():
            return "id"
        case JsonSchema(file=file):
            return f"@{file}"
        case RelaxNg(file=file, type=kind):
            return f"@{file}#{kind}" if kind else f"@{file}"
        case Media(type=kind):
            return kind


def _name(name: str) -> str:
    return name if BARE_NAME.fullmatch(name) else _quoted(name)


def _quoted(text: str) -> str:
    return '"' + "".join(_ESCAPES.get(each) or (each if each.isprintable() else _escaped(each)) for each in text) + '"'


def _escaped(character: str) -> str:
    return f"\\u{{{ord(character):x}}}"


def _path_character(character: str) -> str:
    if character.isascii():
        return character if character.isalnum() or character in _IN_PATH else quote(character, safe="")
    return character if character.isprintable() and not character.isspace() else quote(character, safe="")


def _comment_lines(comments: Iterable[str]) -> list[str]:
    return [f"#{' ' if each else ''}{each}\n" for each in comments]
