"""The files that a developer takes along: what is in them, and that no text of the application becomes markup."""

from __future__ import annotations

import json

import msgspec
from hypothesis import given
from hypothesis import strategies as some
from markdown_it import MarkdownIt

from jostle.findings import FindingKind
from jostle.findings.evidence import (
    Repair,
    RepairCost,
    RepairOutcome,
    TriedPolicy,
    VerifiedOrder,
)
from jostle.repair import catalogue
from jostle.repair.hints import fix_of
from jostle.repair.output import POLICY, README, SCRIPT, code, files_of, text
from jostle.repair.policy_file import policy_of
from jostle.repair.repairing import Repaired
from tests.repair.witnesses import loading, stale

HOSTILE = "`` ` <img src=x onerror=alert(1)> [link](javascript:alert(1)) **bold**\n# head\u202e"


def repaired(title: str = "A race", why: str = "") -> Repaired:
    """One race that is prevented, one that is not."""
    policy = catalogue.latest_only("/api/weather")
    good = Repair(
        outcome=RepairOutcome.PREVENTED,
        policy=policy.name,
        explanation=policy.explanation,
        definition=msgspec.to_builtins(policy),
        orders=(
            VerifiedOrder(name="the bad order", before=True, cost=RepairCost(dropped=1)),
            VerifiedOrder(name="the good order", before=False),
        ),
        startup=0.4,
        script="race-1-repair.js",
        test="test_race_1_repaired.py",
        film="race-1-repair.png",
        fix=fix_of(stale()),
    )
    none = Repair(
        outcome=RepairOutcome.NOT_FOUND,
        why=why or "every policy was tried",
        tried=(TriedPolicy(policy="fifo", why=why or "the effect is still there"),),
        fix=fix_of(loading(FindingKind.LATE_HANDLER)),
    )
    findings = [
        msgspec.structs.replace(
            made.finding, id=f"race-{n}", title=title, evidence=msgspec.structs.replace(made.evidence, repair=repair)
        )
        for n, (made, repair) in enumerate(((stale(), good), (loading(FindingKind.LATE_HANDLER), none)), 1)
    ]
    return Repaired(findings=tuple(findings), policy=policy)


def read(name: str) -> bytes:
    return b'REPAIR = "race-1-repair.js"' if name.endswith(".py") else f"the content of {name}".encode()


def test_all_that_is_needed() -> None:
    files = files_of(repaired(), read, "http://shop.test/")
    assert set(files) == {
        SCRIPT,
        POLICY,
        README,
        "race-1-repair.png",
        "tests/test_race_1_repaired.py",
        "tests/race-1-repair.js",
    }
    assert policy_of(files[POLICY].decode(), POLICY, toml=False) == repaired().policy
    assert json.loads(files[POLICY])["name"] == "latest-only" and b'"latest-only"' in files[SCRIPT]
    readme = files[README].decode()
    for words in (
        "1 of 2 races is prevented by `jostle-repair.js`",
        '<script src="jostle-repair.js"></script>',
        "**Prevented at run time by latest-only.**",
        "The bad order: the effect is gone; 1 event dropped",
        "The good order: ends as it should; nothing postponed, nothing dropped",
        "**No repair found.** Every policy was tried.",
        "abort the old request",
        "`http://shop.test/app.js:12:3`",
        "pytest tests/test_race_1_repaired.py",
    ):
        assert words in readme, words


def test_without_a_repair_there_is_no_script() -> None:
    made = msgspec.structs.replace(repaired(), findings=repaired().findings[1:], policy=None)
    files = files_of(made, read, "http://shop.test/")
    assert set(files) == {README} and "No race can be prevented" in files[README].decode()


def test_no_text_becomes_markup() -> None:
    readme = files_of(repaired(HOSTILE, HOSTILE), read, HOSTILE)[README].decode()
    html = MarkdownIt("commonmark", {"html": True}).render(readme)
    assert "<img src=x" not in html and 'javascript:alert(1)"' not in html and "<strong>bold</strong>" not in html
    assert "\u202e" not in html and html.count("<h1>") == 1


@given(some.text())
def test_a_code_span_is_not_left(words: str) -> None:
    tokens = MarkdownIt("commonmark", {"html": True}).parseInline(f"before {code(words)} after")
    assert [each.type for each in tokens[0].children or ()] == ["text", "code_inline", "text"]


@given(some.text())
def test_a_text_stays_a_text(words: str) -> None:
    tokens = MarkdownIt("commonmark", {"html": True}).parseInline(f"before {text(words)} after")
    assert {each.type for each in tokens[0].children or ()} <= {"text", "text_special"}
