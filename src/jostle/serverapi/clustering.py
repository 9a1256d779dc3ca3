"""From samples to groups: which requests are for the same operation.

The published algorithm, and its repairs where `repaired`:

1. Cluster samples by the shape of their response. Repaired: an empty array or a null is unlike nothing, and failures
   (4xx, 5xx) take no part, unless there is nothing else.
2. Split the clusters by the signature of the request.
3. For each signature, choose the features that tell operations apart (`jostle.serverapi.partition`). Repaired: numbers
   and identifiers count as one value each, secrets never tell operations apart, the name of a GraphQL operation always
   does, what people fill in does only where responses differ by it, and a wildcard in place of few words costs
   something, because responses like `{"ok": true}` say nothing.
4. Repaired: look again inside groups that still hold several clusters.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field

from jostle.serverapi.description import Place
from jostle.serverapi.features import (
    Feature,
    Kind,
    Signature,
    abstracted,
    features_of,
    filled_in,
    means_nothing,
    penalty_of,
    signature_of,
    values_of,
)
from jostle.serverapi.partition import Cost, Partition, Row, Rules, best_partition, cost_of
from jostle.serverapi.sample import ApiResponse, Content, Sample
from jostle.serverapi.shape import Shapes

Label = tuple[str, int | str]
"""What kind of response it is: of JSON its shape, of other bodies their media type."""


@dataclass(frozen=True, kw_only=True)
class Group:
    """Requests for one operation."""

    signature: Signature
    features: tuple[Feature, ...]
    keys: dict[int, Hashable]
    """The value of each key, by the position of the feature."""
    members: tuple[int, ...]
    """Positions of its samples."""
    kinds: dict[int, Kind]
    """Features that are no keys, but whose values here are all of one kind."""
    labels: frozenset[Label]
    """Kinds of response when it succeeded; of failures where it never did."""
    choice: Choice


@dataclass(frozen=True, kw_only=True)
class Choice:
    """How the groups of one signature came about."""

    signature: Signature
    features: tuple[Feature, ...]
    samples: int
    clusters: int
    """Kinds of response."""
    partition: Partition
    rules: Rules
    distinct: tuple[int, ...]
    """How many values each feature has, as the learner takes them."""
    without: tuple[Cost, ...]
    """For each feature, what it would cost to decide it the other way."""
    refined: frozenset[int] = field(default_factory=frozenset)
    """Features that are keys in some groups only: they were looked at again there."""


def label_of(response: ApiResponse, shapes: Shapes) -> Label:
    """What kind of response it is."""
    if response.content is Content.JSON:
        return ("json", shapes.of(response.value))
    return (response.content.value, response.media_type)


def grouped(samples: Sequence[Sample], shapes: Shapes, *, repaired: bool) -> list[Group]:
    """The groups, in the order of their first samples. They hold each sample once."""
    by_signature: dict[Signature, list[int]] = {}
    for position, sample in enumerate(samples):
        by_signature.setdefault(signature_of(sample.request), []).append(position)
    groups: list[Group] = []
    for signature, members in by_signature.items():
        groups += _OneSignature(signature, members, samples, shapes, repaired).groups()
    return groups


class _OneSignature:
    def __init__(
        self, signature: Signature, members: list[int], samples: Sequence[Sample], shapes: Shapes, repaired: bool
    ) -> None:
        self._signature = signature
        self._members = members
        self._repaired = repaired
        requests = [samples[each].request for each in members]
        self._features = tuple(features_of(signature, requests, repaired=repaired))
        raw = [values_of(request, self._features) for request in requests]
        columns = [list(column) for column in zip(*raw, strict=True)]
        files = frozenset().union(*(request.files for request in requests))
        in_body = frozenset().union(*(request.in_body for request in requests))
        raw_columns = columns
        if repaired:
            columns = [abstracted(each, column) for each, column in zip(self._features, columns, strict=True)]
        self._rules = self._known(raw_columns, columns, files, in_body)
        self._values = list(zip(*columns, strict=True)) if columns else [()] * len(members)
        responses = [samples[each].response for each in members]
        self._deciding = [each for each, response in enumerate(responses) if response.succeeded]
        if not repaired or not self._deciding:
            self._deciding = list(range(len(members)))
        labels = {each: label_of(responses[each], shapes) for each in self._deciding}
        self._labels = _absorbed(labels, shapes) if repaired else labels
        numbers: dict[Label, int] = {}
        self._rows = {
            each: Row(numbers.setdefault(self._labels[each], len(numbers)), self._values[each])
            for each in self._deciding
        }

    def _known(
        self,
        raw: Sequence[list[Hashable]],
        columns: Sequence[list[Hashable]],
        files: frozenset[str],
        in_body: frozenset[str],
    ) -> Rules:
        """What is known of the features, by their values as they came (`raw`) and as the learner takes them."""
        never, always, reluctant, penalties = set(), set(), set(), {}
        for number, (feature, column) in enumerate(zip(self._features, raw, strict=True)):
            values = set(column)
            if any(isinstance(each, tuple) for each in values) or (not feature.in_path and feature.name in files):
                never.add(number)  # several values have no constant
            elif not self._repaired:
                continue
            elif feature.place is Place.GRAPHQL:
                always.add(number)
            elif means_nothing(feature, values):
                never.add(number)
            elif filled_in(feature, in_body) or values == {""}:
                reluctant.add(number)
            elif cost := penalty_of(feature, set(columns[number])):
                penalties[number] = cost
        return Rules(
            always=frozenset(always), never=frozenset(never), penalties=penalties, reluctant=frozenset(reluctant)
        )

    def groups(self) -> list[Group]:
        rows = list(self._rows.values())
        partition = best_partition(rows, self._rules)
        by_keys: dict[tuple[Hashable, ...], list[int]] = {}
        chosen = sorted(partition.keys)
        for each, values in enumerate(self._values):
            by_keys.setdefault(tuple(values[key] for key in chosen), []).append(each)
        refined: set[int] = set()
        parts: list[tuple[frozenset[int], list[int]]] = []
        for inside in by_keys.values():
            for more, part in self._looked_into(inside, partition.keys):
                refined |= more
                parts.append((partition.keys | more, part))
        choice = self._choice(rows, partition, frozenset(refined))
        return [self._group(keys, part, choice) for keys, part in parts]

    def _group(self, keys: frozenset[int], part: list[int], choice: Choice) -> Group:
        succeeded = [each for each in part if each in self._labels]
        return Group(
            signature=self._signature,
            features=self._features,
            keys={key: self._values[part[0]][key] for key in sorted(keys)},
            members=tuple(self._members[each] for each in part),
            kinds=self._kinds(keys, part),
            labels=frozenset(self._labels[each] for each in succeeded),
            choice=choice,
        )

    def _kinds(self, keys: frozenset[int], part: list[int]) -> dict[int, Kind]:
        kinds = {}
        for feature in range(len(self._features)):
            values = {self._values[each][feature] for each in part}
            only = next(iter(values))
            if len(values) == 1 and isinstance(only, Kind) and feature not in keys | self._rules.never:
                kinds[feature] = only
        return kinds

    def _looked_into(self, inside: list[int], keys: frozenset[int]) -> list[tuple[frozenset[int], list[int]]]:
        """The parts of a group that holds several clusters, with the features by which they are told apart.

        Only words tell parts of a group apart: `latest` and `oldest` are operations, two dates are not."""
        rows = [self._rows[each] for each in inside if each in self._rows]
        if not self._repaired or len({row.cluster for row in rows}) < 2:
            return [(frozenset(), inside)]
        words = [
            feature
            for feature in range(len(self._features))
            if feature not in keys and penalty_of(self._features[feature], {row.values[feature] for row in rows})
        ]
        never = frozenset(range(len(self._features))) - keys - frozenset(words)
        best = best_partition(rows, Rules(never=never))
        more = best.keys - keys
        if not more or best.cost.total >= cost_of(rows, keys).total:
            return [(frozenset(), inside)]
        parts: dict[tuple[Hashable, ...], list[int]] = {}
        for each in inside:
            parts.setdefault(tuple(self._values[each][key] for key in sorted(more)), []).append(each)
        return [(more, part) for part in parts.values()]

    def _choice(self, rows: list[Row], partition: Partition, refined: frozenset[int]) -> Choice:
        count = len(self._features)
        return Choice(
            signature=self._signature,
            features=self._features,
            samples=len(self._members),
            clusters=len({row.cluster for row in rows}),
            partition=partition,
            rules=self._rules,
            distinct=tuple(len({values[each] for values in self._values}) for each in range(count)),
            without=tuple(cost_of(rows, partition.keys ^ {each}, self._rules) for each in range(count)),
            refined=refined,
        )


def _absorbed(labels: dict[int, Label], shapes: Shapes) -> dict[int, Label]:
    """Labels in which shapes that differ only in what is unknown (empty arrays, nulls) are one."""
    often = Counter(label[1] for label in labels.values() if label[0] == "json" and isinstance(label[1], int))
    wide: list[int] = []
    belongs: dict[int, int] = {}
    for shape, _ in sorted(often.items(), key=lambda each: (shapes.unknowns(each[0]), -each[1], each[0])):
        for position, other in enumerate(wide):
            if (both := shapes.unified(other, shape)) is not None:
                wide[position] = both
                belongs[shape] = position
                break
        else:
            belongs[shape] = len(wide)
            wide.append(shape)
    return {
        each: ("json", wide[belongs[label[1]]]) if isinstance(label[1], int) else label
        for each, label in labels.items()
    }
