"""`jostle slowdown` on TiddlyWiki, a real application: `python -m benchmarks.slowdown_real`."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from benchmarks.applications import APPLICATIONS, running
from jostle.errors import CouldNotRun


def command(*arguments: str, url: str) -> None:
    """Run the command as a user does, its progress to be seen; findings are no failure."""
    surroundings = {
        **os.environ,
        "JOSTLE_SESSION_URL": url,
        "PYTHONPATH": os.pathsep.join(filter(None, (str(Path.cwd()), os.environ.get("PYTHONPATH", "")))),
    }
    done = subprocess.run([sys.executable, "-m", "jostle", *arguments], env=surroundings)
    if done.returncode > 1:
        raise CouldNotRun(f"jostle {arguments[0]} ended with {done.returncode}.")


def told(document: Path) -> str:
    """What was found, in a table."""
    found: dict[str, Any] = json.loads(document.read_bytes())
    lines = ["| what makes what slower | growth | cost | passes 50 ms | what grows |", "|---|---|---|---|---|"]
    for finding in found["findings"]:
        evidence = finding["evidence"]
        costs = [cost for _, cost in evidence["costs"]]
        functions = ", ".join(
            f"`{each['name']}` ({each['file']}:{each.get('line', '?')})" for each in evidence["functions"][:3]
        )
        lines.append(
            f"| {finding['title']} | {evidence.get('law', '')} | {costs[0]:,.0f} → {costs[-1]:,.0f} in {len(costs)} "
            f"| {evidence.get('passes', {}).get('50', '')} | {functions} |"
        )
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.slowdown_real", description=__doc__)
    parser.add_argument("--budget", default="10m", help="time of the search (default: 10m)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path(".jostle/eval-slowdown-real"), metavar="DIR")
    arguments = parser.parse_args()
    out: Path = arguments.out
    out.mkdir(parents=True, exist_ok=True)
    session, document, report = (str(out / name) for name in ("notes.jostle", "slowdown.json", "report.html"))
    with running(next(each for each in APPLICATIONS if each.name == "tiddlywiki")) as application:
        runs = ("--out", str(out / "runs"))
        script = ("--script", "benchmarks/sessions/tiddlywiki.py")
        command("record", *script, "-o", session, *runs, url=application.url)
        limits = ("--budget", arguments.budget, "--seed", str(arguments.seed))
        search = ("--from", session, *limits, "--json", document, "--html", report, *runs)
        command("slowdown", *search, url=application.url)
    print(f"\n{told(Path(document))}\n\nThe report: {report}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
