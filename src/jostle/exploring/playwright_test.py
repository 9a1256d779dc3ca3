"""Tests that fail while something goes wrong in an application: an uncaught error, a failed request, a dead link, a
page that hangs, an invariant that does not hold.

Nothing is held and nothing is compared: a test does what was done, waits after each step as long as the application
went on by itself when it was recorded and for the last response that it got then, and looks for the one thing that went
wrong, for a while. Other mistakes of the page do not fail it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from jostle.addresses import split_url
from jostle.events import Event, NetworkEvent, Step
from jostle.export.held_test import ANYTHING, open_address, step
from jostle.export.playwright_steps import heading, literal, needs_touch
from jostle.export.python_file import identifier, indented, joined
from jostle.findings import Finding, FindingKind
from jostle.findings.evidence import ErrorEvidence, HangEvidence, InvariantEvidence, RequestEvidence
from jostle.oracles.invariants import asking

LONGEST_WAIT = 5000
"""Milliseconds that a test waits after a step, whatever went on then."""
_PREFIXES = re.compile(r"(?:Uncaught )?(?:\(in promise\) ?)?(?:[\w$.]{1,100}: )?")
"""Of a message as the browser words it: Playwright leaves them out, with whatever name the error has (`Error: x`)."""
_VARIABLE = re.compile(r"https?://[^\s'\"()<>]+|\b(?=[0-9a-f-]*\d)[0-9a-f-]{8,}\b|\d+", re.IGNORECASE)
"""What differs by data in a message."""
_ASKED_BY_CODE = frozenset({"xhr", "fetch", "document"})
"""Of such requests Playwright hears in every case; pictures and scripts may come from a cache."""
_SAYS_NOTHING = ("", "#<", "[object", "Script error", "Object")
_MESSAGE = 300


class _Looked(msgspec.Struct, frozen=True, kw_only=True):
    """How a test looks for what went wrong."""

    constants: tuple[str, ...] = ()
    listens: tuple[str, ...] = ()
    """Lines of the beginning of `Using`."""
    methods: str = ""
    """Of `Using`."""
    each: tuple[str, ...] = ()
    """After each step."""
    end: tuple[str, ...] = ("assert not using.wrong_within(PATIENCE), FOUND",)


class Stretch(msgspec.Struct, frozen=True, kw_only=True):
    """Something that the user did, and what the application then did by itself."""

    event: Event | None
    """None: the page was opened."""
    wait: int = 0
    """Milliseconds until the last thing happened."""
    response: str = ""
    """Method and address of the request whose response came last, parts that differ from run to run left open."""


def problem_test(url: str, steps: Sequence[Step], finding: Finding, *, name: str) -> str:
    """A file for pytest-playwright whose test fails as long as this goes wrong.

    `steps`: a run in which it went wrong, from its start. `finding`: as `jostle explore` tells it. `name`: of the test.
    Raises ValueError, with words for users, for what such a test cannot do.
    """
    looked = _looked_for(finding)
    way = stretches(steps)
    lines = []
    for each in way:
        done = step(each.event) if each.event is not None else ['page.goto(URL, wait_until="domcontentloaded")']
        lines += [*done, _rest(each), *looked.each]
    if finding.kind is FindingKind.HANG:
        lines = ["try:", *indented(lines), *_REACTS]
    touch = needs_touch(each.event for each in way if each.event is not None)
    using = (
        _USING.replace("        LISTENS\n", "".join(f"        {line}\n" for line in looked.listens)) + looked.methods
    )
    test = [
        f"def {identifier(name, 'problem')}(page: Page) -> None:",
        *indented(["using = Using(page.context)", *lines, *looked.end]),
    ]
    body = "\n".join([*looked.constants, *test, using])
    names = [each for each in ("BrowserContext", "Error", "Page", "Request") if re.search(rf"\b{each}\b", body)]
    head = [
        *heading(finding.title),
        "import re",
        "import time",
        "",
        *(["import pytest"] if touch else []),
        f"from playwright.sync_api import {', '.join(names)}",
        *(["from playwright.sync_api import TimeoutError as TimedOut"] if "TimedOut" in body else []),
        "",
        f"URL = {literal(url)}",
        f"FOUND = {literal(finding.title)}",
        *looked.constants,
        "LONGEST = 10.0  # seconds that the page is given to come to rest",
        "PATIENCE = 3.0  # seconds that are waited for a response, and for what goes wrong",
    ]
    return joined(["\n".join(head), *([_TOUCH] if touch else []), "\n".join(test), using])


def stretches(steps: Sequence[Step]) -> list[Stretch]:
    """A run from its start, by what the user did."""
    found, begun = [Stretch(event=None)], 0.0
    for each in steps:
        if each.event.by_user:
            begun = each.at
            found.append(Stretch(event=each.event))
        else:
            wait = round(min(max(each.at - begun, 0.0), LONGEST_WAIT))
            response = _response(each.event) or found[-1].response
            found[-1] = msgspec.structs.replace(found[-1], wait=wait, response=response)
    return found


def _response(event: Event) -> str:
    if not isinstance(event, NetworkEvent) or event.request.resource not in _ASKED_BY_CODE:
        return ""
    parts = split_url(event.request.url)
    return f"{event.request.method} {_opened(event.request.url)}" if parts.scheme in ("http", "https") else ""


def _opened(url: str) -> str:
    """An address with numbers and what differs from run to run left open."""
    opened = split_url(open_address(url))
    path = "/".join(ANYTHING if each.isdigit() else each for each in opened.path.split("/"))
    return opened._replace(path=path).geturl()


def _rest(stretch: Stretch) -> str:
    words = [str(stretch.wait)] if stretch.wait > 100 else []
    if stretch.response:
        words.append(f"response={literal(stretch.response)}")
    return f"using.rest({', '.join(words)})"


def _looked_for(finding: Finding) -> _Looked:
    match finding.evidence:
        case ErrorEvidence(message=message) if finding.kind is FindingKind.CONSOLE_ERROR:
            hears = 'context.on("console", lambda got: self.sees(got.text) if got.type == "error" else None)'
            return _message(message, hears)
        case ErrorEvidence(message=message):
            return _message(message, 'context.on("weberror", lambda got: self.sees(str(got.error)))')
        case RequestEvidence() as failed:
            return _request(failed.method, failed.url, failed.status)
        case HangEvidence():
            return _Looked(methods=_HANGS, end=())
        case InvariantEvidence(javascript=expression):
            if expression is None:
                raise ValueError("the invariant is a Python function of yours, which the test would need as well.")
            constants = (f"HOLDS = {literal(asking(expression))}",)
            return _Looked(constants=constants, methods=_HOLDS, each=("using.expect_it_holds(page)",), end=())
    raise ValueError(f"there is no such test for findings of the kind {finding.kind.value}.")


def _message(message: str, hears: str) -> _Looked:
    """An error with this message, but for what differs by data."""
    line = message.strip().split("\n", 1)[0]
    told = line[_PREFIXES.match(line).end() :][:_MESSAGE]  # type: ignore[union-attr]
    opened = ANYTHING.join(_VARIABLE.split(told))
    if any(told == each or (each and told.startswith(each)) for each in _SAYS_NOTHING):
        opened = ANYTHING  # any uncaught error will do
    constants = (f"MESSAGE = {literal(opened)}  # “{ANYTHING}” stands for anything",)
    return _Looked(constants=constants, listens=(hears,), methods=_SEES)


def _request(method: str, url: str, status: int) -> _Looked:
    parts = split_url(url)
    if parts.scheme not in ("http", "https"):
        raise ValueError(f"only requests by http are seen by Playwright, not {url}.")
    if parts.path.endswith("/favicon.ico"):
        raise ValueError("Playwright does not see the browser ask for the icon of a page.")
    constants = (
        f"METHOD = {literal(method)}",
        f"ADDRESS = {literal(_opened(url))}  # “{ANYTHING}” stands for anything",
        f"STATUS = {status}" if status else "STATUS = 0  # it got no response",
    )
    listens = (
        'context.on("response", lambda got: self.answered(got.request, got.status))',
        'context.on("requestfailed", lambda request: self.answered(request, 0))',
    )
    return _Looked(constants=constants, listens=listens, methods=_ANSWERED)


_TOUCH = """
@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict) -> dict:
    return {**browser_context_args, "has_touch": True}
"""

_REACTS = [
    "except TimedOut:",
    "    assert using.reacts(page), FOUND",
    "    raise",
    "assert using.reacts(page), FOUND",
]

_USING = '''
IDLE = """async () => {
  const frame = () => new Promise((done) => { requestAnimationFrame(done); setTimeout(done, 100); });
  await frame();
  await frame();
  await new Promise((done) => requestIdleCallback(done, { timeout: 100 }));
}"""


def fits(pattern: str, address: str) -> bool:
    """“…” in the pattern stands for anything."""
    return re.fullmatch(".*".join(map(re.escape, pattern.split("…"))), address) is not None


class Using:
    """Somebody who waits after each step, and sees what goes wrong."""

    def __init__(self, context: BrowserContext) -> None:
        self.context = context
        self.wrong: list[str] = []
        self.asked: set[Request] = set()
        self.came: list[str] = []  # since the page was last at rest
        context.set_default_timeout(1000 * LONGEST)
        context.on("request", self.asks)
        context.on("requestfinished", self.has)
        context.on("requestfailed", self.has)
        context.on("dialog", lambda dialog: dialog.accept(dialog.default_value))
        LISTENS

    def asks(self, request: Request) -> None:
        if request.resource_type not in ("eventsource", "ping", "media"):  # these may go on for ever
            self.asked.add(request)

    def has(self, request: Request) -> None:
        self.came.append(f"{request.method} {request.url.partition('#')[0]}")
        self.asked.discard(request)

    def rest(self, least: int = 0, response: str = "") -> None:
        """Wait so many milliseconds, for this response if it comes, and until the page and the network are idle."""
        begun = time.monotonic()
        while time.monotonic() < begun + LONGEST:
            self.context.pages[-1].wait_for_timeout(25)
            passed = time.monotonic() - begun
            missing = response and passed < PATIENCE and not any(fits(response, each) for each in self.came)
            if not (self.asked or missing) and passed > least / 1000 + 0.1 and self.is_idle() and not self.asked:
                break
        self.asked.clear()
        self.came.clear()

    def is_idle(self) -> bool:
        try:
            self.context.pages[-1].locator(":root").evaluate(IDLE, timeout=1000)
        except Error:  # it is busy, or just being replaced
            return False
        return True

    def wrong_within(self, seconds: float) -> list[str]:
        """What went wrong; it may take a while to show."""
        end = time.monotonic() + seconds
        while not self.wrong and time.monotonic() < end:
            self.context.pages[-1].wait_for_timeout(25)
        return self.wrong
'''

_SEES = """
    def sees(self, message: str) -> None:
        if re.search(".*".join(map(re.escape, MESSAGE.split("…"))), message):
            self.wrong.append(message)
"""

_ANSWERED = """
    def answered(self, request: Request, status: int) -> None:
        if status == 0 and "ABORTED" in (request.failure or ""):  # the page changed its mind
            return
        addresses, step = [request.url], request
        while step.redirected_from:
            step = step.redirected_from
            addresses.append(step.url)
        if request.method == METHOD and any(fits(ADDRESS, each.partition("#")[0]) for each in addresses):
            if status in (0, STATUS) or status >= 500:
                self.wrong.append(f"{status or 'no answer'} {request.url}")
"""

_HANGS = """
    def reacts(self, page: Page) -> bool:
        try:
            page.locator(":root").wait_for(state="attached", timeout=1000 * LONGEST)
        except TimedOut:
            return False
        return True
"""

_HOLDS = """
    def expect_it_holds(self, page: Page) -> None:
        holds, said = page.evaluate(HOLDS)
        assert holds, f"{FOUND} ({said})"
"""
