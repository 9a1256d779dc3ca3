"""Where recorded traffic leaves a description: requests that nothing describes, responses that are otherwise."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from jostle.serverapi.ail_format import format_pattern
from jostle.serverapi.matching import Matcher
from jostle.serverapi.sample import Sample
from jostle.serverapi.schemas import Violation


class Deviation(msgspec.Struct, kw_only=True):
    """One way in which traffic leaves the description."""

    side: str
    """`client`: a request that no operation is for. `server`: a response that is not as described."""
    operation: str
    """The pattern of the operation; for a request without one, that of the nearest, if there is any."""
    status: int = 0
    where: str = ""
    """Path in the body of the response; empty for the whole of it."""
    what: str
    times: int = 0
    example: str = ""
    """The first request that shows it."""


class Conformance(msgspec.Struct, kw_only=True):
    """How traffic and description fit."""

    requests: int
    covered: int
    """Requests that an operation is for."""
    unused: tuple[str, ...] = ()
    """Patterns that no request matched."""
    deviations: tuple[Deviation, ...] = ()


def conformance(samples: Sequence[Sample], matcher: Matcher) -> Conformance:
    """Compare; what is the same way in several samples is told once."""
    found: dict[tuple[str, str, int, str, str], Deviation] = {}
    used: set[int] = set()
    covered = 0
    for sample in samples:
        number = matcher.number_for(sample.request)
        if number is None:
            _unknown(sample, matcher, found)
            continue
        covered += 1
        used.add(number)
        operation = matcher.description.operations[number]
        for violation in matcher.violations(operation, sample.response):
            _add(found, "server", format_pattern(operation.pattern), sample, violation)
    unused = [each for number, each in enumerate(matcher.description.operations) if number not in used]
    return Conformance(
        requests=len(samples),
        covered=covered,
        unused=tuple(format_pattern(each.pattern) for each in unused),
        deviations=tuple(found.values()),
    )


def _unknown(sample: Sample, matcher: Matcher, found: dict[tuple[str, str, int, str, str], Deviation]) -> None:
    nearest = matcher.nearest(sample.request)
    pattern = format_pattern(nearest[0].pattern) if nearest else ""
    what = (
        f"no operation is for this request; the nearest is {pattern}, but {nearest[1]}" if nearest else "no operation"
    )
    request = sample.request
    place = f"{request.method} /{'/'.join(request.path)} {request.graphql}".strip()
    _add(found, "client", pattern, sample, Violation("", what), key=place)


def _add(
    found: dict[tuple[str, str, int, str, str], Deviation],
    side: str,
    pattern: str,
    sample: Sample,
    violation: Violation,
    *,
    key: str = "",
) -> None:
    status = sample.response.status if side == "server" else 0
    kind = violation.rule if violation.rule not in ("", "required", "enum") else violation.what
    same = (side, key or pattern, status, violation.where, kind)
    if same not in found:
        found[same] = Deviation(
            side=side,
            operation=pattern,
            status=status,
            where=violation.where,
            what=violation.what,
            example=str(sample.request)[:300],
        )
    found[same].times += 1
