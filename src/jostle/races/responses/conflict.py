"""Which two events of the user may get in each other's way when responses to the first come late, or when its timers
have not fired yet."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Collection, Iterable
from enum import StrEnum

import msgspec

from jostle.events import Event, State
from jostle.exploring.alike import entry
from jostle.exploring.family import family, shape
from jostle.exploring.filling import belong_together, send_same_form, sends
from jostle.model.label import label, without_figures
from jostle.model.reaction import Footprint, Reaction, shortest_paths
from jostle.races.responses.habits import Habit, background, habits, name_of, page_of

Offered = Callable[[State], Collection[str]]
"""The labels of what the user could do in a state, as far as that was seen."""
_ENTRIES = ("li", "tr", "article", "tbody", "dd")
"""Elements that are entries of a list, whatever was seen of it."""
ENTERING = ("type", "fill", "select", "check", "upload")
"""Actions that enter something, which another one sends."""


class Shared(msgspec.Struct, frozen=True):
    """What both write to."""

    what: str
    """element, field, storage, server or area, the surest first."""
    where: str

    def __str__(self) -> str:
        return self.where if self.what in ("element", "area") else f"{self.what} {self.where}"


class Delayed(StrEnum):
    """What comes only after the second event."""

    RESPONSES = "responses"
    TIMERS = "timers"


_CAREFUL = 4.0
"""How much less a pair is worth when the application takes care that nothing comes between."""
_ALIKE = 4
"""How many rounds later a pair has its turn for each before it that asks for the same twice."""
_SENT, _OF_ITS_OWN = 2.0, 0.5
"""How many turns pairs have that begin with something that is sent, and single events, for each turn of others."""
_SAME_ENTRY = 0.5
"""How much more a pair is worth when both do something to one entry of a list."""
_WORTH = {"server": 4.0, "field": 3.0, "element": 2.0, "storage": 1.5, "area": 1.0}


class ResponsePair(msgspec.Struct, frozen=True, kw_only=True):
    """Two events to be tried: what the first asks for comes after the second. Without a second one, the first answer
    comes after the others."""

    first: Reaction
    second: Reaction | None = None
    shared: tuple[Shared, ...] = ()
    short: tuple[Event, ...] | None = None
    """A shorter way to where the first was done, as far as is known."""
    delayed: Delayed = Delayed.RESPONSES
    impossible: bool = False
    """The second event was never seen to be possible once the first is done."""
    sent: tuple[str, str] = ("", "")
    """What the two send to a server, in the abstract: buttons side by side are one family, and do different things."""
    same_entry: bool = False
    """The second is done to the entry of a list that the first was done to, not to the one where it was seen."""

    @property
    def repeats(self) -> bool:
        """Whether the user does the same thing twice."""
        return self.second is not None and name_of(self.first.event) == name_of(self.second.event)

    @property
    def resubmits(self) -> bool:
        """Whether the user does the same thing twice, or sends a form twice by whichever of its fields and buttons."""
        if self.repeats or self.second is None:
            return self.repeats
        same = self.sent[0] != "" and self.sent[0] == self.sent[1]
        return same and send_same_form(self.first.event, self.second.event)

    @property
    def lead(self) -> tuple[Event, ...]:
        """What the user enters right before the second event, which sends it. Who sends the same thing twice has
        entered it already, and who enters something first does not enter it again."""
        if self.second is None or (self.repeats and self.first.sends):
            return ()
        return tuple(event for event in entered_for(self.second) if label(event) != label(self.first.event))

    @property
    def enters(self) -> bool:
        """Whether the first event looks for a text that the user has entered: what comes of it depends on the text."""
        done = (self.first.event, *entered_for(self.first))
        return not self.first.sends and any(event.action.enters_text for event in done)

    @property
    def kin(self) -> tuple[str, ...]:
        """The same for pairs that are much the same: one of them stands for all."""
        place, one = _place(self.first), family(self.first.event)
        if self.second is None:
            return ("itself", place, one)
        which = "same" if self.repeats else "entry" if self.same_entry else "other"
        return (which, place, one, family(self.second.event), *self.sent, self.delayed)

    @property
    def worth(self) -> float:
        """What is more likely to be a race, and a bad one, is tried first."""
        best = max((_WORTH[each.what] for each in self.shared), default=0.0)
        # Most harm comes of two different things; what was sent cannot be taken back, so it may be sent twice.
        other = 0.0 if self.repeats and not self.first.sends else 0.5
        other += _SAME_ENTRY * self.same_entry
        return best + other + self.first.sends - min(map(len, self.ways)) / 20 - _CAREFUL * self.first.locks

    @property
    def ways(self) -> list[tuple[Event, ...]]:
        """How to get to where the first was done, the surest first."""
        ways: dict[tuple[Event, ...], None] = {}
        for way in (self.first.direct, self.short, self.first.path):
            if way is not None:
                known = {event.key for event in way}
                ways[(*way, *(event for event in entered_for(self.first) if event.key not in known))] = None
        return list(ways)

    def __str__(self) -> str:
        if self.second is None:
            return f"{label(self.first.event)}: its own answers"
        before = " before its timer" if self.delayed is Delayed.TIMERS else ""
        entry = " (same entry)" if self.same_entry else ""
        return f"{label(self.first.event)} → {label(self.second.event)}{entry}{before}"


def entered_for(reaction: Reaction) -> tuple[Event, ...]:
    """What the user entered right before something that sends it; empty for other events."""
    lead: list[Event] = []
    for event in reversed(reaction.path if sends(reaction.event) else ()):
        if event.action.type not in ENTERING:
            break
        if belong_together(reaction.event, event):
            lead.insert(0, event)
    return tuple(lead)


def shared(first: Habit, second: Habit, delayed: Delayed = Delayed.RESPONSES) -> tuple[Shared, ...]:
    """What the answers to the first write to, or its timers, and the second writes to as well. It need not hold the
    other way round."""
    one, other = first.by_answers, second.whole
    if delayed is Delayed.TIMERS:
        one = first.by_timers or Footprint()
    found = [
        *(Shared("element", each) for each in sorted(one.elements & other.elements)),
        *(Shared("field", each) for each in sorted(one.fields & other.fields)),
        *(Shared("storage", each) for each in sorted(one.stored & other.stored)),
        # What the answer would have prevented is sent twice, or in the wrong order.
        *(Shared("server", each) for each in sorted(first.whole.sent & other.sent)),
    ]
    overlapping = next((a for a in one.boxes for b in other.boxes if a.overlaps(b)), None)
    if not found and overlapping is not None:
        found.append(Shared("area", f"the area at {overlapping.x:.0f}, {overlapping.y:.0f}"))
    return tuple(found)


def candidates(reactions: Iterable[Reaction], offered: Offered | None = None) -> list[ResponsePair]:
    """All pairs worth trying, the best first. Of events that are much the same, one pair on the same element and one on
    different ones stand for all."""
    reactions = list(reactions)
    known, short = habits(reactions, background(reactions)), shortest_paths(reactions)
    if offered is not None:
        offered = _by_name(offered)
    places: dict[str, set[str]] = {}
    for each in known:
        places.setdefault(family(each.reaction.event), set()).add(each.reaction.event.action.xpath)
    listed = {each for each, where in places.items() if len(where) > 1}
    sent = {id(each): _asked(each.reaction) if each.reaction.sends else "" for each in known}
    found: dict[tuple[str, ...], ResponsePair] = {}
    for first in known:
        one = first.reaction
        if len(one.answers) > 1:
            itself = ResponsePair(first=one, shared=shared(first, first), short=short.get(one.before))
            _keep(found, itself)
        delays = [*([Delayed.RESPONSES] if one.answers else ()), *([Delayed.TIMERS] if first.by_timers else ())]
        for second in known if delays else ():
            if not _together(one, second.reaction, offered):
                continue
            for delayed in delays:
                both = shared(first, second, delayed)
                if delayed is Delayed.RESPONSES and offered is not None:
                    both = both or _opened(one, second.reaction, offered)
                if both:
                    pair = ResponsePair(
                        first=one,
                        second=second.reaction,
                        shared=both,
                        short=short.get(one.before),
                        delayed=delayed,
                        sent=(sent[id(first)], sent[id(second)]),
                        impossible=offered is not None and not _possible(one, second.reaction, offered),
                    )
                    _keep(found, pair)
                    if _has_entry(pair, listed):
                        _keep(found, msgspec.structs.replace(pair, same_entry=True, impossible=False))
    return in_turn(sorted(found.values(), key=lambda each: (-each.worth, str(each))))


def _by_name(offered: Offered) -> Offered:
    known: dict[State, Collection[str]] = {}

    def names(state: State) -> Collection[str]:
        if state not in known:
            known[state] = {without_figures(each) for each in offered(state)}
        return known[state]

    return names


def _has_entry(pair: ResponsePair, listed: Collection[str]) -> bool:
    """Whether the two were done to entries of one list, and so can be done to the same one: edited and deleted, say.
    `listed`: families of events that were done in more than one place. Elements may stand side by side for other
    reasons than to be entries of a list."""
    assert pair.second is not None
    if pair.lead or not (pair.first.sends and pair.second.sends and pair.second.event.action.type == "click"):
        return False  # what only asks does no harm to an entry
    one, other = pair.first.event, pair.second.event
    if label(one) != label(other) and any(step.partition("[")[0] in _ENTRIES for step in _common(one, other)):
        return True  # they were; it may be called otherwise once the first is done
    mine, its = entry(one, other), entry(other, one)
    if not mine or one.action.xpath[len(mine) :] == other.action.xpath[len(its) :]:
        return False  # not in one list, or the same control in two entries
    listed_too = family(one) in listed or family(other) in listed
    return listed_too or mine.rpartition("/")[2].partition("[")[0] in _ENTRIES


def _common(one: Event, other: Event) -> list[str]:
    """Where both stand in one document, as far as that is the same, step by step."""
    steps = zip(one.action.xpath.split("/"), other.action.xpath.split("/"), strict=False)
    return [mine for mine, _ in itertools.takewhile(lambda pair: pair[0] == pair[1], steps)]


def _opened(one: Reaction, other: Reaction, offered: Offered) -> tuple[Shared, ...]:
    """A field that the first opens, and into which something is pushed: what is there already may be put there again,
    which nobody sees as long as nobody has typed."""
    pushed = any(event.from_outside for event in one.answers)
    words, action = name_of(other.event), other.event.action
    appears = words in offered(one.after) and words not in offered(one.before)
    return (Shared("field", action.place),) if pushed and action.enters_text and appears else ()


def _possible(one: Reaction, other: Reaction, offered: Offered) -> bool:
    """Whether the second was seen where the first leads to. What sends something may be gone then, and still be done
    twice by who is quick."""
    repeats = name_of(one.event) == name_of(other.event)
    return name_of(other.event) in offered(one.after) or (repeats and one.sends)


def _together(one: Reaction, other: Reaction, offered: Offered | None) -> bool:
    """Whether both may be done on one page: they were, or the second was seen where the first is done."""
    if page_of(one) == page_of(other):
        return True
    return offered is not None and name_of(other.event) in offered(one.before)


def in_turn(pairs: Iterable[ResponsePair]) -> list[ResponsePair]:
    """The best pair of each event that comes first, then the second best of each, and so on: what one event leads to
    is mostly alike, whatever comes after it. Events that ask for the same, and the same event on another page, count as
    the same; so do, after one of them, those that come second. What is sent has its turn more often. What is hardly
    possible comes last."""
    rounds: Counter[tuple[object, ...]] = Counter()
    seconds: Counter[tuple[object, ...]] = Counter()
    order: list[tuple[bool, float, ResponsePair]] = []
    for pair in pairs:
        first = (pair.impossible, pair.delayed, _asks(pair.first))
        both = (*first, pair.repeats, _asks(pair.second) if pair.second is not None else "")
        rounds[first] += 1
        seconds[both] += 1
        order.append((pair.impossible, (rounds[first] + _ALIKE * (seconds[both] - 1)) / _weight(pair), pair))
    return [pair for _, _, pair in sorted(order, key=lambda each: each[:2])]


def _weight(pair: ResponsePair) -> float:
    """How many turns it has in the time in which others have one. What is sent, and then something else done, may harm
    what the server keeps; what one event asks for several times rarely comes in another order."""
    if pair.second is None:
        return _OF_ITS_OWN
    return _SENT if pair.first.sends else 1.0


def _asks(reaction: Reaction) -> str:
    """The same for events that ask a server for the same; those that ask for nothing are told apart by themselves."""
    return _asked(reaction) or family(reaction.event)


def _asked(reaction: Reaction) -> str:
    """What an event asks a server for, in the abstract; empty for nothing."""
    asked = [event.request for event in reaction.answers if event.request.url]
    return ", ".join(sorted({f"{each.method} {shape(each.url)}" for each in asked}))


def _keep(found: dict[tuple[str, ...], ResponsePair], candidate: ResponsePair) -> None:
    if candidate.kin not in found or found[candidate.kin].worth < candidate.worth:
        found[candidate.kin] = candidate


def _place(reaction: Reaction) -> str:
    return shape(reaction.before.url)
