"""Ways out of the origin: a second server stands for the other origin and counts what reaches it."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from benchmarks.hostile.tally import Row
from tests.browser.driven import Driven
from tests.browser.live import Browser, Site, browser_launched, site_served
from tests.hostile.leaving import aimed, came, press_all, settled, use
from tests.hostile.ways_out import EMBEDDING, LEAVING, WITHIN


@contextlib.contextmanager
def _servers() -> Iterator[tuple[Site, Site]]:
    """The application's, and the one that nobody allowed: another site too, not only another port."""
    with site_served() as site, site_served() as elsewhere:
        elsewhere.url, elsewhere.other_url = elsewhere.other_url, elsewhere.url
        yield site, elsewhere


def ways_out() -> list[Row]:
    leaving = Row(what="ways out: navigations, forms, beacons, reports")
    within = Row(what="ways out: within a frame of the other origin")
    blocked = Row(what="ways out: embeds, `fetch`, sockets, workers with `block_third_party`")
    reached = 0
    with browser_launched() as browser, _servers() as (site, elsewhere):
        for name, pages in LEAVING.items():
            elsewhere.serve({})
            site.serve(aimed(pages, site, elsewhere))
            reached += _counted(leaving, name, browser, site, elsewhere, again=True)
        for name, inner in WITHIN.items():
            elsewhere.serve(aimed({"/widget": inner}, site, elsewhere))
            site.serve(aimed({"/": "<iframe src=OUT/widget></iframe><iframe name=own></iframe>"}, site, elsewhere))
            reached += _counted(within, name, browser, site, elsewhere, expected=["GET /widget"])
        for name, (pages, _) in EMBEDDING.items():
            elsewhere.serve({})
            site.serve(aimed(pages, site, elsewhere))
            reached += _counted(blocked, name, browser, site, elsewhere, block_third_party=True)
    leaving.figures = (
        f"{reached} requests reached the other origin, in all three kinds, beside loads of what is embedded"
    )
    return [leaving, within, blocked]


def _counted(
    row: Row,
    name: str,
    browser: Browser,
    site: Site,
    elsewhere: Site,
    *,
    expected: list[str] | None = None,
    again: bool = False,
    **options: object,
) -> int:
    """One attack; how many requests got through."""
    page = Driven(browser, f"{site.url}/", **options)
    try:
        use(page)
        settled(page, elsewhere)
        if again:
            press_all(page)
            settled(page, elsewhere)
        through = [each for each in came(elsewhere) if each not in (expected or [])]
    except Exception as error:
        through = [f"{type(error).__name__}: {error}"]
    browser.close_apps()
    row.count(f"{name}: {', '.join(through)}" if through else None)
    return len(through)
