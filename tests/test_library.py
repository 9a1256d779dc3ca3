"""`import jostle`: the library, as its reference describes it."""

from __future__ import annotations

import asyncio
import dataclasses
import re
import subprocess
import sys
import types
import typing
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

import jostle
from jostle import library, options
from jostle.config.settings import Configuration
from jostle.examples import running
from jostle.library import SearchResult, Settings
from jostle.options import ResponseRaceOptions
from jostle.recording.file import Recording
from jostle.runs import RunDirectory, Status
from jostle.search.job import InMemory, Job, SearchOptions
from tests.cli.commands import command

REFERENCE = (Path(__file__).parents[1] / "docs/reference/python.md").read_text("utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```", REFERENCE, re.MULTILINE | re.DOTALL)
FEW = ResponseRaceOptions(events=6)


def _called(block: str) -> str:
    return " ".join(re.findall(r"jostle\.((?:races\.)?[a-z]+)\(", block))


@pytest.fixture(scope="module")
def base() -> Iterator[str]:
    with running() as served:
        yield served


@pytest.mark.browser
@pytest.mark.timeout(240)
def test_findings_with_their_tests_and_recordings(base: str, tmp_path: Path) -> None:
    result = jostle.races.ajax(f"{base}/paging/", FEW, budget="60s", seed=1, config=Configuration(), out=tmp_path)
    [finding] = result.findings
    assert (finding.kind, finding.severity) == (jostle.FindingKind.AJAX_RACE, jostle.Severity.MEDIUM)
    assert str(result) == f"medium: ajax-race: {finding.title}"
    compile(result.test_of(finding), "test", "exec")
    recording = result.recording_of(finding)
    assert recording is not None
    [replayed] = jostle.replay(recording, config=Configuration())
    assert replayed.reproduced, replayed.verdict
    result.write(tmp_path / "files")
    assert {each.name for each in (tmp_path / "files").iterdir()} == set(result.files)
    assert result.directory is not None
    with RunDirectory.open(result.directory) as run:
        assert [each.id for each in run.findings] == [finding.id] and run.info.status is Status.FINISHED


@pytest.mark.browser
@pytest.mark.timeout(240)
def test_the_twin_is_silent_and_an_event_loop_may_be_running(base: str) -> None:
    async def within() -> SearchResult:
        return jostle.races.ajax(f"{base}/paging-fixed/", FEW, budget="60s", config=Configuration())

    result = asyncio.run(within())
    assert result.findings == () and result.dismissed
    assert str(result) == f"{base}/paging-fixed/: nothing was found"


@pytest.mark.browser
@pytest.mark.timeout(240)
@pytest.mark.long
def test_asynchronous(base: str) -> None:
    async def both() -> list[SearchResult]:
        searches = (
            jostle.aio.races.init(f"{base}/{page}/", budget="60s", config=Configuration())
            for page in ("late-handler", "late-handler-fixed")
        )
        return list(await asyncio.gather(*searches))

    found, twin = asyncio.run(both())
    assert found.findings and not twin.findings


@pytest.mark.browser
@pytest.mark.timeout(240)
@pytest.mark.parametrize(
    ("search", "options"),
    [(jostle.races.ajax, FEW), (jostle.slowdown, options.SlowdownOptions(events_per_target=1))],
    ids=["ajax", "slowdown"],
)
def test_every_recording_is_repeated(
    search: Callable[..., SearchResult], options: SearchOptions, base: str, tmp_path: Path
) -> None:
    done = command("record", f"{base}/paging-fixed/", "--walk", "2", "-o", "both.jostle", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    both = Recording.read(tmp_path / "both.jostle")
    assert len(both.user_events) == 2
    steps = both.trace.steps
    first = next(number for number, step in enumerate(steps, 1) if step.event.by_user)
    only = dataclasses.replace(both, trace=msgspec.structs.replace(both.trace, steps=steps[:first]))
    only.write(tmp_path / "first.jostle")
    files = [tmp_path / "first.jostle", tmp_path / "both.jostle"]
    url, configuration = both.manifest.url, Configuration()
    result = search(url, options, recordings=files, budget="60s", verify_tests=False, config=configuration)
    assert result.stats["events"] == 3, result.stats


@pytest.mark.browser
def test_several_at_once(base: str) -> None:
    async def both() -> list[SearchResult]:
        few = options.ExploreOptions(events=2)
        return list(
            await asyncio.gather(
                *(
                    jostle.aio.explore(f"{base}/{page}/", few, budget="30s", verify_tests=False, config=Configuration())
                    for page in ("paging", "paging-fixed")
                )
            )
        )

    one, other = asyncio.run(both())
    assert (one.url, other.url) == (f"{base}/paging/", f"{base}/paging-fixed/")
    assert one.stats["events"] == other.stats["events"] == 2


def test_what_cannot_run_is_told() -> None:
    with pytest.raises(jostle.Problem, match="is not a duration"):
        jostle.check("http://127.0.0.1:9/", budget="soon", config=Configuration())
    with pytest.raises(jostle.Problem, match="is not an http or https address"):
        jostle.check("ftp://127.0.0.1/", config=Configuration())


def test_names_in_a_job_are_those_of_files_in_a_given_folder(tmp_path: Path) -> None:
    (tmp_path / "walk.jostle").write_bytes(b"no recording")
    job = Job(technique="slowdown", url="http://127.0.0.1:9/", recordings=("walk.jostle",))
    with pytest.raises(jostle.Problem, match=r"The job needs walk\.jostle, which cannot be read"):
        jostle.run(job, config=Configuration())
    for references in (tmp_path, str(tmp_path), InMemory({"walk.jostle": b"no recording"})):
        with pytest.raises(jostle.Problem, match=r"walk\.jostle is not a jostle recording"):
            jostle.run(job, config=Configuration(), references=references)


def test_everything_is_documented() -> None:
    fields = [field.name for field in msgspec.structs.fields(SearchResult)]
    settings = list(typing.get_type_hints(Settings))
    every = {name: getattr(options, name) for name in options.__all__}
    assert not [name for name in (*fields, *settings, *every) if f"`{name}`" not in REFERENCE]
    for name, kind in every.items():
        [row] = [line for line in REFERENCE.splitlines() if f"| `{name}` |" in line]
        documented = re.findall(r"`(\w+)`", row.split("|")[3])
        assert sorted(documented) == sorted(field.name for field in msgspec.structs.fields(kind))
    functions = [name for name in jostle.__all__ if name.islower() and name not in ("aio", "races", "__version__")]
    assert not [name for name in functions if f"`jostle.{name}(" not in REFERENCE]
    assert not [name for name in jostle.races.__all__ if f"`jostle.races.{name}(" not in REFERENCE]


@pytest.fixture
def at_hand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Examples run here, with the browsers of the tests, and without running the tests they generate."""
    (tmp_path / "jostle.toml").write_text("")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(library, "can_run_tests", lambda: False)


@pytest.mark.browser
@pytest.mark.timeout(240)
@pytest.mark.usefixtures("at_hand")
@pytest.mark.parametrize("block", [block for block in BLOCKS if "live_server" not in block], ids=_called)
def test_an_example_of_the_reference_runs(block: str, base: str) -> None:
    short = block.replace("http://localhost:8000", f"{base}/paging-fixed/").replace("90s", "5s")
    names: dict[str, Any] = {"jostle": jostle}
    exec(short.replace("events=20", "events=2"), names)
    result = names.get("result", names.get("found"))
    assert isinstance(result, SearchResult) and result.stats


@pytest.mark.browser
@pytest.mark.timeout(240)
@pytest.mark.usefixtures("at_hand")
def test_the_test_of_the_reference_fails_as_a_test_does(base: str) -> None:
    [block] = [block for block in BLOCKS if "live_server" in block]
    names: dict[str, Any] = {"jostle": jostle}
    exec(block, names)
    with pytest.raises(AssertionError, match="medium: ajax-race: "):
        names["test_no_stale_results"](types.SimpleNamespace(url=f"{base}/paging/"))


@pytest.mark.long
@pytest.mark.browser
@pytest.mark.timeout(240)
@pytest.mark.slow
def test_the_examples_of_the_reference_run(base: str, tmp_path: Path) -> None:
    script = "\n".join(block for block in BLOCKS if "live_server" not in block)
    script = (
        script.replace("http://localhost:8000", f"{base}/paging/")
        .replace("90s", "20s")
        .replace("events=20", "events=6")
    )
    (tmp_path / "jostle.toml").write_text("")
    done = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, timeout=200)
    assert done.returncode == 0, done.stderr
    assert "Stale response: a slow GET /api/rows" in done.stdout


@pytest.mark.long
@pytest.mark.browser
@pytest.mark.timeout(240)
def test_the_test_of_the_reference_fails_because_of_the_bug(base: str, tmp_path: Path) -> None:
    [block] = [block for block in BLOCKS if "live_server" in block]
    fixture = (
        "import jostle, pytest, types\n\n@pytest.fixture\ndef live_server():\n"
        f"    return types.SimpleNamespace(url={f'{base}/paging/'!r})\n\n"
    )
    (tmp_path / "jostle.toml").write_text("")
    (tmp_path / "test_stale.py").write_text(fixture + block.replace("60s", "20s"))
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "test_stale.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=200,
    )
    assert done.returncode == 1 and "ajax-race: Stale response: a slow GET /api/rows" in done.stdout, done.stdout
