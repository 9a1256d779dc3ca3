"""What findings of all kinds of races have in common: two orders, what they end in, and the files that show them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeVar

import msgspec

from jostle.findings import Finding
from jostle.findings.evidence import RaceEvidence

E = TypeVar("E", bound=RaceEvidence)


def with_files(evidence: E, files: Mapping[str, str]) -> E:
    """The evidence with the names of what was written: `good screen`, `good replay`, `bad screen` and `test`, as far as
    there are any."""
    replace = msgspec.structs.replace
    good = {name: files[f"good {name}"] for name in ("screen", "replay") if f"good {name}" in files}
    return replace(
        evidence,
        good=replace(evidence.good, **good),
        bad=replace(evidence.bad, screen=files.get("bad screen", evidence.bad.screen)),
        test=files.get("test", evidence.test),
    )


def with_same_cause(finding: Finding, also: Iterable[str]) -> Finding:
    """A race that is known, and what else has its cause; each is told once."""
    evidence = finding.evidence
    assert isinstance(evidence, RaceEvidence)
    more = tuple(dict.fromkeys((*evidence.also, *also)))
    return msgspec.structs.replace(finding, evidence=msgspec.structs.replace(evidence, also=more))
