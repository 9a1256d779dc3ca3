"""Each bug can be made to show in a browser, and the same steps on the twin come out right."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Error, Page, expect

from jostle.examples import CATALOGUE
from jostle.examples.everyday_pages import EVERYDAY_PAGES
from jostle.examples.growth_pages import GROWTH_PAGES
from jostle.examples.hydration_pages import HYDRATION_PAGES
from jostle.examples.order_pages import ORDER_PAGES
from jostle.examples.race_pages import RACE_PAGES
from jostle.examples.repair_pages import REPAIR_PAGES
from jostle.examples.replayed_pages import REPLAYED_PAGES
from tests.examples.staging import Held, click_if_possible, early_click, let_pass, play, text
from tests.examples.test_slowdowns import SLOW


def slideshow(page: Page, url: str) -> str:
    held = Held(page, r"image[23]\.png")
    page.goto(url)
    held.wait(2)
    held.release(1)
    held.release(0)
    page.click("#next")
    page.click("#next")
    let_pass(page, 200)
    return str(page.get_attribute("#slideshow", "src")).rsplit("/", 1)[1]


def wave_fig1(page: Page, url: str) -> str:
    early_click(page, url, r"lib\.js", "#b1")
    return text(page, "#out")


def wave_fig2(page: Page, url: str) -> str:
    early_click(page, url, r"extn\.js", "#b1")
    return text(page, "#out")


def wave_fig3(page: Page, url: str) -> str:
    early_click(page, url, r"format\.js", "#b1")
    return text(page, "#out")


def search(page: Page, url: str) -> str:
    page.goto(url)
    held = Held(page, "/api/search")
    page.type("#query", "go")
    held.wait(2)
    held.release(1)
    held.release(0)
    return text(page, "#shown").split("“")[1].rstrip("”")


def form_overwrite(page: Page, url: str) -> str:
    held = Held(page, r"search\.js")
    page.goto(url, wait_until="commit")
    page.type("#q", "bandage")
    held.release_all()
    return page.input_value("#q")


def late_handler(page: Page, url: str) -> str:
    early_click(page, url, r"menu\.js", ".link-search")
    return "menu" if page.locator("#menu").is_visible() else page.title()


def undefined_analytics(page: Page, url: str) -> str:
    early_click(page, url, r"analytics\.js", "#item")
    return "menu" if page.locator("#plans").is_visible() else page.title()


def paging(page: Page, url: str) -> str:
    page.goto(url)
    held = Held(page, "/api/rows")
    page.click("#next")
    page.click("#next")
    held.wait(2)
    held.release(1)
    held.release(0)
    return f"{text(page, '#number')} {page.locator('#rows td').first.inner_text()}"


def lost_message(page: Page, url: str) -> str:
    held = Held(page, r"child\.html")
    page.goto(url, wait_until="commit")
    held.wait(2)
    clicked = click_if_possible(page, "#greet-near")
    held.release_all()
    if not clicked:
        page.click("#greet-near")
    let_pass(page, 200)
    return text(page, "#from-near")


def ticker(page: Page, url: str) -> str:
    held = Held(page, "/api/prices")
    page.goto(url)
    expect(page.locator("#market")).to_have_text("closed")
    held.release_all()
    return text(page, "#oats")


def errors(page: Page, url: str) -> str:
    page.goto(url)
    page.select_option("#grain", "spelt")
    page.click("#price")
    return text(page, "#price-shown")


def control_room(page: Page, url: str) -> str:
    page.goto(url)
    for _ in range(2):
        page.click("#delete")
    page.click("#restart")
    return text(page, "#said")


def larder_search(page: Page, url: str) -> str:
    page.goto(url)
    held = Held(page, "/api/search")
    page.type("#search", "le")
    held.wait(1)
    page.type("#search", "mon t")
    held.wait(2)
    held.release(1)
    held.release(0)
    return page.locator("#hits a strong").first.inner_text()


def log_in(page: Page, url: str) -> None:
    page.goto(f"{url}login")
    page.fill("#name", "demo")
    page.fill("#password", "demo")
    page.click("main button")


def larder_favourite(page: Page, url: str) -> str:
    log_in(page, url)
    page.goto(f"{url}recipes/2")
    held = Held(page, "/favourite")
    page.click("#favourite")
    held.wait(1)
    if click_if_possible(page, "#favourite"):
        held.wait(2)
        held.answer_late(0, lambda: held.release(1))
    else:
        held.release(0)
        page.click("#favourite")
        held.wait(2)
        held.release(1)
    let_pass(page, 200)
    return str(page.get_attribute("#favourite", "aria-pressed"))


def larder_menu(page: Page, url: str) -> str:
    held = Held(page, r"menu\.js")
    page.goto(url, wait_until="commit")
    page.click("#categories", no_wait_after=True)
    let_pass(page, 200)
    held.release_all()
    page.wait_for_load_state()
    return "menu" if page.locator("#category-list").is_visible() else page.title()


def larder_profile(page: Page, url: str) -> str:
    log_in(page, url)
    held = Held(page, "/api/profile")
    page.goto(f"{url}profile")
    held.wait(1)
    open_early = page.locator("#city").is_enabled()
    if open_early:
        page.fill("#city", "Odense")
    held.release(0)
    if not open_early:
        page.fill("#city", "Odense")
    return page.input_value("#city")


def larder_comments(page: Page, url: str) -> str:
    """Nodes made for the first and for the fourth comment."""
    page.goto(f"{url}recipes/1")
    page.evaluate(
        "() => { window.made = 0; new MutationObserver((records) => {"
        " for (const record of records) window.made += record.addedNodes.length;"
        " }).observe(document.getElementById('comments'), { childList: true }); }"
    )
    made = []
    for number in range(4):
        page.fill("#comment", f"comment {number}")
        page.click("#comment-form button")
        expect(page.locator("#comments li")).to_have_count(6 + number)
        expect(page.locator("#comment")).to_be_enabled()
        made.append(page.evaluate("() => { const made = window.made; window.made = 0; return made; }"))
    return f"{made[0]} {made[3]}"


SCENARIOS: list[tuple[str, Callable[[Page, str], str], str, str]] = [
    ("slideshow", slideshow, "image2.png", "image3.png"),
    ("slideshow-statistics", slideshow, "image2.png", "image3.png"),
    ("wave-fig1", wave_fig1, "nobody greeted", "hello from lib.js"),
    ("wave-fig2", wave_fig2, "0", "1"),
    ("wave-fig3", wave_fig3, "no data", "In the larder: twelve eggs"),
    ("search-as-you-type", search, "g", "go"),
    ("form-overwrite", form_overwrite, "", "bandage"),
    ("late-handler", late_handler, "Search", "menu"),
    ("undefined-analytics", undefined_analytics, "Plans", "menu"),
    ("paging", paging, "3 Blackcap", "3 Cormorant"),
    ("frames-lost-message", lost_message, "no answer", "greeted 1"),
    ("ticker", ticker, "95", "96"),
    ("errors", errors, "–", "no price"),
    ("control-room", control_room, "0 left", "No slides"),
    ("larder-buggy", larder_search, "Apple crumble", "Lemon tart"),
    ("larder-buggy", larder_favourite, "true", "false"),
    ("larder-buggy", larder_menu, "Categories · Larder", "menu"),
    ("larder-buggy", larder_profile, "Aarhus", "Odense"),
    ("larder-buggy", larder_comments, "6 9", "1 1"),
]
THROWING = {"wave-fig1", "wave-fig2", "wave-fig3", "undefined-analytics", "errors", "control-room"}


def scenario_id(value: object) -> str | None:
    return getattr(value, "__name__", None)


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "steps", "wrong"), [(name, steps, wrong) for name, steps, wrong, _ in SCENARIOS], ids=scenario_id
)
def test_the_bug_shows(page: Page, base: str, name: str, steps: Callable[[Page, str], str], wrong: str) -> None:
    outcome, thrown = play(page, base, name, steps)
    assert outcome == wrong
    assert bool(thrown) == (name in THROWING)


TWINS = [
    (entry.name, steps, right) for name, steps, _, right in SCENARIOS for entry in CATALOGUE if entry.twin_of == name
]


@pytest.mark.long
@pytest.mark.parametrize(("name", "steps", "right"), TWINS, ids=scenario_id)
def test_the_twin_is_right(page: Page, base: str, name: str, steps: Callable[[Page, str], str], right: str) -> None:
    outcome, thrown = play(page, base, name, steps)
    assert outcome == right
    assert not thrown


def test_every_bug_has_a_scenario() -> None:
    shown = {name for name, *_ in SCENARIOS} | {case.name for case in SLOW}
    pages = (
        *RACE_PAGES,
        *EVERYDAY_PAGES,
        *HYDRATION_PAGES,
        *GROWTH_PAGES,
        *ORDER_PAGES,
        *REPLAYED_PAGES,
        *REPAIR_PAGES,
    )
    elsewhere = {entry.name for entry in (*pages, *REPAIR_PAGES)} | {"allotment-buggy"}  # its suite shows them
    assert shown == {entry.name for entry in CATALOGUE if entry.expected} - elsewhere


@pytest.mark.long
@pytest.mark.slow
def test_pages_load_without_complaint(page: Page, base: str) -> None:
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(f"{page.url}: {error}"))
    page.on("console", lambda said: complaints.append(f"{page.url}: {said.text}") if said.type == "error" else None)
    for entry in CATALOGUE:
        page.goto(base + entry.path)
        let_pass(page, 50)
    assert complaints == []


CLICKS = {
    "click": "1", "alert": "seen", "confirm": "yes", "prompt": "nobody", "push": "view 1", "broadcast": "heard 1",
    "channel": "got 1", "post": "posted 1", "worker": "prime 2", "timeout": "over", "idle": "was idle", "frames": "20",
    "microtasks": "5050", "transition": "right", "animation": "bounced", "fetch": "answered",
    "xhr": "Barn owl, Long-eared owl", "jsonp": "from a script", "stream": "line 5", "upload": "100000 bytes",
    "image": "320 × 200", "stylesheet": "applied", "sync": "30 %", "import": "imported", "local": "1", "session": "1",
    "cookie": "set", "indexeddb": "1 stored", "custom": "upgraded", "details-summary": "open", "mutate": "1",
    "grow": "grown 1", "inner": "1", "popup": "open", "download": "asked for", "radio-b": "b", "checkbox": "on",
    "leave": "on",
}  # fmt: skip
STATED_AS = {
    "details-summary": "details", "mutate": "mutation", "grow": "resize", "inner": "shadow", "radio-b": "radio",
}  # fmt: skip


# What has come into view counts as new only if it was seen to be out of view before.
TO_THE_END = """async () => {
  const list = document.getElementById("infinite"), shown = document.getElementById("infinite-state");
  const at = async (top) => {
    list.scrollTo(0, top);
    for (let frames = 0; frames < 2; frames += 1) await new Promise(requestAnimationFrame);
  };
  while (shown.textContent !== "50") { await at(0); await at(list.scrollHeight); }
}"""


@pytest.mark.slow
@pytest.mark.long
def test_the_kitchen_sink_works(page: Page, base: str) -> None:
    page.on("dialog", lambda dialog: dialog.accept(dialog.default_value))
    thrown: list[Error] = []
    page.on("pageerror", lambda error: thrown.append(error))
    page.goto(f"{base}/kitchen-sink/")
    page.wait_for_function("!document.getElementById('main').inert")
    for name, said in CLICKS.items():
        page.click(f"#{name}")
        # On a busy machine the browser is seldom idle.
        expect(page.locator(f"#{STATED_AS.get(name, name)}-state"), name).to_have_text(said, timeout=20_000)

    def says(name: str, said: str) -> None:
        expect(page.locator(f"#{name}-state"), name).to_have_text(said, timeout=20_000)

    page.click("#back")
    says("back", "start")
    held = Held(page, "/api/upload")
    page.click("#upload")
    held.wait(1)
    page.click("#abort")
    says("upload", "aborted")
    page.dblclick("#double")
    says("double", "1")
    page.click("#context", button="right")
    says("context", "menu")
    page.hover("#hover-menu")
    page.click("#hover-item")
    says("hover-menu", "chosen")
    page.keyboard.press("Control+k")
    says("shortcut", "pressed")
    page.drag_and_drop("#drag-one", "#drag-three")
    says("drag-list", "two three one")
    page.click("#open-dialog")
    page.click("#dialog-yes")
    says("open-dialog", "yes")
    page.set_input_files("#file", {"name": "a.txt", "mimeType": "text/plain", "buffer": b"hello"})
    says("file", "a.txt: 5")
    page.select_option("#multiple", ["spring", "autumn"])
    says("multiple", "spring autumn")
    page.fill("#editable", "changed")
    says("editable", "changed")
    page.fill("#form-name", "sage")
    page.click("#form-submit")
    says("form", "sent sage")
    page.evaluate(TO_THE_END)
    says("infinite", "50")
    assert not thrown


@pytest.mark.long
def test_timers_come_to_their_end(page: Page, base: str) -> None:
    page.clock.install()
    page.goto(f"{base}/timers/")
    for _ in range(31):
        page.clock.run_for(1000)
        page.wait_for_timeout(20)  # lets the polled answers arrive
    expect(page.locator("#result")).to_contain_text("all done")
