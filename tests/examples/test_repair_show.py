"""The races of the paper on repairs show in a browser; the twins are right, and so are the pages with a policy."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from jostle.examples import example
from jostle.examples.repair_pages import REPAIR_PAGES
from jostle.repair.catalogue import (
    async_user,
    atomic,
    disable_until,
    early_click_queue,
    fifo,
    init_system,
    init_user,
    init_user_plus,
    latest_only,
    order,
    protect_field,
    user_until,
)
from jostle.repair.policy import Action, Defined, EventKind, IsFunction, Listening, Policy, Present
from jostle.repair.script import script_of
from tests.examples import test_races_show as races
from tests.examples.staging import Held, let_pass, play, text

Steps = Callable[[Page, str], str]


def picture_gallery(page: Page, url: str) -> str:
    page.goto(url)
    page.click("#coast")
    expect(page.locator("#gallery li")).to_have_count(2)
    let_pass(page, 50)
    held = Held(page, r"hills\.json")
    page.click("#hills")
    held.wait(1)
    page.click("#gallery button >> nth=0")
    held.release_all()
    return text(page, "#deleted")


def two_settings(page: Page, url: str) -> str:
    page.goto(url)
    held = Held(page, "/api/ping")
    page.click("#currency")
    held.wait(1)
    page.click("#language")
    held.wait(2)
    held.release_backwards()
    return f"{text(page, '#settings')}; {page.evaluate('document.cookie')}"


def airports(page: Page, url: str) -> str:
    held = Held(page, r"bergen\.json")
    page.goto(url)
    held.wait(1)
    page.click("#from")
    page.keyboard.type("Voss")
    held.release_all()
    let_pass(page, 50)
    return f"{page.input_value('#from')}, {page.input_value('#to')}"


def hover_menu(page: Page, url: str) -> str:
    held = Held(page, r"menu\.js")
    page.goto(url, wait_until="commit")
    held.wait(1)
    let_pass(page, 50)
    page.mouse.move(1, 1)
    if page.locator("#menu").count():
        page.hover("#menu")
    held.release_all()
    page.wait_for_load_state()
    if not page.locator("#items").is_visible():
        return "closed"
    return "open"


def inserted_scripts(page: Page, url: str) -> str:
    held = Held(page, r"shop\.js")
    page.goto(url, wait_until="commit")
    held.wait(1)
    let_pass(page, 250)
    held.release_all()
    page.wait_for_load_state()
    return text(page, "#offer")


LAST = "last-setting"
PAGES: list[tuple[Steps, str, str]] = [
    (picture_gallery, "", "Lighthouse is deleted."),
    (two_settings, f"Saved last: francs; {LAST}=currency", f"Saved last: French; {LAST}=language"),
    (airports, "Bergen, Oslo", "Voss, Oslo"),
    (hover_menu, "closed", "closed"),
    (inserted_scripts, "No offers today.", "Corner shop: Bread at half price"),
]
THROWING = (picture_gallery, hover_menu, inserted_scripts)


def name_of(steps: Steps) -> str:
    return steps.__name__.replace("_", "-")


@pytest.mark.parametrize(("steps", "wrong", "right"), PAGES, ids=lambda value: getattr(value, "__name__", ""))
def test_the_race_shows_and_the_twin_is_right(page: Page, base: str, steps: Steps, wrong: str, right: str) -> None:
    seen, thrown = play(page, base, name_of(steps), steps)
    assert (seen, bool(thrown)) == (wrong, steps in THROWING)
    page.unroute_all()
    page.context.clear_cookies()
    thrown.clear()
    assert play(page, base, name_of(steps) + "-fixed", steps) == (right, [])


def test_every_page_is_shown() -> None:
    assert {name_of(steps) for steps, *_ in PAGES} == {entry.name for entry in REPAIR_PAGES if entry.expected}


def late(name: str) -> tuple[str, Steps, str]:
    """One of the races of responses."""
    race = next(race for race in races.LATE if race.name == name)
    return name, race.backwards, race.right


def loading(steps: Steps) -> tuple[str, Steps, str]:
    """One of the races while a page loads."""
    right = next(right for each, _, right in races.LOADING if each is steps)
    return name_of(steps), steps, right


def shown(steps: Steps) -> tuple[str, Steps, str]:
    right = next(right for each, _, right in PAGES if each is steps)
    return name_of(steps), steps, right


LATEST = latest_only(lanes=False)
REPAIRS: list[tuple[Policy, tuple[str, Steps, str]]] = [
    *((LATEST, late(name)) for name in ("latest-quote", "abort-wrong", "request-id-wrong", "chained-requests")),
    *((fifo(), late(name)) for name in ("latest-quote", "abort-wrong", "request-id-wrong", "like-optimistic")),
    (fifo(kinds=(EventKind.SCRIPT,)), late("jsonp-list")),
    (fifo(kinds=(EventKind.IMAGE,)), late("photo-viewer")),
    (init_system((EventKind.FRAME,)), loading(races.late_iframe_load)),
    (early_click_queue("#contents"), loading(races.module_menu)),
    (early_click_queue("#terms"), loading(races.inline_after_external)),
    (user_until("[data-opens]", Listening("document")), loading(races.delegated_click)),
    (user_until("tab-strip a", Defined("tab-strip")), loading(races.late_element)),
    (init_user(), loading(races.shadow_link)),
    (init_user(), loading(races.undeclared_global)),
    (protect_field("input, textarea"), loading(races.late_focus)),
    (async_user(Action.DISCARD, "*.json"), (name_of(picture_gallery), picture_gallery, "")),
    (fifo(), shown(two_settings)),
    (init_user_plus(), shown(airports)),
    (protect_field("#from"), shown(airports)),
    (order("*/shop.js", "*/offers.js"), shown(inserted_scripts)),
    (fifo(), shown(inserted_scripts)),
]


@pytest.mark.long
@pytest.mark.parametrize(("policy", "case"), REPAIRS, ids=lambda value: getattr(value, "name", "") or value[0])
def test_a_policy_repairs_the_page(page: Page, base: str, policy: Policy, case: tuple[str, Steps, str]) -> None:
    name, steps, right = case
    page.add_init_script(script_of(policy))
    assert play(page, base, name, steps) == (right, [])


@pytest.mark.long
def test_no_second_order_is_sent(page: Page, base: str) -> None:
    page.add_init_script(script_of(atomic("#send")))
    page.goto(base + example("double-submit").path)
    held = Held(page, "/api/orders")
    page.click("#send")
    held.wait(1)
    page.click("#send")
    held.release_all()
    expect(page.locator("#orders li")).to_have_count(1)


@pytest.mark.long
def test_a_button_that_is_busy_until_its_function_is_there(page: Page, base: str) -> None:
    page.add_init_script(script_of(disable_until("button", IsFunction("fn")) | user_until("#none", Present("#x"))))
    page.goto(base + example("wave-fig1").path)
    page.wait_for_load_state()
    expect(page.locator("[aria-busy]")).to_have_count(0)
