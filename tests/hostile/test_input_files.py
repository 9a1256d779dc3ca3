"""Run directories, recordings and configuration are input: others may have made them."""

from __future__ import annotations

import contextlib
import os
import random
import sqlite3
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from jostle.config.load import load as load_file
from jostle.consumers.run_keeper import RunKeeper
from jostle.errors import ConfigurationProblem, Problem, RunProblem, UsageProblem
from jostle.findings.baseline import Baseline
from jostle.model.machine import Machine
from jostle.model.macros_file import Macros
from jostle.recording.file import Manifest, Recording, UnreadableRecording
from jostle.runs import RunDirectory
from jostle.runs.document import Document
from jostle.runs.report import write_report
from jostle.search.job import InDirectory
from jostle.search.stream import FileMade
from tests.growing import assert_linear
from tests.hostile.damaged_files import formats, tried

IN_TIME = 10.0
"""Seconds that a refusal may take, on a machine that is busy."""
SECRET = "what others must not get to see"


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A run with an artefact and a report."""
    with RunDirectory.create(tmp_path / "runs", "explore", url="http://a.test/") as made:
        made.add_artefact("told.json", b'{"searches": []}', "application/json")
        made.add_artefact("page", b"<p>", "text/html")
    return made.path


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    file = tmp_path / "outside.txt"
    file.write_text(SECRET)
    return file


def changed(run: Path, statement: str, *values: object) -> None:
    with sqlite3.connect(run / "run.db") as database:
        database.execute(statement, values)


def stored(run: Path, name: str) -> Path:
    with RunDirectory.open(run) as opened:
        return run / next(each.file for each in opened.artefacts if each.name == name)


@pytest.mark.parametrize("aim", ["../../outside.txt", "artefacts/../../../outside.txt", "ABSOLUTE", "/dev/zero", "."])
def test_an_artefact_is_never_outside_of_the_directory(aim: str, run: Path, outside: Path) -> None:
    changed(run, "UPDATE artefact SET file = ? WHERE name = 'page'", str(outside) if aim == "ABSOLUTE" else aim)
    with RunDirectory.open(run) as opened, pytest.raises(RunProblem, match="cannot be read"):
        opened.artefact("page")


@pytest.mark.parametrize("kind", ["link", "link to a directory", "device", "pipe", "directory", "huge"])
def test_what_is_no_ordinary_file_is_not_read(kind: str, run: Path, outside: Path) -> None:
    file = stored(run, "page")
    file.unlink()
    if kind == "link":
        file.symlink_to(outside)
    elif kind == "link to a directory":
        (run / "artefacts").rename(run / "elsewhere")
        (run / "artefacts").symlink_to(run.parent)
    elif kind == "device":
        file.symlink_to("/dev/zero")
    elif kind == "pipe":
        os.mkfifo(file)
    elif kind == "directory":
        file.mkdir()
    else:
        with file.open("wb") as stream:
            stream.truncate(2**40)  # without taking any place
    began = time.monotonic()
    with RunDirectory.open(run) as opened, pytest.raises(RunProblem, match="cannot be read"):
        opened.artefact("page")
    assert time.monotonic() - began < IN_TIME


@pytest.mark.parametrize("name", ["progress.txt", "run.lock"])
def test_pipes_in_the_place_of_small_files_do_not_hold_anybody_up(name: str, run: Path) -> None:
    changed(run, "UPDATE run SET status = 'running'")
    (run / name).unlink(missing_ok=True)
    os.mkfifo(run / name)
    began = time.monotonic()
    with RunDirectory.open(run) as opened:
        assert opened.doing == ""
        assert opened.info.status == "interrupted"
    assert time.monotonic() - began < IN_TIME


def test_a_database_that_is_a_link_is_none(run: Path, tmp_path: Path) -> None:
    (run / "run.db").rename(tmp_path / "real.db")
    (run / "run.db").symlink_to(tmp_path / "real.db")
    with pytest.raises(RunProblem, match="it has no"):
        RunDirectory.open(run)


@pytest.mark.parametrize(
    "statements",
    [
        [
            "DROP TABLE finding",
            "CREATE VIEW finding AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
            " SELECT i AS id, '{}' AS json, NULL AS filter, i AS rowid FROM n",
        ],
        [
            "DROP TABLE remark",
            "CREATE TABLE remark (id INTEGER PRIMARY KEY, at TEXT, kind TEXT,"
            " text GENERATED ALWAYS AS (hex(zeroblob(500000000))) VIRTUAL)",
        ],
        ["CREATE TRIGGER t AFTER UPDATE ON run BEGIN DELETE FROM finding; END"],
    ],
    ids=["endless view", "generated column", "trigger"],
)
def test_a_database_with_more_than_tables_is_none(statements: list[str], run: Path) -> None:
    for each in statements:
        changed(run, each)
    began = time.monotonic()
    with pytest.raises(RunProblem, match="not the database of a run"):
        RunDirectory.open(run)
    assert time.monotonic() - began < IN_TIME


@pytest.mark.parametrize("options", ["[" * 100_000, '{"a": ' * 100_000, "9" * 100_000, '"\ud800"', "not JSON"])
def test_options_that_are_none_are_told(options: str, run: Path) -> None:
    changed(run, "UPDATE run SET options = ?", options.encode("utf-8", "surrogatepass").decode("utf-8", "replace"))
    with RunDirectory.open(run) as opened, pytest.raises(RunProblem):
        opened.info  # noqa: B018


@pytest.mark.parametrize("name", ["report.html", ".report.html.part"])
def test_a_report_is_written_into_the_directory_only(name: str, run: Path, outside: Path) -> None:
    (run / name).symlink_to(outside)
    with RunDirectory.open(run) as opened:
        write_report(opened, run / "report.html")
    assert outside.read_text() == SECRET
    assert (run / "report.html").read_text().startswith("<!doctype html>")


@pytest.mark.parametrize("name", ["../outside.txt", "/etc/outside.txt", "a/../../outside.txt"])
def test_a_file_of_a_finding_is_written_into_the_directory_only(name: str, tmp_path: Path) -> None:
    with RunDirectory.create(tmp_path, "explore") as made:
        (made.path / "outside.txt").symlink_to(tmp_path / "target")
        RunKeeper(made)(FileMade(name, b"x"))
        assert (made.path / "outside.txt").read_bytes() == b"x"
    assert sorted(each.name for each in tmp_path.iterdir()) == [made.path.name]


def bomb(file: Path, members: dict[str, Callable[[], bytes]]) -> None:
    Recording(manifest=Manifest(url="http://a.test/")).write(file)
    with zipfile.ZipFile(file) as archive:
        kept = {name: archive.read(name) for name in archive.namelist() if name not in members}
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in kept.items():
            archive.writestr(name, data)
        for name, make in members.items():
            archive.writestr(name, make())


MB = 2**20
BOMBS: dict[str, dict[str, Callable[[], bytes]]] = {
    "a body": {"bodies/" + "0" * 64: lambda: bytes(500 * MB)},
    "snapshots": {f"snapshots/{n}.txt": lambda: b" " * (300 * MB) for n in range(4)},
    "empty lines": {"trace.jsonl": lambda: b"\n" * (400 * MB)},
    "lines that are steps": {"initial.jsonl": lambda: b"{}\n" * (100 * MB)},
    "deep JSON": {"manifest.json": lambda: b"[" * (60 * MB)},
}
READ = """
import sys
from jostle.recording.file import Recording
from jostle.errors import Problem
try:
    Recording.read(sys.argv[1])
except Problem as problem:
    print(problem)
[peak] = [line for line in open("/proc/self/status") if line.startswith("VmHWM:")]
print(int(peak.split()[1]) // 1024)
"""
# Not `getrusage`: that also counts what the process had before it began to run this, which is what pytest has.


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="only Linux tells what a process had at most")
@pytest.mark.parametrize(
    "name", [pytest.param(each, marks=[] if each == "empty lines" else pytest.mark.long) for each in BOMBS]
)
def test_a_small_file_never_takes_much_memory(name: str, tmp_path: Path) -> None:
    file = tmp_path / "bomb.jostle"
    bomb(file, BOMBS[name])
    assert file.stat().st_size < 3 * MB
    began = time.monotonic()
    done = subprocess.run([sys.executable, "-c", READ, file], capture_output=True, text=True, timeout=100)
    *said, megabytes = done.stdout.splitlines()
    assert said, done.stderr
    assert int(megabytes) < 700
    assert time.monotonic() - began < 60


def test_a_file_that_lies_about_the_size_of_a_member_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "liar.jostle"
    bomb(file, {"bodies/" + "0" * 64: lambda: bytes(20 * MB)})
    honest = (20 * MB).to_bytes(4, "little")
    data = file.read_bytes()
    assert honest in data
    file.write_bytes(data.replace(honest, (100).to_bytes(4, "little")))
    with pytest.raises(UnreadableRecording):
        Recording.read(file)


@pytest.mark.parametrize("kind", ["pipe", "device"])
def test_a_recording_is_an_ordinary_file(kind: str, tmp_path: Path) -> None:
    file = tmp_path / "made.jostle"
    if kind == "pipe":
        os.mkfifo(file)
    else:
        file.symlink_to("/dev/zero")
    with pytest.raises(UnreadableRecording, match="no ordinary file"):
        Recording.read(file)


CONFIGURATIONS = {
    "deep lists": "avoid = " + "[" * 50_000,
    "deep tables": "x = " + "{a=" * 20_000,
    "a deep key": ".".join(["a"] * 100_000) + " = 1",
    "a deep table": "[" + ".".join(["a"] * 100_000) + "]",
    "a huge number": "app.timeout = " + "9" * 200_000,
    "a large number": "app.timeout = " + "9" * 4_000,
    "many keys": "\n".join(f"key{n} = {n}" for n in range(50_000)),
    "many tables": "\n".join(f"[table{n}]" for n in range(50_000)),
    "many rows": "invariants = [" + "{name = 'x', foo = 1}," * 20_000 + "]",
    "too large": "# " + "x" * 20_000_000,
    "no text": "\udcff",
}


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_a_hostile_configuration_is_refused_in_time(name: str, tmp_path: Path) -> None:
    file = tmp_path / "jostle.toml"
    file.write_bytes(CONFIGURATIONS[name].encode("utf-8", "surrogateescape"))
    began = time.monotonic()
    with pytest.raises(ConfigurationProblem) as told:
        load_file(start=tmp_path)
    assert time.monotonic() - began < IN_TIME
    assert len(str(told.value)) < 10_000


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_a_configuration_above_that_belongs_to_another_user_is_not_run(tmp_path: Path) -> None:
    work = tmp_path / "work" / "deeper"
    work.mkdir(parents=True)
    file = tmp_path / "jostle.toml"
    file.write_text('[app]\nstart = "touch pwned"\n')
    assert load_file(start=work).file == file
    os.chown(file, 12345, 12345)
    with pytest.raises(ConfigurationProblem, match="belongs to another user"):
        load_file(start=work)
    assert load_file(file).file == file  # whoever names it trusts it
    os.chown(work, 12345, 12345)  # somebody else's project, in which we are on purpose: a volume in a container
    assert load_file(start=work).file == file


@pytest.mark.parametrize("name", ["told.json", "model.json", "macros.json"])
@pytest.mark.parametrize(
    "content", [b"[" * 200_000, b'{"states": ' + b"9" * 5_000 + b"}", b"\xff", b"null", b'{"a": "\\ud800"}']
)
def test_a_report_is_made_of_whatever_is_there(name: str, content: bytes, run: Path) -> None:
    with RunDirectory.open(run, resume=False) as opened:
        assert opened.artefacts
    changed(run, "UPDATE run SET status = 'interrupted'")
    with RunDirectory.open(run, resume=True) as again:
        again.add_artefact(name, content, "application/json")
    with RunDirectory.open(run) as opened:
        write_report(opened, run / "report.html")
    assert (run / "report.html").stat().st_size > 1000


@pytest.mark.parametrize("kind", ["pipe", "device", "huge"])
@pytest.mark.parametrize("read", [Baseline.read, Macros.load, Machine.load, Document.read, InDirectory().read])
def test_files_that_a_user_names_are_ordinary_and_end(
    read: Callable[[Path], object], kind: str, tmp_path: Path
) -> None:
    file = tmp_path / "named.json"
    if kind == "pipe":
        os.mkfifo(file)
    elif kind == "device":
        file.symlink_to("/dev/zero")
    else:
        with file.open("wb") as stream:
            stream.truncate(2**40)
    began = time.monotonic()
    with pytest.raises(UsageProblem, match=r"no ordinary file|more than"):
        read(file)
    assert time.monotonic() - began < IN_TIME


WRONG = ["not JSON", "null", '{"id": 1}', "[" * 5000, '{"\\ud83d": 1}', b"\xff"]


@pytest.mark.parametrize("value", WRONG, ids=lambda value: repr(value)[:20])
@pytest.mark.parametrize(
    ("table", "column"),
    [
        ("finding", "json"),
        ("finding", "filter"),
        ("step", "json"),
        ("remark", "text"),
        ("artefact", "file"),
        ("artefact", "size"),
    ],
)
def test_rows_that_others_wrote_are_read_or_refused(table: str, column: str, value: object, run: Path) -> None:
    with sqlite3.connect(run / "run.db") as database:
        database.execute("INSERT INTO finding VALUES ('x', x'7b7d', NULL)")
        database.execute("INSERT INTO remark (at, kind, text) VALUES ('', 'limit', '')")
        database.execute("INSERT INTO step VALUES (0, x'7b7d')")
        if column == "json" and isinstance(value, str):
            value = value.encode()
        try:
            database.execute(f"UPDATE {table} SET {column} = ?", (value,))
        except sqlite3.IntegrityError:
            return  # the table does not take it
    with RunDirectory.open(run) as opened:
        for look in (
            lambda: opened.document(seconds=1.0),
            lambda: list(opened.steps()),
            lambda: opened.artefact("page"),
        ):
            with contextlib.suppress(RunProblem):
                look()
        write_report(opened, run / "report.html")


def test_a_message_that_repeats_what_others_wrote_is_bounded() -> None:
    assert len(str(Problem("x" * 10**6, advice="Mend it."))) < 5000


def test_damaged_files_of_every_format_are_read_or_refused(tmp_path: Path) -> None:
    chance = random.Random(7)
    found = []
    for form in formats(tmp_path):
        for n in range(10 if form.name in ("recording", "run database") else 40):
            folder = tmp_path / f"{form.name} {n}"
            folder.mkdir()
            found.append(tried(form, chance, folder, most=60))
    assert [each for each in found if each is not None] == []


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
@pytest.mark.parametrize("linked", [False, True], ids=["file", "link"])
def test_a_file_of_another_user_is_not_even_parsed(linked: bool, tmp_path: Path) -> None:
    work = tmp_path / "work"
    work.mkdir()
    file = tmp_path / "pyproject.toml"
    if linked:
        (tmp_path / "own.toml").write_text("[tool.jostle")
        file.symlink_to(tmp_path / "own.toml")
    else:
        file.write_text("[tool.jostle")
    os.chown(file, 12345, 12345, follow_symlinks=False)
    with pytest.raises(ConfigurationProblem, match="belongs to another user"):
        load_file(start=work)
    file.unlink()
    file.write_text("[[[ nothing of ours")
    os.chown(file, 12345, 12345)
    assert load_file(start=work).file is None


@pytest.mark.parametrize(
    "key", ['"a".', "'a' . ", '"a\\"".', "a.", '"a.a".', '"a"', "'", '"', "a.'b'.", '"\\', '"\\\n']
)
@pytest.mark.parametrize("end", ["a = 1", "", "\n"])
def test_the_time_that_keys_take_grows_with_the_file(key: str, end: str, tmp_path: Path) -> None:
    file = tmp_path / "jostle.toml"

    def load(content: str) -> None:
        file.write_text(content)
        with contextlib.suppress(ConfigurationProblem):
            load_file(file)

    assert_linear(load, lambda size: key * (size // len(key)) + end, 50_000)
