"""What is needed to do something to a page of a test."""

from __future__ import annotations

from typing import Any

from jostle.adverse.driving import PlaywrightCall
from jostle.adverse.ground import NotDone
from jostle.adverse.quiet import Traffic


class PageHandle:
    """A page with a session of the DevTools Protocol of our own, beside Playwright's."""

    def __init__(self, page: Any, session: Any, traffic: Traffic) -> None:
        self.page = page
        self.session = session
        self.traffic = traffic

    @classmethod
    async def on(cls, page: Any, traffic: Traffic) -> PageHandle:
        """Raises NotDone where there is no such thing: in a browser that is no Chromium, on a page that is closed."""
        try:
            session = await PlaywrightCall(lambda: page.context.new_cdp_session(page))
        except Exception as error:
            raise NotDone(str(error).strip().splitlines()[0]) from None
        return cls(page, session, traffic)
