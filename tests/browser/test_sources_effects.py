"""What an event did is told with its step: form writes, storage, changes on the screen, prevented defaults."""

# ruff: noqa: E501 (pages stay readable in lines of their own length)
from __future__ import annotations

from jostle.browser import agent
from tests.browser.live import Browser, Site
from tests.browser.story import LOG, Telling, tell


def test_form_fields_written_by_a_script(browser: Browser, site: Site) -> None:
    url = site.serve(
        LOG
        + """<form id=form><input id=name><input id=yes type=checkbox><textarea id=text></textarea>
        <select id=pick><option>a</option><option>b</option></select><input id=n type=number></form><script>
        setTimeout(() => { name.value = "x"; document.getElementById("name").value = "Ann"; yes.checked = true; text.value = "long"; pick.selectedIndex = 1; n.valueAsNumber = 5; }, 10);
        setTimeout(() => document.getElementById("text").setRangeText("er", 4, 4), 20);
        setTimeout(() => document.getElementById("form").reset(), 30);
        </script>"""
    )

    def story(page: Telling) -> None:
        page.load()
        effect = page.let("timeout 10")
        assert [(write.target, write.value) for write in effect.form_writes] == [
            ("input#name", "Ann"),
            ("input#yes", "true"),
            ("textarea#text", "long"),
            ("select#pick", "1"),
            ("input#n", "5"),
        ]
        effect = page.let("timeout 20")
        assert [(write.target, write.value) for write in effect.form_writes] == [("textarea#text", "longer")]
        effect = page.let("timeout 30")
        assert {(write.target, write.value) for write in effect.form_writes} == {
            ("input#name", ""),
            ("input#yes", "false"),
            ("textarea#text", ""),
            ("select#pick", "a"),
            ("input#n", ""),
        }
        effect = page.type("textbox", "typed")
        assert effect.form_writes == ()  # the user's own hand is not a script

    tell(browser, url, story)


def test_storage_and_cookies(browser: Browser, site: Site) -> None:
    url = site.serve(
        LOG
        + """<script>
        localStorage.setItem("kept", "1");
        const steps = [
          () => { localStorage.setItem("a", 1); sessionStorage.b = "two"; localStorage["c"] = 3; },
          () => { delete localStorage.c; localStorage.removeItem("a"); localStorage.removeItem("nothing"); },
          () => { document.cookie = "session=abc; path=/"; localStorage.kept = "1"; },
          () => localStorage.clear(),
        ];
        for (const step of steps) setTimeout(step, 10);
        </script>"""
    )

    def story(page: Telling) -> None:
        (effect,) = page.load()
        assert [(write.area, write.key, write.value) for write in effect.storage_writes] == [
            ("localStorage", "kept", "1")
        ]
        writes = [
            {(write.area, write.key, write.value) for write in page.let("timeout 10").storage_writes} for _ in range(4)
        ]
        assert writes == [
            {("localStorage", "a", "1"), ("sessionStorage", "b", "two"), ("localStorage", "c", "3")},
            {("localStorage", "c", None), ("localStorage", "a", None)},
            {("cookie", "session", "abc")},
            {("localStorage", "*", None)},
        ]

    tell(browser, url, story)


def test_changes_say_where_on_the_screen(browser: Browser, site: Site) -> None:
    url = site.serve(
        LOG
        + """<div id=host style="position: absolute; left: 100px; top: 200px; width: 50px; height: 30px"></div>
        <section id=declared><template shadowrootmode=open><p id=deep>x</p></template></section><p id=hidden hidden></p><script>
        const root = host.attachShadow({ mode: "closed" });
        root.innerHTML = "<b id=inner>one</b>";
        setTimeout(() => { root.firstChild.firstChild.data = "two"; }, 10);
        setTimeout(() => { declared.shadowRoot.getElementById("deep").className = "new"; }, 20);
        setTimeout(() => { hidden.textContent = "unseen"; host.remove(); }, 30);
        </script>"""
    )

    def story(page: Telling) -> None:
        page.load()
        (change,) = page.let("timeout 10").changes
        assert (change.what, change.target) == ("text", "b#inner")
        assert change.box is not None
        assert (change.box.x, change.box.y) == (100, 200)
        (change,) = page.let("timeout 20").changes
        assert (change.what, change.target) == ("attribute class", "p#deep")
        assert change.box is not None
        changes = page.let("timeout 30").changes
        assert [(change.what, change.target, change.box is None) for change in changes] == [
            ("children", "p#hidden", True),
            ("children", "body", False),
        ]

    tell(browser, url, story)


def test_whether_the_default_was_prevented(browser: Browser, site: Site) -> None:
    url = site.serve(
        LOG
        + """<a href="#x" onclick="return false">Stopped</a><a href="#y">Free</a>
        <form onsubmit="event.preventDefault(); log('submit')"><button>Send</button></form>"""
    )

    def story(page: Telling) -> None:
        page.load()
        assert page.act('click link "Stopped"').default_prevented
        assert not page.act('click link "Free"').default_prevented
        assert page.act('click button "Send"').default_prevented
        assert page.said == ["submit"]

    tell(browser, url, story)


def test_a_page_that_is_not_to_be_left(browser: Browser, site: Site) -> None:
    url = site.serve(
        LOG
        + """<a href="/other">Free</a><a href="/other" onclick="return false">Stopped</a><a href="#x">Part</a>
        <form action="/other" onsubmit="log('submit')"><button>Send</button></form>"""
    )

    def story(page: Telling) -> None:
        page.load()
        page.ask(agent.call("stay"))
        for name, told in (
            ('click link "Free"', ["stayed"]),
            ('click link "Stopped"', []),
            ('click button "Send"', ["stayed"]),
        ):
            effect = page.act(name)
            assert ([str(each) for each in effect.lifecycle], effect.created) == (told, ())
            assert effect.default_prevented == (not told)
        assert page.said == ["submit"]
        assert "hashchange" in map(str, page.act('click link "Part"').lifecycle)

    tell(browser, url, story)


def test_milestones(browser: Browser, site: Site) -> None:
    url = site.serve(LOG + """<script>onload = () => log("loaded", document.readyState)</script>""")

    def story(page: Telling) -> None:
        (effect,) = page.load()
        assert [each.name for each in effect.lifecycle] == ["commit", "DOMContentLoaded", "load"]
        assert page.said == ["loaded complete"]

    tell(browser, url, story)


def test_what_is_wrapped_looks_like_the_browsers_own(browser: Browser, site: Site) -> None:
    url = site.serve(
        """<!doctype html><script>
        const look = (value) => Function.prototype.toString.call(value).includes("[native code]") && !/jostle/.test(value);
        const functions = {
          setTimeout, setInterval, clearTimeout, clearInterval, requestAnimationFrame, cancelAnimationFrame, requestIdleCallback,
          Date, "Date.now": Date.now, "performance.now": performance.now, random: Math.random, getRandomValues: crypto.getRandomValues,
          MessageChannel, BroadcastChannel, Worker, SharedWorker, WebSocket, EventSource, IntersectionObserver, ResizeObserver,
          PerformanceObserver, Response, Request, File, json: Response.prototype.json, setItem: Storage.prototype.setItem,
          addEventListener, attachShadow: Element.prototype.attachShadow, toString: Function.prototype.toString,
          value: Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set,
          cookie: Object.getOwnPropertyDescriptor(Document.prototype, "cookie").set,
          postTask: scheduler.postTask, pushState: history.pushState, back: history.back, open: XMLHttpRequest.prototype.open,
        };
        const strange = Object.entries(functions).filter(([, value]) => !look(value)).map(([name]) => name);
        const names = Object.entries({ setTimeout, Date, MessageChannel, WebSocket, Response }).filter(([name, value]) => value.name !== name).map(([name]) => name);
        const lengths = [setTimeout.length, setInterval.length, Date.length, WebSocket.length, addEventListener.length, Math.random.length];
        const constructed = ["setTimeout", "requestAnimationFrame", "addEventListener"].filter((name) => { try { new globalThis[name](() => {}); return true; } catch { return false; } });
        const leaks = Object.getOwnPropertyNames(window).filter((name) => /jostle/i.test(name));
        const tags = [new MessageChannel(), new BroadcastChannel("x"), new ResizeObserver(() => {}), new Response(), performance].map((object) => Object.prototype.toString.call(object));
        class Box extends Response { constructor() { super("b"); this.target = new.target === Box; } }
        const box = new Box();
        const keys = Object.keys(Object.getOwnPropertyDescriptors(Function.prototype)).includes("toString") && !Function.prototype.propertyIsEnumerable("toString");
        const enumerated = []; for (const name in window) if (/jostle/i.test(name)) enumerated.push(name);
        const errors = [Object.hasOwn(Error, "prepareStackTrace"), Error.stackTraceLimit];
        </script>"""
    )
    page = Telling(browser, url)
    page.load()
    assert page.ask("strange") == []
    assert page.ask("names") == []
    assert page.ask("lengths") == [1, 1, 7, 1, 2, 0]
    assert page.ask("constructed") == []
    assert page.ask("leaks.concat(enumerated)") == []
    assert page.ask("tags") == [
        "[object MessageChannel]",
        "[object BroadcastChannel]",
        "[object ResizeObserver]",
        "[object Response]",
        "[object Performance]",
    ]
    assert page.ask("[box.target, box instanceof Response, box instanceof Box, box.constructor === Box]") == [True] * 4
    assert page.ask(
        "new Response().constructor === Response && MessageChannel.prototype.constructor === MessageChannel"
    )
    assert page.ask("keys")
    assert page.ask("errors") == [False, 10]


def test_listeners_are_the_browsers_own(browser: Browser, site: Site) -> None:
    url = site.serve(
        LOG
        + """<button>Go</button><script>
        const button = document.querySelector("button"), controller = new AbortController();
        const twice = () => log("listener");
        button.addEventListener("click", twice); button.addEventListener("click", twice);
        button.addEventListener("click", () => log("once"), { once: true });
        button.addEventListener("click", { handleEvent(event) { log("object", event.isTrusted, event.timeStamp === performance.now()); } });
        button.addEventListener("click", () => log("until"), { signal: controller.signal });
        button.addEventListener("click", () => { log("fails"); throw new TypeError("in a listener"); });
        addEventListener("click", () => { controller.abort(); button.removeEventListener("click", twice); });
        try { button.addEventListener("click"); } catch (error) { log(error.name); }
        </script>"""
    )

    def story(page: Telling) -> None:
        page.load()
        effect = page.act("click button")
        assert page.said == ["TypeError", "listener", "once", "object true true", "until", "fails"]
        assert [(error.kind, error.message) for error in effect.errors] == [("exception", "TypeError: in a listener")]
        assert effect.errors[0].stack == ("(anonymous) (/:12:70)",)
        page.act("click button")
        assert page.said[6:] == ["object true true", "fails"]

    tell(browser, url, story)
