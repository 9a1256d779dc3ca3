"""Runs that follow each other in one browser context: nothing of one gets into the next, nor to the server."""

from __future__ import annotations

import pytest

from jostle.browser.settings import Limits, TabSettings
from tests.browser.driven import Driven
from tests.browser.live import Browser, Site

pytestmark = pytest.mark.browser

REGION = TabSettings(locale="de-DE", timezone="Asia/Tokyo")
KEEPING = """<!doctype html><title>x</title><output></output><script>
  const found = [localStorage.length, sessionStorage.length, document.cookie, name, history.length];
  const { locale, timeZone } = Intl.DateTimeFormat().resolvedOptions();
  found.push(locale, timeZone, document.visibilityState);
  localStorage.a = sessionStorage.b = document.cookie = name = "kept";
  const opening = indexedDB.open("kept");
  opening.onupgradeneeded = ({ oldVersion }) => { opening.result.createObjectStore("things"); };
  opening.onsuccess = async () => {
    found.push(opening.result.version, (await caches.keys()).length);
    await caches.open("kept");
    document.querySelector("output").textContent = found.join(" ");
    opening.result.close();
    indexedDB.open("kept", opening.result.version + 1);
  };
  for (const type of ["visibilitychange", "pagehide", "unload"]) {
    addEventListener(type, () => navigator.sendBeacon(`/told/${type}`));
  }
</script>"""


def test_every_run_begins_with_nothing(browser: Browser, site: Site) -> None:
    site.pages = {"/": KEEPING}
    page = Driven(browser, f"{site.url}/", settings=REGION)
    told, contexts = [], set()
    for _ in range(3):
        page.open()
        told.append(page.text("output"))
        stage = page.app._stages.present
        assert stage is not None and stage.context is not None
        contexts.add(stage.context.id)
    assert told == ["0 0   2 de-DE Asia/Tokyo visible 1 0"] * 3
    assert len(contexts) == 1
    assert not [path for path in site.requests if path.startswith("/told")]


def test_what_was_logged_in_is_there_again(browser: Browser, site: Site) -> None:
    site.pages = {"/": "<!doctype html><script>document.write(document.cookie, localStorage.user); "
                       "document.cookie = 'who=nobody'; localStorage.user = 'nobody'</script>"}  # fmt: skip
    cookie = {"name": "who", "value": "Ann", "url": site.url}
    storage = {site.url: {"user": "Ann"}}
    page = Driven(browser, f"{site.url}/", settings=REGION, cookies=[cookie], local_storage=storage)
    for _ in range(2):
        page.open()
        assert page.text("body") == "who=AnnAnn"


def test_after_a_page_that_hangs(browser: Browser, site: Site) -> None:
    site.pages = {"/": "<!doctype html><title>x</title><button onclick='while (true);'>Go</button>"}
    page = Driven(browser, f"{site.url}/", settings=REGION, limits=Limits(step=1))
    page.open()
    assert page.act("click button").hung
    page.open()
    assert page.actions() == ['click button "Go"']


def test_frames_of_other_origins_begin_with_nothing_too(browser: Browser, site: Site) -> None:
    elsewhere = site.url.replace("127.0.0.1", "localhost")
    site.pages = {
        "/": f"<!doctype html><title>x</title><output></output><iframe src='{elsewhere}/inner'></iframe><script>"
             "onmessage = ({ data }) => { document.querySelector('output').textContent = data; }</script>",
        "/inner": "<!doctype html><script>const found = [localStorage.length, document.cookie];"
                  "localStorage.a = 'kept'; document.cookie = 'a=kept'; parent.postMessage(found.join(), '*')</script>",
    }  # fmt: skip
    page = Driven(browser, f"{site.url}/")
    for _ in range(3):
        page.open()
        assert page.text("output") == "0,"
