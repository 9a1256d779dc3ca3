"""What commands that use the browser have in common: opening it, and setting up the application as configured."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Coroutine
from typing import Any, TypeVar

from jostle.browser.chromium import Chromium
from jostle.browser.connection import Disconnected, NoAnswer
from jostle.browser.tab import Settings
from jostle.cli.options import Options
from jostle.config.settings import Browser
from jostle.errors import CouldNotRun, NoBrowser
from jostle.recording.file import Manifest

T = TypeVar("T")


@contextlib.asynccontextmanager
async def browser(options: Options) -> AsyncIterator[Chromium]:
    """The browser the options ask for: one of our own, or one that is running."""
    configured = options.configuration.browser
    if options.connect:
        try:
            async with Chromium.connect(options.connect) as chromium:
                yield chromium
        except Disconnected as gone:
            raise NoBrowser(str(gone)) from gone
        return
    launching = Chromium.launch(options.loaded.browser_path, headed=options.headed, arguments=configured.args)
    async with launching as chromium:
        yield chromium


def settings(configured: Browser) -> Settings:
    """What the page sees of the browser, as configured."""
    width, height = configured.viewport
    return Settings(width=width, height=height, locale=configured.locale, timezone=configured.timezone)


def settings_of(manifest: Manifest) -> Settings:
    """What the page saw when a recording was made."""
    width, height = manifest.viewport
    return Settings(
        width=width,
        height=height,
        start=manifest.start_time,
        user_agent=manifest.user_agent,
        locale=str(manifest.options.get("locale", "")),
        timezone=str(manifest.options.get("timezone", "")),
    )


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run the asynchronous part of a command. A browser that ends on its own is told in words."""
    try:
        return asyncio.run(work)
    except (Disconnected, NoAnswer) as gone:
        raise CouldNotRun(f"The browser went away: {gone}.", advice="See: jostle doctor") from gone
