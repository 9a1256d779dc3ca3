from __future__ import annotations

import json
import os
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jostle.recording import file as format_of
from jostle.recording.exchange import Conversation, Happening, Message
from jostle.recording.file import FORMAT_VERSION, Recording, UnreadableRecording, UnwritableRecording
from tests.recording.recordings import any_recording, search_page


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    path = tmp_path / "walk.jostle"
    search_page().write(path)
    return path


def rewrite(path: Path, change: Callable[[dict[str, bytes]], object]) -> None:
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    change(members)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)


def set_version(version: object) -> Callable[[dict[str, bytes]], None]:
    def change(members: dict[str, bytes]) -> None:
        members["manifest.json"] = json.dumps({**json.loads(members["manifest.json"]), "version": version}).encode()

    return change


@given(any_recording())
@settings(max_examples=100, deadline=None)
def test_what_is_written_is_read_back(tmp_path_factory: pytest.TempPathFactory, recording: Recording) -> None:
    path = tmp_path_factory.mktemp("r") / "r.jostle"
    recording.write(path)
    back = Recording.read(path)
    assert back == recording
    assert [event.detail for event in back.trace.events] == [event.detail for event in recording.trace.events]


def test_equal_recordings_make_equal_files(tmp_path: Path) -> None:
    for name in "ab":
        search_page().write(tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_bodies_are_kept_once() -> None:
    recording = search_page()
    before = len(recording.bodies)
    assert recording.add_body(b'{"items": []}') == recording.exchanges[1].body
    assert len(recording.bodies) == before
    assert recording.add_body(b"") == ""


@given(position=st.floats(0, 1, exclude_max=True), bits=st.integers(1, 255))
@settings(max_examples=300, deadline=None)
def test_a_corrupt_file_gives_a_clear_error_or_reads_the_same(
    tmp_path_factory: pytest.TempPathFactory, position: float, bits: int
) -> None:
    path = tmp_path_factory.mktemp("r") / "r.jostle"
    original = search_page()
    original.write(path)
    data = bytearray(path.read_bytes())
    data[int(position * len(data))] ^= bits
    path.write_bytes(data)
    try:
        back = Recording.read(path)
    except UnreadableRecording as error:
        assert str(path) in error.message
        assert "\n" not in error.message
    else:  # the byte meant nothing, or was the name of an optional member
        assert back.trace == original.trace
        assert back.exchanges == original.exchanges
        assert back.bodies == original.bodies


def test_every_truncation_gives_a_clear_error(saved: Path) -> None:
    data = saved.read_bytes()
    for length in range(0, len(data), 7):
        saved.write_bytes(data[:length])
        with pytest.raises(UnreadableRecording):
            Recording.read(saved)


def test_a_truncated_file_is_called_that(saved: Path) -> None:
    saved.write_bytes(saved.read_bytes()[:-100])
    with pytest.raises(UnreadableRecording, match="is damaged: its end is missing"):
        Recording.read(saved)


@pytest.mark.parametrize(
    ("content", "said"), [(b"", "is empty"), (b"hello", "is not a jostle recording"), (b"PK\3\4rest", "is damaged")]
)
def test_other_files(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "x.jostle"
    path.write_bytes(content)
    with pytest.raises(UnreadableRecording, match=said):
        Recording.read(path)


def test_no_such_file_and_a_directory(tmp_path: Path) -> None:
    with pytest.raises(UnreadableRecording, match="no such file"):
        Recording.read(tmp_path / "none.jostle")
    with pytest.raises(UnreadableRecording, match="is a directory"):
        Recording.read(tmp_path)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            set_version(FORMAT_VERSION + 2),
            f"made by a newer jostle \\(format {FORMAT_VERSION + 2}, this one reads up to",
        ),
        (set_version("1"), "no version"),
        (set_version(True), "no version"),
        (lambda m: m.pop("manifest.json"), "not a jostle recording"),
        (lambda m: m.update({"manifest.json": b"{}"}), "not a jostle recording"),
        (lambda m: m.update({"manifest.json": b"{"}), "manifest.json is not valid JSON"),
        (lambda m: m.update({"manifest.json": b"[" * 100_000}), "manifest.json is not valid JSON"),
        (lambda m: m.pop("trace.jsonl"), "trace.jsonl is missing"),
        (lambda m: m.update({"trace.jsonl": b'{"event":'}), "trace.jsonl, line 1 is not valid JSON"),
        (lambda m: m.update({"trace.jsonl": b"\n{}"}), "trace.jsonl, line 2: object missing required field `event`"),
        (lambda m: m.update({"exchanges.jsonl": b'{"order":"x","method":"","url":""}'}), "expected `int`, got `str`"),
        (lambda m: m.update({next(n for n in m if n.startswith("bodies/")): b"x"}), "not what its name says"),
        (lambda m: m.pop(next(n for n in m if n.startswith("bodies/"))), "the body of answer 1 is missing"),
        (lambda m: m.update({"snapshots/s0.txt": b"\xff\xfe"}), "snapshots/s0.txt is not UTF-8"),
    ],
)
def test_wrong_content(saved: Path, change: Callable[[dict[str, bytes]], object], said: str) -> None:
    rewrite(saved, change)
    with pytest.raises(UnreadableRecording, match=said):
        Recording.read(saved)


def test_a_bad_checksum_names_the_member(saved: Path) -> None:
    with zipfile.ZipFile(saved) as archive:
        info = archive.getinfo("trace.jsonl")
    data = bytearray(saved.read_bytes())
    data[info.header_offset + 30 + len("trace.jsonl") + 20] ^= 0xFF
    saved.write_bytes(data)
    with pytest.raises(UnreadableRecording, match=r"is damaged: trace\.jsonl in it cannot be unpacked"):
        Recording.read(saved)


def test_oversized_members_are_refused(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rewrite(saved, lambda members: members.update({"screens/big.png": bytes(5_000_000)}))
    assert saved.stat().st_size < 20_000
    with monkeypatch.context() as patch:
        patch.setattr(format_of, "MAX_MEMBER", 4 * 2**20)
        with pytest.raises(UnreadableRecording, match=r"refused: 'screens/big.png' in it has more than 4 MB"):
            Recording.read(saved)
    monkeypatch.setattr(format_of, "MAX_TOTAL", 3 * 2**20)
    with pytest.raises(UnreadableRecording, match="larger than a recording may be"):
        Recording.read(saved)


def test_members_that_point_elsewhere_are_ignored(saved: Path, tmp_path: Path) -> None:
    before = Recording.read(saved)
    rewrite(saved, lambda m: m.update({"../evil": b"x", "/etc/evil": b"x", "snapshots/../../evil.txt": b"x"}))
    assert Recording.read(saved) == before
    assert list(tmp_path.iterdir()) == [saved]


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_member_twice_is_refused(saved: Path) -> None:
    with zipfile.ZipFile(saved, "a") as archive:
        archive.writestr("trace.jsonl", b"")
    with pytest.raises(UnreadableRecording, match=r"'trace.jsonl' twice"):
        Recording.read(saved)


def test_writing_where_one_cannot(tmp_path: Path) -> None:
    blocker = tmp_path / "file"
    blocker.write_text("x")
    for path in (blocker / "r.jostle", tmp_path / "no" / "r.jostle", tmp_path):
        with pytest.raises(UnwritableRecording, match="Cannot write the recording"):
            search_page().write(path)
    assert list(tmp_path.iterdir()) == [blocker]


@pytest.mark.skipif(sys.platform != "linux", reason="/proc cannot be written, even by root")
def test_writing_into_a_read_only_directory() -> None:
    with pytest.raises(UnwritableRecording, match=r"Cannot write the recording /proc/self/r.jostle"):
        search_page().write("/proc/self/r.jostle")


def test_a_failed_write_leaves_the_old_file(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = saved.read_bytes()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(UnwritableRecording, match="no space left on device"):
        search_page().write(saved)
    assert saved.read_bytes() == before
    assert list(saved.parent.iterdir()) == [saved]


def test_names_the_format_cannot_hold_are_a_mistake(tmp_path: Path) -> None:
    for wrong in ({"snapshots": {"../x": ""}}, {"screens": {"a/b": b""}}, {"bodies": {"x": b""}}):
        recording = search_page()
        for attribute, value in wrong.items():
            setattr(recording, attribute, value)
        with pytest.raises(ValueError, match="not a name"):
            recording.write(tmp_path / "r")


def test_the_server_speaks_in_turn() -> None:
    def say(text: str) -> Message:
        return Message(what=Happening.SENT, text=text)

    def hear(text: str) -> Message:
        return Message(what=Happening.RECEIVED, text=text)

    end = Message(what=Happening.CLOSE)
    talk = Conversation(
        order=1,
        kind="websocket",
        url="ws://x",
        messages=(Message(what=Happening.OPEN), hear("welcome"), say("one"), hear("1"), say("two"), hear("2"), end),
    )
    assert [message.text for message in talk.due(0, 0)] == [None, "welcome"]
    assert talk.due(0, 2) == ()
    assert [message.text for message in talk.due(1, 2)] == ["1"]
    assert talk.due(2, 3) == (hear("2"), end)


def test_recordings_of_earlier_versions_are_read(tmp_path: Path) -> None:
    """What they told of an event in its words only is filled in; all else is as it was."""
    path = tmp_path / "earlier.jostle"
    search_page().write(path)
    answer = {"kind": "network", "what": "GET /api/search?q=milk", "creator": "user:1", "detail": {"resource": "xhr"}}
    timer = {"kind": "timer", "what": "timeout 300 at /app.js:1:2", "detail": {"delay": 300, "unheard": [{}]}}
    step = {
        "event": {"kind": "user", "what": "click", "detail": {"action": "click", "x": 10, "locator": {"words": "b"}}},
        "effect": {
            "created": [answer, timer],
            "lifecycle": ["commit http://shop.test/"],
            "accesses": [{"location": "global:x", "write": True}],
        },
    }
    members = {"initial.jsonl": json.dumps(answer).encode(), "trace.jsonl": json.dumps(step).encode()}
    with zipfile.ZipFile(path) as archive:
        whole = {name: archive.read(name) for name in archive.namelist()} | members
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in whole.items():
            archive.writestr(name, data)
    trace = Recording.read(path).trace
    assert trace.initial[0].request.method == "GET"
    [done] = trace.steps
    assert done.event.action.type == "click" and done.effect.commits
    assert [each.key for each in done.effect.created] == ["network:3c0672f173", "timer:b9ae86055c"]
    assert done.effect.created[1].timer.site == "/app.js:1:2"
    assert str(done.effect.accesses[0].location) == "global:x"
