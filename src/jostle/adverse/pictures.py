"""Pictures of pages, for the report."""

from __future__ import annotations

import base64

import msgspec

from jostle.adverse.ground import sent
from jostle.adverse.page_handle import PageHandle
from jostle.adverse.plan import Injection
from jostle.adverse.screen import screen


class Picture(msgspec.Struct, frozen=True, kw_only=True):
    """What a page looked like."""

    png: bytes
    screen: str
    """See screen.py."""
    address: str


class PicturePlan(msgspec.Struct, frozen=True, kw_only=True):
    """Of what pictures are taken in a run."""

    around: frozenset[Injection] = frozenset()
    """Before and after these."""
    after: int = 0
    """And when the page has come to rest after this action."""

    def __bool__(self) -> bool:
        return bool(self.around or self.after)


async def taken(handle: PageHandle) -> Picture:
    """Of the page as it is. Raises NotDone."""
    shot = await sent(handle.session, "Page.captureScreenshot", {"format": "png"})
    return Picture(png=base64.b64decode(shot["data"]), screen=await screen(handle.session), address=handle.page.url)
