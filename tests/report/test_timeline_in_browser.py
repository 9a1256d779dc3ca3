"""The timeline in a real browser, opened from the disk."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from jostle.browser.find import find, sandbox_arguments
from jostle.recording.file import Recording
from jostle.report.timeline import timeline
from tests.recording.recordings import search_page
from tests.report.recordings import HARMLESS, different, hostile, repeating

Open = Callable[[Recording], Page]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=find().path, args=sandbox_arguments())
        yield launched
        launched.close()


@pytest.fixture(params=["light", "dark"])
def scheme(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def opened(browser: Browser, tmp_path: Path) -> Iterator[Open]:
    """Opens a timeline; afterwards, nothing may have been complained about or loaded."""
    context = browser.new_context(viewport={"width": 1300, "height": 900})
    context.set_default_timeout(5000)
    page = context.new_page()
    trouble: list[str] = []
    page.on("console", lambda message: trouble.append(f"{message.type}: {message.text}"))
    page.on("pageerror", lambda error: trouble.append(str(error)))
    page.on("dialog", lambda dialog: trouble.append(dialog.message))
    loaded: list[str] = []
    page.on("request", lambda request: loaded.append(request.url))

    def open_it(recording: Recording) -> Page:
        file = tmp_path / "timeline.html"
        file.write_text(timeline(recording), encoding="utf-8")
        page.goto(file.as_uri())
        return page

    yield open_it
    assert trouble == []
    assert [url for url in loaded if not url.startswith("data:")] == [(tmp_path / "timeline.html").as_uri()]
    context.close()


@pytest.mark.long
def test_the_first_trouble_is_chosen(opened: Open) -> None:
    page = opened(search_page())
    expect(page.locator(".row.chosen")).to_contain_text("GET /api/search?q=milk")
    details = page.locator("#details")
    expect(details).to_contain_text("exception: x is not defined (app.js:1:2)")
    expect(details).to_contain_text("localStorage last = milk")
    expect(details).to_contain_text("since step 2, 151 ms before")
    expect(page.locator(".row.cause")).to_contain_text('click button "Go"')
    details.get_by_role("button", name='click button "Go"').click()
    expect(page.locator(".row.chosen")).to_contain_text('click button "Go"')
    expect(page.locator(".row.effect")).to_contain_text("GET /api/search?q=milk")


def test_filters(opened: Open) -> None:
    page = opened(search_page())
    expect(page.get_by_role("treeitem")).to_have_count(3)
    answers = page.get_by_role("button", name="Answers")
    answers.press("Enter")
    expect(answers).to_have_attribute("aria-pressed", "false")
    expect(page.get_by_role("treeitem")).to_have_count(2)
    expect(page.get_by_role("status")).to_have_text("2 of 3 steps")
    answers.click()
    page.keyboard.press("/")
    page.keyboard.type("SEARCH?Q")
    expect(page.get_by_role("treeitem")).to_have_count(1)
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type("no such thing")
    expect(page.locator("#list")).to_have_text("No event fits.")
    page.get_by_label("Search events").fill("")
    page.get_by_role("button", name="Only trouble").click()
    expect(page.get_by_role("treeitem")).to_have_count(1)


def test_keyboard(opened: Open) -> None:
    page = opened(repeating(50))
    rows, chosen, tree = page.get_by_role("treeitem"), page.locator(".row.chosen"), page.get_by_role("tree")
    expect(rows).to_have_count(3)
    tree.focus()
    page.keyboard.press("Home")
    expect(chosen).to_contain_text('click button "Start"')
    page.keyboard.press("ArrowDown")
    expect(chosen).to_contain_text("49 ×")
    assert tree.get_attribute("aria-activedescendant") == chosen.get_attribute("id")
    page.keyboard.press("ArrowRight")
    expect(page.locator("[aria-expanded=true]")).to_have_count(1)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(page.locator("#details")).to_contain_text("step 3 of 51")
    page.keyboard.press("c")
    expect(page.locator("#details")).to_contain_text("step 2 of 51")
    page.keyboard.press("e")
    expect(page.locator("#details")).to_contain_text("no more pictures")
    page.keyboard.press("c")
    expect(page.locator("#details")).to_contain_text("step 50 of 51")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("[aria-expanded=false]")).to_have_count(1)
    expect(rows).to_have_count(3)
    page.keyboard.press("End")
    expect(chosen).to_contain_text("timeout 100")


def test_folding_with_the_mouse(opened: Open) -> None:
    page = opened(repeating(20))
    run = page.get_by_role("treeitem").filter(has_text="19 ×")
    run.click()
    expect(page.get_by_role("treeitem")).to_have_count(22)
    expect(run).to_have_attribute("aria-expanded", "true")
    run.click()
    expect(page.get_by_role("treeitem")).to_have_count(3)


def test_a_click_that_takes_its_time_is_a_click(opened: Open) -> None:
    page = opened(repeating(20))
    run = page.get_by_role("treeitem").filter(has_text="19 ×")
    run.hover()
    page.mouse.down()
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    page.mouse.move(0, 0)  # elsewhere and back: what is pointed at is marked
    run.hover()
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    page.mouse.up()
    expect(page.get_by_role("treeitem")).to_have_count(22)


def test_what_became_of_what_was_made_possible(opened: Open) -> None:
    page = opened(repeating(4))
    page.get_by_role("treeitem").first.click()
    details = page.locator("#details")
    expect(details).to_contain_text("Made possible (3)")
    expect(details.get_by_role("listitem").filter(has_text="timeout 9000")).to_contain_text("did not happen")
    expect(details.get_by_role("listitem").filter(has_text="GET /slow")).to_contain_text("gone in step 3")


def test_a_step_in_the_address_is_chosen(opened: Open, tmp_path: Path) -> None:
    page = opened(repeating(50))
    page.evaluate("location.hash = '#step-7'")
    expect(page.locator("#details")).to_contain_text("step 7 of 51")


def test_choosing_in_the_picture(opened: Open) -> None:
    page = opened(different(40))
    box = page.locator("#picture").bounding_box()
    assert box is not None
    x, y = box["x"] + 14 + (box["width"] - 28) * (20.5 / 40), box["y"] + 4 + 13
    page.mouse.move(x, y)
    expect(page.locator(".tip")).to_contain_text('21 · 60 ms · click button "Number 20"')
    page.mouse.click(x, y)
    expect(page.locator("#details")).to_contain_text("step 21 of 40")
    expect(page.locator("#details")).to_contain_text("Changes of the document")


@pytest.mark.long
def test_screens_open_large(opened: Open) -> None:
    recording = search_page()
    recording.screens = {"start": PIXEL}
    page = opened(recording)
    page.get_by_role("button", name="Enlarge: Before the first action").press("Enter")
    expect(page.get_by_role("dialog").locator("img")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_be_hidden()


def test_hostile_texts_stay_texts(opened: Open) -> None:
    recording = hostile()
    recording.screens = {}
    page = opened(recording)
    shown = " ".join(HARMLESS.split())
    assert page.title().startswith("</script><script>hacked=1</script>")
    expect(page.get_by_role("heading", level=1)).to_have_text(shown)
    expect(page.locator(".row.chosen")).to_contain_text(f"GET {shown}")
    for title in ("Errors", "Storage", "Requests", "Dialogs", "Answer", "Did not come to rest", "Limits"):
        expect(page.locator("#details section").filter(has_text=title).first).to_contain_text("onerror=hacked=1")
    page.locator("#table summary").click()
    expect(page.locator("#row-1")).to_contain_text(shown)
    assert page.evaluate("typeof hacked") == "undefined"
    assert page.locator("script").count() == 2
    assert page.locator("img").count() == 1


@pytest.mark.long
def test_five_thousand_steps(opened: Open) -> None:
    began = time.monotonic()
    page = opened(different(5000))
    expect(page.get_by_role("status")).to_have_text("5,000 steps")
    assert time.monotonic() - began < 20  # a bound against hanging; it takes about one second
    tree = page.get_by_role("tree")
    tree.focus()
    page.keyboard.press("End")
    expect(page.locator(".row.chosen")).to_contain_text("GET /api/items/4999")
    assert page.get_by_role("treeitem").count() < 80, "only the rows in sight exist"
    page.get_by_label("Search events").fill("number 49")
    expect(page.get_by_role("status")).to_have_text("11 of 5,000 steps")


@pytest.mark.long
def test_both_schemes_have_their_own_colours(browser: Browser, tmp_path: Path, scheme: str) -> None:
    file = tmp_path / "timeline.html"
    file.write_text(timeline(search_page()), encoding="utf-8")
    page = browser.new_page(color_scheme="dark" if scheme == "dark" else "light")
    page.goto(file.as_uri())
    ground, text = page.evaluate("(s => [s.backgroundColor, s.color])(getComputedStyle(document.body))")
    brightness = [sum(int(part) for part in colour[4:-1].split(", ")) for colour in (ground, text)]
    assert (brightness[0] < brightness[1]) == (scheme == "dark")
    page.close()


def test_everything_is_there_without_scripts(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "timeline.html"
    file.write_text(timeline(search_page()), encoding="utf-8")
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(file.as_uri())
    page.locator("#table summary").click()
    expect(page.locator("#row-3")).to_contain_text("exception: x is not defined")
    context.close()


PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c49444154789c63f8ffff3f0005fe02fe"
    "0def46b80000000049454e44ae426082"
)
