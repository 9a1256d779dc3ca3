"""What the browser tells when it paints: observers, transitions, animations, scrolling, late custom elements."""

# ruff: noqa: E501 (pages stay readable in lines of their own length)
from __future__ import annotations

from jostle.browser import agent
from jostle.events import AnimationEvent
from tests.browser.live import Browser, Site
from tests.browser.story import LOG, Telling, tell


def test_intersections(browser: Browser, site: Site) -> None:
    url = site.serve(
        LOG
        + """<style>#far { margin-top: 3000px; height: 50px }</style><button onclick="far.scrollIntoView()">Down</button>
        <div id=far></div><script>
        class Mine extends IntersectionObserver {}
        const observer = new Mine((entries, self) => log("seen", entries.map((entry) => entry.isIntersecting), self === observer, entries[0].time === performance.now()));
        observer.observe(far);
        log(observer instanceof IntersectionObserver, observer instanceof Mine, observer.thresholds.length);
        </script>"""
    )

    def story(page: Telling) -> None:
        page.load()
        assert page.names() == ["intersection observer at /:7:9"]
        assert page.said == ["true true 1"]
        page.let("intersection observer")
        assert page.said[1:] == ["seen false true true"]
        effect = page.act("click button")
        assert [event.what for event in effect.created] == ["intersection observer at /:7:9"]
        assert len(page.said) == 2
        page.let("intersection observer")
        assert page.said[2:] == ["seen true true true"]
        page.ask("observer.disconnect()")
        assert page.names() == []

    tell(browser, url, story)


def test_sizes(browser: Browser, site: Site) -> None:
    url = site.serve(
        LOG
        + """<div id=box style="width: 100px; height: 20px"></div><script>
        new ResizeObserver((entries) => {
          for (const { contentRect } of entries) log("size", contentRect.width);
          if (entries[0].contentRect.width < 130) box.style.width = entries[0].contentRect.width + 20 + "px";
        }).observe(box);
        setTimeout(() => { box.style.width = "50%"; }, 100);
        </script>"""
    )

    def story(page: Telling) -> None:
        page.load()
        for width in (100, 120, 140):
            page.let("resize observer")
            assert page.said[-1] == f"size {width}"
        effect = page.let("timeout 100")
        assert [event.what for event in effect.created] == ["resize observer at /:6:9"]
        page.drain()
        assert len(page.said) == 4

    tell(browser, url, story)


def test_transitions_end_when_they_are_stepped(browser: Browser, site: Site) -> None:
    url = site.serve(
        LOG
        + """<style>#box { opacity: 0; transition: opacity 300ms 100ms } #box.on { opacity: 1 }</style><div id=box></div>
        <button onclick="box.classList.toggle('on')">Toggle</button><script>
        for (const type of ["transitionrun", "transitionend", "transitioncancel"])
          box.addEventListener(type, (event) => log(type, event.propertyName));
        </script>"""
    )

    def story(page: Telling) -> None:
        page.load()
        effect = page.act("click button")
        (ending,) = (event for event in effect.created if isinstance(event, AnimationEvent))
        assert ending.what == "end of transition of opacity on div#box"
        assert ending.detail.delay == 400
        assert page.ask("getComputedStyle(box).opacity") == "0"
        before = page.app.now
        page.step(ending)
        assert page.app.now >= before + 400 - 5
        assert page.said == ["transitionrun opacity", "transitionend opacity"]
        assert page.ask("getComputedStyle(box).opacity") == "1"

    tell(browser, url, story)


def test_transitions_that_end_together_are_one_event(browser: Browser, site: Site) -> None:
    url = site.serve(
        LOG
        + """<style>p { opacity: 0; width: 9px; transition: all 300ms } .on p { opacity: 1; width: 90px }
        #late { transition-duration: 500ms }</style><div id=group><p id=one></p><p id=two></p><p id=late></p></div>
        <button onclick="group.classList.add('on')">Show</button><button onclick="two.remove()">Remove</button><script>
        group.addEventListener("transitionend", (event) => log(event.target.id, event.propertyName));
        </script>"""
    )

    def story(page: Telling) -> None:
        page.load()
        effect = page.act("click button")
        assert [(each.what, each.detail.delay) for each in effect.created if isinstance(each, AnimationEvent)] == [
            ("end of transition of opacity on p#one and 3 more", 300),
            ("end of transition of opacity on p#late and 1 more", 500),
        ]
        page.act('click button "Remove"')
        page.let("end of transition of opacity on p#one")
        assert page.said == ["one opacity", "one width"]
        page.let("end of transition of opacity on p#late")
        assert page.said[2:] == ["late opacity", "late width"]
        assert page.names() == []

    tell(browser, url, story)


def test_a_transition_turned_around_on_its_way_comes_to_its_end(browser: Browser, site: Site) -> None:
    # Told once: whether turning around starts another transition depends on a frame that comes when it likes.
    url = site.serve(
        """<style>#box { opacity: 0; transition: opacity 300ms } #box.on { opacity: 1 }</style><div id=box></div>
        <button onclick="box.classList.toggle('on')">Toggle</button>"""
    )
    page = Telling(browser, url)
    page.load()
    page.act("click button")
    effect = page.act("click button")
    assert effect.removed or effect.created
    page.drain()
    assert page.ask("getComputedStyle(box).opacity") == "0"


def test_animations(browser: Browser, site: Site) -> None:
    url = site.serve(
        LOG
        + """<style>
        @keyframes grow { to { width: 200px } } @keyframes spin { to { rotate: 360deg } }
        #short { animation: grow 1s 2; } #endless { animation: spin 1s infinite; }
        </style><p id=short>a</p><p id=endless>b</p><script>
        short.onanimationend = ({ animationName, elapsedTime }) => log("end", animationName, elapsedTime);
        const animation = endless.animate([{ color: "red" }, { color: "blue" }], { duration: 500, id: "colours" });
        animation.finished.then(() => log("finished", animation.playState));
        log(animation.playState);
        </script>"""
    )

    def story(page: Telling) -> None:
        page.load()
        names = page.names()
        assert sorted(names) == ["end of animation colours on p#endless", "end of animation grow on p#short"]
        assert page.ask("animation.playState") == "running"
        page.let("end of animation grow")
        assert page.said == ["running", "end grow 2"]
        page.let("end of animation colours")
        assert page.said[2:] == ["finished finished"]
        assert page.names() == []
        assert page.ask("endless.getAnimations()[0].currentTime") in (0, None)

    tell(browser, url, story)


def test_an_animation_that_is_cancelled_or_played_again(browser: Browser, site: Site) -> None:
    url = site.serve(
        LOG
        + """<p id=box>a</p><script>
        const first = box.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 500, id: "first" });
        const second = box.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 600, id: "second" });
        first.finished.catch((error) => log(error.name));
        setTimeout(() => first.cancel(), 10);
        setTimeout(() => second.pause(), 20);
        setTimeout(() => second.play(), 30);
        </script>"""
    )

    def story(page: Telling) -> None:
        page.load()
        assert len([name for name in page.names() if name.startswith("end of")]) == 2
        assert len(page.let("timeout 10").removed) == 1
        assert page.said == ["AbortError"]
        assert len(page.let("timeout 20").removed) == 1
        page.let("timeout 30")
        assert page.names() == ["end of animation second on p#box (#2)"] or page.names() == [
            "end of animation second on p#box"
        ]
        page.drain()
        assert page.ask("second.playState") == "finished"

    tell(browser, url, story)


def test_scroll_events_belong_to_what_scrolled(browser: Browser, site: Site) -> None:
    url = site.serve(
        LOG
        + """<div id=box style="height: 100px; overflow: auto"><div style="height: 900px"></div></div><p style="height: 3000px"></p><script>
        box.onscroll = () => log("box", box.scrollTop);
        onscroll = () => log("window", scrollY);
        setTimeout(() => { box.scrollTop = 50; log("set"); }, 10);
        setTimeout(() => scrollTo({ top: 400, behavior: "smooth" }), 20);
        </script>"""
    )

    def story(page: Telling) -> None:
        page.load()
        page.let("timeout 10")
        assert page.said == ["set", "box 50"]
        page.let("timeout 20")
        assert page.said[-1] == "window 400"

    tell(browser, url, story)


def test_a_custom_element_defined_late(browser: Browser, site: Site) -> None:
    url = site.serve(
        LOG
        + """<late-one></late-one><script>
        setTimeout(() => customElements.define("late-one", class extends HTMLElement {
          connectedCallback() {
            const root = this.attachShadow({ mode: "open" });
            root.innerHTML = "<button>Inside</button><p id=inner></p>";
            root.querySelector("button").onclick = () => { root.querySelector("p").textContent = "changed"; };
            log("upgraded");
          }
        }), 100);
        customElements.whenDefined("late-one").then(() => log("defined"));
        </script>"""
    )

    def story(page: Telling) -> None:
        page.load()
        assert page.said == []
        page.let("timeout 100")
        assert page.said == ["upgraded", "defined"]
        effect = page.act('click button "Inside"')
        (change,) = (change for change in effect.changes if change.target == "p#inner")
        assert change.what == "children"
        assert change.box is not None
        assert change.box.width > 0

    tell(browser, url, story)


def test_a_step_needs_no_frame_when_nothing_asks_for_one(browser: Browser, site: Site) -> None:
    html = (
        LOG
        + """<button onclick="log('click')">Click</button>EXTRA<script>
    let frames = 0;
    const count = () => { frames++; };
    for (let i = 1; i < 12; i++) setTimeout(() => log(i), 1000 - i);
    </script>"""
    )
    observed = "<script>new ResizeObserver(() => {}).observe(document.body)</script>"
    frames = []
    for extra in ("", observed):
        page = Telling(browser, site.serve(html.replace("EXTRA", extra)))
        page.load()
        page.ask(
            f"(() => {{ const {{ native }} = {agent.AGENT}; const raf = native.requestAnimationFrame;"
            " window.asked = 0;"
            " native.requestAnimationFrame = function (run) { window.asked++; return raf.call(window, run); }; })()"
        )
        page.act("click button")
        for _ in range(3):
            page.step(next(event for event in page.waiting() if event.kind == "timer"))
        frames.append(page.ask("window.asked"))
    assert frames[0] == 0
    assert frames[1] >= 4


def test_a_view_transition(browser: Browser, site: Site) -> None:
    url = site.serve(
        LOG
        + """<button onclick="go()">Go</button><p id=box>old</p><script>
        function go() {
          const transition = document.startViewTransition(() => { box.textContent = "new"; log("updated"); });
          transition.ready.then(() => log("ready"));
          transition.finished.then(() => log("finished"));
        }
        </script>"""
    )

    def story(page: Telling) -> None:
        page.load()
        page.act("click button")
        assert page.said == ["updated", "ready"]
        assert page.names()
        assert all(name.startswith("end of ") for name in page.names()), page.names()
        page.drain()
        assert page.said[2:] == ["finished"]

    tell(browser, url, story)


def test_a_performance_observer_hears_of_the_pages_own_marks_only(browser: Browser, site: Site) -> None:
    url = site.serve(
        LOG
        + """<script>
        const hear = (list) => log(list.getEntries().map(({ name, startTime }) => `${name} ${startTime}`));
        new PerformanceObserver(hear).observe({ entryTypes: ["mark", "paint", "longtask"] });
        new PerformanceObserver(hear).observe({ type: "largest-contentful-paint", buffered: true });
        performance.mark("mine", { startTime: 7 });
        </script>"""
    )

    def story(page: Telling) -> None:
        (effect,) = page.load()
        assert any("PerformanceObserver" in limit for limit in effect.limits)
        assert page.names() == ["performance observer at /:7:9"]
        page.let("performance observer")
        assert page.said == ["mine 7"]
        assert page.names() == []

    tell(browser, url, story)
