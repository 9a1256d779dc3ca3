"""Which calls of Playwright's API matter here, and what they are in words."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from jostle.adverse import words

_ON_ELEMENTS = [
    "click",
    "dblclick",
    "fill",
    "clear",
    "type",
    "press",
    "press_sequentially",
    "check",
    "uncheck",
    "set_checked",
    "select_option",
    "drag_to",
    "hover",
    "tap",
    "set_input_files",
    "dispatch_event",
]
NAVIGATING = ["goto", "reload", "go_back", "go_forward"]
ACTIONS = {
    "Locator": _ON_ELEMENTS,
    "ElementHandle": _ON_ELEMENTS,
    "Page": [*_ON_ELEMENTS, *NAVIGATING, "drag_and_drop"],
    "Frame": [*_ON_ELEMENTS, *NAVIGATING, "drag_and_drop"],
    "Keyboard": ["press", "type", "insert_text", "up"],
    "Mouse": ["click", "dblclick", "wheel", "up"],
    "Touchscreen": ["tap"],
    "FileChooser": ["set_files"],
}
"""After which something may happen."""
PRESSING = {("Mouse", "down"), ("Keyboard", "down")}
"""By which a button or a key is held down."""
SCRIPTS = {
    "add_script_tag",
    "add_style_tag",
    "set_content",
    "evaluate",
    "evaluate_handle",
    "evaluate_all",
    "eval_on_selector",
    "eval_on_selector_all",
}
"""By which a test runs code of its own in the page."""
CLASSES = (*ACTIONS, "Browser", "BrowserContext", "BrowserType", "Clock")
DEVICES = ("keyboard", "mouse", "touchscreen")
"""Attributes of a page."""

_VERBS = {
    "goto": "go to",
    "dblclick": "double-click",
    "press_sequentially": "type into",
    "fill": "fill in",
    "select_option": "choose in",
    "set_input_files": "choose a file in",
    "drag_to": "drag",
    "wheel": "turn the mouse wheel",
    "up": "let go",
}
_READS = re.compile(
    r"(?:querySelector(?:All)?|getElement\w+|getAttribute|hasAttribute|getItem|key|getBoundingClientRect|getComputedStyle|"
    r"matches|closest|contains|trim|map|filter|join|slice|find|some|every|includes|from|keys|values|entries|stringify|"
    r"parse|Boolean|Number|String|toString|matchMedia|getEntries\w*|now|reduce|flatMap|split|startsWith|endsWith|"
    r"toLowerCase|toUpperCase|item|at|test|getSelection|elementFromPoint|sort|function|return|if|typeof)"
)
"""Functions that change nothing."""
_CALL = re.compile(r"([A-Za-z_$][\w$]*)\s*\(")
_WRITES = re.compile(r"(?<![=!<>])=(?![=>])|\+\+|--|\bdelete\b|\bnew\b")


class Call(NamedTuple):
    """A call of a method of Playwright's by a test."""

    target: Any
    class_name: str
    name: str
    args: tuple[Any, ...]

    @property
    def presses(self) -> bool:
        """A button or a key is held down from now on."""
        return (self.class_name, self.name) in PRESSING

    @property
    def pressed(self) -> str:
        """The button or key."""
        return f"key {self.args[0]}" if self.class_name == "Keyboard" and self.args else "mouse button"

    @property
    def words(self) -> str:
        """`click button "Save"`"""
        verb = _VERBS.get(self.name, self.name.replace("_", " "))
        return f"{verb} {words.people(self._selector)}".strip()

    @property
    def event(self) -> str:
        """The same without data: `click button`."""
        return f"{self.name} {'' if self.class_name == 'Keyboard' else words.target(self._selector)}".strip()

    @property
    def _selector(self) -> str:
        if self.class_name == "Locator":
            return words.selector(self.target)
        first = self.args[0] if self.args else None
        if self.class_name not in ("Page", "Frame", "Keyboard") or not isinstance(first, str):
            return ""
        # Servers of tests have another port each time.
        return words.path(first) if self.name in NAVIGATING else first


def only_reads(expression: object) -> bool:
    """Whether a script of the test surely changes nothing in the page."""
    text = str(expression)
    if _WRITES.search(re.sub(r"(['\"`])(?:\\.|(?!\1).)*\1", "''", text)):
        return False
    return all(_READS.fullmatch(name) for name in _CALL.findall(text))
