"""AIL text as data, with errors that say where, what was expected and what stands there."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple, NoReturn
from urllib.parse import unquote

from jostle.addresses import explicit_port, split_url
from jostle.errors import UsageProblem
from jostle.reading import read_file
from jostle.serverapi.description import (
    Alternative,
    Anything,
    Cardinality,
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
from jostle.untrusted import well_formed

LARGEST = 16 * 2**20
"""Bytes of a description."""
MOST_COMMENTS = 10_000

_BLANK = re.compile(r"[ \t\r\n\f\v]+")
_METHOD = re.compile(r"[A-Z][A-Z-]{1,30}(?=[ \t])")
_METHOD_ALONE = re.compile(r"[A-Z][A-Z-]{1,30}")
_BASE = re.compile(r"[^\s#\"]+")
_CONSTANT = re.compile(r"[^\s/:()\"*,|#]+")
_NAME = re.compile(r"[A-Za-z_$][\w$.\[\]-]*", re.ASCII)
_FILE = re.compile(r"@([^\s()|,#\":@][^\s()|,#\":]*?\.(?:json|rng))(?![^\s()|,#\":])")
_TYPE_NAME = re.compile(r"#([\w.-]+)", re.ASCII)
_MEDIA = re.compile(r"[A-Za-z][\w.+-]*/(?:[A-Za-z][\w.+-]*|\*)", re.ASCII)
_STATUS = re.compile(r"[1-5](?:\d\d|xx)(?=[ \t\r\n])")
_WORD = re.compile(r"[A-Za-z_][\w.-]*", re.ASCII)
_STRING = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
_ESCAPE = re.compile(r'\\(?:u\{([0-9a-fA-F]{1,6})\}|(["\\nrt])|(.?))')
_ESCAPED = {"n": "\n", "r": "\r", "t": "\t"}
_TYPES: dict[str, Simple] = {"void": Void(), "int": Integer(), "id": Identifier()}


class AilProblem(UsageProblem):
    """A description is not as the language wants it."""

    def __init__(self, message: str, *, line: int, column: int, advice: str = "") -> None:
        super().__init__(message, advice=advice)
        self.line = line
        self.column = column


def read_ail(file: Path) -> Description:
    """Raises UsageProblem."""
    try:
        data = read_file(file, LARGEST, follow=True)
    except OSError as error:
        raise UsageProblem(f"{file} cannot be read: {error.strerror or error}.") from None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise UsageProblem(f"{file} is not UTF-8 text: line {line} cannot be read.") from None
    return parse_description(text, str(file))


def parse_description(text: str, name: str = "description") -> Description:
    """`name` is what messages call it. Raises AilProblem."""
    return _Parser(well_formed(text), name).description()


def is_method(text: str) -> bool:
    """Whether an operation may have this method."""
    return _METHOD_ALONE.fullmatch(text) is not None


def is_base(address: str) -> bool:
    """Whether a description may be of a server at this address."""
    parts = split_url(address)
    unsound = parts.scheme not in ("http", "https") or not parts.hostname or parts.query or not _BASE.fullmatch(address)
    return not unsound and (
        explicit_port(parts) is not None or re.fullmatch(r"[^:]+|\[[^\]]*\]", parts.netloc) is not None
    )


class _Mark(NamedTuple):
    """A place in the text, to complain about later."""

    at: int


class _Parser:
    def __init__(self, text: str, name: str) -> None:
        self._text = text
        self._name = name
        self._at = 0
        self._comments: list[str] = []
        """Comments that were passed and belong to what comes next."""

    # Reading on ----------------------------------------------------------------------------------------------------

    def _blank(self) -> None:
        """Pass white space and comments."""
        while True:
            if blank := _BLANK.match(self._text, self._at):
                self._at = blank.end()
            if self._text[self._at : self._at + 1] != "#":
                return
            end = self._text.find("\n", self._at)
            end = len(self._text) if end < 0 else end
            comment = self._text[self._at + 1 : end].rstrip()
            if len(self._comments) >= MOST_COMMENTS:
                self._fail("fewer comments")
            self._comments.append(comment.removeprefix(" "))
            self._at = end

    def _taken(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        found = pattern.match(self._text, self._at)
        if found:
            self._at = found.end()
        return found

    def _next(self, text: str) -> bool:
        """Whether this comes next; then it is passed."""
        if self._text.startswith(text, self._at):
            self._at += len(text)
            return True
        return False

    def _expect(self, text: str, wanted: str) -> None:
        self._blank()
        if not self._next(text):
            self._fail(wanted)

    def _fail(self, expected: str, *, at: _Mark | None = None, advice: str = "") -> NoReturn:
        self._complain(f"expected {expected}, found {self._found(at)}", at=at, advice=advice)

    def _complain(self, what: str, *, at: _Mark | None = None, advice: str = "") -> NoReturn:
        where = self._at if at is None else at.at
        before = self._text[:where]
        line, column = before.count("\n") + 1, where - (before.rfind("\n") + 1) + 1
        whole = self._text[where - column + 1 :].split("\n", 1)[0]
        start = max(0, column - 60)
        excerpt = whole[start : start + 100]
        pointer = "".join("\t" if each == "\t" else " " for each in excerpt[: column - 1 - start]) + "^"
        raise AilProblem(
            f"{self._name}:{line}:{column}: {what}.\n    {excerpt}\n    {pointer}",
            line=line,
            column=column,
            advice=advice,
        )

    def _found(self, at: _Mark | None = None) -> str:
        rest = self._text[self._at if at is None else at.at :]
        if not rest:
            return "the end of the file"
        if rest[0] == "\n":
            return "the end of the line"
        if rest[0] == '"':
            shown = _STRING.match(rest)
            return shown[0][:40] if shown else "a text whose closing quote is missing on its line"
        word = re.match(r"[\w.$@-]+|.", rest)
        return f'"{word[0][:40]}"' if word else "the end of the file"

    # The language --------------------------------------------------------------------------------------------------

    def description(self) -> Description:
        self._blank()
        if not re.match(r"URL(?=\s)", self._text[self._at :]):
            self._fail("the line URL with the address of the server", advice="For example: URL http://localhost:8000")
        comments = self._passed()
        self._at += 3
        base = self._base()
        operations = []
        while True:
            self._blank()
            if self._at >= len(self._text):
                break
            operations.append(self._operation())
        return Description(base=base, operations=tuple(operations), comments=comments, footer=self._passed())

    def _passed(self) -> tuple[str, ...]:
        passed, self._comments = tuple(self._comments), []
        return passed

    def _base(self) -> str:
        self._taken(re.compile(r"[ \t]+"))
        mark = _Mark(self._at)
        found = self._taken(_BASE)
        address = found[0].rstrip("/") if found else ""
        if not is_base(address):
            self._fail("an address like http://localhost:8000", at=mark)
        return address

    def _operation(self) -> Operation:
        before = self._passed()
        method = self._taken(_METHOD)
        if not method:
            mark = _Mark(self._at)
            word = _WORD.match(self._text, self._at)
            if word and word[0].isupper():
                self._at = word.end()
                self._fail(f"a path after {word[0]}")
            advice = f"Methods are written in capitals: {word[0].upper()}" if word and word[0].isalpha() else ""
            self._fail("an operation that begins with a method (GET, POST ...)", at=mark, advice=advice)
        self._blank()
        path = self._path()
        self._expect("(", "( with the parameters after the path")
        parameters = self._parameters()
        self._expect(":", ": and the response after the parameters")
        responses = [self._alternative()]
        while self._another():
            responses.append(self._alternative())
        pattern = Pattern(method=method[0], path=path, parameters=tuple(parameters))
        return Operation(pattern=pattern, responses=tuple(responses), comments=(*before, *self._passed_here()))

    def _passed_here(self) -> tuple[str, ...]:
        """Comments within an operation and on its last line belong to it too."""
        rest = re.compile(r"[ \t]*(?:#([^\n]*))?").match(self._text, self._at)
        if rest and rest[1] is not None:
            self._comments.append(rest[1].rstrip().removeprefix(" "))
            self._at = rest.end()
        return self._passed()

    def _another(self) -> bool:
        """Whether `|` comes next. Comments that follow the last response belong to what comes next, not to it."""
        at, kept = self._at, len(self._comments)
        self._blank()
        if self._next("|"):
            return True
        self._at = at
        del self._comments[kept:]
        return False

    def _path(self) -> tuple[Fragment, ...]:
        self._next("/")
        fragments: list[Fragment] = []
        self._taken(_BLANK)
        while self._text[self._at : self._at + 1] not in ("(", ""):
            fragments.append(self._fragment())
            if not self._next("/"):
                break
            self._taken(_BLANK)  # a long path goes on in the next line
        return tuple(fragments)

    def _fragment(self) -> Fragment:
        mark = _Mark(self._at)
        if self._next("*"):
            return Fragment(datatype=(Anything(),))
        if self._text[self._at : self._at + 1] == '"':
            name = self._string()
        else:
            found = self._taken(_CONSTANT)
            if not found:
                self._fail("a part of the path, name:* or *", advice="Write other characters as in addresses: %20")
            name = found[0]
            if self._text[self._at : self._at + 1] != ":":
                constant = well_formed(unquote(name))
                return Fragment(text=constant)
            if not _NAME.fullmatch(name):
                self._complain(f'"{name}" is no name for a parameter: quote it', at=mark)
        if not self._next(":"):
            self._fail(": and a type after the name")
        if self._text[self._at : self._at + 1] in ("?", "+"):
            self._complain("a part of the path is always there once: it has no ? or +")
        return Fragment(name=name, datatype=self._datatype(in_path=True))

    def _parameters(self) -> list[Parameter]:
        parameters: list[Parameter] = []
        self._blank()
        if self._next(")"):
            return parameters
        seen = set()
        while True:
            self._blank()
            mark = _Mark(self._at)
            parameter = self._parameter()
            if parameter.key in seen:
                self._complain(f"the parameter {parameter.words} is there twice", at=mark)
            seen.add(parameter.key)
            parameters.append(parameter)
            self._blank()
            if self._next(")"):
                return parameters
            if not self._next(","):
                self._fail(", or ) after a parameter")

    def _parameter(self) -> Parameter:
        place, name = Place.FIELD, ""
        if self._text[self._at : self._at + 1] == '"':
            name = self._string()
        else:
            found = self._taken(_NAME)
            if not found:
                self._fail("the name of a parameter", advice='Other names are quoted: "a name":*')
            name = found[0]
            if name in ("body", "graphql"):
                place, name = Place(name), ""
            elif name == "body." and self._text[self._at : self._at + 1] == '"':
                place, name = Place.PROPERTY, self._string()
            elif name.startswith("body."):
                place, name = Place.PROPERTY, name.removeprefix("body.")
        self._blank()
        if not self._next(":"):
            self._fail(": and a type after the name of the parameter")
        self._blank()
        cardinality = Cardinality.ONE
        for each in (Cardinality.OPTIONAL, Cardinality.MANY):
            if self._next(each.value):
                cardinality = each
        return Parameter(name=name, place=place, cardinality=cardinality, datatype=self._datatype())

    def _datatype(self, *, in_path: bool = False) -> Datatype:
        types = []
        while True:
            if not in_path:
                self._blank()
            mark = _Mark(self._at)
            simple = self._simple(bare=True, media=False)
            if isinstance(simple, Void):
                self._complain("void is for responses: a request carries something or has no such parameter", at=mark)
            if in_path and isinstance(simple, JsonSchema | RelaxNg):
                self._complain("a part of the path is text: use *, int, id or constants", at=mark)
            types.append(simple)
            if not in_path:
                self._blank()
            if not self._next("|"):
                return tuple(types)

    def _alternative(self) -> Alternative:
        self._blank()
        status = self._taken(_STATUS)
        self._blank()
        return Alternative(status=status[0] if status else "", type=self._simple(bare=False, media=True))

    def _simple(self, *, bare: bool, media: bool) -> Simple:
        """One type. `bare`: a word may be a constant without quotes. `media`: a media type may be here."""
        mark = _Mark(self._at)
        if self._next("*"):
            return Anything()
        start = self._text[self._at : self._at + 1]
        if start == '"':
            return Constant(self._string())
        if start == "@":
            return self._schema()
        if media and (kind := self._taken(_MEDIA)):
            return Media(kind[0].lower())
        word = self._taken(_WORD)
        if word and word[0] in _TYPES:
            return _TYPES[word[0]]
        if bare and word:
            return Constant(word[0])
        return self._fail(
            'a response: void, *, int, id, "text", @file.json, @file.rng or a media type like text/html'
            if media
            else 'a type: *, int, id, "text" or @file.json',
            at=mark,
        )

    def _schema(self) -> Simple:
        found = self._taken(_FILE)
        if not found:
            self._fail("a file name like @items.json or @feed.rng after @")
        if found[1].endswith(".json"):
            return JsonSchema(found[1])
        kind = self._taken(_TYPE_NAME)
        return RelaxNg(found[1], kind[1] if kind else "")

    def _string(self) -> str:
        mark = _Mark(self._at)
        found = self._taken(_STRING)
        if not found:
            self._fail('a closing " on the same line', at=mark)

        def plain(escape: re.Match[str]) -> str:
            code, letter, wrong = escape.groups()
            if code is not None:
                if int(code, 16) > 0x10FFFF:
                    self._complain("there is no such character", at=_Mark(mark.at + 1 + escape.start()))
                return well_formed(chr(int(code, 16)))
            if letter is not None:
                return _ESCAPED.get(letter, letter)
            return self._complain(f"\\{wrong} means nothing in a text", at=_Mark(mark.at + 1 + escape.start()))

        return _ESCAPE.sub(plain, found[1])
