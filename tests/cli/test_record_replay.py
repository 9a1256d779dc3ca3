"""`jostle record` and `jostle replay` as a user runs them: real command, real Chromium, real server."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import msgspec
import pytest
from syrupy.assertion import SnapshotAssertion

from jostle.events import wire
from jostle.examples import running
from jostle.recording.file import Recording
from tests.cli.commands import PROGRAM, command
from tests.cli.told import told


@pytest.fixture(scope="module")
def base() -> Iterator[str]:
    with running() as address:
        yield address


def record(url: str, cwd: Path, *more: str, walk: int = 5) -> Path:
    file = cwd / "walk.jostle"
    done = command("record", url, "--walk", str(walk), "--seed", "3", "-o", file, *more, cwd=cwd)
    assert done.returncode == 0, done.stderr
    return file


@pytest.mark.browser
@pytest.mark.parametrize("name", ["ticker", "larder"])
@pytest.mark.sampled(1)
def test_a_walk_is_reproduced_without_its_server(name: str, tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    assert told(_replayed(name, tmp_path), tmp_path) == snapshot


@pytest.mark.long
@pytest.mark.browser
@pytest.mark.parametrize("name", ["search-as-you-type", "timers", "frames", "csp-nonce"])
def test_walks_through_other_pages_are_reproduced(name: str, tmp_path: Path) -> None:
    _replayed(name, tmp_path)


def _replayed(name: str, tmp_path: Path) -> CompletedProcess[str]:
    with running() as base:
        file = record(f"{base}/{name}/", tmp_path, walk=6)
    done = command("replay", file, "--times", "2", "--json", "out.json", cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    stats = json.loads((tmp_path / "out.json").read_text())["stats"]
    assert stats["reproduced"] == 2
    assert stats["steps"] == len(Recording.read(file).trace.steps) > 6
    return done


@pytest.mark.browser
@pytest.mark.long
def test_the_same_seed_makes_the_same_walk(base: str, tmp_path: Path) -> None:
    walks = []
    for _ in range(2):
        trace = Recording.read(record(f"{base}/kitchen-sink/", tmp_path, walk=4)).trace
        walks.append([event.key for event in trace.events])
    assert walks[0] == walks[1]


@pytest.mark.browser
def test_a_changed_answer_is_told_with_step_and_reason(base: str, tmp_path: Path) -> None:
    file = record(f"{base}/paging/", tmp_path)
    recording = Recording.read(file)
    number, changed = next((n, each) for n, each in enumerate(recording.exchanges) if "page=" in each.url)
    body = recording.add_body(recording.body_of(changed).replace(b'"', b'"Changed ', 3))
    recording.exchanges[number] = msgspec.structs.replace(changed, body=body)
    recording.write(file)
    step = next(n for n, each in enumerate(recording.trace.steps, 1) if each.event.key == changed.event)
    done = command("replay", file, cwd=tmp_path)
    assert done.returncode == 1
    assert f"diverged at step {step} " in done.stdout


@pytest.mark.browser
@pytest.mark.long
def test_an_answer_missing_in_the_recording_is_named(base: str, tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    file = record(f"{base}/paging/", tmp_path)
    recording = Recording.read(file)
    recording.exchanges = [each for each in recording.exchanges if "page=" not in each.url]
    recording.write(file)
    done = command("replay", file, cwd=tmp_path)
    assert done.returncode == 1
    assert told(done, tmp_path) == snapshot


@pytest.mark.browser
def test_a_live_replay_asks_the_server(base: str, tmp_path: Path) -> None:
    (tmp_path / "jostle.toml").write_text(f'[app]\nreset = "POST {base}/larder/reset"\n')
    file = record(f"{base}/larder/", tmp_path, walk=4)
    done = command("replay", file, "--live", cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "reproduced" in done.stdout


@pytest.mark.browser
def test_a_live_replay_without_the_server_could_not_run(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    with running() as base:
        file = record(f"{base}/paging/", tmp_path, walk=1)
    done = command("replay", file, "--live", cwd=tmp_path)
    assert done.returncode == 3
    assert told(done, tmp_path) == snapshot


@pytest.mark.browser
@pytest.mark.long
def test_a_redacted_recording_is_reproduced_and_has_no_secret(base: str, tmp_path: Path) -> None:
    state = {
        "cookies": [{"name": "session", "value": "s3cr3t-c00kie-value", "url": base}],
        "origins": [],
    }
    (tmp_path / "auth.json").write_text(json.dumps(state))
    (tmp_path / "jostle.toml").write_text('[login]\nstorage_state = "auth.json"\n')
    file = record(f"{base}/larder/login", tmp_path, "--redact", walk=8)
    recording = Recording.read(file)
    assert recording.manifest.redacted
    whole = wire.encode([recording.manifest, recording.trace, recording.exchanges, recording.snapshots])
    assert b"s3cr3t-c00kie-value" not in whole
    assert all(b"s3cr3t-c00kie-value" not in body for body in recording.bodies.values())
    done = command("replay", file, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.browser
@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("http://127.0.0.1:1024/", "nothing is listening there"),
        ("http://no-such-host.invalid/", "no such host"),
        ("ftp://127.0.0.1/", "not an http or https address"),
    ],
)
def test_an_address_that_cannot_be_opened(
    address: str, words: str, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    done = command("record", address, "--walk", "1", cwd=tmp_path)
    assert done.returncode in (2, 3)
    assert words in done.stderr
    assert told(done, tmp_path) == snapshot
    assert not (tmp_path / "walk.jostle").exists()


class Started:
    """A command in the background, in a temporary directory of its own so that its leftovers can be seen."""

    def __init__(self, cwd: Path, *arguments: str) -> None:
        self.temporary = Path(tempfile.mkdtemp(prefix="jt", dir="/tmp"))
        self.process = subprocess.Popen(
            [*PROGRAM, *arguments],
            cwd=cwd,
            env={**os.environ, "TMPDIR": str(self.temporary)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def until(self, words: str) -> None:
        assert self.process.stderr is not None
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            line = self.process.stderr.readline()
            if words in line:
                return
            assert line or self.process.poll() is None, f"ended before it said {words!r}"
        raise AssertionError(f"waited 60 s for {words!r}")

    def end(self) -> tuple[int, str]:
        output, errors = self.process.communicate(timeout=60)
        assert self.leftovers() == []
        self.temporary.rmdir()
        return self.process.returncode, output + errors

    def leftovers(self) -> list[str]:
        found = [entry.name for entry in self.temporary.iterdir() if entry.name.startswith("jostle-")]
        for entry in Path("/proc").glob("[0-9]*/cmdline"):
            try:
                if str(self.temporary).encode() in entry.read_bytes():
                    found.append(entry.parent.name)
            except OSError:
                continue
        for entry in self.temporary.iterdir():
            if entry.is_dir():
                entry.rmdir()
            else:
                entry.unlink()
        return found


@pytest.mark.browser
def test_ctrl_c_keeps_what_was_recorded_and_it_can_be_resumed(base: str, tmp_path: Path) -> None:
    work = Started(tmp_path, "record", f"{base}/larder/", "--walk", "500", "--seed", "3", "-o", "part.jostle")
    work.until(": ")  # a line about the walk's progress
    work.process.send_signal(signal.SIGINT)
    code, said = work.end()
    assert code == 130, said
    assert "Traceback" not in said
    part = Recording.read(tmp_path / "part.jostle")
    actions = [step.event for step in part.trace.steps if step.event.by_user]
    assert 0 < len(actions) < 500
    assert command("replay", "part.jostle", cwd=tmp_path).returncode == 0

    directory = next((tmp_path / ".jostle" / "runs").glob("*-record"))
    walk = str(len(actions) + 2)
    again = command("record", "--resume", directory, "--walk", walk, "-o", "whole.jostle", cwd=tmp_path)
    assert again.returncode == 0, again.stderr
    whole = [step.event for step in Recording.read(tmp_path / "whole.jostle").trace.steps if step.event.by_user]
    assert whole[: len(actions)] == actions
    assert len(whole) == len(actions) + 2


@pytest.mark.browser
def test_a_killed_browser_is_told_and_the_recording_kept(base: str, tmp_path: Path) -> None:
    work = Started(tmp_path, "record", f"{base}/larder/", "--walk", "500", "-o", "part.jostle")
    work.until(": ")
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = entry.read_bytes()
        except OSError:
            continue
        if str(work.temporary).encode() in line and b"--type=" not in line:
            os.kill(int(entry.parent.name), signal.SIGKILL)
    code, said = work.end()
    assert code == 3, said
    assert "browser" in said
    assert "Traceback" not in said
    assert Recording.read(tmp_path / "part.jostle").trace.steps


@pytest.mark.browser
def test_log_in_by_function(base: str, tmp_path: Path) -> None:
    (tmp_path / "mylogin.py").write_text(
        "import urllib.request\n"
        "def log_in(url):\n"
        "    return {'cookies': [{'name': 'greeting', 'value': 'hello', 'url': url}], 'origins':"
        " [{'origin': url.rstrip('/').rsplit('/', 1)[0], 'localStorage': [{'name': 'who', 'value': 'me'}]}]}\n"
    )
    (tmp_path / "jostle.toml").write_text('[login]\nfunction = "mylogin:log_in"\n')
    file = record(f"{base}/paging/", tmp_path, "--no-redact", walk=1)
    options: dict[str, Any] = Recording.read(file).manifest.options
    assert options["cookies"][0]["value"] == "hello"
    snapshots = Recording.read(file).snapshots.values()
    assert all("cookie greeting=hello" in text and "localStorage who = me" in text for text in snapshots)
    assert command("replay", file, cwd=tmp_path).returncode == 0


@pytest.mark.browser
def test_log_in_by_a_recorded_trace(base: str, tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    login = record(f"{base}/larder/", tmp_path, walk=3)
    login.rename(tmp_path / "login.jostle")
    (tmp_path / "jostle.toml").write_text(
        f'[login]\ntrace = "login.jostle"\n[app]\nreset = "POST {base}/larder/reset"\n'
    )
    done = command("record", f"{base}/larder/", "--walk", "2", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert told(done, tmp_path) == snapshot


@pytest.mark.browser
@pytest.mark.parametrize(
    ("content", "words"),
    [("{", "is not JSON"), ('{"cookies": 3}', "does not hold a storage state")],
)
def test_a_bad_storage_state_is_an_error_in_words(base: str, tmp_path: Path, content: str, words: str) -> None:
    (tmp_path / "auth.json").write_text(content)
    (tmp_path / "jostle.toml").write_text('[login]\nstorage_state = "auth.json"\n')
    done = command("record", base, "--walk", "1", cwd=tmp_path)
    assert done.returncode == 2
    assert words in done.stderr
