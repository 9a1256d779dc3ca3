"""`pytest --jostle-adverse` on a real application, with a suite written from its manual.

`python -m benchmarks.adverse_real`, or with other options for pytest after `--`.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

from benchmarks.applications import APPLICATIONS, running

SUITE = Path(__file__).parent / "suites" / "isso"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.adverse_real", description=__doc__)
    parser.add_argument("--out", type=Path, default=Path(".jostle/eval-adverse-real"), metavar="DIR")
    parser.add_argument("options", nargs="*", metavar="OPTION", help="for pytest, after --; default: --jostle-adverse")
    arguments = parser.parse_args()
    out = arguments.out.absolute()
    application = next(each for each in APPLICATIONS if each.name == "isso")
    with running(application) as served:
        environment = {**os.environ, "ISSO_URL": served.url, "ISSO_COMMENTS": str(served.data / "comments.db")}
        files = [
            "--jostle-out",
            str(out),
            "--jostle-json",
            str(out / "isso.json"),
            "--jostle-html",
            str(out / "isso.html"),
        ]
        out.mkdir(parents=True, exist_ok=True)
        options = arguments.options or ["--jostle-adverse"]
        command = [sys.executable, "-m", "pytest", str(SUITE), "-c", os.devnull, "--rootdir", str(SUITE), "--tb=short"]
        return subprocess.run([*command, "-p", "no:cacheprovider", *files, *options], env=environment).returncode


if __name__ == "__main__":
    sys.exit(main())
