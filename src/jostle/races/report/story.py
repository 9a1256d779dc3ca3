"""A race as the story of a report: both screens, both orders and the code."""

from __future__ import annotations

import shlex
from pathlib import Path

import msgspec

from jostle.findings import Confidence, Finding
from jostle.findings.contract import Contract
from jostle.findings.evidence import CodeExcerpt, RaceEvidence
from jostle.races.report.orders import TwoOrders, orders
from jostle.races.report.repaired import RepairStory, repair_story
from jostle.races.report.words import WHATS, Words, in_words, kind_name
from jostle.report.differences import readable
from jostle.report.generated_test import words_on_test
from jostle.report.rows import shown
from jostle.report.screens import Album, Screens
from jostle.report.values import Value, values

MOST_DIFFERENCES = 100
MOST_CALLBACKS = 8
MOST_ALSO = 40
LONGEST_VALUE = 400
LONGEST_HINT = 4000
LONGEST_COMMAND = 4000


class ChangedValue(msgspec.Struct, frozen=True):
    """A difference, as a row of a table."""

    what: str
    where: str
    good: Value
    bad: Value


class RaceStory(msgspec.Struct, frozen=True, kw_only=True):
    """A finding as it is told."""

    title: str
    kind: str
    severity: str
    weak: bool
    """It was not seen, or not again."""
    contract: Contract | None
    words: Words
    screens: Screens | None
    changes: tuple[ChangedValue, ...]
    number_of_changes: int
    orders: TwoOrders | None
    racing: tuple[CodeExcerpt, ...]
    shared: str
    also: tuple[str, ...]
    """What else has the same cause."""
    hint: str
    replay: str
    replay_good: str
    test: str
    run_test: str
    tested: str
    """Whether the test was run, or why there is none."""
    repair: RepairStory | None


def story(finding: Finding, album: Album, directory: Path) -> RaceStory:
    """One finding."""
    known = finding.evidence
    assert isinstance(known, RaceEvidence)
    differences = readable(known.differences)
    return RaceStory(
        title=shown(finding.title.strip()) or "A race without a title",
        kind=kind_name(finding.kind),
        severity=finding.severity.value,
        weak=finding.confidence is Confidence.PREDICTED,
        contract=finding.contract,
        words=in_words(finding, known, differences),
        screens=album.screens(known),
        changes=tuple(
            ChangedValue(WHATS[each.what], shown(each.where), *values(each.good, each.bad, LONGEST_VALUE))
            for each in differences[:MOST_DIFFERENCES]
        ),
        number_of_changes=len(differences),
        orders=orders(known),
        racing=known.racing[:MOST_CALLBACKS],
        shared=shown(known.shared),
        also=tuple(shown(each) for each in known.also[:MOST_ALSO]),
        hint=shown(known.hint, LONGEST_HINT),
        replay=_command("jostle", "replay", directory, finding.replay),
        replay_good=_command("jostle", "replay", directory, known.good.replay),
        test=shown(known.generated_test),
        run_test=_command("pytest", "", directory, known.generated_test),
        tested=shown(words_on_test(known), LONGEST_HINT),
        repair=repair_story(known.repair, album, directory),
    )


def _command(program: str, verb: str, directory: Path, file: str | None) -> str:
    words = filter(None, (program, verb, str(directory / file))) if file else ()
    return shown(shlex.join(words), LONGEST_COMMAND)
