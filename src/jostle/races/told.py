"""What findings of all kinds of races have in common: two orders, what they end in, and the files that show them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

import msgspec

from jostle.findings import Finding
from jostle.findings.evidence import GeneratedTest, RaceEvidence
from jostle.races.files import OrderFiles

E = TypeVar("E", bound=RaceEvidence)


class RaceFiles(msgspec.Struct, frozen=True, kw_only=True):
    """What was written of a race."""

    good: OrderFiles = OrderFiles()
    bad: OrderFiles = OrderFiles()
    test: GeneratedTest = GeneratedTest()


def with_files(evidence: E, files: RaceFiles) -> E:
    """The evidence with the names of what was written; the replay of the bad order is the finding's own."""
    replace = msgspec.structs.replace
    orders = replace(
        evidence,
        good=replace(evidence.good, screen=files.good.screen, replay=files.good.replay),
        bad=replace(evidence.bad, screen=files.bad.screen),
    )
    return orders.tested_by(files.test)


def with_same_cause(finding: Finding, also: Iterable[str]) -> Finding:
    """A race that is known, and what else has its cause; each is told once."""
    evidence = finding.evidence
    assert isinstance(evidence, RaceEvidence)
    more = tuple(dict.fromkeys((*evidence.also, *also)))
    return msgspec.structs.replace(finding, evidence=msgspec.structs.replace(evidence, also=more))
