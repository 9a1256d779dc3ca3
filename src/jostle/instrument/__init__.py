"""Rewriting JavaScript: the engine (`Rewriter`, which fulfils `jostle.rewriting`) and its probe sets."""

from jostle.instrument.probes.memory import memory
from jostle.instrument.rewriter import Rewriter

__all__ = ["Rewriter", "memory"]
