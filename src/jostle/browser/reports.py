"""What documents tell when they are at rest, and the effect of an event that is made of it."""

from __future__ import annotations

import re

from jostle.browser.address import origin
from jostle.browser.agenda import Agenda
from jostle.browser.connection import Params
from jostle.browser.frame import Frame
from jostle.browser.sockets import Sockets
from jostle.browser.stage import Stage
from jostle.browser.tab import Tab
from jostle.browser.touched import Touched, merged
from jostle.browser.turns import Turns
from jostle.browser.user import User
from jostle.events import Box, Change, Effect, Event, FormWrite, Kind, Milestone, StorageWrite

_WS = re.compile(r"\Aws(?=s?:)")


class Reports:
    """Those of one run, given to whom they concern."""

    def __init__(
        self,
        stage: Stage,
        agenda: Agenda,
        turns: Turns,
        sockets: Sockets,
        user: User,
        *,
        versions: dict[str, tuple[int, int]],
        touched: Touched | None,
    ) -> None:
        """`versions`: the document in each frame, and its version, is noted there. `touched`: where accesses are noted;
        None when nobody wants to know them."""
        self._stage = stage
        self._agenda = agenda
        self._turns = turns
        self._sockets = sockets
        self._user = user
        self._versions = versions
        self._touched = touched

    def take(self, tab: Tab, frame: Frame, report: Params) -> None:
        self._versions[frame.id] = (frame.document, int(report["version"]))
        self._turns.passed(float(report["now"]))
        for words in report["limits"]:
            self._stage.journal.limit(words)
        for item in report["traffic"]:
            if item["type"] == "new":
                self._stage.gate.went_to(_WS.sub("http", item["address"]))
            self._sockets.take(frame, item)
        if report["context"] != frame.context:
            self._take_accesses(tab, frame, report)
            return  # what it held went with it
        offered = report.pop("offered", None)
        self._user.told(frame, self._versions[frame.id], offered, self._turns.number)
        for entry in report["created"]:
            if self._stage.journal.rewriting is not None:
                for name in ("what", "channel", "site"):
                    if entry.get(name):
                        entry[name] = self._stage.journal.rewriting.restored(entry[name])
            if entry.get("channel") == "storage" and not self._has_neighbour(frame):
                continue  # what the document before it in the same tab wrote last: it comes or it does not
            self._agenda.add(tab, frame, entry, self._stage.journal.current)
        self._agenda.parsed(frame, report["fenced"], self._stage.journal.current)
        if report["removed"]:
            self._agenda.cancel(frame, set(report["removed"]))
        self._take_accesses(tab, frame, report)

    def _has_neighbour(self, frame: Frame) -> bool:
        """Whether another document of the same origin is open."""
        return any(other is not frame and origin(other.url) == origin(frame.url) for _, other in self._stage.present())

    def _take_accesses(self, tab: Tab, frame: Frame, report: Params) -> None:
        if self._touched is not None:
            self._touched.take(tab, frame, report)

    def partings(self) -> list[Params]:
        """What documents told of themselves when they were about to be left."""
        reports = []
        for tab in self._stage.tabs:
            for report in tab.parting:
                frame = tab.frames.get(report["frame"])
                if frame is not None:
                    self.take(tab, frame, report)
                reports.append(report)
            tab.parting.clear()
        return reports

    def effect(self, event: Event, reports: list[Params], before: set[str], *, hung: str, cost: int | None) -> Effect:
        """What the event did. `before`: the keys of what could happen before it."""
        self._agenda.leave(
            {
                frame.id
                for tab in self._stage.tabs
                if tab.leaving
                for frame in tab.frames.values()
                if tab.unreachable(frame)
            }
        )
        notes = self._stage.journal.take()
        lifecycle = [*notes["lifecycle"], *(Milestone(str(each)) for report in reports for each in report["lifecycle"])]
        removed = tuple(sorted(before - self._agenda.keys - {event.key}))
        touched = self._touched.hand_over() if self._touched is not None else []
        return Effect(
            created=self._agenda.since(before),
            removed=removed,
            changes=tuple(_change(change) for report in reports for change in report["changes"]),
            form_writes=tuple(FormWrite(**write) for report in reports for write in report["formWrites"]),
            storage_writes=tuple(StorageWrite(**write) for report in reports for write in report["storageWrites"]),
            requests=notes["requests"],
            answers=notes["answers"],
            errors=notes["errors"],
            dialogs=notes["dialogs"],
            downloads=notes["downloads"],
            lifecycle=tuple(lifecycle),
            accesses=merged(event, touched, removed) if self._touched is not None else (),
            earlier=tuple(each for each in touched if each.event != event.key),
            default_prevented=any(report["prevented"] for report in reports),
            frames=sum(report.get("frames", 0) for report in reports) if event.kind is Kind.FRAME else 0,
            cost=cost,
            hung=hung,
            limits=notes["limits"],
        )


def _change(change: Params) -> Change:
    box = change.get("box")
    return Change(what=change["what"], target=change["target"], box=Box(*map(float, box)) if box else None)
