"""Runs of `jostle check` for the tests of its report: as data, and as directories."""

from __future__ import annotations

import io
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
from PIL import Image, ImageDraw

from jostle.findings import Finding, Severity
from jostle.findings.evidence import Evidence, RaceEvidence
from jostle.model.machine import Machine
from jostle.model.macros_file import Macros
from jostle.recording.file import Manifest, Recording
from jostle.report.check import CheckReport
from jostle.report.check_stories import RunFiles
from jostle.report.run_summary import read_summary
from jostle.runs import RunDirectory
from tests.report.explorations import finding as exception
from tests.report.explorations import shop
from tests.report.race_findings import PICTURES, overwritten, predicted, search
from tests.report.slowdown_findings import slowdown
from tests.report.test_macros import MENU

URL = "http://shop.test/"
MACROS = Macros(macros=(MENU,))
TEST = '''"""Fails as long as the race is there."""

import re


def held(page):
    return page.context


def test_{name}(page):
    assert held(page) and re.match("<b>", "<b>")
'''
TESTS = {f"test_{name}.py": TEST.format(name=name) for name in ("ajax_race_1", "slowdown_1")}
TOLD: dict[str, Any] = {
    "searches": [
        {"name": "explore", "what": "using the application", "tried": 231, "found": 1, "seconds": 60.5},
        {
            "name": "races init",
            "what": "acting before a page is ready",
            "tried": 12,
            "found": 2,
            "seconds": 31.2,
            "not_tried": 3,
            "why": "the time was up",
            "others": [["click link “Menu” early", "no race", "its handler does not matter"]],
            "noise": ["p#clock: the time of day"],
            "stats": {"avoided": {'click button "Delete account"': "delete account"}},
        },
        {
            "name": "slowdown",
            "tried": 4,
            "found": 1,
            "seconds": 95.0,
            "others": [["click a", "click b", "refuted", "the cost stays the same"]],
        },
    ],
    "stats": {
        "events": 231,
        "states": 4,
        "pages": 3,
        "blocks": 1204,
        "ended": "all events were done",
        "avoided": {'click link "Log out"': r"\blog[\s_-]?out\b"},
    },
    "servers": [
        {
            "request": "GET /api/log",
            "cause": "click a",
            "effect": "click a",
            "times": [[n, 9 + 5 * n] for n in range(13)],
        }
    ],
    "budget": 300.0,
    "seconds": 287.1,
    "browser": "Chrome/156.0",
}


def some() -> tuple[Finding, ...]:
    """One of each technique, and one that is only suspected."""
    return exception(), search(), overwritten(), predicted(), slowdown()


def report(*findings: Finding, **changes: Any) -> CheckReport:
    machine = shop()
    fields: dict[str, Any] = {
        "url": URL,
        "findings": findings,
        "suppressed": ((exception(id="harmless-1", title="a font was not found"), "fonts are no matter"),),
        "told": read_summary(TOLD),
        "machine": machine,
        "thumbnails": {each.digest: thumbnail(n) for n, each in enumerate(machine.states)},
        "pictures": PICTURES,
        "macros": MACROS,
        "notes": ("Found: TypeError",),
        "limits": ("A worker was not controlled",),
        "started": "2026-01-02T03:04:05+00:00",
        "seed": 7,
        "jostle": "0.1.0",
        "options": {"workers": 2, "budget": 300.0},
        "files": RunFiles(directory="runs/one of many", tests=TESTS),
    }
    return CheckReport(**fields | changes)


def thumbnail(number: int) -> bytes:
    image = Image.new("RGB", (320, 200), ("#f7efe2", "#e2eef7", "#e8f7e2", "#f7e2ec")[number % 4])
    ImageDraw.Draw(image).text((20, 20), f"Page {number}", fill="black", font_size=24)
    return _bytes(image, "JPEG")


def screenshot(seed: object, *, lines: int = 26) -> bytes:
    """A page full of text: as many bytes as real ones have."""
    chance = random.Random(str(seed))
    image = Image.new("RGB", (1280, 720), "white")
    drawing = ImageDraw.Draw(image)
    drawing.rectangle((0, 0, 1280, 48), fill="#3d46c2")
    for n in range(lines):
        words = " ".join("".join(chance.choices("etaoinshrdlu", k=chance.randint(2, 9))) for _ in range(16))
        drawing.text((60, 70 + 24 * n), words, fill="black", font_size=15)
    return _bytes(image, "PNG")


def _bytes(image: Image.Image, kind: str) -> bytes:
    file = io.BytesIO()
    image.save(file, kind)
    return file.getvalue()


def many(number: int, shots: int = 0) -> CheckReport:
    """So many findings of all techniques, each with other words; `shots`: different screenshots, shared by them."""
    severities = list(Severity)
    drawn = [screenshot(n) for n in range(min(shots, 12))]
    # What follows the end of a picture is not looked at, and makes it another one.
    pictures = {f"shot-{n}.png": drawn[n % 12] + str(n).encode() for n in range(shots)}
    findings = []
    for n, made in zip(range(number), some() * (number // 5 + 1), strict=False):
        evidence: Evidence = made.evidence
        if shots and isinstance(evidence, RaceEvidence) and evidence.compares:
            good, bad = (
                msgspec.structs.replace(run, screen=f"shot-{(2 * n + number) % shots}.png")
                for number, run in enumerate((evidence.good, evidence.bad))
            )
            evidence = msgspec.structs.replace(evidence, good=good, bad=bad)
        if evidence.generated_test:
            evidence = msgspec.structs.replace(evidence, test=f"test_{n}.py")
        changed = {
            "id": f"{made.kind.value}-{n:010x}",
            "title": f"{made.title} (number {n})",
            "severity": severities[n % 3],
            "evidence": evidence,
        }
        findings.append(msgspec.structs.replace(made, **changed))
    tests = {f"test_{n}.py": TEST.format(name=n) + f"# {'x' * 60}\n" * 300 for n in range(number)}
    return report(*findings, pictures={**PICTURES, **pictures}, files=RunFiles(directory="runs/many", tests=tests))


# Directories -------------------------------------------------------------------------------------------------------


def write_run(
    parent: Path,
    findings: Sequence[Finding],
    *,
    told: Any = TOLD,
    machine: Machine | None = None,
    files: bool = True,
    command: str = "check",
) -> Path:
    """A run directory as `jostle check` leaves it; the files that findings name are there, too."""
    with RunDirectory.create(parent, command, url=URL, seed=7, options={"workers": 2, "budget": 300.0}) as run:
        for finding in findings:
            run.add_finding(finding)
            if files:
                write_files(run.path, finding)
        run.add_finding(exception(id="harmless-1", title="a font was not found"), suppressed_by="fonts are no matter")
        run.add_limit("A worker was not controlled")
        run.add_note("Found: TypeError")
        if machine is not None:
            run.add_artefact("model.json", machine.to_json(), "application/json")
            for n, state in enumerate(machine.states[:20]):
                run.add_artefact(f"{state.digest}.jpg", thumbnail(n), "image/jpeg")
        if told is not None:
            run.add_artefact("told.json", msgspec.json.encode(told), "application/json")
        return run.path


def write_files(directory: Path, finding: Finding) -> None:
    test = finding.evidence.generated_test
    for name in (finding.replay, *finding.evidence.files):
        if name and name != test:
            recorded(finding).write(directory / name)
    for name in finding.evidence.pictures:
        if name in PICTURES:
            (directory / name).write_bytes(PICTURES[name])
    if test:
        (directory / test).write_text(TESTS.get(test, TEST), encoding="utf-8")


def recorded(finding: Finding) -> Recording:
    recording = Recording(Manifest(url=URL, browser="Chrome/156.0.1"))
    recording.screens["end"] = screenshot(finding.id, lines=3)
    return recording
