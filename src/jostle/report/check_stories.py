"""The findings of a run, each told as its technique tells it, with what is the same for all around it."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from jinja2 import Environment
from markupsafe import Markup

from jostle.findings import Confidence, Finding, FindingKind, Severity
from jostle.model.machine import Machine
from jostle.plural import count
from jostle.report import adverse, exploration, races, races_words, slowdown
from jostle.report.document import environment
from jostle.report.kinds import KINDS as HELP
from jostle.report.races_evidence import once
from jostle.report.races_orders import GAP
from jostle.report.races_screens import Album, Screen
from jostle.report.rows import shown
from jostle.report.slowdown_plot import number

LONGEST_COMMAND = 4000
LONGEST_TEST = 200_000

KINDS: Mapping[FindingKind, str] = {
    **races_words.KINDS,
    **{kind: name for kind, (name, _) in exploration.KINDS.items()},
    FindingKind.ORDER_VIOLATION: "Works in one order only",
    FindingKind.SCHEDULE_DIFFERENCE: "Ends differently in another order",
    FindingKind.SLOWDOWN: "Slowdown",
    FindingKind.BOUNDED_GROWTH: "Slower up to a limit",
    FindingKind.ADVERSE_FAILURE: "Fails in adverse conditions",
    FindingKind.TYPE_VIOLATION: "Wrong type",
}
TECHNIQUES = {
    "explore": "Using it",
    "races init": "While loading",
    "races ajax": "Late answers",
    "races orders": "Other orders",
    "slowdown": "Again and again",
    "adverse": "Adverse conditions",
    "adverse orders": "Answers reordered",
}
"""How something was found, in two words."""
SEVERITIES = (Severity.HIGH, Severity.MEDIUM, Severity.LOW)
_CONFIDENCES = (Confidence.WITNESSED, Confidence.ADVERSE, Confidence.PREDICTED)
_IN_SCRIPT = re.compile(r"<(?=/?script|!--)", re.IGNORECASE)


class Card(msgspec.Struct, frozen=True, kw_only=True):
    """A finding in the list, and what is shown when it is opened."""

    id: str
    title: str
    severity: str
    kind: str
    kind_name: str
    technique: str
    technique_name: str
    weak: bool
    """It was not seen, or not again."""
    certainty: str
    state: int | None
    """Of the model, in which it ends."""
    story: Markup
    """HTML that can stand inside a script element."""


class Files(msgspec.Struct, frozen=True, kw_only=True):
    """What lies beside the database of the run."""

    directory: str
    names: frozenset[str] | None = None
    """All files in the directory; None: not known, so none is called missing."""
    tests: Mapping[str, str] = {}
    ends: Mapping[str, str] = {}
    """By the name of a recording, the name of the picture of its end."""


def place(finding: Finding) -> tuple[bool, int, int, int]:
    """Its place among others: the worst first, and what is only suspected after all that is sure."""
    techniques = list(TECHNIQUES)
    technique = techniques.index(finding.technique) if finding.technique in techniques else len(techniques)
    sure = _CONFIDENCES.index(finding.confidence)
    return finding.confidence is Confidence.PREDICTED, SEVERITIES.index(finding.severity), technique, sure


def ends_in(finding: Finding, machine: Machine) -> int | None:
    """The number of the state that a finding ends in, where the model knows that for sure."""
    bad = finding.evidence.get("bad")
    order = bad.get("order") if isinstance(bad, Mapping) else None
    if isinstance(order, Sequence):
        entries = [each for each in order if isinstance(each, Mapping) and each.get("kind") == "user"]
        done = [once(str(each.get("what", ""))) for each in entries]
    else:
        done = [once(each) for each in finding.events if each != finding.title]
    return exploration.state_after(machine, done) if len(machine) and done else None


class Teller:
    """Tells findings, one after the other; pictures and tests that several have are kept once."""

    def __init__(self, url: str, files: Files, album: Album) -> None:
        self._url = url
        self._files = files
        self._album = album
        self._template = templates().get_template("check.story.html")
        self.tests: dict[str, str] = {}
        """The generated tests that are shown, by the names of their files."""

    def card(self, finding: Finding, state: int | None, name: str) -> Card:
        """`name`: what the parts of the document that belong to this finding are called."""
        present, missing = _present(finding, self._files.names)
        sort, story = self._story(present)
        test = str(present.evidence.get("test") or "")
        source = self._files.tests.get(test, "")
        test = shown(test)
        if source:
            self.tests[test] = _whole(source)
        hint = present.evidence.get("hint")
        weak = finding.confidence is Confidence.PREDICTED
        body = self._template.render(
            sort=sort,
            story=story,
            name=name,
            gap=GAP,
            state=state,
            end=self._end(present),
            missing=[shown(each) for each in missing],
            help=HELP[finding.kind].help if not hint and finding.kind in HELP else "",
            look=self._look(present.replay),
            watch=self._watch(present),
            export=self._command("export", finding.id, "--run", self._files.directory) if source else "",
            test=test if source else "",
        )
        return Card(
            id=shown(finding.id),
            title=shown(finding.title.strip()) or "A finding without a title",
            severity=finding.severity.value,
            kind=finding.kind.value,
            kind_name=KINDS[finding.kind],
            technique=finding.technique,
            technique_name=TECHNIQUES.get(finding.technique, shown(finding.technique, 40)),
            weak=weak,
            certainty=story.words.certainty[0]
            if isinstance(story, races.Story)
            else "seen, not brought about again"
            if weak
            else "brought about again",
            state=state,
            story=Markup(_IN_SCRIPT.sub("&lt;", body)),  # noqa: S704
        )

    def _story(self, finding: Finding) -> tuple[str, races.Story | slowdown.Story | adverse.Story | exploration.Story]:
        """As its technique tells it; where its evidence is of another shape, as far as that goes."""
        directory = Path(self._files.directory)
        try:
            if finding.technique.startswith("races"):
                return "race", races.story(finding, self._album, directory)
            if finding.technique == "slowdown":
                return "slowdown", slowdown.story(finding, self._url, directory)
            if finding.technique.startswith("adverse"):
                return "adverse", adverse.story(finding, self._album)
        except (msgspec.ValidationError, ValueError, TypeError, KeyError):
            pass
        return "explored", exploration.story(finding, self._url, Machine(), directory)

    def _end(self, finding: Finding) -> Screen | None:
        """Where there are no two screens to compare: what the page looked like in the end."""
        end = self._files.ends.get(finding.replay or "")
        if end is None or finding.evidence.get("good"):
            return None
        screen = self._album.screen(end)
        return screen if screen.address else None

    def _look(self, replay: str | None) -> str:
        if not replay:
            return ""
        return self._command("show", str(Path(self._files.directory, replay)), "--html", "timeline.html")

    def _watch(self, finding: Finding) -> str:
        """Both orders side by side, where there are two."""
        if not finding.replay:
            return ""
        return self._command(
            "replay", "--finding", finding.id, "--run", self._files.directory, "--video", f"{finding.id}.webp"
        )

    def _command(self, *words: str) -> str:
        return shown(shlex.join(["jostle", *words]), LONGEST_COMMAND)


def _whole(source: str) -> str:
    """As it is to be copied, unless it is far too long."""
    cut = source if len(source) <= LONGEST_TEST else source[:LONGEST_TEST] + "\n# … and so on\n"
    return cut.encode("utf-8", "replace").decode()


@cache
def templates() -> Environment:
    """Of this report; making them takes longer than using them."""
    return environment(count=count, shown=shown, number=number)


def _present(finding: Finding, files: frozenset[str] | None) -> tuple[Finding, tuple[str, ...]]:
    """The finding without the files that are not there, and their names."""
    if files is None:
        return finding, ()
    missing = [name for name in (finding.replay,) if name and name not in files]
    evidence: dict[str, Any] = dict(finding.evidence)
    good = evidence.get("good")
    if isinstance(good, Mapping) and good.get("replay") and good["replay"] not in files:
        missing.append(str(good["replay"]))
        evidence["good"] = {**good, "replay": ""}
    of_suite = finding.technique.startswith("adverse")  # its test is one of the user's, not a file of ours
    if evidence.get("test") and evidence["test"] not in files and not of_suite:
        missing.append(str(evidence.pop("test")))
    replay = None if finding.replay in missing else finding.replay
    return msgspec.structs.replace(finding, replay=replay, evidence=evidence), tuple(missing)
