"""Words over a page, and a mark around an element, for people who watch. See docs/decisions/011.

The words are the content of a pseudo-element in a style sheet of the DevTools, which no list of the page has; the mark
is drawn by the DevTools over the page. No element is added, no observer hears of it, and no snapshot has it.
"""

from __future__ import annotations

from jostle.browser import agent
from jostle.browser.connection import NoAnswer, ProtocolError
from jostle.browser.frame import ContextGone
from jostle.browser.tab import Tab
from jostle.events import Event

LONGEST = 160
"""Characters."""
_STYLE = """html::after {
  content: "WORDS" !important; display: block !important; visibility: visible !important; opacity: 1 !important;
  position: fixed !important; inset: auto auto 18px 50% !important; transform: translateX(-50%) !important;
  box-sizing: border-box !important; width: max-content !important; max-width: 86vw !important; margin: 0 !important;
  padding: 9px 18px !important; border: 0 !important; border-radius: 10px !important;
  background: #171a24f2 !important; color: #fff !important; box-shadow: 0 2px 14px #0006 !important;
  font: 600 17px/1.4 system-ui, sans-serif !important; letter-spacing: 0 !important; text-align: center !important;
  text-transform: none !important; white-space: pre-wrap !important; overflow-wrap: anywhere !important;
  z-index: 2147483647 !important; pointer-events: none !important;
  animation: none !important; transition: none !important;
}"""
_FILL = {"r": 255, "g": 120, "b": 0, "a": 0.22}
_LINE = {"r": 224, "g": 72, "b": 0, "a": 1}
_SECONDS = 5.0
_LOOK_SECONDS = 2.0

Area = tuple[float, float, float, float]
"""Left, top, width and height in the window, in CSS pixels."""


class Captions:
    """Of the tabs of one run. A page that cannot be written over just now is left as it is."""

    def __init__(self) -> None:
        self._sheets: dict[str, str] = {}
        self._ready: set[str] = set()

    async def show(self, tab: Tab, words: str, area: Area | None = None) -> None:
        """Put words over what a tab shows, and a mark around an area, in place of those that are there."""
        try:
            await self._begin(tab)
            await self._write(tab, _STYLE.replace("WORDS", _in_css(words)) if words else "")
            if area is None:
                await tab.session.send("Overlay.hideHighlight", timeout=_SECONDS)
            else:
                await self._mark(tab, area)
        except (NoAnswer, ProtocolError):
            return

    async def _begin(self, tab: Tab) -> None:
        if tab.session.id not in self._ready:
            for domain in ("DOM", "CSS", "Overlay"):
                await tab.session.send(f"{domain}.enable", timeout=_SECONDS)
            self._ready.add(tab.session.id)

    async def _write(self, tab: Tab, text: str) -> None:
        """A document that came since then has no such style sheet yet."""
        known = self._sheets.get(tab.session.id)
        if known is not None:
            try:
                await tab.session.send("CSS.setStyleSheetText", {"styleSheetId": known, "text": text}, timeout=_SECONDS)
                return
            except ProtocolError:
                pass
        made = await tab.session.send("CSS.createStyleSheet", {"frameId": tab.main.id}, timeout=_SECONDS)
        self._sheets[tab.session.id] = made["styleSheetId"]
        given = {"styleSheetId": made["styleSheetId"], "text": text}
        await tab.session.send("CSS.setStyleSheetText", given, timeout=_SECONDS)

    async def _mark(self, tab: Tab, area: Area) -> None:
        left, top, width, height = area
        right, bottom = left + width, top + height
        quad = [left, top, right, top, right, bottom, left, bottom]
        wanted = {"quad": quad, "color": _FILL, "outlineColor": _LINE}
        await tab.session.send("Overlay.highlightQuad", wanted, timeout=_SECONDS)


def _in_css(words: str) -> str:
    """Any text as the inside of a string in CSS."""
    flat = " ".join(words.split())
    cut = flat if len(flat) <= LONGEST else f"{flat[: LONGEST - 1]}…"
    plain = cut.encode("utf-8", "replace").decode()
    return "".join(each if each.isascii() and each.isalnum() else f"\\{ord(each):x} " for each in plain)


async def whereabouts(tab: Tab, event: Event) -> Area | None:
    """Of an element in the main frame."""
    locator = event.action.locator
    if locator is None or event.action.frame or event.action.element == "html":
        return None
    try:
        box = await tab.ask(tab.main, agent.call("whereabouts", locator), _LOOK_SECONDS)
    except (ContextGone, NoAnswer):
        return None
    return tuple(map(float, box)) if box and len(box) == 4 else None  # type: ignore[return-value]
