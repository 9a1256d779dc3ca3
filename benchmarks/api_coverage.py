"""How much of a client is reached without its server: `python -m benchmarks.api_coverage [NAME ...]`.

As in the publication: covered code after 300 explored events, with the real server and its data, with a mock by the
learned description, and with responses that may be any JSON at all. Beside them, the mock that Prism is for what other
tools make of the same traffic. The code of the client is the same everywhere: pages come from the recording.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
import tempfile
import threading
import urllib.error
import urllib.request
from collections.abc import Iterable, Iterator
from pathlib import Path

from benchmarks.api_compare import api_only
from benchmarks.api_subjects import SUBJECTS, Subject, explored, running
from benchmarks.api_tools import TOOLS, har_of, prism
from jostle.addresses import split_url
from jostle.errors import Problem
from jostle.listening import listening_socket
from jostle.recording.exchange import Header
from jostle.recording.file import Recording
from jostle.serverapi.files import combined, read_api, schema_text, write_api
from jostle.serverapi.learning import learn
from jostle.serverapi.mock.answering import MockResponse, MockServer
from jostle.serverapi.mock.site import MockSite, address, server_for
from jostle.serverapi.traffic import read_traffic

EVENTS = 300
SECONDS = 300.0
RECORDED_WITH = (11, 12)
"""Seeds of the explorations that are learned from; the figures are of another one."""
_ANYTHING = {
    "anyOf": [
        {"type": "null"},
        {"type": "boolean"},
        {"type": "integer"},
        {"type": "string"},
        {"type": "array", "items": {"type": ["null", "integer", "string"]}},
        {"type": "object", "additionalProperties": {"type": ["null", "integer", "string"]}},
    ]
}


class Forwarding(MockServer):
    """Files of the page from the recording; what the description knows from another mock."""

    other = ""

    def respond(self, method: str, url: str, headers: Iterable[Header] = (), body: bytes = b"") -> MockResponse:
        own = super().respond(method, url, headers, body)
        if not own.operation:
            return own
        parts = split_url(url)
        query = f"?{parts.query}" if parts.query else ""
        kept = {name: value for name, value in headers if name.lower() in ("content-type", "accept")}
        request = urllib.request.Request(
            f"{self.other}{parts.path}{query}", data=body or None, method=method, headers=kept
        )
        try:
            response = urllib.request.urlopen(request, timeout=20)
        except urllib.error.HTTPError as error:
            response = error
        except OSError:
            return MockResponse(status=502, operation=own.operation)
        with response:
            kind = response.headers.get("content-type", "application/json")
            content = response.read()
        return MockResponse(
            status=response.status, headers=(("content-type", kind),), body=content, operation=own.operation
        )


@contextlib.contextmanager
def served(server: MockServer) -> Iterator[str]:
    """A mock on a background thread; its address, without a slash at its end."""
    with listening_socket("127.0.0.1", 0) as listening:
        web = server_for(MockSite(server))
        thread = threading.Thread(target=web.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        try:
            yield address("127.0.0.1", listening).rstrip("/")
        finally:
            web.should_exit = True
            thread.join(10)


def learned(recordings: list[Recording], folder: Path) -> Path:
    """A description of what was recorded, with its traffic."""
    recording = combined(recordings)
    traffic = read_traffic(recording.exchanges, recording.body_of, page=recording.manifest.url)
    made = learn(traffic.samples, traffic.base, schema_folder="api.schemas")
    file = folder / "api.ail"
    write_api(file, made.description, made.schemas, recording)
    return file


def unconstrained(file: Path, folder: Path) -> Path:
    """The same description, by which any JSON is a response."""
    files = read_api(file)
    assert files.recording is not None
    anything = dict.fromkeys(files.schemas.by_file, _ANYTHING)
    other = folder / "any.ail"
    write_api(other, files.description, anything, files.recording)
    for name in anything:
        (folder / name).write_bytes(schema_text(_ANYTHING))
    return other


def measure(subject: Subject, events: int, seconds: float, folder: Path) -> dict[str, int | str]:
    """Covered blocks of the client's code, by who responded."""
    told: dict[str, int | str] = {}

    def blocks(name: str, url: str, server: str = "live") -> None:
        try:
            result, _ = explored(url, subject, seed=0, events=events, seconds=seconds, server=server)
        except Problem as problem:
            told[name] = str(problem).splitlines()[0]
        else:
            told[name] = result.stats["blocks"]
            told[f"{name} events"] = result.stats["events"]
        done = told.get(f"{name} events", "")
        print(f"  {subject.name}: {name}: {told[name]} in {done} events", file=sys.stderr, flush=True)

    recordings: list[Recording] = []
    for seed in RECORDED_WITH:
        with running(subject) as url:
            _, recording = explored(url, subject, seed=seed, events=events, seconds=seconds, traffic=True)
            assert recording is not None
            recordings.append(recording)
    page = recordings[0].manifest.url
    file = learned(recordings, folder)
    with running(subject) as url:
        blocks("real server", url)
        result, _ = explored(url, subject, seed=0, events=1, seconds=60)
        told["load"] = result.stats["blocks"]
    blocks("mock", page, f"mock:{file}")
    blocks("mock, covering", page, f"mock:{file},responses=covering")
    blocks("random", page, f"mock:{unconstrained(file, folder)},responses=random")
    files = read_api(file)
    assert files.recording is not None
    har = folder / f"{subject.name}.har"
    har.write_text(json.dumps(har_of(api_only(files.recording, subject))))
    for name, tool in TOOLS.items():
        try:
            with prism(tool(har, files.description.base, folder)) as other:
                server = Forwarding(files.description, files.schemas, files.recording)
                server.other = other
                with served(server) as base:
                    blocks(f"{name}, Prism", base + split_url(page).path)
        except Problem as problem:
            told[f"{name}, Prism"] = str(problem).splitlines()[0][:80]
    return told


NAMES = ("load", "real server", "mock", "mock, covering", "random", *(f"{name}, Prism" for name in TOOLS))


def _figure(told: dict[str, int | str], name: str, events: int) -> str:
    done = told.get(f"{name} events", events)
    return f"{told.get(name, '')}" if done == events else f"{told[name]} ({done} events)"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", choices=[[], *(each.name for each in SUBJECTS)], default=[])
    parser.add_argument("--events", type=int, default=EVENTS)
    parser.add_argument("--seconds", type=float, default=SECONDS)
    options = parser.parse_args()
    lines = [f"| application | {' | '.join(NAMES)} | mock to real |", f"| --- |{' ---: |' * (len(NAMES) + 1)}"]
    for subject in SUBJECTS:
        if options.names and subject.name not in options.names:
            continue
        with tempfile.TemporaryDirectory(prefix="jostle-api-") as scratch:
            told = measure(subject, options.events, options.seconds, Path(scratch))
        real, best = told["real server"], max(int(told["mock"]), int(told["mock, covering"]))
        share = f"{best / int(real) - 1:+.0%}"
        figures = [_figure(told, name, options.events) for name in NAMES]
        lines.append(f"| {subject.name} | {' | '.join(figures)} | {share} |")
    print("\n".join(lines))
    return 0


if __name__ == "__main__":
    sys.exit(main())
