"""Containment: whatever a page does, nobody acts on another origin than the application's own and those allowed.

A second server stands for the other origin and tells what has reached it.
"""

# Pages are written as they come.
# ruff: noqa: E501

from __future__ import annotations

from collections.abc import Iterable

import pytest

from jostle.browser.coverage import ScriptFunction
from jostle.browser.http import Response, SentRequest
from jostle.browser.responders import Responder, Route
from jostle.browser.settings import Control, TabSettings
from jostle.browser.sources import places
from tests.browser.driven import Driven
from tests.browser.live import Answer, Browser, Site
from tests.hostile.leaving import aimed, arrived, came, press_all, settled, use
from tests.hostile.ways_out import EMBEDDING, LEAVING, QUICK, WITHIN

pytestmark = pytest.mark.browser
FLOWING = TabSettings(control=Control.FLOWING)


def ways(names: Iterable[str]) -> list[object]:
    """Parameters of a test: those that are tried every time, and those that are tried where there is time."""
    return [each if each in QUICK else pytest.param(each, marks=pytest.mark.long) for each in names]


@pytest.mark.parametrize("flowing", [False, pytest.param(True, marks=pytest.mark.long)], ids=["held", "flowing"])
@pytest.mark.parametrize("name", ways(LEAVING))
@pytest.mark.sampled(6)
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


TOLD = (
    "an image",
    "a script",
    "a frame that a click opens",
    "fetch",
    "a WebSocket",
    "an EventSource",
    "an XML request",
)


@pytest.mark.parametrize("name", ways(EMBEDDING))
def test_what_a_page_embeds_is_loaded_and_told(name: str, site: Site, elsewhere: Site, browser: Browser) -> None:
    pages, expected = EMBEDDING[name]
    site.serve(aimed(pages, site, elsewhere))
    limits: list[str] = []
    page = Driven(browser, f"{site.url}/", on_limit=limits.append)
    use(page)
    assert sorted(set(arrived(elsewhere, expected))) == expected
    if name in TOLD:
        assert f"the page sends requests to {elsewhere.url}: they go out, unless block_third_party is set" in limits


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


SABOTAGE = """<script>Function.prototype.call = Function.prototype.apply = Function.prototype.bind = Reflect.apply = () => false;
Event.prototype.stopImmediatePropagation = Event.prototype.preventDefault = Event.prototype.stopPropagation = () => false;
Object.getOwnPropertyDescriptor = () => undefined; Object.defineProperty(Event.prototype, 'isTrusted', { get: () => false })</script>"""


@pytest.mark.parametrize("sabotage", ["", SABOTAGE], ids=["plain", "sabotaged"])
@pytest.mark.parametrize("isolated", [False, True], ids=["one process", "isolated"])
@pytest.mark.sampled(2)
def test_a_frame_that_is_moved_below_the_pointer_is_not_pressed(
    isolated: bool, sabotage: str, site: Site, elsewhere: Site, request: pytest.FixtureRequest
) -> None:
    browser: Browser = request.getfixturevalue("isolating_browser" if isolated else "browser")
    page = """<style>iframe { position: fixed; left: 500px; top: 0; width: 300px; height: 300px }</style>
    <button onpointermove="f.style.left = '0px'" onpointerdown="f.style.left = '0px'">Go</button><input aria-label=Word onfocus="f.focus()"><iframe id=f src=OUT/widget></iframe>"""
    stealing = """<body style="margin: 0"><form method=post action=/steal><input name=word autofocus><button style="position: fixed; inset: 0">Steal</button></form>
    <script>for (const type of ['pointerdown', 'mouseup', 'click', 'keydown', 'input']) addEventListener(type, () => fetch('/steal?' + type, { method: 'POST' }))</script>"""
    elsewhere.serve({"/widget": sabotage + stealing})
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
@pytest.mark.sampled(6)
def test_a_replay_reaches_no_server(name: str, site: Site, elsewhere: Site, browser: Browser) -> None:
    pages = aimed(REPLAYED[name], site, elsewhere)
    page = Driven(browser, f"{site.url}/", responder=Told(site.url, pages))
    use(page)
    settled(page, elsewhere)
    assert elsewhere.received == []
    assert site.received == []
