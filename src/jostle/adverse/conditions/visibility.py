"""The page is hidden, frozen, or loses the focus, and comes back.

Playwright makes every page believe that it has the focus and is seen, and then a page cannot be hidden from outside. So
the page is told what it would be told: the properties say so, and the events are dispatched. What is not seen by such a
page, timers that stop and sockets that close, does not happen, and the condition says that it was approximated.
"""

from __future__ import annotations

from jostle.adverse.condition import Condition, Ground, Neutral, NotRestored, Pass
from jostle.adverse.conditions.hearing import hears
from jostle.adverse.conditions.waiting import frame

APPROXIMATED = "the page was told so by its own properties and events, since Playwright keeps pages in view"

IN_VIEW = "document.visibilityState === 'visible' && document.hasFocus()"
"""JavaScript: the page is in view and focused."""
NOT_IN_VIEW = "the page is not in view again"

HIDING = ("visibilitychange", "blur", "focus")
FREEZING = ("freeze", "resume")

_BEING_HIDDEN = """((told) => {
    const windows = [];
    const gather = (one) => {
        try { one.document.hidden; } catch { return; }
        windows.push(one);
        for (let at = 0; at < one.frames.length; at += 1) gather(one.frames[at]);
    };
    gather(window);
    const tell = (name) => {
        for (const one of windows) {
            const { document } = one;
            if (name === "hidden" || name === "visible") {
                if (name === "hidden") {
                    Object.defineProperty(document, "hidden", { get: () => true, configurable: true });
                    Object.defineProperty(document, "visibilityState", { get: () => "hidden", configurable: true });
                } else {
                    delete document.hidden;
                    delete document.visibilityState;
                }
                document.dispatchEvent(new one.Event("visibilitychange", { bubbles: true }));
            } else if (name === "pagehide" || name === "pageshow") {
                one.dispatchEvent(new one.PageTransitionEvent(name, { persisted: true }));
            } else if (name === "blur" || name === "focus") {
                if (one === window) one.dispatchEvent(new one.FocusEvent(name));
            } else {
                document.dispatchEvent(new one.Event(name));
            }
        }
    };
    const { port1, port2 } = new MessageChannel();
    const task = () => new Promise((done) => { port1.onmessage = done; port2.postMessage(0); });
    return told.reduce((before, name) => before.then(() => { tell(name); return task(); }), Promise.resolve())
        .then(() => { port1.close(); return document.visibilityState === "visible" && document.hasFocus(); });
})"""

_UNFOCUSED = """((told) => {
    if (told === "blur") Object.defineProperty(document, "hasFocus", { value: () => false, configurable: true });
    else delete document.hasFocus;
    window.dispatchEvent(new FocusEvent(told));
})"""


async def tell(ground: Ground, *events: str) -> bool:
    """Tells all documents of the page in turn what would be told by the browser: `hidden` and `visible` for
    `visibilitychange`, the others by their names. Gives whether the page is in view then."""
    return bool(await ground.evaluate(f"{_BEING_HIDDEN}({list(events)!r})"))


async def told_and_back(ground: Ground, *events: str) -> None:
    """The same with events after which the page must be in view."""
    if not await tell(ground, *events) and (why := await _in_view(ground)):
        raise NotRestored(why)


async def _hide(ground: Ground) -> str:
    await told_and_back(ground, "blur", "hidden", "visible", "focus")
    return APPROXIMATED


async def _freeze(ground: Ground) -> str:
    await told_and_back(ground, "blur", "hidden", "freeze", "resume", "visible", "focus")
    return APPROXIMATED


async def _blur(ground: Ground) -> str:
    """Focus can be taken from a page truly, where the window can be minimised."""
    try:
        window = await ground.send("Browser.getWindowForTarget")
        # What another session turned on is turned off only by one that had it on.
        await ground.send("Emulation.setFocusEmulationEnabled", enabled=True)
        await ground.send("Emulation.setFocusEmulationEnabled", enabled=False)
    except Exception:
        return await _told_of_focus(ground)
    number = window["windowId"]
    try:
        await ground.send("Browser.setWindowBounds", windowId=number, bounds={"windowState": "minimized"})
        lost = await ground.until("!document.hasFocus()", seconds=1)
        state = window["bounds"].get("windowState", "normal")
        await ground.send("Browser.setWindowBounds", windowId=number, bounds={"windowState": state})
        if lost:
            await ground.until("document.hasFocus()", seconds=1)
    finally:
        await ground.send("Emulation.setFocusEmulationEnabled", enabled=True)
    return "" if lost else await _told_of_focus(ground)


async def _told_of_focus(ground: Ground) -> str:
    for told in ("blur", "focus"):
        await ground.evaluate(f"{_UNFOCUSED}({told!r})")
        await frame(ground)
    return "the page was told so by its own events, since its window cannot be minimised"


async def _in_view(ground: Ground) -> str:
    return "" if await ground.until(IN_VIEW, seconds=2) else NOT_IN_VIEW


CONDITIONS = (
    Condition(
        name="blur",
        title="the window loses and regains the focus",
        what="The window is minimised and restored, so that the page hears blur and focus; it counts as visible.",
        why="People change windows all the time and expect to go on where they were.",
        in_pass=Pass.KEPT,
        neutral=Neutral.COMMONLY,
        inject=_blur,
        at_once=True,
        restored=_in_view,
        matters=hears("blur", "focus", "focusin", "focusout"),
        conflicts=frozenset({"bring_to_front"}),
        cost="40 ms",
    ),
    Condition(
        name="hide",
        title="the tab is hidden and shown again",
        what="The page hears blur, visibilitychange (hidden), visibilitychange (visible) and focus, as when another "
        "tab is looked at. Approximated under Playwright.",
        why="People look at another tab and come back. Not for tests of what happens while hidden: videos that pause, "
        "locks, polling that stops.",
        in_pass=Pass.KEPT,
        neutral=Neutral.COMMONLY,
        inject=_hide,
        at_once=True,
        matters=hears(*HIDING),
        conflicts=frozenset({"bring_to_front"}),
        cost="10 ms",
    ),
    Condition(
        name="freeze",
        title="the hidden tab is frozen by the browser and resumed",
        what="The page hears hidden, freeze, resume and visible, as when a browser saves memory. Approximated under "
        "Playwright: timers go on and sockets stay open.",
        why="Browsers freeze tabs that nobody looks at; the page is expected to go on afterwards.",
        in_pass=Pass.KEPT,
        neutral=Neutral.COMMONLY,
        inject=_freeze,
        at_once=True,
        matters=hears(*HIDING, *FREEZING),
        conflicts=frozenset({"bring_to_front"}),
        cost="10 ms",
    ),
)
