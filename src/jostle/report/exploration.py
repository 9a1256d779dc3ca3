"""An exploration as one HTML file: what went wrong, each as a story, and the model of the application."""

from __future__ import annotations

import base64
import json
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from jostle.events import State
from jostle.findings import Confidence, Finding, FindingKind, Severity
from jostle.model.label import label_of_words
from jostle.model.machine import Machine
from jostle.plural import count
from jostle.report.document import environment, in_script, own, policy
from jostle.report.model_diagram import ModelDiagram, diagram
from jostle.report.races_evidence import Callback
from jostle.report.rows import shown

LAST_STEPS = 10
"""Of a long way to a problem, how many steps are shown at once: the last ones."""
LONGEST_STEP = 200
LONGEST_EVIDENCE = 4000
MOST_LINES = 60

KINDS = {
    FindingKind.EXCEPTION: ("Exception", "A script fails and nothing handles it: what it was still to do is not done."),
    FindingKind.CONSOLE_ERROR: ("Console error", "The application itself reports an error on the console."),
    FindingKind.HTTP_ERROR: ("Failed request", "The application asks its server for something and does not get it."),
    FindingKind.DEAD_LINK: ("Dead link", "The link leads to a page that is not there."),
    FindingKind.HANG: ("Hang", "The page does not come to rest; a user would see it frozen."),
    FindingKind.BROKEN_INVARIANT: ("Broken invariant", "What the configuration says must always hold does not hold."),
}
"""A name, and what it means."""
_SEVERITIES = (Severity.HIGH, Severity.MEDIUM, Severity.LOW)
_CONFIDENCES = (Confidence.WITNESSED, Confidence.ADVERSE, Confidence.PREDICTED)
_EVIDENCE = {
    "error": "Error",
    "event": "On",
    "invariant": "Must hold",
    "link": "Link",
    "message": "Message",
    "reason": "What happens",
    "resource": "Asked for as",
    "said": "Instead",
    "source": "Where",
    "stack": "Stack",
    "url": "Page",
}
_TOLD_OTHERWISE = {"count", "first", "minimal", "replays", "method", "status", "excerpt", "first_line"}
"""Evidence that is told in sentences, or shown as source."""
_FIGURES = {
    "strategy": "Strategy",
    "events": "Events done",
    "states": "States",
    "pages": "Pages (addresses)",
    "blocks": "Blocks of code that ran",
    "runs": "Runs",
    "events a second": "Events a second",
    "ended": "Ended because",
}


class ExplorationReport(msgspec.Struct, frozen=True, kw_only=True):
    """What there is to tell of an exploration."""

    url: str
    findings: tuple[Finding, ...]
    machine: Machine
    pictures: Mapping[str, bytes]
    """JPEG by the digest of the state."""
    stats: Mapping[str, Any]
    """`strategy`, `events`, `states`, `pages`, `blocks`, `runs`, `ended`, `avoided`, `events a second`."""
    directory: str
    """Of the run, in which the files lie that replay findings."""


class Story(msgspec.Struct, frozen=True, kw_only=True):
    """A finding as it is told."""

    title: str
    kind: str
    severity: str
    weak: bool
    """It was seen, but could not be brought about again."""
    earlier: tuple[str, ...]
    """Steps before `steps`, shown on demand."""
    steps: tuple[str, ...]
    happens: str
    evidence: tuple[tuple[str, str], ...]
    source: Callback
    """Where it goes wrong, with the lines around it where they are known."""
    seen: str
    sure: str
    command: str
    state: int | None
    """The state it leaves the application in, where the model knows that for sure."""


def page(report: ExplorationReport) -> str:
    """A self-contained HTML document: it loads nothing, and texts of the application stay texts in it."""
    template = environment(count=count, shown=shown).get_template("exploration.html")
    style = own("base.css") + own("model.css") + own("exploration.css")
    script = own("copy.js") + own("model.js") + "showModel();"
    told = stories(report)
    problems = [Mark(each.state, each.title, f"problem-{n}") for n, each in enumerate(told, 1)]
    drawn = model(report.machine, report.pictures, problems)
    avoided = report.stats.get("avoided")
    return template.render(
        style=style,
        script=script,
        policy=policy(style=style, script=script, pictures=True),
        url=shown(report.url),
        explored=f"in {count(len(report.machine), 'state')}, {count(int(report.stats.get('events', 0)), 'event')}",
        stories=told,
        weak=sum(each.weak for each in told),
        figures=_figures(report.stats),
        ended=shown(str(report.stats.get("ended", ""))),
        avoided=[(shown(str(words)), shown(str(rule))) for words, rule in avoided.items()]
        if isinstance(avoided, Mapping)
        else [],
        **drawn,
    )


class Mark(msgspec.Struct, frozen=True):
    """Something that is told of a state elsewhere in the document."""

    state: int | None
    title: str
    address: str
    """Of the element that tells it."""


def model(machine: Machine, thumbnails: Mapping[str, bytes], marks: Sequence[Mark]) -> dict[str, Any]:
    """What the template `model.html` and the script `model.js` need. `thumbnails`: JPEG by the digest of the state."""
    drawn = diagram(machine)
    pictures = {
        n: base64.b64encode(thumbnails[state.digest]).decode()
        for n, state in enumerate(machine.states)
        if state.digest in thumbnails
    }
    return {
        "model": drawn,
        "pictures": pictures,
        "tried": _tried(drawn),
        "untried": sum(len(state.untried) for state in drawn.states),
        "transitions": sum(len(edge.events) for edge in drawn.edges),
        "data": in_script({"model": drawn, "pictures": pictures, "problems": marks}),
    }


def stories(report: ExplorationReport) -> tuple[Story, ...]:
    """The findings, the most severe and the most certain first."""
    order = sorted(
        report.findings,
        key=lambda each: (
            _SEVERITIES.index(each.severity),
            _CONFIDENCES.index(each.confidence),
            -_number(each, "count"),
            len(each.events),
        ),
    )
    return tuple(story(each, report.url, report.machine, Path(report.directory)) for each in order)


def story(finding: Finding, url: str, machine: Machine, directory: Path) -> Story:
    # What happens is the last event; of what to do, the first thing goes without saying.
    done = finding.events[:-1] if finding.events[-1:] == (finding.title,) else finding.events
    steps = tuple(shown(each, LONGEST_STEP) for each in (f"open {url}", *done))
    kind, meaning = KINDS.get(finding.kind, (finding.kind.value.replace("-", " ").capitalize(), ""))
    weak = finding.confidence is Confidence.PREDICTED
    cut = max(0, len(steps) - LAST_STEPS) if len(steps) > LAST_STEPS + 2 else 0
    return Story(
        title=shown(finding.title),
        kind=kind,
        severity=finding.severity.value,
        weak=weak,
        earlier=steps[:cut],
        steps=steps[cut:],
        happens=meaning or shown(finding.title),
        evidence=tuple(_evidence(finding.evidence)),
        source=_source(finding.evidence),
        seen=_seen(finding),
        sure=_sure(finding),
        command=_command(directory, finding.replay),
        state=state_after(machine, done),
    )


def _command(directory: Path, replay: str | None) -> str:
    return shown(shlex.join(["jostle", "replay", str(directory / replay)]), LONGEST_EVIDENCE) if replay else ""


def _seen(finding: Finding) -> str:
    times, first = _number(finding, "count"), _number(finding, "first")
    if not times:
        return ""
    often = "once" if times == 1 else f"{times:,} times"
    when = f", first after {count(first, 'event')}" if first else ", first right at the start"
    return f"Seen {often} while exploring{when if times > 1 else when.replace('first ', '')}."


def _sure(finding: Finding) -> str:
    replays = _number(finding, "replays")
    if finding.confidence is Confidence.PREDICTED:
        if replays:
            return "Doing the same again did not bring it about: it may depend on chance, or on the server’s data."
        return "It was not tried again: there was no time left for that."
    if finding.evidence.get("minimal") is True:
        return f"Brought about again in a fresh run; none of these steps can be left out ({count(replays, 'replay')})."
    return "Brought about again in a fresh run; perhaps fewer steps would do."


def _number(finding: Finding, key: str) -> int:
    value = finding.evidence.get(key)
    return value if isinstance(value, int) else 0


def _evidence(evidence: Mapping[str, Any]) -> list[tuple[str, str]]:
    told = []
    rest = {key: value for key, value in evidence.items() if key not in _TOLD_OTHERWISE}
    if "method" in evidence:
        status = evidence.get("status")
        told.append(("Request", f"{evidence['method']} {rest.pop('url', '')}"))
        told.append(("Answer", f"status {status}" if status else "none"))
    for key, value in rest.items():
        if value not in ("", [], {}, None):
            told.append((_EVIDENCE.get(key, key.replace("_", " ").capitalize()), _text(value)))
    return [(shown(name), shown(text, LONGEST_EVIDENCE)) for name, text in told]


def _source(evidence: Mapping[str, Any]) -> Callback:
    known = {name: evidence[name] for name in ("source", "first_line", "excerpt") if name in evidence}
    try:
        return msgspec.convert(known, Callback)
    except msgspec.ValidationError:
        return Callback()


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, Sequence) and all(isinstance(each, str) for each in value):
        more = len(value) - MOST_LINES
        return "\n".join([*value[:MOST_LINES], *([f"… and {more:,} more"] if more > 0 else [])])
    return json.dumps(value, ensure_ascii=False, default=str, indent=1)


def state_after(machine: Machine, done: Sequence[str]) -> int | None:
    """Where these events lead from the start, when the model knows only one place."""
    states: set[State] = {place.state for place in machine if place.starts}
    for what in done:
        event = label_of_words(what)
        states = {after for state in states for after in machine.successors(state, event)}
    return machine.states.index(states.pop()) if len(states) == 1 else None


def _figures(stats: Mapping[str, Any]) -> list[tuple[str, str]]:
    return [
        (_FIGURES.get(name, shown(name)), f"{value:,}" if isinstance(value, (int, float)) else shown(str(value)))
        for name, value in stats.items()
        if name != "avoided" and value != ""
    ]


def _tried(drawn: ModelDiagram) -> list[int]:
    """How many different events were done in each state."""
    tried: list[set[int]] = [set() for _ in drawn.states]
    for edge in drawn.edges:
        tried[edge.source].update(event for event, _ in edge.events)
    return [len(each) for each in tried]
