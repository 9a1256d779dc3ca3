"""What is seen of a test's actions in a real browser, when a page is at rest, and what happens then."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, sync_playwright
from playwright.sync_api import TimeoutError as InVain

from jostle.adverse.condition import Condition, Ground, Neutral, Pass
from jostle.adverse.pictures import PicturePlan
from jostle.adverse.plan import Injection, InjectionPlan
from jostle.adverse.redundancy import TriedSituations
from jostle.adverse.run import AdverseRun, RunSetup
from jostle.adverse.timeouts import Timeouts
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
    watch.run = None
    context.close()


def doing(script: str) -> Callable[[Ground], Awaitable[str]]:
    """A condition that is done by a script."""

    async def inject(ground: Ground) -> str:
        await ground.evaluate(script)
        return ""

    return inject


async def _begin(ground: Ground) -> str:
    await ground.evaluate("document.title = 'begun'")
    return "value"


async def _end(ground: Ground, value: Any) -> None:
    await ground.evaluate(f"document.title = 'ended with {value}'")


COUNT = doing("sessionStorage.calls = 1 + Number(sessionStorage.calls || 0)")
WRITE = doing("document.getElementById('out').textContent = 'written', 0")
THROW = doing("void setTimeout(() => { throw new Error('alas'); })")
ASK = doing("window.waiting = true; void fetch('/late').then(() => { window.waiting = false; })")
LOOK_AROUND = doing("window.met = window.waiting")
PUT_OFF = doing("void setTimeout(() => { document.getElementById('out').textContent = 'at last'; }, 150)")
PAINT = doing(
    "void requestAnimationFrame(() => { out.textContent = 'soon'; "
    "requestAnimationFrame(() => { out.textContent = 'at last'; }); })"
)


def condition(name: str, in_pass: Pass, **more: Any) -> Condition:
    more.setdefault("inject", COUNT)
    return Condition(name=name, title=name, what="", why="", in_pass=in_pass, neutral=Neutral.COMMONLY, **more)


CONDITIONS = {
    "kept": condition("kept", Pass.KEPT),
    "rebuilt": condition("rebuilt", Pass.REBUILT),
    "lasting": condition("lasting", Pass.ENVIRONMENT, inject=_begin, end=_end),
    "for titles": condition("for titles", Pass.KEPT, matters="document.title === 'Sent'"),
    "promised": condition("promised", Pass.KEPT, matters="Promise.resolve(document.title === 'Sent')"),
    "broken": condition("broken", Pass.KEPT, matters="nobody.knows"),
    "writing": condition("writing", Pass.KEPT, inject=WRITE),
    "throwing": condition("throwing", Pass.KEPT, inject=THROW),
    "asking": condition("asking", Pass.KEPT, inject=ASK),
    "alone": condition("alone", Pass.KEPT, inject=LOOK_AROUND),
    "putting off": condition("putting off", Pass.KEPT, inject=PUT_OFF),
    "painting": condition("painting", Pass.KEPT, inject=PAINT),
    "putting off at once": condition("putting off at once", Pass.KEPT, inject=PUT_OFF, at_once=True),
    "painting at once": condition("painting at once", Pass.KEPT, inject=PAINT, at_once=True),
    "asking at once": condition("asking at once", Pass.KEPT, inject=ASK, at_once=True),
    "writing at once": condition("writing at once", Pass.KEPT, inject=WRITE, at_once=True),
    "silent at once": condition("silent at once", Pass.KEPT, at_once=True),
}


def running(watch: Watch, *names: str, only: set[Injection] | None = None, **more: Any) -> AdverseRun:
    plan = InjectionPlan.of(only, names) if only is not None else InjectionPlan(conditions=names)
    watch.run = run = AdverseRun(RunSetup(plan=plan, **more), CONDITIONS)
    watch.test_file = __file__
    run.phase = "call"
    return run


def test_one_point_for_each_action(page: Page, watch: Watch, site: Site) -> None:
    run = running(watch, "kept")
    page.goto(f"{site.url}/")
    page.get_by_label("Name").fill("x")
    page.mouse.move(1, 1)
    page.mouse.down()
    page.keyboard.press("Escape")
    page.mouse.up()
    with page.expect_popup() as info:
        page.get_by_role("link", name="Another").click()
    info.value.close()
    assert [(point.api, point.words, point.suspended) for point in run.points] == [
        ("Page.goto", "go to /", ""),
        ("Locator.fill", 'fill in field "Name"', ""),
        ("Keyboard.press", "press Escape", "mouse button down"),
        ("Mouse.up", "let go", ""),
        ("Locator.click", 'click link "Another"', ""),
    ]
    assert [each.point for each in run.performed] == [1, 2, 4, 5]
    assert all(point.where.startswith(f"{__file__}:") for point in run.points)
    assert page.evaluate("Number(sessionStorage.calls)") == 4
    assert "set_viewport_size" not in run.calls


@pytest.mark.parametrize("name", ["putting off", "painting", "putting off at once", "painting at once"])
def test_the_page_is_at_rest_again_when_conditions_are_over(page: Page, watch: Watch, site: Site, name: str) -> None:
    running(watch, name)
    page.goto(f"{site.url}/")
    assert page.evaluate("out.textContent") == "at last"


@pytest.mark.parametrize("milliseconds", [0, 300])
def test_frames_that_the_page_asks_for_are_waited_for(page: Page, watch: Watch, site: Site, milliseconds: int) -> None:
    """One asks for the next, and nothing is to be seen before the last; however long a machine takes to paint one."""
    if milliseconds:
        page.context.add_init_script(
            "{ const { requestAnimationFrame, setTimeout } = globalThis; globalThis.requestAnimationFrame = "
            f"(callback) => setTimeout(() => requestAnimationFrame(callback), {milliseconds}); }}"
        )
    running(watch)
    page.goto(f"{site.url}/")
    page.evaluate(
        "document.querySelector('input').oninput = () => setTimeout(() => requestAnimationFrame("
        "() => requestAnimationFrame(() => { out.textContent = 'drawn'; })), 100), 0"
    )
    page.get_by_label("Name").fill("x")
    assert page.evaluate("out.textContent") == "drawn"


def test_at_rest(page: Page, watch: Watch, site: Site) -> None:
    """The request, and the timer that its answer sets, are waited for; intervals and timers without end are not."""
    run = running(watch)
    page.goto(f"{site.url}/")
    page.get_by_role("button", name="Go").click()
    assert page.locator("#out").text_content() == "done"
    assert [point.busy for point in run.points] == ["", ""]


def test_what_cannot_matter_does_not_happen(page: Page, watch: Watch, site: Site) -> None:
    run = running(watch, "for titles", "promised", "broken")
    page.goto(f"{site.url}/")
    page.evaluate("document.title = 'Sent'")
    page.get_by_label("Name").fill("x")
    assert run.performed == [(1, "broken"), (2, "for titles"), (2, "promised"), (2, "broken")]


@pytest.mark.parametrize("name", ["asking", "asking at once"])
def test_no_condition_meets_what_the_page_asked_for_because_of_another(
    page: Page, watch: Watch, site: Site, name: str
) -> None:
    run = running(watch, name, "alone")
    page.goto(f"{site.url}/")
    assert run.performed == [(1, name), (1, "alone")]
    assert page.evaluate("window.met") is False


def test_who_is_suspect(page: Page, watch: Watch, site: Site) -> None:
    """Whatever makes the page look otherwise; the second time it does not. What throws is, too."""
    run = running(watch, "kept", "writing", "throwing")
    page.goto(f"{site.url}/")
    assert run.suspects == [(1, "writing"), (1, "throwing")]
    page.get_by_label("Name").fill("x")
    assert run.suspects[2:] == [(2, "throwing")]
    at_once = running(watch, "silent at once", "writing at once", "painting at once")
    page.goto(f"{site.url}/")
    assert at_once.suspects == [(1, "writing at once"), (1, "painting at once")]
    again = running(watch, "kept", "writing", only={Injection(1, "writing")})
    page.goto(f"{site.url}/")
    assert again.performed == [(1, "writing")] and again.suspects == []


def test_how_long_things_take(page: Page, watch: Watch, site: Site) -> None:
    """What the test does and waits for; not how long a page takes to come to rest."""
    run = running(watch)
    page.goto(f"{site.url}/")
    before, began = run.longest_action, time.monotonic()
    page.get_by_role("button", name="Go").click()
    assert run.longest_action <= max(before, time.monotonic() - began - 0.2)  # its answer takes 200 ms
    acted, between = run.longest_action, run.longest_between
    page.wait_for_timeout(1000 * (between + 0.5))
    began = time.monotonic()
    page.get_by_label("Name").fill("x")
    assert run.longest_between >= between + 0.5
    assert run.longest_action <= max(acted, time.monotonic() - began)


def test_runs_in_which_a_failure_is_looked_for_wait_less(page: Page, watch: Watch, site: Site) -> None:
    page.set_default_timeout(60_000)
    page.goto(f"{site.url}/")
    running(watch, timeouts=Timeouts(action=0.3, assertion=9))
    with pytest.raises(InVain, match="Timeout 300ms"):
        page.get_by_label("Nobody").fill("x")
    with pytest.raises(InVain, match="Timeout 200ms"):
        page.get_by_label("Nobody").click(timeout=200)  # who says so himself is believed


def test_where_documents_are_not_built_anew(page: Page, watch: Watch, site: Site) -> None:
    run = running(watch, "rebuilt")
    page.goto(f"{site.url}/")
    assert page.evaluate("document.title") == "page"
    page.get_by_label("Name").fill("a")
    page.evaluate("calls = 7")
    page.get_by_label("Name").fill("b")
    page.goto(f"{site.url}/")
    page.get_by_role("button", name="Send").click()
    assert [bool(point.barred) for point in run.points] == [False, False, True, False, True]
    assert [each.point for each in run.performed] == [1, 2, 4]
    assert run.changes == ["POST /sent"]


def test_around_the_following_action(page: Page, watch: Watch, site: Site) -> None:
    run = running(watch, only={Injection(1, "lasting")})
    page.goto(f"{site.url}/")
    assert page.title() == "begun"
    page.get_by_label("Name").fill("a")
    assert page.title() == "begun"
    page.get_by_label("Name").fill("b")
    assert page.title() == "ended with value"
    assert run.performed == [Injection(1, "lasting")]
    assert not run.unfinished


def test_what_lasts_ends_with_the_test(page: Page, watch: Watch, site: Site) -> None:
    run = running(watch, "lasting")
    page.goto(f"{site.url}/")
    page.get_by_label("Name").fill("a")
    assert run.unfinished
    watch.after_test()
    assert page.title() == "ended with value"


def test_set_up_does_not_count(page: Page, watch: Watch, site: Site) -> None:
    run = running(watch, "kept")
    run.phase = "setup"
    page.goto(f"{site.url}/")
    assert not run.points
    run.phase = "call"
    page.get_by_label("Name").fill("a")
    assert [point.number for point in run.points] == [1]


def test_what_handlers_do_is_no_action(page: Page, watch: Watch, site: Site) -> None:
    run = running(watch, "kept")
    page.goto(f"{site.url}/")
    fill = page.get_by_label("Name").fill
    page.add_locator_handler(page.get_by_role("button", name="Go"), lambda: fill("h"), no_wait_after=True, times=1)
    page.get_by_role("link", name="Another").hover()
    assert [point.words for point in run.points] == ["go to /", 'hover link "Another"']


def test_equal_situations_and_pictures(page: Page, watch: Watch, site: Site) -> None:
    pictures = PicturePlan(around=frozenset({Injection(1, "kept")}), after=2)
    run = running(watch, "kept", redundancy=TriedSituations(), pictures=pictures)
    page.goto(f"{site.url}/")
    page.get_by_label("Name").fill("a")
    page.get_by_label("Name").fill("bcd")
    assert [each.point for each in run.performed] == [1, 2]
    assert run.skipped == 1
    assert set(run.pictures) == {"before", "after", "end"}
    assert all(each.png.startswith(b"\x89PNG") for each in run.pictures.values())


def test_a_page_that_is_closed(page: Page, watch: Watch, site: Site) -> None:
    run = running(watch, "kept")
    page.goto(f"{site.url}/")
    page.evaluate("document.querySelector('input').oninput = () => setTimeout(close, 300), 0")
    page.get_by_label("Name").fill("a")
    page.close()
    assert [point.number for point in run.points] == [1, 2]


def test_without_a_run_nothing_is_seen(page: Page, watch: Watch, site: Site) -> None:
    watch.run = None
    page.goto(f"{site.url}/")
    page.get_by_label("Name").fill("a")
    assert page.evaluate("'calls' in sessionStorage") is False
