"""The report of an exploration in a real browser, opened from the disk."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from jostle.browser.find import find, sandbox_arguments
from jostle.exploring.report.page import page as document
from jostle.findings import Finding
from jostle.model.machine import Machine
from tests.exploring.test_report import hostile
from tests.report.explorations import finding, large, report, shop
from tests.report.recordings import HARMLESS

Open = Callable[..., Page]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=find().path, args=sandbox_arguments())
        yield launched
        launched.close()


@pytest.fixture(scope="module")
def picture(browser: Browser) -> bytes:
    page = browser.new_page(viewport={"width": 32, "height": 20})
    taken = page.screenshot(type="jpeg")
    page.close()
    return taken


@pytest.fixture
def opened(browser: Browser, picture: bytes, tmp_path: Path) -> Iterator[Open]:
    """Opens a report; afterwards, nothing may have been complained about or loaded."""
    context = browser.new_context(viewport={"width": 1300, "height": 900})
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    context.set_default_timeout(5000)
    page = context.new_page()
    trouble: list[str] = []
    page.on("console", lambda message: trouble.append(f"{message.type}: {message.text}"))
    page.on("pageerror", lambda error: trouble.append(str(error)))
    page.on("dialog", lambda dialog: trouble.append(dialog.message))
    loaded: list[str] = []
    page.on("request", lambda request: loaded.append(request.url))
    file = tmp_path / "report.html"

    def open_it(*findings: Finding, machine: Machine | None = None, at: str = "") -> Page:
        learned = machine if machine is not None else shop()
        pictures = {each.digest: picture for each in learned.states}
        file.write_text(document(report(*findings, machine=learned, pictures=pictures)), encoding="utf-8")
        page.goto(file.as_uri() + at)
        return page

    yield open_it
    assert trouble == []
    assert {url.split("#")[0] for url in loaded if not url.startswith("data:")} == {file.as_uri()}
    context.close()


def cards(page: Page) -> list[dict[str, float]]:
    return [box for each in page.locator(".card").all() if (box := each.bounding_box()) is not None]  # type: ignore[misc]


def assert_apart(page: Page) -> None:
    boxes = cards(page)
    for n, one in enumerate(boxes):
        for other in boxes[n + 1 :]:
            beside = one["x"] + one["width"] <= other["x"] or other["x"] + other["width"] <= one["x"]
            below = one["y"] + one["height"] <= other["y"] or other["y"] + other["height"] <= one["y"]
            assert beside or below


def test_the_model_is_drawn(opened: Open) -> None:
    page = opened()
    expect(page.locator(".card")).to_have_count(4)
    expect(page.locator(".edge")).to_have_count(4)  # what stays in its state is not drawn
    expect(page.locator(".card.start")).to_contain_text("Page 0")
    expect(page.locator(".card").filter(has_text="Page 0").locator(".untried")).to_have_text("2 untried")
    expect(page.locator(".label").filter(has_text="2 events")).to_have_count(1)
    lefts = [each["x"] for each in cards(page)]
    assert lefts == sorted(lefts)
    assert_apart(page)
    assert page.evaluate("[...document.images].every(image => image.complete && image.naturalWidth)")


def test_a_state_tells_what_is_known_of_it(opened: Open) -> None:
    page = opened(finding())
    details = page.locator("#details")
    expect(details).to_contain_text("State 1")
    page.get_by_role("button", name="State 4: Milk").click()
    for part in ("3 events from the start", "Not tried here (1)", 'click button "Pay"', "only the first has"):
        expect(details).to_contain_text(part)
    expect(details.locator(".way li")).to_have_count(3)
    expect(details.locator("img.large")).to_be_visible()
    expect(details.get_by_role("link", name="uncaught exception")).to_have_attribute("href", "#problem-1")
    details.get_by_role("button", name="state 3").click()
    expect(page.locator(".card.chosen")).to_contain_text("3 · 1 tried")
    details.get_by_role("button", name="state 4").click()
    expect(page.locator(".card.chosen .problem")).to_have_text("1 problem")


def test_an_arrow_lists_its_events(opened: Open) -> None:
    page = opened()
    page.locator(".label").filter(has_text="2 events").click()
    details = page.locator("#details")
    for part in ("state 2: Page 1", "state 3: Milk", 'click link "Milk"', 'type in textbox "Search"'):
        expect(details).to_contain_text(part)


@pytest.mark.long
def test_keyboard(opened: Open) -> None:
    page = opened()
    page.locator(".card.start").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator("#details")).to_contain_text("State 3")
    expect(page.locator(".card[tabindex='0']")).to_have_count(1)
    before = cards(page)[0]["width"]
    page.keyboard.press("-")
    page.keyboard.press("-")
    assert cards(page)[0]["width"] < before
    page.keyboard.press("/")
    page.keyboard.type("page 1")
    expect(page.locator(".card.other")).to_have_count(3)
    page.keyboard.press("Enter")
    expect(page.locator("#details")).to_contain_text("State 2")


@pytest.mark.long
def test_three_hundred_states(opened: Open) -> None:
    page = opened(machine=large(300))
    folded = page.locator(".card").count()
    assert folded < 50
    assert_apart(page)
    box = page.locator(".card.many").first
    members = int((box.locator(".where").text_content() or "").split()[0])
    box.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".card")).to_have_count(folded - 1 + members)
    expect(page.locator(".fold")).to_be_focused()
    assert_apart(page)
    page.keyboard.press("Enter")
    expect(page.locator(".card")).to_have_count(folded)
    page.get_by_role("button", name="All events").click()
    assert page.locator(".edge").count() > folded
    page.get_by_label("Find a state").fill("/h/297")
    page.keyboard.press("Enter")
    expect(page.locator("#details")).to_contain_text("State 298")
    expect(page.locator(".card.chosen")).to_be_in_viewport()


def test_from_a_problem_to_its_state(opened: Open) -> None:
    page = opened(finding())
    page.get_by_role("link", name="state 4").click()
    expect(page.locator("#details")).to_contain_text("State 4")
    expect(page.locator("#canvas")).to_be_in_viewport()


def test_a_state_in_the_address_is_chosen(opened: Open) -> None:
    expect(opened(machine=large(100), at="#state-42").locator("#details")).to_contain_text("State 42")


@pytest.mark.long
def test_the_command_is_copied(opened: Open) -> None:
    page = opened(finding())
    page.get_by_role("button", name="Copy").click()
    expect(page.locator(".copy")).to_have_text("Copied")
    assert page.evaluate("navigator.clipboard.readText()") == "jostle replay 'runs/one of many/exception-1.jostle'"


def test_hostile_texts_stay_texts(opened: Open) -> None:
    found, machine = hostile()
    page = opened(found, machine=machine)
    shown = " ".join(HARMLESS.split())[:40]
    expect(page.locator(".story h3")).to_contain_text(shown)
    expect(page.locator("#details h3")).to_contain_text(shown)
    page.locator(".label").click()
    expect(page.locator("#details")).to_contain_text(shown)
    page.locator(".card").last.click()
    expect(page.locator("#details")).to_contain_text("State 2")
    assert page.evaluate("typeof hacked") == "undefined"
    assert page.locator("script").count() == 2
    assert page.evaluate("[...document.images].every(image => image.src.startsWith('data:image/jpeg'))")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.long
def test_both_schemes_have_their_own_colours(browser: Browser, tmp_path: Path, scheme: str) -> None:
    file = tmp_path / "report.html"
    file.write_text(document(report(finding())), encoding="utf-8")
    page = browser.new_page(color_scheme="dark" if scheme == "dark" else "light")
    page.goto(file.as_uri())
    ground, text = page.evaluate("(s => [s.backgroundColor, s.color])(getComputedStyle(document.body))")
    brightness = [sum(int(part) for part in colour[4:-1].split(", ")) for colour in (ground, text)]
    assert (brightness[0] < brightness[1]) == (scheme == "dark")
    page.close()
