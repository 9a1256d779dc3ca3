"""Pictures of what a tab shows."""

from __future__ import annotations

import base64

from jostle.browser.connection import NoAnswer, Params, ProtocolError
from jostle.browser.settings import TabSettings
from jostle.browser.tab import Tab

_HIGHEST = 3000
"""Pixels of a page that are in its picture."""


async def screenshot(tab: Tab, *, whole: bool = False) -> bytes:
    """A PNG of what a tab shows; empty when nothing can be painted (a stylesheet is being held).

    `whole`: with what one would have to scroll to. The page sees its window grow for it.
    """
    wanted: Params = {"format": "png"}
    try:
        if whole:
            wanted |= _beyond(await tab.session.send("Page.getLayoutMetrics", timeout=5))
        picture = await tab.session.send("Page.captureScreenshot", wanted, timeout=5)
    except (NoAnswer, ProtocolError):
        return b""
    return base64.b64decode(picture["data"])


async def thumbnail(tab: Tab, settings: TabSettings, width: int) -> bytes:
    """A small JPEG of what a tab shows; empty when nothing can be painted."""
    size = {"x": 0, "y": 0, "width": settings.width, "height": settings.height}
    wanted = {"format": "jpeg", "quality": 60, "clip": {**size, "scale": width / settings.width}}
    try:
        picture = await tab.session.send("Page.captureScreenshot", wanted, timeout=5)
    except (NoAnswer, ProtocolError):
        return b""
    return base64.b64decode(picture["data"])


def _beyond(metrics: Params) -> Params:
    """How to take a picture of a page that is higher than its window."""
    size, window = metrics["cssContentSize"], metrics["cssLayoutViewport"]
    if size["height"] <= window["clientHeight"]:
        return {}
    part = {"x": 0, "y": 0, "width": window["clientWidth"], "height": min(size["height"], _HIGHEST), "scale": 1}
    return {"clip": part, "captureBeyondViewport": True}
