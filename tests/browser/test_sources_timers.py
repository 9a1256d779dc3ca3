"""Timers, frames and idle time: each is held, and happens when it is stepped."""

# ruff: noqa: E501 (pages stay readable in lines of their own length)
from __future__ import annotations

from jostle.browser.settings import TabSettings
from tests.browser.live import Browser, Site
from tests.browser.story import LOG, Telling, tell


def test_timeouts_wait_and_fire_alone(browser: Browser, site: Site) -> None:
    url = site.serve(
        LOG
        + """<script>
        setTimeout((...words) => log("slow", ...words), 500, 1, 2);
        setTimeout(() => { log("fast"); setTimeout(() => log("nested"), 5); }, 100);
        const gone = setTimeout(() => log("never"), 50);
        clearTimeout(gone); clearTimeout(undefined); clearTimeout(12345);
        setTimeout("log('text', this === window)", 200);
        </script>"""
    )

    def story(page: Telling) -> None:
        (effect,) = page.load()
        assert [str(event) for event in effect.created] == [
            "timeout 500 at /:6:9",
            "timeout 100 at /:7:9",
            "timeout 200 at /:10:9",
        ]
        assert page.said == []
        effect = page.let("timeout 500")
        assert page.said == ["slow 1 2"]
        assert [change.target for change in effect.changes] == ["div#log"]
        effect = page.let("timeout 100")
        assert [str(event) for event in effect.created] == ["timeout 5 at /:7:41"]
        assert effect.created[0].creator == page.keys[-1]
        page.let("timeout 200")
        page.let("timeout 5 ")
        assert page.said == ["slow 1 2", "fast", "text true", "nested"]
        assert page.names() == []

    tell(browser, url, story)


def test_clearing_a_timer_removes_its_event(browser: Browser, site: Site) -> None:
    url = site.serve(
        LOG
        + """<script>
        const victim = setTimeout(() => log("never"), 900);
        setTimeout(() => clearInterval(victim), 10);
        </script>"""
    )

    def story(page: Telling) -> None:
        (effect,) = page.load()
        victim = effect.created[0].key
        assert page.let("timeout 10 ").removed == (victim,)
        assert page.names() == []

    tell(browser, url, story)


def test_intervals_come_again_until_they_are_cleared(browser: Browser, site: Site) -> None:
    url = site.serve(
        LOG
        + """<script>
        let n = 0;
        const id = setInterval((word) => { log(word, ++n, performance.now()); if (n === 3) clearInterval(id); }, 40, "tick");
        </script>"""
    )

    def story(page: Telling) -> None:
        page.load()
        first = page.let("interval 40")
        assert [event.creator for event in first.created] == [page.keys[-1]]
        page.let("interval 40")
        last = page.let("interval 40")
        assert last.created == ()
        assert page.names() == []
        words = [text.split() for text in page.said]
        assert [word[:2] for word in words] == [["tick", "1"], ["tick", "2"], ["tick", "3"]]
        times = [float(word[2]) for word in words]
        assert times[1] - times[0] == 40
        assert times[2] - times[1] == 40

    tell(browser, url, story)


def test_odd_arguments_are_read_as_the_browser_reads_them(browser: Browser, site: Site) -> None:
    url = site.serve(
        LOG
        + """<script>
        setTimeout(() => log("negative"), -5);
        setTimeout(() => log("text"), "7");
        setTimeout(() => log("nothing"));
        setTimeout(() => log("too long"), 2 ** 31);
        setTimeout({ toString: () => "log('object')" }, 3);
        setTimeout(undefined, 2);
        try { setTimeout(); } catch (error) { log(error.name); }
        log(typeof setTimeout(() => {}, 1e9));
        </script>"""
    )

    def story(page: Telling) -> None:
        (effect,) = page.load()
        assert [str(event).split(" at ")[0] for event in effect.created] == [
            "timeout 0",
            "timeout 7",
            "timeout 0",
            "timeout 0",
            "timeout 3",
            "timeout 2",
            "timeout 1000000000",
        ]
        effects = page.drain()
        assert page.said == ["TypeError", "number", "negative", "nothing", "too long", "object", "text"]
        assert [error for effect in effects for error in effect.errors] == []

    tell(browser, url, story)


def test_one_frame_is_one_event(browser: Browser, site: Site) -> None:
    url = site.serve(
        LOG
        + """<script>
        const times = [];
        requestAnimationFrame((now) => {
          times.push(now);
          Promise.resolve().then(() => log("microtask"));
          requestAnimationFrame(() => log("next frame"));
          cancelAnimationFrame(third);
        });
        requestAnimationFrame((now) => { times.push(now); log("second", times[0] === times[1], now === performance.now()); });
        const third = requestAnimationFrame(() => log("never"));
        cancelAnimationFrame(requestAnimationFrame(() => log("never")));
        </script>"""
    )

    def story(page: Telling) -> None:
        page.load()
        assert page.names() == ["animation frame"]
        page.let("animation frame")
        assert page.said == ["microtask", "second true true"]
        page.let("animation frame")
        assert page.said[2:] == ["next frame"]
        assert page.names() == []

    tell(browser, url, story)


ANIMATION = """<script>
let left = %d;
const frame = (now) => {
  times.push(Math.round(now - last)), last = now;
  if (--left) requestAnimationFrame(frame);
  if (left === 3 && later) setTimeout(() => log("timer"), 30);
};
const times = [];
let last = performance.now();
const later = %s;
requestAnimationFrame(frame);
</script>"""


def test_frames_that_follow_each_other_are_one_event_if_that_is_wanted(browser: Browser, site: Site) -> None:
    def story(page: Telling) -> None:
        page.load()
        before = page.app.now
        effect = page.let("animation frame")
        assert effect.frames == 7 and page.names() == []
        assert [page.ask("times"), round(page.app.now - before)] == [[17] * 7, 117]

    tell(browser, site.serve(LOG + ANIMATION % (7, "false")), story, settings=TabSettings(frames=30))


def test_frames_stop_before_what_comes_between_them_and_after_so_many(browser: Browser, site: Site) -> None:
    def story(page: Telling) -> None:
        page.load()
        assert page.let("animation frame").frames == 6
        assert page.let("animation frame").frames == 4, "then a timer is due, before the next one"
        assert page.names() == ["timeout 30 at /:10:28", "animation frame"]
        page.let("timeout")
        assert page.let("animation frame").frames == 2
        assert page.names() == []

    tell(browser, site.serve(LOG + ANIMATION % (12, "true")), story, settings=TabSettings(frames=6))


def test_so_many_frames_as_were_asked_for_are_one_event(browser: Browser, site: Site) -> None:
    def story(page: Telling) -> None:
        page.load()
        for frames in (4, 1, 3):
            [event] = page.waiting()
            asked = event.with_detail(frames=frames)
            assert page.step(asked).frames == frames
        assert page.ask("times.length") == 8

    tell(browser, site.serve(LOG + ANIMATION % (12, "false")), story, settings=TabSettings(frames=30))


def test_a_frame_nobody_waits_for_any_more_is_gone(browser: Browser, site: Site) -> None:
    url = site.serve(
        LOG
        + """<script>
        const id = requestAnimationFrame(() => log("never"));
        setTimeout(() => cancelAnimationFrame(id), 5);
        </script>"""
    )

    def story(page: Telling) -> None:
        (effect,) = page.load()
        frame = effect.created[0].key
        assert page.let("timeout 5").removed == (frame,)
        assert page.names() == []

    tell(browser, url, story)


def test_idle_time(browser: Browser, site: Site) -> None:
    url = site.serve(
        LOG
        + """<script>
        requestIdleCallback((deadline) => log("idle", deadline instanceof IdleDeadline, deadline.didTimeout, deadline.timeRemaining() > 0));
        cancelIdleCallback(requestIdleCallback(() => log("never")));
        </script>"""
    )

    def story(page: Telling) -> None:
        page.load()
        assert page.names() == ["idle at /:6:9"]
        page.let("idle")
        assert page.said == ["idle true false true"]

    tell(browser, url, story)


def test_tasks_of_the_scheduler(browser: Browser, site: Site) -> None:
    url = site.serve(
        LOG
        + """<script>
        scheduler.postTask(() => "result", { priority: "background" }).then((value) => log(value));
        scheduler.postTask(() => { throw new Error("oops"); }, { delay: 30 }).catch((error) => log(error.message));
        const controller = new TaskController();
        scheduler.postTask(() => log("never"), { signal: controller.signal, delay: 99 }).catch((error) => log(error.name));
        (async () => { log("before"); await scheduler.yield(); log("after"); })();
        setTimeout(() => controller.abort(), 1);
        </script>"""
    )

    def story(page: Telling) -> None:
        page.load()
        assert page.said == ["before"]
        page.let("task 0 at /:6")
        assert page.said == ["before", "result"]
        page.let("task 0 at /:10")
        page.let("timeout 1")
        assert page.said == ["before", "result", "after", "AbortError"]
        page.let("task 30")
        assert page.said[4:] == ["oops"]
        assert page.names() == []

    tell(browser, url, story)


def test_promise_jobs_and_observers_of_mutations_are_part_of_the_event(browser: Browser, site: Site) -> None:
    url = site.serve(
        LOG
        + """<p id=watched></p><script>
        new MutationObserver((records) => log("mutation", records.length)).observe(watched, { attributes: true });
        setTimeout(async () => {
          watched.title = "a";
          queueMicrotask(() => log("microtask"));
          for (let i = 0; i < 50; i++) await null;
          await new Promise((resolve) => resolve(Promise.resolve()));
          watched.title = "b";
          log("end");
        }, 10);
        </script>"""
    )

    def story(page: Telling) -> None:
        page.load()
        effect = page.let("timeout 10")
        assert page.said == ["mutation 1", "microtask", "end", "mutation 1"]
        assert ("attribute title", "p#watched") in [(change.what, change.target) for change in effect.changes]
        assert page.names() == []

    tell(browser, url, story)


def test_exceptions_surface_as_uncaught_and_harm_nobody(browser: Browser, site: Site) -> None:
    url = site.serve(
        LOG
        + """<script>
        onerror = (message, file, line, column, error) => { log(message, line, error instanceof RangeError); };
        addEventListener("unhandledrejection", (event) => log("rejected", event.reason.message));
        function fails(what) { throw new RangeError(what); }
        setTimeout(() => fails("in a timer"), 1);
        requestAnimationFrame(() => fails("in a frame"));
        requestIdleCallback(() => fails("in idle time"));
        setTimeout(async () => { fails("in a promise"); }, 2);
        setTimeout(() => console.error("said", 5, { a: 1 }), 3);
        setTimeout("this is no JavaScript", 4);
        </script>"""
    )

    def story(page: Telling) -> None:
        page.load()
        errors = [error for effect in page.drain() for error in effect.errors]
        assert [(error.kind, error.message) for error in errors] == [
            ("exception", "RangeError: in a timer"),
            ("rejection", "RangeError: in a promise"),
            ("console", "said 5 Object"),
            ("exception", "SyntaxError: Unexpected identifier 'is'"),
            ("exception", "RangeError: in a frame"),
            ("exception", "RangeError: in idle time"),
        ]
        assert errors[0].source == "/:8:38"
        assert errors[0].stack == ("fails (/:8:38)", "(anonymous) (/:9:26)")
        assert page.said == [
            "Uncaught RangeError: in a timer 8 true",
            "rejected in a promise",
            "Uncaught SyntaxError: Unexpected identifier 'is' 1 false",
            "Uncaught RangeError: in a frame 8 true",
            "Uncaught RangeError: in idle time 8 true",
        ]

    tell(browser, url, story)


def test_the_stack_of_a_callback_shows_nothing_of_ours(browser: Browser, site: Site) -> None:
    url = site.serve(LOG + """<script>setTimeout(() => { window.stack = new Error("here").stack; }, 1);</script>""")

    def story(page: Telling) -> None:
        page.load()
        page.let("timeout 1")
        assert page.ask("stack.split('\\n').length") == 2
        assert "jostle" not in page.ask("stack")

    tell(browser, url, story)
