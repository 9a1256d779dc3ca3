"""Containment: whatever a page does, nobody acts on another origin than the application's own and those allowed.

A second server stands for the other origin and tells what has reached it.
"""

# Pages are written as they come.
# ruff: noqa: E501

from __future__ import annotations

import contextlib
import time
from collections.abc import Collection, Iterable

import pytest

from jostle.browser.coverage import ScriptFunction
from jostle.browser.frame import ContextGone
from jostle.browser.http import Response, SentRequest
from jostle.browser.responders import Responder, Route
from jostle.browser.settings import Control, TabSettings
from jostle.browser.sources import places
from jostle.events import NotEnabled
from tests.browser.driven import Driven
from tests.browser.live import Answer, Browser, Site
from tests.hostile.ways_out import EMBEDDING, LEAVING, QUICK, WITHIN, Pages

pytestmark = pytest.mark.browser
MOST_ACTIONS = 6
FLOWING = TabSettings(control=Control.FLOWING)
LAST = "/the-last"
"""What a page asks for when all is done: what it asked for before has been sent by then."""


def ways(names: Iterable[str]) -> list[object]:
    """Parameters of a test: those that are tried every time, and those that are tried where there is time."""
    return [each if each in QUICK else pytest.param(each, marks=pytest.mark.long) for each in names]


def aimed(pages: Pages, site: Site, elsewhere: Site) -> dict[str, Answer]:
    """The pages with the addresses of the two servers in them."""

    def filled(value: object) -> object:
        if isinstance(value, str):
            host = elsewhere.url.partition("//")[2]
            return value.replace("OUTHOST", host).replace("OUT", elsewhere.url).replace("OWN", site.url)
        if isinstance(value, tuple):
            return tuple(map(filled, value))
        if isinstance(value, dict):
            return {key: filled(each) for key, each in value.items()}
        return value

    return {path: filled(page) for path, page in pages.items()}  # type: ignore[misc]


def use(page: Driven) -> list[str]:
    """Do everything the page offers, each once, then let scripts press what was not offered; what was done."""
    page.open()
    done: list[str] = []
    for _ in range(MOST_ACTIONS):
        events = [each for each in page.run(page.app.user_events()) if each.what not in done]
        if not events:
            break
        done.append(events[0].what)
        with contextlib.suppress(NotEnabled):
            page.step(events[0])
            page.drain()
    return done


def press_all(page: Driven) -> None:
    """Scripts press every link and send every form of the application's documents, in the page as it is at first."""
    page.open()
    for tab in page.app.tabs:
        for frame in list(tab.frames.values()):
            if page.app.may_act(tab.frames.owner(frame)):
                with contextlib.suppress(ContextGone):
                    pressing = "for (const each of document.querySelectorAll('a, button, area')) each.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }))"
                    page.run(tab.ask(frame, f"{pressing}; for (const each of document.forms) each.submit()", 10))
                    page.drain()


def came(site: Site) -> list[str]:
    asked = [f"{each.command} {each.path}" for each in site.received]
    return [each for each in asked if not each.endswith(("/favicon.ico", LAST))]


def arrived(site: Site, expected: Collection[str]) -> list[str]:
    """What has reached a server, once what is expected has."""
    deadline = time.monotonic() + 10
    while not set(expected) <= set(came(site)) and time.monotonic() < deadline:
        time.sleep(0.02)
    return came(site)


def settled(page: Driven, elsewhere: Site) -> None:
    """Whatever was sent on the way has arrived: a request that nobody stops is sent after it, and waited for."""
    for tab in page.app.tabs:
        if tab.usable and tab.main.context and tab.main.url.startswith("http"):
            asked = f"fetch('{elsewhere.url}{LAST}', {{ mode: 'no-cors' }}).then(() => 0, () => 0); 0"
            with contextlib.suppress(ContextGone):
                page.run(tab.ask(tab.main, asked, 10))
                page.drain()
            return


@pytest.mark.parametrize("flowing", [False, pytest.param(True, marks=pytest.mark.long)], ids=["held", "flowing"])
@pytest.mark.parametrize("name", ways(LEAVING))
def test_nobody_is_led_elsewhere(name: str, flowing: bool, site: Site, elsewhere: Site, browser: Browser) -> None:
    site.serve(aimed(LEAVING[name], site, elsewhere))
    limits: list[str] = []
    settings = FLOWING if flowing else TabSettings()
    page = Driven(browser, f"{site.url}/", settings=settings, on_limit=limits.append)
    use(page)
    settled(page, elsewhere)
    press_all(page)
    settled(page, elsewhere)
    assert came(elsewhere) == []


@pytest.mark.parametrize(
    "isolated", [False, pytest.param(True, marks=pytest.mark.long)], ids=["one process", "isolated"]
)
@pytest.mark.parametrize("name", ways(WITHIN))
def test_nobody_acts_in_a_frame_of_another_origin(
    name: str, isolated: bool, site: Site, elsewhere: Site, request: pytest.FixtureRequest
) -> None:
    browser: Browser = request.getfixturevalue("isolating_browser" if isolated else "browser")
    elsewhere.serve(aimed({"/widget": WITHIN[name]}, site, elsewhere))
    site.serve(aimed({"/": "<iframe src=OUT/widget></iframe><iframe name=own></iframe>"}, site, elsewhere))
    page = Driven(browser, f"{site.url}/")
    assert [what for what in use(page) if "frame 1" in what] == []
    settled(page, elsewhere)
    assert came(elsewhere) == ["GET /widget"]


@pytest.mark.parametrize("name", ways(EMBEDDING))
def test_what_a_page_embeds_is_loaded(name: str, site: Site, elsewhere: Site, browser: Browser) -> None:
    pages, expected = EMBEDDING[name]
    site.serve(aimed(pages, site, elsewhere))
    page = Driven(browser, f"{site.url}/")
    use(page)
    assert sorted(set(arrived(elsewhere, expected))) == expected


@pytest.mark.parametrize("name", ways(EMBEDDING))
def test_nothing_is_loaded_from_elsewhere_where_others_are_blocked(
    name: str, site: Site, elsewhere: Site, browser: Browser
) -> None:
    site.serve(aimed(EMBEDDING[name][0], site, elsewhere))
    page = Driven(browser, f"{site.url}/", settings=FLOWING, block_third_party=True)
    use(page)
    settled(page, elsewhere)
    assert elsewhere.received == []
    assert site.received != []


@pytest.mark.parametrize("isolated", [False, True], ids=["one process", "isolated"])
def test_a_frame_that_is_moved_below_the_pointer_is_not_pressed(
    isolated: bool, site: Site, elsewhere: Site, request: pytest.FixtureRequest
) -> None:
    browser: Browser = request.getfixturevalue("isolating_browser" if isolated else "browser")
    page = """<style>iframe { position: fixed; left: 500px; top: 0; width: 300px; height: 300px }</style>
    <button onpointermove="f.style.left = '0px'" onpointerdown="f.style.left = '0px'">Go</button><input aria-label=Word onfocus="f.focus()"><iframe id=f src=OUT/widget></iframe>"""
    stealing = """<body style="margin: 0"><form method=post action=/steal><input name=word autofocus><button style="position: fixed; inset: 0">Steal</button></form>
    <script>for (const type of ['pointerdown', 'mouseup', 'click', 'keydown', 'input']) addEventListener(type, () => fetch('/steal?' + type, { method: 'POST' }))</script>"""
    elsewhere.serve({"/widget": stealing})
    site.serve(aimed({"/": page}, site, elsewhere))
    use(driven := Driven(browser, f"{site.url}/"))
    settled(driven, elsewhere)
    assert came(elsewhere) == ["GET /widget"]


@pytest.mark.parametrize("status", [302, 307])
def test_a_source_map_stays_here(status: int, site: Site, elsewhere: Site, browser: Browser) -> None:
    mapped = '{"version": 3, "sources": ["made.ts"], "sourcesContent": ["function made() {}"], "names": [], "mappings": "AAAA"}'
    site.serve(
        aimed(
            {
                "/": "<script src=/away.js></script><script src=/here.js></script>",
                "/away.js": "function away() {}\n//# sourceMappingURL=/away.map",
                "/here.js": "function here() {}\n//# sourceMappingURL=/here.map",
                "/away.map": (status, {"Location": "OUT/secret.map"}, b""),
                "/here.map": (status, {"Location": "/there.map"}, b""),
                "/there.map": mapped,
            },
            site,
            elsewhere,
        )
    )
    elsewhere.serve({"/secret.map": mapped})
    page = Driven(browser, f"{site.url}/")
    page.open()
    wanted = [ScriptFunction(url=f"{site.url}/{name}.js", name=name, start=0) for name in ("away", "here")]
    found = page.run(places(page.app.tabs[0], wanted, page.app.origins))
    assert [found[each].file for each in wanted] == ["/away.js", "made.ts"]
    assert elsewhere.received == []


class Told(Responder):
    """Knows the pages of a site, and nothing else."""

    alone = True

    def __init__(self, url: str, pages: dict[str, Answer]) -> None:
        self._url = url
        self._pages = pages

    async def respond(self, request: SentRequest) -> Response | Route | None:
        found = self._pages.get(request.url.removeprefix(self._url)) if request.url.startswith(self._url) else None
        if found is None:
            return None
        status, headers, body = found if isinstance(found, tuple) else (200, {}, found)
        assert isinstance(body, str | bytes)
        content = body.encode() if isinstance(body, str) else body
        return Response(status=status, headers=(("Content-Type", "text/html"), *headers.items()), body=content)


REPLAYED = {**LEAVING, **{name: pages for name, (pages, _) in EMBEDDING.items()}}


@pytest.mark.parametrize("name", ways(REPLAYED))
def test_a_replay_reaches_no_server(name: str, site: Site, elsewhere: Site, browser: Browser) -> None:
    pages = aimed(REPLAYED[name], site, elsewhere)
    page = Driven(browser, f"{site.url}/", responder=Told(site.url, pages))
    use(page)
    settled(page, elsewhere)
    assert elsewhere.received == []
    assert site.received == []
