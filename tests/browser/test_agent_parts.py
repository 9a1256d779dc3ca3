"""Parts that another room adds to the page agent, and what they can do to what the user does."""

# Pages are written as they come.
# ruff: noqa: E501

from __future__ import annotations

import pytest

from jostle.browser import agent
from jostle.browser.agent import AgentPart
from jostle.browser.settings import Control, TabSettings
from tests.browser.driven import OpenApp
from tests.browser.live import Browser, Site
from tests.browser.story import LOG, Telling, tell


def adding(source: str, control: Control = Control.SCHEDULED) -> TabSettings:
    return TabSettings(control=control, parts=(AgentPart(name="test", source=source),))


DROPPING = """(jostle) => {
  let dropped = 0;
  jostle.beforeUserEvent((event) => (event.type === "click" && dropped++ === 0 ? "drop" : undefined));
}"""

POSTPONING = """// Keeps clicks and keys back until the script has run.
(jostle) => {
  let ran = false, run;
  const script = new Promise((resolve) => { run = resolve; });
  jostle.onDocument((document) => document.addEventListener("load", ({ target }) => { if (target.id === "late") { ran = true; run(); } }, true));
  jostle.beforeUserEvent(({ type }) => (!ran && /^(TYPES)$/.test(type) ? script : undefined));
};"""


def postponing(*types: str) -> TabSettings:
    return adding(POSTPONING.replace("TYPES", "|".join(types)))


def test_a_part_may_drop_a_click(browser: Browser, site: Site) -> None:
    page_itself = (
        LOG
        + "<label><input type=checkbox id=box>Box</label><script>box.onclick = box.onchange = ({ type }) => log(type, box.checked)</script>"
    )

    def story(page: Telling) -> None:
        page.load()
        first = page.act("check")
        assert page.said == [] and first.default_prevented and not first.errors
        assert page.ask("box.checked") is False
        page.act("check")
        assert page.said == ["click true", "change true"]

    tell(browser, site.serve(page_itself), story, settings=adding(DROPPING))


LATE = LOG + "<button onclick='late(event)'>Go</button><script id=late async src=/late.js></script>"
LATE_SCRIPT = (
    "function late(event) { log('handled', event.type, event.detail, event.isTrusted, event.currentTarget.localName) }"
)


def test_a_click_may_be_postponed_until_a_script_has_run(browser: Browser, site: Site) -> None:
    def too_early(page: Telling) -> None:
        page.let("GET /")
        assert [error.message for error in page.act("click button").errors] == ["TypeError: late is not a function"]

    def in_time(page: Telling) -> None:
        page.let("GET /")
        clicked = page.act("click button")
        assert not clicked.errors and page.said == []
        loaded = page.let("GET /late.js")
        assert not loaded.errors
        assert page.said == ["handled click 1 false button"]
        page.act("click button")
        assert page.said[1:] == ["handled click 1 true button"]

    url = site.serve({"/": LATE, "/late.js": LATE_SCRIPT})
    tell(browser, url, too_early)
    tell(browser, url, in_time, settings=postponing("click"))


def test_what_the_browser_does_upon_a_postponed_click_it_does_then(browser: Browser, site: Site) -> None:
    html = (
        LOG
        + """<input type=checkbox id=box aria-label=Box> <a href='/next'>Next</a> <details id=more><summary>More</summary>text</details>
        <script>box.onchange = () => log("changed", box.checked); more.ontoggle = () => log("open", more.open)</script>
        <script id=late async src=/late.js></script>"""
    )

    def story(page: Telling) -> None:
        page.let("GET /")
        page.act("check")
        page.act(next(each for each in page.actions() if "More" in each))
        assert page.ask("[box.checked, more.open]") == [False, False] and page.said == []
        page.let("GET /late.js")
        page.drain()
        assert page.ask("[box.checked, more.open]") == [True, True] and sorted(page.said) == [
            "changed true",
            "open true",
        ]

    def leaving(page: Telling) -> None:
        page.let("GET /")
        page.act('click link "Next"')
        assert page.names() == ["GET /late.js"]
        page.let("GET /late.js")
        page.let("GET /next")
        assert page.ask("location.pathname") == "/next"

    url = site.serve({"/": html, "/late.js": "", "/next": "next"})
    tell(browser, url, story, settings=postponing("click"))
    tell(browser, url, leaving, settings=postponing("click"))


def test_typed_text_is_not_lost_and_is_heard_of_later(browser: Browser, site: Site) -> None:
    html = (
        LOG
        + """<input id=field aria-label=Name><script>
        for (const type of ["keydown", "input"]) document.addEventListener(type, (event) => log(type, event.key ?? "-", field.value));
        </script><script id=late async src=/late.js></script>"""
    )

    def story(page: Telling) -> None:
        page.let("GET /")
        page.type("Name", "ab")
        assert page.ask("field.value") == "ab" and page.said == []
        page.let("GET /late.js")
        assert page.said == ["keydown a ab", "input - ab", "keydown b ab", "input - ab"], (
            "in order, and the text as it is"
        )
        assert page.ask("field.value") == "ab", "and not once more"

    url = site.serve({"/": html, "/late.js": ""})
    tell(browser, url, story, settings=postponing("keydown", "keypress", "keyup", "beforeinput", "input"))


def test_a_postponed_form_is_sent_once_and_with_its_button(browser: Browser, site: Site) -> None:
    html = (
        LOG
        + """<form action=/sent><input name=what value=it><button name=how value=well>Send</button></form>
        <script>document.forms[0].onsubmit = ({ submitter }) => { log("sent by", submitter.value) }</script>
        <script id=late async src=/late.js></script>"""
    )

    def story(page: Telling) -> None:
        page.let("GET /")
        page.act("click button")
        assert page.names() == ["GET /late.js"] and page.said == []
        page.let("GET /late.js")
        assert len(page.names()) == 1
        page.let("GET /sent")
        assert page.ask("location.search") == "?what=it&how=well"

    url = site.serve({"/": html, "/late.js": "", "/sent": "thanks"})
    tell(browser, url, story, settings=postponing("submit"))


def test_what_comes_too_late_for_its_element_is_told(site: Site, app: OpenApp) -> None:
    site.pages = {"/": LATE, "/late.js": "document.querySelector('button').remove()"}
    page = app(settings=postponing("click"))
    page.reset()
    page.let("GET /")
    page.act("click button")
    effect = page.let("GET /late.js")
    assert effect.limits == ("a postponed click came too late: its element is gone",)


def test_a_part_that_fails_is_told_and_the_page_runs(site: Site, app: OpenApp) -> None:
    site.pages = {"/": LOG + "<script>log('runs')</script>"}
    page = app(settings=adding("(jostle) => { throw new Error('no') }"))
    page.reset()
    effect = page.let("GET /")
    assert page.text("#log") == "runs"
    assert effect.limits == ("the part test of the agent failed: Error: no",)


@pytest.mark.parametrize(
    "opens", ["document.open(); document.write(again); document.close()", "document.write(again); document.close()"]
)
def test_a_document_that_is_opened_anew_is_heard_too(site: Site, app: OpenApp, opens: str) -> None:
    html = f"""<button onclick="{opens}">Anew</button><script>var again = "<button onclick='clicks++'>Go</button>", clicks = 0</script>"""
    site.pages = {"/": html}
    page = app(
        settings=adding(
            """(jostle) => jostle.beforeUserEvent(({ type, target }) => (type === "click" && target.textContent === "Go" ? "drop" : undefined))"""
        )
    )
    page.open()
    page.act('click button "Anew"')
    page.act('click button "Go"')
    assert page.ask("clicks") == 0


def test_without_a_part_there_is_nothing_of_it_in_the_page() -> None:
    assert agent.source() == agent.source(added=())
    assert "beforeUserEvent" not in agent.source()
    assert "beforeUserEvent" in agent.source(added=(AgentPart(name="none", source="(jostle) => {}"),))
