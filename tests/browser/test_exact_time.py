"""The same instant is the same date in a recording and in its replay, to the millisecond."""

from __future__ import annotations

import pytest

from jostle.events import Kind, NotEnabled
from tests.browser.driven import OpenApp
from tests.browser.live import Site

PAGE = """<!doctype html><title>x</title><button id=a onclick="stamp('a')">A</button><input id=b aria-label=B><script>
const stamps = [];
const stamp = (name) => { stamps.push(name, Date.now(), performance.now()); localStorage.last = `${new Date()}`; };
for (const delay of [1, 3, 7]) setTimeout(() => stamp(delay), delay);
requestAnimationFrame(function again() { stamp("frame"); if (stamps.length < 60) requestAnimationFrame(again); });
onmessage = () => stamp("message");
postMessage(1, "*");
fetch("/data").then(() => stamp("data"));
</script>"""


def test_a_try_that_fails_takes_no_time(app: OpenApp, site: Site) -> None:
    site.serve({"/": PAGE, "/data": "1"})
    stamps = []
    for tries in (0, 0, 3):
        page = app()
        page.reset()
        page.let("GET /")
        typing = next(each for each in page.run(page.app.user_events()) if each.action.type == "type")
        page.ask("document.getElementById('b').remove()")
        for _ in range(tries):
            with pytest.raises(NotEnabled):
                page.run(page.app.step(typing))
            assert page.ask("performance.now()") == page.app.now
        while events := [each for each in page.waiting() if each.kind is not Kind.IDLE]:
            page.step(events[0])
        page.act('click button "A"')
        stamps.append(page.ask("stamps"))
    assert stamps[0] == stamps[1] == stamps[2]
    assert len(stamps[0]) > 60


def test_it_is_as_late_as_we_say(app: OpenApp, site: Site) -> None:
    """What made a recording later than it would have been, a replay is told with each step."""
    site.serve({"/": PAGE, "/data": "1"})
    page = app()
    page.reset()
    page.let("GET /")
    page.app.passed(page.app.now + 0.75)
    late = page.app.now
    page.act('click button "A"')
    assert page.ask("stamps").pop() == late + 1
    page.app.passed(0)
    assert page.app.now >= late + 1
