"""Learning anew with more traffic, without losing what people wrote."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import msgspec

from jostle.serverapi.ail_format import format_pattern
from jostle.serverapi.description import JsonSchema, Operation, Place
from jostle.serverapi.files import ApiFiles
from jostle.serverapi.inference import Schema, schema_of, seen_in
from jostle.serverapi.learning import Learned, Member, learn
from jostle.serverapi.sample import Content, Sample


def learn_more(samples: Sequence[Sample], before: ApiFiles, *, repaired: bool, precise: bool, folder: str) -> Learned:
    """Learn from all samples, those of `before` among them.

    Operations that were edited by hand stay as they are, but for schemas of theirs that nobody edited; everything else
    is learned anew. Comments stay with their operations.
    """
    given = [each for each in before.description.operations if before.edited(each)]
    learned = learn(
        samples,
        before.description.base,
        repaired=repaired,
        precise=precise,
        given=given,
        given_schemas=before.schemas,
        schema_folder=folder,
    )
    comments = {format_pattern(each.pattern): each.comments for each in before.description.operations}
    members = tuple(_commented(each, comments) for each in learned.members)
    description = msgspec.structs.replace(
        learned.description,
        operations=tuple(each.operation for each in members),
        comments=before.description.comments,
        footer=before.description.footer,
    )
    schemas = dict(learned.schemas)
    for member in members:
        if member.given:
            schemas |= _schemas_of(member, samples, before)
    return replace(learned, description=description, members=members, schemas=schemas)


def _commented(member: Member, comments: dict[str, tuple[str, ...]]) -> Member:
    told = comments.get(format_pattern(member.operation.pattern), ())
    if not told or member.given:
        return member
    return replace(member, operation=msgspec.structs.replace(member.operation, comments=told))


def _schemas_of(member: Member, samples: Sequence[Sample], before: ApiFiles) -> dict[str, Schema]:
    """The schemas of an operation that was given, with what is known by now. Those that are its author's stay."""
    chosen = [samples[each] for each in member.samples]
    found: dict[str, Schema] = {}
    for file, values in _values(member.operation, chosen):
        if file in before.marks.schemas and values:
            found[file] = schema_of(seen_in(values))
        else:
            found[file] = before.schemas.by_file[file]
    return found


def _values(operation: Operation, samples: Sequence[Sample]) -> Iterable[tuple[str, list[object]]]:
    """The values that each schema of an operation is for."""
    for parameter in operation.pattern.parameters:
        for simple in parameter.datatype:
            if isinstance(simple, JsonSchema):
                bodies = [
                    each.request.body for each in samples if each.request.content in (Content.JSON, Content.GRAPHQL)
                ]
                yield simple.file, bodies if parameter.place is Place.BODY else []
    for alternative in operation.responses:
        if isinstance(alternative.type, JsonSchema):
            yield (
                alternative.type.file,
                [
                    each.response.value
                    for each in samples
                    if each.response.content is Content.JSON and alternative.allows_status(each.response.status)
                ],
            )
