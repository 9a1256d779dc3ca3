"""A finding as plain text: what to do, what happens, where it is in the code, and how to see it again."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from pathlib import PurePath

import msgspec

from jostle.findings import Finding
from jostle.report.kinds import KINDS
from jostle.report.places import Place, places
from jostle.report.races_evidence import Difference, Entry, Evidence, evidence
from jostle.report.told import line

MOST_EVENTS = 40
MOST_DIFFERENCES = 12
LONGEST_VALUE = 200
_WORTH_TELLING = frozenset(("first", "second", "late"))


def story(finding: Finding, url: str | None, *, directory: str = "", root: str = "") -> str:
    """`directory`: of the run, in which the files are that commands name."""
    known = told(finding)
    sections = (
        ("", (f"{line(finding.title)}", _sort(finding), KINDS[finding.kind].what)),
        ("What to do", () if known.bad.order else _numbered([line(each, LONGEST_VALUE) for each in finding.events])),
        ("The order that works", _order(known.good.order)),
        ("The order that breaks", _order(known.bad.order)),
        ("What is different then", _differences(known.differences)),
        ("What is wrong", (line(said),) if (said := finding.evidence.get("reason") or _message(finding)) else ()),
        ("In the code", _code(places(finding, url, root=root))),
        ("How to mend it", (line(known.hint),) if known.hint else ()),
        ("To see it again", commands(finding, directory=directory)),
    )
    blocks = ["\n".join((*([f"{title}:"] if title else []), *lines)) for title, lines in sections if lines]
    return "\n\n".join(blocks)


def told(finding: Finding) -> Evidence:
    """The evidence in the shape it has for races, as far as it has it."""
    try:
        return evidence(finding.evidence)
    except (msgspec.ValidationError, UnicodeEncodeError):
        return Evidence()


def commands(finding: Finding, *, directory: str = "") -> tuple[str, ...]:
    """That replay it, and run its test."""
    test = told(finding).test
    known = ((("jostle", "replay"), finding.replay), (("pytest",), test))
    return tuple(
        line(shlex.join((*words, str(PurePath(directory, line(file))) if directory else line(file))))
        for words, file in known
        if file
    )


def _sort(finding: Finding) -> str:
    return f"{finding.kind.value}, {finding.severity.value} severity, {finding.confidence.value}; {finding.id}"


def _numbered(lines: Sequence[str]) -> tuple[str, ...]:
    numbered = [f"{number:3}. {each}" for number, each in enumerate(lines[:MOST_EVENTS], 1)]
    return (*numbered, *_more(len(lines) - MOST_EVENTS))


def _more(left: int) -> tuple[str, ...]:
    return (f"     and {left:,} more",) if left > 0 else ()


def _order(order: Sequence[Entry]) -> tuple[str, ...]:
    """What the user does, and all else from the first thing on that matters: how a page loads is long."""
    first = next((number for number, each in enumerate(order) if each.role in _WORTH_TELLING), 0)
    told = [*(each for each in order[:first] if each.kind == "user"), *order[first:]]
    return _numbered([line(each.what, LONGEST_VALUE) + ("  (late)" if each.role == "late" else "") for each in told])


def _differences(differences: Sequence[Difference]) -> tuple[str, ...]:
    lines = []
    for each in differences[:MOST_DIFFERENCES]:
        where = f" in {line(each.where, LONGEST_VALUE)}" if each.where else ""
        good, bad = (line(value, LONGEST_VALUE) or "nothing" for value in (each.good, each.bad))
        lines.append(f"  {line(each.what, 40)}{where}: {bad}; it should be: {good}")
    return (*lines, *_more(len(differences) - MOST_DIFFERENCES))


def _message(finding: Finding) -> str:
    found: Mapping[str, object] = finding.evidence
    return str(found.get("message") or found.get("error") or found.get("said") or "")


def _code(found: Sequence[Place]) -> tuple[str, ...]:
    lines = []
    for place in found:
        lines.append(f"  {line(place)}" + (f": {line(place.event, LONGEST_VALUE)}" if place.event else ""))
        if place.first_line:
            shown = enumerate(place.excerpt, place.first_line)
            lines += [f"  {'>' if n == place.line else ' '} {n:5} {_source(text)}".rstrip() for n, text in shown]
    return tuple(lines)


def _source(text: str) -> str:
    indent = len(text) - len(text.lstrip(" \t"))
    return " " * min(indent, 24) + line(text, LONGEST_VALUE)
