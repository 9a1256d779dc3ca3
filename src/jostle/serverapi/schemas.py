"""The JSON Schemas of a description: where they are, and whether values keep to them.

Schemas may come from anybody: they are read only from the folder of the description and below it, and a `$ref` to
anything but a schema of the same description is refused, not fetched.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

import jsonschema_rs
import msgspec

from jostle import untrusted
from jostle.errors import UsageProblem
from jostle.reading import read_within

DIALECT = "https://json-schema.org/draft/2020-12/schema"
LARGEST = 64 * 2**20
_ROOT = "ail:///"


class SchemaProblem(UsageProblem):
    """A schema is missing, or is no schema."""


class Violation(msgspec.Struct, frozen=True):
    """Where a value leaves its schema."""

    where: str
    """Path in the value, with `[]` for any element of an array: `items[].price`; empty for the whole value."""
    what: str
    """What is wrong, in words."""
    rule: str = ""
    """The keyword of the schema that is broken."""


class Schemas:
    """Schemas by file name, and the validators made of them."""

    def __init__(self, schemas: Mapping[str, Any]) -> None:
        self.by_file = dict(schemas)
        self._validators: dict[str, Any] = {}

    @staticmethod
    def read(files: Iterable[str], folder: Path) -> Schemas:
        """Raises SchemaProblem for the first that is missing or unreadable."""
        return Schemas({file: read_schema(file, folder) for file in files})

    def validator(self, file: str) -> Any:
        """Raises SchemaProblem."""
        made = self._validators.get(file)
        if made is None:
            if file not in self.by_file:
                raise SchemaProblem(f"There is no schema {file}.")
            schema = self.by_file[file]
            if isinstance(schema, dict):
                schema = {**schema, "$id": _ROOT + quote(file)}
            try:
                made = jsonschema_rs.Draft202012Validator(schema, retriever=self._retrieved)
            except (jsonschema_rs.ValidationError, jsonschema_rs.ReferencingError, ValueError) as error:
                raise SchemaProblem(f"{file} is not a JSON Schema: {_first_line(error)}.") from None
            self._validators[file] = made
        return made

    def valid(self, file: str, value: Any) -> bool:
        """Whether a value keeps to a schema. Raises SchemaProblem."""
        return bool(self.validator(file).is_valid(value))

    def violations(self, file: str, value: Any, *, most: int = 50) -> list[Violation]:
        """Where a value leaves a schema. Raises SchemaProblem."""
        found: dict[Violation, None] = {}
        for error in self.validator(file).iter_errors(value):
            rule = str(error.schema_path[-1]) if error.schema_path else ""
            found.setdefault(Violation(_in_words(error.instance_path), _said(error), rule))
            if len(found) >= most:
                break
        return list(found)

    def _retrieved(self, address: str) -> Any:
        file = unquote(address.removeprefix(_ROOT))
        if address.startswith(_ROOT) and file in self.by_file:
            return self.by_file[file]
        raise ValueError(f"{address} is none of the schemas of the description")


def read_schema(file: str, folder: Path) -> Any:
    """One schema of a description in this folder. Raises SchemaProblem."""
    try:
        data = read_within(folder, file, LARGEST)
    except OSError as error:
        reason = "there is no such file" if isinstance(error, FileNotFoundError) else error.strerror or str(error)
        raise SchemaProblem(f"The schema {file} cannot be read: {reason}.") from None
    try:
        schema = untrusted.decoded(data.removeprefix(b"\xef\xbb\xbf"), object)
    except msgspec.DecodeError as error:
        raise SchemaProblem(f"The schema {file} is not valid JSON: {error}.") from None
    if not isinstance(schema, dict | bool):
        raise SchemaProblem(f"{file} is not a JSON Schema: it is neither an object nor true or false.")
    try:
        jsonschema_rs.meta.validate(schema)
    except (jsonschema_rs.ValidationError, jsonschema_rs.ReferencingError, ValueError) as error:
        where = "/".join(str(part) for part in getattr(error, "instance_path", ()))
        at = f" at {where}" if where else ""
        raise SchemaProblem(f"{file} is not a JSON Schema{at}: {_first_line(error)}.") from None
    return schema


def _in_words(path: Iterable[str | int]) -> str:
    shown = ""
    for part in path:
        shown += "[]" if isinstance(part, int) else f".{part}" if shown else str(part)
    return shown


def _said(error: Any) -> str:
    """The message without the value, which may be long and differs from sample to sample."""
    message = _first_line(error)
    value = error.instance
    if isinstance(value, dict | list):
        kind = "object" if isinstance(value, dict) else "array"
        _, found, rest = message.partition(" is not ")
        return f"an {kind} is not {rest}" if found else message[:200]
    return message[:200]


def _first_line(error: Exception) -> str:
    message = getattr(error, "message", "") or str(error)
    return str(message).splitlines()[0].rstrip(".") if str(message) else type(error).__name__
