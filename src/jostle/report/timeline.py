"""A recording as one HTML file: what was owned, what happened in which order, and who caused what."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Protocol

from markupsafe import Markup

from jostle.events import Kind
from jostle.plural import count
from jostle.recording.divergence import Divergence
from jostle.recording.file import Manifest, Recording
from jostle.report import words
from jostle.report.document import environment, in_script, own, policy
from jostle.report.rows import TimelineRow, repetitions, rows, shown
from jostle.writing import write_whole

LANES = {
    Kind.USER: "User",
    Kind.LIFECYCLE: "Page",
    Kind.PARSE: "Parser",
    Kind.NETWORK: "Answers",
    Kind.MESSAGE: "Messages",
    Kind.TIMER: "Timers",
    Kind.FRAME: "Frames",
    Kind.IDLE: "Idle",
    Kind.ANIMATION: "Animations",
    Kind.OBSERVER: "Observers",
}
"""The lanes in the order in which they are shown."""

_SCREENS = {"start": "Before the first action", "end": "At the end"}


class Replay(Protocol):
    """What came of a replay; `jostle.recording.replay.Replayed` is one."""

    @property
    def divergence(self) -> Divergence | None: ...


def timeline(recording: Recording, replays: Sequence[Replay] = ()) -> str:
    """A self-contained HTML document: it loads nothing, and texts of the page stay texts in it."""
    template = environment(count=count, time=words.time).get_template("timeline.html")
    style, script = own("timeline.css"), own("timeline.js")
    steps = rows(recording)
    diverged = [(n, each.divergence) for n, each in enumerate(replays, 1) if each.divergence]
    owned = words.owned(recording.trace)
    present = {each.kind for each in owned}
    return template.render(
        style=style,
        script=script,
        policy=policy(style=style, script=script, pictures=True),
        url=shown(recording.manifest.url),
        facts=_facts(recording),
        owned=owned,
        virtual=words.time(steps[-1].time if steps else 0),
        real=_real(recording.manifest),
        errors=sum(len(step.effect.errors) + bool(step.effect.hung) for step in recording.trace.steps),
        limits=[shown(limit) for limit in recording.manifest.limits],
        screens=[
            {"name": name, "caption": caption, "data": base64.b64encode(recording.screens[name]).decode()}
            for name, caption in _SCREENS.items()
            if name in recording.screens
        ],
        replays=len(replays),
        reproduced=len(replays) - len(diverged),
        diverged=[
            {"replay": n, "step": each.step, "words": shown(str(each)), "details": [shown(d) for d in each.details]}
            for n, each in diverged
        ],
        rows=steps,
        lanes={kind: label for kind, label in LANES.items() if kind in present},
        data=_data(steps, [kind for kind in LANES if kind in present], diverged),
    )


def write_timeline(file: Path, recording: Recording, replays: Sequence[Replay] = ()) -> None:
    """The file is complete or not there. Raises CouldNotRun."""
    write_whole(file, timeline(recording, replays).encode())


def _data(steps: Sequence[TimelineRow], lanes: Sequence[Kind], diverged: Sequence[tuple[int, Divergence]]) -> Markup:
    return in_script(
        {
            "lanes": [{"kind": kind, "label": LANES[kind]} for kind in lanes],
            "steps": steps,
            "runs": repetitions(steps),
            "diverged": [{"step": each.step, "text": shown(f"Replay {n} {each}")} for n, each in diverged],
        }
    )


def _facts(recording: Recording) -> dict[str, str]:
    manifest = recording.manifest
    made = f"{_when(manifest.created)} by jostle {manifest.jostle}"
    facts = {
        "Recorded": made,
        "Browser": manifest.browser.replace("/", " "),
        "Seed": str(manifest.seed),
        "Window": "{} × {}".format(*manifest.viewport),
        "Kept": ", ".join(
            count(number, noun)
            for number, noun in (
                (len(recording.trace.steps), "step"),
                (len(recording.exchanges), "request"),
                (len(recording.conversations), "conversation"),
                (len(recording.snapshots), "state"),
            )
            if number
        ),
        "Origins": ", ".join(manifest.origins),
        "Secrets": "replaced" if manifest.redacted else "",
    }
    return {name: shown(value) for name, value in facts.items() if value}


def _when(created: str) -> str:
    try:
        return f"{datetime.fromisoformat(created):%-d %B %Y, %H:%M %Z}".strip()
    except ValueError:
        return created


def _real(manifest: Manifest) -> str:
    seconds = manifest.options.get("seconds")
    return words.time(seconds * 1000) if isinstance(seconds, (int, float)) else ""
