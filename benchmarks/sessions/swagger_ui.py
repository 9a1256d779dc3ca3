"""Somebody reads the description of an interface and tries it out."""

from __future__ import annotations

import os

from playwright.sync_api import Locator, sync_playwright

from benchmarks.sessions.person import Person
from jostle.browser.find import sandbox_arguments


def look(person: Person) -> None:
    """Open an operation, read, close it again, or not."""
    operation = person.one_of(person.page.locator(".opblock-summary-control"))
    person.click(operation)
    person.scroll()
    if person.chance.random() < 0.5:
        person.click(operation)


def opened(person: Person) -> Locator:
    """An operation that is open."""
    block = person.one_of(person.page.locator(".opblock"))
    if not block.locator(".opblock-body").count():
        person.click(block.locator(".opblock-summary-control"))
    return block


def try_out(person: Person) -> None:
    """Open an operation, try it, fill in what it needs, send it, clear."""
    block = opened(person)
    if not block.locator("button.execute").count():
        person.click(block.locator(".try-out__btn").first)
    for field in block.locator("input[type=text]").all():
        person.type(field, str(person.chance.randint(1, 50)))
    if block.locator("textarea").count() and person.chance.random() < 0.4:
        person.type(block.locator("textarea").first, '{"name": "Rex"}')
    person.click(block.locator("button.execute"))
    person.pause(1.5)
    if person.chance.random() < 0.5 and block.locator("button.btn-clear").count():
        person.click(block.locator("button.btn-clear"))
    if person.chance.random() < 0.6:
        person.click(block.locator(".try-out__btn.cancel"))


def models(person: Person) -> None:
    """Open the descriptions of things, and look into one."""
    if not person.page.locator(".models.is-open").count():
        person.click(person.page.locator(".models-control").first)
    person.click(person.one_of(person.page.locator(".models .model-box-control")))


def example(person: Person) -> None:
    """Switch between the example and the schema of an answer."""
    person.click(person.one_of(opened(person).locator(".tablinks")))


def authorize(person: Person) -> None:
    """Log in, or out again."""
    page = person.page
    person.click(page.locator("button.authorize").first)
    if page.locator(".auth-container input").count():
        person.type(page.locator(".auth-container input").first, "demo")
        person.type(page.locator(".auth-container input[type=password]").first, "demo")
    person.click(page.locator(".auth-btn-wrapper button").first)
    person.click(page.locator(".auth-btn-wrapper .btn-done"))


def narrow(person: Person) -> None:
    """Look for something, then for everything again."""
    field = person.page.locator(".operation-filter-input")
    person.type(field, person.chance.choice(("pet", "order", "visit")))
    person.pause()
    field.press("Control+A")
    field.press("Backspace")


def section(person: Person) -> None:
    person.click(person.one_of(person.page.locator(".opblock-tag")))


HABITS = ((look, 4), (try_out, 5), (models, 2), (example, 3), (authorize, 2), (narrow, 1), (section, 2))


def main() -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(args=sandbox_arguments())
        page = browser.new_page(viewport={"width": 1280, "height": 720})
        page.goto(os.environ["JOSTLE_SESSION_URL"])
        page.wait_for_selector(".opblock")
        person = Person(page, int(os.environ["JOSTLE_SESSION_SEED"]))
        person.live(HABITS, int(os.environ.get("JOSTLE_SESSION_ROUNDS", "14")))
        browser.close()


if __name__ == "__main__":
    main()
