"""Somebody takes notes: a new one, kept, then a look at what is recent and what is open."""

from __future__ import annotations

import os

from playwright.sync_api import sync_playwright

from jostle.browser.find import sandbox_arguments

NOTES = 9


def main() -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(args=sandbox_arguments())
        page = browser.new_page()
        page.goto(os.environ["JOSTLE_SESSION_URL"])
        for _ in range(NOTES):
            page.get_by_role("button", name="new tiddler", exact=True).first.click()
            page.get_by_title("Confirm changes to this tiddler").first.click()
            page.get_by_role("tab", name="Recent").click()
            page.get_by_role("tab", name="Open").click()
        browser.close()


main()
