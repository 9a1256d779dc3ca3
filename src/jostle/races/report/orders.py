"""Two orders of the same events side by side: what is the same in both told shortly, what changed places connected."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import groupby

import msgspec

from jostle.events import Kind
from jostle.findings.evidence import OrderedEvent, RaceEvidence, ResponseRaceEvidence, Role
from jostle.plural import count
from jostle.report.rows import shown
from jostle.report.words import time

FEWEST = 4
"""So many events of no interest in a row, at least, are told as one."""
MOST_ROWS = 40
MOST_EVENTS = 500
"""In the list of all of them."""
LONGEST_WHAT = 200
ROW = 46
"""Height of a row in CSS pixels, as the style has it."""
GAP = 96
"""Width between the two orders, as the style has it."""
_ROLES = (Role.FIRST, Role.SECOND, Role.EARLY, Role.LATE)

Key = tuple[str, str, int]
"""Role, text, and the how manieth event with these: the answers to two equal requests differ in what they do here."""


class OrderRow(msgspec.Struct, frozen=True, kw_only=True):
    what: str
    key: Key = ("", "", 0)
    """By which the event is known in the other order."""
    role: str = ""
    """`first`, `second`, `early`, `late`; `user` for another action of the user; `load` while the page loads."""
    tag: str = ""
    """The role in words."""
    at: str = ""
    folded: bool = False
    """It stands for several."""


class SwapLine(msgspec.Struct, frozen=True):
    """From an event in the good order to the same in the bad order."""

    role: str
    path: str


class TwoOrders(msgspec.Struct, frozen=True, kw_only=True):
    good: tuple[OrderRow, ...]
    bad: tuple[OrderRow, ...]
    lines: tuple[SwapLine, ...]
    height: int
    all_good: tuple[OrderRow, ...] = ()
    """All events, where `good` and `bad` tell some together."""
    all_bad: tuple[OrderRow, ...] = ()


def orders(evidence: RaceEvidence) -> TwoOrders | None:
    """None when the order is not known."""
    if not evidence.good.order and not evidence.bad.order:
        return None
    good, bad = evidence.good.order[:MOST_EVENTS], evidence.bad.order[:MOST_EVENTS]
    known = bool(good and bad)
    pair = is_pair(evidence)
    all_good = _rows(
        good, early="in turn", late="in time", pair=pair, elsewhere=Counter(_names(bad)) if known else None
    )
    all_bad = _rows(bad, early="early", late="late", pair=pair, elsewhere=Counter(_names(good)) if known else None)
    short_good, short_bad = _folded(all_good), _folded(all_bad)
    shortened = (short_good, short_bad) != (all_good, all_bad)
    return TwoOrders(
        good=short_good,
        bad=short_bad,
        lines=_lines(short_good, short_bad),
        height=ROW * max(len(short_good), len(short_bad)),
        all_good=all_good if shortened else (),
        all_bad=all_bad if shortened else (),
    )


def is_pair(evidence: RaceEvidence) -> bool:
    """The user does two things, one after the other."""
    return isinstance(evidence, ResponseRaceEvidence) and bool(evidence.second)


def _names(entries: Sequence[OrderedEvent]) -> list[str]:
    return [each.what for each in entries]


def _rows(
    entries: Sequence[OrderedEvent], *, early: str, late: str, pair: bool, elsewhere: Counter[str] | None
) -> tuple[OrderRow, ...]:
    """`elsewhere`: how often each event happens in the other order, where that is known."""
    tags = {"first": "first" if pair else "action", "second": "second", "early": early, "late": late}
    seen: Counter[str] = Counter()
    keys: Counter[tuple[str, str]] = Counter()
    rows = []
    for each in entries:
        role: str = "user" if each.kind is Kind.USER and each.role not in _ROLES else each.role.value
        seen[each.what] += 1
        keys[role, each.what] += 1
        alone = elsewhere is not None and seen[each.what] > elsewhere[each.what]
        rows.append(
            OrderRow(
                what=shown(each.what, LONGEST_WHAT) or "an event without a name",
                key=(role, each.what, keys[role, each.what]),
                role=role if role in (*_ROLES, "user", "load") else "",
                tag=tags.get(role, "only here" if alone else ""),
                at=time(each.at) if each.at is not None and 0 <= each.at < 1e12 else "",
            )
        )
    return tuple(rows)


def _folded(rows: Sequence[OrderRow]) -> tuple[OrderRow, ...]:
    told: list[OrderRow] = []
    for plain, run in groupby(rows, key=lambda row: not row.tag and row.role != "user"):
        those = list(run)
        if plain and len(those) >= FEWEST:
            loading = all(row.role == "load" for row in those)
            words = f"{count(len(those), 'event')}{' while the page loads' if loading else ', of no interest here'}"
            told.append(OrderRow(what=words, at=those[0].at, folded=True))
        else:
            told += those
    if len(told) > MOST_ROWS:
        more = f"… and {len(told) - MOST_ROWS + 1:,} more"
        told = [*told[: MOST_ROWS - 1], OrderRow(what=more, folded=True)]
    return tuple(told)


def _lines(good: Sequence[OrderRow], bad: Sequence[OrderRow]) -> tuple[SwapLine, ...]:
    places = {row.key: n for n, row in enumerate(bad) if not row.folded}
    return tuple(
        SwapLine(row.role, f"M0 {_middle(n)}C{GAP // 2} {_middle(n)} {GAP // 2} {_middle(to)} {GAP} {_middle(to)}")
        for n, row in enumerate(good)
        if row.role in _ROLES and (to := places.get(row.key)) is not None
    )


def _middle(row: int) -> int:
    return ROW * row + ROW // 2
