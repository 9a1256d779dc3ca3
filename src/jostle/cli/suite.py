"""A suite of tests in adverse conditions, seen from its end: pytest's summary, the run directory, the report."""

from __future__ import annotations

import hashlib
import os
import shlex
import textwrap
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from jostle.adverse.condition import Neutral, Pass
from jostle.adverse.conditions import known
from jostle.adverse.examine import AdverseFailure
from jostle.adverse.suite import Asked, Tests, TestTold, select, told_of
from jostle.adverse.triage import MEANINGS, Category
from jostle.config import load
from jostle.config.application import Application
from jostle.errors import Problem, UsageProblem
from jostle.findings import Confidence, Finding, FindingKind, Severity
from jostle.findings.baseline import Baseline
from jostle.findings.evidence import AdverseEvidence, EndScreen, InjectedCondition
from jostle.plural import count
from jostle.runs import RunDirectory, Status
from jostle.runs.report import write_report
from jostle.text import printable
from jostle.writing import write_whole

_PASSES = {
    Pass.KEPT: "The document is kept: injected together, after every action",
    Pass.REBUILT: "The document is built anew: injected together, in runs of their own",
    Pass.ENVIRONMENT: "Around the following action: one at a time, a run for each",
}
_NEUTRAL = {
    Neutral.COMMONLY: "",
    Neutral.ASSUMED: " (assumed)",
    Neutral.ASKED: " (only when asked for)",
}
_GRAVE = frozenset(
    (Category.CRASH, Category.SILENT, Category.NOT_PERSISTED, Category.UNEXPECTED_SCREEN, Category.WRONG_CONTENT)
)
MOST_NOTES = 30


def explained() -> str:
    """`--jostle-conditions list`"""
    lines = []
    for one, words in _PASSES.items():
        lines += [f"{words}  [{one.value}]", ""]
        for condition in known().values():
            if condition.in_pass is not one:
                continue
            lines.append(f"  {condition.name}{_NEUTRAL[condition.neutral]}: {condition.title}")
            for label, text in (("what", condition.what), ("why", condition.why), ("cost", condition.cost)):
                if text:
                    lines += textwrap.wrap(text, 100, initial_indent=f"      {label:<5}", subsequent_indent=" " * 11)
            lines.append("")
    return printable("\n".join(lines).rstrip())


def begin(config: pytest.Config, asked: Asked) -> None:
    """Makes pytest run tests our way. Raises Problem."""
    try:
        import playwright  # noqa: F401
    except ImportError:
        raise UsageProblem(
            "--jostle-adverse, --jostle-orders and --jostle-repro need Playwright, which is not installed.",
            advice="pip install 'jostle[playwright]'",
        ) from None
    if asked.conditions:
        select(known(), asked.conditions)
    worker: dict[str, Any] | None = getattr(config, "workerinput", None)
    many = worker is None and bool(getattr(config.option, "numprocesses", 0) or getattr(config.option, "tx", None))
    directory: Path | None = None
    if worker is None:
        telling = Telling(config, asked, Path(config.option.jostle_out))
        config.pluginmanager.register(telling, "jostle-telling")
        directory = telling.path
    elif worker.get("jostle_pictures"):
        directory = Path(worker["jostle_pictures"])
    if not many:
        tests = Tests(config, asked, pictures=directory, reset=_reset(config, directory))
        tests.install()
        config.pluginmanager.register(tests, "jostle-tests")


def _reset(config: pytest.Config, directory: Path | None) -> Any:
    loaded = load(start=config.rootpath)
    if loaded.configuration.app.reset is None:
        return None
    return Application(loaded, (directory or config.rootpath / ".jostle") / "application.log").reset


class Telling:
    """Hears what came of each test, wherever it ran, and tells it."""

    def __init__(self, config: pytest.Config, asked: Asked, out: Path) -> None:
        self._config = config
        self._asked = asked
        self._began = time.monotonic()
        self._told: list[TestTold] = []
        self._ended = False
        self._found: list[Finding] = []
        self._report: Path | None = None
        self._trouble = ""
        self._tests = 0
        self._run: RunDirectory | None = None
        file = config.option.jostle_baseline
        self._file = Path(file) if file else None
        self._update = bool(config.option.jostle_update_baseline)
        new = self._file is None or (self._update and not self._file.exists())
        self._baseline = Baseline() if new or self._file is None else Baseline.read(self._file)
        self._known = {each.id for each in self._baseline.findings}
        if not asked.repro:
            options = {
                "suite": config.rootpath.name,
                "budget": asked.budget,
                "conditions": list(asked.conditions),
                "rerun": asked.rerun,
            }
            self._run = RunDirectory.create(out, self.technique, options=options)

    @property
    def technique(self) -> str:
        return "adverse orders" if self._asked.orders else "adverse"

    @property
    def path(self) -> Path | None:
        return self._run.path if self._run is not None else None

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        node.workerinput["jostle_pictures"] = str(self.path.absolute()) if self.path is not None else ""

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "teardown" and not getattr(report, "jostle_extra", False):
            self._tests += 1
        told = told_of(report)
        if told is None:
            return
        self._told.append(told)
        for failure in told.examined.failures:
            if not self._is_known(told.test, failure):
                self._fail(report, told.test, failure)

    def _is_known(self, test: str, failure: AdverseFailure) -> bool:
        return self._update or self._finding([(test, failure)]).id in self._known

    def _fail(self, report: pytest.TestReport, test: str, failure: AdverseFailure) -> None:
        """As a failure of pytest's, beside the test itself, which has passed."""
        extra = pytest.TestReport(
            nodeid=_beside(test, _label(failure)),
            location=report.location,
            keywords={},
            outcome="failed",
            longrepr=printable(self._story(test, failure)),
            when="call",
            duration=0.0,
        )
        if hasattr(report, "node"):
            extra.node = report.node  # type: ignore[attr-defined]
        self._config.hook.pytest_runtest_logreport(report=extra)
        self._correct(extra.nodeid, getattr(report, "id", test))

    def _correct(self, extra: str, test: Any) -> None:
        """There is no test of that name to be run again by `--last-failed`, nor to be counted."""
        plugins = self._config.pluginmanager
        last: dict[Any, bool] = getattr(plugins.get_plugin("lfplugin"), "lastfailed", None) or {}
        for key in [each for each in last if str(each) == extra]:
            del last[key]
            last[test] = True
        seen = getattr(plugins.get_plugin("terminalreporter"), "_progress_nodeids_reported", None)
        if isinstance(seen, set):
            seen -= {each for each in seen if str(each) == extra}

    def _command(self, test: str, failure: AdverseFailure) -> str:
        file, colons, name = test.partition("::")
        near = os.path.relpath(self._config.rootpath / file)
        return shlex.join(["pytest", f"{near}{colons}{name}", "--jostle-repro", failure.token])

    def _near(self, where: str) -> str:
        """A line of a test, relative to where pytest runs."""
        return os.path.relpath(self._config.rootpath / where) if where else ""

    def _finding(self, several: Sequence[tuple[str, AdverseFailure]]) -> Finding:
        return _finding(several, self.technique, self._command, self._config.rootpath)

    def _story(self, test: str, failure: AdverseFailure) -> str:
        lines = [f"The test passes, and fails when {_what(failure)}."]
        lines += [
            f"  after      {self._near(place.where)}  {place.words}" for place in failure.places if failure.isolated
        ]
        lines.append(f"  fails at   {self._near(failure.failure.where)}  {failure.failure.kind}: {_first(failure)}")
        lines.append(f"  looks like {failure.category}: {MEANINGS[Category(failure.category)]}")
        if failure.approximate:
            lines.append(f"  approximate: {failure.approximate}")
        lines += [f"  the page says: {error}" for error in failure.errors[:3]]
        lines.append(f"  again with {self._command(test, failure)}")
        return "\n".join([*lines, "", failure.told])

    # The end.

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        self.end(interrupted=exitstatus == pytest.ExitCode.INTERRUPTED)

    def end(self, *, interrupted: bool) -> None:
        run, self._run = self._run, None
        if run is None:
            return
        with run:
            try:
                self._found = findings(self._told, self._finding)
                for finding in self._found:
                    run.add_finding(finding)
                for note in self._notes():
                    run.add_note(note)
                stats = self._stats()
                run.add_artefact("told.json", msgspec.json.encode(self._account(stats)), "application/json")
                self._remember()
                run.finish(Status.INTERRUPTED if interrupted else Status.FINISHED)
                html = self._config.option.jostle_html
                file = Path(html) if html else run.path / "report.html"
                write_report(run, file)
                self._report = file
                if self._config.option.jostle_json:
                    document = run.document(seconds=time.monotonic() - self._began, stats=stats)
                    write_whole(Path(self._config.option.jostle_json), document.to_json())
            except Problem as problem:
                self._trouble = str(problem)

    def _remember(self) -> None:
        """With `--jostle-update-baseline`: each failure by itself, since another may be the first of its bug later."""
        if self._file is None or not self._update:
            return
        every = [(told.test, failure) for told in self._told for failure in told.examined.failures]
        single = [self._finding([each]) for each in every]
        self._baseline.updated(single).write(self._file)

    def _notes(self) -> list[str]:
        notes = [f"{told.test} did not take part: {told.left_out}." for told in self._told if told.left_out]
        notes += [f"{told.test}: {told.examined.unstable}" for told in self._told if told.examined.unstable]
        notes += [
            f"{told.test} changes the server ({', '.join(told.changes[:3])}) and nothing resets it between runs."
            for told in self._told
            if told.changes
        ]
        notes += [f"{told.test}: {note}" for told in self._told for note in told.examined.notes]
        return notes

    def _stats(self) -> dict[str, Any]:
        seconds: dict[str, float] = {}
        for told in self._told:
            seconds["ordinary"] = seconds.get("ordinary", 0.0) + told.plain
            for name, value in told.examined.seconds.items():
                seconds[name] = seconds.get(name, 0.0) + value
        part = [told for told in self._told if not told.left_out]
        failures = [failure for told in part for failure in told.examined.failures]
        return {
            "tests": self._tests,
            "examined": len(part),
            "left_out": len(self._told) - len(part),
            "runs": sum(told.examined.runs for told in part),
            "actions": sum(told.examined.points for told in part),
            "injections": sum(told.examined.injected for told in part),
            "skipped": sum(told.examined.skipped for told in part),
            "failures": len(failures),
            "bugs": len(self._found),
            "not_in_time": sum(told.examined.cut for told in part),
            "seconds": {name: round(value, 2) for name, value in seconds.items()},
        }

    def _account(self, stats: dict[str, Any]) -> dict[str, Any]:
        cut = stats["not_in_time"]
        search = {
            "name": self.technique,
            "tried": stats["injections"],
            "found": len(self._found),
            "seconds": round(time.monotonic() - self._began, 1),
            "not_tried": cut,
            "why": "the time was up before all tests had been examined" if cut else "",
            "others": [(told.test, "left out", told.left_out) for told in self._told if told.left_out],
            "stats": stats,
        }
        return {"searches": [search], "budget": self._asked.budget, "seconds": search["seconds"]}

    @pytest.hookimpl
    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        write = terminalreporter.write_line
        if self._asked.repro:
            for told in self._told:
                for note in told.examined.notes:
                    write(printable(f"jostle: {note}"))
            return
        terminalreporter.section("adverse conditions" if not self._asked.orders else "answers in other orders")
        stats = self._stats()
        for finding in self._found:
            for line in self._lines(finding):
                write(printable(line))
            write("")
        notes = self._notes()
        for note in notes[:MOST_NOTES]:
            write(printable(f"  {note}"))
        if len(notes) > MOST_NOTES:
            write(f"  ... and {len(notes) - MOST_NOTES:,} more, in the report")
        if any(told.changes for told in self._told):
            write(
                "  To reset it: `app.reset` in jostle.toml, a fixture `jostle_reset` or a hook `pytest_jostle_reset`."
            )
        if stats["not_in_time"]:
            write(f"  The time was up before {count(stats['not_in_time'], 'test')} had been examined to the end.")
        write(
            f"{count(stats['examined'], 'test')} with {count(stats['actions'], 'action')} examined in "
            f"{count(stats['runs'], 'further run')}, {count(stats['injections'], 'time')} something happened: "
            f"{count(stats['failures'], 'failure')} of {count(stats['bugs'], 'bug')}, probably."
            if stats["failures"]
            else f"{count(stats['examined'], 'test')} with {count(stats['actions'], 'action')} examined in "
            f"{count(stats['runs'], 'further run')}, {count(stats['injections'], 'time')} something happened: "
            "nothing made a difference."
            if stats["examined"]
            else "No test used Playwright."
        )
        if self._trouble:
            write(printable(self._trouble))
        if self._report is not None:
            write(printable(f"The report: {self._report}"))

    def _lines(self, finding: Finding) -> list[str]:
        evidence = finding.evidence
        assert isinstance(evidence, AdverseEvidence)
        lines = [f"{finding.title} (known)" if self._update or finding.id in self._known else finding.title]
        lines += [f"  after      {self._near(place.where)}  {place.words}" for place in evidence.places]
        lines.append(f"  fails at   {self._near(evidence.failed_at)}  {evidence.message}")
        lines.append(f"  again with {evidence.reproduce}")
        if also := evidence.also:
            lines.append(f"  the same, probably: {count(len(also), 'further failure')} ({', '.join(also[:3])})")
        return lines


def _label(failure: AdverseFailure) -> str:
    """`hide after line 12`"""
    names = "+".join(dict.fromkeys(place.condition for place in failure.places))
    lines = ", ".join(dict.fromkeys(place.where.rpartition(":")[2] for place in failure.places if place.where))
    if not failure.isolated:
        return f"adverse: {count(len(failure.places), 'condition')}"
    return f"adverse: {names} after line {lines}" if lines else f"adverse: {names}"


def _beside(test: str, label: str) -> str:
    """The name of a test with more in its brackets."""
    return f"{test[:-1]}, {label}]" if test.endswith("]") else f"{test}[{label}]"


def _what(failure: AdverseFailure) -> str:
    titles = list(dict.fromkeys(place.title for place in failure.places))
    if not failure.isolated:
        return f"all of this happens: {'; '.join(titles)}"
    return " and ".join(titles)


def _first(failure: AdverseFailure) -> str:
    lines = [line.strip() for line in failure.failure.message.splitlines() if line.strip()]
    return lines[0] if lines else ""


def _inside(where: str, root: Path) -> str:
    try:
        return str(Path(where).relative_to(root)) if where else ""
    except ValueError:
        return where


def findings(
    told: Sequence[TestTold], made_of: Callable[[Sequence[tuple[str, AdverseFailure]]], Finding]
) -> list[Finding]:
    """One for each bug: failures with the same symptom are one."""
    groups: dict[tuple[str, ...], list[tuple[str, AdverseFailure]]] = {}
    for each in told:
        for failure in each.examined.failures:
            groups.setdefault(failure.symptom, []).append((each.test, failure))
    made: dict[str, Finding] = {}
    for several in groups.values():
        finding = made_of(several)
        made.setdefault(finding.id, finding)
    return list(made.values())


def _finding(
    several: Sequence[tuple[str, AdverseFailure]],
    technique: str,
    command: Callable[[str, AdverseFailure], str],
    root: Path,
) -> Finding:
    """Lines of tests are relative to `root`."""
    test, failure = several[0]
    name = test.partition("::")[2] or test
    identity = "\n".join([test, *failure.symptom[:1], *failure.symptom[2:], *(place.words for place in failure.places)])
    kind = Category(failure.category)
    severity = Severity.HIGH if kind in _GRAVE else Severity.LOW if kind is Category.BRITTLE else Severity.MEDIUM
    if severity is Severity.MEDIUM and failure.neutral == Neutral.ASSUMED.value:
        severity = Severity.LOW
    pictures = failure.pictures
    return Finding(
        id=f"{FindingKind.ADVERSE_FAILURE.value}-{hashlib.sha256(identity.encode()).hexdigest()[:10]}",
        technique=technique,
        kind=FindingKind.ADVERSE_FAILURE,
        confidence=Confidence.ADVERSE,
        severity=severity,
        title=f"{name} fails when {_what(failure)}",
        events=failure.actions,
        evidence=AdverseEvidence(
            test=test,
            conditions=tuple(dict.fromkeys(place.condition for place in failure.places)),
            places=tuple(
                InjectedCondition(
                    point=place.point,
                    condition=place.condition,
                    title=place.title,
                    words=place.words,
                    where=_inside(place.where, root),
                )
                for place in failure.places
            ),
            failed_at=_inside(failure.failure.where, root),
            message=f"{failure.failure.kind}: {_first(failure)}",
            category=failure.category,
            meaning=MEANINGS[kind],
            why=failure.why,
            neutral=failure.neutral,
            approximate=failure.approximate,
            errors=tuple(failure.errors),
            reproduce=command(test, failure),
            also=tuple(_beside(each, _label(one)) for each, one in several[1:]),
            told=failure.told,
            runs=failure.runs,
            good=EndScreen(pictures.get("usual", "")),
            bad=EndScreen(pictures.get("failed", "")),
            before=pictures.get("before", ""),
            after=pictures.get("after", ""),
        ),
    )
