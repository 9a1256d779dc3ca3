"""Usages for the tests of macros: any at all, and the menu of the paper."""

from __future__ import annotations

from collections.abc import Iterable

from hypothesis import strategies as st

from jostle.events import Event, Kind, State, Step, event_of
from jostle.model.usage import MicroEvent, UsageEntry

EVENTS = [MicroEvent("hover", "a"), MicroEvent("hover", "li"), MicroEvent("click", "a")]
XPATHS = [
    "/html/body/nav",
    "/html/body/nav/ul/li[1]",
    "/html/body/nav/ul/li[1]/a",
    "/html/body/nav/ul/li[2]/a",
    "/html/body/form/input",
]
"""Every relation is between some of them."""


def entries(longest: int = 8) -> st.SearchStrategy[list[UsageEntry]]:
    return st.lists(st.builds(UsageEntry, st.sampled_from(EVENTS), st.sampled_from(XPATHS)), max_size=longest)


def usages(most: int = 3, longest: int = 8) -> st.SearchStrategy[list[list[UsageEntry]]]:
    return st.lists(entries(longest), min_size=1, max_size=most)


def menu(passed: int, *, menu: int = 1, url: str = "http://crm.test/") -> list[UsageEntry]:
    """The menu is opened, items are passed over, and the next one is clicked."""
    top = f"/html/body/nav/ul/li[{menu}]"
    done = [UsageEntry(MicroEvent("mouseover", "a"), f"{top}/a", url)]
    for item in range(1, passed + 2):
        if item > 1:
            done.append(UsageEntry(MicroEvent("mouseout", "li"), f"{top}/ul/li[{item - 1}]", url))
        done.append(UsageEntry(MicroEvent("mouseover", "li"), f"{top}/ul/li[{item}]", url))
    return [*done, UsageEntry(MicroEvent("click", "a"), f"{top}/ul/li[{passed + 1}]/a", url)]


def user_event(entry: UsageEntry, **detail: object) -> Event:
    return event_of(
        kind=Kind.USER,
        what=f"{entry.event} at {entry.xpath}",
        detail={"action": entry.event.type, "element": entry.event.element, "xpath": entry.xpath, **detail},
    )


def steps(done: Iterable[UsageEntry]) -> tuple[Step, ...]:
    """Steps of a recording in which this is done, each on the page the entry tells."""
    made: list[Step] = []
    for entry in done:
        state = State(entry.url, entry.url, entry.title)
        made.append(Step(event=event_of(kind=Kind.LIFECYCLE, what=f"open {entry.url}"), state=state))
        made.append(Step(event=user_event(entry), state=state))
    return tuple(made)
