"""Starting, awaiting, resetting and stopping a real process."""

from __future__ import annotations

import contextlib
import os
import socket
import sys
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import msgspec
import pytest

from jostle.config import AppSettings, Configuration
from jostle.config.application import Application
from jostle.config.settings import Loaded
from jostle.errors import ApplicationProblem

SERVER = """exec {python} -c 'import time, http.server as h
time.sleep(0.2)
h.HTTPServer(("127.0.0.1", {port}), h.SimpleHTTPRequestHandler).serve_forever()'
"""


def application(directory: Path, url: str | None = None, **app: Any) -> Application:
    loaded = Loaded(Configuration(url=url, app=AppSettings(**app)), directory / "jostle.toml")
    return Application(loaded, directory / "out" / "app.log")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def alive(pid: int) -> bool:
    """Zombies are dead: only their parent has not noticed."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def gone_within(pid: int, seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while alive(pid) and time.monotonic() < deadline:
        time.sleep(0.02)
    return not alive(pid)


class Calls(HTTPServer):
    seen: list[str]
    status: int


@pytest.fixture
def server() -> Iterator[Calls]:
    class Handler(BaseHTTPRequestHandler):
        server: Calls

        def answer(self) -> None:
            self.server.seen.append(f"{self.command} {self.path}")
            self.send_response(self.server.status)
            self.send_header("Content-Length", "0")
            self.end_headers()

        do_GET = do_POST = do_DELETE = answer  # noqa: N815

        def log_message(self, *_: Any) -> None:
            pass

    with Calls(("127.0.0.1", 0), Handler) as server:
        server.seen, server.status = [], 200
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join(5)


def test_ready_by_url_and_stopped_with_everything_it_started(tmp_path: Path) -> None:
    port = free_port()
    command = f"sleep 300 & echo $! > child; {SERVER.format(python=sys.executable, port=port)}"
    with application(tmp_path, f"http://127.0.0.1:{port}/", start=command):
        child = int((tmp_path / "child").read_text())
        assert alive(child)
        with socket.create_connection(("127.0.0.1", port), timeout=2):
            pass
    assert gone_within(child, 5)
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port), timeout=2).close()


def test_ready_by_text_in_the_output(tmp_path: Path) -> None:
    program = (sys.executable, "-c", "import time; time.sleep(.2); print('now listening'); time.sleep(300)")
    with application(tmp_path, start=program, ready="now listening") as app:
        assert "now listening" in app.log.read_text()


def test_dying_application_shows_the_end_of_its_output(tmp_path: Path) -> None:
    with (
        pytest.raises(ApplicationProblem) as caught,
        application(tmp_path, start="echo no such module; exit 7", ready="up"),
    ):
        pass
    assert "ended with code 7" in caught.value.message
    assert "no such module" in caught.value.message


def test_application_that_never_comes_up(tmp_path: Path) -> None:
    app = application(tmp_path, start="echo $$ > pid; echo thinking; sleep 300", ready="up", timeout=0.4)
    with pytest.raises(ApplicationProblem) as caught, app:
        pass
    assert "not ready after 0.4 seconds" in caught.value.message
    assert "thinking" in caught.value.message
    assert "app.timeout" in caught.value.advice
    assert gone_within(int((tmp_path / "pid").read_text()), 5)


def test_program_that_does_not_exist(tmp_path: Path) -> None:
    with pytest.raises(ApplicationProblem, match="no-such-program"), application(tmp_path, start=("no-such-program",)):
        pass


def test_address_in_use_is_not_mistaken_for_the_application(tmp_path: Path, server: Calls) -> None:
    url = f"http://127.0.0.1:{server.server_port}/"
    with pytest.raises(ApplicationProblem, match="already answers"), application(tmp_path, url, start="touch started"):
        pass
    assert not (tmp_path / "started").exists()


def test_stubborn_application_is_killed_even_when_interrupted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jostle.config.application._STOP_SECONDS", 0.3)
    start = "trap '' TERM INT; echo $$ > pid; echo up; while :; do sleep 0.05; done"
    with pytest.raises(KeyboardInterrupt), application(tmp_path, start=start, ready="up"):
        raise KeyboardInterrupt
    assert gone_within(int((tmp_path / "pid").read_text()), 5)


def test_stop_command_is_used(tmp_path: Path) -> None:
    start = "echo up; while [ ! -e stop ]; do sleep 0.02; done; touch graceful"
    with application(tmp_path, start=start, ready="up", stop="touch stop"):
        pass
    assert (tmp_path / "graceful").exists()


def test_failing_stop_command_does_not_keep_it_running(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jostle.config.application._STOP_SECONDS", 0.3)
    with application(tmp_path, start="echo $$ > pid; echo up; sleep 300", ready="up", stop="false"):
        pass
    assert gone_within(int((tmp_path / "pid").read_text()), 5)


def test_reset_by_command_runs_where_the_configuration_is(tmp_path: Path) -> None:
    app = application(tmp_path, reset="echo reset >> resets")
    app.reset()
    app.reset()
    assert (tmp_path / "resets").read_text() == "reset\nreset\n"


def test_failing_reset_command(tmp_path: Path) -> None:
    with pytest.raises(ApplicationProblem, match=r"`app.reset` ended with code 3[\s\S]*no database"):
        application(tmp_path, reset="echo no database >&2; exit 3").reset()


def test_reset_command_that_hangs(tmp_path: Path) -> None:
    app = application(tmp_path, reset="echo $$ > pid; sleep 300", timeout=0.3)
    with pytest.raises(ApplicationProblem, match=r"did not end within 0\.3 seconds"):
        app.reset()
    assert gone_within(int((tmp_path / "pid").read_text()), 5)


def test_reset_by_url(tmp_path: Path, server: Calls) -> None:
    url = f"http://127.0.0.1:{server.server_port}/reset"
    application(tmp_path, reset=url).reset()
    application(tmp_path, reset=f"DELETE {url}").reset()
    assert server.seen == ["POST /reset", "DELETE /reset"]


def test_failing_reset_by_url(tmp_path: Path, server: Calls) -> None:
    server.status = 500
    with pytest.raises(ApplicationProblem, match="answered with status 500"):
        application(tmp_path, reset=f"http://127.0.0.1:{server.server_port}/reset").reset()
    with pytest.raises(ApplicationProblem, match="refused"):
        application(tmp_path, reset=f"http://127.0.0.1:{free_port()}/reset").reset()


def test_without_start_a_ready_address_is_waited_for(tmp_path: Path, server: Calls) -> None:
    with application(tmp_path, ready=f"http://127.0.0.1:{server.server_port}/up"):
        assert server.seen == ["GET /up"]
    with pytest.raises(ApplicationProblem, match="did not answer"):
        application(tmp_path, ready=f"http://127.0.0.1:{free_port()}/", timeout=0.2).__enter__()


LISTENS = """exec {python} -c 'import os, http.server as h
told = [os.environ["JOSTLE_PORT"], os.environ["JOSTLE_INSTANCE"], str(os.getpid())]
open("log-{{instance}}", "w").write(" ".join(told))
h.HTTPServer(("127.0.0.1", {port}), h.SimpleHTTPRequestHandler).serve_forever()'
"""


def started(app: Application) -> Application:
    app.begin()
    while not app.is_ready():
        time.sleep(0.02)
    return app


@pytest.mark.parametrize("error", [None, KeyboardInterrupt])
def test_every_instance_has_a_port_of_its_own_and_is_stopped_with_the_first(
    tmp_path: Path, error: type[BaseException] | None
) -> None:
    port, pids = free_port(), []
    command = LISTENS.format(python=sys.executable, port="{port}")
    with (
        pytest.raises(error) if error else contextlib.nullcontext(),
        application(tmp_path, f"http://localhost:{port}/", start=command) as app,
    ):
        other = started(app.another(1))
        for each in (app, other):
            told = (tmp_path / f"log-{each.instance}").read_text().split()
            assert told[:2] == [str(each.port), str(each.instance)]
            assert each.log.exists()
            pids.append(int(told[2]))
            assert alive(pids[-1])
        assert app.port == port != other.port
        if error:
            raise error
    assert len(pids) == 2 and all(gone_within(pid, 5) for pid in pids)


def test_addresses_of_another_instance(tmp_path: Path, server: Calls) -> None:
    app = application(tmp_path, "http://127.0.0.1:3000/", reset="DELETE http://localhost:3000/data", start="x {port}")
    other = app.another(1)
    other.port = server.server_port
    assert other.address("http://127.0.0.1:3000/a?b") == f"http://127.0.0.1:{server.server_port}/a?b"
    assert other.address("https://sso.test:3000/") == "https://sso.test:3000/"
    assert app.address("http://127.0.0.1:3000/a") == "http://127.0.0.1:3000/a"
    other.reset()
    assert server.seen == ["DELETE /data"]


def test_reset_of_an_instance_by_command(tmp_path: Path) -> None:
    app = application(tmp_path, "http://127.0.0.1:3000/", reset="echo {port} {instance} ${HOME:+x} >> resets")
    other = app.another(2)
    app.reset()
    other.reset()
    assert (tmp_path / "resets").read_text() == f"3000 0 x\n{other.port} 2 x\n"


def test_an_instance_that_takes_no_notice_of_its_port_is_not_ready(tmp_path: Path) -> None:
    """What it says is the same."""
    app = application(tmp_path, "http://127.0.0.1:3000/", start="echo up {port}; sleep 300", ready="up", timeout=0.3)
    other = app.another(1)
    try:
        with pytest.raises(ApplicationProblem, match=f"nothing listens at port {other.port}"):
            started(other)
    finally:
        app.stop()


def test_log_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("a file, not a directory")
    with pytest.raises(ApplicationProblem, match="could not be started"), application(tmp_path, start="true"):
        pass


def test_environment_reaches_the_application(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(os.environ, "SHOP", "open")
    with application(tmp_path, start='echo "shop is $SHOP"; sleep 300', ready="shop is open"):
        pass


def test_settings_are_frozen() -> None:
    with pytest.raises(AttributeError):
        AppSettings().timeout = 3  # type: ignore[misc]
    assert msgspec.structs.replace(AppSettings(), timeout=3).timeout == 3
