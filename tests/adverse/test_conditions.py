"""What a page hears of each condition, in a real Chromium under Playwright, and that it is as before afterwards."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, sync_playwright
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from jostle.adverse.condition import Neutral, Pass
from jostle.adverse.conditions import CATALOGUE
from jostle.adverse.conditions.hearing import HEARING
from jostle.adverse.conditions.network import LATENCY
from jostle.adverse.driving import drive
from jostle.adverse.ground import PageGround
from jostle.browser.find import find, sandbox_arguments
from tests.browser.live import Request, Site, site_served

# What is heard is kept for the next document of the same tab.
PAGE = """<!doctype html><title>listening</title>
<input id="field"><button id="button">Button</button><p style="height: 3000px">long</p>
<script>
const heard = (what) => sessionStorage.setItem("heard", (sessionStorage.getItem("heard") || "") + what + "\\n");
for (const name of ["blur", "focus", "pagehide", "pageshow", "online", "offline", "resize", "orientationchange",
    "unload", "beforeprint", "afterprint", "storage", "popstate", "hashchange"]) {
  if (name === "unload" && location.search !== "?unload") continue;
  addEventListener(name, (event) => heard(name + ("persisted" in event ? ":" + event.persisted : "")));
}
for (const name of ["freeze", "resume", "fullscreenchange", "contextmenu", "scroll"])
  document.addEventListener(name, () => heard(name));
document.addEventListener("visibilitychange", () => heard(document.visibilityState + ":" + document.hidden));
for (const name of ["mouseleave", "mouseenter"])
  document.documentElement.addEventListener(name, () => heard(name));
for (const name of ["keydown", "focusin", "focusout", "change", "click"])
  document.addEventListener(name, ({ target }) => heard(name + " " + (target.id || target.tagName || "document")));
screen.orientation.addEventListener("change", () => heard(screen.orientation.type));
visualViewport.addEventListener("resize", () => heard("viewport"));
for (const query of ["print", "(max-width: 500px)", "(prefers-color-scheme: dark)", "(prefers-reduced-motion: reduce)",
    "(prefers-contrast: more)"])
  matchMedia(query).addEventListener("change", (event) => heard(query + " " + event.matches));
if (document.wasDiscarded) heard("was discarded");
</script>"""

SEEN = """[document.visibilityState, document.hidden, document.hasFocus(), innerWidth, innerHeight, devicePixelRatio,
    screen.width, screen.height, screen.orientation.type, visualViewport.scale, location.href, navigator.onLine,
    scrollY, matchMedia("print").matches, matchMedia("(prefers-color-scheme: dark)").matches,
    !!document.fullscreenElement,
    matchMedia("(prefers-reduced-motion: reduce)").matches, new Date().getTimezoneOffset(), (1.5).toLocaleString(),
    document.activeElement.id, document.getElementById("field").value, document.getElementById("field").selectionStart,
    Math.abs(Date.now() - performance.timeOrigin - performance.now()) < 60000, localStorage.length]"""


@pytest.fixture(scope="module")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="module")
def browser(playwright: Playwright) -> Iterator[Browser]:
    launched = playwright.chromium.launch(executable_path=find().path, args=sandbox_arguments())
    yield launched
    launched.close()


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with site_served() as site:
        yield site


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context()
    yield context
    context.close()


@pytest.fixture
def page(context: BrowserContext, site: Site) -> Page:
    site.serve({"/": PAGE, "/answer": "an answer", "/quick": "quick", "/slow": "slow"})
    page = context.new_page()
    page.goto(f"{site.url}/")
    return page


def ground(page: Page) -> PageGround:
    async def rest() -> None:
        page.wait_for_timeout(100)

    return PageGround(page, page.context.new_cdp_session(page), rest)


def heard(page: Page, least: int = 0) -> list[str]:
    """What the page has heard since the last time; `least`: so much is waited for."""
    with contextlib.suppress(PlaywrightTimeout):
        page.wait_for_function(
            "(least) => (sessionStorage.heard ?? '').split('\\n').length > least", arg=least, timeout=5000
        )
    page.wait_for_timeout(60)  # for what should not come
    said: str = page.evaluate(
        "(() => { const all = sessionStorage.getItem('heard'); sessionStorage.clear(); return all; })()"
    )
    return (said or "").splitlines()


def matters(page: Page, name: str, on: PageGround | None = None) -> bool:
    """Whether a condition can matter to the page as it is."""
    condition, on = CATALOGUE[name], on or ground(page)
    if condition.matters and not drive(on.evaluate(condition.matters), page):
        return False
    return condition.relevant is None or drive(condition.relevant(on), page)


def happen(page: Page, name: str, on: PageGround | None = None) -> str:
    """Lets a condition happen to the page; gives how it was approximated."""
    condition, on = CATALOGUE[name], on or ground(page)
    assert matters(page, name, on)
    heard(page)
    said = drive(condition.inject(on), page)
    assert condition.restored is None or drive(condition.restored(on), page) == ""
    return str(said or "")


@contextlib.contextmanager
def lasting(page: Page, name: str) -> Iterator[None]:
    condition, on = CATALOGUE[name], ground(page)
    assert condition.end is not None
    begun = drive(condition.inject(on), page)
    yield
    drive(condition.end(on, begun), page)


RESIZED = ["resize", "viewport"]
HEARD: dict[str, list[str]] = {
    "blur": ["blur", "focus"],
    "hide": ["blur", "hidden:true", "visible:false", "focus"],
    "freeze": ["blur", "hidden:true", "freeze", "resume", "visible:false", "focus"],
    "away": ["blur", "pagehide:true", "hidden:true", "freeze", "resume", "visible:false", "pageshow:true", "focus"],
    "online-events": ["offline", "online"],
    "offline": ["offline", "online"],
    "resize": [*RESIZED, "(max-width: 500px) true", *RESIZED, "(max-width: 500px) false"],
    "rotate": ["portrait-primary", *RESIZED, "landscape-primary", *RESIZED],
    "print": ["beforeprint", "print true", "afterprint", "print false"],
    "colour-scheme": ["(prefers-color-scheme: dark) true", "(prefers-color-scheme: dark) false"],
    "motion": [
        "(prefers-reduced-motion: reduce) true",
        "(prefers-contrast: more) true",
        "(prefers-reduced-motion: reduce) false",
        "(prefers-contrast: more) false",
    ],
    "garbage-collection": [],
    "scroll": ["scroll", "scroll"],
    "storage-event": ["storage", "storage"],
    "hash": ["popstate", "hashchange", "popstate", "hashchange"],
    "fullscreen": ["fullscreenchange", "fullscreenchange"],
    "time-zone": [],
    "language": [],
}


@pytest.mark.parametrize("name", HEARD)
@pytest.mark.sampled(8)
def test_what_a_page_hears_and_how_it_is_afterwards(page: Page, name: str) -> None:
    page.evaluate("localStorage.setItem('kept', 1)")
    before = page.evaluate(SEEN)
    happen(page, name)
    said = heard(page, len(HEARD[name]))
    assert sorted(said) == sorted(HEARD[name]) if name == "rotate" else said == HEARD[name]
    assert page.evaluate(SEEN) == before
    assert (
        page.evaluate("['hidden', 'visibilityState', 'hasFocus'].some((name) => Object.hasOwn(document, name))")
        is False
    )


def test_zoom(page: Page) -> None:
    before = page.evaluate(SEEN)
    page.evaluate(
        "(() => { window.ratios = new Set();"
        " const look = () => { ratios.add(devicePixelRatio); requestAnimationFrame(look); }; look(); })()"
    )
    happen(page, "zoom")
    assert heard(page, 2).count("viewport") >= 2
    assert page.evaluate("[...ratios]") == [1, 2]
    assert page.evaluate(SEEN) == before


@pytest.mark.parametrize("name", ["hide", "freeze", "away"])
def test_what_is_only_told_to_the_page_is_said_to_be_approximated(page: Page, name: str) -> None:
    assert "Playwright" in happen(page, name)


def test_frames_are_hidden_with_their_page(page: Page, site: Site) -> None:
    site.pages["/with-frame"] = '<iframe src="/"></iframe>'
    page.goto(f"{site.url}/with-frame")
    page.frames[1].wait_for_selector("#field", state="attached")
    happen(page, "hide")
    assert [one for one in heard(page, 2) if one != "storage"] == ["hidden:true", "visible:false"]


def test_what_the_context_sets_is_set_again(browser: Browser, site: Site) -> None:
    site.serve({"/": PAGE})
    context = browser.new_context(
        color_scheme="dark", timezone_id="Asia/Tokyo", locale="de-DE", viewport={"width": 700, "height": 500}
    )
    try:
        page = context.new_page()
        page.goto(site.url)
        before, on = page.evaluate(SEEN), ground(page)
        for name in ("colour-scheme", "motion", "time-zone", "language", "resize", "rotate"):
            happen(page, name, on)
            assert page.evaluate(SEEN) == before, name
    finally:
        context.close()


def test_a_phone_hears_that_it_is_turned(playwright: Playwright, browser: Browser, site: Site) -> None:
    phone = {name: value for name, value in playwright.devices["iPhone 13"].items() if name != "default_browser_type"}
    site.serve({"/": PAGE.replace("<title>", '<meta name="viewport" content="width=device-width"><title>')})
    context = browser.new_context(**phone)
    try:
        page = context.new_page()
        page.goto(site.url)
        seen = (
            "[innerWidth, innerHeight, devicePixelRatio, screen.orientation.type, matchMedia('(hover: none)').matches]"
        )
        before = page.evaluate(seen)
        happen(page, "rotate")
        said = heard(page)
        assert said.count("orientationchange") == 2 and "landscape-primary" in said
        assert page.evaluate(seen) == before
    finally:
        context.close()


def test_the_pointer_leaves_what_it_is_over(page: Page) -> None:
    assert not matters(page, "pointer")
    page.hover("#button")
    happen(page, "pointer")
    assert heard(page, 2) == ["mouseleave", "mouseenter"]
    assert page.evaluate("document.querySelector('#button').matches(':hover')")


def test_keyboard_focus_comes_back_with_its_caret(page: Page) -> None:
    page.fill("#field", "typed")
    page.evaluate("document.getElementById('field').setSelectionRange(2, 2)")
    before = page.evaluate(SEEN)
    happen(page, "keyboard-focus")
    assert heard(page, 7) == [
        "keydown field", "change field", "focusout field", "focusin button",
        "keydown button", "focusout button", "focusin field",
    ]  # fmt: skip
    assert page.evaluate(SEEN) == before


def test_a_context_menu_is_for_pages_where_nothing_is_in_hand(page: Page) -> None:
    happen(page, "context-menu")
    assert "contextmenu" in heard(page, 1)
    page.focus("#field")
    assert not matters(page, "context-menu")


@pytest.mark.parametrize("name", ["reload", "hard-reload", "away-rebuilt", "discard"])
@pytest.mark.sampled(2)
def test_the_document_is_built_anew(page: Page, site: Site, name: str) -> None:
    page.goto(f"{site.url}/?unload")
    page.fill("#field", "typed")
    page.evaluate("window.before = true; history.replaceState('kept', '')")
    happen(page, name)
    said = heard(page)
    assert [one for one in said if one.startswith(("page", "unload"))] == ["pagehide:false", "unload", "pageshow:false"]
    assert page.evaluate("[window.before, history.state]") == [None, "kept"]
    assert page.url == f"{site.url}/?unload"
    assert page.input_value("#field") == ("" if "reload" in name else "typed")
    assert ("was discarded" in said) == ("freeze" in said) == (name == "discard")
    page.click("#button")
    assert heard(page, 1)[-1] == "click button"


def test_an_application_that_asks_before_it_is_left_is_not_reloaded(page: Page) -> None:
    assert matters(page, "reload")
    page.evaluate("addEventListener('beforeunload', (event) => event.preventDefault())")
    assert not matters(page, "reload")


@pytest.mark.browser
def test_a_page_that_the_browser_kept(playwright: Playwright, site: Site) -> None:
    site.serve({"/": PAGE})
    kept = playwright.chromium.launch(
        executable_path=find().path,
        args=sandbox_arguments(),
        ignore_default_args=["--disable-back-forward-cache"],
    )
    try:
        page = kept.new_page()
        page.goto(site.url)
        page.fill("#field", "typed")
        on = ground(page)
        page.evaluate("window.before = true")
        for _ in range(2):
            assert happen(page, "away", on) == ""
            assert [one for one in heard(page, 6) if not one.startswith("focus")] == [
                "pagehide:true", "hidden:true", "freeze", "resume", "visible:false", "pageshow:true",
            ]  # fmt: skip
            assert page.evaluate("window.before") and page.input_value("#field") == "typed"
            page.click("#button")
    finally:
        kept.close()


def test_another_tab_loads_the_same_page_unseen_by_the_test(page: Page, site: Site) -> None:
    page.evaluate("localStorage.setItem('kept', 1)")
    site.pages["/"] = PAGE + "<script>localStorage.setItem('visitor', 1)</script>"
    site.requests.clear()
    pages: list[Any] = []
    page.context.on("page", lambda opened: pages.append(opened))
    happen(page, "other-tab")
    assert "/" in site.requests
    assert heard(page, 1) == ["storage"]
    assert pages == [] and page.context.pages == [page]


def test_another_tab_is_not_closed_before_it_is_loaded(page: Page, site: Site) -> None:
    page.evaluate("localStorage.setItem('kept', 1)")

    def slow(request: Request) -> str:
        time.sleep(0.5)
        return "localStorage.setItem('loaded', 1)"

    site.pages["/slow.js"] = slow
    site.pages["/"] = PAGE + "<title>Known early</title><script src=/slow.js></script>"
    happen(page, "other-tab")
    assert heard(page, 1) == ["storage"]


def test_offline_requests_fail_and_go_through_when_only_the_events_come(page: Page) -> None:
    # Synchronous, so that it is over before the network is back, however busy the machine is.
    page.evaluate(
        """() => addEventListener("offline", () => {
            const request = new XMLHttpRequest();
            request.open("GET", "/answer", false);
            try { request.send(); window.got = "answer"; } catch { window.got = "none"; }
        })"""
    )
    happen(page, "online-events")
    page.wait_for_function("window.got === 'answer'")
    happen(page, "offline")
    page.wait_for_function("window.got === 'none'")


def test_a_permission_is_revoked_and_granted(context: BrowserContext, page: Page) -> None:
    assert not matters(page, "permission")
    context.grant_permissions(["geolocation"])
    page.evaluate(
        "navigator.permissions.query({ name: 'geolocation' }).then("
        "(one) => { window.asked = one; one.onchange = () => heard(one.state); })"
    )
    happen(page, "permission")
    assert heard(page, 2) == ["denied", "granted"]


def test_a_service_worker_is_stopped(page: Page, site: Site) -> None:
    site.pages["/worker.js"] = (
        "let count = 0; addEventListener('fetch', (event) => { if (event.request.url.endsWith('/count'))"
        " event.respondWith(new Response(String(++count))); });"
        "addEventListener('activate', (event) => event.waitUntil(clients.claim()));"
    )
    page.evaluate(
        "navigator.serviceWorker.register('/worker.js').then(() => new Promise((done) => "
        "navigator.serviceWorker.controller ? done()"
        " : navigator.serviceWorker.addEventListener('controllerchange', () => done())))"
    )
    counted = "fetch('/count').then((answer) => answer.text())"
    assert [page.evaluate(counted), page.evaluate(counted)] == ["1", "2"]
    happen(page, "service-worker")
    assert page.evaluate(counted) == "1"


def test_sockets_are_closed(page: Page) -> None:
    page.evaluate(
        """() => {
            window.ended = 0;
            const socket = Object.create(WebSocket.prototype, {
                readyState: { value: 1 }, close: { value: () => { window.ended += 1; } },
            });
            window.socket = socket;
        }"""
    )
    assert "1006" in happen(page, "websocket")
    assert page.evaluate("window.ended") == 1


def test_answers_take_longer(page: Page) -> None:
    asking = (
        "(async () => { const before = performance.now(); await fetch('/answer');"
        " return performance.now() - before; })()"
    )
    with lasting(page, "latency"):
        assert page.evaluate(asking) >= LATENCY - 10
    assert page.evaluate("fetch('/answer').then((answer) => answer.text())") == "an answer"


def test_answers_overtake_one_another(page: Page, site: Site) -> None:
    def slow(request: Request) -> str:
        time.sleep(0.3)
        return "slow"

    site.pages["/slow"] = slow
    asking = """Promise.all([fetch("/quick"), fetch("/slow")].map((one, place) => one.then(() => order.push(place))))"""
    with lasting(page, "reorder"):
        assert page.evaluate(f"(() => {{ const order = []; return {asking}.then(() => order); }})()") == [1, 0]
        assert page.evaluate("fetch('/answer').then((answer) => answer.text())") == "an answer"
        assert (
            page.evaluate(
                "new Promise((done) => { const one = new XMLHttpRequest(); one.open('GET', '/answer');"
                " one.onload = () => done(one.responseText); one.send(); })"
            )
            == "an answer"
        )
    assert page.evaluate("fetch.toString()") == "function fetch() { [native code] }"


def test_the_processor_is_slower(page: Page) -> None:
    with lasting(page, "slow-cpu"):
        assert page.evaluate("1 + 1") == 2


def test_the_storage_is_full(page: Page) -> None:
    writing = "(() => { try { localStorage.setItem('a', 1); return ''; } catch (error) { return error.name; } })()"
    with lasting(page, "storage-full"):
        assert page.evaluate(writing) == "QuotaExceededError"
    assert page.evaluate(writing) == ""


def test_the_clock_jumps_and_jumps_back(page: Page) -> None:
    ahead = "[Date.now(), new Date().getTime(), new Date(0).getTime(), new Date() instanceof Date]"
    now = page.evaluate(ahead)
    with lasting(page, "clock-jump"):
        then = page.evaluate(ahead)
    again = page.evaluate(ahead)
    assert 3_600_000 <= then[0] - now[0] < 3_700_000 and 3_600_000 <= then[1] - now[1] < 3_700_000
    assert then[2:] == [0, True]
    assert now[0] <= again[0] < then[0]


def test_clicks_come_twice(page: Page) -> None:
    with lasting(page, "double-events"):
        heard(page)
        page.click("#button")
        assert heard(page, 2).count("click button") == 2
    heard(page)
    page.click("#button")
    assert heard(page, 1).count("click button") == 1


def test_what_a_page_listens_to(context: BrowserContext, site: Site) -> None:
    context.add_init_script(HEARING)
    site.serve({"/": "<button onmouseleave='1'>Button</button>"})
    page = context.new_page()
    page.goto(site.url)

    def all_matter(*names: str) -> bool:
        told = {matters(page, name) for name in names}
        assert len(told) == 1
        return told == {True}

    lifecycle = ("hide", "freeze", "away")
    heard_of = ("blur", "resize", "zoom", "print", "colour-scheme", "motion", "online-events", "storage-event")
    assert not all_matter(*heard_of, *lifecycle, "pointer", "garbage-collection")
    assert all_matter("rotate")  # what moves may move away below the pointer, which the button hears
    page.evaluate("document.querySelector('button').removeAttribute('onmouseleave')")
    assert not all_matter("rotate")
    page.evaluate("screen.orientation.addEventListener('change', () => {})")
    assert all_matter("rotate") and not all_matter("resize")
    page.evaluate("document.querySelector('button').addEventListener('mouseleave', () => {})")
    page.hover("button")
    assert all_matter("pointer")
    page.evaluate("window.onstorage = () => {}")
    assert all_matter("storage-event")
    page.evaluate("new ResizeObserver(() => {})")
    assert all_matter("resize", "zoom") and not all_matter("print")
    page.evaluate("matchMedia('print').onchange = () => {}")
    assert all_matter("print") and not all_matter("colour-scheme", "motion")
    page.evaluate("matchMedia('(prefers-color-scheme: dark)').onchange = () => {}")
    assert all_matter("colour-scheme") and not all_matter("motion", "permission")
    page.evaluate("document.querySelector('button').addEventListener('focusin', () => {})")
    assert all_matter("blur") and not all_matter(*lifecycle)
    page.evaluate("document.onvisibilitychange = () => {}")
    assert all_matter(*lifecycle)
    page.evaluate("addEventListener('offline', () => {})")
    assert all_matter("offline", "online-events")
    page.evaluate("new WeakRef({})")
    assert all_matter("garbage-collection")
    assert page.evaluate("addEventListener.name + new WeakRef({}).constructor.name") == "addEventListenerWeakRef"


def test_every_condition_says_what_it_is() -> None:
    for name, condition in CATALOGUE.items():
        assert condition.name == name and name == name.lower() and " " not in name
        assert condition.title and not condition.title.endswith(".")
        assert condition.what.endswith(".") and condition.why.endswith(".") and condition.cost
        assert (condition.end is not None) == (condition.in_pass is Pass.ENVIRONMENT)
        if condition.neutral is Neutral.ASKED:
            assert condition.in_pass is not Pass.KEPT or condition.why
