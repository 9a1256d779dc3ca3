"""The files of a description.

| file             | content                                                                                          |
|------------------|--------------------------------------------------------------------------------------------------|
| `api.ail`        | the description; may be edited                                                                   |
| `api.schemas/`   | the JSON Schemas that it names; may be edited                                                    |
| `api.jostle`     | the traffic it was learned from, without secrets, as a recording; and what was learned, so that  |
|                  | a later update can tell what was edited by hand                                                  |
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec

from jostle.addresses import split_url
from jostle.config.settings import Configuration
from jostle.errors import CouldNotRun, UsageProblem
from jostle.reading import MOST_NAMED, read_within
from jostle.recording.exchange import Exchange
from jostle.recording.file import Manifest, Recording
from jostle.recording.redaction import Secrets
from jostle.serverapi.ail_format import format_description, format_operation
from jostle.serverapi.ail_parser import parse_description, read_ail
from jostle.serverapi.asking import with_words
from jostle.serverapi.description import Description, Operation
from jostle.serverapi.har import read_har
from jostle.serverapi.schemas import Schemas
from jostle.serverapi.traffic import origin_of
from jostle.writing import write_whole

_OPTION = "api"
"""Where the manifest of the recording keeps what was learned."""


class Marks(msgspec.Struct, frozen=True, kw_only=True):
    """What the learner wrote, to be compared with what is there later."""

    operations: tuple[str, ...] = ()
    """Each operation as it was written."""
    schemas: dict[str, str] = {}
    """The SHA-256 of each schema file."""


class ApiFiles(msgspec.Struct, frozen=True, kw_only=True):
    """A description as it lies on the disk."""

    file: Path
    description: Description
    schemas: Schemas
    recording: Recording | None = None
    """The traffic it was learned from, if it is still there."""
    marks: Marks = Marks()

    def edited(self, operation: Operation) -> bool:
        """Whether somebody wrote or changed this operation by hand."""
        return format_operation(_bare(operation)) not in self.marks.operations


def schema_folder(file: Path) -> str:
    """The folder for the schemas of a description, beside it."""
    return f"{file.stem or 'api'}.schemas"


def recording_file(file: Path) -> Path:
    return file.with_name(f"{file.stem or 'api'}.jostle")


def read_source(file: Path) -> Recording:
    """The traffic in a recording or a HAR file. Raises UsageProblem."""
    if file.suffix.lower() == ".har":
        return read_har(file)
    try:
        with file.open("rb") as stream:
            start = stream.read(64).lstrip(b"\xef\xbb\xbf \t\r\n")
    except OSError as error:
        raise UsageProblem(f"{file} cannot be read: {error.strerror}.") from None
    return read_har(file) if start.startswith(b"{") else Recording.read(file)


def combined(recordings: Iterable[Recording], configuration: Configuration | None = None) -> Recording:
    """The traffic of several recordings as one, without its secrets.

    What only repeats is left out: the same response to the same request as the last time, and a recording that is there
    already. An application that was recorded at several ports of one machine is one server: that of the first."""
    configured = (configuration or Configuration()).redact
    every = [with_words(each) for each in recordings]
    plain = Recording(manifest=Manifest(url=next((each.manifest.url for each in every if each.manifest.url), "")))
    home = origin_of(plain.manifest.url)
    seen: set[tuple[object, ...]] = set()
    for recording in every:
        last: dict[tuple[object, ...], tuple[object, ...]] = {}
        whole = {_asked(each) + _answered(each) for each in recording.exchanges}
        if whole <= seen:
            continue
        seen |= whole
        own = origin_of(recording.manifest.url)
        own = own if own != home and _machine(own) == _machine(home) else ""
        for exchange in recording.exchanges:
            if last.get(_asked(exchange)) == _answered(exchange):
                continue
            last[_asked(exchange)] = _answered(exchange)
            url = exchange.url
            if own and origin_of(url) == own:
                url = home + url[len(own) :]
            plain.exchanges.append(msgspec.structs.replace(exchange, order=len(plain.exchanges) + 1, url=url))
            if exchange.body:
                plain.bodies[exchange.body] = recording.bodies[exchange.body]
    if all(each.manifest.redacted for each in every) and not (configured.names or configured.patterns):
        plain.manifest = msgspec.structs.replace(plain.manifest, redacted=True)
        return plain
    return Secrets(names=configured.names, patterns=configured.patterns).recording(plain)


def _machine(origin: str) -> str:
    host = split_url(origin).hostname or ""
    return "localhost" if host.startswith("127.") or host == "::1" or host.endswith(".localhost") else host


def _asked(exchange: Exchange) -> tuple[object, ...]:
    return exchange.method, exchange.url, exchange.request_body


def _answered(exchange: Exchange) -> tuple[object, ...]:
    return exchange.status, exchange.body


def read_api(file: Path) -> ApiFiles:
    """A description with its schemas, and its traffic where it is there. Raises UsageProblem."""
    description = read_ail(file)
    schemas = Schemas.read(description.schema_files(), file.parent)
    recording, marks = None, Marks()
    if recording_file(file).exists():
        recording = Recording.read(recording_file(file))
        try:
            marks = msgspec.convert(recording.manifest.options.get(_OPTION, {}), Marks)
        except msgspec.ValidationError:
            marks = Marks()
    return ApiFiles(file=file, description=description, schemas=schemas, recording=recording, marks=marks)


def write_api(
    file: Path,
    description: Description,
    schemas: dict[str, Any],
    recording: Recording,
    *,
    before: ApiFiles | None = None,
    by_hand: Collection[Operation] = (),
) -> list[str]:
    """Write a description with its schemas and traffic.

    `before` is what was there: of that, schemas that were edited by hand stay, and their names are returned; those that
    nobody needs any more go. `by_hand`: operations that somebody wrote. Raises CouldNotRun.
    """
    folder = file.parent
    text = _readable(description, file)
    kept = []
    marks: dict[str, str] = {}
    for name, schema in schemas.items():
        target = folder / name
        content = schema_text(schema)
        marks[name] = sha256(content).hexdigest()
        if before is not None and _edited(folder, name, mark := before.marks.schemas.get(name)):
            del marks[name]
            if mark is not None:
                kept.append(name)
                marks[name] = mark
            continue
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise CouldNotRun(f"{target.parent} cannot be made: {error.strerror}.") from None
        write_whole(target, content)
    learned = Marks(
        operations=tuple(format_operation(_bare(each)) for each in description.operations if each not in by_hand),
        schemas=marks,
    )
    options = {**recording.manifest.options, _OPTION: msgspec.to_builtins(learned)}
    recording.manifest = msgspec.structs.replace(recording.manifest, options=options)
    recording.write(recording_file(file))
    write_whole(file, text)
    if before is not None:
        named = set(description.schema_files())
        for name, mark in before.marks.schemas.items():
            own = name.startswith(f"{schema_folder(file)}/") and _within(folder, name)
            if own and name not in named and not _edited(folder, name, mark):
                (folder / name).unlink(missing_ok=True)
    return kept


def schema_text(schema: Any) -> bytes:
    """A schema as it is written."""
    return msgspec.json.format(msgspec.json.encode(schema), indent=2) + b"\n"


def _readable(description: Description, file: Path) -> bytes:
    """The text of a description that is read back as it is. Raises CouldNotRun."""
    text = format_description(description)
    try:
        again = parse_description(text, str(file))
    except UsageProblem as problem:
        raise CouldNotRun(f"What was learned cannot be written as a description: {problem.message}") from None
    before, after = ([format_operation(_bare(each)) for each in api.operations] for api in (description, again))
    if before != after or again.base != description.base:
        raise CouldNotRun("What was learned cannot be written as a description: it would be read as another one.")
    return text.encode()


def _edited(folder: Path, name: str, mark: str | None) -> bool:
    """Whether a file is there that is not as the learner wrote it."""
    try:
        data = read_within(folder, name, MOST_NAMED)
    except FileNotFoundError:
        return False
    except OSError:  # a link, a device, another folder: none of the learner's
        return True
    return sha256(data).hexdigest() != mark


def _within(folder: Path, name: str) -> bool:
    return name.endswith(".json") and (folder / name).resolve().is_relative_to(folder.resolve())


def _bare(operation: Operation) -> Operation:
    return msgspec.structs.replace(operation, comments=())
