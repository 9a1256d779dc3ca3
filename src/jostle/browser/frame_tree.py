"""The frames of a tab, by their id, whichever process they live in."""

from __future__ import annotations

from jostle.browser.connection import Params, Session
from jostle.browser.containment import owner
from jostle.browser.frame import Frame

_MOST_REASONS = 20


class FrameTree(dict[str, Frame]):
    """Kept up to date by what the Page and Runtime domains tell."""

    def __init__(self, top: str, session: Session) -> None:
        """`top`: the page itself, which is always there."""
        super().__init__({top: Frame(id=top, session=session)})
        self._top = top

    def add(self, frame_id: str, parent: str, session: Session) -> Frame:
        above = self.get(parent)
        path: tuple[int, ...] = ()
        if above is not None:
            above.children += 1
            path = (*above.path, above.children)
        frame = Frame(id=frame_id, session=session, parent=parent, path=path)
        self[frame_id] = frame
        return frame

    def attached(self, session: Session, params: Params) -> None:
        if params["frameId"] not in self:
            self.add(params["frameId"], params["parentFrameId"], session)

    def remove(self, frame_id: str) -> list[str]:
        """A frame and those within it, but for the page itself; the ids of those that are gone."""
        gone = self.remove_within(frame_id)
        if frame_id != self._top:
            self.pop(frame_id, None)
            gone.append(frame_id)
        return gone

    def remove_within(self, frame_id: str) -> list[str]:
        within = [frame.id for frame in self.values() if frame.parent == frame_id]
        return [gone for child in within for gone in self.remove(child)]

    def requested_navigation(self, params: Params) -> None:
        frame = self.get(params["frameId"])
        if frame:
            address = params["url"].split("#", 1)[0]
            frame.reasons.pop(address, None)
            frame.reasons[address] = str(params.get("reason", ""))
            if len(frame.reasons) > _MOST_REASONS:
                del frame.reasons[next(iter(frame.reasons))]
        if frame and params.get("disposition") == "currentTab" and params["url"].startswith(("http:", "https:")):
            frame.navigating = params["url"]

    def context_created(self, session: Session, params: Params) -> None:
        context = params["context"]
        information = context.get("auxData") or {}
        if not information.get("isDefault"):
            return
        frame = self.get(information.get("frameId", ""))
        if frame is not None:
            frame.context, frame.context_number = context["uniqueId"], context["id"]
            frame.origin = str(context.get("origin", ""))
            frame.session = session

    def context_destroyed(self, params: Params) -> None:
        for frame in self.values():
            if frame.context == params.get("executionContextUniqueId"):
                frame.context = ""

    def contexts_cleared(self, session: Session) -> None:
        for frame in self.values():
            if frame.session.id == session.id:
                frame.context = ""

    def speaking(self, session: Session, params: Params) -> list[Frame]:
        """The frame whose document calls the binding; none when that is gone already."""
        number = params.get("executionContextId")
        return [frame for frame in self.values() if frame.session.id == session.id and frame.context_number == number]

    def owner(self, frame: Frame) -> str:
        """The origin that a frame's document belongs to; see `containment.owner`."""
        above = self.get(frame.parent) if frame.parent else None
        return owner(frame.url, frame.origin, self.owner(above) if above is not None else "")

    def sessions(self) -> list[Session]:
        return list({frame.session.id: frame.session for frame in self.values()}.values())
