"""Costs by V8's block counts against costs by counters in the source: `python -m benchmarks.slowdown_instrumented`.

The same things are done on two copies of a page. In one, V8 counts. In the other, the scripts have been rewritten so
that every function, branch and loop body counts by itself. Needs `pip install tree-sitter tree-sitter-javascript`.
"""

from __future__ import annotations

import asyncio
import contextlib
import http.server
import importlib
import statistics
import sys
import threading
import urllib.request
from collections.abc import Iterator, Sequence
from typing import Any

from jostle.browser.chromium import Chromium
from jostle.browser.chromium_app import ChromiumApp
from jostle.browser.coverage import KEEPS_COUNTS
from jostle.browser.settings import Profiling, TabSettings
from jostle.events import Event, Settled
from jostle.examples import running
from jostle.slowdowns.growth import growth, levelled_off

ROUNDS = 25
COUNT = "globalThis.__ran++"
LOOPS = ("for_statement", "for_in_statement", "while_statement", "do_statement")
FUNCTIONS = ("function_declaration", "function_expression", "arrow_function", "method_definition")

TODO = ('click button "Add task"', 'check radio "High"', "type := Tea", 'click button "Save task"')
SORT = ("type := Zoe", 'click button "Add guest"')
MENU = (
    'click link "Menu"', 'click button "Save menu"', 'click link "Menu items"', 'click link "New item"',
    "type := River", 'click button "Save & close"',
)  # fmt: skip
ARTICLES = ('click link "Add article"', "type := Summer", 'click button "Save and publish"', 'click link "Content"')
CASES: tuple[tuple[str, Sequence[str], Sequence[str]], ...] = (
    ("slow-todo", TODO, TODO[1:]),
    ("slow-sort", SORT, SORT[1:]),
    ("slow-menu", MENU, MENU[1:2]),
    ("slow-articles", ARTICLES, ARTICLES[3:]),
)
"""Page, what is done in each round, and what of that is measured. ` := ` says what is typed."""


# Rewriting scripts -------------------------------------------------------------------------------------------------


def instrumented(source: bytes) -> bytes:
    """The script with a counter in each function, branch and loop body."""
    tree_sitter = importlib.import_module("tree_sitter")
    javascript = importlib.import_module("tree_sitter_javascript")
    parser = tree_sitter.Parser(tree_sitter.Language(javascript.language()))
    tree = parser.parse(source)
    if tree.root_node.has_error:
        raise ValueError("the script cannot be parsed")
    inserted: list[tuple[int, bool, bytes]] = []
    """Where, whether it is an end, and what."""

    def statement(node: Any) -> None:
        if node.type == "statement_block":
            inserted.append((node.start_byte + 1, False, f"{COUNT};".encode()))
        else:
            inserted.append((node.start_byte, False, f"{{{COUNT};".encode()))
            inserted.append((node.end_byte, True, b"}"))

    def expression(node: Any) -> None:
        inserted.append((node.start_byte, False, f"({COUNT},(".encode()))
        inserted.append((node.end_byte, True, b"))"))

    def visit(node: Any) -> None:
        field = node.child_by_field_name
        if node.type in FUNCTIONS:
            body = field("body")
            (statement if body.type == "statement_block" else expression)(body)
        elif node.type in LOOPS:
            statement(field("body"))
        elif node.type == "if_statement":
            statement(field("consequence"))
            if other := field("alternative"):
                statement(other.named_children[0])
        elif node.type == "ternary_expression":
            expression(field("consequence"))
            expression(field("alternative"))
        elif node.type == "binary_expression" and field("operator").type in ("&&", "||", "??"):
            expression(field("right"))
        for child in node.children:
            visit(child)

    visit(tree.root_node)
    # At one place, what ends comes before what begins: the innermost end first, the outermost beginning first.
    order = {id(each): -number if each[1] else number for number, each in enumerate(inserted)}
    made, last = [b"globalThis.__ran ??= 0;"], 0
    for each in sorted(inserted, key=lambda each: (each[0], not each[1], order[id(each)])):
        made += [source[last : each[0]], each[2]]
        last = each[0]
    return b"".join((*made, source[last:]))


@contextlib.contextmanager
def rewritten(base: str) -> Iterator[str]:
    """Serves what is at `base`, scripts with counters."""

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            with urllib.request.urlopen(base + self.path, timeout=10) as answer:
                kind, body = answer.headers["Content-Type"], answer.read()
            body = instrumented(body) if "javascript" in kind else body
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *arguments: object) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


# Measuring ---------------------------------------------------------------------------------------------------------


def wanted(what: str, offered: Sequence[Event]) -> Event:
    beginning, _, value = what.partition(" := ")
    for event in offered:
        if event.what.startswith(beginning):
            return event.with_detail(value=value) if value else event
    raise LookupError(f"no {what} among {[event.what for event in offered]}")


async def measured(app: ChromiumApp, done: Sequence[str], effects: Sequence[str]) -> dict[str, list[float]]:
    """The costs of each effect, by V8 where the application counts, else by the page's own counter."""
    costs: dict[str, list[float]] = {effect: [] for effect in effects}
    settled = Settled(app)
    counted = Profiling.COST in app.settings.profiling
    try:
        await settled.reset()
        for _ in range(ROUNDS):
            for what in done:
                before = 0 if counted else await app.evaluate("globalThis.__ran")
                effect = await settled.step(wanted(what, await settled.enabled()))
                cost = effect.cost if counted else await app.evaluate("globalThis.__ran") - before
                if what in costs and cost is not None:
                    costs[what].append(float(cost))
    finally:
        await app.close()
    return costs


def row(page: str, effect: str, native: Sequence[float], source: Sequence[float]) -> str:
    together = statistics.correlation(native, source)
    ratios = [b / a for a, b in zip(native, source, strict=True)]
    rise = [b - a for a, b in ((native[0], native[-1]), (source[0], source[-1]))]
    laws = " / ".join(map(law, (native, source)))
    return (
        f"| {page} | {effect.partition(' := ')[0]} | {native[0]:g} → {native[-1]:g} | {source[0]:g} → {source[-1]:g} "
        f"| {together:.5f} | {min(ratios):.2f} to {max(ratios):.2f} | {rise[1] / rise[0]:.2f} | {laws} |"
    )


def law(costs: Sequence[float]) -> str:
    points = [(float(n), cost) for n, cost in enumerate(costs)]
    found = growth(points)
    return "levels off" if levelled_off(points) else str(found.law) if found else "unknown"


async def compare() -> None:
    print("| page | event | by V8 | in the source | correlation | ratio | of the rises | law |")
    print("|---|---|--:|--:|--:|--:|--:|---|")
    with running() as base, rewritten(base) as counters:
        async with Chromium.launch(arguments=[KEEPS_COUNTS]) as chromium:
            for page, done, effects in CASES:
                native = await measured(
                    ChromiumApp(chromium, f"{base}/{page}/", settings=TabSettings(profiling=Profiling.COST)),
                    done,
                    effects,
                )
                source = await measured(ChromiumApp(chromium, f"{counters}/{page}/"), done, effects)
                for effect in effects:
                    print(row(page, effect, native[effect], source[effect]), flush=True)


def main() -> int:
    try:
        importlib.import_module("tree_sitter_javascript")
    except ImportError:
        print("This needs a parser: pip install tree-sitter tree-sitter-javascript", file=sys.stderr)
        return 2
    asyncio.run(compare())
    return 0


if __name__ == "__main__":
    sys.exit(main())
