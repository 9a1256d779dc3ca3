"""What is left out while an application is used: what could do harm, and what the user says."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from jostle.browser.dialog import OnDialog
from jostle.errors import UsageProblem
from jostle.events import Event
from jostle.exploring.danger import Danger, agrees, danger_of_address, danger_of_label, danger_of_question
from jostle.model.label import label
from jostle.search.job import SearchOptions
from jostle.search.subject import Subject
from jostle.text import cut

DELETING = (r"\b(delete|remove|destroy|erase|purge|wipe|trash|discard|löschen|entfernen|supprimer|eliminar|borrar)\b",)
"""Not avoided unless asked for: in a test installation, deleting is what should be tested."""

_DELETES = re.compile("|".join(DELETING), re.IGNORECASE)
_ACTS = frozenset({"click", "dblclick", "tap", "check", "select", "press", "drag", "visit", ""})
"""Actions that may set something off; entering a text, hovering and scrolling do not. Empty where it is not known."""
_FIELDS = frozenset(
    f"input:{kind}" for kind in ("text", "search", "email", "url", "tel", "password", "number", "range")
)
_LONGEST_SHOWN = 100
"""Characters of a dialog that are told."""


class Avoid:
    """Decides what may be done.

    `patterns` are regular expressions that are searched, without regard to case, in the words of an event
    (`click button "Save"`), whatever is typed left aside, and in the address of a link. Beside them, what is dangerous
    (`exploring.danger`) is refused unless `allowed` matches it, in the same texts or in the text of the dialog; without
    `careful`, nothing is dangerous.

    Raises UsageProblem when a pattern is no regular expression.
    """

    def __init__(self, patterns: Sequence[str] = (), *, allowed: Sequence[str] = (), careful: bool = True) -> None:
        self._patterns = [_compiled(pattern, "avoid") for pattern in patterns]
        self._allowed = [_compiled(pattern, "allow") for pattern in allowed]
        self._careful = careful
        self._known: dict[tuple[str, ...], bool] = {}
        self.met: dict[str, str] = {}
        """What was refused so far, in words, with the reason: the pattern, or the harm."""

    def allows(self, event: Event) -> bool:
        """Whether the event may be done."""
        words, action = label(event), event.action
        told = (words, action.href, action.title, action.submits, action.sends_to, action.question)
        if told not in self._known:
            reason = self._reason(event, words)
            self._known[told] = not reason
            if reason:
                self.met[words] = reason
        return self._known[told]

    def answer(self, kind: str, message: str, default: str) -> tuple[bool, str]:
        """What is said to a dialog of the page: yes, with the text that is suggested, unless that is dangerous."""
        danger = danger_of_question(message) if self._careful and kind in ("confirm", "prompt") else None
        if danger is None or self._is_allowed(message):
            return True, default
        self.met[f"answer yes to {kind} {json.dumps(cut(message, _LONGEST_SHOWN), ensure_ascii=False)}"] = danger.name
        return False, default

    def _reason(self, event: Event, words: str) -> str:
        """Why it may not be done; empty when it may."""
        texts = (words, event.action.href)
        pattern = next((each for each in self._patterns if any(map(each.search, texts))), None)
        if pattern is not None:
            return f"avoid rule {pattern.pattern}"
        danger = _danger(event) if self._careful else None
        action = event.action
        if danger is None or self._is_allowed(*texts, action.title, action.submits, action.sends_to, action.question):
            return ""
        return danger.name

    def _is_allowed(self, *texts: str) -> bool:
        return any(pattern.search(text) for pattern in self._allowed for text in texts)


def careful(subject: Subject, options: SearchOptions) -> Avoid:
    """The rules of a search, as the configuration and its options have them. Dialogs of the subject are answered by
    them from now on."""
    configured = subject.configuration
    avoid = Avoid((*configured.avoid, *options.avoid), allowed=(*configured.allow, *options.allow))
    answer: OnDialog = avoid.answer
    subject.on_dialog = answer
    return avoid


def deletes(event: Event) -> bool:
    """Whether an event deletes something, by what its control is called."""
    return event.action.type in ("click", "dblclick", "tap", "") and _DELETES.search(_name(event)) is not None


def _danger(event: Event) -> Danger | None:
    """What could be harmed by an event of the user."""
    action = event.action
    if action.type not in _ACTS or (action.type == "press" and action.value == "Escape"):
        return None
    found = danger_of_address(action.href) or danger_of_address(action.sends_to)
    if found is not None or action.type == "visit":
        return found
    name = _name(event)
    for text in (name, action.title, action.submits, action.value if action.type == "select" else ""):
        if text and (found := danger_of_label(text)) is not None:
            return found
    return danger_of_question(action.question) if action.question and agrees(name) else None


def _name(event: Event) -> str:
    """What the control is called, without what it stands in: the dialog around `Cancel` may be called `Delete account`.
    Where it has no name, whatever else it is told apart by: `button #shutdown`."""
    action, locator = event.action, event.action.locator
    if action.type == "select" or (action.type == "press" and action.element in _FIELDS):
        return ""  # not the field: what is chosen there, or the button that Enter presses
    if locator is None:
        return event.what
    return locator.name or locator.words.split(f" in {locator.within}" if locator.within else " in frame ")[0]


def _compiled(pattern: str, option: str) -> re.Pattern[str]:
    try:
        return re.compile(pattern, re.IGNORECASE)
    except re.error as error:
        raise UsageProblem(
            f"The {option} rule {pattern!r} is not a regular expression: {error}.",
            advice='A rule is searched in the words of an event, such as: click button "Delete"',
        ) from None
