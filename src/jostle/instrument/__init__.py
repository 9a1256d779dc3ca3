"""Rewriting JavaScript: the engine (`Rewriter`) and its probe sets."""

from jostle.instrument.probes.memory import memory
from jostle.instrument.rewriter import CodeKind, Rewriter, Rewritten

__all__ = ["CodeKind", "Rewriter", "Rewritten", "memory"]
