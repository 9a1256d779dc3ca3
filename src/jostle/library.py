"""The library behind `import jostle`: each technique as a function, and what comes of it.

The functions here are asynchronous; `jostle.aio` has them by these names, `jostle` itself as ordinary functions.
"""

from __future__ import annotations

import asyncio
import tempfile
import threading
import time
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any, Generic, TypedDict, TypeVar, Unpack

import msgspec

from jostle.browser import loop
from jostle.checking.search import CheckOptions
from jostle.config import load
from jostle.config.settings import Configuration, Loaded, is_web_address
from jostle.consumers.run_keeper import RunKeeper
from jostle.errors import Problem, RunProblem, UsageProblem
from jostle.exploring.search import ExploreOptions
from jostle.findings import Finding
from jostle.recording.file import Recording
from jostle.recording.replay import Replayed
from jostle.repair.output import files_of
from jostle.repair.policy_file import read_policy
from jostle.repair.repairing import repair_of
from jostle.repair.run import repair_findings, run_and_repair
from jostle.report.repair_words import headline
from jostle.runs import RunDirectory
from jostle.search.browsers import BrowserChoice
from jostle.search.job import InDirectory, Job, References, SearchOptions
from jostle.search.pytest_run import can_run_tests
from jostle.search.redacting import Redaction
from jostle.search.registry import CHECK
from jostle.search.replaying import replay_recording
from jostle.search.result import Files, Result
from jostle.search.run import Environment, run_job
from jostle.search.stream import Emit, SearchEvent
from jostle.serverapi.server import Server, prepared
from jostle.slowdowns.search import SlowdownOptions
from jostle.text import duration
from jostle.writing import write_whole

T = TypeVar("T")


class Settings(TypedDict, total=False):
    """What all functions of the library take."""

    budget: float | str | None
    """Seconds, or a text such as `90s` or `5m`; None for no bound. Default: five minutes."""
    seed: int
    """Of every random choice."""
    config: Path | str | Configuration
    """A configuration or its file. Default: the nearest jostle.toml or pyproject.toml, as for the commands."""
    headed: bool
    """Show the browser window."""
    connect: str
    """The remote debugging address of a running browser, which is used instead of a new one."""
    out: Path | str
    """Keep the run in a new directory below this one, as the commands do: `jostle report` and `jostle ui` read it."""
    redact: bool
    """Take secrets (passwords, cookies, tokens) out of everything that is told and written. Default: yes."""
    server: str
    """Who responds: `live`, `live:api.ail` or `mock:api.ail`. Default: as configured, or `live`."""
    verify_tests: bool
    """Run each generated test, and drop those that do not fail because of their finding. Default: if pytest-playwright
    is installed."""
    references: Path | str | References
    """The folder with the files that a job names (recordings, a storage state), or something else that has them.
    Default: the current one. An absolute name is found in any case."""
    on_event: Callable[[SearchEvent], None]
    """Told everything as it happens: progress, findings, files."""


class SearchResult(msgspec.Struct, frozen=True, kw_only=True):
    """What came of a search. As text: one line for each finding."""

    url: str
    findings: tuple[Finding, ...]
    dismissed: tuple[tuple[Finding, str], ...]
    """What was tried or suspected and is harmless, with the reason."""
    limits: tuple[str, ...]
    """What was met that could not be controlled."""
    stats: Mapping[str, Any]
    """Figures, as in the JSON document."""
    seconds: float
    files: Mapping[str, bytes]
    """Recordings, pictures and tests, by the names that findings have for them."""
    directory: Path | None = None
    """Of the run, where it was kept."""

    def test_of(self, finding: Finding) -> str:
        """The source of a Playwright test that fails because of the finding; empty when there is none."""
        return self.files.get(f"test_{finding.id.replace('-', '_')}.py", b"").decode()

    def recording_of(self, finding: Finding) -> Recording | None:
        """The recorded run that shows the finding; None when it was not reproduced."""
        if finding.replay is None or finding.replay not in self.files:
            return None
        return Recording.from_bytes(self.files[finding.replay], finding.replay)

    def write(self, directory: Path | str) -> None:
        """Write all files into a directory, which is made if it is not there. Raises Problem."""
        folder = Path(directory)
        folder.mkdir(parents=True, exist_ok=True)
        for name, data in self.files.items():
            write_whole(folder / name, data)

    def __str__(self) -> str:
        if not self.findings:
            return f"{self.url}: nothing was found"
        return "\n".join(f"{each.severity.value}: {each.kind.value}: {each.title}" for each in self.findings)


class RepairResult(msgspec.Struct, frozen=True, kw_only=True):
    """What came of looking for repairs. As text: one line for each race."""

    url: str
    findings: tuple[Finding, ...]
    """The races, each with its `evidence.repair`."""
    script: str
    """JavaScript that keeps all of them from happening, as far as they can be; empty when none can."""
    seconds: float
    files: Mapping[str, bytes]
    """What `jostle repair` writes, by name."""

    @property
    def prevented(self) -> tuple[Finding, ...]:
        """The races that the script keeps from happening."""
        return tuple(each for each in self.findings if (made := repair_of(each)) is not None and made.prevents)

    def write(self, directory: Path | str) -> None:
        """Write all files into a directory, which is made if it is not there. Raises Problem."""
        for name, data in self.files.items():
            file = Path(directory) / name
            file.parent.mkdir(parents=True, exist_ok=True)
            write_whole(file, data)

    def __str__(self) -> str:
        made = ((each, repair_of(each)) for each in self.findings)
        lines = [f"{headline(each)}: {finding.title}" for finding, each in made if each is not None]
        return "\n".join(lines) if lines else f"{self.url}: there is no race to repair"


async def check(
    url: str,
    options: CheckOptions | None = None,
    *,
    recordings: Sequence[Path | str] = (),
    repair: bool = False,
    **settings: Unpack[Settings],
) -> SearchResult:
    """Look for everything that breaks in the application at `url`: what `jostle check` does. `repair`: look for a
    repair of each race, too."""
    job = _job(CHECK, url, options or CheckOptions(), recordings, settings)
    return await _run(job, settings, run_and_repair if repair else run_job)


async def explore(url: str, options: ExploreOptions | None = None, **settings: Unpack[Settings]) -> SearchResult:
    """Use the application at `url` as a tester would: what `jostle explore` does."""
    return await searched("explore", url, options or ExploreOptions(), (), settings)


async def slowdown(
    url: str,
    options: SlowdownOptions | None = None,
    *,
    recordings: Sequence[Path | str] = (),
    **settings: Unpack[Settings],
) -> SearchResult:
    """Look for clicks that make other clicks slower: what `jostle slowdown` does."""
    return await searched("slowdown", url, options or SlowdownOptions(), recordings, settings)


async def run(job: Job, **settings: Unpack[Settings]) -> SearchResult:
    """Run a job. Its seed and budget hold unless the settings have others."""
    changes: dict[str, object] = {}
    if "seed" in settings:
        changes["seed"] = settings["seed"]
    if "budget" in settings:
        changes["budget"] = _seconds(settings["budget"])
    return await _run(msgspec.structs.replace(job, **changes), settings)


async def replay(
    recording: Recording | Path | str, *, times: int = 1, live: bool = False, **settings: Unpack[Settings]
) -> tuple[Replayed, ...]:
    """Repeat a recorded run and compare each step: what `jostle replay` does. `live`: let the server answer."""
    given = recording if isinstance(recording, Recording) else Recording.read(recording)
    emit = settings.get("on_event", lambda event: None)
    with (
        _environment(settings, Server(loaded=_loaded(settings))) as environment,
        environment.application if live else nullcontext(),
    ):
        return tuple(await replay_recording(given, environment, emit, times=times, live=live))


async def repair(
    run: SearchResult | Path | str,
    finding: str = "",
    *,
    policy: Path | str = "",
    live: bool = False,
    **settings: Unpack[Settings],
) -> RepairResult:
    """Look for repairs of the races of a run: what `jostle repair` does. `run`: its directory, or what came of a search
    just now. `finding`: only the one with this id. `policy`: a policy file that is tried instead of looking for one.
    `live`: ask the server for what the recordings do not know."""
    given = read_policy(Path(policy)) if policy else None
    url, findings, kept = _found(run)
    wanted = [each for each in findings if not finding or each.id == finding]
    if finding and not wanted:
        raise UsageProblem(f"The run has no finding `{finding}`.")
    files = Files()
    loaded = _loaded(settings)
    redaction = Redaction.configured(loaded.configuration, on=settings.get("redact", True))
    on_event: Callable[[SearchEvent], None] = settings.get("on_event", lambda event: None)
    began = time.monotonic()

    def emit(event: Any) -> None:
        event = redaction.event(event)
        files(event)
        on_event(event)

    def read(name: str) -> bytes:
        return files.made[name] if name in files.made else kept(name)

    budget = _seconds(settings.get("budget", 300.0))
    with (
        _environment(settings, Server(loaded=loaded)) as environment,
        environment.application if live else nullcontext(),
    ):
        repaired = await repair_findings(wanted, read, url, environment, emit, budget=budget, live=live, policy=given)
    return RepairResult(
        url=url,
        findings=repaired.findings,
        script=repaired.script,
        seconds=round(time.monotonic() - began, 3),
        files=files_of(repaired, read, url),
    )


def _found(run: SearchResult | Path | str) -> tuple[str, Sequence[Finding], Callable[[str], bytes]]:
    """The address, the findings and the files of a run."""
    if isinstance(run, SearchResult):
        made = run.files

        def given(name: str) -> bytes:
            if name not in made:
                raise RunProblem(f"{name} is not there.")
            return made[name]

        return run.url, run.findings, given
    path = Path(run)
    with RunDirectory.open(path) as opened:
        url, findings = opened.info.url or "", opened.findings

    def kept(name: str) -> bytes:
        with RunDirectory.open(path) as opened:
            return opened.file(Path(name).name)

    return url, findings, kept


async def searched(
    technique: str, url: str, options: SearchOptions, recordings: Sequence[Path | str], settings: Settings
) -> SearchResult:
    """One search with one technique."""
    return await _run(_job(technique, url, options, recordings, settings), settings)


def _job(technique: str, url: str, options: SearchOptions, recordings: Sequence[Path | str], settings: Settings) -> Job:
    if not is_web_address(url):
        raise UsageProblem(f"`{url}` is not an http or https address.")
    return Job.of(
        technique,
        url,
        options,
        seed=settings.get("seed", 0),
        budget=_seconds(settings.get("budget", 300.0)),
        recordings=tuple(str(Path(each).absolute()) for each in recordings),
    )


def _seconds(budget: float | str | None) -> float | None:
    if not isinstance(budget, str):
        return budget
    try:
        return duration(budget)
    except ValueError as error:
        raise UsageProblem(f"{error}.") from None


async def _run(
    job: Job,
    settings: Settings,
    how: Callable[[Job, Environment, Emit], Coroutine[Any, Any, object]] | None = None,
) -> SearchResult:
    result, files = Result(), Files()
    consumers: list[Callable[[Any], None]] = [result, files]
    if "on_event" in settings:
        consumers.append(settings["on_event"])
    directory = None
    connected = settings.get("connect") is not None
    server = prepared(settings.get("server"), _loaded(settings), job.url, job.seed, connected=connected)
    job = msgspec.structs.replace(job, url=server.address(job.url))
    redaction = Redaction.configured(server.loaded.configuration, on=settings.get("redact", True))
    if "out" in settings:
        shown = redaction.text(job.url)
        directory = RunDirectory.create(Path(settings["out"]), job.technique, url=shown, seed=job.seed)
        consumers.insert(0, RunKeeper(directory))
    began = time.monotonic()

    def emit(event: Any) -> None:
        event = redaction.event(event)
        for consumer in consumers:
            consumer(event)

    def made() -> SearchResult:
        return SearchResult(
            url=job.url,
            findings=result.findings,
            dismissed=result.dismissed,
            limits=result.limits,
            stats=result.stats,
            seconds=round(time.monotonic() - began, 3),
            files=files.made,
            directory=directory.path if directory is not None else None,
        )

    try:
        with (
            _kept(directory),
            _environment(settings, server, directory, redaction) as environment,
            environment.application,
        ):
            await (how or run_job)(job, environment, emit)
    except Problem as problem:
        problem.partial = made()
        raise
    return made()


@contextmanager
def _kept(directory: RunDirectory | None) -> Iterator[None]:
    """The run directory is closed afterwards, and says how the run ended."""
    if directory is None:
        yield
    else:
        with directory:
            yield


@contextmanager
def _environment(
    settings: Settings,
    server: Server,
    directory: RunDirectory | None = None,
    redaction: Redaction | None = None,
) -> Iterator[Environment]:
    """Nothing is started in it yet. `redaction`: of what the application prints, where that is kept."""
    loaded = server.loaded
    choice = BrowserChoice(
        path=loaded.browser_path,
        arguments=loaded.configuration.browser.args,
        headed=settings.get("headed", False),
        memory=loaded.configuration.browser.memory,
        connect=settings.get("connect"),
    )
    with tempfile.TemporaryDirectory(prefix="jostle-") as scratch:
        place = directory.path if directory is not None else Path(scratch)
        application = server.application(place / "application.log", clean=redaction.text if redaction else str)
        verifying = settings.get("verify_tests", can_run_tests())
        yield Environment(
            loaded=loaded,
            application=application,
            browser=choice.with_arguments(*application.browser_arguments(loaded.configuration.url or "")),
            references=_references(settings),
            verifying=int(verifying),
            judged=server.judged,
        )


def _references(settings: Settings) -> References:
    given = settings.get("references", Path())
    return InDirectory(Path(given)) if isinstance(given, str | Path) else given


def _loaded(settings: Settings) -> Loaded:
    config = settings.get("config")
    if isinstance(config, Configuration):
        return Loaded(config, None)
    return load(Path(config) if config is not None else None)


def waited_for(work: Coroutine[Any, Any, T]) -> T:
    """The result of a coroutine, for callers that are not asynchronous; also where an event loop is running, as in a
    test that uses Playwright. Ctrl-C ends it as it ends a command."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return loop.run(work)
    return _Elsewhere(work).result()


class _Elsewhere(Generic[T]):
    """A coroutine in an event loop of a thread of its own."""

    def __init__(self, work: Coroutine[Any, Any, T]) -> None:
        self._work = work
        self._outcome: list[T] = []
        self._error: BaseException | None = None
        self._loop = loop.new()
        self._task: asyncio.Task[T] | None = None
        self._thread = threading.Thread(target=self._run, name="jostle", daemon=True)

    def result(self) -> T:
        self._thread.start()
        try:
            self._thread.join()
        except KeyboardInterrupt:
            self._loop.call_soon_threadsafe(lambda: self._task.cancel() if self._task is not None else None)
            self._thread.join()
            raise
        if self._error is not None:
            raise self._error
        return self._outcome[0]

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            try:
                self._outcome.append(runner.run(self._whole()))
            except BaseException as error:
                self._error = error

    async def _whole(self) -> T:
        self._task = asyncio.current_task()
        return await self._work
