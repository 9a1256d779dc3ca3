"""Running jobs: in this process and in another one, with the same result."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from jostle import library
from jostle.config.settings import Configuration
from jostle.errors import CouldNotRun, Problem
from jostle.examples import running
from jostle.exploring.search import ExploreOptions
from jostle.findings import Finding
from jostle.races.responses.search import ResponseRaceOptions
from jostle.runs import RunDirectory, Status
from jostle.search.job import Job
from jostle.search.run import Environment
from jostle.search.stream import Emit, FileMade, FindingReported, SearchEnded, SearchEvent
from tests.consumers.streams import finding

ELSEWHERE = """
import json, pathlib, sys
from jostle import library
from jostle.config.settings import Configuration
from jostle.search.job import Job
job = Job.from_json(pathlib.Path(sys.argv[1]).read_bytes())
result = library.waited_for(library.run(job, config=Configuration()))
print(json.dumps([[each.id, each.title, each.replay] for each in result.findings]))
print(json.dumps(sorted(result.files)))
"""


def told(finding: Finding) -> list[str | None]:
    return [finding.id, finding.title, finding.replay]


@pytest.mark.browser
@pytest.mark.timeout(240)
def test_a_job_gives_the_same_in_another_process(tmp_path: Path) -> None:
    events: list[SearchEvent] = []
    with running() as base:
        job = Job.of("races ajax", f"{base}/paging/", ResponseRaceOptions(events=6), seed=1, budget=60)
        file = tmp_path / "job.json"
        file.write_bytes(job.to_json())
        done = subprocess.run(
            [sys.executable, "-c", ELSEWHERE, str(file)], capture_output=True, text=True, timeout=120, cwd=tmp_path
        )
        assert done.returncode == 0, done.stderr
        here = library.waited_for(library.run(job, config=Configuration(), on_event=events.append))
    findings, files = (json.loads(line) for line in done.stdout.splitlines())
    assert findings == [told(each) for each in here.findings] and findings
    assert files == sorted(here.files)
    [finding] = here.findings
    assert "def test_" in here.test_of(finding)
    recording = here.recording_of(finding)
    assert recording is not None and recording.trace.steps
    # What a finding names was in the stream before it.
    at = next(n for n, each in enumerate(events) if isinstance(each, FindingReported))
    assert {each.name for each in events[:at] if isinstance(each, FileMade)} == set(here.files)
    assert isinstance(events[-1], SearchEnded)


@pytest.mark.browser
@pytest.mark.timeout(240)
def test_a_search_that_fails_tells_what_it_knew() -> None:
    events: list[SearchEvent] = []
    job = Job.of("explore", "http://127.0.0.1:9/", ExploreOptions(events=3), budget=20)
    with pytest.raises(Problem) as told_of:
        library.waited_for(library.run(job, config=Configuration(), on_event=events.append))
    assert isinstance(events[-1], SearchEnded)
    assert told_of.value.partial.url == job.url and not told_of.value.partial.findings


async def _fails_after_a_finding(job: Job, environment: Environment, emit: Emit) -> None:
    emit(FileMade("high.txt", b"recorded"))
    emit(FindingReported(finding("high")))
    raise CouldNotRun("The browser went away.")


def test_what_was_found_before_a_failure_is_there(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(library, "run_job", _fails_after_a_finding)
    job = Job.of("explore", "http://127.0.0.1:9/", ExploreOptions())
    with pytest.raises(CouldNotRun) as raised:
        library.waited_for(library.run(job, config=Configuration(), out=tmp_path))
    partial = raised.value.partial
    assert isinstance(partial, library.SearchResult)
    assert [each.id for each in partial.findings] == ["high"] and partial.files == {"high.txt": b"recorded"}
    assert partial.directory is not None
    with RunDirectory.open(partial.directory) as run:
        assert run.info.status is Status.FAILED
