"""Each race can be made to show in a browser, and the same steps on the twin come out right."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

import pytest
from playwright.sync_api import Error, Page, WebSocketRoute, expect

from jostle.examples import example
from jostle.examples.race_pages import RACE_PAGES
from tests.examples.staging import Held, click_if_possible, early_click, let_pass, play, text

pytestmark = pytest.mark.long

Steps = Callable[[Page, str], str]


class Late(NamedTuple):
    """Two things a user does, the answers to which come in the wrong order."""

    name: str
    answers: str
    """The requests whose answers are held."""
    first: str
    second: str
    """Each is what to click, or `field := text`."""
    seen: str
    """JavaScript that gives what is seen at the end."""
    right: str
    wrong: str = ""
    """Empty for a page that has no bug."""
    asks: int = 2
    """How many requests there are before the first answer."""
    twin_asks: int = 2
    """How many there are on the twin."""

    def in_good_order(self, page: Page, url: str) -> str:
        """The first answer comes before the second thing is done."""
        page.goto(url)
        held = Held(page, self.answers)
        act(page, self.first)
        held.wait(1)
        held.release_all()
        act(page, self.second)
        page.wait_for_function("([seen, right]) => String(eval(seen)) === right", arg=[self.seen, self.right])
        return self.right

    def backwards(self, page: Page, url: str) -> str:
        """The answer that was asked for first comes last."""
        page.goto(url)
        held = Held(page, self.answers)
        act(page, self.first)
        held.wait(1)
        act(page, self.second)
        held.wait(self.asks)
        held.release_backwards()
        return str(page.evaluate(self.seen))


def act(page: Page, step: str) -> None:
    """Do it, if the page lets one."""
    selector, _, value = step.partition(" := ")
    target = page.locator(selector)
    if not target.is_visible() or not target.is_enabled():
        return
    if not value:
        target.click(no_wait_after=True)
    elif target.evaluate("(field) => field instanceof HTMLSelectElement"):
        target.select_option(value)
    else:
        target.fill(value)


LIST = "document.querySelector('ul, ol').innerText.replaceAll('\\n', ' ')"
WEATHER = "document.getElementById('weather').innerText"
BERGEN, OSLO = "button:text('Bergen')", "button:text('Oslo')"
LATE = (
    Late(
        "station-filters", "/api/stations", "#car-wash", "#diesel", LIST,
        right="Bridge Street Old Mill", wrong="Bridge Street North Gate Old Mill",
    ),
    Late(
        "fill-and-clear", "/api/greeting", "#fill", "#clear", "notice.innerText",
        right="", wrong="The library is open today from 10 to 19.", asks=1, twin_asks=1,
    ),
    Late(
        "latest-quote", "/api/quote", "#another", "#another", "quote.innerText",
        right="2. Look before you leap.", wrong="1. Many hands make light work.",
    ),
    Late(
        "jsonp-list", "/api/birds", "button:text('Finches')", "button:text('Owls')", LIST,
        right="Barn owl Long-eared owl", wrong="Bullfinch Chaffinch Goldfinch Greenfinch Hawfinch",
    ),
    Late("abort-wrong", "/api/weather", BERGEN, OSLO, WEATHER, right="Oslo: Sun, 14 °C", wrong="Bergen: Rain, 9 °C"),
    Late(
        "request-id-wrong", "/api/weather", BERGEN, OSLO, WEATHER,
        right="Oslo: Sun, 14 °C", wrong="Bergen: Rain, 9 °C",
    ),
    Late(
        "debounced-search", "/api/search", "#query := tern", "#query := owl", "shown.innerText",
        right="2 birds for “owl”", wrong="2 birds for “tern”",
    ),
    Late(
        "infinite-list", "/api/trees", "#more", "#sort := height", "trees.childElementCount",
        right="4", wrong="8",
    ),
    Late(
        "infinite-list", "/api/trees", "#more", "#more",
        "trees.childElementCount - new Set(trees.innerText.split('\\n')).size",
        right="0", wrong="4", twin_asks=1,
    ),
    Late(
        "cart-quantity", "/api/cart", "#plus", "#plus", "quantity + ' ' + total.innerText",
        right="7 28", wrong="6 24", twin_asks=1,
    ),
    Late("like-optimistic", "/api/like", "#like", "#like", "like.innerText", right="Like", wrong="Liked"),
    Late(
        "async-handler", "/api/price", "[data-item=apples]", "[data-item=bread]",
        "document.getElementById('total').innerText", right="7", wrong="3",
    ),
    Late(
        "chained-requests", r"/api/shops\?", "[data-kind=bakery]", "[data-kind=library]", "hours.innerText",
        right="The library is open from 10 to 19.", wrong="The bakery is open from 6 to 14.",
    ),
    Late(
        "double-submit", "/api/orders", "#send", "#send", "orders.childElementCount",
        right="1", wrong="2", twin_asks=1,
    ),
    Late(
        "exception-only", "/api/greeting", "#details", "#close", "place.innerText",
        right="", wrong="", asks=1, twin_asks=1,
    ),
    Late(
        "stale-storage", "/api/draft", "#note := milk", "#discard", "localStorage.getItem('draft') ?? 'none'",
        right="none", wrong="milk", asks=1, twin_asks=1,
    ),
    Late(
        "six-tiles", "/api/(tile|stations)", "#map", "#list", "document.getElementById('shown').innerText",
        right="Bridge Street, Harbour, Market, North Gate, Old Mill, Ring Road",
        wrong="A map of 6 tiles, 1200 kB", asks=7, twin_asks=7,
    ),
    Late("worker-fetch", "/api/weather", BERGEN, OSLO, WEATHER, right="Oslo: Sun, 14 °C", wrong="Bergen: Rain, 9 °C"),
    Late(
        "photo-viewer", "/api/photo", "[data-photo=dune]", "[data-photo=fjord]", "caption.innerText",
        right="Fjord", wrong="Dune",
    ),
    Late(
        "live-scores", "/api/scores", "[data-match=north]", "[data-match=east]", "score.innerText",
        right="East 0 – 3 West", wrong="North 2 – 1 South",
    ),
    Late(
        "streamed-answer", "/api/answer", "[data-about=hours]", "[data-about=lost]",
        "document.getElementById('answer').innerText",
        right="Ask for it at the front desk.", wrong="Ask for it at the front desk.We are open from 10 to 19.",
    ),
    Late("disjoint-areas", "/api/", "#show-weather", "#show-notice", WEATHER, right="Rain, 9 °C"),
    Late(
        "commuting-updates", "/api/inbox", "[data-action=read]", "[data-action=archive]", "left.innerText",
        right="0 messages",
    ),
    Late("live-counter", "/api/quote", "#another", "#another", "quote.innerText", right="2. Look before you leap."),
    Late("xhr-reuse", "/api/weather", BERGEN, OSLO, WEATHER, right="Oslo: Sun, 14 °C"),
    Late("removed-target", "/api/trees", "#next", "#tall", LIST, right="Pine, 36 m Oak, 38 m Beech, 40 m Larch, 45 m"),
)  # fmt: skip
BUGS = [race for race in LATE if example(race.name).expected]
HARMLESS = [race for race in LATE if not example(race.name).expected] + [
    race._replace(name=entry.name, asks=race.twin_asks)
    for race in BUGS
    for entry in RACE_PAGES
    if entry.twin_of == race.name
]


def race_id(race: Late) -> str:
    return f"{race.name}-{race.second}"


@pytest.mark.parametrize("race", BUGS, ids=race_id)
def test_a_late_answer_shows_the_bug(page: Page, base: str, race: Late) -> None:
    assert play(page, base, race.name, race.in_good_order) == (race.right, [])
    page.evaluate("localStorage.clear()")
    page.unroute_all()
    outcome, thrown = play(page, base, race.name, race.backwards)
    assert outcome == race.wrong
    assert bool(thrown) == ("exception" in example(race.name).expected)


@pytest.mark.parametrize("race", HARMLESS, ids=race_id)
def test_a_late_answer_does_no_harm(page: Page, base: str, race: Late) -> None:
    assert play(page, base, race.name, race.backwards) == (race.right, [])


@pytest.mark.parametrize(("name", "shown"), [("ticker-and-filter", 4), ("ticker-and-filter-fixed", 2)])
def test_a_late_message(page: Page, base: str, name: str, shown: int) -> None:
    pushed: list[tuple[WebSocketRoute, str | bytes]] = []

    def hold(socket: WebSocketRoute) -> None:
        socket.connect_to_server().on_message(lambda message: pushed.append((socket, message)))

    page.route_web_socket(re.compile("/ws/departures"), hold)
    page.goto(base + example(name).path)
    page.click("#live")
    page.select_option("#line", "Coast")
    expect(page.locator("#departures li")).to_have_count(1)
    for _ in range(500):
        if pushed:
            break
        page.wait_for_timeout(10)
    [(socket, message)] = pushed
    socket.send(message)
    expect(page.locator("#departures li")).to_have_count(shown)


def test_nothing_can_be_done_behind_the_spinner(page: Page, base: str) -> None:
    page.goto(f"{base}/spinner-guard/")
    held = Held(page, "/api/weather")
    page.click(BERGEN)
    held.wait(1)
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    with pytest.raises(Error, match="intercepts pointer events"):
        page.click(OSLO, timeout=500)
    held.release_all()
    page.click(OSLO)
    expect(page.locator("#weather")).to_have_text("Oslo: Sun, 14 °C")


def test_there_is_no_next_page_of_the_tall_trees(page: Page, base: str) -> None:
    page.goto(f"{base}/removed-target/")
    held = Held(page, "/api/trees")
    page.click("#tall")
    held.wait(1)
    expect(page.locator("#next")).to_have_count(0)


def test_the_number_of_visitors_differs(page: Page, base: str) -> None:
    def visitors() -> str:
        page.goto(f"{base}/live-counter/")
        expect(page.locator("#visitors")).to_have_text(re.compile(r"\d+"))
        return text(page, "#visitors")

    assert visitors() != visitors()


def held_while_loading(page: Page, url: str, script: str) -> Held:
    held = Held(page, script)
    page.goto(url, wait_until="commit")
    page.wait_for_selector("h1")
    return held


def late_query_field(page: Page, url: str) -> str:
    held = held_while_loading(page, url, r"search\.js")
    page.fill("#q", "bowl")
    page.select_option("#sort", "price")
    page.check("#stock")
    held.release_all()
    return f"{page.input_value('#q')} {page.input_value('#sort')} {page.is_checked('#stock')}"


def late_focus(page: Page, url: str) -> str:
    held = held_while_loading(page, url, r"start\.js")
    page.click("#message")
    page.keyboard.type("hel")
    held.release_all()
    page.keyboard.type("lo")
    return f"{page.input_value('#name')}, {page.input_value('#message')}"


def late_iframe_load(page: Page, url: str) -> str:
    held = held_while_loading(page, url, r"(status|about)\.js")
    held.wait(1)
    expect(page.frame_locator("#map").locator("p")).to_contain_text("You are here")
    page.wait_for_function("document.getElementById('map').contentDocument.readyState === 'complete'")
    let_pass(page, 100)
    held.release_all()
    return text(page, "#status")


def hydration(page: Page, url: str) -> str:
    held = held_while_loading(page, url, r"app\.js")

    def add() -> None:
        page.fill("input", "Sow")
        page.click("button", no_wait_after=True)
        let_pass(page, 100)

    open_early = page.locator("button").is_enabled()
    if open_early:
        add()
    held.release_all()
    if not open_early:
        add()
    page.wait_for_load_state()
    return " ".join(page.locator("h1, li").all_inner_texts())


def late_element(page: Page, url: str) -> str:
    early_click(page, url, r"tab-strip\.js", "#fish")
    return text(page, "h1")


def module_menu(page: Page, url: str) -> str:
    held = held_while_loading(page, url, r"menu\.js")
    page.click("#contents", no_wait_after=True)
    let_pass(page, 200)
    held.release_all()
    page.wait_for_load_state()
    return "menu" if page.locator("#menu").is_visible() else text(page, "h1")


def undeclared_global(page: Page, url: str) -> str:
    held = held_while_loading(page, url, r"omni\.js")
    click_if_possible(page, "#buy")
    held.release_all()
    return text(page, "#state")


def inline_after_external(page: Page, url: str) -> str:
    early_click(page, url, r"banner\.js", "#terms")
    return text(page, "h1")


def delegated_click(page: Page, url: str) -> str:
    early_click(page, url, r"links\.js", "[data-opens]")
    return text(page, "h1")


def shadow_link(page: Page, url: str) -> str:
    early_click(page, url, r"menu\.js", "#all")
    return text(page, "h1")


def async_write(page: Page, url: str) -> str:
    held = held_while_loading(page, url, r"profile\.js")
    page.fill("#name", "Me")
    held.release_all()
    return page.input_value("#name")


def timer_write(page: Page, url: str) -> str:
    page.clock.install(time=0)
    page.clock.pause_at(1)
    page.goto(url)
    page.fill("#town", "Odense")
    page.clock.run_for(600)
    return page.input_value("#town")


LOADING: list[tuple[Steps, str, str]] = [
    (late_query_field, " name False", "bowl price True"),
    (late_focus, "lo, hel", ", hello"),
    (late_iframe_load, "Loading the map …", "The map is complete"),
    (hydration, "Added", "Tasks Water the plants Sow"),
    (late_element, "Fish", "Market"),
    (module_menu, "Contents", "menu"),
    (undeclared_global, "For sale", "Yours"),
    (inline_after_external, "Terms", "Club"),
    (delegated_click, "Help", "Desk"),
    (shadow_link, "All dishes", "Canteen"),
    (timer_write, "Aarhus", "Odense"),
    (async_write, "Guest", "Me"),
]
EARLY = [
    (name, steps, outcome)
    for steps, wrong, right in LOADING
    for name, outcome in [
        (steps.__name__.replace("_", "-"), wrong),
        (steps.__name__.replace("_", "-") + "-fixed", right),
    ]
]


@pytest.mark.parametrize(("name", "steps", "outcome"), EARLY, ids=lambda value: value if isinstance(value, str) else "")
def test_acting_before_the_page_is_ready(page: Page, base: str, name: str, steps: Steps, outcome: str) -> None:
    seen, thrown = play(page, base, name, steps)
    assert seen == outcome
    assert bool(thrown) == ("access-before-definition" in example(name).expected)


def test_every_race_has_a_scenario() -> None:
    shown = {race.name for race in LATE} | {name for name, *_ in EARLY} | {"ticker-and-filter"}
    assert shown >= {entry.name for entry in RACE_PAGES if entry.expected}


@pytest.mark.parametrize(
    ("name", "field", "value"),
    [("hidden-field", "#greeting", "Many happy returns"), ("immediate-write", "#guests", "2")],
)
def test_fields_are_set_while_the_page_is_parsed(page: Page, base: str, name: str, field: str, value: str) -> None:
    page.goto(base + example(name).path)
    assert page.input_value(field) == value
    assert page.locator("script[src]").count() == 0


def test_the_browser_leaves_the_focus_where_it_is(page: Page, base: str) -> None:
    held = held_while_loading(page, f"{base}/late-autofocus/", r"empty\.js")
    page.click("#mail")
    page.keyboard.type("me")
    held.release_all()
    page.wait_for_selector("#name")
    page.keyboard.type("@a")
    assert (page.input_value("#mail"), page.input_value("#name")) == ("me@a", "")


@pytest.mark.parametrize(
    ("name", "script", "field"), [("guarded-write", r"names\.js", "#name"), ("reset-button", r"form\.js", "#colour")]
)
def test_late_scripts_leave_what_was_typed(page: Page, base: str, name: str, script: str, field: str) -> None:
    held = held_while_loading(page, base + example(name).path, script)
    page.fill(field, "red")
    held.release_all()
    assert page.input_value(field) == "red"


def test_a_late_handler_that_changes_nothing(page: Page, base: str) -> None:
    early_click(page, f"{base}/redundant-handler/", r"links\.js", "#prices")
    page.wait_for_url("**/prices.html")
    page.goto(f"{base}/redundant-handler/")
    page.click("#prices")
    page.wait_for_url("**/prices.html")


@pytest.mark.parametrize(
    ("name", "script", "clicks", "early", "late"),
    [
        ("always-crashes", r"post\.js", ["#send"], 1, 1),
        ("two-event-crash", r"basket\.js", ["#empty"], 0, 0),
        ("two-event-crash", r"basket\.js", ["#count"], 0, 0),
        ("two-event-crash", r"basket\.js", ["#empty", "#count"], 1, 0),
    ],
)
def test_crashes_early_and_late(
    page: Page, base: str, name: str, script: str, clicks: list[str], early: int, late: int
) -> None:
    thrown: list[Error] = []
    page.on("pageerror", lambda error: thrown.append(error))

    def crashes() -> int:
        thrown.clear()
        for selector in clicks:
            click_if_possible(page, selector)
        return len(thrown)

    held = held_while_loading(page, base + example(name).path, script)
    held.wait(1)
    assert crashes() == early
    held.release_all()
    page.goto(base + example(name).path)
    assert crashes() == late
