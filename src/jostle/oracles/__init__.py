"""What counts as wrong."""

from jostle.findings import Problem
from jostle.oracles.invariants import Invariants
from jostle.oracles.problems import Done, harmless, problems

__all__ = ["Done", "Invariants", "Problem", "harmless", "problems"]
