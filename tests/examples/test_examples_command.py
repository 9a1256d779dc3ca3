from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys

import msgspec
from click.testing import CliRunner

from jostle.cli.examples import examples
from jostle.errors import Exit
from jostle.examples import CATALOGUE, Example
from tests.examples.web import Client

JOSTLE = [sys.executable, "-m", "jostle.cli.main"]


def test_list_as_json_is_the_whole_catalogue() -> None:
    result = CliRunner().invoke(examples, ["list", "--json"])
    assert result.exit_code == 0
    assert msgspec.json.decode(result.output, type=tuple[Example, ...]) == CATALOGUE
    slideshow = json.loads(result.output)[0]
    assert slideshow["name"] == "slideshow" and slideshow["path"] == "/slideshow/"
    assert slideshow["expected"] == ["schedule-difference", "order-violation"]
    assert slideshow["twin"] == "slideshow-fixed"


def test_list_for_people_has_a_line_for_each() -> None:
    lines = CliRunner().invoke(examples, ["list"]).output.splitlines()
    assert [line.split()[0] for line in lines] == [entry.path for entry in CATALOGUE]


def test_serve_says_where_and_stops_quietly() -> None:
    with subprocess.Popen(
        [*JOSTLE, "examples", "serve", "--port", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    ) as process:
        try:
            assert process.stdout is not None and process.stderr is not None
            said = process.stdout.readline()
            url = said.split()[2]
            assert Client(url.rstrip("/")).get("/slideshow/").status == 200
            process.send_signal(signal.SIGINT)
            assert process.wait(timeout=10) == 0
            assert process.stderr.read() == ""
        finally:
            process.kill()


def test_serve_on_a_port_in_use() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        done = subprocess.run(
            [*JOSTLE, "examples", "serve", "--port", port], capture_output=True, text=True, timeout=20
        )
    assert done.returncode == Exit.COULD_NOT_RUN
    assert f"Port {port} of 127.0.0.1 is in use." in done.stderr and "--port" in done.stderr
    assert "Traceback" not in done.stderr
