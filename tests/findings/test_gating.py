"""What makes a run fail."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jostle.errors import UsageProblem
from jostle.findings import Confidence, Finding, FindingKind, Severity
from jostle.findings.baseline import Baseline, Known
from jostle.findings.evidence import Dismissal, DismissedEvidence
from jostle.findings.gating import FailOn, Standing, gate


def found(
    name: str,
    kind: FindingKind = FindingKind.AJAX_RACE,
    severity: Severity = Severity.MEDIUM,
    title: str = "",
    technique: str = "races ajax",
) -> Finding:
    return Finding(
        id=name,
        technique=technique,
        kind=kind,
        confidence=Confidence.WITNESSED,
        severity=severity,
        title=title or name,
        evidence=DismissedEvidence(outcome=Dismissal.HARMLESS),
    )


LOW, MEDIUM, HIGH = (found(each.value, severity=each) for each in (Severity.LOW, Severity.MEDIUM, Severity.HIGH))
HANG = found("hang", FindingKind.HANG, Severity.LOW)
ALL = (LOW, MEDIUM, HIGH, HANG)


def ids(findings: Sequence[Finding | Known]) -> list[str]:
    return [each.id for each in findings]


# --fail-on


@pytest.mark.parametrize(
    ("words", "failing"),
    [
        ([], ["low", "medium", "high", "hang"]),
        (["any"], ["low", "medium", "high", "hang"]),
        (["any", "hang"], ["low", "medium", "high", "hang"]),
        (["high"], ["high"]),
        (["medium"], ["medium", "high"]),
        (["high", "medium"], ["medium", "high"]),
        (["low"], ["low", "medium", "high", "hang"]),
        (["hang"], ["hang"]),
        (["high", "hang"], ["high", "hang"]),
        ([" High", "HANG "], ["high", "hang"]),
        (["slowdown"], []),
        (["never"], []),
        (["never", "never"], []),
    ],
    ids=str,
)
def test_what_fails(words: list[str], failing: list[str]) -> None:
    gated = gate(ALL, FailOn.parse(words))
    assert ids(gated.failing) == failing
    assert ids(gated.tolerated) == [each.id for each in ALL if each.id not in failing]


def test_every_kind_can_be_named() -> None:
    for kind in FindingKind:
        assert FailOn.parse([kind.value]).wants(found("f", kind, Severity.LOW))


@pytest.mark.parametrize(
    ("word", "near"),
    [
        ("hihg", "high"),
        ("ajax-races", "ajax-race"),
        ("exeption", "exception"),
        ("nevr", "never"),
        ("slow-down", "slowdown"),
    ],
)
def test_a_wrong_word_gets_the_nearest_right_one(word: str, near: str) -> None:
    with pytest.raises(UsageProblem) as caught:
        FailOn.parse(["high", word])
    assert f"`{word}`" in caught.value.message
    assert f"Did you mean `{near}`?" in caught.value.advice


def test_a_word_that_is_like_nothing_gets_the_list() -> None:
    with pytest.raises(UsageProblem) as caught:
        FailOn.parse(["???"])
    assert "Did you mean" not in caught.value.advice
    assert "high, medium, low, exception" in caught.value.advice


def test_never_stands_alone() -> None:
    with pytest.raises(UsageProblem, match="cannot be together with others"):
        FailOn.parse(["never", "high"])


# --baseline


def test_what_is_known_does_not_fail() -> None:
    gated = gate(ALL, None, Baseline().updated([HIGH]))
    assert ids(gated.known) == ["high"]
    assert ids(gated.failing) == ["low", "medium", "hang"]
    assert [gated.standing(each) for each in (HIGH, LOW)] == [Standing.KNOWN, Standing.FAILS]


def test_a_finding_has_one_standing() -> None:
    gated = gate(ALL, FailOn.parse(["high"]), Baseline().updated([LOW]))
    assert [gated.standing(each).value for each in ALL] == ["known", "tolerated", "fails", "tolerated"]


def test_what_is_known_and_was_not_seen_is_perhaps_fixed() -> None:
    gated = gate([LOW], None, Baseline().updated([LOW, HIGH]))
    assert ids(gated.gone) == ["high"]
    assert gated.failing == ()


def test_what_nobody_looked_for_is_not_fixed() -> None:
    elsewhere = found("slow", FindingKind.SLOWDOWN, technique="slowdown")
    baseline = Baseline(findings=(*Baseline().updated([elsewhere, HIGH]).findings, Known(id="by-hand", kind="hang")))
    assert ids(gate([], None, baseline, techniques=["races ajax"]).gone) == ["high", "by-hand"]
    assert ids(gate([], None, baseline).gone) == ["slow", "high", "by-hand"]


# Another id for the same


def thrown(name: str, at: str, message: str = "x is not defined") -> Finding:
    return found(
        name, FindingKind.EXCEPTION, title=f"uncaught exception: {message} at /app.js:{at}", technique="explore"
    )


def test_an_exception_whose_line_moved_is_known() -> None:
    baseline = Baseline().updated([thrown("old", "12:5")])
    gated = gate([thrown("new", "14:5")], None, baseline)
    assert [(each.finding.id, each.known.id) for each in gated.moved] == [("new", "old")]
    assert not gated.failing and not gated.gone
    assert gated.standing(thrown("new", "14:5")) is Standing.KNOWN


@pytest.mark.parametrize(
    "other",
    [
        thrown("new", "14:5", "y is not defined"),
        found("new", FindingKind.CONSOLE_ERROR, title=thrown("", "14:5").title, technique="explore"),
        found("new", FindingKind.EXCEPTION, title=thrown("", "14:5").title, technique="races ajax"),
        found(
            "new", FindingKind.EXCEPTION, title=thrown("", "14:5").title.replace("app", "other"), technique="explore"
        ),
    ],
    ids=["message", "kind", "technique", "file"],
)
def test_another_exception_is_not(other: Finding) -> None:
    gated = gate([other], None, Baseline().updated([thrown("old", "12:5")]))
    assert ids(gated.failing) == ["new"]
    assert ids(gated.gone) == ["old"]


def test_an_exception_beside_the_known_one_is_new() -> None:
    old, new = thrown("old", "12:5"), thrown("new", "30:1")
    gated = gate([old, new], None, Baseline().updated([old]))
    assert ids(gated.known) == ["old"]
    assert ids(gated.failing) == ["new"]


def test_where_it_cannot_be_said_which_is_new_all_fail() -> None:
    gated = gate([thrown("b", "14:5"), thrown("c", "30:1")], None, Baseline().updated([thrown("a", "12:5")]))
    assert ids(gated.failing) == ["b", "c"]
    assert gated.moved == ()


def test_without_a_title_in_the_baseline_only_the_id_counts() -> None:
    baseline = Baseline(findings=(Known(id="old", kind="exception", technique="explore"),))
    assert ids(gate([thrown("new", "1:1")], None, baseline).failing) == ["new"]


some = st.lists(
    st.builds(
        found,
        st.sampled_from("abcdefgh"),
        st.sampled_from([FindingKind.HANG, FindingKind.EXCEPTION]),
        st.sampled_from(Severity),
        st.sampled_from(["one", "two at /x.js:1:2", "two at /x.js:3"]),
    ),
    unique_by=lambda finding: finding.id,
    max_size=8,
)


@given(some, some, st.lists(st.sampled_from(["high", "medium", "hang", "exception"])))
def test_each_finding_is_in_one_place(findings: list[Finding], before: list[Finding], words: list[str]) -> None:
    baseline = Baseline().updated(before)
    gated = gate(findings, FailOn.parse(words), baseline)
    placed = [*gated.failing, *gated.tolerated, *gated.known, *(each.finding for each in gated.moved)]
    assert sorted(ids(placed)) == sorted(ids(findings))
    accounted = {*ids(gated.known), *ids(gated.gone), *(each.known.id for each in gated.moved)}
    assert accounted == set(ids(before))
    assert all(FailOn.parse(words).wants(each) for each in gated.failing)
    # Whatever was found is known once the baseline has been updated.
    again = gate(findings, FailOn.parse(words), baseline.updated(findings))
    assert not again.failing and not again.tolerated and not again.moved
