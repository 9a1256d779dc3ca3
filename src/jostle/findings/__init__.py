"""What was found: the data model, grouping by cause, and the shortest way to see it again."""

from jostle.findings.defect import Defect
from jostle.findings.finding import Confidence, Finding, FindingKind, Severity
from jostle.findings.grouping import Group, Groups
from jostle.findings.minimise import START, Minimised, minimise

__all__ = [
    "START",
    "Confidence",
    "Defect",
    "Finding",
    "FindingKind",
    "Group",
    "Groups",
    "Minimised",
    "Severity",
    "minimise",
]
