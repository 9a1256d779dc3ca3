"""`pytest --jostle-adverse` on the example suite: what it finds, and what it costs. `make eval-adverse`."""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Any
from xml.etree import ElementTree

import msgspec

from jostle.examples.handing import hand_out


class Bug(msgspec.Struct, frozen=True):
    """A planted bug: which test shows it, when what happens, after which of its lines (any of these is a cause)."""

    kind: str
    test: str
    condition: str
    lines: tuple[str, ...]
    also: tuple[tuple[str, str], ...] = ()
    """Tests and conditions in which it may show, too."""


BUGS = (
    Bug(
        "silent delete after the tab was hidden",
        "test_giving_up_a_plot",
        "hide",
        ('"Delete"', 'button="right"'),
        also=(("test_giving_up_another_plot", "hide"), ("test_giving_up_another_plot", "freeze")),
    ),
    Bug("stale list after the tab was hidden", "test_notices_come_by_themselves", "hide", ('"Show notices"',)),
    Bug("lost draft on reload", "test_preview_of_a_note", "reload", ('"Preview"', ".fill(")),
    Bug("filter lost on resize", "test_counting_beds", "resize", ("select_option",)),
    Bug("drawing lost on rotation", "test_sketching", "rotate", ('"Pond"', '"Tree"')),
    Bug("dialog closed on resize", "test_watering", "resize", ('"Plan watering"', ".fill(")),
    Bug("double submission of a slow order", "test_ordering_seeds", "latency", (".fill(", ".goto(")),
    Bug("setting lost on going back", "test_unit", "away-rebuilt", ("select_option", '"Show temperature"')),
    Bug("crash after a freeze", "test_tasks", "freeze", ('"Open list"', ".goto(")),
    Bug("user forgotten on a storage event", "test_member", "storage-event", ('"Save"',)),
    Bug("section closed after printing", "test_reading_the_guide", "print", ('"Pruning"',)),
    Bug("field emptied by the colour scheme", "test_diary", "colour-scheme", (".fill(",)),
    Bug("editing given up when the focus is lost", "test_naming_a_plot", "blur", ('"Rename"', ".fill(")),
    Bug("crash after being offline", "test_harvest", "online-events", (".fill(", ".goto(")),
    Bug("pen taken away by another tab", "TestMinutes::test_saving", "other-tab", ('"Edit"', ".fill(")),
    Bug(
        "days in the order of the answers",
        "test_forecast",
        "reorder",
        (".goto(",),
        also=(("test_forecast", "latency"),),
    ),
)
ORDER_BUGS = ("test_basket", "test_forecast")
"""Tests that fail when answers come in another order."""

_KEPT = ("--jostle-conditions", "kept")
_BASIC = (*_KEPT, "--jostle-no-isolate")
_CORRECT = "--correct"
MODES: dict[str, tuple[str, ...]] = {
    "nothing fails: basic": (*_BASIC, _CORRECT),
    "nothing fails: basic, document rebuilt": ("--jostle-conditions", "rebuilt", "--jostle-no-isolate", _CORRECT),
    "nothing fails: complete": (*_KEPT, "--jostle-rerun", "--jostle-reduce", _CORRECT),
    "basic": _BASIC,
    "basic, document rebuilt": ("--jostle-conditions", "rebuilt", "--jostle-no-isolate"),
    "rerun": (*_BASIC, "--jostle-rerun"),
    "reduction": (*_BASIC, "--jostle-reduce"),
    "complete (rerun and reduction)": (*_BASIC, "--jostle-rerun", "--jostle-reduce"),
    "complete, with isolation": (*_KEPT, "--jostle-rerun", "--jostle-reduce"),
}
"""What the paper measures: basic, with reruns, with reduction, with both; conditions that keep the document."""
_OURS = frozenset({"isolation", "confirmation", "ordinary"})
_LABEL = re.compile(r"(?P<test>\S+).*adverse: (?P<condition>[\w+-]+) after line (?P<line>\d+)")


class Failed(msgspec.Struct, frozen=True):
    """A failure as it was isolated."""

    test: str
    condition: str
    line: str
    """The text of the line after which the condition happened."""


def suite(folder: Path, *options: str, timeout: float) -> tuple[float, dict[str, Any]]:
    """Runs the suite; gives the seconds of its tests as pytest tells them, and jostle's document."""
    document, junit = folder / "out.json", folder / "junit.xml"
    document.unlink(missing_ok=True)
    command = [sys.executable, "-m", "pytest", str(folder), "-q", "-p", "no:cacheprovider", "-p", "no:xdist"]
    command += ["--tb=no", f"--junit-xml={junit}", *options]
    if any(option.startswith("--jostle") for option in options):
        command += ["--jostle-json", str(document), "--jostle-out", str(folder / "runs")]
    began = time.monotonic()
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=timeout)
    if done.returncode not in (0, 1):
        raise SystemExit(
            f"{' '.join(command)}\nended with {done.returncode}:\n{done.stdout[-3000:]}{done.stderr[-2000:]}"
        )
    seconds = sum(float(case.get("time", 0)) for case in ElementTree.parse(junit).iter("testcase"))
    print(f"  {' '.join(options) or 'plain'}: {time.monotonic() - began:.0f} s", flush=True)
    return seconds, json.loads(document.read_bytes()) if document.exists() else {}


def failures(document: dict[str, Any], folder: Path) -> list[Failed]:
    """All failures of a document, those of the same bug too."""
    told: list[Failed] = []
    for finding in document["findings"]:
        evidence = finding["evidence"]
        test = evidence["test"]
        for place in evidence["places"][:1]:
            told.append(Failed(test, place["condition"], _line(str(folder / place["where"]))))
        for also in evidence["also"]:
            if found := _LABEL.search(also):
                file = folder / Path(found["test"].partition("::")[0]).name
                told.append(Failed(found["test"], found["condition"], _line(f"{file}:{found['line']}")))
    return told


def _line(where: str) -> str:
    file, _, number = where.rpartition(":")
    path = Path(file)
    lines = path.read_text("utf-8").splitlines() if path.is_file() else []
    return lines[int(number) - 1].strip() if number.isdigit() and 0 < int(number) <= len(lines) else where


def is_of(bug: Bug, failed: Failed, *, also: bool = False) -> bool:
    """`also`: in any of the ways in which it may show."""
    ways = ((bug.test, bug.condition), *(bug.also if also else ()))
    name = failed.test.partition("[")[0]
    shows = any(name.endswith(test) and failed.condition == condition for test, condition in ways)
    return shows and any(text in failed.line for text in bug.lines)


def findings(folder: Path, repetitions: int, timeout: float) -> list[str]:
    """Every planted bug in every repetition, and the twins."""
    found = dict.fromkeys(BUGS, 0)
    blamed: dict[Bug, set[str]] = {bug: set() for bug in BUGS}
    others: list[str] = []
    alarms: list[str] = []
    ordered = dict.fromkeys(ORDER_BUGS, 0)
    for repetition in range(1, repetitions + 1):
        _, document = suite(folder, "--jostle-adverse", timeout=timeout)
        told = failures(document, folder)
        for bug in BUGS:
            hits = [failed for failed in told if is_of(bug, failed)]
            found[bug] += bool(hits)
            blamed[bug] |= {failed.line for failed in hits}
        known = [failed for failed in told if any(is_of(bug, failed, also=True) for bug in BUGS)]
        others += [f"{failed.test} {failed.condition} after {failed.line}" for failed in told if failed not in known]
        _, document = suite(folder, "--jostle-adverse", "--correct", timeout=timeout)
        alarms += [finding["title"] for finding in document["findings"]]
        _, document = suite(folder, "--jostle-orders", timeout=timeout)
        for name in ORDER_BUGS:
            ordered[name] += any(name in finding["evidence"]["test"] for finding in document["findings"])
        _, document = suite(folder, "--jostle-orders", "--correct", timeout=timeout)
        alarms += [finding["title"] for finding in document["findings"]]
        print(
            f"{repetition}: {sum(found.values()) + sum(ordered.values())} of "
            f"{repetition * (len(BUGS) + len(ORDER_BUGS))} found, missed so far: "
            f"{', '.join(bug.kind for bug in BUGS if found[bug] < repetition) or 'nothing'}; reports on the twins: "
            f"{alarms or 'none'}; of no planted bug: {others or 'none'}",
            flush=True,
        )
    lines = ["| planted bug | test | condition | after | found |", "|---|---|---|---|--:|"]
    for bug in BUGS:
        after = "<br>".join(f"`{line}`" for line in sorted(blamed[bug])) or "-"
        lines.append(f"| {bug.kind} | {bug.test} | {bug.condition} | {after} | {found[bug]} of {repetitions} |")
    for name in ORDER_BUGS:
        lines.append(f"| answers in another order | {name} | `--jostle-orders` | | {ordered[name]} of {repetitions} |")
    lines += ["", f"Reports on the twins: {len(alarms)} in {repetitions}."]
    lines += [f"- {each}" for each in dict.fromkeys(alarms)]
    lines += ["", f"Failures that are of no planted bug: {len(others)}."]
    lines += [f"- {each}" for each in dict.fromkeys(others)]
    return lines


def costs(folder: Path, modes: Sequence[str], repetitions: int, timeout: float) -> list[str]:
    """What each mode costs, against the suite without jostle just before it: the median of the repetitions."""
    lines = [
        "| mode | the suite alone | injected runs / alone | all / alone "
        "| runs | injections | left out | failures | bugs |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for name in modes:
        alone, injected, everything = [], [], []
        for _ in range(repetitions):
            options = MODES[name]
            plain, _ = suite(folder, *(option for option in options if option == _CORRECT), timeout=timeout)
            _, document = suite(folder, "--jostle-adverse", *options, timeout=timeout)
            stats = document["stats"]
            spent: dict[str, float] = stats["seconds"]
            alone.append(plain)
            injected.append(sum(value for key, value in spent.items() if key not in _OURS) / plain)
            everything.append(sum(spent.values()) / plain)
        ratios = f"{_median(injected)} × | {_median(everything)} ×"
        counts = " | ".join(str(stats[key]) for key in ("runs", "injections", "skipped", "failures", "bugs"))
        lines.append(f"| {name} | {median(alone):.1f} s | {ratios} | {counts} |")
        print(lines[-1], flush=True)
    return lines


def _median(ratios: Sequence[float]) -> str:
    spread = f" ({min(ratios):.2f} to {max(ratios):.2f})" if len(ratios) > 1 else ""
    return f"{median(ratios):.2f}{spread}"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.adverse", description=__doc__)
    parser.add_argument("--repetitions", type=int, default=5, help="of each measurement (default: 5)")
    parser.add_argument(
        "--mode", action="append", choices=tuple(MODES), help="whose costs are measured; may be repeated (default: all)"
    )
    parser.add_argument("--timeout", type=float, default=3600, help="seconds of one run of the suite (default: 3600)")
    parser.add_argument("--only", choices=("findings", "costs"), help="only this part")
    asked = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="jostle-suite-") as directory:
        folder = Path(directory) / "suite"
        hand_out(folder)
        parts = []
        if asked.only != "findings":
            parts += costs(folder, asked.mode or tuple(MODES), asked.repetitions, asked.timeout)
        if asked.only != "costs":
            parts += ["", *findings(folder, asked.repetitions, asked.timeout)]
    print("\n".join(parts))
    return 0


if __name__ == "__main__":
    sys.exit(main())
