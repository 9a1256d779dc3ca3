"""The learner: samples in, a description with its schemas out. Pure."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from jostle.serverapi.ail_format import format_pattern
from jostle.serverapi.clustering import Choice, Group, Label, grouped
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
    Pattern,
    Place,
    Simple,
    Void,
)
from jostle.serverapi.disjoint import Overlap, overlap
from jostle.serverapi.features import DISPATCHING, INT, Kind
from jostle.serverapi.inference import Schema, Seen, schema_of, seen_in
from jostle.serverapi.matching import Matcher
from jostle.serverapi.sample import Content, Sample
from jostle.serverapi.schemas import Schemas
from jostle.serverapi.shape import Shapes

_VERBS = frozenset(
    re.findall(
        r"\w+",
        "add all by create delete edit find for get list new of read remove save search set show store update view",
    )
)
"""Parts of a path that say what is done, not with what."""
_MOST_LOOKED_AT = 200
"""Sets of parameters of one path for which it is checked whether joining two leaves the others apart. With more of
them, what overlaps is joined in the end."""
_WORDS = re.compile(r"[^A-Za-z0-9]+")
Key = tuple[Place, str]


@dataclass(frozen=True, kw_only=True)
class Member:
    """An operation with where it comes from."""

    operation: Operation
    samples: tuple[int, ...]
    """Positions of the samples."""
    groups: tuple[Group, ...] = ()
    """What it was made of; none for one that was given."""

    @property
    def given(self) -> bool:
        """Whether somebody wrote it, rather than the learner."""
        return not self.groups


@dataclass(frozen=True, kw_only=True)
class Learned:
    """What was learned."""

    description: Description
    schemas: dict[str, Schema]
    members: tuple[Member, ...]
    """One for each operation of the description, in its order."""
    choices: tuple[Choice, ...]
    """One for each signature."""
    shapes: Shapes
    joined: tuple[str, ...] = ()
    """What was made one operation afterwards, in words."""


@dataclass(eq=False)
class _Draft:
    """A pattern in the making, with the samples it is for."""

    method: str
    path: list[Datatype]
    parameters: dict[Key, tuple[Cardinality, Datatype]]
    samples: list[int]
    labels: frozenset[Label]
    groups: tuple[Group, ...]
    values: list[set[str]] = field(default_factory=list)
    """What stood at each position of the path."""

    @cached_property
    def pattern(self) -> Pattern:
        return Pattern(
            method=self.method,
            path=tuple(_fragment(each) for each in self.path),
            parameters=tuple(
                Parameter(place=place, name=name, cardinality=cardinality, datatype=datatype)
                for (place, name), (cardinality, datatype) in sorted(self.parameters.items(), key=_in_order)
            ),
        )

    @cached_property
    def loose(self) -> bool:
        """Whether something need not be there: only then can it overlap with requests of another signature."""
        return any(cardinality is not Cardinality.ONE for cardinality, _ in self.parameters.values())


def learn(
    samples: Sequence[Sample],
    base: str,
    *,
    repaired: bool = True,
    precise: bool = False,
    given: Sequence[Operation] = (),
    given_schemas: Schemas | None = None,
    schema_folder: str = "schemas",
) -> Learned:
    """Learn a description.

    `repaired`: with what the published algorithm lacks. `precise`: each kind of response as an alternative of its own
    in the schema. `given`: operations that stay as they are, with `given_schemas`; what they match takes no part.
    Schemas are called `schema_folder/NAME.json`."""
    shapes = Shapes(tolerant=repaired)
    taken: list[list[int]] = [[] for _ in given]
    left = list(range(len(samples)))
    if given:
        matcher = Matcher(Description(base=base, operations=tuple(given)), given_schemas)
        left = []
        for position, sample in enumerate(samples):
            number = matcher.number_for(sample.request)
            (left if number is None else taken[number]).append(position)
    groups = grouped([samples[each] for each in left], shapes, repaired=repaired)
    groups = [replace(each, members=tuple(left[member] for member in each.members)) for each in groups]
    choices = tuple({id(group.choice): group.choice for group in groups}.values())
    joined: list[str] = []
    drafts = [_draft(group, samples) for group in groups]
    if repaired:
        drafts = _with_optional_parameters(drafts, shapes, joined)
    drafts = _disjoint(drafts, joined)
    drafts = [_narrowed(draft, given, samples) for draft in drafts]
    drafts.sort(key=_by_path)
    writer = _Writer(samples, schema_folder, {file for each in given for file in _files(each)}, shapes, precise)
    members = [
        Member(operation=operation, samples=tuple(positions)) for operation, positions in zip(given, taken, strict=True)
    ]
    members += [
        Member(operation=writer.operation(draft), samples=tuple(draft.samples), groups=draft.groups) for draft in drafts
    ]
    description = Description(base=base, operations=tuple(member.operation for member in members))
    return Learned(
        description=description,
        schemas=writer.schemas,
        members=tuple(members),
        choices=choices,
        shapes=shapes,
        joined=tuple(joined),
    )


def _by_path(draft: _Draft) -> tuple[list[tuple[bool, str]], str, str]:
    """Constants before parameters, so that what belongs together stands together."""
    pattern = draft.pattern
    return [(not each.constant, each.text) for each in pattern.path], pattern.method, format_pattern(pattern)


def _draft(group: Group, samples: Sequence[Sample]) -> _Draft:
    requests = [samples[each].request for each in group.members]
    path: list[Datatype] = []
    parameters: dict[Key, tuple[Cardinality, Datatype]] = {}
    repeated = {name for request in requests for name, values in request.named().items() if len(values) > 1}
    for number, feature in enumerate(group.features):
        known = group.keys.get(number, group.kinds.get(number))
        datatype = ANY if known is None else _datatype(known)
        if feature.in_path:
            path.append(datatype)
        elif feature.place is not Place.PROPERTY or datatype != ANY:
            many = feature.place is Place.FIELD and feature.name in repeated
            parameters[feature.place, feature.name] = (Cardinality.MANY if many else Cardinality.ONE, datatype)
    if group.signature.body:
        parameters[Place.BODY, ""] = (Cardinality.ONE, ANY)
    return _Draft(
        method=group.signature.method,
        path=path,
        parameters=parameters,
        samples=list(group.members),
        labels=group.labels,
        groups=(group,),
        values=[{request.path[position] for request in requests} for position in range(len(path))],
    )


def _datatype(value: Hashable) -> Datatype:
    if isinstance(value, Kind):
        return (Integer(),) if value == INT else (Identifier(),)
    assert isinstance(value, str)
    return (Constant(value),)


def _fragment(datatype: Datatype) -> Fragment:
    if len(datatype) == 1 and isinstance(datatype[0], Constant) and datatype[0].text:
        return Fragment(text=datatype[0].text)
    return Fragment(datatype=datatype)


# Drafts that belong together -----------------------------------------------------------------------------------------


def _with_optional_parameters(drafts: list[_Draft], shapes: Shapes, joined: list[str]) -> list[_Draft]:
    """Make one operation of those that differ only in parameters that are there or not and answer alike: pages of a
    list, filters, sorting."""
    buckets: dict[Hashable, list[_Draft]] = {}
    for draft in drafts:
        buckets.setdefault((draft.method, tuple(draft.path)), []).append(draft)
    result: list[_Draft] = []
    for bucket in buckets.values():
        kept: list[_Draft] = []
        ordered = sorted(bucket, key=lambda each: len(each.parameters))
        for number, draft in enumerate(ordered, 1):
            for position, other in enumerate(kept):
                if not _may_join(other, draft, shapes):
                    continue
                both = _joined(other, draft)
                rest = [*ordered[number:], *(each for each in kept if each is not other)]
                if len(ordered) <= _MOST_LOOKED_AT and _overlaps(both, rest):
                    continue
                joined.append(f"{_both(other, draft)}: same path, same kind of response")
                kept[position] = both
                break
            else:
                kept.append(draft)
        result += kept
    return result


def _overlaps(draft: _Draft, others: Iterable[_Draft]) -> bool:
    return any(overlap(draft.pattern, each.pattern) is not Overlap.NONE for each in others)


def _may_join(one: _Draft, other: _Draft, shapes: Shapes) -> bool:
    common = one.parameters.keys() & other.parameters.keys()
    if any(one.parameters[key][1] != other.parameters[key][1] for key in common):
        return False
    alone = one.parameters.keys() ^ other.parameters.keys()
    if any(place in (Place.GRAPHQL, Place.PROPERTY) or name.lower() in DISPATCHING for place, name in alone):
        return False
    return any(_alike(left, right, shapes) for left in one.labels for right in other.labels)


def _alike(one: Label, other: Label, shapes: Shapes) -> bool:
    if one == other:
        return True
    (kind, shape), (kind2, shape2) = one, other
    if kind != kind2 or not isinstance(shape, int) or not isinstance(shape2, int):
        return False
    return shapes.unified(shape, shape2) is not None


def _joined(one: _Draft, other: _Draft) -> _Draft:
    """One draft for all requests of two."""
    parameters: dict[Key, tuple[Cardinality, Datatype]] = {}
    for key in [*one.parameters, *(key for key in other.parameters if key not in one.parameters)]:
        left, right = one.parameters.get(key), other.parameters.get(key)
        if key[0] is Place.PROPERTY and (left is None or right is None or left[1] != right[1]):
            continue
        cardinalities = {each[0] for each in (left, right) if each is not None}
        missing = left is None or right is None
        cardinality = (
            Cardinality.MANY
            if Cardinality.MANY in cardinalities
            else Cardinality.OPTIONAL
            if missing or Cardinality.OPTIONAL in cardinalities
            else Cardinality.ONE
        )
        parameters[key] = (cardinality, _common(*(each[1] for each in (left, right) if each is not None)))
    return _Draft(
        method=one.method,
        path=[_common(left, right) for left, right in zip(one.path, other.path, strict=True)],
        parameters=parameters,
        samples=sorted([*one.samples, *other.samples]),
        labels=one.labels | other.labels,
        groups=(*one.groups, *other.groups),
        values=[left | right for left, right in zip(one.values, other.values, strict=True)],
    )


def _both(one: _Draft, other: _Draft) -> str:
    return f"{format_pattern(one.pattern)} and {format_pattern(other.pattern)}"


def _common(*types: Datatype) -> Datatype:
    return types[0] if all(each == types[0] for each in types) else ANY


def _disjoint(drafts: list[_Draft], joined: list[str]) -> list[_Draft]:
    """Make one of drafts that could match the same request. Only where something is optional can that be."""
    buckets: dict[tuple[str, int], list[_Draft]] = {}
    for draft in drafts:
        buckets.setdefault((draft.method, len(draft.path)), []).append(draft)
    result: list[_Draft] = []
    for bucket in buckets.values():
        waiting = list(bucket)
        kept: list[_Draft] = []
        while waiting:
            draft = waiting.pop(0)
            for other in kept:
                unsure = draft.loose or other.loose or len(draft.groups) > 1 or len(other.groups) > 1
                if unsure and overlap(draft.pattern, other.pattern) is not Overlap.NONE:
                    joined.append(f"{_both(other, draft)}: a request could match both")
                    kept.remove(other)
                    waiting.insert(0, _joined(other, draft))
                    break
            else:
                kept.append(draft)
        result += kept
    return result


def _narrowed(draft: _Draft, given: Iterable[Operation], samples: Sequence[Sample]) -> _Draft:
    """A draft beside given operations: where it could match their requests, only what was seen is allowed."""
    if not any(overlap(draft.pattern, each.pattern) is not Overlap.NONE for each in given):
        return draft
    path = [
        tuple(Constant(each) for each in sorted(values)) if datatype == ANY else datatype
        for datatype, values in zip(draft.path, draft.values, strict=True)
    ]
    parameters = dict(draft.parameters)
    for (place, name), (cardinality, datatype) in draft.parameters.items():
        if place is Place.FIELD and datatype == ANY:
            seen = sorted({value for each in draft.samples for value in samples[each].request.named().get(name, ())})
            parameters[place, name] = (cardinality, tuple(Constant(each) for each in seen) or ANY)
    return replace(draft, path=path, parameters=parameters)


def _in_order(item: tuple[Key, object]) -> tuple[int, str]:
    place, name = item[0]
    return ((Place.GRAPHQL, Place.FIELD, Place.PROPERTY, Place.BODY).index(place), name)


# Operations and schemas ----------------------------------------------------------------------------------------------


class _Writer:
    """Makes operations of drafts, and the schemas that they need."""

    def __init__(
        self, samples: Sequence[Sample], folder: str, taken: Iterable[str], shapes: Shapes, precise: bool
    ) -> None:
        self._samples = samples
        self._folder = folder
        self._taken = set(taken)
        self._shapes = shapes
        self._precise = precise
        self.schemas: dict[str, Schema] = {}

    def operation(self, draft: _Draft) -> Operation:
        name = self._name(draft)
        pattern = draft.pattern
        path = _named_path(pattern.path, draft.values)
        parameters = tuple(
            self._body(each, draft, name) if each.place is Place.BODY else each for each in pattern.parameters
        )
        return Operation(
            pattern=Pattern(method=pattern.method, path=path, parameters=parameters),
            responses=tuple(self._responses(draft, name)),
        )

    def _name(self, draft: _Draft) -> str:
        words = [draft.method.lower()]
        for datatype in draft.path:
            words += [each.text for each in datatype if isinstance(each, Constant)][:1]
        for (place, _), (_, datatype) in draft.parameters.items():
            if place in (Place.GRAPHQL, Place.PROPERTY) or len(datatype) == 1:
                words += [each.text for each in datatype if isinstance(each, Constant)]
        stem = _WORDS.sub("-", "-".join(words)).strip("-").lower()[:80].strip("-")
        name, number = stem, 2
        while any(file.startswith(f"{self._folder}/{name}.") for file in self._taken):
            name, number = f"{stem}-{number}", number + 1
        self._taken.add(f"{self._folder}/{name}.")
        return name

    def _body(self, parameter: Parameter, draft: _Draft, name: str) -> Parameter:
        requests = [self._samples[each].request for each in draft.samples]
        bodies = [each for each in requests if each.content not in (Content.EMPTY, Content.FIELDS)]
        types: list[Simple] = [Anything()]
        if all(each.content in (Content.JSON, Content.GRAPHQL) for each in bodies):
            types = [self._schema(f"{name}.body", seen_in(each.body for each in bodies))]
        cardinality = parameter.cardinality
        return Parameter(place=Place.BODY, cardinality=cardinality, datatype=tuple(types))

    def _schema(self, name: str, seen: Seen | list[Seen]) -> JsonSchema:
        file = f"{self._folder}/{name}.json"
        self.schemas[file] = schema_of(seen)
        return JsonSchema(file)

    def _responses(self, draft: _Draft, name: str) -> Iterable[Alternative]:
        by_status: dict[int, list[int]] = {}
        for each in draft.samples:
            by_status.setdefault(self._samples[each].response.status, []).append(each)
        ordinary = [status for status in by_status if status < 400] == [200]
        for status in sorted(by_status):
            shown = "" if ordinary and status == 200 else str(status)
            file = name if status == min(by_status) and status < 400 else f"{name}.{status}"
            for simple in self._types(by_status[status], file):
                yield Alternative(status=shown, type=simple)

    def _types(self, positions: list[int], file: str) -> list[Simple]:
        responses = [self._samples[each].response for each in positions]
        values = [each.value for each in responses if each.content is Content.JSON]
        types: list[Simple] = []
        if values:
            seen = self._seen(values)
            for name in self._repeated(positions):
                for each in [seen] if isinstance(seen, Seen) else seen:
                    if name in each.properties:
                        each.properties[name].words = None  # the request decides what it is: it has no fixed values
            types.append(self._schema(file, seen))
        media = sorted({each.media_type for each in responses if each.content is Content.OPAQUE})
        types += [Media(each) for each in media]
        if any(each.content is Content.EMPTY for each in responses):
            types.append(Void())
        return types

    def _repeated(self, positions: list[int]) -> set[str]:
        """Properties that always repeat a value of the request."""
        names: set[str] | None = None
        for each in positions:
            sample = self._samples[each]
            if not isinstance(value := sample.response.value, dict):
                continue
            asked = {text for _, text in sample.request.parameters} | set(sample.request.path)
            if isinstance(sample.request.body, dict):
                asked |= {text for text in sample.request.body.values() if isinstance(text, str)}
            here = {name for name, text in value.items() if isinstance(text, str) and text in asked}
            names = here if names is None else names & here
        return names or set()

    def _seen(self, values: list[object]) -> Seen | list[Seen]:
        if not self._precise:
            return seen_in(values)
        by_shape: dict[int, list[object]] = {}
        for value in values:
            by_shape.setdefault(self._shapes.of(value), []).append(value)
        return [seen_in(each) for each in by_shape.values()]


def _named_path(path: Sequence[Fragment], values: Sequence[set[str]]) -> tuple[Fragment, ...]:
    """Names for the parameters of a path, after what stands before them."""
    named: list[Fragment] = []
    used: set[str] = set()
    noun = ""
    for fragment, seen in zip(path, values, strict=True):
        if fragment.constant:
            words = _WORDS.sub("_", fragment.text).strip("_").lower()
            if words and words not in _VERBS and not words[0].isdigit():
                noun = words
            named.append(fragment)
            continue
        single = _singular(noun)
        made_up = fragment.datatype != ANY or all(any(map(str.isdigit, each)) for each in seen)
        stem = f"{single}_id" if made_up and single not in ("", "id") else single or "id"
        name, number = stem, 2
        while name in used:
            name, number = f"{stem}_{number}", number + 1
        used.add(name)
        named.append(Fragment(name=name, datatype=fragment.datatype))
    return tuple(named)


def _singular(noun: str) -> str:
    if noun.endswith("ies") and len(noun) > 4:
        return f"{noun[:-3]}y"
    if noun.endswith("s") and not noun.endswith(("ss", "us", "is", "news")) and len(noun) > 3:
        return noun[:-1]
    return noun


def _files(operation: Operation) -> Iterable[str]:
    return Description(base="", operations=(operation,)).schema_files()
