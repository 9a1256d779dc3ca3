"""Messages between windows, frames, ports, tabs and workers: held on arrival, delivered when they are stepped."""

# ruff: noqa: E501 (pages stay readable in lines of their own length)
from __future__ import annotations

import time

from tests.browser.live import Browser, Site
from tests.browser.story import LOG, Telling, tell


def test_messages_of_a_window_to_itself(browser: Browser, site: Site) -> None:
    url = site.serve(
        LOG
        + """<script>
        onmessage = (event) => log("on", event.data, event.source === window, event.origin === origin, event.currentTarget === window);
        const once = (event) => log("once", event.data);
        addEventListener("message", once, { once: true });
        addEventListener("message", { handleEvent(event) { log("object", event.data, this.constructor === Object); } });
        const removed = () => log("never"); addEventListener("message", removed); removeEventListener("message", removed);
        const controller = new AbortController(); addEventListener("message", () => log("never"), { signal: controller.signal });
        controller.abort();
        postMessage("one", "*");
        postMessage("two", "*");
        log("sent");
        </script>"""
    )

    def story(page: Telling) -> None:
        page.load()
        assert page.names() == [f"message from {site.url}"]  # one after the other
        page.let("message from")
        assert page.said == ["sent", "on one true true true", "once one", "object one true"]
        page.let("message from")
        assert page.said[4:] == ["on two true true true", "object two true"]
        assert page.names() == []

    tell(browser, url, story)


def test_what_the_page_dispatches_itself_is_not_held(browser: Browser, site: Site) -> None:
    url = site.serve(
        LOG
        + """<script>
        addEventListener("message", (event) => log("message", event.data));
        addEventListener("storage", (event) => log("storage", event.key));
        dispatchEvent(new MessageEvent("message", { data: 1 }));
        dispatchEvent(new StorageEvent("storage", { key: "k" }));
        log("after");
        </script>"""
    )

    def story(page: Telling) -> None:
        page.load()
        assert page.said == ["message 1", "storage k", "after"]
        assert page.names() == []

    tell(browser, url, story)


_FRAME = """<!doctype html><script>
onmessage = (event) => {
  document.title = "got " + event.data;
  event.source.postMessage("re: " + event.data, event.origin);
  event.ports[0]?.postMessage("over the port");
};
parent.postMessage("ready", "*");
</script>"""

_PARENT = """<iframe id=f src="FRAME"></iframe><script>
onmessage = (event) => {
  log(event.data, event.origin, event.source === f.contentWindow);
  if (event.data === "ready") {
    const channel = new MessageChannel();
    channel.port1.onmessage = ({ data }) => log(data);
    f.contentWindow.postMessage("hello", "*", [channel.port2]);
  }
};
</script>"""


def _talk_to_frame(site: Site, origin: str) -> tuple[str, list[str]]:
    url = site.serve({"/": LOG + _PARENT.replace("FRAME", f"{origin}/frame"), "/frame": _FRAME})
    return url, [f"ready {origin} true", f"re: hello {origin} true", "over the port"]


def _conversation(page: Telling, origin: str, parent: str, expected: list[str]) -> None:
    page.load()
    assert page.names() == [f"message from {origin}"]
    page.let(f"message from {origin}")
    assert page.names() == [f"message from {parent} in frame 1"]
    effect = page.let(f"message from {parent}")
    assert {event.what.split(" of ")[0] for event in effect.created} == {f"message from {origin}", "message on channel"}
    page.drain()
    assert sorted(page.said) == sorted(expected)
    assert page.said[0] == expected[0]


def test_messages_to_and_from_a_frame_of_the_same_origin(browser: Browser, site: Site) -> None:
    url, expected = _talk_to_frame(site, site.url)
    tell(browser, url, lambda page: _conversation(page, site.url, site.url, expected))


def test_messages_to_and_from_a_frame_of_another_origin(browser: Browser, site: Site) -> None:
    url, expected = _talk_to_frame(site, site.other_url)
    tell(browser, url, lambda page: _conversation(page, site.other_url, site.url, expected))


def test_channels(browser: Browser, site: Site) -> None:
    url = site.serve(
        LOG
        + """<script>
        class Mine extends MessageChannel { get own() { return "own"; } }
        const channel = new Mine();
        log(channel instanceof MessageChannel, channel.own, channel.port1 instanceof MessagePort);
        channel.port1.onmessage = (event) => { log("on", event.data); };
        channel.port1.addEventListener("message", (event) => log("listener", event.data));
        channel.port2.postMessage("a");
        channel.port2.postMessage("b");
        const silent = new MessageChannel();
        silent.port1.addEventListener("message", () => log("not started"));
        silent.port2.postMessage("c");
        </script>"""
    )

    def story(page: Telling) -> None:
        page.load()
        assert page.names() == ["message on channel of /:6:9 port 1"]
        page.drain()
        assert page.said == ["true own true", "on a", "listener a", "on b", "listener b"]

    tell(browser, url, story)


def test_a_port_that_was_passed_on(browser: Browser, site: Site) -> None:
    url = site.serve(
        LOG
        + """<script>
        const inner = new MessageChannel(), outer = new MessageChannel();
        outer.port1.onmessage = ({ data, ports }) => {
          log(data, ports.length);
          ports[0].onmessage = ({ data }) => log("passed on", data);
        };
        outer.port2.postMessage("take this", [inner.port1]);
        inner.port2.postMessage("hello");
        </script>"""
    )

    def story(page: Telling) -> None:
        page.load()
        page.let("message on channel of /:6:53 port 1")
        assert page.said == ["take this 1"]
        page.let("message on channel of /:6:53 port 1/port")
        assert page.said[1:] == ["passed on hello"]
        assert page.names() == []

    tell(browser, url, story)


_TABS = (
    LOG
    + """<button>Open</button><script>
document.querySelector("button").onclick = () => open("/second");
const channel = new BroadcastChannel("news");
channel.onmessage = ({ data }) => log("news", data);
addEventListener("storage", (event) => log("storage", event.key, event.oldValue, event.newValue));
</script>"""
)
_SECOND_TAB = (
    LOG
    + """<button>Tell</button><script>
document.querySelector("button").onclick = () => {
  new BroadcastChannel("news").postMessage("from the second tab");
  localStorage.setItem("a", 1);
  localStorage.b = 2;
};
</script>"""
)


def test_broadcasts_and_storage_events_between_tabs(browser: Browser, site: Site) -> None:
    url = site.serve({"/": _TABS, "/second": _SECOND_TAB})

    def story(page: Telling) -> None:
        page.load()
        page.act('click button "Open"')
        page.load()
        effect = page.act('click button "Tell"')
        assert sorted(str(event) for event in effect.created) == [
            "message on broadcast news",
            "storage change of a in another tab",
            "storage change of b in another tab",
        ]
        assert {(write.area, write.key, write.value) for write in effect.storage_writes} == {
            ("localStorage", "a", "1"),
            ("localStorage", "b", "2"),
        }
        assert page.said == []
        page.let("storage change of a")
        assert page.said == ["storage a  1"]
        page.let("message on broadcast")
        page.let("storage change of b")
        assert page.said[1:] == ["news from the second tab", "storage b  2"]
        assert page.names() == []
        assert page.ask("Object.keys(localStorage).join()") == "a,b"

    tell(browser, url, story)


_WORKER = """
let asked = 0;
self.onmessage = ({ data }) => {
  postMessage({ answer: data * 2, asked: ++asked, random: Math.random(), time: Date.now() });
  if (data === 3) throw new Error("three is too much");
};
postMessage({ answer: "started" });
"""


def _work(page: Telling) -> None:
    page.load()
    assert page.names() == ["message on worker /worker.js"]
    assert page.said == []
    page.let("message on worker")
    assert page.said == ["started "]
    for n in (1, 2, 3):
        effect = page.act("click button")
        assert [event.what for event in effect.created][:1] == ["message on worker /worker.js"]
        page.let("message on worker")
        assert page.said[-1] == f"{n * 2} {n}"
    assert page.names() == ["error of worker /worker.js"]
    page.let("error of worker")
    assert page.said[-1] == "Uncaught Error: three is too much"
    assert page.ask("new Set(answers.slice(1).map(({ random }) => random)).size") == 3
    assert page.ask("answers.slice(1).every(({ time }, n, all) => !n || time > all[n - 1].time)")
    assert page.ask("document.getElementById('random').textContent = JSON.stringify(answers)")  # into the state


_WORKING = """<button>Ask</button><p id=random></p><script>
const answers = [];
const worker = new Worker("/worker.js"OPTIONS);
worker.onmessage = ({ data }) => { answers.push(data); log(data.answer, data.asked ?? ""); };
worker.onerror = (event) => { event.preventDefault(); log(event.message); };
let n = 0;
document.querySelector("button").onclick = () => worker.postMessage(++n);
</script>"""


def test_what_a_classic_worker_answers_at_once_is_there_after_the_step(browser: Browser, site: Site) -> None:
    url = site.serve({"/": LOG + _WORKING.replace("OPTIONS", ""), "/worker.js": _WORKER})
    tell(browser, url, _work)


def test_what_a_module_worker_answers_at_once_is_there_after_the_step(browser: Browser, site: Site) -> None:
    imported = 'import { twice } from "/twice.js";' + _WORKER.replace("data * 2", "twice(data)")
    url = site.serve(
        {
            "/": LOG + _WORKING.replace("OPTIONS", ', { type: "module" }'),
            "/worker.js": imported,
            "/twice.js": "export const twice = (n) => n * 2;",
        }
    )
    tell(browser, url, _work)


def test_a_worker_that_uses_time_of_its_own_is_a_limit(browser: Browser, site: Site) -> None:
    url = site.serve(
        {
            "/": LOG + """<script>new Worker("/worker.js").onmessage = ({ data }) => log(data);</script>""",
            "/worker.js": """setTimeout(() => postMessage("late"), 100)""",
        }
    )
    page = Telling(browser, url)
    limits = [limit for effect in page.load() for limit in effect.limits]
    assert any("worker /worker.js uses setTimeout" in limit for limit in limits), limits
    for _ in range(100):
        if page.names():
            break
        time.sleep(0.05)
    assert page.names() == ["message on worker /worker.js"]
    page.let("message on worker")
    assert page.said == ["late"]


_ASKING = """<p onclick="">Text</p><button id=one>One</button><button id=two>Two</button><button id=end>End</button><script>
const worker = new Worker("/worker.js");
worker.onmessage = ({ data }) => log(data.join(" "));
for (const id of ["one", "two"]) document.getElementById(id).onclick = () => worker.postMessage(`/${id}.txt`);
document.getElementById("end").onclick = () => worker.terminate();
</script>"""
_ASKED = {"/one.txt": "1", "/two.txt": "2", "/late.txt": "3"}


def test_what_a_worker_asks_for_is_held(browser: Browser, site: Site) -> None:
    worker = """onmessage = async ({ data }) => {
      const answer = await (await fetch(data)).text();
      postMessage([answer, Date.now(), Math.random()]);
      if (data === "/two.txt") postMessage([await (await fetch("/late.txt")).text()]);
    };"""
    url = site.serve({"/": LOG + _ASKING, "/worker.js": worker, **_ASKED})

    def story(page: Telling) -> None:
        page.load()
        assert [event.what for event in page.act('click button "One"').created] == ["GET /one.txt"]
        effect = page.act('click button "Two"')
        assert [request.url for request in effect.requests] == [f"{site.url}/two.txt"]
        assert page.names() == ["GET /one.txt", "GET /two.txt"]
        answered = page.let("GET /two.txt")
        assert {event.what for event in answered.created} == {"GET /late.txt", "message on worker /worker.js"}
        page.let("GET /late.txt")
        page.let("GET /one.txt")
        for _ in range(3):
            page.let("message on worker")
        assert [said.split(" ")[0] for said in page.said] == ["2", "3", "1"]
        assert page.names() == []

    tell(browser, url, story)


def test_what_a_terminated_worker_asked_for_never_comes(browser: Browser, site: Site) -> None:
    worker = "onmessage = async ({ data }) => { postMessage([await (await fetch(data)).text()]); };"
    url = site.serve({"/": LOG + _ASKING, "/worker.js": worker, **_ASKED})

    def story(page: Telling) -> None:
        page.load()
        page.act('click button "One"')
        assert page.names() == ["GET /one.txt"]
        page.act('click button "End"')
        assert page.names() == []

    tell(browser, url, story)


def test_a_worker_that_waits_for_its_answer_gets_it_at_once(browser: Browser, site: Site) -> None:
    worker = """onmessage = ({ data }) => {
      const request = new XMLHttpRequest();
      request.open("GET", data, false);
      request.send();
      postMessage([request.responseText]);
    };"""
    url = site.serve({"/": LOG + _ASKING, "/worker.js": worker, **_ASKED})

    def story(page: Telling) -> None:
        page.load()
        assert [event.what for event in page.act('click button "One"').created] == ["message on worker /worker.js"]
        page.let("message on worker")
        assert page.said == ["1"]

    tell(browser, url, story)


def test_a_busy_worker_does_not_keep_the_page_waiting(browser: Browser, site: Site) -> None:
    worker = "onmessage = () => { for (const end = performance.now() + 20000; performance.now() < end;); };"
    url = site.serve({"/": LOG + _ASKING, "/worker.js": worker})
    page = Telling(browser, url)
    page.load()
    page.act('click button "One"')
    began = time.monotonic()
    for _ in range(5):
        page.act("click paragraph")
    assert time.monotonic() - began < 15  # it is busy for 20 s
    page.act('click button "End"')


def test_a_worker_from_a_blob(browser: Browser, site: Site) -> None:
    url = site.serve(
        LOG
        + """<script>
        const source = new Blob(["onmessage = ({ data }) => postMessage(data + 1)"], { type: "text/javascript" });
        const worker = new Worker(URL.createObjectURL(source));
        worker.addEventListener("message", ({ data }) => { log(data); worker.terminate(); });
        worker.postMessage(41);
        </script>"""
    )

    def story(page: Telling) -> None:
        page.load()
        page.let("message on worker blob")
        assert page.said == ["42"]
        assert page.names() == []

    tell(browser, url, story)


def test_a_shared_worker_is_a_limit_but_its_messages_are_events(browser: Browser, site: Site) -> None:
    url = site.serve(
        {
            "/": LOG
            + """<script>
            const { port } = new SharedWorker("/shared.js");
            port.onmessage = ({ data }) => log(data);
            port.postMessage("hello");
            </script>""",
            "/shared.js": "onconnect = ({ ports: [port] }) => { port.onmessage = ({ data }) => port.postMessage('re: ' + data); };",
        }
    )
    page = Telling(browser, url)
    limits = [limit for effect in page.load() for limit in effect.limits]
    assert any("shared worker" in limit for limit in limits)
    for _ in range(100):
        if page.names():
            break
        time.sleep(0.05)
    assert page.names() == ["message on shared worker /shared.js"]
    assert page.said == []
    page.let("message on shared worker")
    assert page.said == ["re: hello"]
