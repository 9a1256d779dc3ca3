"""The SQLite database of one run: its tables, and what goes in and out of them."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Self

import msgspec

from jostle.errors import RunProblem
from jostle.search.stream import Status

VERSION = 1
_TABLES = """
CREATE TABLE run (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    jostle TEXT NOT NULL,
    command TEXT NOT NULL,
    url TEXT,
    seed INTEGER NOT NULL,
    options TEXT NOT NULL,
    started TEXT NOT NULL,
    finished TEXT,
    status TEXT NOT NULL,
    error TEXT
) STRICT;
CREATE TABLE step (number INTEGER PRIMARY KEY, json BLOB NOT NULL) STRICT;
CREATE TABLE remark (id INTEGER PRIMARY KEY, at TEXT NOT NULL, kind TEXT NOT NULL, text TEXT NOT NULL) STRICT;
CREATE TABLE artefact (
    name TEXT PRIMARY KEY,
    media_type TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    file TEXT NOT NULL,
    size INTEGER NOT NULL
) STRICT;
CREATE TABLE finding (id TEXT PRIMARY KEY, json BLOB NOT NULL, filter TEXT) STRICT;
"""


_STATEMENTS = [
    (statement.split()[2], " ".join(statement.split())) for statement in _TABLES.split(";") if statement.strip()
]
_LONGEST_VALUE = 64 * 2**20


class RunInfo(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of a run as a whole."""

    jostle: str
    command: str
    url: str | None
    seed: int
    options: dict[str, Any]
    started: str
    finished: str | None
    status: Status
    error: str | None


class Remark(msgspec.Struct, frozen=True):
    """A note, or something met that could not be controlled."""

    at: str
    kind: str
    """`note` or `limit`."""
    text: str


class Artefact(msgspec.Struct, frozen=True):
    """A file kept with the run."""

    name: str
    media_type: str
    sha256: str
    file: str
    """Relative to the run directory."""
    size: int


class Store:
    """The database of one run. Every write is kept at once. Raises RunProblem."""

    def __init__(self, connection: sqlite3.Connection, file: Path) -> None:
        self._connection = connection
        self._file = file

    @classmethod
    def create(cls, file: Path) -> Self:
        store = cls(_connect(file, "rwc"), file)
        with store._explained():
            store._connection.execute("PRAGMA journal_mode = WAL")
            store._connection.execute("PRAGMA synchronous = NORMAL")
            store._connection.executescript(f"BEGIN; {_TABLES} PRAGMA user_version = {VERSION}; COMMIT;")
        return store

    @classmethod
    def open(cls, file: Path, writable: bool) -> Self:
        # On a read-only medium SQLite cannot make the files that go with a write-ahead log: `immutable` does without.
        modes = ["rw"] if writable else ["ro", "ro&immutable=1"]
        while True:
            store = cls(_connect(file, modes.pop(0)), file)
            try:
                store._check()
            except sqlite3.OperationalError as error:
                store.close()
                if not modes:
                    raise RunProblem(f"The run's database {file} cannot be opened: {error}.") from None
            except BaseException:
                store.close()
                raise
            else:
                return store

    def close(self) -> None:
        self._connection.close()

    def execute(self, statement: str, *values: object) -> None:
        with self._explained():
            self._connection.execute(statement, values)

    def rows(self, query: str, *values: object) -> list[Any]:
        with self._explained():
            return self._connection.execute(query, values).fetchall()

    def _check(self) -> None:
        try:
            self._connection.execute("PRAGMA trusted_schema = OFF")
            self._connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST_VALUE)
            version = self._connection.execute("PRAGMA user_version").fetchone()[0]
            if version == VERSION and not self._is_ours():
                raise RunProblem(f"{self._file} is not the database of a run.")
            if version == VERSION and self._connection.execute("SELECT count(*) FROM run").fetchone()[0] == 1:
                return
        except sqlite3.OperationalError as error:
            if "no such table" not in str(error):
                raise
        except sqlite3.DatabaseError as error:
            raise self._damaged(error) from None
        if version > VERSION:
            raise RunProblem(
                f"{self._file} was written by a newer jostle (format {version}; this one knows {VERSION}).",
                advice="Upgrade jostle to read it.",
            )
        raise RunProblem(f"{self._file} is not the database of a run.")

    def _is_ours(self) -> bool:
        """Whether there is nothing in it but our tables: a view could go on for ever."""
        found = self._connection.execute("SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%'")
        known = dict(_STATEMENTS)
        return all(kind == "table" and " ".join(sql.split()) == known.get(name) for kind, name, sql in found)

    @contextlib.contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.OperationalError as error:  # disk full, read-only, locked
            raise RunProblem(f"The run's database {self._file} cannot be used: {error}.") from None
        except sqlite3.DatabaseError as error:
            raise self._damaged(error) from None

    def _damaged(self, error: Exception) -> RunProblem:
        return RunProblem(
            f"The run's database {self._file} is damaged: {error}.",
            advice="The artefacts beside it are plain files and still readable; run the command again.",
        )


def _connect(file: Path, mode: str) -> sqlite3.Connection:
    try:
        return sqlite3.connect(f"{file.absolute().as_uri()}?mode={mode}", uri=True, isolation_level=None, timeout=10)
    except sqlite3.Error as error:
        raise RunProblem(f"The run's database {file} cannot be opened: {error}.") from None
