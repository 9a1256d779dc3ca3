"""Exploring where a slowdown is likely: do again what piles up, come back to what is expensive or has become dearer.

A pair shows in a history only when it recurs: the effect some four times, each time dearer, with the cause in between.
At random that is rare. So part of the budget goes into small experiments:

- a *round*: everything that can be done again and again in a state is done once, and once more, what seems to leave
  something behind or is expensive first. What is dearer the second time has suspects;
- a *test* of a suspect: effect, cause, effect. It is repeated until the pair would be noticed, or is in vain.
"""

from __future__ import annotations

import math
import random
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

import msgspec

from jostle.events import Event, State
from jostle.exploring.alike import kin
from jostle.exploring.filling import with_value
from jostle.exploring.guided import PATIENCE, Guided
from jostle.exploring.situation import Situation
from jostle.model.label import fills_in, goes_by_address, label
from jostle.model.machine import Machine, Transition
from jostle.model.visit import Visit
from jostle.slowdowns.history import Action, Pair, action_of
from jostle.slowdowns.inference import CONFIDENCE, SUPPORT, SuspectedPair
from jostle.slowdowns.leaving import piles_up
from jostle.slowdowns.paths import LEAD, leading

TESTS, ROUNDS, ROUNDS_AFTER = 0.8, 0.5, 0.75
"""Experiments are begun while they have taken less than this share of the events; rounds, when there was an exploration
before."""
LARGEST = 12
"""So many events take part in a round; and when more than this were done since an effect was done last, so many of them
are suspected."""
OFTEN = 3
"""When there is nothing left to explore, it ends after so many rounds in each state."""
FAR = 0.4
"""How much less a test is worth when cause and effect are in different places."""
VAIN = 2
"""A pair is left alone when it was in vain so many times more often than not."""
ENOUGH = 8
"""After so many rises a pair is known, even if others make the same effect dearer."""
LONGEST = 6
"""Where an application has been explored before, a pair is left alone after so many tests, however they went: there are
others."""
TOGGLING = ("check ", "uncheck ")
"""What the labels of events begin with that can be done again only when the opposite was done."""
DETOUR, FARTHER = 8, 9
"""What is farther away than so many events is not worth a test."""


class _Effect(msgspec.Struct):
    cost: float = 0.0
    times: int = 0
    rises: int = 0


class _Evidence(msgspec.Struct):
    tries: int = 0
    rises: int = 0


class Promising:
    """A strategy for explorations with costs; without costs it explores as `Guided` does."""

    def __init__(self, chance: random.Random, *, patience: int = PATIENCE, after: bool = False) -> None:
        """`after`: the application has been explored, and this is told of it before it is asked. Then experiments come
        first, and where most is to be expected."""
        self._after = after
        self._chance = chance
        self._guided = Guided(chance, patience=patience)
        self.reason = f"{self._guided.reason}, and no pair of events was worth another experiment"
        self._values = chance.randrange(2**32)
        self._run = 0
        self._done: list[Action] = []
        self._last: dict[Action, tuple[int, float]] = {}
        self._effects: dict[Action, _Effect] = {}
        self._piles: dict[Action, float] = {}
        self._kin: dict[str, str] = {}
        """By labels: the same for what is done to the entries of one list."""
        self._leads: dict[Action, tuple[str, ...]] = {}
        self._evidence: dict[Pair, _Evidence] = {}
        self._missed: Counter[Action] = Counter()
        self._tests: Counter[Pair] = Counter()
        self._tested: Counter[Pair] = Counter()
        self._rose = False
        self._rounds: Counter[State] = Counter()
        self._pair: Pair | None = None
        self._goals: list[Action] = []
        self._lead: list[str] = []
        self._way: Transition | None = None
        self._walked = 0
        self._longest = 2 * DETOUR
        """A way that turns out to be longer than this leads in circles."""
        self._lost: set[State] = set()
        """Places that no way leads to, as things are in this run; until one of them is met again."""
        self._filling: list[str] = []
        self._in_vain: set[tuple[State, str]] = set()
        """What did not lead where it was expected to: it may lead there only for who is logged in."""
        self._spent = 0
        self._events = 0
        self._experimenting = False

    # What came of it.

    def observe(self, visit: Visit) -> None:
        self._guided.observe(visit)
        self._events += 1
        self._lost.discard(visit.after)
        if visit.run != self._run:
            self._run = visit.run
            self._done, self._last = [], {}
            self._goals, self._lead = [], []
            self._way, self._lost = None, set()
        action = action_of(visit)
        self._kin[action.label] = kin(visit.event)
        cost = None if visit.effect.hung else visit.effect.cost
        if cost is not None:
            self._weigh(action, float(cost))
        if self._way is not None and (self._way.before, self._way.label) == (action.before, action.label):
            if action.after != self._way.after:
                self._in_vain.add((action.before, action.label))
            self._way = None
        self._done.append(action)
        self._missed.pop(action, None)
        self._leads[action] = leading(self._done[:-1], action) or self._leads.get(action, ())
        self._piles[action] = max(self._piles.get(action, 0), piles_up(visit.effect, anew=not self._after))
        self._spent += self._experimenting
        if self._experimenting:
            self._go_on(action)

    def _weigh(self, action: Action, cost: float) -> None:
        effect = self._effects.setdefault(action, _Effect())
        effect.times += 1
        last, highest = self._last.get(action, (-1, math.inf))
        # What goes up and down does not grow: only what was never so high counts.
        self._rose = cost > highest
        effect.rises += self._rose
        effect.cost = max(effect.cost, cost)
        self._last[action] = (len(self._done), cost if last < 0 else max(cost, highest))
        causes = dict.fromkeys(self._done[last + 1 :]) or {action: None}
        if last < 0 or (len(causes) > LARGEST and not self._rose):
            return
        if len(causes) > LARGEST:  # it was dearer, and much was done since: what seems to leave something behind did it
            causes = dict.fromkeys(sorted(causes, key=lambda each: self._piles[each], reverse=True)[:LARGEST])
        if self._experimenting and self._pair is not None and self._goals == [action] == [self._pair.effect]:
            causes = {self._pair.cause: None}  # the rest is the way to it
        # What a known cause explains says nothing about the others.
        known = [cause for cause in causes if self._known(Pair(cause, action))] if self._rose else []
        for cause in known or causes:
            evidence = self._evidence.setdefault(Pair(cause, action), _Evidence())
            evidence.tries += 1
            evidence.rises += self._rose

    def _go_on(self, action: Action) -> None:
        if not self._goals or self._lead:
            return
        if action != self._goals[0]:
            if action.label == self._goals[0].label and action.before == self._goals[0].before:
                self._give_up()  # it was done and led elsewhere
            return
        del self._goals[0]
        if self._goals:
            self._make_ready()
        if self._goals or self._pair is None:
            return
        pair, self._pair = self._pair, None
        self._tested[pair] += 1
        self._tests[pair] += 1 if self._rose else -1
        if self._open(pair):
            self._begin(pair, [pair.cause, pair.effect] if not pair.itself else [pair.effect])

    # What to do.

    def choose(self, situation: Situation) -> Event | None:
        offered: dict[str, Event] = {}
        for event in situation.events:
            offered.setdefault(label(event), event)
        wanted = self._experimenting_now(situation, offered)
        self._experimenting = wanted is not None
        if wanted is not None:
            # The same value every time: what is typed must not be what makes the difference.
            return with_value(wanted, random.Random(f"{self._values} {label(wanted)}"), valid=True)
        chosen = self._guided.choose(situation)
        if chosen is None and self._next(situation, at_any_rate=True):
            wanted = self._experimenting_now(situation, offered)
            self._experimenting = wanted is not None
            return wanted or (self._chance.choice(situation.events) if situation.events else None)
        return chosen

    def _experimenting_now(self, situation: Situation, offered: Mapping[str, Event]) -> Event | None:
        """The next event of an experiment; None when it is time to explore."""
        for _ in range(3):
            if not self._goals and not self._next(situation):
                return None
            event = self._toward(self._goals[0], situation, offered) if self._walked < self._longest else None
            if event is not None:
                self._walked += 1
                return event
            goal = self._goals[0]
            if situation.state == goal.before:
                self._missed[goal] += 1
            else:
                self._lost.add(goal.before)
            self._give_up()
        return None

    def _toward(self, goal: Action, situation: Situation, offered: Mapping[str, Event]) -> Event | None:
        if situation.state == goal.before:
            while self._lead:
                name = self._lead.pop(0)
                if name in offered:
                    return offered[name]
            return offered.get(goal.label)
        return self._on_the_way(goal, situation, offered)

    def _on_the_way(self, goal: Action, situation: Situation, offered: Mapping[str, Event]) -> Event | None:
        """One step nearer; a step that led nowhere is not tried again. Fields that were filled before it are filled."""
        if self._way is None or self._way.before != situation.state or self._way.label not in offered:
            self._way = self._way_to(goal, situation, offered)
            if self._way is None:
                return None
            way = (self._way.before, self._way.label)
            worked = [each for each in self._leads if (each.before, each.label) == way and each.after != each.before]
            self._filling = list(self._leads[worked[-1]]) if worked else []
        while self._filling:
            name = self._filling.pop(0)
            if name in offered:
                return offered[name]
        return offered[self._way.label]

    def _way_to(self, goal: Action, situation: Situation, offered: Mapping[str, Event]) -> Transition | None:
        routes = situation.machine.routes(
            situation.state,
            lambda state, name: state == goal.before and name == goal.label,
            self._chance,
            longer=0,
            most=4,
            allows=self._passable(situation, offered),
        )
        if routes and not self._walked:
            self._longest = 2 * min(map(len, routes)) + LEAD
        near = [route[0] for route in routes if len(route) <= DETOUR and route[0].label in offered]
        return self._chance.choice(near) if near else None

    def _passable(self, situation: Situation, offered: Mapping[str, Event]) -> Callable[[State, str], bool]:
        """What may be on a way; what is offered now is known."""

        def allows(state: State, name: str) -> bool:
            possible = name in offered if state == situation.state else _inside(state, name)
            return possible and (state, name) not in self._in_vain

        return allows

    def _next(self, situation: Situation, *, at_any_rate: bool = False) -> bool:
        """Begin an experiment, if there is one and it is time for it."""
        share = self._spent / max(1, self._events)
        away = situation.machine.away_from(situation.state, _inside)
        if at_any_rate or share < TESTS:
            goals = {pair: self._goals_of(pair) for pair, each in self._evidence.items() if each.rises}
            suspects = [
                pair for pair in goals if self._open(pair) and away.get(goals[pair][0].before, FARTHER) <= DETOUR
            ]
            if suspects:
                pair = max(suspects, key=lambda each: self._belief(each) / (1 + away[goals[each][0].before] / DETOUR))
                self._begin(pair, goals[pair])
                return True
        if at_any_rate or share < (ROUNDS_AFTER if self._after else ROUNDS):
            return self._begin_round(away, OFTEN if at_any_rate or self._after else math.inf)
        return False

    def _goals_of(self, pair: Pair) -> list[Action]:
        """What a test of it takes: effect, cause, effect. The first may have just been done."""
        begun = bool(self._done) and self._done[-1] == pair.effect
        return [*([] if begun else [pair.effect]), *([] if pair.itself else [pair.cause]), pair.effect]

    def _begin_round(self, away: Mapping[State, int], most: float) -> bool:
        """In the state that had the fewest rounds. Causes that are known would hide others."""
        known = {pair.cause for pair in self._evidence if self._known(pair) and not pair.itself}
        places: dict[State, list[Action]] = {}
        for action in self._effects:
            hides = action in known and not self._effects[action].rises
            if action.before == action.after and self._missed[action] < 2 and not hides:
                places.setdefault(action.before, []).append(action)
        states = [
            state
            for state, actions in places.items()
            if len(actions) > 1
            and self._rounds[state] < most
            and state not in self._lost
            and away.get(state, FARTHER) <= DETOUR
        ]
        if not states:
            return False
        state = min(
            states, key=lambda each: (self._price(places[each], away[each]) * (1 + self._rounds[each]), each.digest)
        )
        self._rounds[state] += 1
        actions = sorted(places[state], key=lambda each: self._piles[each] * self._as_effect(each), reverse=True)
        once = self._chance.sample(actions[:LARGEST], min(LARGEST, len(actions)))
        # Fields first: what is sent without them may be in vain.
        self._way, self._in_vain = None, set()
        self._pair, self._goals = None, sorted(once, key=lambda each: not fills_in(each.label)) * 2
        self._make_ready()
        return True

    def _begin(self, pair: Pair, goals: list[Action]) -> None:
        self._pair, self._goals = pair, goals
        self._way, self._in_vain = None, set()
        self._make_ready()

    def _make_ready(self) -> None:
        """Before a cause, the fields beside it are filled: as it was done before; if that was in vain, all of them."""
        goal = self._goals[0]
        self._walked, self._longest = 0, 2 * DETOUR
        if self._pair is None or goal != self._pair.cause:
            self._lead = []
        elif self._tests[self._pair] < 0:
            self._lead = [each.label for each in self._fields(goal.before) if each.label != goal.label][:LEAD]
        else:
            self._lead = list(self._leads.get(goal, ()))

    def _fields(self, place: State) -> list[Action]:
        return [each for each in self._piles if place == each.before == each.after and fills_in(each.label)]

    def _give_up(self) -> None:
        if self._pair is not None:
            self._tests[self._pair] -= 1
        self._pair, self._goals, self._lead = None, [], []

    # What is promising.

    def worth_repeating(self, machine: Machine) -> list[SuspectedPair]:
        """Events that doing them again and again may make slower, though nobody did so yet: those that left something
        behind, what did so most and cost most first, and what is near where the application begins. Of events that
        differ in numbers only, such as the number of likes on a button, there is one; entries of one list take turns
        with everything else, since what one of them shows the others most likely show as well. Of a list, two entries
        in turn come first: to do the same again to one that is open may be in vain; a box is unchecked in between."""
        starts = [place.state for place in machine if place.starts]
        aways = [machine.away_from(start, _inside) for start in starts]
        worth: dict[Action, float] = {}
        for action in self._effects:
            if self._piles[action] == 1:
                continue
            away = min((each.get(action.before, FARTHER) for each in aways), default=0)
            promise = self._piles[action] ** 2 * self._as_effect(action) / (1 + away)
            if action.label in machine.edges(action.after):  # the first comment: the list is there from then on
                action = Action(action.label, action.after, action.after)
            else:
                promise *= FAR
            # A state that is often met is surely met again: what was done in it is easy to do again.
            promise *= math.sqrt(1 + machine.visits(action.before))
            worth[action] = max(promise, worth.get(action, 0))
        best: dict[str, Action] = {}
        for action in sorted(worth, key=lambda each: -worth[each]):
            best.setdefault(re.sub(r"\d+", "#", action.label), action)
        entries: dict[tuple[str, State, State], list[Action]] = {}
        for action in best.values():
            alike = self._kin.get(action.label, action.label)
            entries.setdefault((alike, action.before, action.after), []).append(action)
        turns: Counter[str] = Counter()
        order: list[tuple[int, Pair]] = []
        for (alike, _, _), actions in entries.items():
            in_turn = [Pair(action, action) for action in actions]
            if len(actions) > 1 and not actions[0].label.startswith(TOGGLING):
                in_turn.insert(0, Pair(actions[1], actions[0]))
            for pair in in_turn:
                order.append((turns[alike], pair))
                turns[alike] += 1
        order.sort(key=lambda each: each[0])
        return [SuspectedPair(pair=pair, support=0, all=1) for _, pair in order]

    def _price(self, actions: Sequence[Action], away: int) -> float:
        """Of doing all of these again, by what it is worth: a large state is worth more rounds than a small one. Where
        time is short, what leaves something behind that stays, and costs much, counts most; and what is near."""
        if not self._after:
            return 1 / len(actions)
        worth = sum(self._piles[each] ** 2 * self._as_effect(each) for each in actions)
        return (2 * min(LARGEST, len(actions)) + away) / worth

    def _open(self, pair: Pair) -> bool:
        """Whether it is worth a test."""
        missed = self._missed[pair.cause] + self._missed[pair.effect]
        lost = pair.cause.before in self._lost or pair.effect.before in self._lost
        return not self._known(pair) and not self._vain(pair) and missed < 4 and not lost

    def _belief(self, pair: Pair) -> float:
        evidence = self._evidence.get(pair, _Evidence())
        belief = self._chance.betavariate(0.5 + evidence.rises, 1 + 2 * (evidence.tries - evidence.rises))
        near = 1.0 if pair.cause.before == pair.effect.after and pair.cause.after == pair.effect.before else FAR
        # Where time is short, it goes to what leaves something behind: forms have many fields.
        return belief * near * self._piles.get(pair.cause, 1.0) ** (2 if self._after else 1)

    def _as_effect(self, action: Action) -> float:
        """Expensive is promising, and dearer than before is more so."""
        effect = self._effects[action]
        dull = 1 if effect.rises else effect.times
        return (1 + math.log1p(effect.cost)) / dull / (1 + self._missed[action])

    def _known(self, pair: Pair) -> bool:
        """Whether the pair would be noticed, by itself or among several causes; or enough was tried."""
        evidence = self._evidence.get(pair)
        if evidence is None or evidence.rises <= SUPPORT:
            return False
        if evidence.rises < CONFIDENCE * evidence.tries:
            return evidence.rises >= 3 * ENOUGH
        total = self._effects[pair.effect].rises + evidence.tries - evidence.rises
        return evidence.rises >= min(ENOUGH, CONFIDENCE * total)

    def _vain(self, pair: Pair) -> bool:
        return self._tests[pair] <= -VAIN or (self._after and self._tested[pair] >= LONGEST)


def _inside(state: State, name: str) -> bool:
    """Pages are not gone to by their addresses here."""
    return not goes_by_address(name)
