"""What a user does, as a noun: `Clicking button "Save"`."""

from __future__ import annotations

from jostle.events import UserAction

_DOING = {
    "click": "clicking {}",
    "dblclick": "double-clicking {}",
    "rightclick": "right-clicking {}",
    "tap": "tapping {}",
    "hover": "pointing at {}",
    "type": "typing in {}",
    "fill": "typing in {}",
    "check": "changing {}",
    "select": "choosing in {}",
    "upload": "choosing a file in {}",
    "scroll": "scrolling {}",
    "visit": "opening another page",
    "back": "going back",
    "close": "closing the tab",
    "leave": "leaving the page",
}


def doing(action: UserAction, words: str) -> str:
    """`words`: what it is called otherwise, for what has no noun here."""
    place = action.place
    if action.type == "press" and action.value:
        return f"pressing {action.value}{f' in {place}' if place else ''}"
    if action.type == "drag" and action.to is not None:
        return f"dragging {place} to {action.to.words}"
    form = _DOING.get(action.type, "")
    return form.format(place) if form and (place or "{}" not in form) else f"“{words}”"


def sentence(words: str) -> str:
    """The same at the beginning of one."""
    return words[:1].upper() + words[1:]
