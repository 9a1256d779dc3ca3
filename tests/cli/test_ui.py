"""`jostle ui`: the report of a run that goes on, in a real browser; who may ask, and how it ends."""

from __future__ import annotations

import contextlib
import http.client
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from playwright.sync_api import expect, sync_playwright
from syrupy.assertion import SnapshotAssertion

from jostle.browser.find import find, sandbox_arguments
from jostle.cli.ui import ui
from jostle.consumers.served_report import ServedReport, listening, server
from jostle.progress import Note, Started, Stepped
from jostle.runs import RunDirectory
from tests.cli.told import told
from tests.report.accessibility import violations
from tests.report.check_runs import URL, some, write_files, write_run
from tests.report.explorations import shop


@contextlib.contextmanager
def served(run: Path) -> Iterator[str]:
    with listening(0) as opened:
        port = opened.getsockname()[1]
        going = server(ServedReport(run), port)
        thread = threading.Thread(target=going.run, kwargs={"sockets": [opened]})
        thread.start()
        try:
            while not going.started:
                assert thread.is_alive()
                time.sleep(0.01)
            yield f"http://127.0.0.1:{port}/"
        finally:
            going.should_exit = True
            thread.join(10)
            assert not thread.is_alive(), "a reader who waits for news does not keep it from ending"


@pytest.mark.browser
def test_findings_come_in_while_the_run_goes_on(tmp_path: Path) -> None:
    error, race, overwritten, *_ = some()
    with (
        RunDirectory.create(tmp_path, "check", url=URL) as run,
        served(run.path) as url,
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=find().path, args=sandbox_arguments()) as browser,
    ):
        page = browser.new_page()
        trouble: list[str] = []
        page.on("console", lambda message: trouble.append(message.text))
        page.on("pageerror", lambda wrong: trouble.append(str(wrong)))
        page.goto(url)
        page.evaluate("window.same = true")
        expect(page.locator(".verdict")).to_contain_text("No problem found so far")
        expect(page.locator("#live-words")).to_have_text("The run is going on: 0 findings")
        run.listen(Started(what="exploring <b>all</b>", total=40))
        expect(page.locator("#live-now")).to_have_text("exploring <b>all</b>")
        time.sleep(0.6)  # it is written twice a second at most
        run.listen(Stepped(done=7, what='click "Buy"'))
        expect(page.locator("#live-now")).to_have_text('exploring <b>all</b>: 7 of 40 click "Buy"')

        write_files(run.path, error)
        run.add_finding(error)
        expect(page.locator(".finding")).to_have_count(1, timeout=10_000)
        expect(page.locator("#live-news")).to_have_text(f"New: {error.title}")
        story = page.locator(".finding").first
        story.locator(".opener").click()
        expect(story.locator(".body")).to_contain_text("The page in the end")
        page.locator("#filter").fill("e")
        page.evaluate("document.querySelector('.finding .body').firstElementChild.kept = true")

        for each in (race, overwritten):
            write_files(run.path, each)
            run.add_finding(each)
        run.listen(Note(text="Race: something"))
        expect(page.locator(".finding")).to_have_count(3, timeout=10_000)
        opened = page.locator(".finding.open")
        expect(opened).to_have_count(1)
        expect(opened).to_have_attribute("id", f"finding-{error.id}")
        assert opened.locator(".body").evaluate("body => body.firstElementChild.kept"), "a story stays as it is read"
        expect(page.locator("#filter")).to_have_value("e")
        expect(page.locator("#filter")).to_be_focused()
        run.add_artefact("model.json", shop().to_json(), "application/json")
        expect(page.get_by_role("heading", name="The application as it was met")).to_have_count(1, timeout=10_000)
        page.locator(f"#finding-{race.id} .opener").click()
        expect(page.locator(f"#finding-{race.id} .pair image")).to_have_count(2)
        assert violations(page) == []

        run.finish()
        expect(page.locator("#live-words")).to_have_text("The run has ended: 3 findings")
        expect(page.locator(".verdict")).to_contain_text("3 problems found")
        assert page.evaluate("window.same"), "nothing was loaded anew"
        assert trouble == []


def asked(url: str, method: str = "GET", path: str = "/", **headers: str) -> tuple[int, str]:
    host, port = re.findall(r"//(.*):(\d+)", url)[0]
    connection = http.client.HTTPConnection(host, int(port), timeout=20)
    connection.request(method, path, headers={key.replace("_", "-"): value for key, value in headers.items()})
    answer = connection.getresponse()
    return answer.status, answer.read().decode()


def test_only_this_machine_may_read(tmp_path: Path) -> None:
    with served(write_run(tmp_path, some())) as url:
        port = url.rstrip("/").rpartition(":")[2]
        assert asked(url)[0] == asked(url, Host=f"localhost:{port}")[0] == 200
        for host in (f"evil.test:{port}", "127.0.0.1", "", f"127.0.0.1.evil.test:{port}"):
            status, said = asked(url, Host=host)
            assert status == 421 and "problem" not in said, host
        for method in ("POST", "PUT", "DELETE", "PATCH", "OPTIONS"):
            assert asked(url, method)[0] == 405
        assert asked(url, Sec_Fetch_Site="cross-site", Sec_Fetch_Mode="no-cors")[0] == 403
        assert asked(url, Sec_Fetch_Site="cross-site", Sec_Fetch_Mode="navigate")[0] == 200
        assert asked(url, path="/run.db")[0] == asked(url, path="/..%2frun.db")[0] == 404
        status, alone = asked(url, path="/report.html")
        assert status == 200 and "connect-src" not in alone and 'id="live"' not in alone


def test_a_run_that_is_gone_meanwhile(tmp_path: Path) -> None:
    run = write_run(tmp_path, some())
    with served(run) as url:
        (run / "run.db").unlink()
        status, said = asked(url)
        assert status == 503 and "is not the directory of a run" in said


def test_what_cannot_be_served(tmp_path: Path) -> None:
    run = write_run(tmp_path, some())
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        done = CliRunner().invoke(ui, [str(run), "--port", port])
    assert done.exception is not None and f"Port {port} of 127.0.0.1 is in use" in str(done.exception)
    for arguments, why in (
        ([tmp_path], "is not the directory of a run"),
        (["--out", tmp_path / "none"], "There are no runs in"),
        ([write_run(tmp_path, (), command="record")], "which looks for nothing"),
    ):
        done = CliRunner().invoke(ui, [str(each) for each in arguments])
        assert done.exception is not None and why in str(done.exception), done.output


def test_ctrl_c_ends_it_and_the_newest_run_is_taken(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    first = write_run(tmp_path / ".jostle" / "runs", some())
    write_run(tmp_path / ".jostle" / "runs", (), command="replay")
    process = subprocess.Popen(
        [sys.executable, "-m", "jostle.cli.main", "ui", "--port", "0"],
        cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout is not None
    said = process.stdout.readline()
    assert first.name in said
    url = re.search(r"http://\S+", said)
    assert url and asked(url[0])[0] == 200
    process.send_signal(signal.SIGINT)
    _, complained = process.communicate(timeout=30)
    done = subprocess.CompletedProcess(["ui", "--port", "0"], process.returncode, said, complained)
    assert told(done, tmp_path) == snapshot
