"""The controller in a page that jostle drives: it runs after the page's agent, and events keep their names."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest

from jostle.repair.catalogue import async_user, fifo, init_system, init_user, init_user_plus, latest_only
from jostle.repair.policy import Action, Policy
from jostle.repair.script import READ_REPORT, ControllerReport, script_of
from tests.browser.live import Browser, Site, browser_launched, site_served
from tests.browser.story import Telling, tell


@pytest.fixture(scope="module")
def launched() -> Iterator[Browser]:
    with browser_launched() as browser:
        yield browser


@pytest.fixture
def browser(launched: Browser) -> Iterator[Browser]:
    yield launched
    launched.close_apps()


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with site_served() as served:
        yield served


def page_with(policy: Policy | None, body: str) -> str:
    first = "<script src=/repair.js></script>" if policy else ""
    return f"<!doctype html><title>A page</title>{first}\n{body}"


def served(site: Site, policy: Policy | None, body: str, **files: str) -> str:
    pages = {f"/{name}": text for name, text in files.items()}
    return site.serve({"/": page_with(policy, body), "/repair.js": script_of(policy) if policy else "", **pages})


def report(page: Telling) -> ControllerReport:
    return msgspec.convert(page.ask(READ_REPORT), ControllerReport)


ASKING = """<p id=shown></p><script>
const show = async (n) => { const answer = await fetch("/r" + n); shown.textContent += await answer.text(); };
show(1); show(2);
</script>"""


@pytest.mark.parametrize(("policy", "shown"), [(None, "21"), (fifo(), "12"), (latest_only(), "2")])
def test_responses_in_the_bad_order(browser: Browser, site: Site, policy: Policy | None, shown: str) -> None:
    url = served(site, policy, ASKING, r1="1", r2="2")

    def story(page: Telling) -> None:
        page.let("GET /")
        if policy:
            page.let("GET /repair.js")
        page.let("GET /r2")
        page.let("GET /r1")
        assert page.ask("shown.textContent") == shown
        assert page.names() == []  # nothing of ours is left to happen
        if policy:
            assert report(page).waiting == 0

    tell(browser, url, story)


TIMED = """<p id=shown></p><script>
setTimeout(() => { shown.textContent += "a"; setTimeout(() => { shown.textContent += "b"; }, 5); }, 100);
setInterval(() => { shown.textContent += "i"; }, 300);
</script>"""


@pytest.mark.parametrize("policy", [None, init_system(), init_user_plus(), fifo(), async_user(Action.POSTPONE)])
def test_timers_keep_their_names(browser: Browser, site: Site, policy: Policy | None) -> None:
    url = served(site, policy, TIMED)

    def story(page: Telling) -> None:
        page.load()
        page.let("timeout 100 at /:3:1")
        page.let("timeout 5 at /:3:46")
        page.let("interval 300 at /:4:1")
        page.let("interval 300 at /:4:1")
        assert page.ask("shown.textContent") == "abii"

    tell(browser, url, story)


CLICKED = """<button id=b>Save</button><script src=/late.js></script>"""


def test_a_postponed_click(browser: Browser, site: Site) -> None:
    url = site.serve(
        {
            "/": page_with(init_user(), CLICKED),
            "/repair.js": script_of(init_user()),
            "/late.js": "window.n = 0; b.onclick = () => { n++; };",
        }
    )

    def story(page: Telling) -> None:
        page.let("GET /")
        page.let("GET /repair.js")
        page.act('click button "Save"')
        assert report(page).waiting == 1
        page.let("GET /late.js")
        assert page.ask("n") == 1
        assert report(page).finished
        assert page.names() == []

    tell(browser, url, story)
