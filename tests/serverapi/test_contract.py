"""Whether a finding lies inside the contract."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from jostle.findings import Confidence, Finding, FindingKind, Severity
from jostle.findings.contract import Contract, OutsideContract
from jostle.findings.evidence import ErrorEvidence, RequestEvidence
from jostle.recording.file import Manifest, Recording
from jostle.search.stream import CaseDismissed, FileMade, FindingReported
from jostle.serverapi.contract import NOT_RECORDED, ContractJudge
from jostle.serverapi.files import read_api
from jostle.serverapi.mock.told import OUTSIDE, UNKNOWN
from tests.serverapi.mock.test_answering import COMMENTS, recorded
from tests.serverapi.test_server import described

EXCEPTION = Finding(
    id="error-1",
    technique="explore",
    kind=FindingKind.EXCEPTION,
    confidence=Confidence.WITNESSED,
    severity=Severity.HIGH,
    title="it breaks",
    evidence=ErrorEvidence(message="x", source="", stack=()),
    replay="error-1.jostle",
)


def judged(folder: Path, run: Recording, finding: Finding = EXCEPTION) -> list[Any]:
    emitted: list[Any] = []
    judge = ContractJudge(read_api(described(folder)), (), emitted.append)
    judge(FileMade("error-1.jostle", Recording(Manifest(url="http://shop.test/"), exchanges=run.exchanges,
                                               bodies=run.bodies).to_bytes()))  # fmt: skip
    judge(FindingReported(finding))
    return emitted[1:]


def contract(folder: Path, run: Recording) -> Contract:
    (event,) = judged(folder, run)
    assert isinstance(event, FindingReported)
    assert event.finding.contract is not None
    return event.finding.contract


def with_header(recording: Recording, name: str, value: str) -> Recording:
    exchanges = [msgspec.structs.replace(each, headers=(*each.headers, (name, value))) for each in recording.exchanges]
    return Recording(recording.manifest, exchanges=exchanges, bodies=recording.bodies)


SEARCH = recorded(("GET search?q=milk", None, {"query": "milk", "hits": []}))


def test_inside(tmp_path: Path) -> None:
    told = contract(tmp_path, SEARCH)
    assert told == Contract(description="api.ail", requests=1)
    assert told.kept
    assert told.words == "Inside the contract: every response was as api.ail describes it"


def test_the_learned_traffic_itself_is_inside(tmp_path: Path) -> None:
    assert contract(tmp_path, COMMENTS).kept


def test_a_response_of_another_kind(tmp_path: Path) -> None:
    (outside,) = contract(tmp_path, recorded(("GET search?q=milk", None, {"query": 7, "hits": []}))).outside
    assert (outside.request, outside.status, outside.on_purpose) == ("GET /search?q=milk", 200, False)
    assert outside.what.startswith("query: ")


def test_a_fault_is_on_purpose(tmp_path: Path) -> None:
    told = contract(tmp_path, with_header(SEARCH, OUTSIDE, "malformed"))
    (outside,) = told.outside
    assert outside.on_purpose
    assert told.words == (
        'Outside the contract of api.ail: GET /search?q=milk: the fault "malformed" (a fault, on purpose)'
    )


def test_a_request_without_an_operation(tmp_path: Path) -> None:
    told = contract(tmp_path, recorded(("GET nothing", None, {}), ("GET nothing", None, {})))
    assert told.outside == (
        OutsideContract(request="GET /nothing", status=200, what="no operation is for this request"),
    )


def test_what_the_mock_does_not_know_is_no_finding(tmp_path: Path) -> None:
    run = with_header(recorded(("GET nothing", None, {}, 404)), UNKNOWN, "1")
    asked = RequestEvidence(method="GET", url="http://shop.test/nothing", status=404, resource="fetch")
    refused = msgspec.structs.replace(EXCEPTION, kind=FindingKind.HTTP_ERROR, evidence=asked)
    (event,) = judged(tmp_path, run, refused)
    assert isinstance(event, CaseDismissed)
    assert event.filter == NOT_RECORDED
    (event,) = judged(tmp_path, run)  # what a page makes of it is one, outside the contract
    assert isinstance(event, FindingReported)
    assert event.finding.contract is not None
    assert not event.finding.contract.kept


def test_without_a_recording_nothing_is_said(tmp_path: Path) -> None:
    emitted: list[Any] = []
    judge = ContractJudge(read_api(described(tmp_path)), (), emitted.append)
    judge(FileMade("error-1.jostle", b"damaged"))
    judge(FindingReported(EXCEPTION))
    assert emitted[1].finding.contract is None
