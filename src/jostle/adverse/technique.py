"""Suites in adverse conditions, as two of the techniques. They are run by the pytest plugin, not as jobs."""

from __future__ import annotations

from jostle.adverse.report import technique as reported
from jostle.search.technique import Technique

CONDITIONS = Technique(name="adverse", report=reported.CONDITIONS)
REORDERED = Technique(name="adverse orders", report=reported.REORDERED)
