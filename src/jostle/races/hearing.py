"""What passes between an application and its servers, handed to the recorder of the present run."""

from __future__ import annotations

from typing import Any

from jostle.browser.pending import PendingResponse
from jostle.browser.sockets import Socket
from jostle.recording.file import Manifest
from jostle.recording.recorder import Recorder


class Hearing:
    """One for all runs of an application that is opened once."""

    def __init__(self, manifest: Manifest) -> None:
        self._manifest = manifest
        self.recorder = Recorder(manifest)

    def anew(self) -> Recorder:
        """The recorder of the next run."""
        self.recorder = Recorder(self._manifest)
        return self.recorder

    def exchanged(self, pending: PendingResponse) -> None:
        self.recorder.exchanged(pending)

    def traffic(self, socket: Socket, item: dict[str, Any]) -> None:
        self.recorder.traffic(socket, item)

    def limit(self, words: str) -> None:
        self.recorder.limit(words)
