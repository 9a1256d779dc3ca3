"""What the reports need to know of a technique. Each room has one such record for each technique of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from pathlib import Path

import msgspec
from markupsafe import Markup

from jostle.findings import Finding
from jostle.findings.evidence import EvidenceBase
from jostle.report.run_summary import RunSummary
from jostle.report.screens import Album


class StoryContext(msgspec.Struct, frozen=True, kw_only=True):
    """What a technique is given to tell a finding with."""

    url: str
    """Of the application."""
    directory: Path
    """Of the run."""
    album: Album
    name: str
    """What the parts of the document that belong to this finding are called."""


class FindingStory(msgspec.Struct, frozen=True, kw_only=True):
    """A finding as its technique tells it."""

    style: str
    """Class of the element around it."""
    html: Markup
    certainty: str = ""
    """How sure it is, in a few words; empty: as the confidence says."""


class Tries(StrEnum):
    """What a search counts as tried."""

    EVENTS = "events"
    """The application is used as by anybody."""
    CASES = "cases"
    """Each of them could break it."""
    CONDITIONS = "conditions"
    """They should make no difference to the user's tests."""


class ReportedTechnique(msgspec.Struct, frozen=True, kw_only=True):
    """How a technique is told."""

    name: str
    """As findings and documents have it: `races ajax`."""
    title: str
    """What it does: `Answers that come late`."""
    label: str
    """The same in two words."""
    evidence: tuple[type[EvidenceBase], ...]
    """What it shows its findings by. Findings are told by the technique that knows their evidence."""
    tell: Callable[[Finding, StoryContext], FindingStory]
    tries: Tries = Tries.CASES
    about: str = "what a check found"
    """What a report is about when this is all that was done."""
    package: str
    """Whose templates its stories are made of, and whose styles."""
    styles: tuple[str, ...] = ()
    """Files in the templates of the package."""
    remarks: Callable[[RunSummary], Markup] = lambda _: Markup()
    """What it has to tell of a run besides its findings."""


ReportedTechniques = Mapping[str, ReportedTechnique]
"""By their names, in the order in which they are told."""
