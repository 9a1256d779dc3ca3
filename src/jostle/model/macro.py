"""Macro events: small state machines of what people do in one go, and where they can be applied."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence

import msgspec

from jostle.events import Event
from jostle.model.ktails import FINAL, INITIAL, Edges
from jostle.model.relation import FAMILY_DISTANCE, Relation, relation, satisfies
from jostle.model.usage import MicroEvent, micro_event, xpath_of

Typed = Mapping[tuple[MicroEvent, str], tuple[str, ...]]
"""What people typed, by micro event and `field_name`."""
Seen = Mapping[MicroEvent, Collection[str]]
"""Where people did a micro event, see `place`."""

_INDEX = re.compile(r"\[\d+\]")


class Transition(msgspec.Struct, frozen=True):
    source: int
    event: MicroEvent
    relation: Relation
    """What the element must at least be to the element of the event before."""
    target: int


class Macro(msgspec.Struct, frozen=True, kw_only=True):
    """A nondeterministic state machine over micro events. Its final states have no outgoing transitions."""

    name: str
    states: int
    """Their number; states are numbered from 0."""
    initial: int = 0
    final: tuple[int, ...]
    transitions: tuple[Transition, ...]
    support: int = 0
    """How often the most frequent of its sequences was seen."""
    sequences: int = 0
    """From how many closed frequent sequences it was made."""
    typed: dict[str, tuple[str, ...]] = {}
    """What people typed into the kinds of fields it types into, by `field_name`, the most frequent first."""
    seen: tuple[str, ...] = ()
    """Where people did its events, see `place`: there it is at home, elsewhere it is tried."""

    def leaving(self, state: int) -> tuple[Transition, ...]:
        return tuple(each for each in self.transitions if each.source == state)

    def is_final(self, state: int) -> bool:
        return state in self.final


def place(event: MicroEvent, xpath: str) -> str:
    """What a micro event is done to, the same for all items of a list: `click /html/body/ul/li/a`."""
    return f"{event.type} {_INDEX.sub('', xpath)}"


def macro_of(
    name: str,
    edges: dict[int, Edges],
    *,
    support: int = 0,
    sequences: int = 0,
    typed: Typed | None = None,
    seen: Seen | None = None,
) -> Macro:
    """The macro of a machine made by k-tails; its states are numbered as they are met, the final one last."""
    order = [INITIAL]
    for state in order:
        order += dict.fromkeys(each for _, each in edges[state] if each not in order and each != FINAL)
    numbers = {state: number for number, state in enumerate([*order, FINAL])}
    transitions = [
        Transition(numbers[source], event, relation, numbers[target])
        for source in order
        for (event, target), relation in edges[source].items()
    ]
    events = {each.event for each in transitions}
    return Macro(
        name=name,
        states=len(numbers),
        final=(numbers[FINAL],),
        transitions=tuple(sorted(transitions, key=lambda each: (each.source, each.target, each.event))),
        support=support,
        sequences=sequences,
        typed={name: texts for (event, name), texts in (typed or {}).items() if event in events},
        seen=tuple(sorted({each for event, places in (seen or {}).items() if event in events for each in places})),
    )


def starts(macros: Iterable[Macro], events: Sequence[Event]) -> list[tuple[Macro, Transition, Event]]:
    """Where a macro can begin: the events that match an initial transition of one."""
    known = [(event, micro_event(event)) for event in events]
    return [
        (macro, transition, event)
        for macro in macros
        for transition in macro.leaving(macro.initial)
        for event, micro in known
        if micro == transition.event
    ]


def continuations(
    macro: Macro, state: int, last_xpath: str, events: Iterable[Event], distance: int = FAMILY_DISTANCE
) -> list[tuple[Transition, Event]]:
    """How a macro can go on: the events that match a transition from its `state`, with a relation to the element of
    the event before, at `last_xpath`, that is at least as strict as required."""
    leaving = macro.leaving(state)
    wanted = {transition.event for transition in leaving}
    found = []
    for event in events:
        micro = micro_event(event)
        if micro in wanted:
            related = relation(last_xpath, xpath_of(event), distance)
            found += [(each, event) for each in leaving if each.event == micro and satisfies(related, each.relation)]
    return found
