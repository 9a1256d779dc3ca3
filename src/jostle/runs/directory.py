"""The run directory: everything about one run, written as it happens.

run.db        SQLite: what was run, its steps, remarks, findings and the index of artefacts
run.lock      held by the process that writes the run; its number inside
progress.txt  what is being done just now, in one line; while the run goes on
artefacts/    files named by their content
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import mimetypes
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

import msgspec

from jostle.errors import RunProblem
from jostle.events import Step, wire
from jostle.findings.earlier import read_finding
from jostle.findings.finding import Finding
from jostle.progress import LimitMet, Note, Progress, Started, Stepped
from jostle.reading import open_file, read_within
from jostle.runs.document import Document, Suppressed
from jostle.runs.store import Artefact, Remark, RunInfo, Store
from jostle.search.stream import Status
from jostle.version import __version__
from jostle.writing import replace

T = TypeVar("T", bound=msgspec.Struct)

LARGEST_FILE = 256 * 2**20
"""Bytes of a file in a run directory that is read."""
LARGEST_DATABASE = 1024 * 2**20
_PROGRESS = "progress.txt"
_LONGEST_PROGRESS = 500
_EVERY = 0.5
"""Seconds between two writings of what is being done."""


class RunDirectory:
    """One run on disk. Made by `create` or `open`; a context that closes it. Raises RunProblem.

    A run whose process is gone without having finished it reads as interrupted and can be resumed.
    """

    def __init__(self, path: Path, store: Store, lock: int | None) -> None:
        """For `create` and `open` only."""
        self.path = path
        self._store = store
        self._lock = lock
        rows = store.rows("SELECT max(number) FROM step")
        self._steps = 0 if rows[0][0] is None else int(rows[0][0]) + 1
        self._doing: dict[str, Started] = {}
        """By who does it."""
        self._told_at = 0.0

    @classmethod
    def create(
        cls,
        parent: Path,
        command: str,
        *,
        url: str | None = None,
        seed: int = 0,
        options: Mapping[str, Any] | None = None,
    ) -> Self:
        """Begin a run in a new directory below `parent`, named after the time and the command."""
        now = _now()
        path = _new_directory(parent, f"{now:%Y%m%d-%H%M%S}-{command.replace(' ', '-')}")
        with _explained(path):
            (path / "artefacts").mkdir(mode=0o700)
            lock = _own(path)
        store = Store.create(path / "run.db")
        store.execute(
            "INSERT INTO run (id, jostle, command, url, seed, options, started, status)"
            " VALUES (1, ?, ?, ?, ?, ?, ?, ?)",
            __version__,
            command,
            url,
            seed,
            msgspec.json.encode(dict(options or {})).decode(),
            now.isoformat(),
            Status.RUNNING,
        )
        return cls(path, store, lock)

    @classmethod
    def open(cls, path: Path, *, resume: bool = False) -> Self:
        """Open a run to read it, or with `resume` to go on with it where it was interrupted."""
        database = path / "run.db"
        if not database.is_file() or database.is_symlink():
            raise RunProblem(f"{path} is not the directory of a run: it has no run.db.")
        if (size := database.stat().st_size) > LARGEST_DATABASE:
            raise RunProblem(f"{database} is too large to be that of a run ({size // 2**20} MB).")
        if not resume:
            return cls(path, Store.open(database, writable=False), None)
        with _explained(path):
            lock = _own(path)
        try:
            run = cls(path, Store.open(database, writable=True), lock)
        except BaseException:
            os.close(lock)
            raise
        if run.info.status is Status.FINISHED:
            run.close()
            raise RunProblem(f"The run in {path} is finished; there is nothing to resume.")
        run._store.execute("UPDATE run SET status = ?, finished = NULL, error = NULL", Status.RUNNING)
        return run

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._lock is not None and self.info.status is Status.RUNNING:
            if error is None:
                self.finish()
            elif isinstance(error, Exception):
                self.finish(Status.FAILED, error=str(error))
            else:  # Ctrl-C, cancellation
                self.finish(Status.INTERRUPTED)
        self.close()

    def finish(self, status: Status = Status.FINISHED, *, error: str | None = None) -> None:
        """Write down how the run ended."""
        with contextlib.suppress(OSError):
            (self.path / _PROGRESS).unlink(missing_ok=True)
        self._store.execute("UPDATE run SET status = ?, finished = ?, error = ?", status, _now().isoformat(), error)

    def close(self) -> None:
        self._store.close()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    # Writing

    def add_step(self, step: Step) -> int:
        """Keep a step; its number, from 0."""
        number = self._steps
        self._store.execute("INSERT INTO step VALUES (?, ?)", number, wire.encode(step))
        self._steps += 1
        return number

    def add_note(self, text: str) -> None:
        self._remark("note", text)

    def add_limit(self, text: str) -> None:
        """Keep what was met that could not be controlled."""
        self._remark("limit", text)

    def listen(self, progress: Progress, /) -> None:
        """A progress listener that keeps notes and limits, and what is being done just now."""
        if isinstance(progress, Note):
            self.add_note(progress.text)
        elif isinstance(progress, LimitMet):
            self.add_limit(progress.text)
        elif isinstance(progress, Started):
            self._doing[progress.by] = progress
            self._tell(progress.what)
        elif isinstance(progress, Stepped) and time.monotonic() > self._told_at + _EVERY:
            doing = self._doing.get(progress.by, Started(what=""))
            total = progress.total or doing.total
            of = f" of {total}" if total else ""
            self._tell(f"{doing.what}: {progress.done}{of} {progress.what}".strip())

    def _tell(self, words: str) -> None:
        """A reader may look at any time. That this cannot be written does not matter."""
        self._told_at = time.monotonic()
        with contextlib.suppress(OSError):
            replace(self.path / _PROGRESS, " ".join(words.split())[:_LONGEST_PROGRESS].encode("utf-8", "replace"))

    def add_finding(self, finding: Finding, *, suppressed_by: str | None = None) -> None:
        """Keep a finding, or what the filter `suppressed_by` called harmless; one with the same id is replaced."""
        self._store.execute(
            "INSERT OR REPLACE INTO finding VALUES (?, ?, ?)", finding.id, msgspec.json.encode(finding), suppressed_by
        )

    def add_artefact(self, name: str, data: bytes, media_type: str = "application/octet-stream") -> Path:
        """Keep a file under a name; its path. The file is complete or absent, never half."""
        digest = hashlib.sha256(data).hexdigest()
        file = Path("artefacts", f"{digest}{mimetypes.guess_extension(media_type) or ''}")
        path = self.path / file
        with _explained(self.path):
            if not path.exists():
                replace(path, data)
        self._store.execute(
            "INSERT OR REPLACE INTO artefact VALUES (?, ?, ?, ?, ?)", name, media_type, digest, str(file), len(data)
        )
        return path

    def _remark(self, kind: str, text: str) -> None:
        self._store.execute("INSERT INTO remark (at, kind, text) VALUES (?, ?, ?)", _now().isoformat(), kind, text)

    # Reading

    @property
    def info(self) -> RunInfo:
        columns = ", ".join(RunInfo.__struct_fields__)
        row = dict(zip(RunInfo.__struct_fields__, self._store.rows(f"SELECT {columns} FROM run")[0], strict=True))  # noqa: S608
        with self._readable("The account"):
            row["options"] = msgspec.json.decode(row["options"])
            info = msgspec.convert(row, RunInfo)
        if info.status is Status.RUNNING and self._lock is None and _owner(self.path) is None:
            return msgspec.structs.replace(info, status=Status.INTERRUPTED)
        return info

    @property
    def doing(self) -> str:
        """What is being done just now, in words; empty when the run has ended or does not tell."""
        try:
            told = read_within(self.path, _PROGRESS, 4 * _LONGEST_PROGRESS)
            return told.decode("utf-8", "replace")[:_LONGEST_PROGRESS]
        except OSError:
            return ""

    @property
    def version(self) -> str:
        """Another one whenever something was added to the run."""
        [counts] = self._store.rows(
            "SELECT (SELECT coalesce(max(rowid), 0) FROM finding),"
            " (SELECT coalesce(sum(length(json)), 0) FROM finding),"
            " (SELECT count(*) FROM remark), (SELECT coalesce(max(rowid), 0) FROM artefact),"
            " (SELECT coalesce(sum(size), 0) FROM artefact)"
        )
        return "-".join(map(str, (*counts, self.info.status.value)))

    @property
    def step_count(self) -> int:
        return self._steps

    def steps(self, start: int = 0) -> Iterator[Step]:
        """The steps from number `start` on, read a thousand at a time."""
        decode = wire.decoder(Step)
        while rows := self._store.rows(
            "SELECT number, json FROM step WHERE number >= ? ORDER BY number LIMIT 1000", start
        ):
            for number, json in rows:
                with self._readable(f"Step {number}"):
                    step = wire.completed_step(decode(json))
                yield step
            start = rows[-1][0] + 1

    @property
    def remarks(self) -> list[Remark]:
        rows = self._store.rows("SELECT at, kind, text FROM remark ORDER BY id")
        with self._readable("What it noted"):
            return [_typed(row, Remark) for row in rows]

    @property
    def findings(self) -> list[Finding]:
        """Raises RunProblem when one cannot be read."""
        rows = self._store.rows("SELECT json FROM finding WHERE filter IS NULL ORDER BY rowid")
        with self._readable("A finding"):
            return [read_finding(json) for (json,) in rows]

    @property
    def suppressed(self) -> list[Suppressed]:
        rows = self._store.rows("SELECT json, filter FROM finding WHERE filter IS NOT NULL ORDER BY rowid")
        with self._readable("What was dismissed"):
            return [Suppressed(finding=read_finding(json), filter=msgspec.convert(name, str)) for json, name in rows]

    @property
    def artefacts(self) -> list[Artefact]:
        rows = self._store.rows("SELECT * FROM artefact ORDER BY rowid")
        with self._readable("The list of artefacts"):
            return [_typed(row, Artefact) for row in rows]

    def artefact(self, name: str) -> bytes:
        """The content kept under a name, checked against its digest."""
        for kept in self.artefacts:
            if kept.name == name:
                with _explained(self.path, "read"):
                    data = read_within(self.path, kept.file, LARGEST_FILE)
                if hashlib.sha256(data).hexdigest() != kept.sha256:
                    raise RunProblem(f"{self.path / kept.file} was changed or is damaged.")
                return data
        raise RunProblem(f"The run in {self.path} has no artefact `{name}`.")

    @contextlib.contextmanager
    def _readable(self, what: str) -> Iterator[None]:
        """Somebody else may have written the database."""
        try:
            yield
        except (msgspec.MsgspecError, TypeError, ValueError, RecursionError) as error:
            raise RunProblem(f"{what} of the run in {self.path} cannot be read: {error}.") from None

    def file(self, name: str) -> bytes:
        """A file beside the database. Raises RunProblem."""
        with _explained(self.path / name, "read"):
            return read_within(self.path, name, LARGEST_FILE)

    def document(self, *, seconds: float, stats: Mapping[str, Any] | None = None) -> Document:
        """The run as one JSON document."""
        info = self.info
        with self._readable("The list of findings"):
            return Document(
                jostle=info.jostle,
                command=info.command,
                url=info.url,
                seed=info.seed,
                seconds=round(seconds, 3),
                status=info.status,
                error=info.error,
                findings=tuple(self.findings),
                suppressed=tuple(self.suppressed),
                limits=tuple(dict.fromkeys(remark.text for remark in self.remarks if remark.kind == "limit")),
                stats=dict(stats or {}),
            )


def _typed(row: Sequence[object], kind: type[T]) -> T:
    """A row of a table with a column for each field. Raises msgspec.ValidationError."""
    return msgspec.convert(dict(zip(kind.__struct_fields__, row, strict=True)), kind)


def _now() -> datetime:
    return datetime.now(UTC)


def _new_directory(parent: Path, name: str) -> Path:
    with _explained(parent):
        parent.mkdir(parents=True, exist_ok=True)
        for number in range(1, 1000):
            path = parent / (name if number == 1 else f"{name}-{number}")
            with contextlib.suppress(FileExistsError):
                path.mkdir(mode=0o700)  # what a run has seen is its user's business
                return path
    raise RunProblem(f"{parent} has too many runs named {name}.", advice="Name another directory with --out.")


def _own(path: Path) -> int:
    """Become the one process that writes this run. The system gives the lock back when the process ends."""
    lock = os.open(path / "run.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    for attempts_left in reversed(range(5)):  # a reader that asks whether the run is alive holds the lock for a moment
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            break
        except BlockingIOError:
            if attempts_left:
                time.sleep(0.05)
                continue
            os.close(lock)
            raise RunProblem(
                f"The run in {path} is being written by process {_owner(path) or 'unknown'}.",
                advice="Wait until it has ended, or stop it.",
            ) from None
    os.ftruncate(lock, 0)
    os.pwrite(lock, str(os.getpid()).encode(), 0)
    return lock


def _owner(path: Path) -> str | None:
    """The number of the living process that writes this run."""
    try:
        with open_file(path / "run.lock") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except BlockingIOError:
                return lock.read(20).decode("utf-8", "replace") or "unknown"
    except OSError:
        pass
    return None


@contextlib.contextmanager
def _explained(path: Path, what: str = "written") -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise RunProblem(
            f"{'The run directory ' if path.is_dir() else ''}{path} cannot be {what}: {error.strerror or error}.",
            advice="Name a directory that can be written to with --out." if what == "written" else "",
        ) from None
