"""Whether a finding lies inside the contract: did the server keep to its description in the run that shows it?"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec

from jostle.errors import Problem
from jostle.findings import Finding
from jostle.findings.contract import Contract, OutsideContract
from jostle.findings.evidence import RequestEvidence
from jostle.progress import Note
from jostle.recording.exchange import Exchange
from jostle.recording.file import Recording
from jostle.search.stream import CaseDismissed, Emit, FileMade, FindingReported, SearchEnded, SearchEvent
from jostle.serverapi.ail_format import format_pattern
from jostle.serverapi.asking import with_words
from jostle.serverapi.files import ApiFiles
from jostle.serverapi.matching import Matcher
from jostle.serverapi.mock.origins import stand_in_origin
from jostle.serverapi.mock.told import OUTSIDE, UNKNOWN
from jostle.serverapi.report.page import page
from jostle.serverapi.sample import Sample
from jostle.serverapi.traffic import Traffic, origin_of, read_traffic
from jostle.text import cut

_MOST = 20
_LONGEST = 200
_MOST_RECORDINGS = 50
PAGE = "interface.html"
"""The page of the interface, in the directory of a run."""
NOT_RECORDED = "not recorded: the mock knows nothing of this request, so what the real server would respond is unknown"
"""The filter of findings that only say so."""


class ContractJudge:
    """Hears the stream of a search on its way to `emit`, and says of each finding whether it lies inside the contract.

    What is nothing but a request that the mock knows nothing of is dismissed."""

    def __init__(self, files: ApiFiles, ignored: Iterable[str], emit: Emit) -> None:
        self._name = files.file.name
        self._base = origin_of(files.description.base)
        self._matcher = Matcher(files.description, files.schemas)
        self._ignored = tuple(ignored)
        self._emit = emit
        self._files = files
        self._contracts: dict[str, tuple[Contract, frozenset[str]]] = {}
        self._recordings: dict[str, Recording] = {}
        self._findings: dict[str, Finding] = {}

    def __call__(self, event: SearchEvent) -> None:
        match event:
            case FileMade(name, data) if Path(name).suffix == ".jostle":
                try:
                    recording = Recording.from_bytes(data, name)
                except Problem:
                    self._contracts.pop(name, None)
                else:
                    self._contracts[name] = self.contract(recording), _unknown_to_mock(recording.exchanges)
                    if len(self._recordings) < _MOST_RECORDINGS:
                        self._recordings[name] = _traffic_alone(recording)
            case FindingReported(finding) if finding.replay in self._contracts:
                contract, unknown = self._contracts[finding.replay]
                told = msgspec.structs.replace(finding, contract=contract)
                if _says_only(told, unknown):
                    self._findings.pop(told.id, None)
                    self._emit(CaseDismissed(told, NOT_RECORDED))
                else:
                    self._findings[told.id] = told
                    self._emit(FindingReported(told))
                return
            case CaseDismissed(finding):
                self._findings.pop(finding.id, None)
            case SearchEnded():
                shown = page(self._files, self._recordings.values(), tuple(self._findings.values()))
                self._emit(FileMade(PAGE, shown.encode()))
                self._emit(Note(text=f"The interface of the server: {PAGE} in the directory of the run"))
            case _:
                pass
        self._emit(event)

    def contract(self, recording: Recording) -> Contract:
        """What the responses in a recording have to do with the description."""
        traffic = self._traffic(recording)
        outside: dict[tuple[str, str], OutsideContract] = {}
        for sample in traffic.samples:
            exchange = recording.exchanges[sample.exchange]
            if (broken := self._broken(sample, exchange)) is not None:
                outside.setdefault((broken.request, broken.what), broken)
        for position in traffic.files:
            exchange = recording.exchanges[position]
            if exchange.header(UNKNOWN):
                request = f"{exchange.method} {cut(exchange.url, _LONGEST)}"
                what = "was not recorded, so the mock has no such file"
                outside.setdefault((request, what), OutsideContract(request=request, status=exchange.status, what=what))
        return Contract(description=self._name, requests=len(traffic.samples), outside=tuple(outside.values())[:_MOST])

    def _traffic(self, recording: Recording) -> Traffic:
        asked = {origin_of(each.url) for each in recording.exchanges}
        bases = (self._base, stand_in_origin(self._base), origin_of(recording.manifest.url))
        base = next((each for each in bases if each in asked), self._base)
        return read_traffic(recording.exchanges, recording.body_of, base=base, ignored=self._ignored)

    def _broken(self, sample: Sample, exchange: Exchange) -> OutsideContract | None:
        request = cut(str(sample.request), _LONGEST)
        status = sample.response.status
        number = self._matcher.number_for(sample.request)
        if number is None:
            return OutsideContract(request=request, status=status, what="no operation is for this request")
        operation = self._matcher.description.operations[number]
        pattern = format_pattern(operation.pattern)
        if fault := exchange.header(OUTSIDE):
            what = f'the fault "{fault}"'
            return OutsideContract(request=request, operation=pattern, status=status, what=what, on_purpose=True)
        for violation in self._matcher.violations(operation, sample.response)[:1]:
            at = f"{violation.where}: " if violation.where else ""
            what = cut(f"{at}{violation.what}", _LONGEST)
            return OutsideContract(request=request, operation=pattern, status=status, what=what)
        return None


def _traffic_alone(recording: Recording) -> Recording:
    """Without what only replays need."""
    kept = with_words(recording)
    return Recording(manifest=kept.manifest, exchanges=kept.exchanges, bodies=kept.bodies)


def _unknown_to_mock(exchanges: Iterable[Exchange]) -> frozenset[str]:
    return frozenset(each.url for each in exchanges if each.header(UNKNOWN))


def _says_only(finding: Finding, unknown: frozenset[str]) -> bool:
    """Whether a finding says nothing but that a request got no good response, which the mock could not know."""
    return isinstance(finding.evidence, RequestEvidence) and finding.evidence.url in unknown
