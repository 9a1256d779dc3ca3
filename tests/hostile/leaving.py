"""Doing everything that a page offers, so that it shows where that leads."""

# Pages are written as they come.
# ruff: noqa: E501

from __future__ import annotations

import contextlib
import time
from collections.abc import Collection

from jostle.browser.frame import ContextGone
from jostle.events import NotEnabled
from tests.browser.driven import Driven
from tests.browser.live import Answer, Site
from tests.hostile.ways_out import Pages

MOST_ACTIONS = 6
LAST = "/the-last"
"""What a page asks for when all is done: what it asked for before has been sent by then."""


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
