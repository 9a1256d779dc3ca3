"""The report of races in a real browser, opened from the disk."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from jostle.browser.find import find, sandbox_arguments
from jostle.races.report.page import RacesReport
from jostle.races.report.page import page as document
from tests.report.race_findings import bare, hostile, overwritten, predicted, report, search
from tests.report.recordings import HARMLESS

Open = Callable[[RacesReport], Page]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=find().path, args=sandbox_arguments())
        yield launched
        launched.close()


@pytest.fixture(params=[(1280, "light"), pytest.param((400, "dark"), marks=pytest.mark.long)], ids=["wide", "narrow"])
def opened(browser: Browser, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Open]:
    """Opens a report; afterwards, nothing may have been complained about or loaded."""
    width, scheme = request.param
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
    context.set_default_timeout(5000)
    page = context.new_page()
    trouble: list[str] = []
    page.on("console", lambda message: trouble.append(f"{message.type}: {message.text}"))
    page.on("pageerror", lambda error: trouble.append(str(error)))
    page.on("dialog", lambda dialog: trouble.append(dialog.message))
    loaded: list[str] = []
    page.on("request", lambda request: loaded.append(request.url))
    file = tmp_path / "report.html"

    def open_it(what: RacesReport) -> Page:
        file.write_text(document(what), encoding="utf-8")
        page.goto(file.as_uri())
        return page

    yield open_it
    page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing sticks out"
    assert trouble == []
    assert {url.split("#")[0] for url in loaded if not url.startswith("data:")} == {file.as_uri()}
    ground, text = page.evaluate("(s => [s.backgroundColor, s.color])(getComputedStyle(document.body))")
    brightness = [sum(int(part) for part in colour[4:-1].split(", ")) for colour in (ground, text)]
    assert (brightness[0] < brightness[1]) == (scheme == "dark")
    context.close()


def test_pictures_and_marks(opened: Open) -> None:
    page = opened(report(search(), overwritten(), predicted(), bare()))
    shown = page.evaluate(
        """Promise.all([...document.querySelectorAll("image")].map(async image => {
            await image.decode();
            const box = image.ownerSVGElement.getBoundingClientRect();
            return box.width > 200 && box.height > 100;
        }))"""
    )
    assert shown == [True] * 4
    expect(page.get_by_role("img", name="Screen in the bad order, 2 places marked")).to_be_visible()
    for screen in page.locator("#finding-2 h4 + .compare + .pair .screen").all():
        inside = screen.evaluate(
            """screen => {
                const all = screen.getBoundingClientRect();
                return [...screen.querySelectorAll(".differs")].map(each => {
                    const box = each.getBoundingClientRect();
                    return box.width > 20 && box.left >= all.left && box.right <= all.right && box.top >= all.top
                        && box.bottom <= all.bottom;
                });
            }"""
        )
        assert inside == [True, True]


def test_one_screen_over_the_other(opened: Open) -> None:
    page = opened(report(search()))
    good, bad = (page.locator(f"#finding-1 .compare + .pair .{which} .screen") for which in ("good", "bad"))
    button = page.get_by_role("button", name="One over the other")
    slider = page.get_by_role("slider", name="Good order up to here")
    expect(slider).not_to_be_visible()
    assert good.bounding_box() != bad.bounding_box()
    button.press("Enter")
    expect(button).to_have_attribute("aria-pressed", "true")
    assert good.bounding_box() == bad.bounding_box()
    slider.press("End")
    expect(bad).to_have_css("clip-path", "inset(0px 0px 0px 100%)")
    button.press("Enter")
    expect(slider).not_to_be_visible()
    expect(bad).to_have_css("clip-path", "none")


def test_lines_end_at_their_events(opened: Open) -> None:
    page = opened(report(search()))
    if not page.locator("#finding-1 .swaps").is_visible():
        assert page.viewport_size == {"width": 400, "height": 900}, "side by side there are lines"
        return
    for role in ("first", "second", "late"):
        drawing = page.locator("#finding-1 .orders:not(.all)")
        ends = drawing.locator(f"path.{role}").evaluate(
            """path => [0, path.getTotalLength()].map(at => {
                const point = path.getPointAtLength(at).matrixTransform(path.getScreenCTM());
                return [point.x, point.y];
            })"""
        )
        boxes = drawing.locator(f"li.{role}").evaluate_all("all => all.map(each => each.getBoundingClientRect())")
        left, right = ((box["x"], box["y"] + box["height"] / 2, box["width"]) for box in boxes)
        assert ends[0] == pytest.approx([left[0] + left[2], left[1]], abs=1)
        assert ends[1] == pytest.approx([right[0], right[1]], abs=1)


def test_headings_and_ways_by_keyboard(opened: Open) -> None:
    page = opened(report(search(), overwritten()))
    levels = page.locator("h1, h2, h3, h4, h5, h6").evaluate_all("all => all.map(each => Number(each.tagName[1]))")
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(below - above <= 1 for above, below in pairwise(levels)), "no level is left out"
    assert page.evaluate(
        "[...document.querySelectorAll('[tabindex=\"0\"]')].every(each => each.role && each.ariaLabel)"
    ), "what can be reached has a name"
    assert page.evaluate("document.documentElement.lang && document.title")
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_in_viewport()
    for _ in range(2):
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("#finding-2")).to_be_focused()
    expect(page.locator("#finding-2 h3")).to_be_in_viewport()


def test_nothing_found_and_what_else_was_tried(opened: Open) -> None:
    page = opened(report())
    reason = page.get_by_role("cell", name="the link is gone after the first action")
    expect(reason).not_to_be_visible()
    page.get_by_text("Tried, and no race: 2 cases").press("Enter")
    expect(reason).to_be_visible()


def test_hostile_texts_stay_texts(opened: Open) -> None:
    page = opened(hostile())
    expect(page.locator(".story h3").first).to_contain_text(" ".join(HARMLESS.split())[:40])
    assert page.evaluate("typeof hacked") == "undefined"
    assert page.locator("script").count() == 1
    assert page.locator("img").count() == 0


def test_without_scripts_it_is_all_there(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "report.html"
    file.write_text(document(report(search())), encoding="utf-8")
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(file.as_uri())
    expect(page.get_by_role("img", name="Screen in the good order")).to_be_visible()
    expect(page.get_by_role("img", name="Screen in the bad order")).to_be_visible()
    expect(page.locator("button, input")).to_have_count(0)
    context.close()
