"""Exploring by macros: at random, but doing what people do in one go in one go ("Monkey See, Monkey Do", §3.3)."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TypeVar

import msgspec

from jostle.events import Event, State
from jostle.exploring.at_random import BACK, AtRandom
from jostle.exploring.family import family
from jostle.exploring.filling import with_value
from jostle.exploring.forms import accepts, field_of, filled
from jostle.exploring.gain import Gain
from jostle.exploring.situation import Situation
from jostle.model.label import label
from jostle.model.macro import Macro, Transition, continuations, place, starts
from jostle.model.relation import Relation, shared
from jostle.model.usage import field_name, micro_event, xpath_of
from jostle.model.visit import Visit

_Thing = TypeVar("_Thing")

MACRO = 0.5
AS_PEOPLE = 0.5
"""How likely a field gets a text that people typed into it, where they did; else one that fits."""
BELIEF = 0.5
"""What a macro is believed to bring before anything is known."""
STRANGE = 0.3
"""What a macro is believed to bring where people were never seen doing what it begins with, as a share of what it
brings elsewhere."""
ORDINARY = 0.25
"""What any event at all is believed to bring before anything is known."""
NARROW = 0.25
"""Where less than this share of the possibilities is left, the exploration got stuck rather than on."""
FEW = 4
"""On another page, however little can be done there, so much is enough not to be stuck."""
OUT = 0.5
"""How likely a page that was seen before is gone to where a macro got the exploration stuck."""

FADING, FADING_CHANCE = 0.7, 0.95
"""What an earlier try counts with each new one, of a macro and of any event at all: what a macro brings, it soon has
brought."""


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


_UNKNOWN = Gain()


class _Done(msgspec.Struct, frozen=True):
    """Events that were done in one go, whose gain is not known before it is seen what can be done after them."""

    keys: tuple[Hashable, ...]
    """What learns from them."""
    url: str
    """The page they began on."""
    offered: int
    """How much could be done before them."""
    events: int = 0
    news: int = 0


class _Active(msgspec.Struct, frozen=True):
    macro: Macro
    state: int
    xpath: str
    """Of the event before."""
    url: str
    """The page it is being used on."""
    labels: frozenset[str]
    """Of what it has done."""
    done: _Done


class ByMacros:
    """With probability `p_macro` begins a macro that can begin here, else does anything at all.

    A macro that was begun goes on event by event until it is completed, the page (its URL) changes, or no event matches
    any more; whether it can go on is only looked at when it is to go on. The probabilities follow the text of the
    paper, whose listing has the comparison the wrong way round. Targets below the fold count: they are scrolled to.

    Beyond the paper it learns which macros are worth their events, so that one that fits everywhere does no harm:

    - Of each macro, of what it began with (see `family`), and of that in each state, it learns how many of its events
      brought news: a state or an address not met before. What brought more is begun more often; what brings less
      than any event at all does, is begun less often than `p_macro` says.
    - A macro that leaves less to do on a page than there was before has gained that much less. From where it left next
      to nothing to do, another page is soon gone back to; an event that it ended with there, and that showed nothing
      new, is no longer done by macros.
    - Where people were seen doing what it begins with, a macro is at home; elsewhere it is tried with caution.
    - It goes on with what was done least often so far, and types what was typed least often.
    """

    reason = "there was nothing to do"

    def __init__(
        self, macros: Iterable[Macro], chance: random.Random, *, p_macro: float = MACRO, back: float = BACK
    ) -> None:
        self._macros = tuple(macros)
        self._homes = {macro.name: frozenset(macro.seen) for macro in self._macros}
        self._chance = chance
        self._p_macro = p_macro
        self._at_random = AtRandom(chance, back=back)
        self._active: _Active | None = None
        self._intended: tuple[Macro, Transition, Event] | None = None
        self._offered = 0
        self._enough = 0.0  # with less to do than that it is stuck
        self._over: _Done | None = None
        self._last = ("", True)  # the label of the last event, and whether it brought news
        # By macro, by (macro, family) and by (macro, family, state); by None for events outside of macros.
        self._gains: dict[Hashable, Gain] = {}
        self._times: Counter[Hashable] = Counter()  # by label, by (address, XPath), by (field, text)
        self._urls: Counter[str] = Counter()
        self._narrowing: set[str] = set()
        self.uses = {macro.name: Uses() for macro in self._macros}
        """How each macro fared, by its name."""

    def choose(self, situation: Situation) -> Event | None:
        stuck = self._look_back(situation)
        self._intended = self._going_on(situation)
        if self._intended is None and stuck and situation.pages and self._chance.random() < OUT:
            return self._chance.choice(situation.pages)
        self._intended = self._intended or self._beginning(situation)
        if self._intended is None:
            return self._at_random.choose(situation)
        macro, transition, event = self._intended
        chosen = self._filled(macro, event)
        self._intended = (macro, transition, chosen)
        return chosen

    # What came of it.

    def observe(self, visit: Visit) -> None:
        self._urls[visit.before.url] += 1
        news = visit.new_state or not self._urls[visit.after.url]
        name = label(visit.event)
        for key in _names(visit.event, visit.before.url):
            self._times[key] += 1
        self._last = (name, news)
        intended, self._intended = self._intended, None
        if intended is None or intended[2].what != visit.event.what:
            self._active = None
            self._over = _Done((None,), visit.before.url, self._offered, 1, news)
            return
        macro, transition, event = intended
        uses = self.uses[macro.name]
        if self._active is None:
            uses.started += 1
            labels: frozenset[str] = frozenset()
            kin = family(event)
            keys = (macro.name, (macro.name, kin), (macro.name, kin, visit.before))
            done = _Done(keys, visit.before.url, self._offered)
        else:
            labels, done = self._active.labels, self._active.done
        uses.events += 1
        done = _Done(done.keys, done.url, done.offered, done.events + 1, done.news + news)
        self._active = _Active(macro, transition.target, xpath_of(event), visit.before.url, labels | {name}, done)
        if macro.is_final(transition.target):
            uses.completed += 1
            self._active, self._over = None, done

    def _look_back(self, situation: Situation) -> bool:
        """What can be done after the last event. Whether a macro got the exploration stuck, and nothing is new."""
        self._offered = len(situation.events)
        if self._over is not None:
            self._learn(self._over, situation.state.url)
            self._over = None
        if self._offered >= self._enough:
            self._enough = 0.0
        return self._enough > 0 and not self._last[1]

    def _learn(self, done: _Done, url: str) -> None:
        # A form leads to a page on which there is less to do than in the form: that is no dead end.
        same = done.url.partition("#")[0] == url.partition("#")[0]
        before = done.offered if same else min(FEW, done.offered)
        left = min(1.0, self._offered / before) if before else 1.0
        by_macro = None not in done.keys
        if left < NARROW and by_macro:
            self._enough = max(self._enough, NARROW * before)
            name, news = self._last
            if not news:
                self._narrowing.add(name)
        for key in done.keys:
            gain = self._gains.setdefault(key, Gain())
            gain.learn(left * done.news / done.events, FADING if by_macro else FADING_CHANCE)

    def _gain(self, key: Hashable, belief: float) -> float:
        return self._gains.get(key, _UNKNOWN).mean(belief)

    # What to do.

    def _going_on(self, situation: Situation) -> tuple[Macro, Transition, Event] | None:
        if self._active is None:
            return None
        active = self._active
        if active.url == situation.state.url:
            found = continuations(active.macro, active.state, active.xpath, self._safe(situation.events))
            if found:
                return active.macro, *self._nearest(active, found)
        self._learn(active.done, situation.state.url)
        self._active = None
        return None

    def _safe(self, events: Sequence[Event]) -> Sequence[Event]:
        return [event for event in events if label(event) not in self._narrowing] if self._narrowing else events

    def _nearest(self, active: _Active, found: Sequence[tuple[Transition, Event]]) -> tuple[Transition, Event]:
        """One transition; of its events one that the macro has not done yet, as near to the one before as can be: the
        other fields of the same form, and then its own button. Of several, such as the items of a menu, one that was
        done least often."""
        transition = self._chance.choice(list(dict.fromkeys(transition for transition, _ in found)))
        events = [event for each, event in found if each == transition]
        if transition.relation is not Relation.SAME:
            events = [event for event in events if label(event) not in active.labels] or events
        depths = [shared(active.xpath, xpath_of(event)) for event in events]
        near = [event for event, depth in zip(events, depths, strict=True) if depth == max(depths)]
        return transition, self._chance.choice(_least(near, lambda event: self._done(event, active.url)))

    def _done(self, event: Event, url: str) -> int:
        """How often it was done, by its words, its place or where it leads: `Like 3` was when `Like 2` stood there."""
        href = event.action.href
        return max(self._urls[href] if href else 0, *(self._times[key] for key in _names(event, url)))

    def _filled(self, macro: Macro, event: Event) -> Event:
        field = field_of(event)
        known = [text for text in macro.typed.get(field_name(event), ()) if field and accepts(field, text)]
        if known and self._chance.random() < AS_PEOPLE:
            text = self._chance.choice(_least(known, lambda text: self._times[field_name(event), text]))
            self._times[field_name(event), text] += 1
            return filled(event, text)
        return with_value(event, self._chance, valid=True)

    def _beginning(self, situation: Situation) -> tuple[Macro, Transition, Event] | None:
        if self._chance.random() >= self._p_macro:
            return None
        found = starts(self._macros, self._safe(situation.events))
        if not found:
            return None
        # A macro is not begun more often for having more events it could begin with.
        hopes = [self._hope(macro, event, situation.state) for macro, _, event in found]
        best: dict[str, float] = {}
        for (macro, _, _), hope in zip(found, hopes, strict=True):
            best[macro.name] = max(hope, best.get(macro.name, 0.0))
        name = self._chance.choices(list(best), [hope**2 for hope in best.values()])[0]
        own = [n for n, (macro, _, _) in enumerate(found) if macro.name == name]
        chosen = self._chance.choices(own, [hopes[n] ** 2 for n in own])[0]
        worth = hopes[chosen] / self._gain(None, ORDINARY)
        return found[chosen] if self._chance.random() < worth**2 else None

    def _hope(self, macro: Macro, event: Event, state: State) -> float:
        """What beginning the macro with this event in that state may bring."""
        name, kin = macro.name, family(event)
        home = self._homes[name]
        micro = micro_event(event)
        belief = self._gain(name, BELIEF)
        if home and micro is not None and place(micro, xpath_of(event)) not in home:
            belief *= STRANGE
        return self._gain((name, kin, state), self._gain((name, kin), belief))


def _names(event: Event, url: str) -> tuple[Hashable, ...]:
    """What an event is known by: its words, and its place."""
    return (label(event), (url, event.action.type, xpath_of(event)))


def _least(things: Sequence[_Thing], count: Callable[[_Thing], int]) -> list[_Thing]:
    """Those that were counted least often."""
    counts = [count(thing) for thing in things]
    return [thing for thing, times in zip(things, counts, strict=True) if times == min(counts)]
