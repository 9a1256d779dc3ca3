"""What is seen of a test's actions in a real browser, when a page is at rest, and what happens then."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from jostle.adverse.condition import Condition, Ground, Neutral, Pass
from jostle.adverse.plan import Injection, Plan
from jostle.adverse.redundancy import Redundancy
from jostle.adverse.stage import Stage, Wanted
from jostle.adverse.watch import Watch
from jostle.browser.find import find, sandbox_arguments
from tests.browser.live import Request, Site, site_served

PAGE = """<!doctype html><title>page</title>
<button onclick="fetch('/late').then(() => setTimeout(() => { out.textContent = 'done' }, 200))">Go</button>
<label>Name <input></label><a href="/" target=_blank>Another</a><p id=out></p>
<form method=post action="/sent"><button>Send</button></form>
<script>setInterval(() => {}, 10); (function poll() { setTimeout(poll, 15) })(); let calls = 0</script>"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=find().path, args=sandbox_arguments())
        yield launched
        launched.close()


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    def late(request: Request) -> str:
        import time

        time.sleep(0.2)
        return "late"

    with site_served() as site:
        site.serve({"/": PAGE, "/late": late, "/sent": "<p>sent</p><button>Go</button>"})
        yield site


@pytest.fixture(scope="module")
def watch() -> Iterator[Watch]:
    watch = Watch({"set_viewport_size"})
    watch.install()
    yield watch
    watch.uninstall()


@pytest.fixture
def page(browser: Browser, watch: Watch) -> Iterator[Page]:
    context = browser.new_context()
    yield context.new_page()
    watch.stage = None
    context.close()


async def _count(ground: Ground) -> str:
    await ground.evaluate("sessionStorage.calls = 1 + Number(sessionStorage.calls || 0)")
    return ""


async def _begin(ground: Ground) -> str:
    await ground.evaluate("document.title = 'begun'")
    return "value"


async def _end(ground: Ground, value: Any) -> None:
    await ground.evaluate(f"document.title = 'ended with {value}'")


def condition(name: str, in_pass: Pass, **more: Any) -> Condition:
    more.setdefault("inject", _count)
    return Condition(name=name, title=name, what="", why="", in_pass=in_pass, neutral=Neutral.COMMONLY, **more)


CONDITIONS = {
    "kept": condition("kept", Pass.KEPT),
    "rebuilt": condition("rebuilt", Pass.REBUILT),
    "lasting": condition("lasting", Pass.ENVIRONMENT, inject=_begin, end=_end),
}


def staged(watch: Watch, *names: str, only: set[Injection] | None = None, **more: Any) -> Stage:
    plan = Plan.of(only, names) if only is not None else Plan(conditions=names)
    watch.stage = stage = Stage(plan, CONDITIONS, **more)
    watch.test_file = __file__
    stage.phase = "call"
    return stage


def test_one_point_for_each_action(page: Page, watch: Watch, site: Site) -> None:
    stage = staged(watch, "kept")
    page.goto(f"{site.url}/")
    page.get_by_label("Name").fill("x")
    page.mouse.move(1, 1)
    page.mouse.down()
    page.keyboard.press("Escape")
    page.mouse.up()
    with page.expect_popup() as info:
        page.get_by_role("link", name="Another").click()
    info.value.close()
    assert [(point.api, point.words, point.suspended) for point in stage.points] == [
        ("Page.goto", "go to /", ""),
        ("Locator.fill", 'fill in field "Name"', ""),
        ("Keyboard.press", "press Escape", "mouse button down"),
        ("Mouse.up", "let go", ""),
        ("Locator.click", 'click link "Another"', ""),
    ]
    assert [each.point for each in stage.performed] == [1, 2, 4, 5]
    assert all(point.where.startswith(f"{__file__}:") for point in stage.points)
    assert page.evaluate("Number(sessionStorage.calls)") == 4
    assert "set_viewport_size" not in stage.calls


def test_at_rest(page: Page, watch: Watch, site: Site) -> None:
    """The request, and the timer that its answer sets, are waited for; intervals and timers without end are not."""
    stage = staged(watch)
    page.goto(f"{site.url}/")
    page.get_by_role("button", name="Go").click()
    assert page.locator("#out").text_content() == "done"
    assert [point.busy for point in stage.points] == ["", ""]


def test_where_documents_are_not_built_anew(page: Page, watch: Watch, site: Site) -> None:
    stage = staged(watch, "rebuilt")
    page.goto(f"{site.url}/")
    assert page.evaluate("document.title") == "page"
    page.get_by_label("Name").fill("a")
    page.evaluate("calls = 7")
    page.get_by_label("Name").fill("b")
    page.goto(f"{site.url}/")
    page.get_by_role("button", name="Send").click()
    assert [bool(point.barred) for point in stage.points] == [False, False, True, False, True]
    assert [each.point for each in stage.performed] == [1, 2, 4]
    assert stage.changes == ["POST /sent"]


def test_around_the_following_action(page: Page, watch: Watch, site: Site) -> None:
    stage = staged(watch, only={Injection(1, "lasting")})
    page.goto(f"{site.url}/")
    assert page.title() == "begun"
    page.get_by_label("Name").fill("a")
    assert page.title() == "begun"
    page.get_by_label("Name").fill("b")
    assert page.title() == "ended with value"
    assert stage.performed == [Injection(1, "lasting")]
    assert not stage.unfinished


def test_what_lasts_ends_with_the_test(page: Page, watch: Watch, site: Site) -> None:
    stage = staged(watch, "lasting")
    page.goto(f"{site.url}/")
    page.get_by_label("Name").fill("a")
    assert stage.unfinished
    watch.after_test()
    assert page.title() == "ended with value"


def test_set_up_does_not_count(page: Page, watch: Watch, site: Site) -> None:
    stage = staged(watch, "kept")
    stage.phase = "setup"
    page.goto(f"{site.url}/")
    assert not stage.points
    stage.phase = "call"
    page.get_by_label("Name").fill("a")
    assert [point.number for point in stage.points] == [1]


def test_what_handlers_do_is_no_action(page: Page, watch: Watch, site: Site) -> None:
    stage = staged(watch, "kept")
    page.goto(f"{site.url}/")
    fill = page.get_by_label("Name").fill
    page.add_locator_handler(page.get_by_role("button", name="Go"), lambda: fill("h"), no_wait_after=True, times=1)
    page.get_by_role("link", name="Another").hover()
    assert [point.words for point in stage.points] == ["go to /", 'hover link "Another"']


def test_equal_situations_and_pictures(page: Page, watch: Watch, site: Site) -> None:
    wanted = Wanted(around=frozenset({Injection(1, "kept")}), after=2)
    stage = staged(watch, "kept", redundancy=Redundancy(), wanted=wanted)
    page.goto(f"{site.url}/")
    page.get_by_label("Name").fill("a")
    page.get_by_label("Name").fill("bcd")
    assert [each.point for each in stage.performed] == [1, 2]
    assert stage.skipped == 1
    assert set(stage.pictures) == {"before", "after", "end"}
    assert all(each.png.startswith(b"\x89PNG") for each in stage.pictures.values())


def test_a_page_that_is_closed(page: Page, watch: Watch, site: Site) -> None:
    stage = staged(watch, "kept")
    page.goto(f"{site.url}/")
    page.evaluate("setTimeout(close, 300)")
    page.get_by_label("Name").fill("a")
    page.close()
    assert [point.number for point in stage.points] == [1, 2]


def test_without_a_stage_nothing_is_seen(page: Page, watch: Watch, site: Site) -> None:
    watch.stage = None
    page.goto(f"{site.url}/")
    page.get_by_label("Name").fill("a")
    assert page.evaluate("'calls' in sessionStorage") is False
