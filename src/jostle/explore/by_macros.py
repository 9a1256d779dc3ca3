"""Exploring by macros: at random, but doing what people do in one go in one go ("Monkey See, Monkey Do", §3.3)."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

import msgspec

from jostle.events import Event, State
from jostle.explore.at_random import BACK, AtRandom
from jostle.explore.filling import with_value
from jostle.explore.forms import accepts, field_of, filled
from jostle.explore.situation import Situation, Visit
from jostle.model.label import label
from jostle.model.macro import Macro, Transition, continuations, starts
from jostle.model.relation import Relation, shared
from jostle.model.usage import field_name, xpath_of

_Thing = TypeVar("_Thing")

MACRO = 0.5
AS_PEOPLE = 0.5
"""How likely a field gets a text that people typed into it, where they did; else one that fits."""


class Uses(msgspec.Struct):
    """How a macro fared in an exploration."""

    started: int = 0
    events: int = 0
    """Events that were done because of it."""
    completed: int = 0
    """How often a final state was reached."""

    @property
    def success(self) -> float:
        """Which share of the attempts reached a final state."""
        return self.completed / self.started if self.started else 0.0


class _Active(msgspec.Struct, frozen=True):
    macro: Macro
    state: int
    xpath: str
    """Of the event before."""
    url: str
    """The page it is being used on."""
    done: frozenset[str]
    """The labels of what it has done."""


class ByMacros:
    """With probability `p_macro` begins a macro that can begin here, else does anything at all.

    A macro that was begun goes on event by event until it is completed, the page (its URL) changes, or no event matches
    any more; whether it can go on is only looked at when it is to go on. The probabilities follow the text of the
    paper, whose listing has the comparison the wrong way round. Targets below the fold count: they are scrolled to.
    """

    reason = "there was nothing to do"

    def __init__(
        self, macros: Iterable[Macro], chance: random.Random, *, p_macro: float = MACRO, back: float = BACK
    ) -> None:
        self._macros = tuple(macros)
        self._chance = chance
        self._p_macro = p_macro
        self._at_random = AtRandom(chance, back=back)
        self._active: _Active | None = None
        self._intended: tuple[Macro, Transition, Event] | None = None
        self._begun: Counter[tuple[State, str] | tuple[State, str, str]] = Counter()
        self.uses = {macro.name: Uses() for macro in self._macros}
        """How each macro fared, by its name."""

    def choose(self, situation: Situation) -> Event | None:
        self._intended = self._going_on(situation) or self._beginning(situation)
        if self._intended is None:
            return self._at_random.choose(situation)
        macro, transition, event = self._intended
        chosen = self._filled(macro, event)
        self._intended = (macro, transition, chosen)
        return chosen

    def observe(self, visit: Visit) -> None:
        intended, self._intended = self._intended, None
        if intended is None or intended[2].what != visit.event.what:
            self._active = None
            return
        macro, transition, event = intended
        uses = self.uses[macro.name]
        if self._active is None:
            uses.started += 1
            self._begun[visit.before, macro.name] += 1
            self._begun[visit.before, macro.name, label(event)] += 1
        uses.events += 1
        done = (self._active.done if self._active else frozenset()) | {label(event)}
        self._active = _Active(macro, transition.target, xpath_of(event), visit.before.url, done)
        if macro.is_final(transition.target):
            uses.completed += 1
            self._active = None

    def _going_on(self, situation: Situation) -> tuple[Macro, Transition, Event] | None:
        if self._active is None:
            return None
        active = self._active
        if active.url == situation.state.url:
            found = continuations(active.macro, active.state, active.xpath, situation.events)
            if found:
                return active.macro, *self._nearest(active, found)
        self._active = None
        return None

    def _nearest(self, active: _Active, found: Sequence[tuple[Transition, Event]]) -> tuple[Transition, Event]:
        """One transition; of its events one that the macro has not done yet, as near to the one before as can be: the
        other fields of the same form, and then its own button."""
        transition = self._chance.choice(list(dict.fromkeys(transition for transition, _ in found)))
        events = [event for each, event in found if each == transition]
        if transition.relation is not Relation.SAME:
            events = [event for event in events if label(event) not in active.done] or events
        depths = [shared(active.xpath, xpath_of(event)) for event in events]
        near = [event for event, depth in zip(events, depths, strict=True) if depth == max(depths)]
        return transition, self._chance.choice(near)

    def _filled(self, macro: Macro, event: Event) -> Event:
        field = field_of(event)
        known = [text for text in macro.typed.get(field_name(event), ()) if field and accepts(field, text)]
        if known and self._chance.random() < AS_PEOPLE:
            return filled(event, self._chance.choice(known))
        return with_value(event, self._chance, valid=True)

    def _beginning(self, situation: Situation) -> tuple[Macro, Transition, Event] | None:
        if self._chance.random() >= self._p_macro:
            return None
        found = starts(self._macros, situation.events)
        if not found:
            return None
        # A macro has the same chance, however many events it could begin with here. What was begun here less often
        # comes first: without it, a page on which a macro leads nowhere is seldom left.
        state = situation.state
        names = self._least(dict.fromkeys(macro.name for macro, _, _ in found), lambda name: self._begun[state, name])
        name = self._chance.choice(names)
        events = [each for each in found if each[0].name == name]
        return self._chance.choice(self._least(events, lambda each: self._begun[state, name, label(each[2])]))

    @staticmethod
    def _least(things: Iterable[_Thing], count: Callable[[_Thing], int]) -> list[_Thing]:
        counted = [(count(thing), thing) for thing in things]
        least = min(number for number, _ in counted)
        return [thing for number, thing in counted if number == least]
