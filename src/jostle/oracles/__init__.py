"""What counts as wrong."""

from jostle.findings import Defect
from jostle.oracles.invariants import Invariants
from jostle.oracles.problems import DoneEvent, harmless, problems

__all__ = ["Defect", "DoneEvent", "Invariants", "harmless", "problems"]
