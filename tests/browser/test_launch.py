"""Starting and ending browsers: whatever happens, no process and no profile is left behind."""

# Pages are written as they come.
# ruff: noqa: E501

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from jostle.browser.chromium import Chromium
from jostle.browser.chromium_app import ChromiumApp
from jostle.browser.find import find, sandbox_arguments
from jostle.browser.launch import joined, sweep_profiles
from jostle.errors import CouldNotRun, NoBrowser
from tests.browser.driven import OpenApp
from tests.browser.live import Request, Site

pytestmark = pytest.mark.usefixtures("own_browsers")

SCRIPT = """
import asyncio, sys
from jostle.browser.chromium import Chromium
from jostle.browser.chromium_app import ChromiumApp

async def main(url, moment):
    if moment == "launch":
        print("launch", flush=True)
    async with Chromium.launch() as chromium:
        app = ChromiumApp(chromium, url)
        if moment == "reset":
            print("reset", flush=True)
        await app.reset()
        await app.step((await app.waiting())[0])
        if moment == "idle":
            print(chromium.pid, flush=True)
            await asyncio.sleep(60)
        print("step", flush=True)
        await app.step((await app.user_events())[0])
        await asyncio.sleep(60)

try:
    asyncio.run(main(*sys.argv[1:]))
except KeyboardInterrupt:
    sys.exit(130)
"""


@pytest.fixture
def temporary() -> Iterator[Path]:
    """Where the browsers of a test keep their profiles: nobody else's are there. Its path is short, see `short_place`."""
    with tempfile.TemporaryDirectory(prefix="jt-", dir="/tmp", ignore_cleanup_errors=True) as folder:
        yield Path(folder)


@contextlib.contextmanager
def running(site: Site, moment: str, temporary: Path) -> Iterator[subprocess.Popen[str]]:
    path = "/slow" if moment == "reset" else "/"
    process = subprocess.Popen(
        [sys.executable, "-c", SCRIPT, site.url + path, moment],
        env={**os.environ, "TMPDIR": str(temporary)},
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        assert process.stdout is not None
        process.stdout.close()


def left_over(temporary: Path) -> list[str]:
    """Command lines of processes that use a profile in a folder."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                command = (entry / "cmdline").read_bytes()
                if str(temporary).encode() in command and b"-c" not in command.split(b"\0")[1:2]:
                    found.append(command.decode(errors="replace").replace("\0", " ")[:100])
    return found


def eventually_gone(temporary: Path, seconds: float = 15) -> bool:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if not left_over(temporary):
            return True
        time.sleep(0.1)
    return False


def test_what_the_user_adds_to_a_list_takes_nothing_from_ours() -> None:
    asked = [
        "--a",
        "--disable-features=X,Y",
        "--js-flags=--one",
        "--b=1",
        "--disable-features=Z",
        "--js-flags=--two --x=3",
    ]
    assert joined(asked) == ["--a", "--disable-features=X,Y,Z", "--js-flags=--one --two --x=3", "--b=1"]


@pytest.mark.browser
@pytest.mark.parametrize("moment", ["launch", "reset", "step"])
def test_interrupted_it_leaves_nothing_behind(moment: str, site: Site, temporary: Path) -> None:
    def late(request: Request) -> str:
        time.sleep(10)
        return "late"

    site.pages = {"/": "<button onclick='while (true);'>Go</button>", "/slow": late}
    with running(site, moment, temporary) as process:
        assert process.stdout is not None
        assert process.stdout.readline().strip() == moment
        deadline = time.monotonic() + 20
        while not left_over(temporary):
            assert time.monotonic() < deadline, "the browser did not start"
            time.sleep(0.02)
        if moment != "launch":
            time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 130
    assert eventually_gone(temporary)
    assert list(temporary.iterdir()) == []


@pytest.mark.browser
def test_when_we_are_killed_the_browser_ends_and_its_profile_is_swept_later(
    site: Site, temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.pages = {"/": "<button>Go</button>"}
    with running(site, "idle", temporary) as process:
        assert process.stdout is not None
        pid = int(process.stdout.readline())
        assert Path(f"/proc/{pid}").exists()
        process.kill()
        process.wait()
    assert eventually_gone(temporary)
    assert [path.name.startswith("jostle-profile-") for path in temporary.iterdir()] == [True]
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    sweep_profiles()
    assert list(temporary.iterdir()) == []


@pytest.mark.browser
def test_a_profile_in_use_is_not_swept(temporary: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))

    async def scenario() -> None:
        async with Chromium.launch() as first:
            sweep_profiles()
            assert len(list(temporary.iterdir())) == 1
            async with Chromium.launch():
                assert len(list(temporary.iterdir())) == 2
            assert first.alive
            assert len(list(temporary.iterdir())) == 1

    asyncio.run(scenario())
    assert eventually_gone(temporary, 5)
    assert list(temporary.iterdir()) == []


@pytest.mark.browser
def test_an_error_inside_the_block_ends_the_browser(temporary: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))

    async def scenario() -> None:
        async with Chromium.launch():
            raise RuntimeError("on purpose")

    with pytest.raises(RuntimeError, match="on purpose"):
        asyncio.run(scenario())
    assert eventually_gone(temporary, 5)
    assert list(temporary.iterdir()) == []


def test_what_is_no_browser(tmp_path: Path) -> None:
    fake = tmp_path / "chromium"
    fake.write_text("#!/bin/sh\necho this is no browser >&2\nexit 1\n")
    fake.chmod(0o755)

    async def scenario() -> None:
        async with Chromium.launch(str(fake)):
            pass

    with pytest.raises(NoBrowser):
        asyncio.run(scenario())


@pytest.fixture
def running_chromium(temporary: Path) -> Iterator[str]:
    """A browser that somebody else has started, with a tab of its own."""
    process = subprocess.Popen(
        [
            str(find(None).path),
            "--headless=new",
            "--remote-debugging-port=0",
            f"--user-data-dir={temporary}",
            *sandbox_arguments(),
            "data:text/html,<title>mine</title>",
        ],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        port_file = temporary / "DevToolsActivePort"
        deadline = time.monotonic() + 30
        while not port_file.exists() or not port_file.read_text().strip():
            assert time.monotonic() < deadline, "the browser did not start"
            time.sleep(0.1)
        yield f"http://127.0.0.1:{port_file.read_text().split()[0]}"
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def pages_of(address: str) -> list[str]:
    with urllib.request.urlopen(f"{address}/json/list", timeout=5) as reply:
        return sorted(target["url"] for target in json.load(reply) if target["type"] == "page")


def test_a_running_browser_is_used_and_left_as_it_was(running_chromium: str, site: Site) -> None:
    site.pages = {"/": "<button onclick='this.textContent = 2'>Go</button>"}
    before = pages_of(running_chromium)
    assert before

    async def scenario() -> None:
        async with Chromium.connect(running_chromium) as chromium:
            app = ChromiumApp(chromium, f"{site.url}/")
            for _ in range(2):
                await app.reset()
                await app.step((await app.waiting())[0])
                effect = await app.step((await app.user_events())[0])
                assert [change.target for change in effect.changes] == ["button"]

    asyncio.run(asyncio.wait_for(scenario(), 60))
    deadline = time.monotonic() + 5
    while pages_of(running_chromium) != before and time.monotonic() < deadline:
        time.sleep(0.1)
    assert pages_of(running_chromium) == before


@pytest.mark.parametrize(
    "address", ["http://127.0.0.1:9", "127.0.0.1:9", "ws://127.0.0.1:9/devtools", "https://x", "??"]
)
def test_no_browser_at_an_address(address: str) -> None:
    async def scenario() -> None:
        async with Chromium.connect(address):
            pass

    with pytest.raises(CouldNotRun, match="no Chromium answers at"):
        asyncio.run(scenario())


def test_applications_in_one_browser_do_not_disturb_each_other(site: Site, app: OpenApp) -> None:
    site.pages = {
        "/": "<p id=out></p><button onclick=\"window.open('/'); document.cookie = 'a=1'; localStorage.b = 2; fetch('/f').then((r) => r.text()).then((t) => { out.textContent = t })\">Go</button>"
        "<a href=/file.bin>Load</a>",
        "/f": "fetched",
        "/file.bin": b"\x00\x01",
    }
    one, two = app(), app()
    one.open()
    two.open()
    one.act('click button "Go"')
    assert two.waiting() == []
    assert len(two.app.tabs) == 1
    two.act('click button "Go"')
    one.drain()
    assert one.text("#out") == "fetched"
    assert two.text("#out") == ""
    assert two.ask("document.cookie") == "a=1"
    two.drain()
    effects = [one.act('click link "Load"'), *one.drain()]
    assert [name for effect in effects for name in effect.downloads] == ["file.bin"]
    assert two.act('click button "Go"').downloads == ()

    async def together() -> list[str]:
        await asyncio.gather(one.app.reset(), two.app.reset())
        for each in (one.app, two.app):
            await each.step((await each.waiting())[0])
        states = await asyncio.gather(one.app.state(), two.app.state())
        return [state.digest for state in states]

    first, second = one.run(together())
    assert first == second
