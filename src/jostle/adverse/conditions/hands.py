"""What the user's hands do without meaning anything by it."""

from __future__ import annotations

from typing import Any

from jostle.adverse.condition import Condition, Ground, Neutral, NotRestored, Pass
from jostle.adverse.conditions.hearing import POINTER, hears
from jostle.adverse.conditions.waiting import frame

# In quirks mode a bare :hover is for links only.
_HOVERED = """(() => {
    const all = document.querySelectorAll(":not(none):hover");
    if (!all.length) return null;
    const box = all[all.length - 1].getBoundingClientRect();
    const left = Math.max(box.left, 0), right = Math.min(box.right, innerWidth);
    const top = Math.max(box.top, 0), bottom = Math.min(box.bottom, innerHeight);
    return right > left && bottom > top ? [(left + right) / 2, (top + bottom) / 2] : null;
})()"""

_SCROLLS = "Math.max(document.documentElement.scrollHeight - innerHeight, 0)"

# Tab means something else in an editor.
_FOCUSED = """(() => {
    const active = document.activeElement;
    return !!active && active !== document.body && !active.isContentEditable
        && /^(INPUT|SELECT|BUTTON|A|SUMMARY)$/.test(active.tagName);
})()"""

_SELECTION = """function () {
    try { return [this.selectionStart, this.selectionEnd]; } catch { return null; }
}"""
_RETURN = """function (selection) {
    const came = document.activeElement === this;
    if (!came) this.focus();
    try { if (selection && selection[0] !== null) this.setSelectionRange(...selection); } catch {}
    return [came, document.activeElement === this];
}"""

_KEYBOARD = ("blur", "focus", "focusin", "focusout", "keydown", "keyup", "change")
_TAB = {"key": "Tab", "code": "Tab", "windowsVirtualKeyCode": 9}
_SHIFT = 8
_ESCAPE = {"key": "Escape", "code": "Escape", "windowsVirtualKeyCode": 27}


async def _press(ground: Ground, key: dict[str, Any], modifiers: int = 0) -> None:
    await ground.send("Input.dispatchKeyEvent", type="rawKeyDown", modifiers=modifiers, **key)
    await ground.send("Input.dispatchKeyEvent", type="keyUp", modifiers=modifiers, **key)


async def _move(ground: Ground, x: float, y: float) -> None:
    await ground.send("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)


async def _pointer(ground: Ground) -> str:
    place = await ground.evaluate(_HOVERED)
    await _move(ground, -1, -1)
    await frame(ground)
    if place:
        await _move(ground, *place)
        await frame(ground)
    return ""


async def _keyboard_focus(ground: Ground) -> str:
    active = (await ground.send("Runtime.evaluate", expression="document.activeElement"))["result"]["objectId"]
    asked = await ground.send(
        "Runtime.callFunctionOn", objectId=active, functionDeclaration=_SELECTION, returnByValue=True
    )
    await _press(ground, _TAB)
    await frame(ground)
    await _press(ground, _TAB, _SHIFT)
    returned = await ground.send(
        "Runtime.callFunctionOn",
        objectId=active,
        functionDeclaration=_RETURN,
        arguments=[{"value": asked["result"].get("value")}],
        returnByValue=True,
    )
    await ground.send("Runtime.releaseObject", objectId=active)
    came, there = returned["result"]["value"]
    if not there:
        raise NotRestored("the focus did not come back to where it was")
    return "" if came else "the focus was put back by script, since Shift+Tab led elsewhere"


async def _scroll(ground: Ground) -> str:
    x, y = await ground.evaluate("[scrollX, scrollY]")
    await ground.evaluate(f"scrollTo({{ top: {_SCROLLS}, behavior: 'instant' }})")
    await frame(ground)
    await ground.evaluate(f"scrollTo({{ left: {x}, top: {y}, behavior: 'instant' }})")
    await frame(ground)
    return ""


async def _context_menu(ground: Ground) -> str:
    for kind in ("mousePressed", "mouseReleased"):
        await ground.send("Input.dispatchMouseEvent", type=kind, x=1, y=1, button="right", clickCount=1)
    await _press(ground, _ESCAPE)
    await frame(ground)
    return ""


_TWICE = """(() => {
    const again = (event) => { if (event.isTrusted && event.target.isConnected) {
        const { target } = event;
        setTimeout(() => target.isConnected && target.click(), 30);
    } };
    addEventListener("click", again, true);
    window[Symbol.for("jostle.twice")] = () => removeEventListener("click", again, true);
})()"""


async def _twice(ground: Ground) -> None:
    await ground.evaluate(_TWICE)


async def _once(ground: Ground, begun: Any) -> None:
    await ground.evaluate(
        'window[Symbol.for("jostle.twice")]?.(); delete window[Symbol.for("jostle.twice")]; undefined'
    )


CONDITIONS = (
    Condition(
        name="pointer",
        title="the mouse pointer leaves the page and comes back",
        what="The pointer moves out of the window and back to the element that it was over: mouseleave, mouseenter.",
        why="The pointer means nothing until it clicks. Not for tests of menus that open on hovering.",
        in_pass=Pass.KEPT,
        neutral=Neutral.ASSUMED,
        inject=_pointer,
        at_once=True,
        matters=f"{hears(*POINTER)} && {_HOVERED}",
        conflicts=frozenset({"hover", "move", "down", "up", "drag_to", "drag_and_drop"}),
        cost="50 ms",
    ),
    Condition(
        name="keyboard-focus",
        title="the keyboard focus leaves the field and comes back",
        what="Tab and Shift+Tab: keydown, focusout and focusin, and change if something was typed.",
        why="Who looks around in a form changes nothing. Messages of a field that was left early are acceptable.",
        in_pass=Pass.KEPT,
        neutral=Neutral.ASSUMED,
        inject=_keyboard_focus,
        at_once=True,
        matters=f"{hears(*_KEYBOARD)} && {_FOCUSED}",
        conflicts=frozenset({"focus", "blur", "press_sequentially", "type", "press", "insert_text"}),
        cost="40 ms",
    ),
    Condition(
        name="scroll",
        title="the page is scrolled to its end and back",
        what="The window is scrolled to the end of the page and back: scroll events, observers of what is in view.",
        why="Scrolling is looking. Lists that grow while they are scrolled should only have more.",
        in_pass=Pass.KEPT,
        neutral=Neutral.COMMONLY,
        inject=_scroll,
        at_once=True,
        matters=f"{_SCROLLS} > 0 && {hears('scroll', 'scrollend', 'IntersectionObserver')}",
        conflicts=frozenset({"wheel"}),
        cost="60 ms",
    ),
    Condition(
        name="context-menu",
        title="a context menu is opened and closed",
        what="A right click in the corner of the page, then Escape. Left out while a field or a dialog is in use.",
        why="Only where Escape closes nothing that the test needs.",
        in_pass=Pass.KEPT,
        neutral=Neutral.ASKED,
        inject=_context_menu,
        at_once=True,
        matters="document.activeElement === document.body && !document.querySelector('dialog[open]')",
        cost="40 ms",
    ),
    Condition(
        name="double-events",
        title="each click of the next action comes twice",
        what="A click is followed by a second one 30 ms later.",
        why="Only where a second click within moments is meant to be ignored: not for counters and switches.",
        in_pass=Pass.ENVIRONMENT,
        neutral=Neutral.ASKED,
        inject=_twice,
        end=_once,
        conflicts=frozenset({"dblclick"}),
        cost="30 ms",
    ),
)
