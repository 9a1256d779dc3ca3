"""A job: everything that has to be known to run a search, as plain data.

A job can be written to a file, sent to another process and run there with the same result. Files that it needs
(recordings, a storage state, what an exploration observed) are named in it and looked up in `References`.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Protocol, TypeVar

import msgspec

from jostle.errors import UsageProblem
from jostle.reading import read_named

VERSION = 1
OptionsT = TypeVar("OptionsT", bound="SearchOptions")


class SearchOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Options of a search. Each technique has its own kind, with these besides."""

    avoid: tuple[str, ...] = ()
    """Regular expressions, searched in the words and the address of an event: what matches is not done."""
    allow: tuple[str, ...] = ()
    """The same for what is dangerous (logging out, paying, deleting an account ...): what matches is done."""


class Job(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One search of one application."""

    version: int = VERSION
    technique: str
    """As in findings: `races ajax`."""
    url: str
    seed: int = 0
    budget: float | None = None
    """Seconds; None for no bound."""
    options: msgspec.Raw = msgspec.Raw(b"{}")
    """Of the kind that the technique declares; see `options_as`."""
    recordings: tuple[str, ...] = ()
    """Names of recordings that the search begins with, instead of exploring."""
    storage_state: str = ""
    """Name of a storage state: who is logged in, instead of what the configuration says."""
    observations: str = ""
    """Name of what an exploration observed, so that the search need not explore."""

    @classmethod
    def of(cls, technique: str, url: str, options: SearchOptions, **more: object) -> Job:
        """A job with typed options. `more`: the other fields."""
        raw = msgspec.Raw(msgspec.json.encode(options))
        return cls(technique=technique, url=url, options=raw, **more)  # type: ignore[arg-type]

    def beginning_with(self, *recordings: str) -> Job:
        """The same with recordings to begin with."""
        return msgspec.structs.replace(self, recordings=recordings)

    def options_as(self, kind: type[OptionsT]) -> OptionsT:
        """The options, typed. Raises UsageProblem when they are not of that kind."""
        try:
            return msgspec.json.decode(self.options, type=kind)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise UsageProblem(f"The options of the job `{self.technique}` are wrong: {error}.") from None

    def to_json(self) -> bytes:
        return msgspec.json.format(msgspec.json.encode(self), indent=2) + b"\n"

    @classmethod
    def from_json(cls, text: bytes, where: str = "the job") -> Job:
        """Raises UsageProblem when it is no job of this version."""
        try:
            job = msgspec.json.decode(text, type=cls)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise UsageProblem(f"{where} cannot be read: {error}.") from None
        if job.version != VERSION:
            raise UsageProblem(f"{where} has version {job.version}; this jostle reads version {VERSION}.")
        return job


class References(Protocol):
    """Where the files are that jobs name."""

    def read(self, name: str) -> bytes:
        """Raises UsageProblem when there is no such file."""
        ...


class InMemory:
    """Files that were made in this process."""

    def __init__(self, files: Mapping[str, bytes] | None = None) -> None:
        self._files = dict(files or {})

    def add(self, name: str, data: bytes) -> None:
        self._files[name] = data

    def __contains__(self, name: object) -> bool:
        return name in self._files

    def read(self, name: str) -> bytes:
        if name not in self._files:
            raise UsageProblem(f"The job needs {name}, which is not there.")
        return self._files[name]


class InDirectory:
    """Files by their names below a directory, or by their absolute names."""

    def __init__(self, directory: Path | None = None) -> None:
        self._directory = directory or Path()

    def read(self, name: str) -> bytes:
        path = self._directory / name
        try:
            return read_named(path)
        except OSError as error:
            raise UsageProblem(f"The job needs {path}, which cannot be read: {error.strerror}.") from None
