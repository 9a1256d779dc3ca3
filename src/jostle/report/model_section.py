"""The part of a document that shows the model of the application: its diagram, and what is told of each state."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from jostle.events import State
from jostle.model.label import label_of_words
from jostle.model.machine import Machine
from jostle.report.document import in_script
from jostle.report.model_diagram import ModelDiagram, diagram


class StateMark(msgspec.Struct, frozen=True):
    """Something that is told of a state elsewhere in the document."""

    state: int | None
    title: str
    address: str
    """Of the element that tells it."""


def model_section(machine: Machine, thumbnails: Mapping[str, bytes], marks: Sequence[StateMark]) -> dict[str, Any]:
    """What the template `model.html` and the script `model.js` need. `thumbnails`: JPEG by the digest of the state."""
    drawn = diagram(machine)
    pictures = {
        n: base64.b64encode(thumbnails[state.digest]).decode()
        for n, state in enumerate(machine.states)
        if state.digest in thumbnails
    }
    return {
        "model": drawn,
        "pictures": pictures,
        "tried": _tried(drawn),
        "untried": sum(len(state.untried) for state in drawn.states),
        "transitions": sum(len(edge.events) for edge in drawn.edges),
        "data": in_script({"model": drawn, "pictures": pictures, "problems": marks}),
    }


def state_after(machine: Machine, done: Sequence[str]) -> int | None:
    """Where these events lead from the start, when the model knows only one place."""
    states: set[State] = {place.state for place in machine if place.starts}
    for what in done:
        event = label_of_words(what)
        states = {after for state in states for after in machine.successors(state, event)}
    return machine.states.index(states.pop()) if len(states) == 1 else None


def _tried(drawn: ModelDiagram) -> list[int]:
    """How many different events were done in each state."""
    tried: list[set[int]] = [set() for _ in drawn.states]
    for edge in drawn.edges:
        tried[edge.source].update(event for event, _ in edge.events)
    return [len(each) for each in tried]
