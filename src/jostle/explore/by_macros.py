"""Exploring by macros: at random, but doing what people do in one go in one go ("Monkey See, Monkey Do", §3.3)."""

from __future__ import annotations

import random
from collections.abc import Iterable

import msgspec

from jostle.events import Event
from jostle.explore.at_random import BACK, AtRandom
from jostle.explore.filling import with_value
from jostle.explore.situation import Situation, Visit
from jostle.model.macro import Macro, Transition, continuations, starts
from jostle.model.usage import xpath_of

MACRO = 0.5


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
        self.uses = {macro.name: Uses() for macro in self._macros}
        """How each macro fared, by its name."""

    def choose(self, situation: Situation) -> Event | None:
        self._intended = self._going_on(situation) or self._beginning(situation)
        if self._intended is None:
            return self._at_random.choose(situation)
        macro, transition, event = self._intended
        chosen = with_value(event, self._chance, valid=True)
        self._intended = (macro, transition, chosen)
        return chosen

    def observe(self, visit: Visit) -> None:
        intended, self._intended = self._intended, None
        if intended is None or intended[2].what != visit.event.what:
            self._active = None
            return
        macro, transition, event = intended
        uses = self.uses[macro.name]
        uses.started += self._active is None
        uses.events += 1
        self._active = _Active(macro, transition.target, xpath_of(event), visit.before.url)
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
                return active.macro, *self._chance.choice(found)
        self._active = None
        return None

    def _beginning(self, situation: Situation) -> tuple[Macro, Transition, Event] | None:
        if self._chance.random() >= self._p_macro:
            return None
        found = starts(self._macros, situation.events)
        if not found:
            return None
        # A macro has the same chance, however many events it could begin with here.
        name = self._chance.choice(list(dict.fromkeys(macro.name for macro, _, _ in found)))
        return self._chance.choice([each for each in found if each[0].name == name])
