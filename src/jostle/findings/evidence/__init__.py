"""What shows a finding, typed: one struct for each way in which something is shown, told apart by its `type` in JSON.

Whoever finds something makes one of these; reports, exporters and the published JSON schema read the same.
"""

from __future__ import annotations

from jostle.findings.evidence.adverse import AdverseEvidence, EndScreen, InjectedCondition
from jostle.findings.evidence.defects import (
    ErrorEvidence,
    HangEvidence,
    InvariantEvidence,
    RequestEvidence,
    SightedEvidence,
)
from jostle.findings.evidence.races import (
    DifferenceKind,
    Dismissal,
    DismissedEvidence,
    LoadRaceEvidence,
    LoadRacePart,
    OrderedEvent,
    OrderedRun,
    OutcomeDifference,
    RaceEvidence,
    ResponseRaceEvidence,
    Role,
    ScheduleEvidence,
)
from jostle.findings.evidence.repair import (
    CodeFix,
    FixPattern,
    Repair,
    RepairCost,
    RepairOutcome,
    TriedPolicy,
    VerifiedOrder,
)
from jostle.findings.evidence.shared import CodeExcerpt, EvidenceBase, EvidenceWithTest, GeneratedTest
from jostle.findings.evidence.slowdown import (
    GrowingFunction,
    GrowthOutcome,
    Law,
    Levelled,
    Series,
    ServerSlower,
    SlowdownEvidence,
)
from jostle.findings.evidence.unreadable import UnreadableEvidence

Evidence = (
    LoadRaceEvidence
    | ResponseRaceEvidence
    | ScheduleEvidence
    | SlowdownEvidence
    | ErrorEvidence
    | RequestEvidence
    | HangEvidence
    | InvariantEvidence
    | AdverseEvidence
    | DismissedEvidence
    | UnreadableEvidence
)

__all__ = [
    "AdverseEvidence",
    "CodeExcerpt",
    "CodeFix",
    "DifferenceKind",
    "Dismissal",
    "DismissedEvidence",
    "EndScreen",
    "ErrorEvidence",
    "Evidence",
    "EvidenceBase",
    "EvidenceWithTest",
    "FixPattern",
    "GeneratedTest",
    "GrowingFunction",
    "GrowthOutcome",
    "HangEvidence",
    "InjectedCondition",
    "InvariantEvidence",
    "Law",
    "Levelled",
    "LoadRaceEvidence",
    "LoadRacePart",
    "OrderedEvent",
    "OrderedRun",
    "OutcomeDifference",
    "RaceEvidence",
    "Repair",
    "RepairCost",
    "RepairOutcome",
    "RequestEvidence",
    "ResponseRaceEvidence",
    "Role",
    "ScheduleEvidence",
    "Series",
    "ServerSlower",
    "SightedEvidence",
    "SlowdownEvidence",
    "TriedPolicy",
    "UnreadableEvidence",
    "VerifiedOrder",
]
