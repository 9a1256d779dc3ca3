"""Suites of users, for tests: each is run by pytest in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from jostle.browser.find import find, sandbox_arguments

CONFTEST = f"""
import http.server, threading
import pytest
from jostle.adverse.own import adverse_condition

@adverse_condition("the window loses the focus for the page")
def unfocused(page):
    page.evaluate("dispatchEvent(new Event('blur'))")

@adverse_condition("somebody whistles")
def whistle(page):
    page.evaluate("dispatchEvent(new Event('whistle'))")

@adverse_condition("the page is loaded again", in_pass="rebuilt")
def again(page):
    page.reload()

@adverse_condition("somebody has enough", in_pass="rebuilt")
def enough(page):
    raise KeyboardInterrupt

@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args):
    return {{**browser_type_launch_args, "executable_path": {str(find().path)!r}, "args": {sandbox_arguments()!r}}}

class Site(http.server.BaseHTTPRequestHandler):
    def log_message(self, *words): pass
    def answer(self):
        from site_pages import ANSWERS
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        kind, body = ANSWERS.get(self.path, ("text/plain", "no"))
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body.encode())))
        self.end_headers()
        self.wfile.write(body.encode())
    do_GET = do_POST = answer

@pytest.fixture(scope="session")
def site():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{{server.server_port}}"
    server.shutdown()
"""


class Done:
    """What came of a suite."""

    def __init__(self, folder: Path, process: subprocess.CompletedProcess[str]) -> None:
        self.folder = folder
        self.code = process.returncode
        self.said = process.stdout + process.stderr

    @property
    def document(self) -> Any:
        return json.loads((self.folder / "out.json").read_text())


def suite(folder: Path, pages: dict[str, tuple[str, str]], tests: str) -> Path:
    """A folder with a conftest.py, pages by their addresses, and tests."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "conftest.py").write_text(CONFTEST)
    (folder / "site_pages.py").write_text(f"ANSWERS = {pages!r}\n")
    (folder / "test_it.py").write_text(tests)
    (folder / "pytest.ini").write_text("[pytest]\npythonpath = .\n")
    return folder


def run(folder: Path, *options: str, timeout: float = 110) -> Done:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=timeout, env=environment)
    return Done(folder, done)
