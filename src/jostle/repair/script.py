"""The script that enforces a policy in a page: to be the first of the page, or to be injected before all others."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files

import msgspec

from jostle.repair.policy import Policy

PARTS = (
    "native",
    "decide",
    "queue",
    "predicates",
    "elements",
    "busy",
    "fields",
    "user",
    "timers",
    "requests",
    "loads",
    "messages",
    "start",
)
"""The files, in the order in which they run; each is a function of the shared object `repair`."""
NAME = "jostle:repair"
"""What the script is called in stacks: jostle looks past it for the line of the application."""
MINIFIED = "controller.min.js"
READ_REPORT = 'window[Symbol.for("jostle.repair")]?.report()'
"""JavaScript: what the controller of a window has done so far, a `ControllerReport`; undefined where there is none."""

_FRAME = """((given) => {
"use strict";
const there = globalThis[Symbol.for("jostle.repair")];
if (there?.document === document) {
  console.warn("jostle repair: there is a controller in this page already; this copy does nothing.");
  return;
}
there?.retire();
const policy = given ?? JSON.parse(document.currentScript?.dataset.policy || document.getElementById("jostle-repair")?.textContent || "null");
if (!policy) {
  console.warn("jostle repair: no policy. Put it in an element <script type=\\"application/json\\" id=\\"jostle-repair\\"> above this one.");
  return;
}
policy.rules ??= [];
const repair = { policy };
%s})"""


class LogEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that the controller did."""

    what: str
    """`postponed`, `discarded`, `aborted`, `kept` (an entry of the user, from being overwritten) or `lost` (what was to be
    clicked is no longer there)."""
    kind: str
    event: str
    """`click on button#save`, `fetch /api/items`."""
    at: float
    """Milliseconds since the page began."""
    waited: float = 0
    overdue: bool = False


class ControllerReport(msgspec.Struct, frozen=True, kw_only=True):
    """What the controller of one document has done so far."""

    policy: str
    finished: bool = False
    """No rule can do anything any more, and the page is left to itself."""
    dispatched: int = 0
    postponed: int = 0
    discarded: int = 0
    aborted: int = 0
    overdue: int = 0
    """Let go by the watchdog."""
    lost: int = 0
    kept: int = 0
    waited: float = 0
    """Milliseconds, of all events together."""
    longest: float = 0
    waiting: int = 0
    """Events that wait now."""
    log: tuple[LogEntry, ...] = ()


def script_of(policy: Policy, *, minified: bool = True) -> str:
    """The whole script with the policy inside."""
    data = json.dumps(msgspec.to_builtins(policy), ensure_ascii=False, separators=(",", ":"))
    return _called(_minified() if minified else readable(), data.replace("<", "\\u003c"))


def controller_source(*, minified: bool = True) -> str:
    """The script without a policy. It reads one from `data-policy` of its own element, or from the element
    `<script type="application/json" id="jostle-repair">` before it."""
    return _called(_minified() if minified else readable(), "")


def _called(function: str, data: str) -> str:
    return f"{function}({data});\n//# sourceURL={NAME}\n"


@cache
def readable() -> str:
    """The controller as it is written: an expression, a function of the policy."""
    folder = files("jostle.repair") / "controller"
    parts = "".join(f"({_expression((folder / f'{name}.js').read_text('utf-8'))})(repair);\n" for name in PARTS)
    return _FRAME % parts


def _expression(text: str) -> str:
    lines = text.strip().splitlines()
    while lines[0].startswith("//"):
        lines.pop(0)
    return "\n".join(lines)


@cache
def _minified() -> str:
    return (files("jostle.repair") / "controller" / MINIFIED).read_text("utf-8").strip()
