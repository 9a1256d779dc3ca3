"""How well jostle does its work, on the examples and on real applications: `make eval`."""

from __future__ import annotations

import argparse
import platform
import sys
import time
from pathlib import Path

import msgspec

from benchmarks.fidelity import Fidelity, fidelity, subjects, table
from jostle.browser.chromium import Chromium
from jostle.browser.loop import run
from jostle.errors import CouldNotRun
from jostle.version import __version__


class Evaluation(msgspec.Struct, kw_only=True):
    """The document that is written."""

    jostle: str
    browser: str
    python: str
    created: str
    fidelity: list[Fidelity]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.evaluate", description=__doc__)
    parser.add_argument("--replays", type=int, default=50, help="exact replays of each recording (default: 50)")
    parser.add_argument("--actions", type=int, default=30, help="user actions in each walk (default: 30)")
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help="only this one; may be repeated")
    parser.add_argument("--wild", action="store_true", help="the large applications of benchmarks.wild instead")
    parser.add_argument("--out", type=Path, default=Path(".jostle/eval"), metavar="DIR", help="where to write")
    arguments = parser.parse_args()
    known = {subject.name for subject in subjects(wild=arguments.wild)}
    if unknown := set(arguments.only) - known:
        parser.error(f"no such page: {', '.join(sorted(unknown))}; there are: {', '.join(sorted(known))}")
    arguments.out.mkdir(parents=True, exist_ok=True)
    try:
        results = run(_evaluate(arguments))
    except CouldNotRun as problem:
        print(problem, file=sys.stderr)
        return 3
    print(f"\n{table(results)}\nWritten to {arguments.out}: fidelity.json, fidelity.md and the recordings.")
    return 0 if all(each.good for each in results) else 1


async def _evaluate(arguments: argparse.Namespace) -> list[Fidelity]:
    results: list[Fidelity] = []
    for subject in subjects(wild=arguments.wild):
        if arguments.only and subject.name not in arguments.only:
            continue
        print(f"{subject.name} ...", end=" ", flush=True)
        try:
            async with Chromium.launch() as chromium:
                version = chromium.version
                result = await fidelity(
                    chromium, subject, actions=arguments.actions, replays=arguments.replays, keep=arguments.out
                )
        except CouldNotRun as problem:
            result = Fidelity(name=subject.name, problem=str(problem))
            version = ""
        results.append(result)
        misses = [each for each in (result.problem, *result.misses) if each]
        print(f"{result.reproduced} of {result.replays} reproduced", *misses, sep="\n    ", flush=True)
        _write(arguments.out, version, results)
    return results


def _write(directory: Path, browser: str, results: list[Fidelity]) -> None:
    """After each, so that an interrupted evaluation has something to show."""
    document = Evaluation(
        jostle=__version__,
        browser=browser,
        python=platform.python_version(),
        created=time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        fidelity=results,
    )
    (directory / "fidelity.json").write_bytes(msgspec.json.format(msgspec.json.encode(document), indent=2))
    (directory / "fidelity.md").write_text(table(results), "utf-8")


if __name__ == "__main__":
    sys.exit(main())
