"""The user's hands: trusted mouse, keyboard and touch input.

The commands of one gesture are sent at once and awaited together; Chromium keeps their order. There is no
order between input and `Runtime.evaluate`: await one before sending the other. A dialog opened by the page
holds back the answers until it is answered, so a caller bounds its waiting and handles dialogs meanwhile.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from jostle.browser import agent
from jostle.browser.keys import CHARACTERS, MODIFIERS, SHIFT, Key, parse
from jostle.events import UserAction

Send = Callable[[str, dict[str, Any]], Awaitable[dict[str, Any]]]
"""Sends a command; the commands go out in the order of the calls."""

DRAG_START_TIMEOUT = 0.5
"""Seconds to wait for the browser to begin a drag of its own before the drag counts as mere mouse moves."""

MOST_TYPED = 500
"""Characters; a longer text is pasted, as nobody types so much."""
KEYBOARD_ACTIONS = frozenset({"type", "press"})
"""Actions that need no pointing at an element that has the focus."""


class Inputs:
    """Input into one page and its frames, through the page's session; x and y in CSS pixels of its viewport."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._dragged: asyncio.Future[dict[str, Any]] | None = None
        self._at: tuple[float, float] | None = None

    def event(self, method: str, params: dict[str, Any]) -> None:
        """To be called with the events of the page's session: drags are announced by one."""
        if method == "Input.dragIntercepted" and self._dragged is not None and not self._dragged.done():
            self._dragged.set_result(params["data"])

    # Mouse

    def press_at(self, x: float, y: float) -> asyncio.Future[dict[str, Any]]:
        """Send a click off; the result is there when the browser calls it done."""
        return self._presses(x, y)[-1]

    async def click(self, x: float, y: float, modifiers: int = 0) -> None:
        await self._press_mouse(x, y, modifiers=modifiers)

    async def double_click(self, x: float, y: float) -> None:
        await self._press_mouse(x, y, times=2)

    async def right_click(self, x: float, y: float) -> None:
        await self._press_mouse(x, y, button="right")

    async def hover(self, x: float, y: float) -> None:
        await self._all([self._mouse("mouseMoved", x, y)])

    async def leave(self) -> None:
        """Move the pointer out of the page."""
        await self._all([self._mouse("mouseMoved", -1, -1)])

    async def scroll(self, x: float, y: float, down: float, right: float = 0) -> None:
        """Turn the wheel over a point."""
        await self._all([self._mouse("mouseMoved", x, y), self._mouse("mouseWheel", x, y, deltaX=right, deltaY=down)])

    async def drag(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        """Press, move, let go. Draggable elements get the HTML drag events, others plain mouse moves."""
        (x, y), (to_x, to_y) = start, end
        self._dragged = asyncio.get_running_loop().create_future()
        await self._send("Input.setInterceptDrags", {"enabled": True})
        try:
            await self._all(
                [
                    self._mouse("mouseMoved", x, y),
                    self._mouse("mousePressed", x, y, button="left", buttons=1, clickCount=1),
                    *self._moves(x, y, x + (to_x - x) / 8, y + (to_y - y) / 8 + 1, steps=4),
                ]
            )
            try:
                async with asyncio.timeout(DRAG_START_TIMEOUT):
                    data = await self._dragged
            except TimeoutError:
                await self._all(self._moves(x, y, to_x, to_y, steps=8))
            else:
                await self._all(
                    [
                        self._post("Input.dispatchDragEvent", {"type": kind, "x": to_x, "y": to_y, "data": data})
                        for kind in ("dragEnter", "dragOver", "drop")
                    ]
                )
            await self._all([self._mouse("mouseReleased", to_x, to_y, button="left", clickCount=1)])
        finally:
            self._dragged = None
            await self._send("Input.setInterceptDrags", {"enabled": False})

    # Touch

    async def tap(self, x: float, y: float) -> None:
        await self._all(
            [
                self._post("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]}),
                self._post("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []}),
            ]
        )

    # Keyboard

    async def press(self, shortcut: str) -> None:
        """`Enter`, `Control+K`, `Shift+Tab`. Raises UnknownKey."""
        names, key = parse(shortcut)
        sent: list[asyncio.Future[dict[str, Any]]] = []
        held = 0
        for name in names:
            bit, modifier = MODIFIERS[name]
            held |= bit
            sent.append(self._key("rawKeyDown", modifier, held))
        sent += self._stroke(key, held)
        for name in reversed(names):
            bit, modifier = MODIFIERS[name]
            held &= ~bit
            sent.append(self._key("keyUp", modifier, held))
        await self._all(sent)

    async def type_text(self, text: str) -> None:
        """Type into what has the focus. What no key types arrives as if pasted by an input method."""
        if len(text) > MOST_TYPED:
            await self._paste(text)
            return
        sent: list[asyncio.Future[dict[str, Any]]] = []
        pasted = ""
        for character in text.replace("\r\n", "\n"):
            key = parse("Enter")[1] if character == "\n" else CHARACTERS.get(character)
            if key is None:
                await self._all(sent)
                sent = []
                pasted += character
                continue
            await self._paste(pasted)
            pasted = ""
            sent += self._stroke(key, SHIFT if key.shifted else 0)
        await self._all(sent)
        await self._paste(pasted)

    async def clear(self) -> None:
        """Empty the field that has the focus as a person would: select all, delete."""
        await self.press("Control+A")
        await self.press("Delete")

    # Fields

    async def select_option(self, x: float, y: float, index: int) -> None:
        """Open the list of a `<select>` and choose by keyboard; `index` counts its choosable options from 0."""
        await self._press_mouse(x, y)
        keys = ["Home", *["ArrowDown"] * index, "Enter"]
        await self._all([sent for name in keys for sent in self._stroke(parse(name)[1], 0)])

    async def check(self, x: float, y: float) -> None:
        await self._press_mouse(x, y)

    async def upload(self, object_id: str, files: Sequence[str], owner: Send | None = None) -> None:
        """Choose files in a file field, given as a remote object of the session behind `owner`."""
        await (owner or self._send)("DOM.setFileInputFiles", {"objectId": object_id, "files": list(files)})

    async def fill(self, object_id: str, value: str, owner: Send | None = None) -> None:
        """Set a field that has a picker (date, time, colour): typing into it differs from locale to locale.

        The input and change events that follow are not trusted ones.
        """
        await (owner or self._send)(
            "Runtime.callFunctionOn",
            {
                "objectId": object_id,
                "functionDeclaration": f"function (value) {{ return {agent.AGENT}.fill(this, value) }}",
                "arguments": [{"value": value}],
                "returnByValue": True,
            },
        )

    async def perform(
        self,
        action: UserAction,
        point: Mapping[str, Any],
        *,
        value: str | None = None,
        to: Mapping[str, Any] | None = None,
        object_id: str = "",
        files: Sequence[str] = (),
        owner: Send | None = None,
    ) -> None:
        """Do one of the actions the page offers, at a point the page has just confirmed.

        `value` is the text to type or to fill in (else the action's own); `to` is where a drag ends;
        `object_id` is the field to upload to or to fill, in the session behind `owner`.
        """
        x, y = float(point["x"]), float(point["y"])
        text = (action.value or "") if value is None else value
        match action.type:
            case "click" | "check":
                await self.click(x, y)
            case "dblclick":
                await self.double_click(x, y)
            case "rightclick":
                await self.right_click(x, y)
            case "hover":
                await self.hover(x, y)
            case "tap":
                await self.tap(x, y)
            case "type":
                if not point.get("focused"):
                    await self.click(x, y)
                if point.get("filled"):
                    await self.clear()
                await self.type_text(text)
            case "press":
                if not point.get("focused"):
                    await self.click(x, y)
                await self.press(text)
            case "select":
                await self.select_option(x, y, action.index)
            case "upload":
                await self.upload(object_id, files, owner)
            case "fill":
                await self.fill(object_id, text, owner)
            case "drag":
                if to is None:
                    raise ValueError("a drag needs a place to drop")
                await self.drag((x, y), (float(to["x"]), float(to["y"])))
            case "scroll":
                height = float(point["box"][3])
                await self.scroll(x, y, down=max(100.0, height * 0.8))
            case unknown:
                raise ValueError(f"no such action: {unknown}")

    # Sending

    def _post(self, method: str, params: dict[str, Any]) -> asyncio.Future[dict[str, Any]]:
        return asyncio.ensure_future(self._send(method, params))

    async def _all(self, sent: Sequence[asyncio.Future[dict[str, Any]]]) -> None:
        if sent:
            await asyncio.gather(*sent)

    def _mouse(self, kind: str, x: float, y: float, **more: Any) -> asyncio.Future[dict[str, Any]]:
        self._at = (x, y)
        return self._post("Input.dispatchMouseEvent", {"type": kind, "x": x, "y": y, **more})

    def _moves(self, x: float, y: float, to_x: float, to_y: float, steps: int) -> list[asyncio.Future[dict[str, Any]]]:
        return [
            self._mouse("mouseMoved", x + (to_x - x) * n / steps, y + (to_y - y) * n / steps, button="left", buttons=1)
            for n in range(1, steps + 1)
        ]

    async def _press_mouse(
        self, x: float, y: float, *, button: str = "left", times: int = 1, modifiers: int = 0
    ) -> None:
        await self._all(self._presses(x, y, button=button, times=times, modifiers=modifiers))

    def _presses(
        self, x: float, y: float, *, button: str = "left", times: int = 1, modifiers: int = 0
    ) -> list[asyncio.Future[dict[str, Any]]]:
        held = {"left": 1, "right": 2}[button]
        # A pointer that rests there already need not move.
        sent = [] if self._at == (x, y) else [self._mouse("mouseMoved", x, y, modifiers=modifiers)]
        for count in range(1, times + 1):
            common = {"button": button, "clickCount": count, "modifiers": modifiers}
            sent.append(self._mouse("mousePressed", x, y, buttons=held, **common))
            sent.append(self._mouse("mouseReleased", x, y, buttons=0, **common))
        return sent

    def _key(self, kind: str, key: Key, modifiers: int, text: str = "") -> asyncio.Future[dict[str, Any]]:
        params: dict[str, Any] = {
            "type": kind,
            "key": key.key,
            "code": key.code,
            "windowsVirtualKeyCode": key.key_code,
            "nativeVirtualKeyCode": key.key_code,
            "modifiers": modifiers,
            "location": key.location,
        }
        if text:
            params["text"] = text
        return self._post("Input.dispatchKeyEvent", params)

    def _stroke(self, key: Key, modifiers: int) -> list[asyncio.Future[dict[str, Any]]]:
        """Down and up. With Control, Alt or Meta held a key types nothing."""
        text = "" if modifiers & ~SHIFT else key.text
        return [
            self._key("keyDown" if text else "rawKeyDown", key, modifiers, text),
            self._key("keyUp", key, modifiers),
        ]

    async def _paste(self, text: str) -> None:
        if text:
            await self._all([self._post("Input.insertText", {"text": text})])
