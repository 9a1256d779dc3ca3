"""The page agent: JavaScript that runs in every document before the page's own and holds what could happen next."""

from __future__ import annotations

import json
import secrets
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any
from urllib.parse import quote

import msgspec

PARTS = (
    "native",
    "dom",
    "foreign",
    "turn",
    "held",
    "clock",
    "random",
    "timers",
    "effects",
    "messages",
    "pending",
    "synchronous",
    "workers",
    "sockets",
    "observers",
    "animations",
    "pointer",
    "settle",
    "locate",
    "xpath",
    "actions",
    "snapshot",
    "skeleton",
)
"""The files, in the order in which they run; each is a function of the shared object `jostle`."""

ACCESS_PARTS = ("identities", "accesses", "promises", "nodes", "tree", "fields", "handlers", "stores")
"""What follows them in a document of which is noted what events read and write."""

WORKER_PARTS = ("native", "turn", "clock", "random", "synchronous", "worker")
"""The same for a dedicated worker."""

ADDED_PARTS = ("user_events",)
"""What comes before the parts that other rooms add, for these to build on; see `AgentPart`."""

BINDING = "__jostle_tell"
NAME = "jostle:agent"
_DOOR = f"location[{json.dumps(NAME)}]"
"""Of a window: where its agent is, for nobody but who knows the key. `location` is a name that no page can replace, and
a property of it is seen by fewer than one of the window."""
_KEY = json.dumps(secrets.token_hex(16))
AGENT = f"{_DOOR}?.({_KEY})"
OURS = f"\n//# sourceURL={NAME}"
"""The end of a script by which it is told from the application's."""
NOTE = "jostle"
TAKEN = (
    f"""const globalThis = self;
const agentOf = (window) => window.{_DOOR}({_KEY});
"""
    + """const {
  Array, Object, Symbol, Error, Reflect, Proxy, Number, String, RegExp, Promise, Boolean, Infinity, Node, Element,
  HTMLElement, HTMLLinkElement, HTMLImageElement, Document, Event, CSSImportRule, CSSLayerStatementRule, Blob, URL,
  ReadableStream, ArrayBuffer, Uint8Array, decodeURIComponent, matchMedia, performance, queueMicrotask,
} = globalThis;
const copied = (object) => Object.freeze(Object.create(null, Object.getOwnPropertyDescriptors(object)));
const Math = copied(globalThis.Math), JSON = copied(globalThis.JSON);
const { apply } = Reflect, { defineProperty } = Object;
const awaitable = (promise) => defineProperty(promise, "constructor", { __proto__: null, value: Promise });
const safe = (Original) => {
  class Safe extends Original {}
  for (const key of Reflect.ownKeys(Original.prototype)) {
    const own = Object.getOwnPropertyDescriptor(Original.prototype, key);
    if (key !== "constructor") Object.defineProperty(Safe.prototype, key, own);
  }
  Object.defineProperty(Safe, Symbol.species, { value: Safe });
  const begin = Original.prototype[Symbol.iterator];
  if (begin) {
    const { next } = Object.getPrototypeOf(apply(begin, new Original(), []));
    const iterate = function () {
      const at = apply(begin, this, []);
      return { __proto__: null, next: () => apply(next, at, []) };
    };
    Object.defineProperty(Safe.prototype, Symbol.iterator, { value: iterate });
  }
  return Object.freeze(Safe.prototype), Safe;
};
const Map = safe(globalThis.Map), Set = safe(globalThis.Set), List = safe(Array);
const WeakMap = safe(globalThis.WeakMap), WeakSet = safe(globalThis.WeakSet);"""
)
"""What the agent works with, taken before the page runs: by the usual names, with methods that the page cannot replace.
`List` is an array of that kind; the methods of other arrays, and of texts, are the page's to replace. `awaitable`: a
promise that can be awaited whatever the page has made of its prototype."""
_TELL = f"""const tell = globalThis.{BINDING};
delete globalThis.{BINDING};
jostle.tell = (type, data) => tell?.(JSON.stringify({{ type, ...data }}));"""


class AgentPart(msgspec.Struct, frozen=True, kw_only=True):
    """JavaScript of another room that runs in every document as part of the agent, before any script of the page.

    It runs last of the agent's parts, so that it finds all of them, and can decide on what the user does before the
    page hears of it (`jostle.beforeUserEvent`, see user_events.js).
    """

    name: str
    """For people, in messages about it."""
    source: str
    """A function of the shared object `jostle`: `(jostle) => { ... }`. The page must not get hold of that object."""


def source(
    *,
    watching: bool = False,
    registrations: bool = False,
    accesses: bool = False,
    probes: str = "",
    added: Sequence[AgentPart] = (),
    **settings: Any,
) -> str:
    """The script to evaluate on every new document. `settings` become properties of the agent.

    `watching`: it tells what a person does in the page. `registrations`: it notes who listens to what. `accesses`: it
    notes what events read and write. `probes`: JavaScript, a function that makes what rewritten scripts call. `added`:
    parts of other rooms.
    """
    parts = list(PARTS)
    if watching:
        parts.append("person")
    elif registrations:
        parts.append("registrations")
    if accesses:
        parts += ACCESS_PARTS
    if probes:
        parts.append("rewriting")
    if added:
        parts += ADDED_PARTS
    properties = {**settings, "watching": watching, "accesses": accesses, "rewritten": bool(probes)}
    return f"""(() => {{
const known = {AGENT};
if (known) return known.attend();
const jostle = {json.dumps(properties)};
{TAKEN}
{_TELL}
{f"jostle.makeProbes = ({_expression(probes)});" if probes else ""}
{_parts(tuple(parts))}{"".join(map(_added, added))}
const answer = (key) => (key === {_KEY} ? jostle : undefined);
Object.defineProperty(location, {json.dumps(NAME)}, {{ __proto__: null, value: answer }});
// Most pages have none around them: to read of null costs milliseconds, as V8 parses all of this again for its message.
const around = parent === self ? opener : parent;
if (around) try {{ jostle.enter(agentOf(around).entered); }} catch {{ /* it belongs to another origin */ }}
jostle.attend();
}})();
//# sourceURL={NAME}"""


def _added(part: AgentPart) -> str:
    """One that does not run must not keep the page from being watched: it is said."""
    failed = json.dumps(f"the part {part.name} of the agent failed: ")
    return f"\ntry {{ ({_expression(part.source)})(jostle); }} catch (error) {{ jostle.limit({failed} + error); }}"


def note(event: dict[str, Any]) -> tuple[str, str]:
    """A header for a document's answer, by which its agent learns of the event before the page's first script runs."""
    return "Server-Timing", f'{NOTE};desc="{quote(json.dumps(event), safe="")}"'


def worker_source(event: dict[str, Any]) -> str:
    """The script to evaluate in a dedicated worker before its own, while `event` is running."""
    return f"""(() => {{
const jostle = {{}};
{TAKEN}
{_TELL}
{_parts(WORKER_PARTS)}
jostle.enter({json.dumps(event)});
}})();
//# sourceURL={NAME}"""


def call(function: str, *arguments: Any) -> str:
    """An expression that calls a function of the agent. Arguments travel as JSON, never as code."""
    return f"{AGENT}?.{function}({', '.join(_literal(argument) for argument in arguments)})"


def alone(function: str, *parts: str) -> str:
    """An expression that calls a function of these parts, for documents in which no agent runs."""
    return f"(() => {{ const jostle = {{}};\n{TAKEN}\n{_parts(parts)}\nreturn jostle.{function}(); }})()"


def _literal(value: Any) -> str:
    # U+2028 and U+2029 are fine in JavaScript strings since ES2019. A lone surrogate is not UTF-8: it is escaped.
    try:
        return msgspec.json.encode(value).decode()
    except UnicodeEncodeError:
        return json.dumps(msgspec.to_builtins(value))


@cache
def _parts(names: tuple[str, ...]) -> str:
    folder = files(__name__)
    texts = []
    for name in names:
        text = (folder / f"{name}.js").read_text("utf-8")
        texts.append(f"({_expression(text)})(jostle);")
    return "\n".join(texts)


def _expression(text: str) -> str:
    """Without leading comments and a trailing semicolon, so that it can stand in parentheses."""
    lines = text.strip().rstrip(";").splitlines()
    while lines and lines[0].lstrip().startswith("//"):
        lines.pop(0)
    return "\n".join(lines)
