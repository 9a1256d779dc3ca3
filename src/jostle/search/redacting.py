"""Secrets are taken out of everything that a run tells, before anybody writes it down or shows it."""

from __future__ import annotations

from typing import Protocol, TypeVar

import msgspec

from jostle.config.settings import Configuration
from jostle.events import Step
from jostle.recording.exchange import Exchange
from jostle.recording.redaction import Secrets
from jostle.recording.snapshot import digest_of
from jostle.search.stream import ArtefactMade, FileMade, RunEvent

T = TypeVar("T")

UNREDACTED = "WARNING: --no-redact: passwords, cookies and tokens are written to disk and shown as they are."


class Redaction:
    """What is left of a stream. Without `secrets`, all of it."""

    def __init__(self, secrets: Secrets | None) -> None:
        self.secrets = secrets

    @classmethod
    def configured(cls, configuration: Configuration, *, on: bool = True) -> Redaction:
        named = configuration.redact
        return cls(Secrets(names=named.names, patterns=named.patterns, digest=digest_of) if on else None)

    def event(self, event: RunEvent) -> RunEvent:
        secrets = self.secrets
        if secrets is None:
            return event
        match event:
            case FileMade(name, data):
                return FileMade(name, secrets.file(name, data))
            case ArtefactMade(name, data, media_type):
                return ArtefactMade(name, secrets.file(name, data), media_type)
            case _:
                return secrets.told(event)

    def told(self, value: T) -> T:
        """Plain data, or a struct."""
        return self.secrets.told(value) if self.secrets is not None else value

    def text(self, text: str) -> str:
        return self.secrets.text(text) if self.secrets is not None else text


class Keeper(Protocol):
    """A run directory."""

    def add_step(self, step: Step) -> int: ...

    def add_artefact(self, name: str, data: bytes, media_type: str = ...) -> object: ...


class KeptRecording:
    """A recording that is being made, in a run directory, so that a kill loses nothing but the step in progress."""

    def __init__(self, run: Keeper, redaction: Redaction) -> None:
        self._run = run
        self._secrets = redaction.secrets

    def add_step(self, step: Step) -> int:
        return self._run.add_step(self._secrets.step(step) if self._secrets is not None else step)

    def add_exchange(self, exchange: Exchange, body: bytes) -> None:
        if self._secrets is not None:
            exchange, body = self._secrets.exchange(exchange, body)
        content = msgspec.json.encode(exchange)
        self._run.add_artefact(f"exchange-{exchange.order:05}.json", content, "application/json")
        if exchange.body:
            self._run.add_artefact(f"body-{exchange.body}", body)
