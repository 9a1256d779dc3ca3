"""Filling a form before it is sent, as a person would."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from typing import Any

from jostle.events import Event
from jostle.explore.forms import accepts, field_of, filled, value_for
from jostle.model.label import label
from jostle.model.relation import Relation, relation

OPTIONAL = 0.8
"""How likely a field is filled that may stay empty."""
CHOICE = 0.5
"""How likely a list or a box that may stay as it is, is changed."""
NEAR = 4
"""Without a form around them, a button and the fields so many steps from a common ancestor belong together."""
MOST = 30

_SENDING = frozenset({"button", "input:submit", "input:image", "input:button"})
_BOXES = frozenset({"input:checkbox", "input:radio"})
_FORM = re.compile(r"^(.*/form(?:\[\d+\])?)(?:/|$)")


def sends(event: Event) -> bool:
    """Whether the event may send a form: a button, or Enter in a field."""
    if event.detail.get("action") == "press":
        return event.detail.get("value") == "Enter"
    return event.detail.get("action") == "click" and event.detail.get("element") in _SENDING


def sends_form(event: Event) -> bool:
    """Whether the event may send a form, and stands in one."""
    return sends(event) and _form(event.detail) is not None


def before_sending(button: Event, events: Sequence[Event], chance: random.Random) -> list[str]:
    """The labels of what to do in the form of a button before it is pressed, in the order of the page."""
    labels: list[str] = []
    choices: dict[str, list[Event]] = {}
    for event in events:
        if event.what == button.what or not _belong_together(button, event):
            continue
        field = field_of(event)
        if field is not None:
            value = str(field.get("value", ""))
            if (value == "" and (field.get("required") or chance.random() < OPTIONAL)) or not accepts(field, value):
                labels.append(label(event))
        elif event.detail.get("action") == "select":
            place = str(event.detail.get("xpath") or event.detail.get("locator"))
            if place not in choices:
                labels.append(place)
            choices.setdefault(place, []).append(event)
        elif event.detail.get("element") in _BOXES and event.detail.get("action") in ("click", "check"):
            needed = _needed(event) and not _field(event).get("checked")
            if needed or chance.random() < CHOICE / 2:
                labels.append(label(event))
    made = []
    for each in labels:
        options = choices.get(each)
        if options is None:
            made.append(each)
        elif _needed(options[0]) or chance.random() < CHOICE:
            made.append(label(chance.choice(options)))
    return made[:MOST]


def with_value(event: Event, chance: random.Random, *, valid: bool) -> Event:
    """The event with a value for its field, if it has one."""
    field = field_of(event)
    return event if field is None else filled(event, value_for(field, chance, valid=valid))


def _belong_together(button: Event, event: Event) -> bool:
    one, other = button.detail, event.detail
    if one.get("tab") != other.get("tab") or one.get("frame") != other.get("frame"):
        return False
    forms = _form(one), _form(other)
    if forms != (None, None):
        return bool(forms[0] == forms[1])
    here, there = one.get("xpath"), other.get("xpath")
    if not isinstance(here, str) or not isinstance(there, str):
        return False
    return relation(here, there, NEAR) in (Relation.FAMILY, Relation.SAME)


def _form(detail: dict[str, Any]) -> Any:
    """What tells the form of an element from others; None when it is in none."""
    if detail.get("form") is not None:
        return detail["form"]
    found = _FORM.match(str(detail.get("xpath") or ""))
    return found[1] if found else None


def _field(event: Event) -> dict[str, Any]:
    field: Any = event.detail.get("field")
    return field if isinstance(field, dict) else {}


def _needed(event: Event) -> bool:
    return bool(_field(event).get("required")) and not _field(event).get("value")
