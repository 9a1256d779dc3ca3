"""A run as annotations of GitHub Actions."""

from __future__ import annotations

from jostle.consumers.annotations import Annotations
from jostle.consumers.gate import FailureGate
from tests.consumers.streams import STREAM, feed


def test_the_lines_are_there_when_the_run_has_ended() -> None:
    consumer = Annotations(FailureGate(["high"]), directory="runs/x")
    for event in STREAM:
        consumer(event)
    assert consumer.lines == []
    consumer = Annotations(FailureGate(["high"]), directory="runs/x")
    feed(consumer)
    first, second = consumer.lines
    assert first.startswith("::error ") and "The title of high" in first
    assert second.startswith("::warning ") and "The title of low" in second
