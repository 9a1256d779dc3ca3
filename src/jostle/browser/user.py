"""The user of the page: what a person could do now, and doing it with trusted input."""

from __future__ import annotations

import asyncio
import contextlib
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from jostle.browser import agent
from jostle.browser.connection import NoAnswer, Params, ProtocolError
from jostle.browser.frame import ContextGone, Frame
from jostle.browser.inputs import KEYBOARD_ACTIONS, Inputs
from jostle.browser.positions import entry_before, object_of, offset_of
from jostle.browser.tab import Tab
from jostle.events import Event, Field, Locator, NotEnabled, UserAction, UserEvent
from jostle.events.detail import lenient, place_in_browser

UNPAINTED = "nothing has been painted yet"
MOST_OFFERED = 100
MOST_TYPED = 2000
"""Characters that are taken over from a page into a field: each is a key that is pressed."""
FIRST_PAINT = 1.0
"""Seconds to wait for it; an empty page is never painted."""

_POINTED = 5
"""How often the pointer is moved to a frame that has not felt it."""

SCROLL_MS = 500
"""Real milliseconds after which a turned wheel is taken to scroll nothing: the page may have forbidden it."""

_SAMPLES = {
    "email": "user@example.com",
    "url": "https://example.com/",
    "tel": "5550100",
    "number": "7",
    "date": "2026-03-14",
    "time": "12:30",
    "datetime-local": "2026-03-14T12:30",
    "month": "2026-03",
    "week": "2026-W11",
    "color": "#336699",
    "password": "Passw0rd!",
}


class Aim(dict[str, Any]):
    """Where an action is going to be done: the points and, for files and pickers, the field itself."""

    tab: Tab
    frame: Frame


class User:
    """One user for one run; keeps what was offered so that an unchanged page is not asked twice."""

    def __init__(self, unpaintable: Callable[[Frame], bool] = lambda frame: False) -> None:
        """`unpaintable` tells of a frame that nothing can be painted in it now: a stylesheet is being held."""
        self.unpaintable = unpaintable
        self.reason = ""
        """Why the last document that was asked offers nothing, in words."""
        self._empty: set[tuple[str, int]] = set()
        self._offered: dict[str, tuple[tuple[int, int], list[Params]]] = {}
        self._expects = -1  # the turn at the end of which the last document that was heard has told what can be done
        self._hands: dict[str, Inputs] = {}
        self._files: tempfile.TemporaryDirectory[str] | None = None

    @property
    def wants_offers(self) -> bool:
        """Whether a page may tell what can be done next along with what was done: it is asked for, and quickly told."""
        return 0 < max((len(offered) for _, offered in self._offered.values()), default=0) <= MOST_OFFERED

    def told(self, frame: Frame, version: tuple[int, int], answer: Params | None, turn: int) -> None:
        """A frame's document of this version has come to rest in a turn. `answer` is what can be done in it, if it told
        without being asked for that; if not, it does not expect to be pressed without being asked."""
        if answer is None:
            self._expects = -1
        elif answer["painted"]:
            self._offered[frame.id] = (version, answer["actions"])
            self._expects = turn

    def offered(self, event: Event, tab: Tab, frame: Frame, version: tuple[int, int] | None, turn: int) -> Aim | None:
        """Where to press, if the frame's document has told at the end of this turn and is still the same."""
        known = self._offered.get(frame.id)
        if known is None or known[0] != version or self._expects != turn:
            return None
        for action in known[1]:
            if (
                action["action"] == "click"
                and "at" in action
                and lenient(action["locator"], Locator) == event.action.locator
            ):
                x, y = action["at"]
                aim = Aim(points=[{"x": x, "y": y}], offered=action["at"])
                aim.tab, aim.frame = tab, frame
                return aim
        return None

    async def actions(
        self, tab: Tab, frame: Frame, version: tuple[int, int] | None, may_open: Callable[[str], bool], turn: int = -1
    ) -> list[Event]:
        """The user's events in one frame. `version` is the document's last known version."""
        known = self._offered.get(frame.id)
        if known is not None and version is not None and known[0] == version:
            offered = known[1]
        else:
            try:
                answer = await self._painted(
                    tab, frame, agent.call("offer"), lambda told: told["painted"] or told.get("blank", False)
                )
            except (ContextGone, NoAnswer):
                return []
            offered = answer["actions"] if answer else []
            self.reason = answer["reason"] if answer and not offered else ""
            if version is not None and answer and answer["painted"]:
                self._offered[frame.id] = (version, offered)
                self._expects = turn
        return [
            user_event(action, tab=tab.number, frame=frame.path)
            for action in offered
            if may_open(action.get("href", ""))
        ]

    async def aim(self, event: Event, tab: Tab, frame: Frame, turn: Params, timeout: float) -> Aim:
        """Find the element again and make sure that a person could do this now. Raises NotEnabled with the reason.

        The frame's document learns of the event on the same way.
        """
        action = event.action
        if action.type == "back":
            return await self._aim_back(event, tab)
        if action.type == "visit":
            aim = Aim(visit=action.href)
            aim.tab, aim.frame = tab, tab.main
            return aim
        if action.type == "leave":
            aim = Aim(leave=True)
            aim.tab, aim.frame = tab, tab.main
            return aim
        if action.type == "close":
            aim = Aim(close=True)
            aim.tab, aim.frame = tab, tab.main
            return aim
        keyboard = action.type in KEYBOARD_ACTIONS
        if action.type == "drag":
            points_of = f"await {agent.call('points', [action.locator, action.to])}"
        else:
            points_of = f"[await {agent.call('point', action.locator, {'keyboard': keyboard})}]"
        # The page may have methods of lists of its own.
        refused = (
            "for (let n = 0; points && n < points.length; n++) "
            f"if (!points[n] || points[n].reason) {{ {agent.call('withdraw', turn)}; break; }}"
        )
        told = f"return {agent.AGENT}?.thenless(points) ?? points"
        question = f"(async () => {{ {agent.call('enter', turn)}; const points = {points_of}; {refused}; {told}; }})()"
        try:
            points = await self._painted(
                tab, frame, question, lambda told: told[0] is None or told[0].get("reason") != UNPAINTED
            )
        except NoAnswer:
            raise NotEnabled(event, "the page does not answer") from None
        for point in points:
            if point is None or point.get("reason"):
                raise NotEnabled(event, (point or {}).get("reason", "the page has no agent"))
        left, top = await offset_of(tab, frame, points[-1]["box"])
        aim = Aim(points=[{**point, "x": point["x"] + left, "y": point["y"] + top} for point in points])
        aim.tab, aim.frame = tab, frame
        if action.type in ("upload", "fill"):
            aim["object"] = await object_of(frame, action.locator)
        elif frame.session.id != tab.main.session.id:
            uses_mouse = action.type != "tap" and not (keyboard and points[0].get("focused"))
            if uses_mouse:
                with contextlib.suppress(NoAnswer):  # busy with what the pointer has set off: told when it is pressed
                    await self._point(aim)
        return aim

    async def _point(self, aim: Aim) -> None:
        """Brings the pointer to a frame of another process, and makes sure that it has arrived: the browser looks for
        the frame where it was painted last, and what is pressed before that is lost."""
        hands, point = self._hands_in(aim.tab), aim["points"][0]
        x, y = float(point["x"]), float(point["y"])
        for attempt in range(_POINTED):
            await aim.tab.ask(aim.frame, agent.call("watchPointer"), 5)
            with contextlib.suppress(TimeoutError, ProtocolError):
                async with asyncio.timeout(1):
                    if attempt:  # who has not moved is not heard
                        await hands.hover(x, y + 1)
                    await hands.hover(x, y)
            if await aim.tab.ask(aim.frame, agent.call("pointed", 100), 5):
                return

    async def back(self, tab: Tab, may_open: Callable[[str], bool]) -> list[Event]:
        """Going back in a tab that has a page to go back to."""
        entry = await entry_before(tab)
        if entry is None or not may_open(entry["url"]):
            return []
        return [user_event({"action": "back", "words": "go back"}, tab=tab.number)]

    async def _aim_back(self, event: Event, tab: Tab) -> Aim:
        entry = await entry_before(tab)
        if entry is None:
            raise NotEnabled(event, "there is no page to go back to")
        aim = Aim(entry=entry)
        aim.tab, aim.frame = tab, tab.main
        return aim

    async def _painted(self, tab: Tab, frame: Frame, question: str, painted: Callable[[Any], bool]) -> Any:
        """Ask once something is painted, if anything can be: the browser paints in its own time, and a person acts on
        what is seen."""
        document = (frame.id, frame.document)
        waits = document not in self._empty and not self.unpaintable(frame)
        deadline = time.monotonic() + FIRST_PAINT
        while True:
            told = await tab.ask(frame, question, 10)
            if not told or painted(told) or not waits:
                return told
            if time.monotonic() > deadline:
                self._empty.add(document)
                return told
            await asyncio.sleep(0.01)

    def press(self, aim: Aim) -> asyncio.Future[Params]:
        """Click where it was aimed at; the result is there when the browser calls it done."""
        point = aim["points"][0]
        return self._hands_in(aim.tab).press_at(float(point["x"]), float(point["y"]))

    def _hands_in(self, tab: Tab) -> Inputs:
        hands = self._hands.get(tab.target)
        if hands is None:
            session = tab.session
            hands = self._hands[tab.target] = Inputs(lambda method, params: session.post(method, params))
            tab.on_input = hands.event
        return hands

    async def perform(self, event: Event, aim: Aim, timeout: float) -> None:
        """Do it. Bounded: a dialog or a navigation may swallow the browser's answer."""
        if aim.get("close"):
            await aim.tab.close()
            aim.tab.closed = True
            return
        if aim.get("leave"):
            with contextlib.suppress(TimeoutError, ProtocolError):
                async with asyncio.timeout(timeout):
                    await self._hands_in(aim.tab).leave()
            return
        if url := aim.get("visit"):
            aim.tab.main.navigating = url
            aim.tab.sent_away = True
            aim.tab.session.post("Page.navigate", {"url": url})  # answered when the page has come, which it may not
            return
        if entry := aim.get("entry"):
            aim.tab.main.navigating = entry["url"]
            await aim.tab.session.send("Page.navigateToHistoryEntry", {"entryId": entry["id"]}, timeout=timeout)
            return
        hands = self._hands_in(aim.tab)
        points = aim["points"]
        frame_session = aim.frame.session
        files = []
        scrolled: asyncio.Future[Any] | None = None
        if event.action.type == "scroll":
            scrolled = asyncio.ensure_future(aim.tab.ask(aim.frame, agent.call("scrolled", SCROLL_MS), timeout))
        if event.action.type == "upload":
            files = [str(_sample_file(self._folder(), event.action))]
        with contextlib.suppress(TimeoutError, ProtocolError):
            async with asyncio.timeout(timeout):
                await hands.perform(
                    event.action,
                    points[0],
                    to=points[1] if len(points) > 1 else None,
                    object_id=aim.get("object", ""),
                    files=files,
                    owner=lambda method, params: frame_session.post(method, params),
                )
        if scrolled is not None:
            with contextlib.suppress(ContextGone, NoAnswer):
                await scrolled

    def _folder(self) -> Path:
        """For files to upload: the browser reads them when the form is sent."""
        if self._files is None:
            self._files = tempfile.TemporaryDirectory(prefix="jostle-upload-")
        return Path(self._files.name)

    def leave(self) -> None:
        """The run is over."""
        if self._files is not None:
            self._files.cleanup()
            self._files = None


LEAVE = UserEvent(what="move the pointer away", detail=UserAction(type="leave"))
"""So that nothing looks as it does only below the pointer."""


def visit(url: str, *, words: str = "", tab: int = 0) -> UserEvent:
    """Going to an address, as a person does by typing it or choosing a bookmark. `words` is the address for people."""
    return user_event({"action": "visit", "href": url, "words": f"visit {words or url}"}, tab=tab)


def user_event(action: Params, *, tab: int = 0, frame: tuple[int, ...] = (), value: str | None = None) -> UserEvent:
    """The event of an action the page offers. `value` replaces the text proposed for a field."""
    words, told = str(action["words"]), lenient(action, UserAction)
    detail = msgspec.structs.replace(told, tab=tab, frame=frame)
    if not told.enters_text:
        return UserEvent(what=words + place_in_browser(frame, tab), detail=detail)
    text = value if isinstance(value, str) else sample(told.field or Field())
    entering = msgspec.structs.replace(detail, value=text)
    return UserEvent(what=entering.entry, detail=entering)


def sample(field: Field) -> str:
    """A plain value that a field of this type accepts."""
    if field.suggestions and len(field.suggestions[0]) <= MOST_TYPED:
        return field.suggestions[0]
    if field.type == "number" or field.inputmode == "numeric":
        return _number_between(field.min, field.max)
    if field.type in ("date", "time", "month", "week") and field.min:
        text = field.min
    else:
        text = _SAMPLES.get(field.type, "milk")
    longest = field.maxlength
    return text[: int(longest)] if longest.isdigit() and int(longest) > 0 else text


def _number_between(low: str, high: str) -> str:
    for bound in (low, high):
        with contextlib.suppress(ValueError):
            number = float(bound)
            return str(int(number) if number.is_integer() else number)
    return _SAMPLES["number"]


def _sample_file(folder: Path, action: UserAction) -> Path:
    if action.file:
        return Path(action.file)
    accept = action.field.accept if action.field is not None else ""
    ending = next((part.strip() for part in accept.split(",") if part.strip().startswith(".")), ".txt")
    file = folder / f"sample{ending}"
    file.write_text("A file from jostle.\n")
    return file
