"""What was found: the data model, grouping by cause, and the shortest way to see it again."""

from jostle.findings.finding import Confidence, Finding, FindingKind, Severity
from jostle.findings.grouping import Group, Groups
from jostle.findings.minimise import START, Minimised, minimise
from jostle.findings.problem import Problem

__all__ = [
    "START",
    "Confidence",
    "Finding",
    "FindingKind",
    "Group",
    "Groups",
    "Minimised",
    "Problem",
    "Severity",
    "minimise",
]
