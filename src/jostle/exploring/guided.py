"""Exploring by what is known: what was never done first, the way back there by the model, more of what brings news."""

from __future__ import annotations

import heapq
import math
import random
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence

import msgspec

from jostle.events import Event, State
from jostle.exploring.family import family, shape
from jostle.exploring.filling import before_sending, sends, sends_form, with_value, with_word
from jostle.exploring.gain import Gain
from jostle.exploring.situation import Situation
from jostle.model.label import label
from jostle.model.machine import Machine
from jostle.model.visit import Visit

PATIENCE = 200
"""Events without anything new after which nothing new is expected."""
SAME_AGAIN = 25
"""After so many events of one family that brought nothing but one more state, one more is nothing new."""
FILLS = 0.85
"""How likely a form is filled before it is sent."""
WRONG = 0.1
"""How likely a field by itself, or one field of a form, gets a value that breaks its constraints."""
SENT = 3
"""How often a form is sent from one state before that counts as doing the same again."""
STRAYS = 0.05
"""How likely anything is done, whatever it promises: the model knows less than it believes."""
PAGE_COST = 1.5
"""Going to a page by its address, in events: it takes longer, and what was entered is lost."""
SEARCHED = 300
"""How many states are looked at for a way to something new."""
FIRST, ELSEWHERE, REPEATED, AGAIN = 0.7, 0.3, 0.15, 0.05
"""How likely news is believed to be before anything is known: of an event never done; of one never done in this state;
of the one that led to this state; and of one done before in it, as a share of what it brings in other states."""
STALE = 25
"""Events after which what a distant state promises is looked at anew."""

NEW_STATE = 0.75
"""What one more state is worth; events of a new kind and code that had not run before are worth 1."""
NEW_PAGE = 0.3
"""What an address is worth that had not been met before, where it shows no new state: another item of a list."""
ONE_MORE = 0.1
"""How dull an event is that brought one more state, but nothing of a new kind."""
ONE_MORE_PAGE = 0.4
"""How dull an event is that brought one more page, but not even a new state."""

_FADING = 0.95


class _Odds(Gain):
    """How often something brought news lately."""

    dull: float = 0.0
    """What the tries lacked of showing something of a new kind: 1 for nothing new at all, less for one more state."""

    def learn(self, news: float, fading: float = _FADING) -> None:
        super().learn(news, fading)
        self.dull += 1 if not news else ONE_MORE_PAGE if news < NEW_STATE else ONE_MORE if news < 1 else 0

    def hope(self, belief: float) -> float:
        """More of the same is worth less every time."""
        return self.mean(belief) / math.sqrt(1 + self.dull)


_UNKNOWN = _Odds()


class _Aim(msgspec.Struct, frozen=True):
    """One event of a plan."""

    label: str
    state: State | None = None
    """Where it is to be done; None for wherever it is possible."""
    needed: bool = True
    """Without it the plan is void."""
    ready: bool = False
    """Whether the form it may send was seen to."""
    wrong: bool = False
    """Whether a field gets a value that breaks its constraints."""


class Guided:
    """Weighs what every event may bring.

    - An event that was never done anywhere promises most, then one that was never done in this state, then doing it
      again. Each is learned from: of the events of one family (see `family`) and of one label, how many brought a new
      state, events of a new kind, or code that had not run before. More of the same is worth less every time.
    - When a state elsewhere promises more than the present one, the way there taken into account, the model's route
      is followed. A hop that fails makes its routes longer.
    - Before a form is sent its fields are filled; now and then with a value that is not allowed.
    - It ends when nothing new has turned up for `patience` events.
    """

    def __init__(self, chance: random.Random, *, patience: int = PATIENCE) -> None:
        self._chance = chance
        self._patience = patience
        self.reason = f"nothing new turned up in the last {patience} events"
        self._families: dict[str, str] = {}
        self._kinds: set[str] = set()
        self._senders: set[str] = set()
        self._done: Counter[str] = Counter()
        self._done_in: Counter[tuple[State, str]] = Counter()
        self._missed: Counter[tuple[State, str]] = Counter()
        # By (state, label) for doing it again there; by ("again", family) and by ("again",) for doing what led there;
        # by label, by (family,) and by () for doing in one state what was done in another; by (shape of the address,
        # family) and by family for doing what was never done.
        self._odds: dict[Hashable, _Odds] = {}
        self._entered: dict[State, set[str]] = {}
        self._landed: dict[str, State] = {}
        self._by_url: dict[str, State] = {}  # the first state that was met at an address
        self._promises: dict[State, tuple[int, float, str]] = {}
        self._plan: list[_Aim] = []
        self._last: tuple[list[_Odds], Visit] | None = None
        self._events = 0
        self._quiet = 0

    # What came of it.

    def observe(self, visit: Visit) -> None:
        self._settle(False)
        self._events += 1
        name = label(visit.event)
        where = (visit.before, name)
        kin = self._families.get(name, name)
        if self._is_again(name, self._done_in[where]):
            learning: list[Hashable] = [where]
        elif self._repeats(visit.before, name):
            learning = [("again", kin), ("again",)]
        elif self._done[name]:
            learning = [name, (kin,), ()]
        else:
            learning = [(shape(visit.before.url), kin), kin]
        odds = [self._odds.setdefault(each, _Odds()) for each in learning]
        self._last = (odds, visit)
        self._done[name] += 1
        self._done_in[where] += 1
        self._promises.pop(visit.before, None)
        if visit.after != visit.before:
            self._entered.setdefault(visit.after, set()).add(name)
        if visit.event.action.type == "visit":
            self._landed[name] = visit.after
        if self._plan and self._plan[0].label == name:
            del self._plan[0]
            if self._plan and self._plan[0].state is not None and self._plan[0].state != visit.after:
                self._plan = []  # it led elsewhere
        else:
            self._plan = []

    def _settle(self, new_kinds: bool) -> None:
        """Credit the last event with what it brought."""
        if self._last is None:
            return
        odds, visit = self._last
        self._last = None
        if new_kinds or visit.new_blocks:
            news = 1.0
        elif visit.new_state:
            news = NEW_STATE
        else:
            news = NEW_PAGE if visit.after.url not in self._by_url else 0.0
        self._quiet = 0 if news == 1 or (news > 0 and odds[:2][-1].dull < SAME_AGAIN * ONE_MORE) else self._quiet + 1
        for each in odds:
            each.learn(news)

    # What to do.

    def choose(self, situation: Situation) -> Event | None:
        offered: dict[str, Event] = {}
        for event in situation.events:
            offered.setdefault(label(event), event)
        self._settle(self._look_at(offered))
        self._by_url.setdefault(situation.state.url, situation.state)
        if self._quiet >= self._patience:
            return None
        # To load the present page again would undo what was done on it.
        pages = {label(page): page for page in situation.pages if page.action.href != situation.state.url}
        planned = self._planned(situation, offered | pages)
        if planned is not None:
            return planned
        if not offered:
            return self._chance.choice(situation.pages) if situation.pages else None
        if self._chance.random() < STRAYS:
            never = [name for name in offered if not situation.machine.tried(situation.state, name)]
            strayed = self._chance.choice(never or list(offered))
            self._plan = [_Aim(strayed)]
            return self._planned(situation, offered)
        names = list(offered)
        hopes = [self._hope(situation.machine, situation.state, name) for name in names]
        self._plan = self._way_to_more(situation, offered, pages, max(hopes))
        if not self._plan:
            name = self._chance.choices(names, [hope**4 for hope in hopes])[0]
            self._plan = [_Aim(name)]
        return self._planned(situation, offered | pages)

    def _look_at(self, offered: Mapping[str, Event]) -> bool:
        """Whether there are events of a kind never seen."""
        known = len(self._kinds)
        for name, event in offered.items():
            kin = family(event)
            self._families[name] = kin
            if sends_form(event):
                self._senders.add(name)
            self._kinds.add(kin)
        return len(self._kinds) > known

    def _planned(self, situation: Situation, possible: Mapping[str, Event]) -> Event | None:
        """The next event of the plan; a plan that cannot go on is given up."""
        while self._plan:
            aim = self._plan[0]
            if aim.label not in possible or aim.state not in (None, situation.state):
                self._missed[situation.state, aim.label] += 1
                self._plan = [] if aim.needed else self._plan[1:]
            elif not aim.ready:
                self._plan[:1] = self._made_ready(aim, possible[aim.label], situation.events)
            else:
                event = possible[aim.label]
                shown = None if aim.wrong else with_word(event, situation.events, self._chance)
                return shown or with_value(event, self._chance, valid=not aim.wrong)
        return None

    def _made_ready(self, aim: _Aim, event: Event, events: Sequence[Event]) -> list[_Aim]:
        """The fields of its form first if the event may send one, then the event."""
        fields: list[str] = []
        if sends(event) and self._chance.random() < FILLS:
            fields = before_sending(event, events, self._chance)
        wrong = self._chance.choice(fields or [aim.label]) if self._chance.random() < WRONG else ""
        return [
            *(_Aim(field, needed=False, ready=True, wrong=field == wrong) for field in fields),
            _Aim(aim.label, None if fields else aim.state, ready=True, wrong=aim.label == wrong),
        ]

    def _hope(self, machine: Machine, state: State, name: str) -> float:
        """What doing this in that state may bring."""
        if self._is_again(name, machine.tried(state, name)):
            # What brings news elsewhere may yet do so here: the form is filled in another way, time has passed.
            hope = self._known((state, name)).hope(AGAIN * self._elsewhere(name))
        elif self._repeats(state, name):
            kin = self._families.get(name, name)
            hope = self._known(("again", kin)).hope(self._known(("again",)).mean(REPEATED))
        elif self._done[name]:
            hope = self._elsewhere(name)
        else:
            kin = self._families.get(name, name)
            hope = self._known((shape(state.url), kin)).hope(self._known(kin).mean(FIRST))
        return max(hope, 1e-6) / (1 + self._missed[state, name])

    def _is_again(self, name: str, times: int) -> bool:
        """Whether doing it once more repeats what was done: a form is another one when other values are in it."""
        return times >= (SENT if name in self._senders else 1)

    def _repeats(self, state: State, name: str) -> bool:
        """Whether it is what led to the state: it may go on, as a list does, or take back what it did, as a menu. What
        sends a form is always meant to go on."""
        return name in self._entered.get(state, ()) and name not in self._senders

    def _elsewhere(self, name: str) -> float:
        """What may come of doing in a state what was done only in others."""
        general = self._known(()).mean(ELSEWHERE)
        alike = self._known((self._families.get(name, name),))
        # Of many that are alike, such as the options of a choice, one is as dull as the others were.
        return min(self._known(name).hope(alike.mean(general)), alike.hope(general))

    def _known(self, what: Hashable) -> _Odds:
        return self._odds.get(what, _UNKNOWN)

    # Elsewhere.

    def _promise(self, machine: Machine, state: State) -> tuple[float, str]:
        """The best of what can be done in a state."""
        known = self._promises.get(state)
        if known is None or known[0] + STALE < self._events:
            best = max(((self._hope(machine, state, name), name) for name in machine.labels(state)), default=(0.0, ""))
            known = self._promises[state] = (self._events, *best)
        return known[1:]

    def _way_to_more(
        self, situation: Situation, offered: Mapping[str, Event], pages: Mapping[str, Event], here: float
    ) -> list[_Aim]:
        """The way to a state that promises more than here, the events it takes to get there counted in; or none."""
        machine, start = situation.machine, situation.state
        best, target = here, None
        came: dict[State, tuple[State, str]] = {}
        cost = {start: 0.0}
        heap: list[tuple[float, float, int, State]] = [(0.0, 0.0, 0, start)]
        settled: set[State] = set()
        while heap and len(settled) < SEARCHED:
            so_far, _, _, state = heapq.heappop(heap)
            if state in settled:
                continue
            if 1 / (1 + so_far) <= best:
                break
            settled.add(state)
            if state != start:
                promise = self._promise(machine, state)[0] / (1 + so_far)
                if promise > best:
                    best, target = promise, state
            for name, after, hop in self._hops(machine, state, offered, pages, start):
                if so_far + hop < cost.get(after, float("inf")):
                    cost[after] = so_far + hop
                    came[after] = (state, name)
                    heapq.heappush(heap, (so_far + hop, self._chance.random(), len(came), after))
        if target is None:
            return []
        aims = [_Aim(self._promise(machine, target)[1], target)]
        while target != start:
            target, name = came[target]
            aims.append(_Aim(name, target))
        return aims[::-1]

    def _hops(
        self, machine: Machine, state: State, offered: Mapping[str, Event], pages: Mapping[str, Event], start: State
    ) -> Iterator[tuple[str, State, float]]:
        """Where one event leads, and how many tries it is likely to take."""
        for name, led in machine.edges(state).items():
            if not led or (state == start and name not in offered):
                continue
            times = sum(led.values()) + self._missed[state, name]
            for after, count in led.items():
                if after != state:
                    yield name, after, times / count
        if state == start:
            for name, page in pages.items():
                landed = self._landed.get(name) or self._by_url.get(page.action.href)
                if landed is not None and landed != start:
                    yield name, landed, PAGE_COST
