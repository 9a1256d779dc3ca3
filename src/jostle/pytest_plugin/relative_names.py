"""Tests and their lines as somebody who runs pytest here would name them."""

from __future__ import annotations

import os
import shlex
from pathlib import Path

from jostle.adverse.failure import AdverseFailure


class RelativeNames:
    """Names relative to the working directory; pytest's are relative to `root`."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def line(self, where: str) -> str:
        """`test_it.py:7`"""
        return os.path.relpath(self._root / where) if where else ""

    def command(self, test: str, failure: AdverseFailure) -> str:
        """What shows a failure of a test again."""
        file, colons, name = test.partition("::")
        near = os.path.relpath(self._root / file)
        return shlex.join(["pytest", f"{near}{colons}{name}", "--jostle-repro", failure.token])
