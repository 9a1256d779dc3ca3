"""Runs: the directory a run is written to as it happens, and the JSON document that sums it up."""

from jostle.findings.finding import Confidence, Finding, FindingKind, Severity
from jostle.runs.directory import RunDirectory
from jostle.runs.document import Document, Suppressed
from jostle.runs.newest import newest, runs_below
from jostle.runs.store import Artefact, Remark, RunInfo
from jostle.search.stream import Status

__all__ = [
    "Artefact",
    "Confidence",
    "Document",
    "Finding",
    "FindingKind",
    "Remark",
    "RunDirectory",
    "RunInfo",
    "Severity",
    "Status",
    "Suppressed",
    "newest",
    "runs_below",
]
