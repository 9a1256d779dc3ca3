"""Features of requests: the parts by which operations may be told apart."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Sequence
from typing import NamedTuple

from jostle.events.volatile import plain_name, volatile_value, volatility
from jostle.recording.redaction import is_placeholder
from jostle.serverapi.description import Place, is_identifier, is_integer
from jostle.serverapi.matching import property_text
from jostle.serverapi.sample import ApiRequest, Content

DISPATCHING = frozenset(
    ("action", "cmd", "command", "op", "operation", "method", "do", "task", "mode", "type", "verb", "function", "fn")
)
"""Names of parameters by which servers choose what to do."""
_ENTERED = frozenset(
    ("q", "query", "search", "searchterm", "term", "terms", "keyword", "keywords", "text", "name", "filter", "prefix")
)
"""Names of parameters that hold what people type."""
_CALLING = DISPATCHING - {"mode", "task", "type"}
"""Those that name what is to be done, and nothing else: there may be many."""
_WORD = re.compile(r"[A-Za-z][A-Za-z_-]+")
_CALLED = re.compile(r"[A-Za-z][\w./:-]+", re.ASCII)
"""What is to be done: `torrent-get`, `core.get_torrents`."""
_FEW, _MANY = 6, 100
"""How many words may be names of operations; in parameters that name nothing else."""


class Kind(NamedTuple):
    """All values of a kind that machines make up count as one value: `int` or `id`."""

    name: str


INT, ID = Kind("int"), Kind("id")


class Feature(NamedTuple):
    """A part of a request: a position in the path, or a parameter."""

    position: int = -1
    place: Place = Place.FIELD
    name: str = ""

    @property
    def in_path(self) -> bool:
        return self.position >= 0

    @property
    def dispatching(self) -> bool:
        return not self.in_path and plain_name(self.name) in DISPATCHING

    def __str__(self) -> str:
        if self.in_path:
            return f"part {self.position + 1} of the path"
        match self.place:
            case Place.GRAPHQL:
                return "the GraphQL operation"
            case Place.PROPERTY:
                return f"body.{self.name}"
        return f"the parameter {self.name}"


class Signature(NamedTuple):
    """What requests must have in common to be compared: method, length of the path, names of parameters, body."""

    method: str
    fragments: int
    names: tuple[str, ...]
    body: bool = False
    graphql: bool = False

    def __str__(self) -> str:
        parts = [*self.names, *(["graphql"] if self.graphql else []), *(["body"] if self.body else [])]
        path = "/".join("·" * self.fragments) or "/"
        return f"{self.method} {path}({', '.join(parts)})"


def signature_of(request: ApiRequest) -> Signature:
    return Signature(
        request.method,
        len(request.path),
        tuple(sorted({name for name, _ in request.parameters})),
        request.content in (Content.JSON, Content.GRAPHQL, Content.OPAQUE),
        bool(request.graphql),
    )


def features_of(signature: Signature, requests: Sequence[ApiRequest], *, repaired: bool) -> list[Feature]:
    """The features of requests that have this signature, in order: path, GraphQL operation, parameters, body."""
    features = [Feature(position=position) for position in range(signature.fragments)]
    if signature.graphql:
        features.append(Feature(place=Place.GRAPHQL))
    features += [Feature(name=name) for name in signature.names]
    if repaired and signature.body and not signature.graphql:
        common = set.intersection(
            *({*request.body} if isinstance(request.body, dict) else set() for request in requests)
        )
        features += [
            Feature(place=Place.PROPERTY, name=name)
            for name in sorted(common)
            if plain_name(name) in DISPATCHING
            and all(_word(plain_name(name)).fullmatch(property_text(request, name) or "") for request in requests)
        ]
    return features


def values_of(request: ApiRequest, features: Sequence[Feature]) -> tuple[Hashable, ...]:
    """The value of each feature; several values of one parameter are one tuple."""
    named = request.named()
    values: list[Hashable] = []
    for feature in features:
        if feature.in_path:
            values.append(request.path[feature.position])
        elif feature.place is Place.GRAPHQL:
            values.append(request.graphql)
        elif feature.place is Place.PROPERTY:
            values.append(property_text(request, feature.name))
        else:
            found = named[feature.name]
            values.append(found[0] if len(found) == 1 else tuple(found))
    return tuple(values)


def abstracted(feature: Feature, values: Sequence[Hashable]) -> list[Hashable]:
    """The values of a feature as the repaired learner takes them: whatever machines make up is of one kind."""
    if feature.dispatching or feature.place is not Place.FIELD:
        return list(values)
    made_up = any(isinstance(each, str) and is_identifier(each) and volatile_value(each) for each in set(values))
    return [_kind(value, made_up) if isinstance(value, str) else value for value in values]


def _kind(value: str, made_up: bool) -> Hashable:
    """`made_up`: some values of the feature are identifiers, so whatever could be one is."""
    if is_integer(value):
        return INT
    return ID if made_up and is_identifier(value) else value


def means_nothing(feature: Feature, values: Iterable[Hashable]) -> bool:
    """Whether a feature must not tell operations apart: secrets, tokens, times, and what is there several times."""
    for value in values:
        if not isinstance(value, str) or is_placeholder(value):
            return True
        if volatile_value(value) and not is_identifier(value):
            return True
        if not feature.in_path and feature.place is Place.FIELD and volatility(feature.name, value) == "a token":
            return True
    return False


def filled_in(feature: Feature, in_body: frozenset[str]) -> bool:
    """Whether people fill it in, so that it rather tells nothing about the operation: searches, fields of forms."""
    if feature.in_path or feature.place is not Place.FIELD or feature.dispatching:
        return False
    return feature.name in in_body or plain_name(feature.name) in _ENTERED


def _word(name: str) -> re.Pattern[str]:
    """What may be the name of an operation in a parameter of this name."""
    return _CALLED if name in _CALLING else _WORD


def penalty_of(feature: Feature, values: set[Hashable]) -> float:
    """What the repaired learner charges for a wildcard: a few words are rather names of operations."""
    words = [each for each in values if not isinstance(each, Kind)]
    number = len(words)
    name = "" if feature.in_path else plain_name(feature.name)
    most = _MANY if name in _CALLING else _FEW
    if not 2 <= number <= most or not all(isinstance(each, str) and _word(name).fullmatch(each) for each in words):
        return 0
    if feature.in_path:
        return 2.0 * (number - 1)
    return 1.5 * (number - 1) if feature.dispatching else 0
