"""The findings of a run, each told as its technique tells it, with what is the same for all around it."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import msgspec
from jinja2 import Environment
from markupsafe import Markup

from jostle.events import Kind
from jostle.findings import Confidence, Finding
from jostle.findings.evidence import DismissedEvidence, UnreadableEvidence
from jostle.model.machine import Machine
from jostle.plural import count
from jostle.report.document import environment, macro
from jostle.report.kinds import KINDS
from jostle.report.model_section import state_after
from jostle.report.ranking import SEVERITIES, SURENESS
from jostle.report.rows import shown
from jostle.report.screens import Album, Screen
from jostle.report.technique import FindingStory, ReportedTechnique, ReportedTechniques, StoryContext
from jostle.report.words import once

LONGEST_COMMAND = 4000
LONGEST_TEST = 200_000
MOST_EVENTS = 60

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


class RunFiles(msgspec.Struct, frozen=True, kw_only=True):
    """What lies beside the database of the run."""

    directory: str
    names: frozenset[str] | None = None
    """All files in the directory; None: not known, so none is called missing."""
    tests: Mapping[str, str] = {}
    ends: Mapping[str, str] = {}
    """By the name of a recording, the name of the picture of its end."""


def rank(finding: Finding, techniques: ReportedTechniques) -> tuple[bool, int, int, int]:
    """Its place among others: the worst first, and what is only suspected after all that is sure."""
    names = list(techniques)
    technique = names.index(finding.technique) if finding.technique in names else len(names)
    sure = SURENESS.index(finding.confidence)
    return finding.confidence is Confidence.PREDICTED, SEVERITIES.index(finding.severity), technique, sure


def ends_in(finding: Finding, machine: Machine) -> int | None:
    """The number of the state that a finding ends in, where the model knows that for sure."""
    _, breaks = finding.evidence.orders
    if breaks:
        done = [once(each.what) for each in breaks if each.kind is Kind.USER]
    else:
        done = [once(each) for each in finding.events if each != finding.title]
    return state_after(machine, done) if len(machine) and done else None


def teller_of(finding: Finding, techniques: ReportedTechniques) -> ReportedTechnique:
    """The technique that tells a finding: its own, or else one that knows such evidence. Raises TypeError when there is
    none."""
    kind = type(finding.evidence)
    own = techniques.get(finding.technique)
    found = next((each for each in (own, *techniques.values()) if each is not None and kind in each.evidence), None)
    if found is None:
        raise TypeError(f"No technique tells {kind.__name__}.")
    return found


class Teller:
    """Tells findings, one after the other; pictures and tests that several have are kept once."""

    def __init__(self, url: str, files: RunFiles, album: Album, techniques: ReportedTechniques) -> None:
        self._url = url
        self._techniques = techniques
        self._files = files
        self._album = album
        self._template = templates().get_template("check.story.html")
        self.tests: dict[str, str] = {}
        """The generated tests that are shown, by the names of their files."""

    def card(self, finding: Finding, state: int | None, name: str) -> Card:
        """`name`: what the parts of the document that belong to this finding are called."""
        present, missing = _present(finding, self._files.names)
        story = self._story(present, name)
        test = present.evidence.generated_test
        source = self._files.tests.get(test, "")
        test = shown(test)
        if source:
            self.tests[test] = _whole(source)
        weak = finding.confidence is Confidence.PREDICTED
        body = self._template.render(
            story=story,
            state=state,
            end=self._end(present),
            missing=[shown(each) for each in missing],
            help="" if present.evidence.advice else KINDS[finding.kind].help,
            look=self._look(present.replay),
            watch=self._watch(present),
            export=self._command("export", finding.id, "--run", self._files.directory) if source else "",
            test=test if source else "",
        )
        technique = self._techniques.get(finding.technique)
        return Card(
            id=shown(finding.id),
            title=shown(finding.title.strip()) or "A finding without a title",
            severity=finding.severity.value,
            kind=finding.kind.value,
            kind_name=KINDS[finding.kind].name,
            technique=finding.technique,
            technique_name=technique.label if technique is not None else shown(finding.technique, 40),
            weak=weak,
            certainty=story.certainty or ("seen, not reproduced" if weak else "reproduced"),
            state=state,
            story=Markup(_IN_SCRIPT.sub("&lt;", body)),  # noqa: S704
        )

    def _story(self, finding: Finding, name: str) -> FindingStory:
        """As the technique that knows its evidence tells it. What only another version can read, and what is no
        finding of a technique any more, can only be told as far as all findings can."""
        if isinstance(finding.evidence, UnreadableEvidence | DismissedEvidence):
            return _plain_story(finding)
        technique = teller_of(finding, self._techniques)
        directory = Path(self._files.directory)
        return technique.tell(finding, StoryContext(url=self._url, directory=directory, album=self._album, name=name))

    def _end(self, finding: Finding) -> Screen | None:
        """Where there are no two screens to compare: what the page looked like in the end."""
        end = self._files.ends.get(finding.replay or "")
        if end is None or finding.evidence.compares:
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


def _plain_story(finding: Finding) -> FindingStory:
    told = macro(templates(), "check.plain.html", "told")
    events = [shown(each) for each in finding.events[:MOST_EVENTS]]
    return FindingStory(style="plain", html=told(events, shown(finding.evidence.wrong)))


@cache
def templates() -> Environment:
    """Of this report; making them takes longer than using them."""
    return environment(count=count, shown=shown)


def _present(finding: Finding, files: frozenset[str] | None) -> tuple[Finding, tuple[str, ...]]:
    """The finding without the files that are not there, and their names."""
    if files is None:
        return finding, ()
    missing = tuple(name for name in (finding.replay, *finding.evidence.files) if name and name not in files)
    replay = None if finding.replay in missing else finding.replay
    return msgspec.structs.replace(finding, replay=replay, evidence=finding.evidence.without(missing)), missing
