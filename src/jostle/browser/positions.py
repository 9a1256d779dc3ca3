"""Where things are: a frame in its page, an element in its document, a page in its tab's history."""

from __future__ import annotations

from collections.abc import Sequence

from jostle.browser import agent
from jostle.browser.connection import Params, ProtocolError
from jostle.browser.frame import ContextGone, Frame
from jostle.browser.tab import Tab
from jostle.events import Locator


async def entry_before(tab: Tab) -> Params | None:
    """The page before this one in the tab's history; the empty page that every tab begins with is none."""
    try:
        history = await tab.session.send("Page.getNavigationHistory")
    except ProtocolError:  # the page is just going
        return None
    at = int(history["currentIndex"])
    before: Params | None = history["entries"][at - 1] if at > 0 else None
    return before if before and before["url"].startswith(("http:", "https:")) else None


async def object_of(frame: Frame, locator: Locator | None) -> str:
    try:
        found = await frame.session.send(
            "Runtime.evaluate",
            {"expression": f"{agent.call('find', locator)}.element", "uniqueContextId": frame.context},
        )
    except ProtocolError:
        raise ContextGone from None
    return str(found["result"].get("objectId", ""))


async def offset_of(tab: Tab, frame: Frame, box: Sequence[float]) -> tuple[float, float]:
    """Where a frame's viewport begins in the page's. A frame in a process of its own is brought into view first."""
    left = top = 0.0
    inner = frame
    moved = False
    while frame.parent:
        parent = tab.frames[frame.parent]
        try:
            owner = await parent.session.send("DOM.getFrameOwner", {"frameId": frame.id})
            node = {"backendNodeId": owner["backendNodeId"]}
            model = (await parent.session.send("DOM.getBoxModel", node))["model"]
            if frame.session.id != parent.session.id:
                # Chromium scrolls ancestors in other processes some time later: do it now.
                edge = model["content"][0] - model["border"][0] + left, model["content"][1] - model["border"][1] + top
                rect = {"x": box[0] + edge[0], "y": box[1] + edge[1], "width": box[2], "height": box[3]}
                before = model["content"]
                await parent.session.send("DOM.scrollIntoViewIfNeeded", {**node, "rect": rect})
                model = (await parent.session.send("DOM.getBoxModel", node))["model"]
                moved = moved or before != model["content"]
        except ProtocolError:
            raise ContextGone from None
        left += model["content"][0]
        top += model["content"][1]
        # Within one process boxes are given in the coordinates of its outermost frame.
        while parent.parent and tab.frames[parent.parent].session.id == parent.session.id:
            parent = tab.frames[parent.parent]
        frame = parent
    if moved:  # input goes by what was painted last
        for each in (tab.main, inner):
            await tab.ask(each, _TWO_FRAMES, 5)
    return left, top


_TWO_FRAMES = f"""new Promise((done) => {{
  const {{ requestAnimationFrame, setTimeout }} = {agent.AGENT}.native;
  requestAnimationFrame.call(window, () => requestAnimationFrame.call(window, () => done()));
  setTimeout.call(window, done, 300);
}})"""
