"""In what the ends of two runs differ, as people read it."""

from __future__ import annotations

import re
from collections.abc import Iterable

import msgspec

from jostle.findings.evidence import DifferenceKind, OutcomeDifference

_SAID = {
    DifferenceKind.FORM: re.compile(r'\.(?:value="(.*)"|(\w+))', re.DOTALL),
    DifferenceKind.URL: re.compile(r"tab \d+ (\S+)()"),
}
"""What a snapshot says, and what of it is for people."""


def readable(differences: Iterable[OutcomeDifference]) -> tuple[OutcomeDifference, ...]:
    return tuple(map(_readable, differences))


def _readable(difference: OutcomeDifference) -> OutcomeDifference:
    pattern = _SAID.get(difference.what)
    if pattern is None:
        return difference
    good, bad = (
        (found[1] or found[2] or "") if (found := pattern.fullmatch(text)) else text
        for text in (difference.good, difference.bad)
    )
    return msgspec.structs.replace(difference, good=good, bad=bad)
