"""A flowing gate: documents are held, the rest comes when it comes and belongs to the event that asked for it."""

# Pages are written as they come.
# ruff: noqa: E501

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest

from jostle.browser.settings import Control, Limits, TabSettings
from tests.browser.driven import OpenApp
from tests.browser.live import Site

FLOWING = TabSettings(control=Control.FLOWING)

PAGE = """<title>One</title><link rel=stylesheet href=/style.css><script src=/first.js></script>
<button onclick=go()>Go</button>
<script>const go = async () => {
  const a = await (await fetch('/a')).text();
  out.textContent = (await fetch('/b?' + a)).status;
};</script><p id=out></p><a href=/two>Two</a>"""


def test_only_documents_are_events(site: Site, app: OpenApp) -> None:
    site.pages = {"/": PAGE, "/style.css": "p { color: red }", "/first.js": "first = 1"}
    page = app(settings=FLOWING)
    page.reset()
    assert page.names() == ["GET /"]
    effect = page.let("GET /")
    first, *others = [answer.url.removeprefix(site.url) for answer in effect.answers]
    assert (first, sorted(others)) == ("/", ["/first.js", "/style.css"])  # whichever the server was quicker with
    assert page.ask("first") == 1
    assert page.waiting() == []


def test_what_an_event_asks_for_is_waited_for(site: Site, app: OpenApp) -> None:
    def slowly(request: object) -> str:
        time.sleep(0.4)
        return "a"

    site.pages = {
        "/": PAGE,
        "/style.css": "",
        "/first.js": "",
        "/a": slowly,
        "/b": (503, {}, "no"),
        "/two": "<title>Two</title>",
    }
    page = app(settings=FLOWING)
    page.open()
    effect = page.act('click button "Go"')
    assert page.text("#out") == "503"
    told = [(answer.url.removeprefix(site.url), answer.status) for answer in effect.answers]
    assert told == [("/a", 200), ("/b?a", 503)]
    assert [change.target for change in effect.changes] == ["p#out"]
    page.act('click link "Two"')
    page.let("GET /two")
    assert page.state().title == "Two"


def test_a_stream_is_not_waited_for(site: Site, app: OpenApp) -> None:
    over = threading.Event()

    def endless() -> Iterator[bytes]:
        for _ in range(600):
            yield b"data\n"
            if over.wait(0.1):
                return
        over.set()

    site.pages = {
        "/": """<button onclick="fetch('/stream').then((r) => { out.textContent = r.status })">Go</button><p id=out></p>""",
        "/stream": lambda request: (200, {}, endless()),
    }
    page = app(settings=FLOWING)
    page.open()
    try:
        effect = page.act('click button "Go"')
        assert effect.limits == () and not over.is_set(), "it was waited for"
        assert page.text("#out") == "200"
    finally:
        over.set()


def test_an_answer_that_never_comes_is_given_up_with_a_word(site: Site, app: OpenApp) -> None:
    def never(request: object) -> str:
        time.sleep(6)
        return ""

    site.pages = {"/": "<button onclick=\"fetch('/never')\">Go</button>", "/never": never}
    page = app(settings=FLOWING, limits=Limits(step=1))
    page.open()
    effect = page.act('click button "Go"')
    assert any("GET http" in words and "was not answered within 1 s" in words for words in effect.limits)
    assert page.actions() == ['click button "Go"']


@pytest.mark.parametrize("settings", [FLOWING, TabSettings()], ids=["flowing", "held"])
@pytest.mark.sampled(1)
def test_a_long_poll_is_waited_for_once(site: Site, app: OpenApp, settings: TabSettings) -> None:
    over = threading.Event()

    def poll(request: object) -> str:
        over.wait(20)
        return "nothing new"

    asking = "fetch('/poll?' + Math.random()); fetch('/quick').then(() => { out.textContent += '.'; })"
    site.pages = {"/": f'<button onclick="{asking}">Go</button><p id=out></p>', "/poll": poll, "/quick": "here"}
    page = app(settings=settings, limits=Limits(step=3, answer=3))

    def go() -> None:
        page.act('click button "Go"')
        while answers := [event for event in page.waiting() if "quick" in event.what]:
            page.step(answers[0])

    try:
        page.open()
        go()
        began = time.monotonic()
        page.open()  # it is remembered from run to run
        for _ in range(3):
            go()
        assert page.text("#out") == "..."
        assert time.monotonic() - began < 9, "each of the three was waited for"
    finally:
        over.set()


def test_a_server_that_hangs_up(site: Site, app: OpenApp) -> None:
    def hang_up(request: object) -> None:
        request.connection.shutdown(2)  # type: ignore[attr-defined]

    site.pages = {"/": "<button onclick=\"fetch('/gone').catch(() => 0)\">Go</button>", "/gone": hang_up}
    page = app(settings=FLOWING)
    page.open()
    answers = page.act('click button "Go"').answers
    assert [(answer.url, answer.status) for answer in answers] == [(f"{site.url}/gone", 0)]
    assert answers[0].error
