"""Timers, frames and idle time: each is held, and happens when it is stepped."""

from __future__ import annotations

from tests.browser.live import Browser, Site
from tests.browser.story import LOG, Teller, Telling


def test_timeouts_wait_and_fire_alone(browser: Browser, site: Site) -> None:
    url = site.serve(
        LOG
        + """<script>
        setTimeout((...words) => log("slow", ...words), 500, 1, 2);
        setTimeout(() => { log("fast"); setTimeout(() => log("nested"), 5); }, 100);
        const gone = setTimeout(() => log("never"), 50);
        clearTimeout(gone); clearTimeout(undefined); clearTimeout(12345);
        setTimeout("log('text', this === window)", 200);
        </script>"""
    )

    def story(page: Telling) -> None:
        (effect,) = page.load()
        assert [str(event) for event in effect.created] == [
            "timeout 500 at /:6:9",
            "timeout 100 at /:7:9",
            "timeout 200 at /:10:9",
        ]
        assert page.said == []
        effect = page.step("timeout 500")
        assert page.said == ["slow 1 2"]
        assert [change.target for change in effect.changes] == ["div#log"]
        effect = page.step("timeout 100")
        assert [str(event) for event in effect.created] == ["timeout 5 at /:7:54"]
        assert effect.created[0].creator == page.trace[-1][0]
        page.step("timeout 200")
        page.step("timeout 5 ")
        assert page.said == ["slow 1 2", "fast", "text true", "nested"]
        assert page.waiting() == []

    Teller(browser, url)(story)
