"""Secrets that a page plants, and where they are after a run: nowhere."""

from __future__ import annotations

import base64
import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

from benchmarks.hostile.processes import Place
from benchmarks.hostile.tally import Row
from tests.hostile.planted import CONFIGURATION, SECRETS, contents, planted_site

PRINTS = "import sys\nfor line in {lines!r}: print(line, flush=True)\nsys.stdin.read()"
COMMANDS: dict[str, tuple[str, ...]] = {
    "explore": ("explore", "URL", "--events", "15", "--html", "explore.html", "--json", "explore.json"),
    "check": (
        "check", "URL", "--budget", "30s", "--json", "check.json", "--junit", "junit.xml", "--sarif", "out.sarif",
        "--html", "check.html", "--annotations", "--baseline", "baseline.json", "--update-baseline",
    ),
    "races": ("races", "ajax", "URL", "--budget", "15s", "--json", "races.json"),
    "record": ("record", "URL", "--walk", "8", "-o", "walk.jostle", "--json", "record.json"),
}  # fmt: skip
KINDS = {
    "run.db": "run database", ".jostle": "recording", ".html": "HTML report", ".json": "JSON", ".xml": "JUnit",
    ".sarif": "SARIF", ".py": "generated test", ".log": "log of the application", "stdout": "standard output",
    "stderr": "standard error", "progress.txt": "progress",
}  # fmt: skip


def _kind(name: str) -> str:
    if name == "model.json":
        return "model"
    return next((kind for ending, kind in KINDS.items() if name.endswith(ending)), "other artefacts")


def _forms(secret: str) -> set[bytes]:
    """As it may be written."""
    raw = secret.encode()
    quoted, escaped = quote(secret, safe="").encode(), json.dumps(secret).encode()[1:-1]
    return {raw, raw.hex().encode(), base64.b64encode(raw), quoted, escaped}


def _searched(folder: Path) -> Iterator[tuple[str, bytes]]:
    for name, data in contents(folder):
        if Path(name).name not in ("jostle.toml", "app.py"):
            yield name, data


def secrets() -> list[Row]:
    """Each secret in each kind of place is one attack."""
    row = Row(what="secrets: each in each kind of place")
    survived: dict[tuple[str, str], str] = {}
    places: set[str] = set()
    files = 0
    with planted_site() as url, tempfile.TemporaryDirectory(prefix="hostile-") as name:
        for command, words in COMMANDS.items():
            at = Place(folder=Path(name, command))
            at.folder.mkdir()
            # What only a person types, no command knows.
            lines = [f"token={secret}" for name, secret in SECRETS.items() if name != "typed"]
            (at.folder / "app.py").write_text(PRINTS.format(lines=lines) + "\nimport time; time.sleep(600)\n")
            start = f"app = {{ start = {json.dumps(f'{sys.executable} app.py')}, ready = 'token' }}\n"
            (at.folder / "jostle.toml").write_text(start + CONFIGURATION)
            process = at.start([url if each == "URL" else each for each in words])
            ended = at.ended(process, at=0, number=None, most=120)
            if ended.code not in (0, 1):
                row.failures.append(f"{command} ended with {ended.code}: {ended.said[-300:]}")
            for file, data in _searched(at.folder):
                files += 1
                places.add(kind := _kind(Path(file).name))
                for what, secret in SECRETS.items():
                    if any(form in data for form in _forms(secret)):
                        survived.setdefault((what, kind), f"{command}/{file}")
    row.tried = len(SECRETS) * len(places)
    row.failures += [f"{what} in {where}" for (what, _), where in sorted(survived.items())]
    row.figures = f"{len(SECRETS)} secrets, {len(places)} kinds of places ({', '.join(sorted(places))}), {files} files"
    return [row]
