"""What the user does in a run: aiming at what is there, and doing it until all is at rest."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from jostle.browser import agent
from jostle.browser.address import origin
from jostle.browser.connection import Params
from jostle.browser.frame import ContextGone
from jostle.browser.rest import Rest
from jostle.browser.stage import Stage
from jostle.browser.turns import Turns
from jostle.browser.user import Aim, User
from jostle.events import Event, NotEnabled


class UserSteps:
    """The user's events of one run."""

    def __init__(
        self,
        stage: Stage,
        rest: Rest,
        turns: Turns,
        user: User,
        *,
        versions: Mapping[str, tuple[int, int]],
        may_act: Callable[[str], bool],
        seconds: float,
    ) -> None:
        """`versions`: the document in each frame, and its version, as far as they were told; `may_act` says whether the
        user may do something in a document of this origin; `seconds`: that an action may take."""
        self._stage = stage
        self._rest = rest
        self._turns = turns
        self._user = user
        self._versions = versions
        self._may_act = may_act
        self._seconds = seconds

    async def aim(self, event: Event) -> Aim:
        """Where it is going to be done. Raises NotEnabled."""
        return self._offered(event) or await self._aim(event)

    def _offered(self, event: Event) -> Aim | None:
        """Where to click, when the only document has just told and nothing has happened since. It has to know the time:
        the press begins an event there before we say so."""
        present = self._stage.present()
        if len(present) != 1 or not _is_press(event) or self._turns.ahead:
            return None
        tab, frame = present[0]
        named = (event.action.tab, event.action.frame)
        if named != (tab.number, frame.path) or not self._may_act(tab.frames.owner(frame)):
            return None
        return self._user.offered(event, tab, frame, self._versions.get(frame.id), self._turns.number - 1)

    async def _aim(self, event: Event) -> Aim:
        number, path = event.action.tab, event.action.frame
        tab = self._stage.tabs[number] if number < len(self._stage.tabs) else None
        frame = next((each for each in tab.frames.values() if each.path == path), None) if tab else None
        if tab is None or frame is None or not tab.usable or not frame.context:
            raise NotEnabled(event, "its page or frame is not there")
        target = origin(event.action.href) if event.action.type == "visit" else tab.frames.owner(frame)
        if event.action.type != "close" and not self._may_act(target):
            raise NotEnabled(event, f"{target or 'this origin'} is not among the allowed origins")
        try:
            turn = {**self._turns.of(event.key), "now": self._turns.moment(event)}
            return await self._user.aim(event, tab, frame, turn, self._seconds)
        except ContextGone:
            raise NotEnabled(event, "its page was replaced") from None

    async def act(self, event: Event, aim: Aim) -> list[Params]:
        """Let the user do it and the documents come to rest."""
        offer = self._user.wants_offers
        if _is_press(event) and self._stage.present() == [(aim.tab, aim.frame)]:
            if "offered" in aim:
                turn = self._turns.of(event.key)
                settled = agent.call("press", turn, event.action.locator, aim["offered"], offer)
            else:
                settled = agent.call("settle", {"pressed": True, "offer": offer})
            return await self._rest.ask_pressing(aim.tab, aim.frame, settled, lambda: self._user.press(aim))
        await self._user.perform(event, aim, self._seconds)
        return await self._rest.ask({}, offer=offer)


def _is_press(event: Event) -> bool:
    """Whether it is a click that has all its effects in the page."""
    return event.action.type == "click" and not event.action.href
