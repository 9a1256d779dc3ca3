"""A description of a server's interface: what AIL says, as data.

`jostle.serverapi.ail_parser` reads it, `jostle.serverapi.ail_format` writes it; the language is documented in
docs/reference/ail.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum

import msgspec

_INTEGER = re.compile(r"-?[0-9]{1,30}")
_IDENTIFIER = re.compile(r"(?=.*[0-9])(?=.*[A-Za-z_-])\w[\w-]{7,200}", re.ASCII)


class Constant(msgspec.Struct, frozen=True, tag_field="kind", tag="constant"):
    """Exactly this text: `"delete"`."""

    text: str


class Anything(msgspec.Struct, frozen=True, tag_field="kind", tag="any"):
    """`*`"""


class Void(msgspec.Struct, frozen=True, tag_field="kind", tag="void"):
    """An empty response: `void`."""


class Integer(msgspec.Struct, frozen=True, tag_field="kind", tag="int"):
    """Digits, perhaps after a minus: `int`."""


class Identifier(msgspec.Struct, frozen=True, tag_field="kind", tag="id"):
    """What machines make up (a UUID, a hash): eight or more letters, digits, `-` and `_`, not digits alone: `id`."""


class JsonSchema(msgspec.Struct, frozen=True, tag_field="kind", tag="json"):
    """JSON that a schema describes: `@items.json`, a file beside the description."""

    file: str


class RelaxNg(msgspec.Struct, frozen=True, tag_field="kind", tag="rng"):
    """XML that a RELAX NG schema describes: `@feed.rng#entry`. It is kept, and matches any text."""

    file: str
    type: str = ""


class Media(msgspec.Struct, frozen=True, tag_field="kind", tag="media"):
    """A response of this media type that is not described further: `text/html`."""

    type: str


Simple = Constant | Anything | Void | Integer | Identifier | JsonSchema | RelaxNg | Media
Datatype = tuple[Simple, ...]
"""Any one of these."""

ANY: Datatype = (Anything(),)


class Cardinality(StrEnum):
    """How often a parameter may be there."""

    ONE = ""
    OPTIONAL = "?"
    MANY = "+"
    """Any number of times, also never."""


class Place(StrEnum):
    """What a parameter stands for."""

    FIELD = "field"
    """A parameter of the query or a field of a form, by its name."""
    BODY = "body"
    """The whole body of a request that is no form: `body`."""
    PROPERTY = "property"
    """A property of a JSON body, by its name: `body.action`."""
    GRAPHQL = "graphql"
    """The name of the GraphQL operation: `graphql`."""


class Fragment(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One part of a path, between slashes: a constant text, or a parameter."""

    text: str = ""
    """The constant, decoded; empty for a parameter."""
    name: str = ""
    """Of the parameter; a wildcard needs none."""
    datatype: Datatype = ()

    @property
    def constant(self) -> bool:
        return not self.datatype

    @property
    def type(self) -> Datatype:
        """What the fragment may be."""
        return self.datatype or (Constant(self.text),)


class Parameter(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Something that requests carry."""

    name: str = ""
    """Empty for `body` and `graphql`."""
    place: Place = Place.FIELD
    cardinality: Cardinality = Cardinality.ONE
    datatype: Datatype = ANY

    @property
    def required(self) -> bool:
        return self.cardinality is Cardinality.ONE

    @property
    def key(self) -> tuple[Place, str]:
        """What tells it from the other parameters of an operation."""
        return (self.place, self.name)

    @property
    def words(self) -> str:
        """What people call it."""
        match self.place:
            case Place.BODY | Place.GRAPHQL:
                return self.place.value
            case Place.PROPERTY:
                return f"body.{self.name}"
        return self.name


class Pattern(msgspec.Struct, frozen=True, kw_only=True):
    """Which requests an operation is for."""

    method: str
    path: tuple[Fragment, ...] = ()
    parameters: tuple[Parameter, ...] = ()

    def parameter(self, key: tuple[Place, str]) -> Parameter | None:
        return next((each for each in self.parameters if each.key == key), None)


class Alternative(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One of the responses that an operation may give."""

    status: str = ""
    """`404`, `4xx`; empty for any that is no failure."""
    type: Simple

    def allows_status(self, status: int) -> bool:
        if not self.status:
            return status < 400
        if self.status.endswith("xx"):
            return status // 100 == int(self.status[0])
        return status == int(self.status)


class Operation(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that a server can be asked for."""

    pattern: Pattern
    responses: tuple[Alternative, ...]
    comments: tuple[str, ...] = ()
    """Lines of comment before it, without the `#`."""


class Description(msgspec.Struct, frozen=True, kw_only=True):
    """A whole interface."""

    base: str
    """The address that all paths follow: `https://shop.test`."""
    operations: tuple[Operation, ...] = ()
    comments: tuple[str, ...] = ()
    """Lines of comment at its beginning."""
    footer: tuple[str, ...] = ()
    """Lines of comment after the last operation."""

    def schema_files(self) -> Iterator[str]:
        """Names of all schema files, each once."""
        seen = set()
        for operation in self.operations:
            types: list[Simple] = [each.type for each in operation.responses]
            for parameter in operation.pattern.parameters:
                types += parameter.datatype
            for each in types:
                if isinstance(each, JsonSchema) and each.file not in seen:
                    seen.add(each.file)
                    yield each.file


def is_integer(text: str) -> bool:
    """Whether a text is an `int`."""
    return _INTEGER.fullmatch(text) is not None


def is_identifier(text: str) -> bool:
    """Whether a text is an `id`."""
    return _IDENTIFIER.fullmatch(text) is not None
