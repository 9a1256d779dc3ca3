"""Traffic for the commands of `jostle api`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from jostle.config.settings import Configuration
from jostle.recording.file import Recording
from jostle.serverapi.traffic import Traffic, read_traffic


def traffic_of(recording: Recording, configuration: Configuration, base: str) -> Traffic:
    return read_traffic(
        recording.exchanges,
        recording.body_of,
        base=base,
        page=recording.manifest.url,
        ignored=configuration.ignore.parameters,
    )


def left_out(traffic: Traffic) -> Iterator[str]:
    for reason, number in sorted(traffic.left_out.items(), key=lambda each: (-each[1], each[0])):
        yield f"Left out: {number} {reason}"
    yield from (f"Note: {note}" for note in traffic.notes)


def named(files: Sequence[Path | str]) -> str:
    return str(files[0]) if len(files) == 1 else f"these {len(files)} files"
