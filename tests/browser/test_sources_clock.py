"""Time and chance: they stand still within an event, belong to it, and are the same in every run."""

# ruff: noqa: E501 (pages stay readable in lines of their own length)
from __future__ import annotations

import contextlib
import time

from jostle.browser.frame import ContextGone
from jostle.browser.settings import Control, TabSettings
from tests.browser.live import Browser, Site
from tests.browser.story import LOG, Telling, tell

_READ = """
const read = () => [Date.now(), new Date().getTime(), performance.timeOrigin + performance.now(), +new Date(Date()), Temporal.Now.instant().epochMilliseconds];
"""


def test_time_stands_still_within_an_event(browser: Browser, site: Site) -> None:
    url = site.serve(
        LOG
        + f"""<script>{_READ}
        setTimeout(() => {{
          const before = read();
          for (let i = 0; i < 1e6; i++) Math.sqrt(i);
          log(String(before) === String(read()), before.map((value) => Math.floor(value / 1000) === Math.floor(before[0] / 1000)));
          const format = new Intl.DateTimeFormat("en", {{ timeStyle: "medium", timeZone: "UTC", fractionalSecondDigits: undefined }});
          log(format.format() === format.format(new Date()), format.format === format.format, format.formatToParts().length === format.formatToParts(new Date()).length);
          const event = new Event("x");
          log(event.timeStamp === performance.now(), String(Temporal.Now.plainDateISO()), new File([], "f").lastModified === Date.now());
          window.event1 = event;
        }}, 1000);
        setTimeout(() => log(event1.timeStamp < performance.now(), performance.mark("m").startTime === performance.now()), 2000);
        </script>"""
    )

    def story(page: Telling) -> None:
        page.load()
        effect = page.let("timeout 1000")
        assert effect.errors == ()
        assert page.said == [
            "true true,true,true,true,true",
            "true true true",
            "true 2026-01-01 true",
        ]
        page.let("timeout 2000")
        assert page.said[3:] == ["true true"]

    tell(browser, url, story)


def test_timers_move_the_clock_to_the_time_they_are_due(browser: Browser, site: Site) -> None:
    url = site.serve(
        LOG
        + """<script>
        const start = Date.now();
        setTimeout(() => log("long", Date.now() - start), 5000);
        setTimeout(() => log("short", Date.now() - start), 100);
        requestAnimationFrame(() => log("frame", Math.round(performance.now())));
        </script>"""
    )

    def story(page: Telling) -> None:
        page.load()
        page.let("timeout 5000")
        assert page.said == ["long 5000"]
        page.let("timeout 100")  # late, as a busy browser's timer would be; time does not run backwards
        assert page.said[1:] == ["short 5001"]

    tell(browser, url, story)


def test_a_page_that_waits_in_a_loop_is_let_go(browser: Browser, site: Site) -> None:
    url = site.serve(
        LOG
        + """<script>
        setTimeout(() => {
          const end = Date.now() + 300;
          while (Date.now() < end);
          const later = performance.now() + 200;
          while (performance.now() < later);
          log(Date.now() >= end + 200);
          window.seen = Date.now();
        }, 10);
        setTimeout(() => log(Date.now() > seen), 20);
        </script>"""
    )

    def story(page: Telling) -> None:
        page.load()
        effect = page.let("timeout 10")
        assert effect.hung == ""
        page.let("timeout 20")
        assert page.said == ["true", "true"]

    tell(browser, url, story)


def test_time_goes_on_over_a_navigation_and_in_frames(browser: Browser, site: Site) -> None:
    next_page = (
        LOG + "<script>log(Date.now() - sessionStorage.left > 0, Date.now() - sessionStorage.left < 1000)</script>"
    )
    url = site.serve(
        {
            "/": LOG
            + """<a href="/next">Next</a><iframe srcdoc="<script>parent.inner = Date</script>"></iframe><script>
            onload = () => {
              const end = Date.now() + 700;
              while (Date.now() < end);
              sessionStorage.left = Date.now();
              log(Math.abs(inner.now() - Date.now()) <= 1, inner !== Date, Math.abs(new inner() - new Date()) <= 1);
            };
            </script>""",
            "/next": next_page,
        }
    )

    def story(page: Telling) -> None:
        page.load()
        assert page.said == ["true true true"]
        page.act('click link "Next"')
        page.load()
        assert page.said == ["true true"]

    tell(browser, url, story)


def test_a_date_is_a_date(browser: Browser, site: Site) -> None:
    url = site.serve(
        LOG
        + """<script>
        class Day extends Date { get own() { return new.target === undefined && this.getTime(); } }
        const day = new Day(2020, 1, 2);
        log(day instanceof Date, day instanceof Day, day.own === day.getTime(), day.constructor === Day);
        log(new Date() instanceof Date, new Date().constructor === Date, Date.prototype.constructor === Date, typeof Date());
        log(Date.length, Date.name, Date.UTC(2020, 0), Date.parse("2020-01-01T00:00:00Z"), new Date(5).getTime(), new Date("2020").getUTCFullYear());
        log(/native code/.test(Date), /native code/.test(Date.now), Object.prototype.toString.call(new Date()), structuredClone(new Date(7)).getTime());
        </script>"""
    )

    def story(page: Telling) -> None:
        page.load()
        assert page.said == [
            "true true true true",
            "true true true string",
            "7 Date 1577836800000 1577836800000 5 2020",
            "true true [object Date] 7",
        ]

    tell(browser, url, story)


_CHANCE = (
    LOG
    + """<script>
const draws = {};
const draw = (name) => { draws[name] = [Math.random(), crypto.getRandomValues(new Uint32Array(2)).join(), crypto.randomUUID()].join(" "); };
draw("start");
setTimeout(draw, 50, "a");
setTimeout(draw, 40, "b");
</script>"""
)


def test_chance_belongs_to_the_event_whatever_the_order(browser: Browser, site: Site) -> None:
    url = site.serve(_CHANCE)
    draws = []
    for order in (("timeout 50", "timeout 40"), ("timeout 40", "timeout 50"), ("timeout 50", "timeout 40")):
        page = Telling(browser, url)
        page.load()
        for name in order:
            page.let(name)
        draws.append(page.ask("draws"))
    assert draws[0] == draws[1] == draws[2]
    assert len(set(draws[0].values())) == 3
    other = Telling(browser, url, seed=1)
    other.load()
    assert other.ask("draws.start") != draws[0]["start"]


def test_chance_is_in_range(browser: Browser, site: Site) -> None:
    url = site.serve(
        LOG
        + """<script>
        const values = Array.from({ length: 10000 }, () => Math.random());
        log(values.every((value) => value >= 0 && value < 1), new Set(values).size > 9990);
        log(Math.abs(values.reduce((a, b) => a + b) / values.length - 0.5) < 0.02);
        log(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(crypto.randomUUID()));
        try { crypto.getRandomValues(new Float32Array(1)); } catch (error) { log(error.name); }
        try { crypto.getRandomValues.call({}, new Uint8Array(1)); } catch (error) { log(error.name); }
        </script>"""
    )

    def story(page: Telling) -> None:
        page.load()
        assert page.said == ["true true", "true", "true", "TypeMismatchError", "TypeError"]

    tell(browser, url, story)


def test_without_holding_the_page_runs_by_itself_in_real_time(browser: Browser, site: Site) -> None:
    url = site.serve(
        LOG
        + """<button onclick="log('clicked')">Click</button><script>
        const start = Date.now(), began = performance.now();
        setTimeout(() => log("timer", Date.now() - start >= 149, performance.now() - began >= 149), 150);
        setInterval(() => { window.ticks = (window.ticks ?? 0) + 1; }, 20);
        requestAnimationFrame((now) => log("frame", Math.abs(now - performance.now()) < 5000));
        postMessage("hello", "*");
        onmessage = ({ data, isTrusted }) => log(data, isTrusted);
        fetch("/data").then((answer) => answer.text()).then(log);
        document.body.animate([{ opacity: 0 }, { opacity: 1 }], 50).finished.then(() => log("animated"));
        </script>"""
    )
    site.pages["/data"] = "data"
    page = Telling(browser, url, settings=TabSettings(control=Control.FREE))
    for _ in range(400):
        time.sleep(0.05)
        with contextlib.suppress(ContextGone):  # the page is only now arriving
            if page.ask("typeof said !== 'undefined' && said.length >= 5"):
                break
    assert sorted(page.said) == ["animated", "data", "frame true", "hello true", "timer true true"]
    assert page.names() == []
    assert abs(page.ask("Date.now()") / 1000 - time.time()) < 60
    assert page.ask("window.ticks") > 1
    effect = page.act("click button")
    assert "clicked" in page.said
    assert "div#log" in [change.target for change in effect.changes]
