"""What real applications do and small pages seldom: each of these once kept a recorded walk from being repeated."""

from __future__ import annotations

from typing import Any

import pytest

from jostle.browser.pending import PendingResponse
from jostle.browser.settings import Limits
from jostle.events import NotEnabled
from jostle.progress import silent
from jostle.recording.answers import RecordedAnswers
from jostle.recording.file import Manifest
from jostle.recording.recorder import Recorder
from jostle.recording.replay import replay
from jostle.recording.walk import walk
from tests.browser.driven import OpenApp
from tests.browser.live import Browser, Request, Served, Site
from tests.browser.story import LOG, Telling, tell

DOT = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>'


def verdicts(browser: Browser, url: str, *, actions: int = 4, replays: int = 2) -> list[str]:
    """Record a walk, repeat it from the recording alone."""
    recorder = Recorder(Manifest(url=url, seed=1))
    live = browser.made(
        url, seed=1, on_exchange=recorder.exchanged, on_traffic=recorder.traffic, on_limit=recorder.limit
    )
    browser.run(walk(live, recorder, actions=actions, seed=1, listener=silent))
    recording = recorder.recording()
    assert sum(step.event.by_user for step in recording.trace.steps) == actions
    answers = RecordedAnswers(recording)
    again = browser.made(url, seed=1, responder=answers)
    return [browser.run(replay(again, recording, answers, listener=silent)).verdict for _ in range(replays)]


def test_links_and_controls_within_pictures(app: OpenApp, site: Site) -> None:
    site.serve("""<!doctype html><a href="/x">Plain</a>
        <svg width=90 height=30 tabindex=0 aria-label=Chart>
        <a href="/y" aria-label="Bar"><rect width=60 height=30 /></a></svg>""")
    page = app()
    page.open()
    offered = page.actions()
    assert 'click link "Plain"' in offered
    assert 'click link "Bar"' in offered, offered


def test_a_dead_end_is_left_by_going_back(app: OpenApp, site: Site) -> None:
    site.serve({"/": "<!doctype html><a href=/data.json>Data</a>", "/data.json": '{"a": 1}'})
    page = app()
    page.open()
    assert not any("go back" in words for words in page.actions())
    page.act("click link")
    page.drain()
    assert page.actions() == ["go back"]
    page.act("go back")
    page.drain()
    assert page.actions() == ['click link "Data"']


@pytest.mark.long
def test_a_walk_through_dead_ends_is_repeated(browser: Browser, site: Site) -> None:
    url = site.serve({"/": "<!doctype html><a href=/a.txt>A</a> <a href=/b.txt>B</a>", "/a.txt": "a", "/b.txt": "b"})
    assert verdicts(browser, url, actions=8) == ["reproduced", "reproduced"]


def test_the_wheel_has_scrolled_when_its_step_is_over(browser: Browser, site: Site) -> None:
    url = site.serve(
        LOG + '<p style="height:3000px">Long<script>addEventListener("scroll", () => log(scrollY > 0))</script>'
    )

    def story(page: Telling) -> None:
        page.load()
        page.act("scroll down the page")
        assert page.said[0] == "true"

    tell(browser, url, story)


def test_a_vain_attempt_to_reach_something_leaves_no_trace(browser: Browser, site: Site) -> None:
    """The button can be scrolled to, but something that stays on the screen covers it there."""
    url = site.serve(
        LOG
        + """<p style="height:2000px">Long</p><button>Under</button><p style="height:2000px">Long</p>
        <div style="position:fixed;left:0;width:100%;top:40px;bottom:0;background:white">Cover</div>
        <script>addEventListener("scroll", () => said.push("scrolled"))</script>"""
    )
    page = Telling(browser, url)
    page.load()
    event = next(event for event in browser.run(page.app.user_events()) if "Under" in event.what)
    with pytest.raises(NotEnabled, match="covered"):
        page.step(event)
    page.step(next(event for event in browser.run(page.app.user_events()) if event.action.type == "scroll"))
    assert page.said == ["scrolled"]


def test_the_page_has_heard_of_scrolling_before_it_is_clicked(browser: Browser, site: Site) -> None:
    url = site.serve(
        LOG
        + """<p style="height:2000px">Long</p><button onclick="said.push('clicked')">Far</button>
        <script>addEventListener("scroll", () => said.push("scrolled"))</script>"""
    )

    def story(page: Telling) -> None:
        page.load()
        page.act('click button "Far"')
        assert page.said == ["scrolled", "clicked"]

    tell(browser, url, story)


def _with_cookies(path: str, **more: str) -> Served:
    def answer(request: Request) -> None:
        request.send_response(302 if more else 200)
        for name, value in more.items():
            request.send_header(name, value)
        request.send_header("Set-Cookie", f"first={path}; Path=/")
        request.send_header("Set-Cookie", f"token={len(path)}x; Path=/; SameSite=Lax; Max-Age=3600")
        request.send_header("Content-Type", "text/html")
        body = b"<!doctype html><title>In</title><button>Go</button>"
        request.send_header("Content-Length", str(len(body)))
        request.end_headers()
        request.wfile.write(body)

    return answer


def test_cookies_set_by_answers_are_recorded_and_set_again(browser: Browser, site: Site) -> None:
    url = site.serve({"/": _with_cookies("start", Location="/in"), "/in": _with_cookies("in")})
    heard: list[PendingResponse] = []
    page = browser.app(url, on_exchange=heard.append)
    browser.run(page.step(browser.run(page.waiting())[0]))
    cookies = [
        value for answer in heard for reply in answer.hops for name, value in reply.headers if name == "Set-Cookie"
    ]
    assert {"first=start; Path=/", "first=in; Path=/"} <= set(cookies)
    assert verdicts(browser, url) == ["reproduced", "reproduced"]


def test_requests_queued_by_the_browser_are_not_waited_for(browser: Browser, site: Site) -> None:
    """While the head waits for stylesheets and a script, Chromium does not even send requests of little importance."""
    sheets = {f"/{n}.css": f"p {{ margin: {n}px }}" for n in range(5)}
    links = "".join(f"<link rel=stylesheet href={path}>" for path in sheets)
    scripts: dict[str, Any] = {"/first.js": "a = 1", "/late.js": "document.body.append('late')"}
    url = site.serve(
        {
            "/": f"<!doctype html>{links}<script src=first.js></script><script defer src=late.js></script><button>Go",
            **sheets,
            **scripts,
        }
    )
    page = Telling(browser, url, limits=Limits(answer=600))
    page.load()
    assert page.ask("document.body.innerText").endswith("late")
    assert verdicts(browser, url) == ["reproduced", "reproduced"]


def test_the_load_event_waits_for_pictures_of_the_style(browser: Browser, site: Site) -> None:
    url = site.serve(
        {
            "/": LOG
            + """<link rel=stylesheet href=look.css><p id=a>Text</p>
            <script>addEventListener("load", () => log("load"));
            addEventListener("DOMContentLoaded", () => document.body.append(document.createElement("b"), "B"))
            </script>""",
            "/look.css": "#a { background: url(a.svg) } b { background: url(b.svg); padding: 9px }",
            "/a.svg": DOT,
            "/b.svg": DOT,
        }
    )

    def story(page: Telling) -> None:
        page.let("GET /")
        asked = page.let("GET /look.css").requests
        assert sorted(request.url.rpartition("/")[2] for request in asked) == ["a.svg", "b.svg"]
        page.let("GET /a.svg")
        assert page.said == []
        page.let("GET /b.svg")
        assert page.said == ["load"]

    tell(browser, url, story)


@pytest.mark.long
def test_pictures_that_wait_until_they_are_near(browser: Browser, site: Site) -> None:
    url = site.serve(
        {
            "/": '<!doctype html><p style="height:9000px">Long</p><img loading=lazy src=far.svg width=9 height=9>',
            "/far.svg": DOT,
        }
    )

    def story(page: Telling) -> None:
        page.load()
        asked: list[str] = []
        for _ in range(12):
            if asked or "scroll down the page" not in page.actions():
                break
            asked += [request.url for request in page.act("scroll down the page").requests]
        assert asked == [f"{url}far.svg"]

    tell(browser, url, story)


def test_what_a_deferred_script_hides_is_always_seen_before(browser: Browser, site: Site) -> None:
    """Without care it depends on whether a frame comes between the parser and the script."""
    url = site.serve(
        {
            "/": "<!doctype html><link rel=stylesheet href=look.css><script src=first.js></script>"
            "<script defer src=hide.js></script><p id=a>Text</p><p>More</p>",
            "/look.css": "#a { background: url(a.svg) }",
            "/first.js": "x = 1",
            "/hide.js": "a.style.display = 'none'",
            "/a.svg": DOT,
        }
    )

    def story(page: Telling) -> None:
        page.let("GET /")
        page.let("GET /first.js")
        page.let("GET /hide.js")
        assert [request.url for request in page.let("GET /look.css").requests] == [f"{url}a.svg"]

    for _ in range(3):
        tell(browser, url, story)
