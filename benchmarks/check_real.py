"""`jostle check` on real applications: `python -m benchmarks.check_real --only isso`."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from benchmarks.applications import APPLICATIONS, Application, running
from jostle.errors import CouldNotRun


def check(application: Application, budget: str, seed: int, out: Path) -> dict[str, Any]:
    """Run the command as a user does, its progress to be seen; findings are no failure."""
    name = out / application.name
    configuration = out / f"{application.name}.toml"
    with running(application) as served:
        state = out / f"{application.name}-state.json"
        state.write_text(json.dumps({"cookies": list(served.cookies), "origins": []}), "utf-8")
        configuration.write_text(f"[login]\nstorage_state = {json.dumps(state.name)}\n", "utf-8")
        asked = [sys.executable, "-m", "jostle", "check", served.url, "--budget", budget, "--seed", str(seed)]
        files = ["--json", f"{name}.json", "--html", f"{name}.html", "--out", str(out / "runs")]
        done = subprocess.run([*asked, *files, "--config", str(configuration)])
    if done.returncode > 1:
        raise CouldNotRun(f"jostle check ended with {done.returncode}.")
    told: dict[str, Any] = json.loads(Path(f"{name}.json").read_bytes())
    return told


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.check_real", description=__doc__)
    parser.add_argument("--budget", default="5m", help="time of each check (default: 5m)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help="only this one; may be repeated")
    parser.add_argument("--out", type=Path, default=Path(".jostle/eval-check-real"), metavar="DIR")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    lines = ["| application | severity | kind | finding |", "|---|---|---|---|"]
    for application in APPLICATIONS:
        if arguments.only and application.name not in arguments.only:
            continue
        told = check(application, arguments.budget, arguments.seed, arguments.out)
        for each in told["findings"]:
            lines.append(f"| {application.name} | {each['severity']} | {each['kind']} | {each['title']} |")
        if not told["findings"]:
            lines.append(f"| {application.name} | | | nothing |")
    print("\n".join(lines))
    return 0


if __name__ == "__main__":
    sys.exit(main())
