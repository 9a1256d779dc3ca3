"""The interface of a server as one HTML document: its operations, and what in the client uses them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from jostle.findings import Finding
from jostle.findings.contract import OutsideContract
from jostle.plural import count
from jostle.recording.exchange import Exchange
from jostle.recording.file import Recording
from jostle.report.document import environment, own, policy
from jostle.report.rows import shown
from jostle.serverapi.ail_format import format_operation, format_pattern
from jostle.serverapi.asking import with_words
from jostle.serverapi.description import (
    Alternative,
    Anything,
    Constant,
    Datatype,
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
from jostle.serverapi.files import ApiFiles
from jostle.serverapi.matching import Matcher, property_text
from jostle.serverapi.mock.origins import stand_in_origin
from jostle.serverapi.report.rows import SchemaRow, rows
from jostle.serverapi.sample import Content, Sample
from jostle.serverapi.traffic import origin_of, read_traffic

PACKAGE = "jostle.serverapi.report"
_MOST_VALUES = 5
_MOST_USES = 12
_LONGEST_EXAMPLE = 3000
_PLACES = {Place.BODY: "body", Place.PROPERTY: "body", Place.GRAPHQL: "GraphQL operation"}


class ParameterRow(msgspec.Struct, frozen=True, kw_only=True):
    """Something that a request carries."""

    name: str
    place: str
    type: str
    required: str
    examples: tuple[str, ...] = ()


class ResponseSection(msgspec.Struct, frozen=True, kw_only=True):
    """One of the responses of an operation."""

    status: str
    failure: bool
    type: str
    rows: tuple[SchemaRow, ...] = ()
    example: str = ""
    """A recorded one."""
    asked: str = ""
    """For what that was the response."""


class OperationSection(msgspec.Struct, frozen=True, kw_only=True):
    """One operation."""

    method: str
    path: tuple[tuple[str, bool], ...]
    """The parts, and whether each is a parameter."""
    constants: tuple[str, ...]
    """Parameters that must have one value: what tells it from others at the same path."""
    ail: str
    comments: tuple[str, ...]
    parameters: tuple[ParameterRow, ...]
    body: tuple[SchemaRow, ...]
    responses: tuple[ResponseSection, ...]
    requests: int
    """How many were seen."""
    uses: tuple[tuple[str, int], ...]
    """What the user did that asked for it, with how many requests."""
    more_uses: int
    findings: tuple[str, ...]
    """Titles."""
    outside: tuple[OutsideContract, ...]


def page(files: ApiFiles, recordings: Iterable[Recording] = (), findings: Sequence[Finding] = ()) -> str:
    """A self-contained HTML document. `recordings`: of a run, beside the traffic that was learned from; `findings`: of
    that run."""
    told = sections(files, recordings, findings)
    template = environment(PACKAGE, count=count, shown=shown).get_template("interface.html")
    style = own("base.css") + own("stories.css") + own("interface.css", PACKAGE)
    return template.render(
        style=style,
        policy=policy(style=style),
        url=shown(files.description.base),
        name=shown(files.file.name),
        comments=[shown(each) for each in files.description.comments],
        operations=told,
        requests=sum(each.requests for each in told),
        unused=sum(not each.requests for each in told),
        left=sum(bool(each.outside) for each in told),
    )


def sections(
    files: ApiFiles, recordings: Iterable[Recording] = (), findings: Sequence[Finding] = ()
) -> list[OperationSection]:
    """What is told of each operation, in the order of the description."""
    matcher = Matcher(files.description, files.schemas)
    seen: dict[int, list[tuple[Sample, Exchange, Recording]]] = {}
    own_traffic = [files.recording] if files.recording is not None else []
    for recording in map(with_words, (*own_traffic, *recordings)):
        described = origin_of(files.description.base)
        asked = {origin_of(each.url) for each in recording.exchanges}
        base = next((each for each in (described, stand_in_origin(described)) if each in asked), "")
        for sample in read_traffic(recording.exchanges, recording.body_of, base=base).samples:
            if (number := matcher.number_for(sample.request)) is not None:
                seen.setdefault(number, []).append((sample, recording.exchanges[sample.exchange], recording))
    return [
        _section(operation, files, seen.get(number, ()), findings)
        for number, operation in enumerate(files.description.operations)
    ]


def _section(
    operation: Operation,
    files: ApiFiles,
    seen: Sequence[tuple[Sample, Exchange, Recording]],
    findings: Sequence[Finding],
) -> OperationSection:
    pattern = operation.pattern
    name = format_pattern(pattern)
    samples = [sample for sample, _, _ in seen]
    uses = Counter(shown(sample.asked_by, 120) for sample in samples if sample.asked_by).most_common()
    broken = [(each, outside) for each in findings if each.contract for outside in each.contract.outside]
    outside = {(each.request, each.what): each for _, each in broken if each.operation == name}
    bodies = [each for each in pattern.parameters if each.place is Place.BODY]
    return OperationSection(
        method=pattern.method,
        path=tuple(
            (shown(each.text) if each.constant else f"{{{each.name or '*'}}}", not each.constant)
            for each in pattern.path
        ),
        constants=tuple(
            f"{shown(each.words)} = {shown(each.datatype[0].text)}"
            for each in pattern.parameters
            if len(each.datatype) == 1 and isinstance(each.datatype[0], Constant)
        ),
        ail=format_operation(operation),
        comments=tuple(shown(each) for each in operation.comments),
        parameters=tuple(_parameters(operation, samples)),
        body=tuple(row for each in bodies for row in _schema_rows(each.datatype, files)),
        responses=tuple(_response(each, operation, files, seen) for each in operation.responses),
        requests=len(samples),
        uses=tuple(uses[:_MOST_USES]),
        more_uses=max(0, len(uses) - _MOST_USES),
        findings=tuple(dict.fromkeys(shown(each.title) for each, outside in broken if outside.operation == name)),
        outside=tuple(outside.values()),
    )


def _parameters(operation: Operation, samples: Sequence[Sample]) -> Iterable[ParameterRow]:
    for position, fragment in enumerate(operation.pattern.path):
        if not fragment.constant:
            values = (each.request.path[position] for each in samples if position < len(each.request.path))
            yield ParameterRow(
                name=shown(fragment.name or "*"),
                place="path",
                type=_words(fragment.datatype),
                required="required",
                examples=_some(values),
            )
    required = {"": "required", "?": "optional", "+": "any number of times"}
    for parameter in operation.pattern.parameters:
        if parameter.place is not Place.BODY:
            yield ParameterRow(
                name=shown(parameter.name or parameter.words),
                place=_PLACES.get(parameter.place) or _field_place(parameter, samples),
                type=_words(parameter.datatype),
                required=required[parameter.cardinality.value],
                examples=_some(_values(parameter, samples)),
            )


def _field_place(parameter: Parameter, samples: Sequence[Sample]) -> str:
    return "form" if any(parameter.name in each.request.in_body for each in samples) else "query"


def _values(parameter: Parameter, samples: Sequence[Sample]) -> Iterable[str]:
    for sample in samples:
        if parameter.place is Place.FIELD:
            yield from sample.request.named().get(parameter.name, ())
        elif parameter.place is Place.GRAPHQL:
            yield sample.request.graphql
        elif (text := property_text(sample.request, parameter.name)) is not None:
            yield text


def _some(values: Iterable[str]) -> tuple[str, ...]:
    return tuple(shown(each, 60) for each in list(dict.fromkeys(each for each in values if each))[:_MOST_VALUES])


def _response(
    alternative: Alternative,
    operation: Operation,
    files: ApiFiles,
    seen: Sequence[tuple[Sample, Exchange, Recording]],
) -> ResponseSection:
    fitting = (each for each in seen if _is_of(each[0], alternative, operation))
    # The fullest says most, as long as it can be read at a glance.
    examples = sorted(fitting, key=lambda each: min(len(each[2].body_of(each[1])), _LONGEST_EXAMPLE // 4), reverse=True)
    return ResponseSection(
        status=alternative.status or "200",
        failure=alternative.status[:1] in ("4", "5"),
        type=_words((alternative.type,)),
        rows=_schema_rows((alternative.type,), files),
        example=_example(examples[0][0]) if examples else "",
        asked=shown(str(examples[0][0].request), 200) if examples else "",
    )


def _is_of(sample: Sample, alternative: Alternative, operation: Operation) -> bool:
    """Whether a response is the one that is meant, of several."""
    if not alternative.allows_status(sample.response.status):
        return False
    exact = any(each.status == str(sample.response.status) for each in operation.responses)
    return not exact or alternative.status == str(sample.response.status)


def _example(sample: Sample) -> str:
    if sample.response.content is not Content.JSON:
        return ""
    text = msgspec.json.format(msgspec.json.encode(sample.response.value), indent=2).decode()
    return shown(text, _LONGEST_EXAMPLE)


def _schema_rows(datatype: Datatype, files: ApiFiles) -> tuple[SchemaRow, ...]:
    return tuple(
        row
        for each in datatype
        if isinstance(each, JsonSchema)
        for row in map(_shown_row, rows(files.schemas.by_file.get(each.file)))
    )


def _shown_row(row: SchemaRow) -> SchemaRow:
    examples: Any = tuple(shown(each, 60) for each in row.examples)
    return msgspec.structs.replace(row, name=shown(row.name, 80), type=shown(row.type, 200), examples=examples)


def _words(datatype: Datatype) -> str:
    return " or ".join(_simple(each) for each in datatype)


def _simple(simple: Simple) -> str:
    match simple:
        case Constant(text=text):
            return f'always "{shown(text, 80)}"'
        case Anything():
            return "text"
        case Void():
            return "no body"
        case Integer():
            return "whole number"
        case Identifier():
            return "id"
        case JsonSchema():
            return "JSON"
        case RelaxNg():
            return "XML"
        case Media(type=kind):
            return shown(kind)
