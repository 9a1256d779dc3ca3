"""What people use today to describe an interface from a HAR file: mitmproxy2swagger (PyPI) and har-to-openapi (npm),
with Prism (npm) as the mock of what comes out of them. Installed into places of their own when they are first needed.
"""

from __future__ import annotations

import base64
import contextlib
import json
import re
import shutil
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmarks.applications import CACHE, free_port
from jostle.errors import CouldNotRun
from jostle.recording.file import Recording
from jostle.serverapi.sample import ApiRequest, Sample

MITMPROXY2SWAGGER = "0.14.0"
HAR_TO_OPENAPI = "2.0.0"
PRISM = "5.14.2"
_INSTALL_SECONDS = 600
_RUN_SECONDS = 120
_START_SECONDS = 60
_GENERATE = """
import { readFileSync, writeFileSync } from "node:fs"
import { generateSpec } from "har-to-openapi"
const [from, to] = process.argv.slice(2)
const options = { attemptToParameterizeUrl: true, forceAllRequestsInSameSpec: true, relaxedMethods: true }
const { spec } = await generateSpec(JSON.parse(readFileSync(from, "utf8")), options)
writeFileSync(to, JSON.stringify(spec))
"""


def har_of(recording: Recording) -> dict[str, Any]:
    """A recording as the network panel of a browser would have written it."""
    return {
        "log": {"version": "1.2", "creator": {"name": "jostle", "version": "1"}, "entries": list(_entries(recording))}
    }


def _entries(recording: Recording) -> Iterator[dict[str, Any]]:
    for exchange in recording.exchanges:
        if not exchange.status:
            continue
        body = recording.body_of(exchange)
        kind = exchange.header("content-type")
        try:
            content = {"size": len(body), "mimeType": kind, "text": body.decode()}
        except UnicodeDecodeError:
            content = {
                "size": len(body),
                "mimeType": kind,
                "encoding": "base64",
                "text": base64.b64encode(body).decode(),
            }
        sent = next((value for name, value in exchange.request_headers if name.lower() == "content-type"), "")
        posted = {"postData": {"mimeType": sent, "text": exchange.request_body.decode("utf-8", "replace")}}
        query = exchange.url.partition("?")[2]
        pairs = [pair.partition("=") for pair in query.split("&") if pair]
        yield {
            "startedDateTime": "2026-01-01T00:00:00.000Z",
            "time": 1,
            "_resourceType": exchange.resource,
            "request": {
                "method": exchange.method,
                "url": exchange.url,
                "httpVersion": "HTTP/1.1",
                "headers": [{"name": name, "value": value} for name, value in exchange.request_headers],
                "queryString": [{"name": name, "value": value} for name, _, value in pairs],
                "cookies": [],
                "headersSize": -1,
                "bodySize": len(exchange.request_body),
                **(posted if exchange.request_body else {}),
            },
            "response": {
                "status": exchange.status,
                "statusText": exchange.status_text,
                "httpVersion": "HTTP/1.1",
                "headers": [{"name": name, "value": value} for name, value in exchange.headers],
                "cookies": [],
                "content": content,
                "redirectURL": "",
                "headersSize": -1,
                "bodySize": len(body),
            },
            "cache": {},
            "timings": {"send": 0, "wait": 1, "receive": 0},
        }


def mitmproxy2swagger(har: Path, base: str, folder: Path) -> Path:
    """Both passes, with every path that it proposes: with parameters where it sees them (`-s`)."""
    home = CACHE.absolute() / f"mitmproxy2swagger-{MITMPROXY2SWAGGER}"
    program = home / "bin/mitmproxy2swagger"
    if not program.exists():
        _run("python", sys.executable, "-m", "venv", str(home))
        _run("pip", str(home / "bin/pip"), "install", "--quiet", f"mitmproxy2swagger=={MITMPROXY2SWAGGER}")
    made = folder / "mitmproxy2swagger.yaml"
    made.unlink(missing_ok=True)
    command = (str(program), "-i", str(har), "-o", str(made), "-p", base, "-f", "har", "-e", "-s")
    _run("mitmproxy2swagger", *command)
    made.write_text(made.read_text().replace("ignore:", ""))
    _run("mitmproxy2swagger", *command)
    return made


def har_to_openapi(har: Path, base: str, folder: Path) -> Path:
    """As its documentation says, with parameters in paths where it sees them."""
    home = _node_tools()
    script = home / "generate.mjs"
    script.write_text(_GENERATE)
    made = folder / "har-to-openapi.json"
    _run("har-to-openapi", "node", str(script), str(har), str(made))
    return made


TOOLS = {"mitmproxy2swagger": mitmproxy2swagger, "har-to-openapi": har_to_openapi}


def _node_tools() -> Path:
    home = CACHE.absolute() / f"har-to-openapi-{HAR_TO_OPENAPI}-prism-{PRISM}"
    if not (home / "complete").exists():
        if not shutil.which("npm"):
            raise CouldNotRun("har-to-openapi and Prism need npm.", advice="On Debian: apt-get install npm")
        home.mkdir(parents=True, exist_ok=True)
        packages = (f"har-to-openapi@{HAR_TO_OPENAPI}", f"@stoplight/prism-cli@{PRISM}")
        _run("npm", "npm", "install", "--no-audit", "--no-fund", "--prefix", str(home), *packages)
        (home / "complete").touch()
    return home


def _run(what: str, *command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, timeout=_INSTALL_SECONDS)
    if done.returncode:
        raise CouldNotRun(f"{what} failed: {(done.stderr or done.stdout).strip()[-1000:]}")


def operations(document: Path) -> list[tuple[str, str]]:
    """Method and path of each operation in an OpenAPI document."""
    return [
        (method.upper(), path)
        for path, methods in _read(document).get("paths", {}).items()
        for method in methods
        if method.lower() in ("get", "put", "post", "delete", "patch", "head", "options")
    ]


def _read(document: Path) -> dict[str, Any]:
    if document.suffix == ".json":
        return dict(json.loads(document.read_text()))
    python = CACHE.absolute() / f"mitmproxy2swagger-{MITMPROXY2SWAGGER}" / "bin/python"
    convert = (
        "import json, sys; from ruamel.yaml import YAML; "
        "print(json.dumps(YAML(typ='safe').load(open(sys.argv[1])), default=str))"
    )
    command = (str(python), "-c", convert, str(document))
    done = subprocess.run(command, capture_output=True, text=True, timeout=_RUN_SECONDS)
    if done.returncode:
        raise CouldNotRun(f"{document.name} cannot be read: {done.stderr[-500:]}")
    return dict(json.loads(done.stdout))


def members(document: Path, samples: Sequence[Sample], prefix: str = "") -> list[list[int]]:
    """For each operation of an OpenAPI document the positions of the samples that it describes: concrete paths come
    before those with parameters, as OpenAPI says. What none describes is an operation of its own that stands for
    nothing: it is left out."""
    known = operations(document)
    patterns = [(method, path, re.compile(_expression(prefix + path))) for method, path in known]
    patterns.sort(key=lambda each: each[1].count("{"))
    found: dict[tuple[str, str], list[int]] = defaultdict(list)
    for position, sample in enumerate(samples):
        if (operation := _operation(sample.request, patterns)) is not None:
            found[operation].append(position)
    return list(found.values())


def _operation(request: ApiRequest, patterns: Sequence[tuple[str, str, re.Pattern[str]]]) -> tuple[str, str] | None:
    path = "/" + "/".join(request.path)
    return next(((m, p) for m, p, expression in patterns if m == request.method and expression.fullmatch(path)), None)


def _expression(path: str) -> str:
    parts = re.split(r"\{[^}]*\}", path.rstrip("/") or "/")
    return "[^/]+".join(re.escape(each) for each in parts)


@contextlib.contextmanager
def prism(document: Path) -> Iterator[str]:
    """A mock by Prism, while the block runs; its address."""
    program = _node_tools() / "node_modules/.bin/prism"
    port = free_port()
    command = [str(program), "mock", str(document), "--port", str(port), "--host", "127.0.0.1", "--errors=false"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    url = f"http://127.0.0.1:{port}"
    try:
        deadline = time.monotonic() + _START_SECONDS
        while not _responds(url):
            if process.poll() is not None or time.monotonic() > deadline:
                raise CouldNotRun(f"Prism did not start with {document.name}.")
            time.sleep(0.1)
        yield url
    finally:
        process.terminate()
        process.wait(10)


def _responds(url: str) -> bool:
    try:
        urllib.request.urlopen(url, timeout=5).close()
    except urllib.error.HTTPError:
        return True
    except OSError:
        return False
    return True
