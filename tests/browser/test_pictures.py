"""Pictures of pages, those that are higher than their window too."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from jostle.events import Settled
from tests.browser.live import Browser, Site

PAGE = """<!doctype html><title>Page</title><style>body { margin: 0 } div { height: 100px; background: #00f }</style>
<p style="margin: 0; height: %dpx">Above</p><div></div>"""


def picture(browser: Browser, site: Site, above: int, *, whole: bool, scrolled: int = 0) -> Image.Image:
    app = browser.made(site.serve(PAGE % above))
    browser.run(Settled(app).reset())
    browser.run(app.evaluate(f"scrollTo(0, {scrolled})"))
    return Image.open(io.BytesIO(browser.run(app.screenshot(whole=whole)))).convert("RGB")


@pytest.mark.parametrize("scrolled", [0, 400])
def test_what_one_would_have_to_scroll_to_is_in_the_whole_picture(browser: Browser, site: Site, scrolled: int) -> None:
    window = picture(browser, site, 1500, whole=False)
    whole = picture(browser, site, 1500, whole=True, scrolled=scrolled)
    assert whole.width == window.width and whole.height == 1600 > window.height
    assert [whole.getpixel((9, 1450)), whole.getpixel((9, 1550))] == [(255, 255, 255), (0, 0, 255)]


def test_a_page_that_fits_is_taken_as_it_is(browser: Browser, site: Site) -> None:
    whole, window = (picture(browser, site, 50, whole=whole) for whole in (True, False))
    assert whole.size == window.size and whole.tobytes() == window.tobytes()


def test_a_picture_has_an_end(browser: Browser, site: Site) -> None:
    assert picture(browser, site, 100_000, whole=True).height == 3000
