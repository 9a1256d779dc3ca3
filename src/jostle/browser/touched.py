"""What events read and wrote, as documents tell it."""

from __future__ import annotations

from collections.abc import Sequence

from jostle.browser.agenda import Agenda, document_name
from jostle.browser.connection import Params
from jostle.browser.frame import Frame
from jostle.browser.journal import Journal
from jostle.browser.tab import Tab
from jostle.browser.turns import Turns
from jostle.events import Access, Event
from jostle.events.access import Earlier, condensed
from jostle.events.location import located_in, location_of_event

_ITEM = "item:"
"""How the agent calls something that it holds, and that is to become an event, among locations."""


class Touched:
    """The accesses of one run that are known and were not handed over yet."""

    def __init__(self, agenda: Agenda, journal: Journal, turns: Turns) -> None:
        self._agenda = agenda
        self._journal = journal
        self._turns = turns
        self._first_document = ""
        self._touched: list[Earlier] = []

    def take(self, tab: Tab, frame: Frame, report: Params) -> None:
        """What a document tells that was read and written in it. Objects are numbered document by document, and in one
        that can reach the document around it together with that."""
        accesses = report.pop("accesses", ())
        if not accesses:
            return
        number = int(report.get("document", frame.document))
        numbering, at = frame, number
        for _ in range(int(report["above"])):
            numbering = tab.frames.get(numbering.parent, numbering)
            at = numbering.document
        here, around = self._within(document_name(tab, frame, number)), self._within(document_name(tab, numbering, at))
        for turn, told, write, value, name, source in accesses:
            if told.startswith(_ITEM):
                told = self._agenda.named(frame, number, int(told[len(_ITEM) :]))
                location = location_of_event(told)
            else:
                location = located_in(told, here, around)
            if source and self._journal.rewriting is not None:
                source = self._journal.rewriting.source(source)
            event = self._turns.event_of(turn) or self._journal.current
            if told and event:
                access = Access(location=location, write=write, value=value, name=name, source=source)
                self._touched.append(Earlier(event, access))

    def _within(self, document: str) -> str:
        """The document of a location, for all but the first document of a run."""
        self._first_document = self._first_document or document
        return "" if document == self._first_document else document

    def hand_over(self) -> list[Earlier]:
        """Everything since this was last asked."""
        touched, self._touched = self._touched, []
        return touched


def merged(event: Event, touched: Sequence[Earlier], removed: Sequence[str]) -> tuple[Access, ...]:
    """All that an event read and wrote, the events themselves included: what happens was not taken back."""
    happens = [] if event.by_user else [Access(location=location_of_event(event.key), name=str(event))]
    taken_back = [Access(location=location_of_event(key), write=True, value="cleared") for key in removed]
    return condensed([*happens, *(each.access for each in touched if each.event == event.key), *taken_back])
