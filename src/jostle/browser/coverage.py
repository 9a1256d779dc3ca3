"""Which blocks of the application's JavaScript ran, and how often: coverage, and the logical cost of an event."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from typing import NamedTuple

from jostle.browser.address import origin
from jostle.browser.agent import NAME
from jostle.browser.connection import NoAnswer, Params, ProtocolError
from jostle.browser.tab import Tab

PATIENCE = 2.0
"""Seconds to wait for a page's figures: one that is about to be left, or that does not end, has none to give."""


EVERY_BRANCH = "--js-flags=--no-compilation-cache --no-enable-lazy-source-positions"
"""To V8: compile the scripts of every document anew. Of what it compiled for an earlier document it tells no branches,
but calls the whole function run. And note positions while compiling: coverage needs them, and finding them out later
parses each function a second time, which doubled what our agent costs a document."""
KEEPS_COUNTS = f"{EVERY_BRANCH} --max-optimized-bytecode-size=0"
"""To V8, besides: optimise nothing. It loses counts of functions that it builds into others, some thirty calls on."""
_BROWSERS_OWN = ("chrome:", "chrome-extension:", "devtools:", "extensions::")


Ran = tuple[int, Params]
"""A script, as the profiler tells of it, with the number of its tab."""


class ScriptFunction(NamedTuple):
    """A function of the application, by the address of its script and the character at which it begins there."""

    url: str
    name: str
    start: int


def functions_run(scripts: Sequence[Ran]) -> Counter[ScriptFunction]:
    """How often blocks of each function ran. The sum is the logical cost of what happened."""
    ran: Counter[ScriptFunction] = Counter()
    for _, script in scripts:
        for function in script["functions"]:
            count = sum([block["count"] for block in function["ranges"]])
            if count:
                start = function["ranges"][0]["startOffset"]
                ran[ScriptFunction(script["url"], function["functionName"], start)] += count
    return ran


class Coverage:
    """The code that has run in any run so far, character by character.

    V8 tells of a block only when it ran more or less often than the code around it, so that the ranges it tells are
    others every time, and cannot be counted. Code without an address is left out: our own questions to the page are
    such code, and each is another one.
    """

    def __init__(self) -> None:
        self._run: dict[str, int] = {}  # by script, a byte for each character, 1 if it ran
        self._names: dict[tuple[int, str, str], str] = {}
        self._blocks = self._told = 0

    def __len__(self) -> int:
        """In how many pieces the code came to be run: a branch, a loop body, a function, whatever was new at once."""
        return self._blocks

    @property
    def characters(self) -> int:
        return sum(run.bit_count() for run in self._run.values())

    async def read(self, tabs: Sequence[Tab], origins: Collection[str]) -> int:
        """How many pieces of code have run for the first time since this was last asked."""
        self.learn(await scripts_run(tabs, origins))
        new, self._told = self._blocks - self._told, self._blocks
        return new

    def learn(self, scripts: Sequence[Ran]) -> None:
        """What somebody else read of what ran: whoever reads takes it away."""
        for tab, script in scripts:
            blocks = _blocks(script)
            if not script["url"] or not blocks:
                continue
            name = self._name(tab, script, max(block["endOffset"] for block in blocks))
            known = self._run.get(name, 0)
            new = _ran(blocks) & ~known
            self._run[name] = known | new
            self._blocks += (new & ~(new << 8)).bit_count()

    def _name(self, tab: int, script: Params, end: int) -> str:
        """What a script is known by whenever its page is loaded. The scripts and handlers within a page share its
        address: their length tells them apart, which is seen when they run for the first time."""
        url = script["url"].partition("?")[0]
        return self._names.setdefault((tab, script["scriptId"], url), f"{end} {url}")


def _ran(blocks: Sequence[Params]) -> int:
    """The characters that ran, a byte each. What lies within another comes after it."""
    painted = bytearray(max(block["endOffset"] for block in blocks))
    for block in blocks:
        start, end = block["startOffset"], block["endOffset"]
        painted[start:end] = (b"\1" if block["count"] else b"\0") * (end - start)
    return int.from_bytes(painted, "little")


async def scripts_run(tabs: Sequence[Tab], origins: Collection[str]) -> list[Ran]:
    """Every script of the allowed origins, or evaluated, of which something was looked at since the last reading."""
    scripts: list[Ran] = []
    for tab in tabs:
        if not tab.usable or tab.leaving:
            continue
        try:
            taken = await tab.session.send("Profiler.takePreciseCoverage", timeout=PATIENCE)
        except (ProtocolError, NoAnswer):
            continue  # a document replaced in this moment
        for script in taken["result"]:
            if _is_own(script["url"], origins):
                scripts.append((tab.number, script))
    return scripts


def _is_own(url: str, origins: Collection[str]) -> bool:
    """Whether a script is the application's. Code that it evaluates may have any name: `webpack-internal:///app.js`."""
    if url.startswith(("http:", "https:")):
        return origin(url) in origins
    return url != NAME and not url.startswith(_BROWSERS_OWN)


def _blocks(script: Params) -> list[Params]:
    return [block for function in script["functions"] for block in function["ranges"]]
