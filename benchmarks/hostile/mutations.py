"""Files of every format that jostle reads, damaged at random: each is read or refused in words, in time."""

from __future__ import annotations

import random
import tempfile
import time
from pathlib import Path

from benchmarks.hostile.tally import Row
from tests.hostile.damaged_files import formats, tried

IN_TIME = 5.0
"""Seconds of processor time that a file of a few kilobytes may take."""


def mutations(number: int, seed: int, *, only: str = "") -> list[Row]:
    """So many of each format."""
    rows = []
    with tempfile.TemporaryDirectory(prefix="hostile-") as name:
        for form in formats(Path(name)):
            if only and only != form.name:
                continue
            row = Row(what=f"damaged files: {form.name}")
            slowest = 0.0
            chance = random.Random(f"{seed} {form.name}")
            for _ in range(number):
                with tempfile.TemporaryDirectory(dir=name) as folder:
                    began = time.process_time()
                    row.count(tried(form, chance, Path(folder), most=IN_TIME))
                    slowest = max(slowest, time.process_time() - began)
            row.figures = f"slowest {1000 * slowest:.0f} ms"
            rows.append(row)
    return rows
