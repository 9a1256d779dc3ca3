"""What findings mean for the outcome of a run."""

from __future__ import annotations

from pathlib import Path

import pytest

from jostle.consumers.gate import FailureGate
from jostle.errors import UsageProblem
from jostle.findings import Severity
from jostle.findings.baseline import Baseline
from tests.consumers.streams import finding

FINDINGS = (finding("low", Severity.LOW), finding("high"))


def test_fail_on_and_a_baseline(tmp_path: Path) -> None:
    assert [each.id for each in FailureGate()(FINDINGS).failing] == ["low", "high"]
    assert [each.id for each in FailureGate(["high"])(FINDINGS).failing] == ["high"]
    file = tmp_path / "known.json"
    Baseline().updated(FINDINGS[1:]).write(file)
    gated = FailureGate((), file)(FINDINGS)
    assert [each.id for each in gated.failing] == ["low"] and [each.id for each in gated.known] == ["high"]


def test_what_others_found_before_is_not_gone(tmp_path: Path) -> None:
    file = tmp_path / "known.json"
    Baseline().updated(FINDINGS).write(file)
    assert len(FailureGate((), file)(()).gone) == 2
    assert FailureGate((), file, techniques=("slowdown",))(()).gone == ()


def test_updating(tmp_path: Path) -> None:
    file = tmp_path / "known.json"
    gate = FailureGate((), file, update=True)
    assert gate(FINDINGS).failing == () and not file.exists()
    assert gate.write_baseline(FINDINGS) == file
    assert [each.id for each in Baseline.read(file).findings] == ["high", "low"]
    assert FailureGate().write_baseline(FINDINGS) is None


def test_wrong_usage(tmp_path: Path) -> None:
    with pytest.raises(UsageProblem, match="--update-baseline needs --baseline FILE"):
        FailureGate((), None, update=True)
    with pytest.raises(UsageProblem, match="is not there"):
        FailureGate((), tmp_path / "none.json")
