"""The script that enforces a policy in a page: to be the first of the page, or to be injected before all others."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files

import msgspec

from jostle.repair.policy import Arrived, Do, EventKind, On, Policy

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
READ_REPORT = 'window[Symbol.for("jostle.repair")]?.report()'
"""JavaScript: what the controller of a window has done so far, a `ControllerReport`; undefined where there is none."""

FRAME = "frame"
"""What is around them."""
_PLACE = '"parts"'
_FOLDER = files("jostle.repair") / "controller"
_FOLLOWED = frozenset({EventKind.USER, EventKind.TIMER, EventKind.RESPONSE})
"""What has to be attended to in order to know which event of the user something follows from."""
_NEEDED: dict[EventKind, tuple[str, ...]] = {
    EventKind.USER: ("elements", "busy", "fields", "user"),
    EventKind.TIMER: ("timers",),
    EventKind.RESPONSE: ("requests",),
    EventKind.SCRIPT: ("elements", "loads"),
    EventKind.IMAGE: ("elements", "loads"),
    EventKind.FRAME: ("elements", "loads"),
    EventKind.MESSAGE: ("messages",),
}


class LogEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that the controller did."""

    what: str
    """`postponed`, `discarded`, `aborted`, `kept` (an entry of the user, from being overwritten) or `lost` (what was
    to be clicked is no longer there)."""
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
    """The whole script with the policy inside, and of the controller what the policy needs."""
    data = json.dumps(msgspec.to_builtins(policy), ensure_ascii=False, separators=(",", ":"))
    return _script(parts_for(policy), minified, data.replace("<", "\\u003c"))


def controller_source(*, minified: bool = True) -> str:
    """The whole controller without a policy. It reads one from `data-policy` of its own element, or from the element
    `<script type="application/json" id="jostle-repair">` before it."""
    return _script(PARTS, minified, "")


def kinds_of(policy: Policy) -> frozenset[EventKind]:
    """The kinds of event that the controller has to attend to."""
    kinds: set[EventKind] = set()
    for rule in policy.rules:
        kinds.update(rule.match.kinds or EventKind)
        if any(extension.do in (Do.WAIT_FOR, Do.WAIT_RECURSIVELY) for extension in rule.then):
            kinds.add(EventKind.USER)
        if rule.match.on is On.FORK and rule.match.selector:
            kinds |= _FOLLOWED
    return frozenset(kinds | _FOLLOWED if policy.protect else kinds)


def parts_for(policy: Policy) -> tuple[str, ...]:
    """The files that the policy needs."""
    kinds = kinds_of(policy)
    wanted = {"native", "decide", "queue", "start"} | {part for kind in kinds for part in _NEEDED[kind]}
    if any(policy.predicates):
        wanted.add("predicates")
    if any(isinstance(rule.until, Arrived) and rule.until.url for rule in policy.rules):
        wanted |= {"elements", "loads"}
    return tuple(part for part in PARTS if part in wanted)


def _script(parts: tuple[str, ...], minified: bool, data: str) -> str:
    written = _minified if minified else readable
    body = ",\n".join(written(part) for part in parts)
    return f"({written(FRAME).replace(_PLACE, body)})({data});\n//# sourceURL={NAME}\n"


@cache
def readable(part: str) -> str:
    """A file of the controller as it is written: an expression, a function."""
    lines = (_FOLDER / f"{part}.js").read_text("utf-8").strip().splitlines()
    while lines[0].startswith("//"):
        lines.pop(0)
    return "\n".join(lines)


@cache
def _minified(part: str) -> str:
    return (_FOLDER / "minified" / f"{part}.js").read_text("utf-8").strip()
