"""`jostle check` in the wild: applications in today's frameworks with planted bugs, their twins without them, and large
applications that others wrote: `make eval-wild`.

A planted bug counts as found when a finding has one of its kinds and speaks of it: the pattern of the bug is searched
in the whole finding. Findings of published applications are listed, to be judged one by one.
"""

from __future__ import annotations

import argparse
import json
import re
import shlex
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from benchmarks.applications import Application, free_port, running
from benchmarks.wild.applications import WILD

HERE = Path(__file__).parent
FRAMEWORKS = ("react", "vue", "htmx")
_INSTALL_SECONDS = 600


class Bug(msgspec.Struct, kw_only=True):
    """A planted bug, as the application's bugs.toml describes it."""

    id: str
    about: str
    by_hand: str
    page: str
    kinds: tuple[str, ...]
    match: str

    def is_told_by(self, finding: dict[str, Any]) -> bool:
        return finding["kind"] in self.kinds and re.search(self.match, json.dumps(finding), re.IGNORECASE) is not None


class Planted(msgspec.Struct, kw_only=True):
    """What an application's bugs.toml says."""

    allow: tuple[str, ...] = ()
    """What jostle skips unless it is allowed, and this is a test installation: as a user configures it."""
    bug: tuple[Bug, ...]


def planted_in(name: str) -> Planted:
    return msgspec.convert(tomllib.loads((HERE / name / "bugs.toml").read_text("utf-8")), Planted)


def command(name: str, *, fixed: bool) -> tuple[str, ...]:
    """What starts one of our own applications, but for its port. Installs and builds it first where needed."""
    folder = HERE / name
    if not (folder / "node_modules").exists():
        _run(folder, "npm", "install", "--no-audit", "--no-fund")
    if name != "htmx" and not (folder / "dist").exists():
        _run(folder, "npm", "run", "build")
    server = (sys.executable, "-m", f"benchmarks.wild.{name}.server") if name == "htmx" else ("node", "server.mjs")
    return (*server, *(("--fixed",) if fixed else ()))


def _run(folder: Path, *words: str) -> None:
    subprocess.run(words, cwd=folder, check=True, capture_output=True, timeout=_INSTALL_SECONDS)


def check(url: str, name: str, budget: str, seed: int, out: Path, configured: str) -> dict[str, Any]:
    """Run the command as a user does; findings are no failure. `configured`: its configuration."""
    file = out / f"{name}.toml"
    file.write_text(configured, "utf-8")
    asked = [sys.executable, "-m", "jostle", "check", url, "--budget", budget, "--seed", str(seed)]
    files = ["--json", f"{out / name}.json", "--html", f"{out / name}.html", "--out", str(out / "runs")]
    began = time.monotonic()
    with (out / f"{name}.log").open("w") as log:
        done = subprocess.run([*asked, *files, "--config", str(file)], stdout=log, stderr=log)
    if done.returncode > 1:
        return {"findings": [], "failed": f"jostle check ended with {done.returncode}: see {name}.log"}
    told: dict[str, Any] = json.loads(Path(f"{out / name}.json").read_bytes())
    print(f"{name}: {len(told['findings'])} findings in {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)
    return told


def planted(name: str, budget: str, seed: int, out: Path) -> Iterator[str]:
    """Rows for one of our own applications and its twin."""
    about = planted_in(name)
    for fixed in (False, True):
        url = f"http://127.0.0.1:{free_port()}/"
        configured = configuration(name, url, about.allow, fixed=fixed)
        told = check(url, f"{name}-twin" if fixed else name, budget, seed, out, configured)
        yield from _rows(f"{name}{' twin' if fixed else ''}", told, () if fixed else about.bug)


def configuration(name: str, url: str, allow: Sequence[str], *, fixed: bool) -> str:
    """How one of our own applications is started, at a port of its own for each browser, and reset: as a user
    configures it."""
    folder = HERE.parent.parent if name == "htmx" else HERE / name
    start = f"cd {shlex.quote(str(folder))} && exec {shlex.join(command(name, fixed=fixed))} --port {{port}}"
    return f"""
        url = {json.dumps(url)}
        allow = {json.dumps(list(allow))}
        [app]
        start = {json.dumps(start)}
        reset = {json.dumps(f"POST {url}__reset")}
        timeout = 60
    """


def _rows(name: str, told: dict[str, Any], bugs: Sequence[Bug]) -> Iterator[str]:
    others = [each for each in told["findings"] if not any(bug.is_told_by(each) for bug in bugs)]
    for bug in bugs:
        found = [each["title"] for each in told["findings"] if bug.is_told_by(each)]
        yield f"| {name} | {bug.id} | {'found' if found else 'missed'} | {'; '.join(found)[:200]} |"
    for each in others:
        yield f"| {name} | | {each['kind']}, {each['severity']}, {each['confidence']} | {each['title'][:200]} |"
    if told.get("failed"):
        yield f"| {name} | | failed | {told['failed']} |"
    elif not told["findings"]:
        yield f"| {name} | | nothing | |"


def published(application: Application, budget: str, seed: int, out: Path) -> Iterator[str]:
    """Rows for an application that others wrote."""
    with running(application) as served:
        state = out / f"{application.name}-state.json"
        state.write_text(json.dumps({"cookies": list(served.cookies), "origins": []}), "utf-8")
        login = f"[login]\nstorage_state = {json.dumps(state.name)}"
        yield from _rows(application.name, check(served.url, application.name, budget, seed, out, login), ())


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.wild", description=__doc__)
    parser.add_argument("--budget", default="5m", help="time of each check (default: 5m)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help="only this one; may be repeated")
    parser.add_argument("--out", type=Path, default=Path(".jostle/eval-wild"), metavar="DIR")
    arguments = parser.parse_args()
    out: Path = arguments.out
    out.mkdir(parents=True, exist_ok=True)
    print("| application | planted bug | | finding |\n|---|---|---|---|", flush=True)
    every = (*FRAMEWORKS, *(application.name for application in WILD))
    wanted = [name for name in every if not arguments.only or name in arguments.only]
    for name in (name for name in FRAMEWORKS if name in wanted):
        for row in planted(name, arguments.budget, arguments.seed, out):
            print(row, flush=True)
    for application in (application for application in WILD if application.name in wanted):
        for row in published(application, arguments.budget, arguments.seed, out):
            print(row, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
