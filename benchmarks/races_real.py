"""`jostle races` on real applications: `python -m benchmarks.races_real`."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from benchmarks.applications import APPLICATIONS, Application, running
from jostle.errors import CouldNotRun


def search(application: Application, command: str, budget: str, out: Path) -> dict[str, Any]:
    """Run the command as a user does, its progress to be seen; findings are no failure."""
    name = out / f"{application.name}-{command}"
    configuration = out / f"{application.name}.toml"
    with running(application) as served:
        state = out / f"{application.name}-state.json"
        state.write_text(json.dumps({"cookies": list(served.cookies), "origins": []}), "utf-8")
        configuration.write_text(f"[login]\nstorage_state = {json.dumps(state.name)}\n", "utf-8")
        asked = [sys.executable, "-m", "jostle", "races", command, served.url, "--budget", budget, "--seed", "1"]
        files = ["--json", f"{name}.json", "--html", f"{name}.html", "--out", str(out / "runs")]
        done = subprocess.run([*asked, *files, "--config", str(configuration)])
    if done.returncode > 1:
        raise CouldNotRun(f"jostle races {command} ended with {done.returncode}.")
    told: dict[str, Any] = json.loads(Path(f"{name}.json").read_bytes())
    return told


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.races_real", description=__doc__)
    parser.add_argument("--budget", default="3m", help="time of each search (default: 3m)")
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help="only this one; may be repeated")
    parser.add_argument("--command", action="append", choices=("init", "ajax", "orders"), help="only this")
    parser.add_argument("--out", type=Path, default=Path(".jostle/eval-races-real"), metavar="DIR")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    lines = ["| application | command | found | tried | seconds |", "|---|---|---|--:|--:|"]
    for application in APPLICATIONS:
        if arguments.only and application.name not in arguments.only:
            continue
        for command in arguments.command or ("init", "ajax", "orders"):
            told = search(application, command, arguments.budget, arguments.out)
            found = "; ".join(f"{each['kind']}: {each['title']}" for each in told["findings"]) or "nothing"
            stats = told["stats"]
            tried = stats.get("tried", stats.get("pairs", stats.get("orders")))
            lines.append(f"| {application.name} | {command} | {found} | {tried} | {stats['seconds']} |")
    print("\n".join(lines))
    return 0


if __name__ == "__main__":
    sys.exit(main())
