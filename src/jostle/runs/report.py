"""The HTML report of a run, made from its directory: also of one that was interrupted or still goes on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TypeVar

import msgspec

from jostle.addresses import split_url
from jostle.errors import Problem, UsageProblem
from jostle.findings import Finding
from jostle.findings.evidence import CodeExcerpt, ErrorEvidence
from jostle.model.machine import Machine
from jostle.model.macros_file import Macros
from jostle.recording.excerpt import excerpt
from jostle.recording.file import Recording
from jostle.report.check import CheckReport, page
from jostle.report.check_stories import RunFiles
from jostle.report.run_summary import RunSummary, read_summary
from jostle.runs.directory import RunDirectory
from jostle.runs.store import RunInfo
from jostle.search.registry import reported_techniques
from jostle.search.stream import Status
from jostle.writing import write_whole

MOST_RECORDINGS = 200
"""That are read for the code and the screen of what has no two orders to compare."""
_WITHOUT_FINDINGS = {"record": "jostle show FILE --html OUT", "replay": "jostle replay FILE --html OUT"}

T = TypeVar("T")


def write_report(run: RunDirectory, file: Path) -> None:
    """The report of a run, whatever there is of it. The file is complete or as it was. Raises Problem."""
    content = page(reported(run), reported_techniques()).encode("utf-8", "replace")
    write_whole(file, content, follow=file.absolute().parent != run.path.absolute())


def reported(run: RunDirectory) -> CheckReport:
    """Everything that a report tells of a run. What cannot be read is told as such. Raises UsageProblem."""
    info = run.info
    if advice := _WITHOUT_FINDINGS.get(info.command):
        raise UsageProblem(f"{run.path} is a run of `jostle {info.command}`, which looks for nothing.", advice=advice)
    reader = _Reader(run)
    technique = reported_techniques().get(info.command)
    machine, thumbnails = reader.model()
    found = reader.findings()
    findings = [reader.illustrated(each) for each in found or ()]
    remarks = reader.read("remarks", lambda: run.remarks) or []
    return CheckReport(
        url=info.url or str(info.options.get("suite") or ""),
        about=technique.about if technique is not None else "what a check found",
        findings=tuple(findings),
        lost=found is None,
        suppressed=tuple(
            (each.finding, each.filter) for each in reader.read("suppressed findings", lambda: run.suppressed) or ()
        ),
        told=reader.told(),
        machine=machine,
        thumbnails=thumbnails,
        pictures=reader.pictures,
        macros=reader.macros(),
        notes=tuple(each.text for each in remarks if each.kind == "note"),
        limits=tuple(dict.fromkeys(each.text for each in remarks if each.kind == "limit")),
        unreadable=tuple(reader.unreadable),
        status=info.status.value,
        error=info.error or "",
        started=info.started,
        seconds=_seconds(info),
        seed=info.seed,
        jostle=info.jostle,
        browser=reader.browser,
        options=info.options,
        files=RunFiles(directory=str(run.path), names=frozenset(reader.names), tests=reader.tests, ends=reader.ends),
    )


class _Reader:
    """Reads what a run left behind, and remembers what it could not read."""

    def __init__(self, run: RunDirectory) -> None:
        self._run = run
        self._recordings = 0
        self.unreadable: list[str] = []
        self.names = {each.name for each in run.path.iterdir() if each.is_file() and not each.is_symlink()}
        self.pictures: dict[str, bytes] = {}
        self.tests: dict[str, str] = {}
        self.ends: dict[str, str] = {}
        self.browser = ""

    def read(self, what: str, how: Callable[[], T]) -> T | None:
        try:
            return how()
        except Problem as problem:
            self.unreadable.append(f"The {what} cannot be read. {problem.message}")
        except (msgspec.MsgspecError, OSError, ValueError, RecursionError) as error:
            self.unreadable.append(f"The {what} cannot be read: {error}.")
        return None

    def findings(self) -> Sequence[Finding] | None:
        found = self.read("findings", lambda: self._run.findings)
        for each in found or ():
            self._files(each)
        return found

    def _files(self, finding: Finding) -> None:
        """Pictures and tests that lie beside the database."""
        for name in finding.evidence.pictures:
            if name in self.names and (data := self.read(f"picture {name}", partial(self._run.file, name))):
                self.pictures[name] = data
        test = finding.evidence.generated_test
        if test in self.names and (data := self.read(f"test {test}", partial(self._run.file, test))):
            self.tests[test] = data.decode("utf-8", "replace")

    def illustrated(self, finding: Finding) -> Finding:
        """With the code at the place where it goes wrong, from its recording, where the finding does not have it."""
        evidence = finding.evidence
        alone = not evidence.compares
        if finding.replay not in self.names or not (alone or not self.browser):
            return finding
        if self._recordings >= MOST_RECORDINGS:
            return finding
        self._recordings += 1
        name = finding.replay or ""
        recording = self.read(f"recording {name}", lambda: Recording.from_bytes(self._run.file(name), name))
        if recording is None:
            return finding
        self.browser = self.browser or recording.manifest.browser
        if alone and (end := recording.screens.get("end")):
            self.ends[name] = f"{name} end"
            self.pictures[f"{name} end"] = end
        if not isinstance(evidence, ErrorEvidence) or evidence.excerpt:
            return finding
        code = next(_code(recording, evidence.source), CodeExcerpt())
        shown = msgspec.structs.replace(evidence, first_line=code.first_line, excerpt=code.excerpt)
        return msgspec.structs.replace(finding, evidence=shown)

    def told(self) -> RunSummary:
        if "told.json" not in self._artefacts():
            if self._run.info.status is Status.RUNNING:
                return RunSummary()
            self.unreadable.append("The run does not tell what it tried: it ended before that was written.")
            return RunSummary()
        return read_summary(
            self.read("account of the searches", lambda: msgspec.json.decode(self._run.artefact("told.json")))
        )

    def model(self) -> tuple[Machine, dict[str, bytes]]:
        names = self._artefacts()
        if "model.json" not in names:
            return Machine(), {}
        machine = self.read("model", lambda: Machine.from_json(self._run.artefact("model.json"))) or Machine()
        thumbnails = {}
        for state in machine.states:
            name = f"{state.digest}.jpg"
            if name in names and (data := self.read(f"picture {name}", lambda name=name: self._run.artefact(name))):  # type: ignore[misc]
                thumbnails[state.digest] = data
        return machine, thumbnails

    def macros(self) -> Macros | None:
        if "macros.json" not in self._artefacts():
            return None
        return self.read("macros", lambda: msgspec.json.decode(self._run.artefact("macros.json"), type=Macros))

    def _artefacts(self) -> set[str]:
        return {each.name for each in self.read("list of artefacts", lambda: self._run.artefacts) or ()}


def _code(recording: Recording, source: str) -> Iterator[CodeExcerpt]:
    """The lines around a place; of places without an origin, those of the file with that path."""
    path, _, rest = source.partition(":") if source.startswith("/") else ("", "", "")
    for exchange in recording.exchanges:
        found = f"{exchange.url.partition('#')[0]}:{rest}" if path and split_url(exchange.url).path == path else source
        told = excerpt(recording, found)
        if told.excerpt:
            yield told


def _seconds(info: RunInfo) -> float | None:
    if info.finished is None or info.status is Status.RUNNING:
        return None
    try:
        return (datetime.fromisoformat(info.finished) - datetime.fromisoformat(info.started)).total_seconds()
    except (TypeError, ValueError):  # no times, or one with and one without its zone
        return None
