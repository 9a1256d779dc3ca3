"""Exploring one page: what leads to another document is left alone once that is known, unless something was sent by it.

Whoever gives the address of a page asks about that page. Links of a router that change the address and keep the
document stay on it; a form that is sent and answered by another page is gone back from.
"""

from __future__ import annotations

import msgspec

from jostle.addresses import split_url
from jostle.events import Event, State
from jostle.exploring.situation import Situation, Strategy
from jostle.model.label import label
from jostle.model.visit import Visit
from jostle.slowdowns.history import Pair
from jostle.slowdowns.leaving import writes

LINKS = 2
"""When so many links led to other documents and none stayed, all links to other addresses are believed to."""


class Page:
    """What belongs to the page on which the exploration begins, learned from what is done."""

    def __init__(self) -> None:
        self._home: State | None = None
        self._run = 0
        self.away = False
        """Whether another document has taken the place of the page."""
        self._states: set[State] = set()
        self._urls: set[str] = set()
        self._leaving: set[str] = set()
        self._left: set[str] = set()
        self._stayed = False

    def begin(self, state: State) -> None:
        """The state in which something is to be done."""
        if self._home is None:
            self._home = state
        if not self.away:
            self._states.add(state)
            self._urls.add(state.url)

    def observe(self, visit: Visit) -> None:
        """What was done, and where it led."""
        if visit.run != self._run:
            self._run, self.away = visit.run, False
        self.begin(visit.before)
        was_away, name = self.away, label(visit.event)
        elsewhere = self._elsewhere(visit.event)
        if visit.effect.commits:
            self.away = _path(visit.after.url) != _path(self._url) or (elsewhere and visit.after.url != self._url)
        if not was_away and self.away and not writes(visit.effect):
            self._leaving.add(name)
            if elsewhere:
                self._left.add(visit.event.action.href)
        self._stayed = self._stayed or (elsewhere and not visit.effect.commits and visit.after.url != visit.before.url)
        self.begin(visit.after)

    def leaves(self, event: Event) -> bool:
        """Whether the event is known, or believed, to lead to another document."""
        if label(event) in self._leaving:
            return True
        return len(self._left) >= LINKS and not self._stayed and self._elsewhere(event)

    def has(self, url: str) -> bool:
        """Whether the address was one of this page."""
        return url in self._urls

    def concerns(self, pair: Pair) -> bool:
        """Whether one of the two, at least, is done on this page."""
        return not self._states or pair.cause.before in self._states or pair.effect.before in self._states

    @property
    def _url(self) -> str:
        return self._home.url if self._home is not None else ""

    def _elsewhere(self, event: Event) -> bool:
        href = event.action.href
        return href.startswith("http") and event.action.type != "visit" and _document(href) != _document(self._url)


class Staying:
    """Does what another strategy chooses among what stays on the page; comes back when it was left all the same."""

    def __init__(self, strategy: Strategy, page: Page) -> None:
        self._strategy = strategy
        self._page = page

    @property
    def reason(self) -> str:
        return self._strategy.reason

    @reason.setter
    def reason(self, reason: str) -> None:
        self._strategy.reason = reason

    def observe(self, visit: Visit) -> None:
        self._page.observe(visit)
        self._strategy.observe(visit)

    def choose(self, situation: Situation) -> Event | None:
        page = self._page
        page.begin(situation.state)
        pages = [each for each in situation.pages if page.has(each.action.href)]
        if page.away and pages:
            return pages[0]
        # A page that has nothing but links to others is left: there is nothing else to do.
        events = [each for each in situation.events if not page.leaves(each)] or situation.events
        return self._strategy.choose(msgspec.structs.replace(situation, events=events, pages=pages))


def _document(url: str) -> str:
    return url.partition("#")[0]


def _path(url: str) -> tuple[str, str]:
    parts = split_url(url)
    return parts.netloc, parts.path
