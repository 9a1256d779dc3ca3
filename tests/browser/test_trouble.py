"""Bad pages, bad servers and a browser that goes away: a clear error or survived, never a hang."""

# Pages are written as they come.
# ruff: noqa: E501

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from jostle.browser.chromium import Chromium
from jostle.browser.chromium_app import ChromiumApp
from jostle.browser.settings import Limits
from jostle.errors import ApplicationProblem, CouldNotRun
from jostle.events import NotEnabled
from tests.browser.driven import OpenApp
from tests.browser.live import Answer, Request, Site, site_served

QUICK = Limits(step=1.5, answer=3)


def closed_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("http://no-such-host.invalid/", "no such host"),
        ("http://127.0.0.1:PORT/", "connection refused"),
        ("http://", "not an address"),
        ("nonsense", "not an address"),
    ],
)
def test_an_address_that_leads_nowhere(url: str, words: str, app: OpenApp) -> None:
    with pytest.raises(ApplicationProblem, match=words):
        app(url.replace("PORT", str(closed_port()))).reset()


def test_a_server_that_never_answers(app: OpenApp) -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        page = app(f"http://127.0.0.1:{silent.getsockname()[1]}/", limits=Limits(load=0.5))
        with pytest.raises(ApplicationProblem, match=r"did not answer within 0\.5 s"):
            page.reset()


def test_a_certificate_nobody_trusts(app: OpenApp, tmp_path: Path) -> None:
    if shutil.which("openssl") is None:
        pytest.skip("needs openssl to make a certificate")
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost", "-days", "1"]
    subprocess.run([*command, "-keyout", key, "-out", certificate], check=True, capture_output=True)
    with (
        site_served((str(certificate), str(key))) as secure,
        pytest.raises(ApplicationProblem, match="certificate"),
    ):
        app(f"{secure.url}/").reset()


def test_a_redirect_loop(site: Site, app: OpenApp) -> None:
    site.pages = {"/": (302, {"Location": "/again"}, b""), "/again": (302, {"Location": "/"}, b"")}
    with pytest.raises(ApplicationProblem, match="redirects for ever"):
        app().reset()


def test_an_error_page_is_a_page(site: Site, app: OpenApp) -> None:
    site.pages = {"/": (500, {}, "<h1>broken</h1><button onclick='this.textContent = 2'>Retry</button>")}
    page = app()
    page.open()
    page.act('click button "Retry"')
    assert page.text("button") == "2"


@pytest.mark.parametrize(
    ("path", "content"),
    [("/data.json", '{"a": 1}'), ("/text.txt", "plain"), ("/empty.html", ""), ("/a.png", b"no picture")],
)
def test_what_is_shown_but_offers_nothing(path: str, content: Answer, site: Site, app: OpenApp) -> None:
    site.pages = {path: content}
    page = app(path)
    page.open()
    assert page.actions() == []
    assert page.state().url == site.url + path


@pytest.mark.parametrize(
    ("path", "content", "why"),
    [
        ("/nothing.html", (204, {}, b""), "status 204"),
        ("/binary.bin", bytes(range(256)) * 100, "download"),
        ("/attached.html", (200, {"Content-Disposition": "attachment"}, b"<p>x</p>"), "download"),
    ],
)
def test_what_is_no_page(path: str, content: Answer, why: str, site: Site, app: OpenApp) -> None:
    site.pages = {path: content}
    with pytest.raises(ApplicationProblem, match=f"{path} is not a page: .*{why}"):
        app(path).open()


def test_fifty_megabytes(site: Site, app: OpenApp) -> None:
    body = b"x" * (50 * 1024 * 1024)
    site.pages = {
        "/": """<img src=/big.png><button onclick="fetch('/big').then((r) => r.text()).then((t) => { this.textContent = t.length })">Go</button>""",
        "/big": (200, {"Content-Type": "text/plain"}, body),
        "/big.png": body,
    }
    said: list[str] = []
    page = app(on_limit=said.append)
    page.open()
    page.act('click button "Go"')
    page.let("GET /big")
    deadline = time.monotonic() + 60
    while page.text("button") == "Go" and time.monotonic() < deadline:
        time.sleep(0.1)
    assert page.text("button") == str(len(body))
    assert any("/big has 50 MB" in words for words in said)


def test_twenty_thousand_elements(site: Site, app: OpenApp) -> None:
    rows = "".join(f"<li><button>Row {n}</button><a href='#{n}'>link {n}</a></li>" for n in range(6700))
    site.pages = {"/": f"<ul>{rows}</ul>"}
    page = app()
    page.open()
    assert page.ask("document.querySelectorAll('*').length") > 20_000
    for work in (page.app.enabled, page.app.state):
        began = time.monotonic()
        page.run(work())
        assert time.monotonic() - began < 40  # against hanging; 2 s on a machine that has nothing else to do
    page.act('click button "Row 3"')


@pytest.mark.parametrize(
    "handler",
    [
        pytest.param("while (true);", id="loop"),
        pytest.param("(function f() { Promise.resolve().then(f) })()", id="microtasks", marks=pytest.mark.long),
        pytest.param("for (;;) Date.now()", id="clock", marks=pytest.mark.long),
    ],
)
def test_a_handler_that_never_ends(handler: str, site: Site, app: OpenApp) -> None:
    site.pages = {
        "/": f"""<button onclick="{handler}">Hang</button><button onclick="setTimeout(() => {{ {handler} }}, 10)">Later</button>
        <button onclick="this.textContent = 'fine'">Other</button>"""
    }
    page = app(limits=QUICK)
    for how in ("Hang", "Later"):
        page.open()
        began = time.monotonic()
        effect = page.act(f'click button "{how}"')
        if how == "Later":
            effect = page.let("timeout 10")
        assert "did not come to an end" in effect.hung
        assert time.monotonic() - began < 40  # against hanging
        try:
            page.act('click button "Other"')
        except (NotEnabled, AssertionError):
            assert page.app.trouble
        else:
            assert page.text("button:last-of-type") == "fine"


def test_a_page_that_the_machine_does_not_let_run_does_not_hang(site: Site, app: OpenApp) -> None:
    site.pages = {"/": "<button onclick='this.textContent = 2'>Go</button>"}
    page = app(limits=Limits(step=1))
    page.open()
    go = page.run(page.app.user_events())[0]

    async def stopped() -> str:
        processes = await page.app.tabs[0].session.connection.send("SystemInfo.getProcessInfo")
        renderers = [int(each["id"]) for each in processes["processInfo"] if each["type"] == "renderer"]
        assert renderers
        for process in renderers:
            os.kill(process, signal.SIGSTOP)
        try:
            running = asyncio.ensure_future(page.app.step(go))
            await asyncio.sleep(2)
            assert not running.done()
        finally:
            for process in renderers:
                os.kill(process, signal.SIGCONT)
        return (await running).hung

    assert page.run(stopped()) == ""
    assert page.text("button") == "2"


def test_timers_that_rearm_for_ever(site: Site, app: OpenApp) -> None:
    site.pages = {
        "/": "<p id=out>0</p><script>(function again() { out.textContent = +out.textContent + 1; setTimeout(again, 0) })(); setInterval(() => {}, 1)</script>"
    }
    page = app()
    page.reset()
    page.let("GET /")
    for _ in range(30):
        page.let("timeout 0")
    assert page.text("#out") == "31"


def test_a_page_that_crashes(site: Site, app: OpenApp) -> None:
    site.pages = {"/": "<button onclick='this.textContent = 2'>Go</button>"}
    page = app()
    page.open()
    go = page.run(page.app.user_events())[0]

    async def crash() -> None:
        with contextlib.suppress(Exception):
            await page.app.tabs[0].session.send("Page.crash", timeout=1)

    page.run(crash())
    with pytest.raises(NotEnabled, match="crashed"):
        page.step(go)
    assert page.waiting() == []
    assert page.actions() == []
    assert page.state().digest
    page.open()
    page.act('click button "Go"')
    assert page.text("button") == "2"


def test_a_page_that_crashes_during_a_step(site: Site, app: OpenApp) -> None:
    site.pages = {"/": "<button onclick='while (true);'>Go</button>"}
    page = app(limits=Limits(step=5))
    page.open()
    go = page.run(page.app.user_events())[0]

    async def both() -> str:
        running = asyncio.ensure_future(page.app.step(go))
        await asyncio.sleep(0.3)
        page.app.tabs[0].session.post("Page.crash")
        return (await running).hung

    began = time.monotonic()
    assert page.run(both())
    assert time.monotonic() - began < 40  # against hanging


@pytest.mark.browser
@pytest.mark.parametrize("moment", ["step", "reset", "rest"])
def test_a_browser_that_is_killed(moment: str, site: Site) -> None:
    def late(request: Request) -> str:
        time.sleep(5)
        return "late"

    site.pages = {"/": "<button onclick='while (true);'>Go</button>", "/slow": late}

    async def scenario() -> str:
        async with Chromium.launch() as chromium:
            app = ChromiumApp(chromium, f"{site.url}/slow" if moment == "reset" else f"{site.url}/")
            work: asyncio.Task[Any]
            if moment == "reset":
                work = asyncio.create_task(app.reset())
            else:
                await app.reset()
                await app.step((await app.waiting())[0])
                work = asyncio.create_task(app.step((await app.user_events())[0]))
            if moment != "rest":
                await asyncio.sleep(0.4)
            else:
                work.cancel()
            command = Path(f"/proc/{chromium.pid}/cmdline").read_text().split("\0")
            profile = next(Path(part.split("=", 1)[1]) for part in command if part.startswith("--user-data-dir="))
            assert profile.exists()
            os.kill(chromium.pid, signal.SIGKILL)
            with pytest.raises(CouldNotRun) as problem:
                if moment == "rest":
                    await asyncio.sleep(0.2)
                    await app.enabled()
                    await app.reset()
                else:
                    await work
            await app.close()
        assert not profile.exists()
        return str(problem.value)

    assert "browser" in asyncio.run(asyncio.wait_for(scenario(), 40))
