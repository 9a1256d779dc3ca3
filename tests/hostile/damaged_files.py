"""Files of every format that jostle reads, damaged at random: each is read or refused in words, in time."""

from __future__ import annotations

import io
import json
import random
import shutil
import sqlite3
import time
import traceback
import zipfile
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

import jostle.examples
from jostle.cli.main import run as command
from jostle.config.load import load as load_configuration
from jostle.errors import Problem
from jostle.exploring.search import ExploreOptions
from jostle.findings.baseline import Baseline
from jostle.model.machine import Machine
from jostle.model.macros_file import Macros
from jostle.recording.file import Recording
from jostle.recording.login import StorageState
from jostle.runs import RunDirectory
from jostle.runs.document import Document
from jostle.runs.report import write_report
from jostle.search.job import Job
from jostle.serverapi.files import read_api
from jostle.serverapi.har import read_har
from jostle.serverapi.mock.answering import MockServer
from tests.report.check_runs import some, write_run
from tests.report.explorations import shop
from tests.report.test_macros import MENU

SESSION = Path(jostle.examples.__path__[0], "sessions", "larder-1.jostle")
_LONGEST_WORDS = 10_000
WORDS: tuple[bytes, ...] = (
    b"", b"\0", b"\xff", b"\xed\xa0\x80", b"null", b"{}", b"[]", b'""', b"-1", b"1e999", b"9" * 5000, b"NaN", b"true",
    b'"../../../../etc/passwd"', b'"/dev/zero"', b'"http://["', b'"\\ud83d"', b"[" * 3000, b'{"a":' * 3000, b"2" * 20,
)  # fmt: skip
VALUES: tuple[Any, ...] = (
    None, True, -1, 2**63, 10**400, 1e308, float("nan"), "", "x" * 10_000, "\ud83d", "../../x", "/dev/zero", "http://[",
    [], {}, [[]], {"": None}, "9" * 5000, "\0", ["x"] * 1000,
)  # fmt: skip


def damaged(data: bytes, chance: random.Random) -> bytes:
    """Bytes that were there before, with something wrong."""
    for _ in range(chance.randint(1, 4)):
        at, to = sorted(chance.randrange(len(data) + 1) for _ in range(2))
        to = min(to, at + chance.choice((1, 8, 200, len(data))))
        data = chance.choice(
            (
                lambda d, at=at, to=to: d[:at] + d[to:],
                lambda d, at=at, to=to: d[:to] + d[at:],
                lambda d, at=at, to=to: d[:at] + chance.choice(WORDS) + d[to:],
                lambda d, at=at: d[:at] + chance.randbytes(chance.randint(1, 9)) + d[at:],
                lambda d, at=at: d[:at] + bytes([d[at] ^ 1 << chance.randrange(8)]) + d[at + 1 :] if at < len(d) else d,
                lambda d, at=at: d[:at],
            )
        )(data)
    return data


def altered(value: Any, chance: random.Random) -> Any:
    """Plain data with one value that does not belong there."""
    if isinstance(value, dict) and value and chance.random() < 0.9:
        key = chance.choice(list(value))
        if chance.random() < 0.1:
            return {name: each for name, each in value.items() if name != key}
        return {**value, key: altered(value[key], chance)}
    if isinstance(value, list) and value and chance.random() < 0.8:
        at = chance.randrange(len(value))
        return [*value[:at], altered(value[at], chance), *value[at + 1 :]]
    return chance.choice(VALUES)


def altered_json(data: bytes, chance: random.Random) -> bytes:
    """JSON, or lines of JSON, damaged as text or as data."""
    if chance.random() < 0.5:
        return damaged(data, chance)
    lines = data.splitlines() if not data.startswith(b"{\n") else [data]
    at = chance.randrange(len(lines)) if lines else 0
    try:
        made = json.dumps(altered(json.loads(lines[at]), chance)).encode()
    except (ValueError, IndexError):
        return damaged(data, chance)
    return b"\n".join([*lines[:at], made, *lines[at + 1 :]])


def altered_archive(data: bytes, chance: random.Random) -> bytes:
    """A recording: the archive itself is damaged, or something in it."""
    if chance.random() < 0.4:
        return damaged(data, chance)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    for _ in range(chance.randint(1, 3)):
        name = chance.choice(list(members))
        members[name] = altered_json(members[name], chance)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return out.getvalue()


def altered_database(data: bytes, chance: random.Random) -> bytes:
    """The database of a run: its pages are damaged, or a value in a table is another."""
    if chance.random() < 0.5:
        return damaged(data, chance)
    database = sqlite3.connect(":memory:")
    database.deserialize(data[:18] + b"\1\1" + data[20:])  # without a log beside it, which memory has not
    tables = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    table = chance.choice([each for each in tables if not each.startswith("sqlite_")])
    column = chance.choice(database.execute(f"PRAGMA table_info({table})").fetchall())[1]
    before = database.execute(f"SELECT {column} FROM {table}").fetchone()
    value: Any = chance.choice((None, -1, 2**62, 1.5, "x" * 10_000, b"\xff\x00", "../../x", "[" * 3000))
    if before and isinstance(before[0], str | bytes) and before[0] and chance.random() < 0.6:
        old = before[0].encode() if isinstance(before[0], str) else before[0]
        value = altered_json(old, chance)
        value = value.decode("utf-8", "replace") if isinstance(before[0], str) else value
    try:
        database.execute(f"UPDATE {table} SET {column} = ?", (value,))
        database.commit()
    except sqlite3.Error:
        return damaged(data, chance)
    return bytes(database.serialize())


class Format(msgspec.Struct, frozen=True):
    """One that jostle reads."""

    name: str
    sample: bytes
    alter: Callable[[bytes, random.Random], bytes]
    read: Callable[[Path, bytes], None]
    """Given a folder of its own and the content of the file."""


def _in_file(name: str, read: Callable[[Path], object]) -> Callable[[Path, bytes], None]:
    def reading(folder: Path, data: bytes) -> None:
        (folder / name).write_bytes(data)
        read(folder / name)

    return reading


def _commanded(*words: str | Path) -> None:
    """Raises AssertionError when the command takes what is wrong with a file for a mistake of its own."""
    errors = io.StringIO()
    with redirect_stdout(io.StringIO()), redirect_stderr(errors):
        command([str(each) for each in words])
    assert "jostle itself failed" not in errors.getvalue(), errors.getvalue()


def _shown(file: Path) -> None:
    """All of a recording that can be looked at, by the command."""
    Recording.read(file)
    for more in ([], ["--json"], ["--html", file.with_name("out.html")]):
        _commanded("show", file, *more)


def _macros_shown(file: Path) -> None:
    Macros.load(file)
    _commanded("macros", "show", file, "--html", file.with_name("out.html"))


CONFIGURATION = """
url = "http://localhost:1/"
avoid = ["Log out", "Delete .*"]
origins = ["http://localhost:2"]
block_third_party = true
[app]
start = "true {port}"
ready = "http://localhost:1/"
reset = "POST http://localhost:1/reset"
timeout = 20.5
[login]
storage_state = "state.json"
[redact]
names = ["houseCode"]
patterns = ["/reset/([^/?]+)"]
[browser]
viewport = [800, 600]
locale = "de-DE"
memory = 500
[ignore]
regions = [".clock"]
[[invariants]]
name = "total"
javascript = "document.title !== ''"
"""
STATE = {
    "cookies": [{"name": "s", "value": "1", "domain": "localhost", "path": "/", "expires": -1, "httpOnly": True}],
    "origins": [{"origin": "http://localhost:1", "localStorage": [{"name": "a", "value": "b"}]}],
}


def formats(folder: Path) -> list[Format]:
    """With a sample of each."""
    findings = some()
    made = write_run(folder, findings, machine=shop())
    with RunDirectory.open(made) as opened:
        document = opened.document(seconds=1.0).to_json()
    Baseline().updated(findings).write(folder / "baseline.json")
    Macros(macros=(MENU,)).save(folder / "macros.json")

    def reported(here: Path, data: bytes) -> None:
        run = here / "run"
        shutil.copytree(made, run)
        (run / "run.db").write_bytes(data)
        with RunDirectory.open(run) as opened:
            write_report(opened, run / "report.html")
            opened.document(seconds=1.0)
            list(opened.steps())

    learned = _learned(folder / "learned")

    def described(name: str, here: Path, data: bytes) -> None:
        """A description of which one file is damaged, shown, updated and served."""
        api = here / "api"
        shutil.copytree(learned, api)
        (api / name).write_bytes(data)
        files = read_api(api / "api.ail")
        server = MockServer(files.description, files.schemas, files.recording)
        server.respond("GET", "http://shop.test/api/items?q=milk")
        _commanded("api", "learn", learned / "traffic.har", "--update", "-o", api / "api.ail")

    (schema,) = sorted((learned / "api.schemas").iterdir())[:1]
    described_by = {
        "AIL": ("api.ail", damaged), "api.jostle": ("api.jostle", altered_archive),
        "schema": (f"api.schemas/{schema.name}", altered_json),
    }  # fmt: skip
    state = json.dumps(STATE).encode()
    job = Job.of("explore", "http://localhost:1/", ExploreOptions(), seed=1).to_json()
    return [
        Format("recording", SESSION.read_bytes(), altered_archive, _in_file("x.jostle", _shown)),
        Format("run database", (made / "run.db").read_bytes(), altered_database, reported),
        Format("JSON document", document, altered_json, _in_file("x.json", Document.read)),
        Format("jostle.toml", CONFIGURATION.encode(), damaged, _in_file("jostle.toml", load_configuration)),
        Format("baseline", (folder / "baseline.json").read_bytes(), altered_json, _in_file("x.json", Baseline.read)),
        Format("macros", (folder / "macros.json").read_bytes(), altered_json, _in_file("x.json", _macros_shown)),
        Format("model", shop().to_json(), altered_json, _in_file("x.json", Machine.load)),
        Format("storage state", state, altered_json, lambda _, data: _state_used(data)),
        Format("job", job, altered_json, lambda _, data: _job_used(data)),
        Format("HAR", (learned / "traffic.har").read_bytes(), altered_json, _in_file("x.har", _har_learned)),
        *(
            Format(kind, (learned / name).read_bytes(), alter, partial(described, name))
            for kind, (name, alter) in described_by.items()
        ),
    ]


def _har_learned(file: Path) -> None:
    read_har(file)
    _commanded("api", "learn", file, "-o", file.with_name("out.ail"))


def _learned(folder: Path) -> Path:
    """A folder with traffic and what was learned from it."""
    folder.mkdir()
    entries = [_asked(f"items?q={word}", [{"id": n, "name": word}]) for n, word in enumerate(("milk", "tea", "ale"))]
    entries += [_asked(f"items/{n}", {"id": n, "tags": ["a"], "price": n / 2}) for n in range(3)]
    (folder / "traffic.har").write_text(json.dumps({"log": {"version": "1.2", "entries": entries}}))
    _commanded("api", "learn", folder / "traffic.har", "-o", folder / "api.ail")
    return folder


def _asked(path: str, value: object) -> dict[str, Any]:
    content = {"mimeType": "application/json", "size": 9, "text": json.dumps(value)}
    request = {"method": "GET", "url": f"http://shop.test/api/{path}", "headers": []}
    response = {"status": 200, "statusText": "", "headers": [], "content": content}
    return {"request": request, "response": response, "_resourceType": "fetch"}


def _state_used(data: bytes) -> None:
    state = StorageState.from_json(data)
    state.is_for("http://localhost:1/")
    state.moved("http://localhost:1/", "http://localhost:2/")


def _job_used(data: bytes) -> None:
    Job.from_json(data).options_as(ExploreOptions)


def tried(form: Format, chance: random.Random, folder: Path, *, most: float) -> str | None:
    """What came of one damaged file that should not have come of it; also that it took more than so many seconds of
    processor time."""
    data = form.alter(form.sample, chance)
    began = time.process_time()
    try:
        form.read(folder, data)
    except Problem as problem:
        if len(str(problem)) > _LONGEST_WORDS:
            return f"{form.name}: refused in {len(str(problem))} characters"
    except Exception as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        return f"{form.name}: {type(error).__name__}: {str(error)[:200]} at {Path(place.filename).name}:{place.lineno}"
    seconds = time.process_time() - began
    return f"{form.name}: {seconds:.1f} s" if seconds > most else None
