"""The recording: everything needed to repeat a run without its server, in one file.

A `.jostle` file is a zip archive:

| member                   | content                                                               |
|--------------------------|-----------------------------------------------------------------------|
| `manifest.json`          | format and version, where and how the recording was made              |
| `initial.jsonl`          | events possible before the first step, one a line                     |
| `trace.jsonl`            | the steps, one a line                                                 |
| `exchanges.jsonl`        | requests with their answers, one a line                               |
| `conversations.jsonl`    | WebSocket and EventSource conversations, one a line                   |
| `bodies/SHA256`          | bodies of answers, each content once                                  |
| `snapshots/DIGEST.txt`   | the canonical document in a state, by the digest of the state         |
| `screens/NAME.png`       | screenshots, where taken                                              |

Members of other names are ignored. Nothing is ever extracted to the disk. Events and steps are as `jostle.events.wire`
writes them.
"""

from __future__ import annotations

import io
import json
import os
import re
import secrets
import struct
import zipfile
import zlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO, TypeVar, cast

import msgspec

from jostle.errors import CouldNotRun, UsageProblem
from jostle.events import Event, Step, Trace
from jostle.events.wire import completed, completed_step, decode, encode, from_plain, to_plain
from jostle.reading import open_file
from jostle.recording.exchange import Conversation, Exchange, content_name
from jostle.version import __version__

FORMAT = "jostle recording"
FORMAT_VERSION = 1
"""Raised whenever an older jostle could not read the file rightly."""

MAX_MEMBER = 512 * 2**20
MAX_TOTAL = 2 * 2**30
MIN_TOTAL = 64 * 2**20
MAX_RATIO = 60
"""Of the size unpacked to that packed, beyond `MIN_TOTAL`: pages and their snapshots pack ten times."""
MAX_LINES = 1_000_000
MAX_MEMBERS = 500_000

_LINES = ("initial.jsonl", "trace.jsonl", "exchanges.jsonl", "conversations.jsonl")
_BODY = re.compile(r"bodies/([0-9a-f]{64})")
_SNAPSHOT = re.compile(r"snapshots/([\w.:+=-]{1,200})\.txt", re.ASCII)
_SCREEN = re.compile(r"screens/([\w.:+=-]{1,200})\.png", re.ASCII)
_EPOCH = (1980, 1, 1, 0, 0, 0)  # the oldest date a zip can hold: equal recordings make equal files

T = TypeVar("T")


class UnreadableRecording(UsageProblem):
    """The file is no recording, is damaged, or was made by a newer jostle."""


class UnwritableRecording(CouldNotRun):
    """The recording could not be saved."""


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """Where and how a recording was made."""

    format: str = FORMAT
    version: int = FORMAT_VERSION
    jostle: str = __version__
    created: str = msgspec.field(default_factory=lambda: datetime.now(UTC).isoformat(timespec="seconds"))
    url: str
    seed: int = 0
    viewport: tuple[int, int] = (1280, 720)
    user_agent: str = ""
    browser: str = ""
    """Name and version of the browser."""
    start_time: float = 0.0
    """Where the virtual clock started, in milliseconds since 1970."""
    redacted: bool = False
    origins: tuple[str, ...] = ()
    """Origins the run was allowed to act on."""
    limits: tuple[str, ...] = ()
    """What could not be controlled or kept, in words."""
    options: dict[str, Any] = {}
    """Further options of the command that made it, by name."""


@dataclass
class Recording:
    """A recorded run in memory."""

    manifest: Manifest
    trace: Trace = field(default_factory=Trace)
    exchanges: list[Exchange] = field(default_factory=list)
    conversations: list[Conversation] = field(default_factory=list)
    bodies: dict[str, bytes] = field(default_factory=dict)
    """Bodies of answers by their SHA-256; fill with `add_body`."""
    snapshots: dict[str, str] = field(default_factory=dict)
    """Canonical documents by the digest of the state (`Step.state.digest`)."""
    screens: dict[str, bytes] = field(default_factory=dict)
    """Screenshots (PNG) by name, without ending."""

    @property
    def user_events(self) -> list[Event]:
        """What the user did."""
        return [step.event for step in self.trace.steps if step.event.by_user]

    def add_body(self, data: bytes) -> str:
        """Keep a body and give the name for `Exchange.body`; an empty body has the empty name."""
        if not data:
            return ""
        name = content_name(data)
        self.bodies.setdefault(name, data)
        return name

    def body_of(self, exchange: Exchange) -> bytes:
        """The body with which the exchange was answered."""
        return self.bodies[exchange.body] if exchange.body else b""

    def snapshot_after(self, step: Step) -> str:
        """The canonical document after the step, or an empty string where none was taken."""
        return self.snapshots.get(step.state.digest, "") if step.state else ""

    def write(self, path: str | os.PathLike[str]) -> None:
        """Save to a file, wholly or not at all. Raises UnwritableRecording."""
        target = Path(path)
        part = target.with_name(f".{target.name}.{secrets.token_hex(6)}.part")
        content = self.to_bytes()
        try:
            if target.is_dir():
                raise UnwritableRecording(f"Cannot write the recording {target}: that is a directory.")
            try:
                with part.open("xb") as stream:
                    stream.write(content)
                    stream.flush()
                    os.fsync(stream.fileno())
                part.replace(target)
            finally:
                part.unlink(missing_ok=True)
        except OSError as error:
            raise UnwritableRecording(
                f"Cannot write the recording {target}: {_lower(error.strerror or str(error))}.",
                advice="Give the name of a file in a directory that exists and can be written.",
            ) from error

    def to_bytes(self) -> bytes:
        """What `write` writes. Raises UnwritableRecording."""
        stream = io.BytesIO()
        with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, data in self._members():
                archive.writestr(zipfile.ZipInfo(name, _EPOCH), data, zipfile.ZIP_DEFLATED)
        return stream.getvalue()

    def _members(self) -> Iterable[tuple[str, bytes]]:
        """All members, named and encoded; raises ValueError for what the format cannot hold."""
        members = [
            ("manifest.json", _encode(self.manifest)),
            ("initial.jsonl", _encode_lines(self.trace.initial)),
            ("trace.jsonl", _encode_lines(self.trace.steps)),
            ("exchanges.jsonl", _encode_lines(self.exchanges)),
            ("conversations.jsonl", _encode_lines(self.conversations)),
            *((f"bodies/{name}", data) for name, data in self.bodies.items()),
            *((f"snapshots/{name}.txt", _utf8(text)) for name, text in self.snapshots.items()),
            *((f"screens/{name}.png", data) for name, data in self.screens.items()),
        ]
        for name, data in members[1 + len(_LINES) :]:
            pattern = {"b": _BODY, "s": _SNAPSHOT if name.startswith("snapshots/") else _SCREEN}[name[0]]
            if not pattern.fullmatch(name):
                raise ValueError(f"not a name a recording can hold: {name!r}")
            if len(data) > MAX_MEMBER:
                raise UnwritableRecording(f"Cannot write the recording: {name} has more than {_mb(MAX_MEMBER)}.")
        for exchange in self.exchanges:
            if exchange.body and exchange.body not in self.bodies:
                raise ValueError(f"the body of {exchange.method} {exchange.url} was not added to the recording")
        return members

    @staticmethod
    def read(path: str | os.PathLike[str]) -> Recording:
        """Read a file back. Raises UnreadableRecording with one sentence saying what is wrong with it."""
        target = Path(path)
        try:
            if target.is_dir():
                raise _Bad("is a directory, not a recording")
            with open_file(target, follow=True) as stream:
                return _read(stream)
        except FileNotFoundError:
            raise UnreadableRecording(f"There is no recording {target}: no such file.") from None
        except OSError as error:
            reason = _lower(error.strerror or str(error))
            raise UnreadableRecording(f"Cannot read the recording {target}: {reason}.") from error
        except _Bad as bad:
            raise UnreadableRecording(f"{target} {bad}.") from bad

    @staticmethod
    def from_bytes(data: bytes, name: str) -> Recording:
        """What `to_bytes` gave; `name` is what messages call it. Raises UnreadableRecording."""
        try:
            return _read(io.BytesIO(data))
        except _Bad as bad:
            raise UnreadableRecording(f"{name} {bad}.") from bad


def _read(stream: BinaryIO) -> Recording:
    start = stream.read(4)
    if not start:
        raise _Bad("is empty")
    try:
        archive = zipfile.ZipFile(stream)
    except (zipfile.BadZipFile, OSError, ValueError, struct.error, NotImplementedError, OverflowError):
        raise _Bad(
            "is damaged: its end is missing or unreadable (an interrupted copy?)"
            if start == b"PK\3\4"
            else "is not a jostle recording"
        ) from None
    with archive:
        return _Reader(archive).recording()


class _Bad(Exception):
    """What is wrong with the file, as the rest of a sentence that begins with its name."""


class _Reader:
    """Reads one open archive; whatever is wrong with it is raised as `_Bad`."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        self._infos: dict[str, zipfile.ZipInfo] = {}
        infos = archive.infolist()
        packed = sum(info.compress_size for info in infos)
        most = min(MAX_TOTAL, MIN_TOTAL + MAX_RATIO * packed)
        if len(infos) > MAX_MEMBERS or sum(info.file_size for info in infos) > most:
            raise _Bad(f"is refused: unpacked it would be larger than a recording may be ({_mb(most)})")
        for info in infos:
            if info.file_size > MAX_MEMBER:
                raise _Bad(f"is refused: {info.filename!r} in it has more than {_mb(MAX_MEMBER)}")
            if info.filename in self._infos:
                raise _Bad(f"is damaged: it holds {info.filename!r} twice")
            self._infos[info.filename] = info

    def recording(self) -> Recording:
        manifest = self._manifest()
        steps = map(completed_step, self._lines("trace.jsonl", Step))
        initial = map(completed, self._lines("initial.jsonl", cast("type[Event]", Event)))
        recording = Recording(
            manifest=manifest,
            trace=Trace(steps=tuple(steps), initial=tuple(initial)),
            exchanges=self._lines("exchanges.jsonl", Exchange),
            conversations=self._lines("conversations.jsonl", Conversation),
        )
        for name in self._infos:
            if match := _BODY.fullmatch(name):
                data = self._bytes(name)
                if content_name(data) != match[1]:
                    raise _Bad(f"is damaged: the content of {name} is not what its name says")
                recording.bodies[match[1]] = data
            elif match := _SNAPSHOT.fullmatch(name):
                recording.snapshots[match[1]] = self._text(name)
            elif match := _SCREEN.fullmatch(name):
                recording.screens[match[1]] = self._bytes(name)
        for exchange in recording.exchanges:
            if exchange.body and exchange.body not in recording.bodies:
                raise _Bad(f"is damaged: the body of answer {exchange.order} is missing")
        return recording

    def _manifest(self) -> Manifest:
        if "manifest.json" not in self._infos:
            raise _Bad("is not a jostle recording: it holds no manifest.json")
        text = self._bytes("manifest.json")
        try:
            plain = json.loads(text)
        except (ValueError, RecursionError):
            raise _Bad("is damaged: manifest.json is not valid JSON") from None
        if not isinstance(plain, dict) or plain.get("format") != FORMAT:
            raise _Bad("is not a jostle recording")
        version = plain.get("version")
        if type(version) is not int or version < 1:
            raise _Bad(f"is damaged: {version!r} is no version of the format")
        if version > FORMAT_VERSION:
            raise _Bad(
                f"was made by a newer jostle (format {version}, this one reads up to {FORMAT_VERSION}): upgrade jostle"
            )
        return _decode(text, Manifest, "manifest.json")

    def _lines(self, name: str, kind: type[T]) -> list[T]:
        decoded = []
        for number, line in enumerate(io.BytesIO(self._bytes(name)), 1):
            if number > MAX_LINES:
                raise _Bad(f"is refused: {name} in it has more than {MAX_LINES:,} lines")
            if line.strip():
                decoded.append(_decode(line, kind, f"{name}, line {number}"))
        return decoded

    def _text(self, name: str) -> str:
        try:
            return self._bytes(name).decode("utf-8", "surrogatepass")
        except UnicodeDecodeError:
            raise _Bad(f"is damaged: {name} is not UTF-8 text") from None

    def _bytes(self, name: str) -> bytes:
        info = self._infos.get(name)
        if info is None:
            raise _Bad(f"is damaged: {name} is missing in it")
        if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise _Bad(f"is damaged: {name} is packed in an unknown way")
        try:
            data = self._archive.read(info)
        except (
            zipfile.BadZipFile,
            zlib.error,
            struct.error,
            EOFError,
            OSError,
            RuntimeError,  # NotImplementedError too: encrypted, or an unknown kind of zip
            ValueError,
            OverflowError,
        ):
            raise _Bad(f"is damaged: {name} in it cannot be unpacked") from None
        if len(data) != info.file_size:
            raise _Bad(f"is damaged: {name} in it is cut short")
        return data


def _encode(value: Any) -> bytes:
    try:
        return encode(value)
    except UnicodeEncodeError:  # half a surrogate pair, which JavaScript strings may hold
        return json.dumps(to_plain(value), separators=(",", ":")).encode("ascii")


def _encode_lines(values: Iterable[Any]) -> bytes:
    return b"".join(_encode(value) + b"\n" for value in values)


def _decode(text: bytes, kind: type[T], where: str) -> T:
    try:
        return decode(text, kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        pass  # the standard parser takes half a surrogate pair, and words its errors better
    try:
        return from_plain(json.loads(text), kind)
    except msgspec.ValidationError as error:
        raise _Bad(f"is damaged: {where}: {_lower(str(error))}") from None
    except (ValueError, RecursionError):
        raise _Bad(f"is damaged: {where} is not valid JSON") from None


def _utf8(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _mb(size: int) -> str:
    return f"{size // 2**20} MB"


def _lower(message: str) -> str:
    return message[:1].lower() + message[1:]
