"""The files of a race: a recording and a picture of either order."""

from __future__ import annotations

import msgspec

from jostle.recording.file import Recording
from jostle.search.stream import Emit, FileMade


class OrderFiles(msgspec.Struct, frozen=True):
    """Names of the files of one order; empty: there is none."""

    replay: str = ""
    screen: str = ""


def emit_order(emit: Emit, name: str, recording: Recording, picture: bytes) -> OrderFiles:
    """Hand over the files of one order under names that begin with `name`."""
    emit(FileMade(f"{name}.jostle", recording.to_bytes()))
    if picture:
        emit(FileMade(f"{name}.png", picture))
    return OrderFiles(f"{name}.jostle", f"{name}.png" if picture else "")


def why(verdict: str, reason: str) -> str:
    """Why something that was tried is no finding."""
    return f"{verdict}: {reason}" if reason else verdict
