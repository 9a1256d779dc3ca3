"""From usage traces to macros: split by page, mine, cluster by the first event, make one machine of each cluster."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

import msgspec

from jostle.model.ktails import k_tails
from jostle.model.macro import Macro, Seen, Typed, macro_of, place
from jostle.model.mining import Frequent, closed, frequent, frequent_entries
from jostle.model.relation import FAMILY_DISTANCE
from jostle.model.usage import MicroEvent, UsageEntry, pieces_of

MOST_SEQUENCES = 200_000
"""Frequent sequences that are looked at; with more of them, only shorter ones are."""

MOST_TYPED = 20
"""Texts that are kept of what people typed into one field."""


class Facts(msgspec.Struct, frozen=True, kw_only=True):
    """How macros were inferred, and from how much."""

    sessions: int = 0
    events: int = 0
    pieces: int = 0
    frequent_events: int = 0
    frequent: int = 0
    closed: int = 0
    support: int = 0
    length_min: int = 2
    length_max: int = 10
    """The greatest length looked at; less than was asked for where there would have been too many sequences."""
    k: int = 2


def infer(
    sessions: Iterable[Sequence[UsageEntry]],
    *,
    support: int | None = None,
    length_min: int = 2,
    length_max: int = 10,
    k: int = 2,
    distance: int = FAMILY_DISTANCE,
    most: int = MOST_SEQUENCES,
) -> tuple[tuple[Macro, ...], Facts]:
    """The macros of recorded sessions, the most frequent first. `support` is twice the number of sessions by default:
    what is to be a habit happens at least twice in each of them, on average."""
    sessions = list(sessions)
    support = 2 * len(sessions) if support is None else support
    pieces = [piece for session in sessions for piece in pieces_of(session, length_min)]
    found, reduced = _bounded(
        frequent(pieces, support=support, length_min=length_min, length_max=length_max, distance=distance), most
    )
    kept = closed(found)
    facts = Facts(
        sessions=len(sessions),
        events=sum(map(len, sessions)),
        pieces=len(pieces),
        frequent_events=sum(map(len, frequent_entries(pieces, support))),
        frequent=len(found),
        closed=len(kept),
        support=support,
        length_min=length_min,
        length_max=reduced or length_max,
        k=k,
    )
    return macros_of(kept, k, typed_in(sessions), seen_in(sessions)), facts


def typed_in(sessions: Iterable[Sequence[UsageEntry]]) -> Typed:
    """What was typed into which field, the most frequent first. An empty field was only cleared."""
    counts: defaultdict[tuple[MicroEvent, str], Counter[str]] = defaultdict(Counter)
    for session in sessions:
        for entry in session:
            if entry.field and entry.typed.strip():
                counts[entry.event, entry.field][entry.typed] += 1
    return {field: tuple(text for text, _ in found.most_common(MOST_TYPED)) for field, found in counts.items()}


def seen_in(sessions: Iterable[Sequence[UsageEntry]]) -> Seen:
    """Where each micro event was done."""
    places: defaultdict[MicroEvent, set[str]] = defaultdict(set)
    for session in sessions:
        for entry in session:
            places[entry.event].add(place(entry.event, entry.xpath))
    return places


def macros_of(
    sequences: Iterable[Frequent], k: int = 2, typed: Typed | None = None, seen: Seen | None = None
) -> tuple[Macro, ...]:
    """One macro for each first event; the most frequent sequences shape it first."""
    clusters: defaultdict[MicroEvent, list[Frequent]] = defaultdict(list)
    for each in sorted(sequences, key=lambda each: (-each.support, len(each.items), each.items)):
        clusters[each.items[0].event].append(each)
    return tuple(
        macro_of(
            str(event),
            k_tails((each.items for each in cluster), k),
            support=cluster[0].support,
            sequences=len(cluster),
            typed=typed,
            seen=seen,
        )
        for event, cluster in clusters.items()
    )


def _bounded(sequences: Iterable[Frequent], most: int) -> tuple[list[Frequent], int | None]:
    """The sequences, of which the shorter come first, or when there are too many, those of the lengths before; then
    also the greatest length that is kept. Of the shortest some are kept in any case."""
    found: list[Frequent] = []
    for each in sequences:
        if len(found) == most:
            shorter = [one for one in found if len(one.items) < len(each.items)] or found
            return shorter, len(shorter[-1].items)
        found.append(each)
    return found, None
