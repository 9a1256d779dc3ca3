"""What a page shows when it is used before its script has come, and that the same on the twin comes out right."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from jostle.examples import example
from jostle.examples.hydration_pages import HYDRATION_PAGES
from tests.examples.staging import Held, click_if_possible, early_click, let_pass, text

pytestmark = pytest.mark.long


def held(page: Page, base: str, name: str, script: str = r"app\.js") -> Held:
    waiting = Held(page, script)
    page.goto(base + example(name).path, wait_until="commit")
    waiting.wait(1)
    let_pass(page, 100)
    return waiting


@pytest.mark.parametrize(
    ("name", "field", "value"),
    [
        ("hydrated-root", "[name=singer]", ""),
        ("hydrated-root-fixed", "[name=singer]", "Eve"),
        ("hydrated-elements", "#loaves", "2"),
        ("hydrated-elements-fixed", "#loaves", "Eve"),
    ],
)
def test_what_is_typed_before_hydration(page: Page, base: str, name: str, field: str, value: str) -> None:
    waiting = held(page, base, name)
    page.fill(field, "Eve")
    waiting.release_all()
    assert page.input_value(field) == value


@pytest.mark.parametrize(("name", "checked"), [("hydrated-root", False), ("hydrated-root-fixed", True)])
def test_what_is_checked_before_hydration(page: Page, base: str, name: str, checked: bool) -> None:
    waiting = held(page, base, name)
    page.check("[name=letter]")
    waiting.release_all()
    assert page.is_checked("[name=letter]") == checked


@pytest.mark.parametrize(
    ("name", "field", "heading"),
    [
        ("hydrated-root", "[name=singer]", "Joined"),
        ("hydrated-root-fixed", "[name=singer]", "Choir"),
        ("hydrated-elements", "#loaves", "Ordered"),
        ("hydrated-elements-fixed", "#loaves", "Bakery"),
    ],
)
def test_a_form_that_is_sent_before_hydration(page: Page, base: str, name: str, field: str, heading: str) -> None:
    waiting = held(page, base, name)
    page.fill(field, "3")
    page.press(field, "Enter", no_wait_after=True)
    let_pass(page, 200)
    waiting.release_all()
    page.wait_for_load_state()
    assert text(page, "h1") == heading


@pytest.mark.parametrize(
    ("name", "link", "seen"),
    [
        ("hydrated-root", "nav a", "Rules to print"),
        ("hydrated-root-fixed", "nav a", "Choir"),
        ("hydrated-elements", "#hours", "All branches"),
        ("hydrated-elements-fixed", "summary", "Bakery"),
    ],
)
def test_a_link_that_is_followed_before_hydration(page: Page, base: str, name: str, link: str, seen: str) -> None:
    early_click(page, base + example(name).path, r"app\.js", link)
    assert text(page, "h1") == seen


@pytest.mark.parametrize(("name", "claps"), [("hydrated-root", "0"), ("hydrated-root-fixed", "1")])
def test_a_click_before_hydration(page: Page, base: str, name: str, claps: str) -> None:
    early_click(page, base + example(name).path, r"app\.js", "[type=button]")
    assert text(page, "output") == claps


@pytest.mark.parametrize(("link", "seen"), [("Rooms", "Ten rooms."), ("Late opening", "Open until ten.")])
def test_another_way_to_the_same_place(page: Page, base: str, link: str, seen: str) -> None:
    url = base + example("spelled-otherwise").path
    early_click(page, url, r"links\.js", f"a:text-is('{link}')")
    early = text(page, "main")
    page.goto(url)
    page.click(f"a:text-is('{link}')")
    assert early == text(page, "main") == seen


def test_a_form_is_refused_before_its_script_has_come_and_after(page: Page, base: str) -> None:
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url) if "code=" in request.url else None)
    waiting = held(page, base, "rightly-refused", r"locker\.js")
    page.fill("[name=code]", "12")
    click_if_possible(page, "form button")
    assert text(page, "#said") == ""
    waiting.release_all()
    click_if_possible(page, "form button")
    assert text(page, "#said") == "The code has four digits."
    assert not sent


def test_every_bug_is_shown() -> None:
    assert {"hydrated-root", "hydrated-elements"} == {entry.name for entry in HYDRATION_PAGES if entry.expected}
