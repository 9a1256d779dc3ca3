"""The report of a check in a real browser, opened from the disk."""

from __future__ import annotations

import base64
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from jostle.browser.find import find, sandbox_arguments
from jostle.report.check import CheckReport
from jostle.report.check import page as document
from jostle.report.check_stories import RunFiles
from jostle.search.registry import reported_techniques
from tests.report.accessibility import unseen_focus, violations
from tests.report.check_runs import TESTS, many, report, some
from tests.report.explorations import FAILED, large
from tests.report.explorations import finding as exception
from tests.report.race_findings import hostile, overwritten, search
from tests.report.recordings import HARMLESS, HOSTILE
from tests.report.slowdown_findings import slowdown

Open = Callable[..., Page]
RACE = "#finding-ajax-race-1"


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
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    context.set_default_timeout(15000)
    page = context.new_page()
    trouble: list[str] = []
    page.on("console", lambda message: trouble.append(f"{message.type}: {message.text}"))
    page.on("pageerror", lambda error: trouble.append(str(error)))
    page.on("dialog", lambda dialog: trouble.append(dialog.message))
    loaded: list[str] = []
    page.on("request", lambda request: loaded.append(request.url))
    file = tmp_path / "report.html"

    def open_it(what: CheckReport, at: str = "") -> Page:
        file.write_text(document(what, reported_techniques()), encoding="utf-8")
        page.goto(file.as_uri() + at)
        return page

    yield open_it
    page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing sticks out"
    assert trouble == []
    assert {url.split("#")[0] for url in loaded if not url.startswith("data:")} == {file.as_uri()}
    context.close()


# Opening -----------------------------------------------------------------------------------------------------------


def test_the_worst_is_open_and_nothing_is_made_of_the_others(opened: Open) -> None:
    page = opened(report(*some()))
    expect(page.locator(".finding .body:visible")).to_have_count(1)
    assert page.locator(".finding .body").evaluate_all("all => all.map(each => each.childElementCount > 0)") == [
        True, False, False, False, False
    ]  # fmt: skip
    second = page.locator(".finding").nth(1)
    second.get_by_role("button", expanded=False).press("Enter")
    expect(second.locator(".body")).to_contain_text("Open the page.")
    expect(second.get_by_role("button", expanded=True).first).to_be_focused()
    second.locator(".opener").press("Enter")
    expect(second.locator(".body")).not_to_be_visible()


@pytest.mark.long
def test_each_finding_has_an_address(opened: Open) -> None:
    page = opened(report(*some()), at=RACE)
    race = page.locator(RACE)
    expect(race.locator(".opener")).to_be_focused()
    expect(race.locator("h3")).to_be_in_viewport()
    expect(race.locator(".body")).to_be_visible()
    expect(page.locator(".finding .body:visible")).to_have_count(1)
    page.locator("#filter").fill("nothing is like that")
    expect(page.locator("#none")).to_be_visible()
    page.evaluate("location.hash = '#finding-slowdown-1'")
    expect(page.locator("#finding-slowdown-1 .body")).to_be_visible()  # whatever the filter
    expect(page.locator("#filter")).to_have_value("")
    page.evaluate("location.hash = '#finding-that-is-not-there'")
    page.evaluate("location.hash = '#%E0%A4%A'")
    page.locator(f"{RACE} .opener").click()
    page.locator(f"{RACE} .opener").click()
    assert page.url.endswith(RACE)


@pytest.mark.long
def test_from_one_finding_to_the_next_by_keyboard(opened: Open) -> None:
    page = opened(report(*some()))
    openers = page.locator(".opener")
    openers.first.focus()
    page.keyboard.press("ArrowDown")
    expect(openers.nth(1)).to_be_focused()
    page.keyboard.press("End")
    expect(openers.last).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(openers.last).to_be_focused()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowUp")
    expect(openers.first).to_be_focused()


@pytest.mark.long
def test_all_at_once_and_for_printing(opened: Open) -> None:
    page = opened(report(*some()))
    page.get_by_role("button", name="Open all").click()
    expect(page.locator(".finding .body:visible")).to_have_count(5)
    page.get_by_role("button", name="Fold all").click()
    expect(page.locator(".finding .body:visible")).to_have_count(0)
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(page.locator(".finding .body:visible")).to_have_count(5)


# Filters -----------------------------------------------------------------------------------------------------------


@pytest.mark.long
def test_filters_by_keyboard(opened: Open) -> None:
    page = opened(report(*some()))
    found, status = page.locator(".finding:visible"), page.locator("#shown")
    page.keyboard.press("/")
    expect(page.locator("#filter")).to_be_focused()
    page.keyboard.type("sharedAliases")
    expect(found).to_have_count(1)  # words of a story that is folded
    expect(status).to_have_text("1 of 5 findings")
    page.keyboard.press("Enter")
    expect(page.locator("#finding-slowdown-1 .opener")).to_be_focused()
    page.get_by_role("button", name="Show all").press("Enter")
    expect(found).to_have_count(5)
    expect(page.get_by_role("button", name="Show all")).not_to_be_visible()
    page.get_by_role("button", name="High 4", pressed=True).press("Space")
    expect(found).to_have_count(1)
    page.get_by_role("button", name="High 4", pressed=False).press("Space")
    page.get_by_label("Kind", exact=True).select_option("Slowdown (1)")
    expect(found).to_have_count(1)
    page.get_by_label("Kind", exact=True).select_option("All kinds")
    page.get_by_label("Found by").select_option("While loading (2)")
    expect(found).to_have_count(2)
    page.locator("#filter").fill('click link "menu"')
    expect(found).to_have_count(1)


@pytest.mark.long
def test_from_the_overview_to_findings_of_a_kind(opened: Open) -> None:
    page = opened(report(*some()))
    page.get_by_role("link", name="Show 1 finding: Stale response or double submit, medium").press("Enter")
    expect(page.locator(".finding:visible")).to_have_count(1)
    expect(page.locator(RACE)).to_be_visible()
    expect(page.locator("#found-title")).to_be_in_viewport()


# What a story shows ------------------------------------------------------------------------------------------------


@pytest.mark.long
def test_two_screens_in_four_ways(opened: Open) -> None:
    page = opened(report(search()), at=RACE)
    good, bad = (page.locator(f"{RACE} .compare ~ .pair .{which} .screen").first for which in ("good", "bad"))
    way = page.get_by_role("group", name="How to compare the two screens")
    expect(way.get_by_role("button", name="Side by side", pressed=True)).to_be_visible()
    assert good.bounding_box() != bad.bounding_box()
    expect(way.get_by_role("slider")).not_to_be_visible()
    way.get_by_role("button", name="Slider").press("Enter")
    assert good.bounding_box() == bad.bounding_box()
    slider = way.get_by_role("slider", name="Good order up to here")
    slider.press("End")
    expect(bad).to_have_css("clip-path", "inset(0px 0px 0px 100%)")
    slider.press("ArrowLeft")
    expect(slider).to_have_attribute("aria-valuetext", "99 percent good order, 1 percent bad order")
    words = page.locator(f"{RACE} .compare + [role=status]")
    expect(words).to_contain_text("Left of the line is the good order")
    expect(words).to_contain_text("Text: “go, a board game” instead of “gopher, a burrowing rodent”")
    expect(words).to_contain_text("Text: “go, a language” instead of nothing")

    way.get_by_role("button", name="In turn").press("Enter")
    pause = way.get_by_role("button", name="Pause")
    expect(good).not_to_be_visible(timeout=5000)
    expect(good).to_be_visible(timeout=5000)
    pause.press("Enter")
    before = good.is_visible()
    way.get_by_role("button", name="Show the other one").press("Enter")
    assert good.is_visible() is not before
    assert bad.is_visible() is before

    way.get_by_role("button", name="Only what differs").press("Enter")
    expect(page.locator(f"{RACE} .compare ~ .pair .bad").first).to_have_css("mix-blend-mode", "difference")
    expect(words).to_contain_text("What is black is the same in both.")
    way.get_by_role("button", name="Side by side").press("Enter")
    assert good.bounding_box() != bad.bounding_box()


@pytest.mark.long
def test_only_what_differs_is_not_black(opened: Open) -> None:
    page = opened(report(search()), at=RACE)
    page.get_by_role("button", name="Only what differs").click()
    screen = page.locator(f"{RACE} .compare ~ .pair .bad .screen").first
    screen.scroll_into_view_if_needed()
    taken = page.evaluate(
        """async data => {
            const image = new Image();
            image.src = data;
            await image.decode();
            const pen = new OffscreenCanvas(image.width, image.height).getContext("2d");
            pen.drawImage(image, 0, 0);
            const { data: points } = pen.getImageData(4, 4, image.width - 8, image.height - 8);
            let black = 0;
            for (let n = 0; n < points.length; n += 4) black += points[n] + points[n + 1] + points[n + 2] < 30;
            return black / (points.length / 4);
        }""",
        "data:image/png;base64," + base64.b64encode(screen.screenshot()).decode(),
    )
    assert 0.9 < taken < 0.9999


@pytest.mark.long
def test_who_wants_no_motion_turns_the_screens_by_hand(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "report.html"
    file.write_text(document(report(search()), reported_techniques()), encoding="utf-8")
    context = browser.new_context(reduced_motion="reduce")
    page = context.new_page()
    page.goto(file.as_uri() + RACE)
    page.get_by_role("button", name="In turn").click()
    good = page.locator(f"{RACE} .compare ~ .pair .good .screen").first
    page.wait_for_timeout(2000)
    expect(good).not_to_be_visible()
    page.get_by_role("button", name="Show the other one").click()
    expect(good).to_be_visible()
    context.close()


def test_pictures_are_shown(opened: Open) -> None:
    page = opened(report(search(), overwritten(), files=RunFiles(directory="x", ends={"none": "none"})))
    page.get_by_role("button", name="Open all").click()
    sizes = page.evaluate(
        """Promise.all([...document.querySelectorAll("image")].map(async image => {
            await image.decode();
            return image.ownerSVGElement.getBoundingClientRect().width > 100;
        }))"""
    )
    assert sizes == [True] * 4


def test_commands_and_tests_are_copied(opened: Open) -> None:
    page = opened(report(search()), at=RACE)
    copied = "navigator.clipboard.readText()"
    page.get_by_role("button", name="Copy jostle replay 'runs/one of many/ajax-race-1-bad.jostle'").press("Enter")
    expect(page.get_by_text("Copied")).to_be_visible()
    assert page.evaluate(copied) == "jostle replay 'runs/one of many/ajax-race-1-bad.jostle'"
    expect(page.locator("pre.test")).to_have_text(TESTS["test_ajax_race_1.py"])
    page.get_by_role("button", name="Copy the test").press("Enter")
    page.wait_for_function('navigator.clipboard.readText().then(text => text.startsWith(\'"""Fails\'))')
    assert page.evaluate(copied) == TESTS["test_ajax_race_1.py"]


# The application ---------------------------------------------------------------------------------------------------


def test_findings_are_marked_where_they_are(opened: Open) -> None:
    page = opened(report(exception()))
    assert page.locator(".card").count() == 0, "it is drawn when one comes near"
    page.get_by_role("link", name="state 4", exact=True).click()
    expect(page.locator(".details")).to_contain_text("State 4")
    card = page.get_by_role("button", name="State 4: Milk")
    expect(card.locator(".problem")).to_have_text("1 problem")
    page.locator(".details").get_by_role("link", name=FAILED).click()
    expect(page.locator("#finding-exception-1 .opener")).to_be_focused()


@pytest.mark.long
def test_ten_thousand_states_can_be_walked_through(opened: Open) -> None:
    page = opened(report(exception(events=('click link "Number 1"', FAILED)), machine=large(10_000), thumbnails={}))
    page.get_by_role("navigation").get_by_role("link", name="The application").click()
    expect(page.get_by_text("Drawn are 400 of 10,000 states")).to_be_visible()
    expect(page.locator(".card").first).to_be_visible()
    assert page.locator(".card").count() <= 60
    page.locator("#search").fill("a/30")
    page.locator("#search").press("Enter")
    expect(page.locator(".details .address")).to_contain_text("/a/30")


# For everybody -----------------------------------------------------------------------------------------------------


def test_everybody_can_use_it(opened: Open) -> None:
    page = opened(report(*some(), status="interrupted", unreadable=("The model cannot be read.",)))
    page.locator("#model").scroll_into_view_if_needed()
    expect(page.locator(".card").first).to_be_visible()
    assert violations(page) == []
    page.get_by_role("button", name="Open all").click()
    page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
    assert violations(page) == []
    page.get_by_role("button", name="Slider").first.click()
    assert violations(page) == []


@pytest.mark.long
def test_one_sees_where_the_focus_is(opened: Open) -> None:
    page = opened(report(search(), slowdown()))
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(page.locator("#found")).to_be_focused()
    assert unseen_focus(page, 30) == []


@pytest.mark.long
def test_axe_has_nothing_to_say(browser: Browser, tmp_path: Path) -> None:
    """By the rules of axe-core, where it can be had."""
    if not (npm := shutil.which("npm")):
        pytest.skip("axe-core comes with npm")
    got = subprocess.run([npm, "pack", "axe-core@4"], cwd=tmp_path, capture_output=True, timeout=90)
    if got.returncode:
        pytest.skip("axe-core cannot be downloaded")
    shutil.unpack_archive(next(tmp_path.glob("axe-core-*.tgz")), tmp_path)
    axe = (tmp_path / "package/axe.min.js").read_text(encoding="utf-8")
    file = tmp_path / "report.html"
    file.write_text(document(report(*some(), status="interrupted"), reported_techniques()), encoding="utf-8")
    for width, dark in ((1280, False), (1280, True), (400, False)):
        context = browser.new_context(
            viewport={"width": width, "height": 900},
            color_scheme="dark" if dark else "light",
            bypass_csp=True,
        )
        page = context.new_page()
        page.goto(file.as_uri())
        page.get_by_role("button", name="Open all").click()
        page.locator("#model").scroll_into_view_if_needed()
        expect(page.locator(".card").first).to_be_visible()
        page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
        page.add_script_tag(content=axe)
        told = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
        wrong = [(each["id"], node["html"]) for each in told["violations"] for node in each["nodes"]]
        # What stands on a card is told in a sentence, in which the numbers come in another order.
        assert [each for each in wrong if not (each[0] == "label-content-name-mismatch" and "card" in each[1])] == []
        context.close()


def test_hostile_texts_stay_texts(opened: Open) -> None:
    found = (
        *hostile().findings[:4],
        exception(id=HOSTILE, title=HOSTILE, events=(HOSTILE,), evidence={"message": HOSTILE}),
    )
    page = opened(
        report(*found, url=HOSTILE, notes=(HOSTILE,), files=RunFiles(directory=HOSTILE, tests={HOSTILE: HOSTILE}))
    )
    page.get_by_role("button", name="Open all").click()
    expect(page.locator(".finding h3").first).to_contain_text(" ".join(HARMLESS.split())[:40])
    page.locator("#filter").fill("<img src=x")
    expect(page.locator(".finding:visible")).to_have_count(5)
    page.locator("#model").scroll_into_view_if_needed()
    expect(page.locator(".card").first).to_be_visible()
    assert page.evaluate("typeof hacked") == "undefined"
    assert page.locator("img:not(.card img):not(.large)").count() == 0


@pytest.mark.long
def test_five_hundred_findings(opened: Open) -> None:
    page = opened(many(500))
    expect(page.locator(".finding .body:visible")).to_have_count(1)
    assert page.locator("*").count() < 12_000, "no elements are made of what is folded"
    page.locator("#filter").fill("(number 499)")
    expect(page.locator("#shown")).to_have_text("1 of 500 findings")
    page.locator("#filter").press("Enter")
    page.keyboard.press("Enter")
    expect(page.locator(".finding:visible .body")).to_be_visible()


def test_without_scripts_the_overview_is_there(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "report.html"
    file.write_text(document(report(*some()), reported_techniques()), encoding="utf-8")
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(file.as_uri())
    expect(page.get_by_text("Found 5 problems")).to_be_visible()
    expect(page.locator(".finding")).to_have_count(5)
    assert "need JavaScript" in page.content()
    context.close()
