"""A finding as plain text: what to do, what happens, where it is in the code, and how to see it again."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import PurePath

from jostle.events import Kind
from jostle.findings import Finding
from jostle.findings.evidence import OrderedEvent, OutcomeDifference, RaceEvidence, Repair, Role
from jostle.report.differences import readable
from jostle.report.generated_test import words_on_test
from jostle.report.kinds import KINDS
from jostle.report.places import SourcePlace, places
from jostle.report.repair_words import headline, order_words, reason, startup_words
from jostle.report.run_outcome import line

MOST_EVENTS = 40
MOST_DIFFERENCES = 12
LONGEST_VALUE = 200
_WORTH_TELLING = frozenset((Role.FIRST, Role.SECOND, Role.LATE))


def story(finding: Finding, url: str | None, *, directory: str = "", root: str = "") -> str:
    """`directory`: of the run, in which the files are that commands name."""
    evidence = finding.evidence
    works, breaks = evidence.orders
    done = () if breaks else finding.events
    sections = (
        ("", (f"{line(finding.title)}", _sort(finding), KINDS[finding.kind].what)),
        ("What to do", _numbered([line(each, LONGEST_VALUE) for each in done])),
        ("The order that works", _order(works)),
        ("The order that breaks", _order(breaks)),
        ("What is different then", _differences(readable(evidence.deviations))),
        ("What is wrong", (line(evidence.wrong),) if evidence.wrong else ()),
        ("The server", (f"  {line(finding.contract.words, LONGEST_VALUE)}",) if finding.contract else ()),
        ("In the code", _code(places(finding, url, root=root))),
        ("How to fix it", (line(evidence.advice),) if evidence.advice else ()),
        ("Repair", _repair(evidence.repair if isinstance(evidence, RaceEvidence) else None)),
        ("Test", (line(words_on_test(evidence)),) if evidence.no_test_because else ()),
        ("To see it again", commands(finding, directory=directory)),
    )
    blocks = ["\n".join((*([f"{title}:"] if title else []), *lines)) for title, lines in sections if lines]
    return "\n\n".join(blocks)


def commands(finding: Finding, *, directory: str = "") -> tuple[str, ...]:
    """That replay it, and run its test."""
    known = ((("jostle", "replay"), finding.replay), (("pytest",), finding.evidence.generated_test))
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


def _order(order: Sequence[OrderedEvent]) -> tuple[str, ...]:
    """What the user does, and all else from the first thing on that matters: how a page loads is long."""
    first = next((number for number, each in enumerate(order) if each.role in _WORTH_TELLING), 0)
    told = [*(each for each in order[:first] if each.kind is Kind.USER), *order[first:]]
    return _numbered([line(each.what, LONGEST_VALUE) + ("  (late)" if each.role is Role.LATE else "") for each in told])


def _differences(differences: Sequence[OutcomeDifference]) -> tuple[str, ...]:
    lines = []
    for each in differences[:MOST_DIFFERENCES]:
        where = f" in {line(each.where, LONGEST_VALUE)}" if each.where else ""
        good, bad = (line(value, LONGEST_VALUE) or "nothing" for value in (each.good, each.bad))
        lines.append(f"  {line(each.what, 40)}{where}: {bad}; it should be: {good}")
    return (*lines, *_more(len(differences) - MOST_DIFFERENCES))


def _code(found: Sequence[SourcePlace]) -> tuple[str, ...]:
    lines = []
    for place in found:
        lines.append(f"  {line(place)}" + (f": {line(place.event, LONGEST_VALUE)}" if place.event else ""))
        if place.first_line:
            shown = enumerate(place.excerpt, place.first_line)
            lines += [f"  {'>' if n == place.line else ' '} {n:5} {_source(text)}".rstrip() for n, text in shown]
    return tuple(lines)


def _repair(repair: Repair | None) -> tuple[str, ...]:
    """How it is prevented at run time, or why it is not, and what to change in the source."""
    if repair is None:
        return ()
    lines = [headline(repair), reason(repair), *(order_words(each) for each in repair.orders), startup_words(repair)]
    if repair.script:
        lines.append(f"Load {repair.script} before every other script of the page.")
    if repair.fix is not None:
        lines.append(f"In the source: {repair.fix.words}")
    return tuple(f"  {line(each)}" for each in lines if each)


def _source(text: str) -> str:
    indent = len(text) - len(text.lstrip(" \t"))
    return " " * min(indent, 24) + line(text, LONGEST_VALUE)
