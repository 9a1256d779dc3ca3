"""Repairing the races of a run: one after the other, the worst first, with files for each and one script for all."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from operator import or_

import msgspec

from jostle.browser.chromium import Chromium
from jostle.errors import Problem
from jostle.findings import Finding, Severity
from jostle.findings.evidence import RaceEvidence, Repair, RepairOutcome
from jostle.plural import count
from jostle.progress import Finished, Note, Started, Stepped
from jostle.recording.file import Recording
from jostle.repair.playwright_test import with_repair
from jostle.repair.policy import Policy
from jostle.repair.policy_file import as_json
from jostle.repair.script import script_of
from jostle.repair.search import Found, RepairSearch
from jostle.repair.startup import startup_of
from jostle.repair.witness import Witness, witness_of
from jostle.report.film import beside
from jostle.search.stream import Emit, FileMade, FindingReported

BY = "repair"
_ORDER = (Severity.HIGH, Severity.MEDIUM, Severity.LOW)
_NOT_REPRODUCED = "it was not reproduced, so that there is no recording to try a repair with"
_FILM = (("Without the repair", "#ff9c93"), ("With the repair", "#7ddba0"))


class Repaired(msgspec.Struct, frozen=True, kw_only=True):
    """What came of a run's races."""

    findings: tuple[Finding, ...]
    """The races, each with its repair or why there is none."""
    policy: Policy | None = None
    """All repairs together; None when there is none."""
    left_out: Mapping[str, str] = {}
    """Findings whose repair does not go together with the others, by id, and why."""

    @property
    def prevented(self) -> tuple[Finding, ...]:
        return tuple(each for each in self.findings if (made := repair_of(each)) is not None and made.prevents)

    @property
    def script(self) -> str:
        """The script for all of them; empty when there is none."""
        return script_of(self.policy) if self.policy is not None else ""


def repair_of(finding: Finding) -> Repair | None:
    """None for what is no race, or was not looked at."""
    return finding.evidence.repair if isinstance(finding.evidence, RaceEvidence) else None


def races_in(findings: Sequence[Finding]) -> list[Finding]:
    """What may be repaired, the worst first."""
    races = [each for each in findings if isinstance(each.evidence, RaceEvidence)]
    return sorted(races, key=lambda each: _ORDER.index(each.severity))


class Repairing:
    """Repairs findings, and tells the stream of each."""

    def __init__(
        self,
        read: Callable[[str], bytes],
        emit: Emit,
        *,
        live: bool = False,
        deadline: float | None = None,
        policy: Policy | None = None,
    ) -> None:
        """`read` gives the files that findings name; raises Problem. `live`: what the recordings do not know, the
        server is asked for. `deadline`: by `time.monotonic`. `policy`: the only one that is tried."""
        self._read = read
        self._emit = emit
        self._live = live
        self._deadline = deadline
        self._policy = policy

    async def run(self, chromium: Chromium, findings: Sequence[Finding]) -> Repaired:
        """Try to repair each."""
        races = races_in(findings)
        self._emit(Started(what="looking for repairs", total=len(races), by=BY))
        search = RepairSearch(chromium, live=self._live, deadline=self._deadline, policy=self._policy)
        told: dict[str, Finding] = {}
        prevented: list[Found] = []
        startup: float | None = None
        for number, finding in enumerate(races, 1):
            found = await self._found(search, finding)
            if found is not None and found.policy is not None:
                if startup is None:
                    startup = await startup_of(chromium, script_of(found.policy))
                prevented.append(found)
                finding = self._with_files(finding, found, startup)
            elif found is not None:
                finding = _with(finding, found.repair)
            else:
                finding = _with(finding, Repair(outcome=RepairOutcome.NOT_TRIED, why=_NOT_REPRODUCED))
            told[finding.id] = finding
            self._emit(FindingReported(finding))
            self._emit(Stepped(done=number, total=len(races), what=finding.title, by=BY))
        policy, left_out = await self._together(search, prevented)
        for name, why in left_out.items():
            self._emit(Note(text=f"The repair of {name} is not part of the script for all: {why}"))
        self._emit(Finished(summary=f"{len(prevented)} of {count(len(races), 'race')} prevented", by=BY))
        return Repaired(findings=tuple(told.values()), policy=policy, left_out=left_out)

    async def _found(self, search: RepairSearch, finding: Finding) -> Found | None:
        """None when it has no recordings."""
        try:
            witness = self._witness(finding)
        except (Problem, ValueError) as problem:
            self._emit(Note(text=f"No repair for {finding.id}: {problem}"))
            return None
        return await search.repaired(witness) if witness is not None else None

    def _witness(self, finding: Finding) -> Witness | None:
        evidence = finding.evidence
        assert isinstance(evidence, RaceEvidence)
        if not finding.replay or not evidence.good.replay:
            return None
        good, bad = (Recording.from_bytes(self._read(name), name) for name in (evidence.good.replay, finding.replay))
        return witness_of(finding, good, bad)

    async def _together(self, search: RepairSearch, prevented: Sequence[Found]) -> tuple[Policy | None, dict[str, str]]:
        """One policy for all. What does not work together with those before it is left out."""
        policies = [found.policy for found in prevented if found.policy is not None]
        if len({each.rules for each in policies} | {each.protect for each in policies}) <= 1 or len(policies) < 2:
            return (policies[0] if policies else None), {}
        whole = reduce(or_, policies)
        if not [found for found in prevented if await search.holds(found, whole)]:
            return named(whole), {}
        kept, left_out = policies[:1], {}
        for number, found in enumerate(prevented[1:], 1):
            policy = policies[number]
            together = reduce(or_, [*kept, policy])
            before = [each for each in prevented[: number + 1] if each.witness.finding.id not in left_out]
            why = ""
            for each in before:
                why = why or await search.holds(each, together)
            if why:
                left_out[found.witness.finding.id] = why
            else:
                kept.append(policy)
            if self._deadline is not None and time.monotonic() > self._deadline:
                left_out |= {each.witness.finding.id: "the time was up" for each in prevented[number + 1 :]}
                break
        return named(reduce(or_, kept)), left_out

    def _with_files(self, finding: Finding, found: Found, startup: float | None) -> Finding:
        assert found.policy is not None and found.before is not None and found.after is not None
        name, policy = finding.id, found.policy
        script = self._file(f"{name}-repair.js", script_of(policy).encode())
        self._file(f"{name}-repair.json", as_json(policy).encode())
        recording = found.after.recording
        repair = msgspec.structs.replace(
            found.repair,
            startup=startup,
            script=script,
            replay=self._file(f"{name}-repaired.jostle", recording.to_bytes()) if recording is not None else "",
            before=self._file(f"{name}-unrepaired.png", found.before.outcome.picture),
            after=self._file(f"{name}-repaired.png", found.after.outcome.picture),
        )
        try:
            film = beside(found.before.shots, found.after.shots, "png", _FILM)
        except ValueError:
            film = b""
        repair = msgspec.structs.replace(repair, film=self._file(f"{name}-repair.png", film))
        return _with(finding, self._with_test(finding, repair, drops=found.drops))

    def _with_test(self, finding: Finding, repair: Repair, *, drops: bool) -> Repair:
        """The variant of its generated test."""
        test = finding.evidence.generated_test
        if not test:
            why = finding.evidence.no_test_because or "the finding has no test"
            return msgspec.structs.replace(repair, untested=why)
        try:
            given = self._read(test).decode("utf-8", "replace")
            source = with_repair(given, repair.script, repair.policy, drops=drops)
        except (Problem, ValueError) as reason:
            return msgspec.structs.replace(repair, untested=str(reason))
        return msgspec.structs.replace(repair, test=self._file(test.replace(".py", "_repaired.py"), source.encode()))

    def _file(self, name: str, data: bytes) -> str:
        if not data:
            return ""
        self._emit(FileMade(name, data))
        return name


def _with(finding: Finding, repair: Repair) -> Finding:
    assert isinstance(finding.evidence, RaceEvidence)
    return msgspec.structs.replace(finding, evidence=msgspec.structs.replace(finding.evidence, repair=repair))


def named(policy: Policy) -> Policy:
    """Several policies as one, by a name that is not theirs."""
    return msgspec.structs.replace(policy, name=BY)
