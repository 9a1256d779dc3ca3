"""What findings of all kinds of races have in common: two orders, what they end in, and the files that show them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from jostle.findings import Problem
from jostle.oracles.outcome import Difference


def with_files(problem: Problem, files: Mapping[str, str]) -> dict[str, Any]:
    """The evidence with the names of what was written: `good screen`, `good replay`, `bad screen` and `test`, as far as
    there are any."""
    good, bad = dict(problem.evidence["good"]), dict(problem.evidence["bad"])
    good |= {name: files[f"good {name}"] for name in ("screen", "replay") if f"good {name}" in files}
    bad |= {name: files[f"bad {name}"] for name in ("screen",) if f"bad {name}" in files}
    evidence = {**problem.evidence, "good": good, "bad": bad}
    return {**evidence, "test": files["test"]} if "test" in files else evidence


def as_evidence(found: Iterable[Difference]) -> list[dict[str, str]]:
    """Differences as plain data."""
    return [{"what": each.what.value, "where": each.where, "good": each.good, "bad": each.bad} for each in found]
