"""`jostle show`: what is in a recording, for people and as JSON."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click
import msgspec
from rich.console import Console
from rich.table import Table
from rich.text import Text

from jostle.errors import UsageProblem
from jostle.events import Step
from jostle.events.wire import to_plain
from jostle.plural import count
from jostle.recording.exchange import Conversation, Exchange, Happening
from jostle.recording.file import Recording
from jostle.report.timeline import write_timeline
from jostle.report.words import Section, Tone, in_short, sections, size
from jostle.text import printable

_STYLES = {Tone.PLAIN: "", Tone.WARNING: "yellow", Tone.BAD: "red"}


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--step", "number", type=int, metavar="N", help="Show one step in full.")
@click.option("--json", "as_json", is_flag=True, help="Print everything in the recording as one JSON document.")
@click.option(
    "--html", "page", type=click.Path(path_type=Path), metavar="OUT", help="Write a timeline to look at in a browser."
)
def show(file: Path, number: int | None, as_json: bool, page: Path | None) -> None:
    """Show what is in the recording FILE: where it was made, its steps and its requests."""
    recording = Recording.read(file)
    if page is not None:
        if number is not None or as_json:
            raise UsageProblem("--html shows the whole recording: leave out --step and --json.")
        write_timeline(page, recording)
        click.echo(printable(f"Written: {page}"))
        return
    step = _step(recording, number) if number is not None else None
    if as_json:
        document = _step_document(recording, number, step) if number and step else _document(recording)
        click.echo(json.dumps(document, indent=2))
        return
    console = Console(highlight=False, markup=False, emoji=False)
    if number and step:
        _show_step(console, recording, number, step)
    else:
        _show_recording(console, recording, file)


def _step(recording: Recording, number: int) -> Step:
    steps = recording.trace.steps
    if not 1 <= number <= len(steps):
        there = f"its steps are 1 to {len(steps)}" if steps else "it has no steps"
        raise UsageProblem(f"There is no step {number} in the recording: {there}.")
    return steps[number - 1]


# The whole recording -----------------------------------------------------------------------------------------------


def _show_recording(console: Console, recording: Recording, file: Path) -> None:
    manifest = recording.manifest
    octets = file.stat().st_size
    console.print(_safe(f"Recording of {manifest.url}", "bold"))
    facts = {
        "made": f"{manifest.created} by jostle {manifest.jostle} (format {manifest.version})",
        "browser": manifest.browser,
        "seed": str(manifest.seed),
        "viewport": "{} x {}".format(*manifest.viewport),
        "size": f"{size(octets)}: {count(len(recording.trace.steps), 'step')}, "
        f"{count(len(recording.exchanges), 'request')}, {count(len(recording.conversations), 'conversation')}, "
        f"{count(len(recording.snapshots), 'snapshot')}",
        "origins": ", ".join(manifest.origins),
        "redacted": "secrets were replaced" if manifest.redacted else "",
        "repair": "a script runs before those of the page" if manifest.options.get("scripts") else "",
    }
    for name, value in facts.items():
        if value:
            console.print(_safe(f"  {name:<9} {value}"))
    for limit in manifest.limits:
        console.print(_safe(f"  limit     {limit}", "yellow"))
    if recording.trace.steps:
        table = _table("#", "time", "kind", "what", "caused")
        for n, step in enumerate(recording.trace.steps, 1):
            style = "red" if step.effect.errors or step.effect.hung else ""
            cells = (f"{step.at:,.0f} ms", step.event.kind.value, str(step.event), in_short(step.effect))
            table.add_row(str(n), *(_safe(cell, style) for cell in cells))
        console.print(table)
    if recording.exchanges:
        console.print(_exchanges(recording, recording.exchanges))
    if recording.conversations:
        console.print(_conversations(recording.conversations))


def _exchanges(recording: Recording, exchanges: Iterable[Exchange]) -> Table:
    table = _table("#", "request", "answer", "type", "size")
    for each in exchanges:
        answer = each.error or f"{each.status} {each.status_text}".strip()
        table.add_row(
            str(each.order),
            _safe(f"{each.method} {each.url}"),
            _safe(answer, "red" if each.error or each.status >= 400 else ""),
            _safe(each.header("content-type").split(";")[0] or each.resource),
            size(len(recording.body_of(each))),
        )
    return table


def _conversations(conversations: Iterable[Conversation]) -> Table:
    table = _table("#", "conversation", "sent", "received")
    for each in conversations:
        happened = [message.what for message in each.messages]
        sent, received = happened.count(Happening.SENT), happened.count(Happening.RECEIVED)
        table.add_row(str(each.order), _safe(f"{each.kind} {each.url}"), str(sent), str(received))
    return table


# One step ----------------------------------------------------------------------------------------------------------


def _show_step(console: Console, recording: Recording, number: int, step: Step) -> None:
    event, effect = step.event, step.effect
    console.print(_safe(f"Step {number} at {step.at:,.0f} ms: {event}", "bold"))
    facts = {"kind": event.kind.value, "key": event.key, "creator": _creator(recording, event.creator)}
    if step.state:
        facts |= {"address": step.state.url, "title": step.state.title, "state": step.state.digest}
    if effect.cost is not None:
        facts["cost"] = str(effect.cost)
    for name, value in facts.items():
        if value:
            console.print(_safe(f"  {name:<9} {value}"))
    gone = {each.key: str(each) for each in _events(recording)}
    told = sections(effect)
    possible = (
        Section("Became possible", tuple(f"{each.kind.value:<9} {each}" for each in effect.created)),
        Section("No longer possible", tuple(gone.get(key, key) for key in effect.removed)),
    )
    bad = [section for section in told if section.tone is Tone.BAD]
    for section in (*bad, *possible, *(section for section in told if section.tone is not Tone.BAD)):
        if section.lines:
            console.print(_safe(f"\n{section.title}", "bold"))
            for line in section.lines:
                console.print(_safe("  " + line.replace("\n", "\n    "), _STYLES[section.tone]))
    answered = [each for each in recording.exchanges if each.event == event.key]
    if answered:
        console.print(_safe("\nAnswer that arrived", "bold"))
        console.print(_exchanges(recording, answered))
    if snapshot := recording.snapshot_after(step):
        console.print(_safe("\nDocument afterwards", "bold"))
        console.print(_safe(snapshot))


def _creator(recording: Recording, key: str) -> str:
    for n, step in enumerate(recording.trace.steps, 1):
        if key and step.event.key == key:
            return f"step {n}, {step.event}"
    return key


def _events(recording: Recording) -> Iterable[Any]:
    yield from recording.trace.initial
    for step in recording.trace.steps:
        yield from step.effect.created


# JSON --------------------------------------------------------------------------------------------------------------


def _document(recording: Recording) -> dict[str, Any]:
    """Everything, bodies as text where they are text."""
    return {
        "manifest": msgspec.to_builtins(recording.manifest),
        "initial": [_event_document(event) for event in recording.trace.initial],
        "steps": [_step_document(recording, n, step) for n, step in enumerate(recording.trace.steps, 1)],
        "exchanges": [
            {**msgspec.to_builtins(each), "request_body": _content(each.request_body)} for each in recording.exchanges
        ],
        "conversations": msgspec.to_builtins(recording.conversations),
        "bodies": {name: _content(data) for name, data in recording.bodies.items()},
        "snapshots": recording.snapshots,
        "screens": {name: base64.b64encode(data).decode() for name, data in recording.screens.items()},
    }


def _step_document(recording: Recording, number: int, step: Step) -> dict[str, Any]:
    document: dict[str, Any] = to_plain(step)
    document["event"] = _event_document(step.event)
    if "effect" in document and step.effect.created:
        document["effect"]["created"] = [_event_document(event) for event in step.effect.created]
    return {"number": number, "at": step.at, **document}


def _event_document(event: Any) -> dict[str, Any]:
    return {"key": event.key, **to_plain(event)}


def _content(data: bytes) -> dict[str, str]:
    try:
        return {"text": data.decode()}
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(data).decode()}


# Text of a page is hostile: never markup, never an escape sequence -------------------------------------------------


def _safe(text: str, style: str = "") -> Text:
    return Text(printable(text), style=style)


def _table(*columns: str) -> Table:
    table = Table(box=None, header_style="bold", pad_edge=False, padding=(0, 2, 0, 0))
    for column in columns:
        right = column in ("#", "time", "size", "sent", "received")
        table.add_column(column, justify="right" if right else "left", overflow="fold")
    return table
