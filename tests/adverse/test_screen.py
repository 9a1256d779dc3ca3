"""What a page of a user's test shows, without its data."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, sync_playwright

from jostle.adverse.driving import drive
from jostle.adverse.screen import screen
from jostle.browser.find import find, sandbox_arguments
from tests.browser.live import Site, site_served


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find().path, args=sandbox_arguments())
        yield browser.new_page()
        browser.close()


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with site_served() as site:
        yield site


def shown(page: Page, site: Site, body: str, path: str = "/") -> str:
    site.pages[path] = body
    page.goto(f"{site.url}{path}")
    return seen(page)


def seen(page: Page) -> str:
    return drive(screen(page.context.new_cdp_session(page)), page)


def test_data_makes_no_difference(page: Page, site: Site) -> None:
    one = shown(page, site, "<h1>Plots</h1><ul><li>A</li></ul>", "/plots/1")
    assert one == shown(page, site, "<h1>Others</h1><ul><li>B</li><li>C</li></ul>", "/plots/27")
    assert one != shown(page, site, "<h1>Plots</h1><ul><li>A</li></ul>", "/members/1")
    assert one != shown(page, site, "<h1>Plots</h1><ul><li>A</li></ul><dialog open>Sure?</dialog>", "/plots/1")


def test_what_is_ticked_makes_one(page: Page, site: Site) -> None:
    unticked = shown(page, site, "<input type=checkbox><input value=x>")
    page.fill("input >> nth=1", "something else")
    assert seen(page) == unticked
    page.check("input >> nth=0")
    assert seen(page) != unticked


def test_frames_of_the_same_application_count(page: Page, site: Site) -> None:
    site.pages["/inner"] = "<p>inner</p>"
    plain = shown(page, site, "<iframe src=/inner></iframe>")
    page.frames[1].evaluate("document.body.append(document.createElement('button'))")
    assert seen(page) != plain


def test_the_page_notices_nothing(page: Page, site: Site) -> None:
    shown(page, site, "<p>plain</p>")
    assert page.evaluate("['jostle:agent' in location, typeof jostle]") == [False, "undefined"]
