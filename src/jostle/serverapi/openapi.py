"""A description as OpenAPI 3.1. AIL says some things that OpenAPI cannot: these are listed, and kept in `x-ail-...`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import quote

import msgspec

from jostle.serverapi.ail_format import format_operation, format_pattern
from jostle.serverapi.description import (
    ANY,
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
    Place,
    RelaxNg,
    Simple,
    Void,
)
from jostle.serverapi.schemas import Schemas

_METHODS = frozenset(("get", "put", "post", "delete", "options", "head", "patch", "trace"))
_WITH_BODY = frozenset(("post", "put", "patch"))
_IDENTIFIER = r"^(?=.*[0-9])(?=.*[A-Za-z_-])\w[\w-]{7,200}$"
_NAME = re.compile(r"[^A-Za-z0-9._-]+")
FORM = "application/x-www-form-urlencoded"


class OpenApi(msgspec.Struct, frozen=True):
    """The document, and what it cannot hold."""

    document: dict[str, Any]
    lost: tuple[str, ...]
    """In words."""


def to_openapi(description: Description, schemas: Schemas, *, title: str, in_query: Iterable[str] = ()) -> OpenApi:
    """`in_query`: patterns of operations whose parameters are in the query although their method has a body, as far as
    that is known; otherwise fields of POST, PUT and PATCH are those of a form."""
    return _Export(description, schemas, title, frozenset(in_query)).made()


class _Export:
    def __init__(self, description: Description, schemas: Schemas, title: str, in_query: frozenset[str]) -> None:
        self._description = description
        self._schemas = schemas
        self._title = title
        self._in_query = in_query
        self._lost: list[str] = []
        self._components: dict[str, Any] = {}
        self._names: dict[str, str] = {}
        self._operation_ids: set[str] = set()

    def made(self) -> OpenApi:
        shapes: dict[tuple[str, ...], list[Operation]] = {}
        unknown: list[Operation] = []
        for operation in self._description.operations:
            if operation.pattern.method.lower() not in _METHODS:
                unknown.append(operation)
                continue
            # Paths that differ only in the names of their parameters are one path to OpenAPI.
            shape = tuple(each.text if each.constant else "" for each in operation.pattern.path)
            shapes.setdefault(shape, []).append(operation)
        paths: dict[str, Any] = {}
        for operations in shapes.values():
            fragments = operations[0].pattern.path
            names = _parameter_names(fragments)
            path = "/" + "/".join(
                quote(each.text, safe="") if each.constant else f"{{{name}}}"
                for each, name in zip(fragments, names, strict=True)
            )
            by_method: dict[str, list[Operation]] = {}
            for operation in operations:
                by_method.setdefault(operation.pattern.method.lower(), []).append(operation)
            paths[path] = {method: self._operation(same, names) for method, same in by_method.items()}
        document: dict[str, Any] = {
            "openapi": "3.1.0",
            "info": {"title": self._title, "version": "1"},
            "servers": [{"url": self._description.base}],
            "paths": paths,
        }
        for operation in unknown:
            self._lose(f"{format_pattern(operation.pattern)}: OpenAPI has no method {operation.pattern.method}")
        if unknown:
            document["x-ail-operations"] = [format_operation(each) for each in unknown]
        if self._components:
            document["components"] = {"schemas": self._components}
        return OpenApi(document, tuple(self._lost))

    def _lose(self, words: str) -> None:
        if words not in self._lost:
            self._lost.append(words)

    def _operation(self, operations: Sequence[Operation], names: Sequence[str]) -> dict[str, Any]:
        """One or several operations of one path and method, as one."""
        shown: dict[str, Any] = {"operationId": self._operation_id(operations[0])}
        if len(operations) > 1:
            listed = "; ".join(format_pattern(each.pattern) for each in operations)
            self._lose(f"these are one operation in OpenAPI: {listed}")
            shown["x-ail-operations"] = [format_operation(each) for each in operations]
        if comments := [line for each in operations for line in each.comments]:
            shown["description"] = "\n".join(comments)
        parameters = self._path_parameters(operations, names)
        fields: dict[str, list[Parameter | None]] = {}
        bodies: list[Parameter | None] = []
        for operation in operations:
            mine = {each.name: each for each in operation.pattern.parameters if each.place is Place.FIELD}
            for name in mine:
                fields.setdefault(name, [])
            bodies.append(next((each for each in operation.pattern.parameters if each.place is Place.BODY), None))
            for each in operation.pattern.parameters:
                if each.place in (Place.PROPERTY, Place.GRAPHQL):
                    self._lose(f"{format_pattern(operation.pattern)}: {each.words} in the body tells operations apart")
        for name, found in fields.items():
            for operation in operations:
                found.append(operation.pattern.parameter((Place.FIELD, name)))
        method = operations[0].pattern.method.lower()
        in_form = (
            method in _WITH_BODY
            and not any(bodies)
            and not any(format_pattern(each.pattern) in self._in_query for each in operations)
        )
        if in_form and fields:
            shown["requestBody"] = self._form(fields)
        else:
            parameters += [self._query(name, found) for name, found in fields.items()]
        if any(bodies):
            shown["requestBody"] = self._body(bodies)
        if parameters:
            shown["parameters"] = parameters
        shown["responses"] = self._responses(operations)
        return shown

    def _operation_id(self, operation: Operation) -> str:
        words = [operation.pattern.method.lower(), *(each.text or each.name for each in operation.pattern.path)]
        stem = _NAME.sub("-", "-".join(filter(None, words))).strip("-") or "operation"
        name, number = stem, 2
        while name in self._operation_ids:
            name, number = f"{stem}-{number}", number + 1
        self._operation_ids.add(name)
        return name

    def _path_parameters(self, operations: Sequence[Operation], names: Sequence[str]) -> list[dict[str, Any]]:
        shown = []
        for position, name in enumerate(names):
            if not name:
                continue
            types = [operation.pattern.path[position].datatype for operation in operations]
            schema = _either([self._datatype(each) for each in dict.fromkeys(types)])
            shown.append({"name": name, "in": "path", "required": True, "schema": schema})
        return shown

    def _query(self, name: str, found: Sequence[Parameter | None]) -> dict[str, Any]:
        shown: dict[str, Any] = {"name": name, "in": "query", "schema": self._field(found)}
        if all(each is not None and each.required for each in found):
            shown["required"] = True
        if any(each is not None and each.cardinality is Cardinality.MANY for each in found):
            shown |= {"style": "form", "explode": True}
        return shown

    def _form(self, fields: dict[str, list[Parameter | None]]) -> dict[str, Any]:
        properties = {name: self._field(found) for name, found in fields.items()}
        required = [name for name, found in fields.items() if all(each is not None and each.required for each in found)]
        schema: dict[str, Any] = {"type": "object", "properties": properties}
        if required:
            schema["required"] = required
        return {"required": bool(required), "content": {FORM: {"schema": schema}}}

    def _field(self, found: Sequence[Parameter | None]) -> dict[str, Any]:
        types = dict.fromkeys(each.datatype for each in found if each is not None)
        schema = _either([self._datatype(each) for each in types])
        if any(each is not None and each.cardinality is Cardinality.MANY for each in found):
            return {"type": "array", "items": schema}
        return schema

    def _body(self, bodies: Sequence[Parameter | None]) -> dict[str, Any]:
        content: dict[str, Any] = {}
        for body in bodies:
            for simple in body.datatype if body is not None else ():
                if isinstance(simple, JsonSchema):
                    schema = content.setdefault("application/json", {"schema": {}})
                    schema["schema"] = _either([*_alternatives(schema["schema"]), self._reference(simple.file)])
                else:
                    content.setdefault("*/*", {})
        required = all(body is not None and body.required for body in bodies)
        return {"required": required, "content": content or {"*/*": {}}}

    def _responses(self, operations: Sequence[Operation]) -> dict[str, Any]:
        by_status: dict[str, list[Simple]] = {}
        for operation in operations:
            for each in operation.responses:
                types = by_status.setdefault(_status(each), [])
                if each.type not in types:
                    types.append(each.type)
        shown: dict[str, Any] = {}
        for status in sorted(by_status):
            response: dict[str, Any] = {"description": _said(status)}
            content: dict[str, Any] = {}
            for simple in by_status[status]:
                self._content(simple, content, response)
            if content:
                response["content"] = content
                if any(isinstance(each, Void) for each in by_status[status]):
                    self._lose(f"{format_pattern(operations[0].pattern)}: response {status} may also be empty")
            shown[status] = response
        return shown

    def _content(self, simple: Simple, content: dict[str, Any], response: dict[str, Any]) -> None:
        match simple:
            case JsonSchema(file=file):
                entry = content.setdefault("application/json", {"schema": {}})
                entry["schema"] = _either([*_alternatives(entry["schema"]), self._reference(file)])
            case Media(type=kind):
                content.setdefault(kind, {})
            case RelaxNg(file=file):
                content.setdefault("application/xml", {})
                response["x-ail-rng"] = file
                self._lose(f"the RELAX NG schema {file}")
            case Void():
                pass
            case Anything():
                content.setdefault("*/*", {})
            case _:
                entry = content.setdefault("application/json", {"schema": {}})
                entry["schema"] = _either([*_alternatives(entry["schema"]), self._datatype((simple,))])

    def _datatype(self, datatype: Datatype) -> dict[str, Any]:
        constants = [each.text for each in datatype if isinstance(each, Constant)]
        if len(constants) == len(datatype):
            return {"type": "string", **({"const": constants[0]} if len(constants) == 1 else {"enum": constants})}
        if datatype == ANY:
            return {"type": "string"}
        return _either([self._simple(each) for each in datatype])

    def _simple(self, simple: Simple) -> dict[str, Any]:
        match simple:
            case Constant(text=text):
                return {"type": "string", "const": text}
            case Integer():
                return {"type": "integer"}
            case Identifier():
                return {"type": "string", "pattern": _IDENTIFIER}
            case JsonSchema(file=file):
                return self._reference(file)
            case RelaxNg(file=file):
                self._lose(f"the RELAX NG schema {file}")
                return {"type": "string", "x-ail-rng": file}
        return {"type": "string"}

    def _reference(self, file: str) -> dict[str, Any]:
        return {"$ref": f"#/components/schemas/{self._component(file)}"}

    def _component(self, file: str) -> str:
        if file in self._names:
            return self._names[file]
        stem = _NAME.sub("-", PurePosixPath(file).name.removesuffix(".json")).strip("-") or "schema"
        name, number = stem, 2
        while name in self._components:
            name, number = f"{stem}-{number}", number + 1
        self._names[file] = name
        self._components[name] = {}
        schema = self._schemas.by_file.get(file, {})
        moved = self._moved(schema, file, name)
        if isinstance(moved, dict):
            moved.pop("$schema", None)
            moved.pop("$id", None)
        self._components[name] = moved
        return name

    def _moved(self, schema: Any, file: str, name: str) -> Any:
        """A schema with references as they are where it is now."""
        if isinstance(schema, list):
            return [self._moved(each, file, name) for each in schema]
        if not isinstance(schema, dict):
            return schema
        moved = {}
        for key, each in schema.items():
            if key in ("examples", "enum", "const", "default"):
                moved[key] = each
            elif key == "$ref" and isinstance(each, str):
                moved[key] = self._target(each, file, name)
            else:
                moved[key] = self._moved(each, file, name)
        return moved

    def _target(self, reference: str, file: str, name: str) -> str:
        address, _, pointer = reference.partition("#")
        if not address:
            return f"#/components/schemas/{name}{pointer}"
        other = str(PurePosixPath(file).parent / address)
        if other in self._schemas.by_file:
            return f"#/components/schemas/{self._component(other)}{pointer}"
        self._lose(f"{file}: the reference {reference} leads elsewhere")
        return reference


def _parameter_names(fragments: Sequence[Fragment]) -> list[str]:
    """A name for each parameter of a path; empty for constants."""
    names: list[str] = []
    for position, each in enumerate(fragments, 1):
        stem = "" if each.constant else _NAME.sub("_", each.name) or f"part{position}"
        names.append(f"{stem}{position}" if stem and stem in names else stem)
    return names


def _alternatives(schema: dict[str, Any]) -> list[dict[str, Any]]:
    if not schema:
        return []
    return list(schema["anyOf"]) if schema.keys() == {"anyOf"} else [schema]


def _either(schemas: Sequence[dict[str, Any]]) -> dict[str, Any]:
    distinct: list[dict[str, Any]] = []
    for each in schemas:
        if each not in distinct:
            distinct.append(each)
    return distinct[0] if len(distinct) == 1 else {"anyOf": distinct} if distinct else {}


def _status(alternative: Alternative) -> str:
    if alternative.status:
        return alternative.status.upper()
    return "204" if isinstance(alternative.type, Void) else "200"


def _said(status: str) -> str:
    kinds = {"1": "Information", "2": "Success", "3": "Redirection", "4": "Refused", "5": "Failure of the server"}
    return kinds.get(status[0], "Response")
