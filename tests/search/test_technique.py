"""What a search begins with."""

from __future__ import annotations

from typing import cast

import pytest

from jostle.events import Kind, Step, Trace, event_of
from jostle.recording.file import Manifest, Recording
from jostle.recording.redaction import redact
from jostle.search.job import InMemory, Job
from jostle.search.subject import Subject
from jostle.search.technique import SearchContext

URL = "http://shop.test/"


def typed(value: str) -> Step:
    detail = {"action": "fill", "value": value, "element": "input:password", "field": {"type": "password"}}
    return Step(event=event_of(kind=Kind.USER, what='fill textbox "Password"', detail=detail))


def context_with(files: dict[str, bytes]) -> SearchContext:
    return SearchContext(subject=cast("Subject", None), emit=lambda event: None, references=InMemory(files))


def test_a_password_that_is_not_written_down_is_the_one_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    open_one = Recording(Manifest(url=URL), trace=Trace(steps=(typed("hunter2"),)))
    redacted = redact(open_one)
    assert redacted.user_events[0].action.value not in (None, "hunter2")
    context = context_with({"open": open_one.to_bytes(), "redacted": redacted.to_bytes()})
    job = Job(technique="slowdown", url=URL, recordings=("open", "redacted"))

    def values() -> list[str | None]:
        return [recording.user_events[0].action.value for recording in context.recordings(job)]

    monkeypatch.delenv("JOSTLE_PASSWORD", raising=False)
    assert values() == ["hunter2", redacted.user_events[0].action.value]
    monkeypatch.setenv("JOSTLE_PASSWORD", "swordfish")
    assert values() == ["hunter2", "swordfish"]
