"""Filling a form before it is sent, as a person would."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Sequence

from jostle.events import Event, Field, UserAction
from jostle.exploring.forms import accepts, field_of, filled, value_for
from jostle.model.label import label
from jostle.model.relation import Relation, relation

OPTIONAL = 0.8
"""How likely a field is filled that may stay empty."""
CHOICE = 0.5
"""How likely a list or a box that may stay as it is, is changed."""
FOUND = 0.6
"""How likely something is looked for that the page shows."""
NEAR = 4
"""Without a form around them, a button and the fields so many steps from a common ancestor belong together."""
MOST = 30

_SENDING = frozenset({"button", "input:submit", "input:image", "input:button"})
_BOXES = frozenset({"input:checkbox", "input:radio"})
_SEARCH = re.compile(r"\b(?:search|find|filter|quer|look ?up|such|recherch|busca|pesquis|cerca|zoek)", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]{3,20}")
_FORM = re.compile(r"^(.*/form(?:\[\d+\])?)(?:/|$)")


def sends(event: Event) -> bool:
    """Whether the event may send a form: a button, or Enter in a field."""
    action = event.action
    if action.type == "press":
        return action.value == "Enter"
    return action.type == "click" and action.element in _SENDING


def sends_form(event: Event) -> bool:
    """Whether the event may send a form, and stands in one."""
    return sends(event) and _form(event.action) is not None


def send_same_form(one: Event, other: Event) -> bool:
    """Whether both may send the same form: by a button, or by Enter in whichever of its fields."""
    return sends_form(one) and sends_form(other) and belong_together(one, other)


def before_sending(button: Event, events: Sequence[Event], chance: random.Random) -> list[str]:
    """The labels of what to do in the form of a button before it is pressed, in the order of the page."""
    labels: list[str] = []
    choices: dict[str, list[Event]] = {}
    for event in events:
        if event.what == button.what or not belong_together(button, event):
            continue
        field = field_of(event)
        if field is not None:
            empty = field.value == ""
            if (empty and (field.required or chance.random() < OPTIONAL)) or not accepts(field, field.value):
                labels.append(label(event))
        elif event.action.type == "select":
            place = event.action.xpath or str(event.action.locator)
            if place not in choices:
                labels.append(place)
            choices.setdefault(place, []).append(event)
        elif event.action.element in _BOXES and event.action.type in ("click", "check"):
            needed = _needed(event) and not (event.action.field or Field()).checked
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


def looks_for(field: Field) -> bool:
    """Whether a field is there to look for something, by what it is called."""
    kind, told = field.type.lower(), f"{field.label} {field.placeholder} {field.name}"
    return kind == "search" or (kind in ("", "text") and (field.name == "q" or _SEARCH.search(told) is not None))


def with_word(event: Event, events: Sequence[Event], chance: random.Random) -> Event | None:
    """The event with a word to look for that the page shows in the name of a link or a button: where nothing is found,
    nothing is seen of what was looked for. None for other fields, and now and then: not everything is to be found."""
    field = field_of(event)
    if field is None or not looks_for(field) or chance.random() >= FOUND:
        return None
    names = dict.fromkeys(each.action.locator.name for each in events if each.action.locator and each.action.href)
    found = [_WORD.findall(name) for name in names]
    often = Counter(word.casefold() for words in found for word in set(words))
    # A word that is in many names is what is done to them, or what they all are.
    words = [min(each, key=lambda word: (often[word.casefold()], -len(word))) for each in found if len(each) > 1]
    fitting = [word for word in dict.fromkeys(words) if accepts(field, word)]
    return filled(event, chance.choice(fitting)) if fitting else None


def with_value(event: Event, chance: random.Random, *, valid: bool) -> Event:
    """The event with a value for its field, if it has one."""
    field = field_of(event)
    return event if field is None else filled(event, value_for(field, chance, valid=valid))


def belong_together(button: Event, event: Event) -> bool:
    """Whether a field is in the form of a button, or near it where there is no form."""
    one, other = button.action, event.action
    if one.tab != other.tab or one.frame != other.frame:
        return False
    forms = _form(one), _form(other)
    if forms != (None, None):
        return forms[0] == forms[1]
    if not one.xpath or not other.xpath:
        return False
    return relation(one.xpath, other.xpath, NEAR) in (Relation.FAMILY, Relation.SAME)


def _form(action: UserAction) -> str | None:
    """What tells the form of an element from others; None when it is in none."""
    if action.form is not None:
        return action.form
    found = _FORM.match(action.xpath)
    return found[1] if found else None


def _needed(event: Event) -> bool:
    field = event.action.field
    return field is not None and field.required and not field.value
