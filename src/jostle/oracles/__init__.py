"""What counts as wrong."""

from jostle.findings import Defect
from jostle.oracles.invariants import Invariants
from jostle.oracles.problems import Done, harmless, problems

__all__ = ["Defect", "Done", "Invariants", "harmless", "problems"]
