"""Which operation a request belongs to, and whether its response keeps to it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from jostle.serverapi.bodies import NotJson, json_value
from jostle.serverapi.description import (
    Alternative,
    Anything,
    Cardinality,
    Constant,
    Datatype,
    Description,
    Identifier,
    Integer,
    JsonSchema,
    Media,
    Operation,
    Pattern,
    Place,
    Simple,
    Void,
    is_identifier,
    is_integer,
)
from jostle.serverapi.sample import ApiRequest, ApiResponse, Content
from jostle.serverapi.schemas import Schemas, Violation
from jostle.serverapi.traffic import path_fragments


class Matcher:
    """Finds operations for requests. Descriptions are meant to have at most one for each."""

    def __init__(self, description: Description, schemas: Schemas | None = None, *, lenient: bool = False) -> None:
        """`lenient`: any body will do, whatever its schema says."""
        self.description = description
        self._lenient = lenient
        self._schemas = schemas or Schemas({})
        base = description.base
        authority = base.partition("://")[2]
        self._prefix = path_fragments(authority.partition("/")[2])
        self._origin = base[: len(base) - len(authority)] + authority.partition("/")[0]
        self._by_size: dict[tuple[str, int], list[int]] = defaultdict(list)
        for number, operation in enumerate(description.operations):
            self._by_size[operation.pattern.method, len(operation.pattern.path)].append(number)

    def number_for(self, request: ApiRequest, *, anywhere: bool = True) -> int | None:
        """The position of the operation. `anywhere`: whatever server the request was sent to."""
        found = self.numbers_for(request, anywhere=anywhere, most=1)
        return found[0] if found else None

    def operation_for(self, request: ApiRequest) -> Operation | None:
        number = self.number_for(request)
        return None if number is None else self.description.operations[number]

    def numbers_for(self, request: ApiRequest, *, anywhere: bool = True, most: int = 1000) -> list[int]:
        """The positions of all operations that a request belongs to."""
        path = self._path(request, anywhere)
        if path is None:
            return []
        named = request.named()
        found = []
        for number in self._by_size.get((request.method, len(path)), ()):
            if self._fits(self.description.operations[number].pattern, path, named, request):
                found.append(number)
                if len(found) >= most:
                    break
        return found

    def nearest(self, request: ApiRequest) -> tuple[Operation, str] | None:
        """The operation that comes nearest to a request that belongs to none, and why it is not it."""
        path = self._path(request, anywhere=True)
        if path is None:
            path = request.path
        best: tuple[int, Operation, str] | None = None
        for operation in self.description.operations:
            distance, why = self._mismatch(operation.pattern, path, request)
            if best is None or distance < best[0]:
                best = (distance, operation, why)
        return best and best[1:]

    def violations(self, operation: Operation, response: ApiResponse) -> list[Violation]:
        """Where a response leaves its operation; empty when it keeps to it."""
        allowed = _allowed(operation, response)
        if not allowed:
            return [Violation("", f"status {response.status} is not described")]
        found: list[Violation] = []
        for alternative in allowed:
            wrong = self._leaves(alternative.type, response)
            if not wrong:
                return []
            if not found or len(wrong) < len(found):
                found = wrong
        return found

    def _path(self, request: ApiRequest, anywhere: bool) -> tuple[str, ...] | None:
        if not anywhere and request.origin != self._origin:
            return None
        size = len(self._prefix)
        return request.path[size:] if request.path[:size] == self._prefix else None

    def _fits(
        self, pattern: Pattern, path: tuple[str, ...], named: Mapping[str, list[str]], request: ApiRequest
    ) -> bool:
        for fragment, text in zip(pattern.path, path, strict=True):
            if fragment.constant:
                if fragment.text != text:
                    return False
            elif not self._is(fragment.datatype, text):
                return False
        declared, has_body, has_graphql = 0, False, False
        for parameter in pattern.parameters:
            match parameter.place:
                case Place.FIELD:
                    values = named.get(parameter.name, ())
                    declared += parameter.name in named
                    if not _often_enough(parameter.cardinality, len(values)):
                        return False
                    if not all(self._is(parameter.datatype, value) for value in values):
                        return False
                case Place.BODY:
                    has_body = True
                    if request.content in (Content.EMPTY, Content.FIELDS):
                        if parameter.required:
                            return False
                    elif not self._body_is(parameter.datatype, request):
                        return False
                case Place.PROPERTY:
                    text_or_none = property_text(request, parameter.name)
                    if text_or_none is None:
                        if parameter.required:
                            return False
                    elif not self._is(parameter.datatype, text_or_none):
                        return False
                case Place.GRAPHQL:
                    has_graphql = True
                    if not request.graphql and parameter.required:
                        return False
                    if request.graphql and not self._is(parameter.datatype, request.graphql):
                        return False
        if declared < len(named):
            return False
        if request.graphql and not has_graphql and request.content is Content.GRAPHQL:
            return False
        return has_body or request.content in (Content.EMPTY, Content.FIELDS)

    def _mismatch(self, pattern: Pattern, path: tuple[str, ...], request: ApiRequest) -> tuple[int, str]:
        distance, why = 0, ""
        if pattern.method != request.method:
            distance, why = 20, f"its method is {pattern.method}"
        if len(pattern.path) != len(path):
            distance += 10 * abs(len(pattern.path) - len(path))
            why = why or f"its path has {len(pattern.path)} parts, not {len(path)}"
        for fragment, text in zip(pattern.path, path, strict=False):
            if not self._is(fragment.type, text):
                distance += 8
                why = why or f'"{text[:60]}" stands where it has {_words(fragment.type)}'
        named = request.named()
        declared = {each.name: each for each in pattern.parameters if each.place is Place.FIELD}
        for name in named.keys() - declared.keys():
            distance += 2
            why = why or f"it has no parameter {name[:60]}"
        for name, parameter in declared.items():
            values = named.get(name, [])
            if not _often_enough(parameter.cardinality, len(values)):
                distance += 2
                why = why or (f"the parameter {name} is there {len(values)} times" if values else f"it needs {name}")
            elif not all(self._is(parameter.datatype, value) for value in values):
                distance += 3
                why = why or f"its {name} is {_words(parameter.datatype)}"
        return distance + (not why), why or "its body is described otherwise"

    def _is(self, datatype: Datatype, text: str) -> bool:
        return any(self._is_simple(simple, text) for simple in datatype)

    def _is_simple(self, simple: Simple, text: str) -> bool:
        match simple:
            case Constant(text=constant):
                return text == constant
            case Integer():
                return is_integer(text)
            case Identifier():
                return is_identifier(text)
            case JsonSchema(file=file):
                try:
                    return self._schemas.valid(file, json_value(text.encode("utf-8", "replace")))
                except NotJson:
                    return False
            case Void():
                return False
        return True

    def _body_is(self, datatype: Datatype, request: ApiRequest) -> bool:
        for simple in datatype:
            match simple:
                case JsonSchema(file=file):
                    is_json = request.content in (Content.JSON, Content.GRAPHQL)
                    if is_json and (self._lenient or self._schemas.valid(file, request.body)):
                        return True
                case Constant() | Integer() | Identifier() | Void():
                    continue
                case _:
                    return True
        return False

    def _leaves(self, simple: Simple, response: ApiResponse) -> list[Violation]:
        match simple:
            case Anything():
                return []
            case Void():
                return [] if response.content is Content.EMPTY else [Violation("", "a body where none is described")]
            case JsonSchema(file=file):
                if response.content is Content.JSON:
                    return self._schemas.violations(file, response.value)
                said = response.media_type if response.content is not Content.EMPTY else "no body"
                return [Violation("", f"{said or 'something else'} instead of JSON")]
            case Media(type=kind):
                if kind == response.media_type or (kind.endswith("/*") and response.media_type.startswith(kind[:-1])):
                    return []
                return [Violation("", f"{response.media_type or 'no body'} instead of {kind}")]
            case Constant(text=text):
                same = response.content is Content.JSON and response.value == text
                return [] if same else [Violation("", f"something other than {text!r}")]
        return [] if response.content is not Content.EMPTY else [Violation("", "no body")]


def property_text(request: ApiRequest, name: str) -> str | None:
    """A property of a JSON body as text; None where there is none, or where it has parts."""
    if not isinstance(request.body, dict):
        return None
    value = request.body.get(name)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str | int | float):
        return str(value)
    return None


def _allowed(operation: Operation, response: ApiResponse) -> list[Alternative]:
    """The alternatives for a status: those that name it, or else those that name its kind, or none."""
    fitting = [each for each in operation.responses if each.allows_status(response.status)]
    exact = [each for each in fitting if each.status == str(response.status)]
    ranges = [each for each in fitting if each.status.endswith("xx")]
    return exact or ranges or fitting


def _often_enough(cardinality: Cardinality, number: int) -> bool:
    return number == 1 if cardinality is Cardinality.ONE else number <= 1 or cardinality is Cardinality.MANY


def _words(datatype: Iterable[Simple]) -> str:
    words = []
    for simple in datatype:
        match simple:
            case Constant(text=text):
                words.append(f'"{text}"')
            case Integer():
                words.append("a number")
            case Identifier():
                words.append("an id")
            case JsonSchema(file=file):
                words.append(file)
            case _:
                words.append("anything")
    return " or ".join(words)
