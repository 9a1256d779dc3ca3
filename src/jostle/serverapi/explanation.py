"""Why requests were merged or kept apart, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from jostle.plural import count
from jostle.serverapi.ail_format import format_pattern
from jostle.serverapi.clustering import Choice, Group, label_of
from jostle.serverapi.features import Kind
from jostle.serverapi.learning import Learned, Member
from jostle.serverapi.partition import Cost
from jostle.serverapi.sample import Sample

_MOST_SHOWN = 5


def explain(learned: Learned, samples: Sequence[Sample]) -> Iterator[str]:
    """A paragraph for each operation, and one for what was joined afterwards."""
    for member in learned.members:
        yield "\n".join(_paragraph(member, learned, samples))
    if learned.joined:
        yield "\n".join(["Made one operation:", *(f"  {each}" for each in learned.joined)])


def why(learned: Learned, samples: Sequence[Sample], one: int, other: int) -> str:
    """Why two samples, by their positions, belong to one operation or to two."""
    first, second = (next(m for m in learned.members if each in m.samples) for each in (one, other))
    if first is second:
        return _why_together(first, learned, samples, one, other)
    left, right = _group_of(first, one), _group_of(second, other)
    if left is None or right is None:
        return "They are apart because an operation that was written by hand matches one of them only."
    if left.signature != right.signature:
        return f"They are apart because their signatures differ: {left.signature} and {right.signature}."
    for key in sorted(left.keys.keys() & right.keys.keys()):
        if left.keys[key] != right.keys[key]:
            feature = left.features[key]
            values = f"{_shown(left.keys[key])} and {_shown(right.keys[key])}"
            return f"They are apart because {feature} differs ({values}). {_flip(left.choice, key)}"
    return "They are apart because a part of them was looked at again: their responses are of different kinds."


def _why_together(member: Member, learned: Learned, samples: Sequence[Sample], one: int, other: int) -> str:
    if member.given:
        return "They are together because an operation that was written by hand matches both."
    left, right = _group_of(member, one), _group_of(member, other)
    if left is not right:
        return "They are together although their parameters differ: same path, same kind of response."
    kinds = {label_of(samples[each].response, learned.shapes) for each in (one, other)}
    alike = "same kind of response" if len(kinds) == 1 else "keeping their kinds of response apart would cost more"
    return f"They are together: same signature, equal constants, {alike}."


def _group_of(member: Member, position: int) -> Group | None:
    return next((group for group in member.groups if position in group.members), None)


def _paragraph(member: Member, learned: Learned, samples: Sequence[Sample]) -> Iterator[str]:
    yield f"{format_pattern(member.operation.pattern)}   {count(len(member.samples), 'request')}"
    if member.given:
        yield "  written by hand: kept as it is"
        return
    seen = set()
    for group in member.groups:
        for number, feature in enumerate(group.features):
            line = f"  {feature}: {_role(group, number)}"
            if line not in seen:
                seen.add(line)
                yield line
    if len(member.groups) > 1:
        yield f"  {count(len(member.groups), 'set')} of parameters, same path, same kind of response: one operation"
    labels = sorted({label for group in member.groups for label in group.labels}, key=str)
    if len(labels) > 1:
        shown = [learned.shapes.words(x) if isinstance(x, int) else x or kind for kind, x in labels]
        more = f" and {len(shown) - _MOST_SHOWN} more" if len(shown) > _MOST_SHOWN else ""
        yield f"  {len(labels)} kinds of response merged: {'; '.join(shown[:_MOST_SHOWN])}{more}"
    if not all(group.choice.partition.exhaustive for group in member.groups):
        yield "  too many combinations of features to try all: a better split may exist"


def _role(group: Group, number: int) -> str:
    choice = group.choice
    distinct = choice.distinct[number]
    if number in group.keys:
        value = group.keys[number]
        if isinstance(value, Kind):
            only = "only numbers" if value.name == "int" else "only identifiers"
            return f"{only} → {value.name}" if distinct == 1 else f"{only} here → {value.name}. {_flip(choice, number)}"
        if number in choice.rules.always:
            return f"{_shown(value)} → constant: it names the operation"
        if distinct == 1:
            return f"always {_shown(value)} → constant"
        if number in choice.refined:
            return f"{_shown(value)} → constant: a wildcard would merge responses of different kinds"
        return f"{_shown(value)}, one of {distinct} → constant. {_flip(choice, number)}"
    if number in choice.rules.never:
        return "a secret, a time, a file or several values → wildcard"
    if number in choice.rules.reluctant and distinct == 1:
        return "people fill it in → wildcard"
    return f"{count(distinct, 'value')} → wildcard. {_flip(choice, number)}"


def _flip(choice: Choice, number: int) -> str:
    """What it would cost to decide the other way."""
    taken, other = choice.partition.cost, choice.without[number]
    decided = "a wildcard" if number in choice.partition.keys else "a constant"
    return f"As {decided}: {_cost(other)}; as it is: {_cost(taken)}."


def _cost(cost: Cost) -> str:
    penalty = f" + {cost.penalty:g} for hiding names" if cost.penalty else ""
    return f"{count(cost.splits, 'split')} + {count(cost.merges, 'merge')}{penalty}"


def _shown(value: object) -> str:
    if isinstance(value, Kind):
        return value.name
    text = str(value)
    return f'"{text if len(text) <= 60 else text[:59] + "…"}"'
