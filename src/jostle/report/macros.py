"""Macros for people: in words, and as one HTML file with a small diagram of each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from jostle.model.macro import Macro, Transition
from jostle.model.macros_file import Macros
from jostle.model.relation import Relation
from jostle.model.usage import MicroEvent
from jostle.plural import count
from jostle.report.document import environment, own, policy
from jostle.report.macro_diagram import diagram
from jostle.report.rows import shown

MOST_PHRASES = 6
"""Of one sentence; the table tells all."""

_VERBS = {
    "check": "tick",
    "dblclick": "double-click",
    "fill": "fill in",
    "hover": "move onto",
    "mouseout": "move off",
    "mouseover": "move onto",
    "press": "press a key in",
    "rightclick": "right-click",
    "select": "choose in",
    "type": "type in",
    "upload": "choose a file in",
}
_NOUNS = {
    "a": "link",
    "img": "picture",
    "input": "text field",
    "li": "list item",
    "ol": "list",
    "p": "paragraph",
    "select": "drop-down list",
    "td": "table cell",
    "textarea": "text area",
    "th": "table heading",
    "tr": "table row",
    "ul": "list",
    "input:checkbox": "checkbox",
    "input:radio": "radio button",
    "input:submit": "submit button",
}
_PLAIN = {"button", "form", "label", "summary", "table"}
_PLACES = {
    Relation.ANCESTOR: "around it",
    Relation.DESCENDANT: "inside it",
    Relation.FAMILY: "near it",
    Relation.NONE: "anywhere",
}


def page(macros: Macros) -> str:
    """A self-contained HTML document: it loads and runs nothing, and texts of recorded pages stay texts in it."""
    template = environment(count=count, shown=shown).get_template("macros.html")
    style = own("macros.css") + own("macro.css")
    return template.render(
        style=style,
        policy=policy(style=style),
        facts=macros.inferred,
        macros=told(macros),
    )


def told(macros: Macros) -> list[dict[str, Any]]:
    """What `macros.parts.html` needs of each."""
    return [
        {"macro": macro, "words": in_words(macro), "diagram": diagram(macro), "steps": steps(macro)}
        for macro in macros.macros
    ]


def in_words(macro: Macro) -> str:
    """`First move onto a link. Any number of times: move onto a list item near it, ... . At last click a link ...`"""
    first = [each for each in macro.transitions if each.source == macro.initial]
    last = [each for each in macro.transitions if macro.is_final(each.target)]
    repeated = [each for each in macro.transitions if _connected(macro.transitions, each.target, {each.source})]
    between = _phrases(each for each in macro.transitions if each not in (*first, *last, *repeated))
    needed = [phrase for phrase in between if _is_needed(macro, phrase)]
    free = [phrase for phrase in between if phrase not in (*needed, *_phrases(repeated))]
    sentences = {
        "First": _either([_phrase(each.event) for each in first]),
        "Any number of times:": _either(_phrases(repeated)),
        "Perhaps": _either(free),
        "Then": ", then ".join(needed),
        "At last": _either(_phrases(last)),
    }
    return " ".join(f"{opening} {rest}." for opening, rest in sentences.items() if rest)


def steps(macro: Macro) -> list[tuple[int, str, str]]:
    """Each transition: the state it leaves, what is done, and where that leads."""
    return [
        (
            each.source,
            _phrase(each.event) if each.source == macro.initial else _phrase(each.event, each.relation),
            "end" if macro.is_final(each.target) else str(each.target),
        )
        for each in macro.transitions
    ]


def _either(phrases: Sequence[str]) -> str:
    """`a`, `a or b`, `a, b or c`; of many only the first."""
    if len(phrases) > MOST_PHRASES:
        phrases = [*phrases[: MOST_PHRASES - 1], f"{len(phrases) - MOST_PHRASES + 1} other things"]
    *others, last = phrases or [""]
    return " or ".join([", ".join(others), last] if others else [last])


def _phrases(transitions: Iterable[Transition]) -> list[str]:
    return list(dict.fromkeys(_phrase(each.event, each.relation) for each in transitions))


def _phrase(event: MicroEvent, relation: Relation | None = None) -> str:
    """`click a link near it`; of a first event there is no `it`."""
    verb, noun = _VERBS.get(event.type, event.type), _noun(event.element)
    if relation is Relation.SAME:
        return f"{verb} the same {noun}"
    article = "an" if noun[:1].lower() in "aeiou" else "a"
    place = f" {_PLACES[relation]}" if relation else ""
    return f"{verb} {article} {noun}{place}"


def _noun(element: str) -> str:
    if element in _NOUNS or element in _PLAIN:
        return _NOUNS.get(element, element)
    kind, _, type_ = element.partition(":")
    return f"{type_} field" if kind == "input" else f"{element} element"


def _is_needed(macro: Macro, phrase: str) -> bool:
    """Is there no way to the end without it?"""
    others = [each for each in macro.transitions if _phrase(each.event, each.relation) != phrase]
    return not _connected(others, macro.initial, set(macro.final))


def _connected(transitions: Sequence[Transition], start: int, goals: set[int]) -> bool:
    reached = {start}
    while more := {each.target for each in transitions if each.source in reached} - reached:
        reached |= more
    return bool(reached & goals)
