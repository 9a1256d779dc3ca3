"""The worked examples of the specification, each in a real browser: the bad order, and what the policy makes of it."""

# ruff: noqa: E501 (pages and sentences stay readable in lines of their own length)
from __future__ import annotations

import msgspec
import pytest

from jostle.repair.catalogue import (
    async_user,
    atomic,
    disable_until,
    early_click_queue,
    fifo,
    general,
    init_system,
    init_user,
    init_user_plus,
    latest_only,
    order,
    protect_field,
    user_until,
)
from jostle.repair.policy import Action, Defined, EventKind, IsFunction, Listening, Policy, Present
from tests.repair.repaired import Repaired

GALLERY = """
<div id=container></div><button id=g1>One</button><button id=g2>Two</button>
<script src=/init.js></script><script src=/script.js></script>
"""
INIT = """
window.log = [];
for (const name of ["g1", "g2"]) document.getElementById(name).addEventListener("click", () => loadThumbs(name));
document.addEventListener("DOMContentLoaded", () => log.push("ready"));
"""
SCRIPT = """
let thumbs = [];
window.posts = 0;
function loadThumbs(name) {
  log.push("load " + name);
  thumbs = [];
  const request = new XMLHttpRequest();
  request.onreadystatechange = () => {
    if (request.readyState === 4) { thumbs = JSON.parse(request.responseText); showThumbs(); }
  };
  request.open("GET", "/gallery?name=" + name);
  request.send();
}
function showThumbs() {
  container.textContent = "";
  thumbs.forEach((thumb, pos) => {
    const button = container.appendChild(document.createElement("button"));
    button.textContent = "Delete " + thumb.id;
    button.className = "delete";
    button.onclick = () => { posts++; fetch("/delete?id=" + thumbs[pos].id, { method: "POST" }); };
  });
}
"""
THUMBS = '[{"id": 1}, {"id": 2}]'


@pytest.mark.parametrize("action", [Action.POSTPONE, Action.DISCARD])
def test_a_click_before_the_handlers(repaired: Repaired, action: Action) -> None:
    init = repaired.held(INIT)
    repaired.open(init_user(action), GALLERY, {"/init.js": init, "/script.js": SCRIPT, "/gallery": THUMBS})
    repaired.asked(init)
    repaired.page.click("#g1", no_wait_after=True)
    if action is Action.POSTPONE:
        assert repaired.value("g1.getAttribute('aria-busy')") == "true"
    init.release()
    repaired.wait("document.readyState === 'complete'")
    if action is Action.POSTPONE:
        repaired.wait("document.querySelector('.delete')")
        assert repaired.value("log") == ["ready", "load g1"]
        assert repaired.value("g1.hasAttribute('aria-busy')") is False
    else:
        repaired.calm()
        assert repaired.value("log") == ["ready"]
    requests = [path for path in repaired.site.requests if path.startswith("/gallery")]
    assert requests == (["/gallery?name=g1"] if action is Action.POSTPONE else [])
    assert repaired.errors == []
    assert repaired.report.finished


def test_b_click_before_the_function(repaired: Repaired) -> None:
    script, late = repaired.held(SCRIPT), repaired.held("log.push('late')")
    policy = user_until("#g1, #g2", IsFunction("loadThumbs"))
    repaired.open(
        policy,
        GALLERY + "<script src=/late.js></script>",
        {"/init.js": INIT, "/script.js": script, "/late.js": late, "/gallery": THUMBS},
    )
    repaired.asked(script)
    repaired.wait("window.log")
    repaired.page.click("#g1", no_wait_after=True)
    repaired.calm()
    assert repaired.errors == []
    script.release()
    repaired.wait("log.length")
    late.release()
    repaired.wait("log.includes('ready')")
    assert repaired.value("log") == ["load g1", "late", "ready"]  # before DOMContentLoaded: no longer than needed
    assert repaired.errors == []


def test_without_a_policy_the_click_fails(repaired: Repaired) -> None:
    script = repaired.held(SCRIPT)
    repaired.open(None, GALLERY, {"/init.js": INIT, "/script.js": script, "/gallery": THUMBS})
    repaired.asked(script)
    repaired.wait("window.log")
    repaired.page.click("#g1", no_wait_after=True)
    repaired.until(lambda: repaired.errors)
    assert "loadThumbs is not defined" in repaired.errors[0]


@pytest.mark.parametrize(("policy", "right"), [(async_user(), True), (fifo(), False), (Policy(name="nothing"), False)])
def test_c_click_while_a_response_is_awaited(repaired: Repaired, policy: Policy, right: bool) -> None:
    second = repaired.held(THUMBS)
    repaired.open(
        policy,
        GALLERY,
        {
            "/init.js": INIT, "/script.js": SCRIPT, "/gallery?name=g1": THUMBS, "/gallery?name=g2": second,
            "/delete": "{}",
        },
    )  # fmt: skip
    repaired.wait("document.readyState === 'complete'")
    repaired.page.click("#g1")
    repaired.wait("document.querySelector('.delete')")
    repaired.calm()
    repaired.page.click("#g2")
    repaired.asked(second)
    repaired.page.click(".delete >> nth=0")
    repaired.calm()
    assert repaired.value("posts") == (0 if right else 1)
    assert (repaired.errors == []) is right
    second.release()
    repaired.calm()
    if right:
        repaired.page.click(".delete >> nth=0")
        repaired.wait("posts === 1")
        assert repaired.report.discarded == 1


@pytest.mark.parametrize("repairing", [True, False])
def test_e1_frame_that_loads_before_its_handler(repaired: Repaired, repairing: bool) -> None:
    late = repaired.held("window.runs = 0; document.querySelector('iframe').addEventListener('load', () => runs++);")
    repaired.open(
        init_system() if repairing else None,
        "<iframe id=f src=/inner.html></iframe><script src=/late.js></script>",
        {"/inner.html": "<p>inner</p>", "/late.js": late},
    )
    repaired.asked(late)
    repaired.wait("document.getElementById('f').contentDocument?.querySelector('p')")
    repaired.calm()
    late.release()
    repaired.wait("document.readyState === 'complete'")
    repaired.calm()
    assert repaired.value("runs") == (1 if repairing else 0)


@pytest.mark.parametrize("form", ["xhr", "fetch"])
@pytest.mark.parametrize("policy", [fifo(), fifo("/post*")])
def test_e2_responses_out_of_order(repaired: Repaired, form: str, policy: Policy) -> None:
    held = [repaired.held(f'"{n}"') for n in range(3)]
    sending = {
        "xhr": "const x = new XMLHttpRequest(); x.onload = () => got.push(JSON.parse(x.responseText)); x.open('POST', '/post' + n); x.send();",
        "fetch": "fetch('/post' + n, {method: 'POST'}).then(async (r) => { await null; got.push(await r.json()); });",
    }[form]
    repaired.open(
        policy,
        f"<script>window.got = []; for (const n of [0, 1, 2]) {{ {sending} }}</script>",
        {f"/post{n}": one for n, one in enumerate(held)},
    )
    for one in held:
        repaired.asked(one)
    held[2].release()
    repaired.calm()
    assert repaired.value("got") == []
    held[0].release()
    repaired.wait("got.length")
    repaired.calm()
    assert repaired.value("got") == ["0"]
    held[1].release()
    repaired.wait("got.length === 3")
    assert repaired.value("got") == ["0", "1", "2"]
    assert repaired.report.postponed == 1


def test_e3_nested_requests_that_fill_fields(repaired: Repaired) -> None:
    one, two = repaired.held("1"), repaired.held("2")
    html = """<input id=from><input id=to><script>
    document.addEventListener("DOMContentLoaded", async () => {
      await (await fetch("/one")).text();
      const value = await (await fetch("/two")).text();
      document.getElementById("from").value = "JFK" + value;
      document.getElementById("to").value = "SFO";
    });</script>"""
    repaired.open(init_user_plus(), html, {"/one": one, "/two": two})
    repaired.asked(one)
    one.release()
    repaired.asked(two)
    repaired.page.click("#from")
    repaired.page.keyboard.type("abc")
    two.release()
    repaired.wait("to.value === 'SFO'")
    repaired.calm()
    assert repaired.value("document.getElementById('from').value") == "abc"


def test_e4_and_e5_are_not_made_worse(repaired: Repaired) -> None:
    """What no policy can repair: it goes wrong as it would without, and nothing hangs."""
    late = repaired.held("window.showDropdownMenu = () => { window.shown = true; };")
    repaired.open(
        init_user() | init_system(),
        """<p>one<p>two<div id=menu onmouseover="showDropdownMenu()">menu</div>
        <script>setTimeout(() => { window.d = document; }, 0);</script><script src=/late.js></script>""",
        {"/late.js": late},
    )
    repaired.asked(late)
    repaired.page.hover("#menu")
    repaired.until(lambda: repaired.errors)
    assert "showDropdownMenu is not defined" in repaired.errors[0]
    late.release()
    repaired.wait("window.d")


INSERTED = """<script>
for (const name of ["a.js", "b.js"]) { const s = document.createElement("script"); s.src = "/" + name; document.head.append(s); }
</script>"""
A, B = "window.App = {};", "App.plugin = 1;"


@pytest.mark.parametrize("policy", [fifo(kinds=(EventKind.SCRIPT,)), fifo(), order("*/a.js", "*/b.js")])
def test_e6_dependent_scripts(repaired: Repaired, policy: Policy) -> None:
    first = repaired.held(A)
    repaired.open(policy, INSERTED, {"/a.js": first, "/b.js": B})
    repaired.asked(first)
    repaired.until(lambda: "/b.js" in repaired.site.requests)  # fetched meanwhile
    repaired.calm()
    assert repaired.errors == []
    first.release()
    repaired.wait("window.App?.plugin")
    assert repaired.errors == []


def test_e6_specific_order_postpones_nothing_when_it_is_right(repaired: Repaired) -> None:
    html = """<script>
    const add = (name) => new Promise((over) => { const s = document.createElement("script"); s.src = "/" + name; s.onload = over; document.head.append(s); });
    add("a.js").then(() => new Promise((r) => setTimeout(r, 50))).then(() => add("b.js"));</script>"""
    repaired.open(order("*/a.js", "*/b.js"), html, {"/a.js": A, "/b.js": B})
    repaired.wait("window.App?.plugin")
    assert repaired.report.postponed == 0


@pytest.mark.parametrize("timers", [True, False])
def test_e7_a_page_that_never_is_at_rest(repaired: Repaired, timers: bool) -> None:
    html = """<button id=b>b</button><script>
    window.clicks = 0; b.onclick = () => clicks++;
    const turn = () => setTimeout(turn, 900); turn();
    const poll = () => fetch("/poll").then(poll); %s
    </script>"""
    policy = init_user_plus(Action.POSTPONE, timers=timers)
    policy = msgspec.structs.replace(policy, watchdog=0.6)
    repaired.open(policy, html % ("poll();" if timers else ""), {"/poll": "1"})
    repaired.wait("document.readyState === 'complete'")
    repaired.calm()
    repaired.page.click("#b")
    repaired.wait("clicks === 1")


def test_e8_a_request_without_handlers_counts(repaired: Repaired) -> None:
    held = [repaired.held(str(n)) for n in range(3)]
    repaired.open(
        fifo(),
        """<script>window.got = []; for (const n of [0, 1, 2]) {
        const x = new XMLHttpRequest(); if (n !== 1) x.onload = () => got.push(n); x.open("GET", "/r" + n); x.send(); }</script>""",
        {f"/r{n}": one for n, one in enumerate(held)},
    )
    for n in (2, 0):
        repaired.asked(held[n])
        held[n].release()
    repaired.wait("got.length === 1")
    repaired.calm()
    assert repaired.value("got") == [0]
    held[1].release()
    repaired.wait("got.length === 2")


@pytest.mark.parametrize("form", ["xhr", "fetch", "fails"])
def test_e9_what_is_aborted_or_fails_lets_go(repaired: Repaired, form: str) -> None:
    first = repaired.held((500, {}, "no"))
    sending = {
        "xhr": "const x = new XMLHttpRequest(); x.onabort = () => got.push('abort'); x.open('GET', '/one'); x.send(); window.stop1 = () => x.abort();",
        "fetch": "const c = new AbortController(); fetch('/one', {signal: c.signal}).catch((e) => got.push(e.name)); window.stop1 = () => c.abort();",
        "fails": "fetch('/one').then((r) => got.push(r.status));",
    }[form]
    repaired.open(
        fifo(),
        f"<script>window.got = []; {sending} fetch('/two').then((r) => got.push('two'));</script>",
        {"/one": first, "/two": "2"},
    )
    repaired.asked(first)
    repaired.calm()
    assert repaired.value("got") == []
    if form == "fails":
        first.release()
    else:
        repaired.page.evaluate("stop1()")
    repaired.wait("got.length === 2")
    assert repaired.value("got") == [{"xhr": "abort", "fetch": "AbortError", "fails": 500}[form], "two"]


@pytest.mark.parametrize("form", ["xhr", "fetch"])
def test_a_response_that_waits_can_be_aborted(repaired: Repaired, form: str) -> None:
    first = repaired.held("1")
    sending = {
        "xhr": "const x = new XMLHttpRequest(); for (const t of ['load', 'abort', 'loadend']) x.addEventListener(t, () => got.push(t)); x.open('GET', '/two'); x.send(); window.stop2 = () => x.abort();",
        "fetch": "const c = new AbortController(); fetch('/two', {signal: c.signal}).catch((e) => got.push(e.name)); window.stop2 = () => c.abort();",
    }[form]
    repaired.open(
        fifo(),
        f"<script>window.got = []; fetch('/one').then(() => got.push('one')); {sending}</script>",
        {"/one": first, "/two": "2"},
    )
    repaired.asked(first)
    repaired.until(lambda: repaired.report.waiting == 1)
    repaired.page.evaluate("stop2()")
    repaired.calm()
    assert repaired.value("got") == (["abort", "loadend"] if form == "xhr" else ["AbortError"])
    first.release()
    repaired.wait("got.at(-1) === 'one'")
    assert repaired.report.waiting == 0


def test_e10_a_cleared_timer_lets_go(repaired: Repaired) -> None:
    html = """<button id=b>b</button><script>
    window.clicks = 0; b.onclick = () => clicks++; window.timer = setTimeout(() => {}, 1000);</script>"""
    policy = async_user(Action.POSTPONE)
    repaired.open(policy, html)
    repaired.wait("window.timer")
    repaired.page.click("#b")
    waits = repaired.page.evaluate("() => { const seen = clicks; clearTimeout(timer); return seen; }")
    assert waits == 0
    repaired.wait("clicks === 1")
    assert repaired.report.longest < 1000


FIELDS = ["<input id=f>", "<textarea id=f></textarea>", "<div id=f contenteditable></div>"]


@pytest.mark.parametrize("field", FIELDS)
def test_e11_typing_is_never_lost(repaired: Repaired, field: str) -> None:
    late = repaired.held(
        "window.keys = []; window.inputs = []; f.addEventListener('keydown', (e) => keys.push(e.key));"
        "f.addEventListener('input', (e) => inputs.push(e.data));"
    )
    repaired.open(init_user(), field + "<script src=/late.js></script>", {"/late.js": late})
    repaired.asked(late)
    repaired.page.click("#f")
    repaired.page.keyboard.type("abcd")
    repaired.page.keyboard.press("Backspace")
    late.release()
    repaired.wait("window.keys?.length === 5")
    repaired.calm()
    assert repaired.value("f.value ?? f.textContent") == "abc"
    assert repaired.value("keys") == ["a", "b", "c", "d", "Backspace"]
    assert repaired.value("inputs") == ["a", "b", "c", "d", None]


def test_e11_boxes_and_lists(repaired: Repaired) -> None:
    late = repaired.held(
        "window.heard = []; for (const id of ['box', 'list']) for (const t of ['click', 'input', 'change'])"
        "document.getElementById(id).addEventListener(t, (e) => heard.push([id, t, box.checked, list.value]));"
    )
    html = (
        "<label>Box <input type=checkbox id=box></label><select id=list><option>a<option>b</select>"
        "<script src=/late.js></script>"
    )
    repaired.open(init_user(), html, {"/late.js": late})
    repaired.asked(late)
    repaired.page.click("#box")
    repaired.page.focus("#list")
    repaired.page.keyboard.press("ArrowDown")
    late.release()
    repaired.wait("window.heard?.length >= 5")
    repaired.calm()
    assert repaired.value("[box.checked, list.value]") == [True, "b"]
    heard = repaired.value("heard")
    assert [each[:2] for each in heard][:3] == [["box", "click"], ["box", "input"], ["box", "change"]]
    assert ["list", "change", True, "b"] in heard


def test_typing_is_not_overwritten_while_it_waits(repaired: Repaired) -> None:
    late = repaired.held("f.value = 'from the address';")
    repaired.open(init_user(), "<input id=f><script src=/late.js></script>", {"/late.js": late})
    repaired.asked(late)
    repaired.page.click("#f")
    repaired.page.keyboard.type("abc")
    late.release()
    repaired.wait("document.readyState === 'complete'")
    repaired.calm()
    assert repaired.value("f.value") == "abc"


def test_e12_the_user_keeps_the_order(repaired: Repaired) -> None:
    late = repaired.held("window.ready = () => {}")
    html = """<button id=b>b</button><input id=f><script>window.heard = [];
    b.onclick = () => heard.push("click"); f.onkeydown = (e) => heard.push(e.key);</script><script src=/late.js></script>"""
    repaired.open(user_until("#b", IsFunction("ready"), ("click",)), html, {"/late.js": late})
    repaired.asked(late)
    repaired.page.click("#b")
    repaired.page.focus("#f")
    repaired.page.keyboard.type("x")
    repaired.calm()
    assert repaired.value("heard") == []
    late.release()
    repaired.wait("heard.length === 2")
    assert repaired.value("heard") == ["click", "x"]


TRACED = """<div id=outer><a id=link href="#there">link</a><button id=b>b</button><input id=f><input type=checkbox id=c></div>
<script>
window.heard = [];
const note = (words) => (e) => heard.push(words + " " + e.type + " " + e.eventPhase + " " + e.isTrusted + " " + e.defaultPrevented);
for (const type of ["pointerdown", "mousedown", "mouseup", "click", "keydown", "input", "change", "focus"]) {
  window.addEventListener(type, note("window"), true);
  document.addEventListener(type, note("document"));
  outer.addEventListener(type, note("outer capture"), { capture: true });
  for (const el of [b, f, c]) el.addEventListener(type, note(el.id));
}
const gone = note("gone");
b.addEventListener("click", gone); b.removeEventListener("click", gone);
b.addEventListener("click", note("once"), { once: true });
outer.addEventListener("click", (e) => { if (e.target === c) e.stopPropagation(); });
setTimeout(() => { heard.push("timer"); Promise.resolve().then(() => heard.push("job")); }, 1);
const x = new XMLHttpRequest();
heard.push(x instanceof XMLHttpRequest, Object.keys(x).length, XMLHttpRequest.name, XMLHttpRequest.DONE, fetch.name, fetch.length, setTimeout.length);
for (const t of ["readystatechange", "loadstart", "load", "loadend"]) x.addEventListener(t, () => heard.push("xhr " + t + x.readyState));
x.onload = () => fetch("/two").then((r) => r.text()).then((t) => { heard.push(t, document.activeElement.id); window.done = true; });
x.open("GET", "/one"); x.send();
class Mine extends XMLHttpRequest { constructor() { super(); this.mine = true; } }
heard.push(new Mine() instanceof XMLHttpRequest, new Mine().mine, Object.getPrototypeOf(Mine) === XMLHttpRequest);
</script>"""
NOWHERE = Policy(
    name="elsewhere",
    rules=(
        *fifo("/elsewhere/*").rules, *user_until("#nowhere", IsFunction("x")).rules,
        *async_user(Action.DISCARD, "/elsewhere/*", kinds=(EventKind.RESPONSE,)).rules,
        *early_click_queue("#nowhere").rules, *atomic("#nowhere").rules, *order("*/x.js", "*/y.js").rules,
    ),
    protect=("#nowhere",),
)  # fmt: skip


def test_e13_nothing_is_changed_where_no_rule_applies(repaired: Repaired) -> None:
    traces = []
    for policy in (None, Policy(name="nothing"), NOWHERE):
        repaired.open(policy, TRACED, {"/one": "1", "/two": "2"})
        repaired.wait("window.done")
        repaired.page.click("#b")
        repaired.page.click("#b")
        repaired.page.click("#c")
        repaired.page.click("#f")
        repaired.page.keyboard.type("xy")
        repaired.page.keyboard.press("Tab")
        repaired.page.click("#link")
        traces.append((repaired.value("heard"), repaired.value("location.hash")))
    assert len(traces[0][0]) > 60
    assert traces[1] == traces[0]
    assert traces[2] == traces[0]
    assert repaired.errors == []


def test_e14_what_a_handler_does_is_not_gated(repaired: Repaired) -> None:
    late = repaired.held("window.late = true")
    html = """<button id=a>a</button><button id=b>b</button><form id=form><input name=q></form>
    <script>window.heard = [];
    form.addEventListener("submit", (e) => { e.preventDefault(); heard.push("submit"); });
    b.addEventListener("click", () => heard.push("b"));
    b.click(); heard.push("after"); form.requestSubmit(); heard.push("after");</script><script src=/late.js></script>"""
    repaired.open(init_user(), html, {"/late.js": late})
    repaired.asked(late)
    repaired.wait("window.heard?.length === 4")
    assert repaired.value("heard") == ["b", "after", "submit", "after"]


def test_e15_closed_shadow_root(repaired: Repaired) -> None:
    late = repaired.held(
        "window.clicks = []; inner.addEventListener('click', () => clicks.push('inner'));"
        "host.addEventListener('click', () => clicks.push('host'));"
    )
    html = """<div id=host></div><script>
    const root = host.attachShadow({ mode: "closed" });
    root.innerHTML = "<p>above</p><button>press</button>";
    window.inner = root.querySelector("button");
    </script><script src=/late.js></script>"""
    repaired.open(init_user(), html, {"/late.js": late})
    repaired.asked(late)
    repaired.wait("window.inner")
    box = repaired.value("(({x, y, width, height}) => [x + width / 2, y + height / 2])(inner.getBoundingClientRect())")
    repaired.page.mouse.click(*box)
    repaired.calm()
    late.release()
    repaired.wait("window.clicks?.length")
    repaired.calm()
    assert repaired.value("clicks") == ["inner", "host"]


@pytest.mark.parametrize("silent", [False, True])
@pytest.mark.parametrize("form", ["xhr", "fetch"])
def test_latest_only(repaired: Repaired, form: str, silent: bool) -> None:
    held = [repaired.held(str(n)) for n in range(2)]
    sending = {
        "xhr": "const x = new XMLHttpRequest(); x.onload = () => got.push(x.responseText); x.onabort = () => got.push('abort'); x.open('GET', '/s?q=' + n); x.send();",
        "fetch": "const r = await fetch('/s?q=' + n); got.push(await r.text());",
    }[form]
    html = f"<script>window.got = []; window.ask = async (n) => {{ {sending} }}; ask(0); ask(1);</script>"
    repaired.open(latest_only("/s", silent=silent), html, {f"/s?q={n}": one for n, one in enumerate(held)})
    for one in held:
        repaired.asked(one)
    held[1].release()
    repaired.wait("got.includes('1')")
    held[0].release()
    repaired.calm()
    assert repaired.value("got") == (["abort", "1"] if form == "xhr" and not silent else ["1"])
    assert repaired.errors == []
    assert repaired.report.aborted == 1


def test_atomic(repaired: Repaired) -> None:
    first = repaired.held("1")
    html = """<button id=buy>Buy</button><button id=other>Other</button><script>
    window.sent = 0; window.others = 0; other.onclick = () => others++;
    buy.onclick = async () => { await null; sent++; await fetch("/order", { method: "POST" }); };
    fetch("/first");</script>"""
    repaired.open(atomic("#buy"), html, {"/order": first, "/first": repaired.held("0")})
    repaired.wait("window.sent === 0")
    repaired.page.click("#buy")
    repaired.asked(first)
    repaired.page.click("#buy")
    repaired.page.click("#other")
    assert repaired.value("[sent, others]") == [1, 1]
    first.release()
    repaired.calm(200)
    repaired.page.click("#buy")
    repaired.wait("sent === 2")


@pytest.mark.parametrize("way", ["listener", "property"])
def test_early_click_queue(repaired: Repaired, way: str) -> None:
    late = repaired.held(
        "link.addEventListener('click', (e) => { e.preventDefault(); window.opened = true; });"
        if way == "listener"
        else "link.onclick = () => { window.opened = true; return false; };"
    )
    repaired.open(
        early_click_queue("#link"), '<a id=link href="/away">Menu</a><script src=/late.js></script>', {"/late.js": late}
    )
    repaired.asked(late)
    repaired.page.click("#link", no_wait_after=True)
    late.release()
    repaired.wait("window.opened")
    assert repaired.value("location.pathname") == "/"


def test_custom_element(repaired: Repaired) -> None:
    late = repaired.held(
        "customElements.define('x-tabs', class extends HTMLElement { connectedCallback() {"
        "this.addEventListener('click', (e) => { e.preventDefault(); window.opened = e.target.id; }); } });"
    )
    repaired.open(
        user_until("x-tabs", Defined("x-tabs")),
        '<x-tabs><a id=one href="/away">One</a></x-tabs><script type=module src=/late.js></script>',
        {"/late.js": late},
    )
    repaired.asked(late)
    repaired.page.click("#one", no_wait_after=True)
    late.release()
    repaired.wait("window.opened === 'one'")


def test_disable_until(repaired: Repaired) -> None:
    late = repaired.held("document.body.dataset.ready = ''; window.clicks = 0; b.onclick = () => clicks++;")
    repaired.open(
        disable_until("#b", Present("[data-ready]")), "<button id=b>b</button><script src=/late.js></script>",
        {"/late.js": late},
    )  # fmt: skip
    repaired.asked(late)
    repaired.wait("b.getAttribute('aria-busy') === 'true'")
    repaired.page.click("#b")
    late.release()
    repaired.wait("!b.hasAttribute('aria-busy')")
    repaired.calm(400)
    assert repaired.value("clicks") == 0
    repaired.page.click("#b")
    assert repaired.value("clicks") == 1


def test_protect_field(repaired: Repaired) -> None:
    late, response = repaired.held("f.value = 'late'; g.value = 'late'; g.focus();"), repaired.held("x")
    html = """<input id=f><input id=g><button id=clear>Clear</button><script>
    fetch("/r").then(async (r) => { f.value = await r.text(); window.over = true; });
    clear.onclick = () => { f.value = ""; setTimeout(() => { f.value = "again"; }, 1); };</script><script src=/late.js></script>"""
    repaired.open(protect_field("#f"), html, {"/late.js": late, "/r": response})
    repaired.asked(late)
    repaired.page.click("#f")
    repaired.page.keyboard.type("abc")
    late.release()
    response.release()
    repaired.wait("window.over")
    repaired.wait("g.value === 'late'")
    assert repaired.value("[f.value, document.activeElement.id]") == ["abc", "f"]
    repaired.page.click("#clear")  # what the user wants is done
    repaired.wait("f.value === 'again'")


def test_general_policies_finish(repaired: Repaired) -> None:
    repaired.open(general("init-user") | general("init-system"), "<p>text</p>")
    repaired.wait("document.readyState === 'complete'")
    repaired.until(lambda: repaired.report.finished)
    assert repaired.value("[/native code/.test(setTimeout), /native code/.test(Element.prototype.attachShadow)]") == [
        True,
        True,
    ]


def test_listening_at_the_root(repaired: Repaired) -> None:
    late = repaired.held("root.addEventListener('click', (e) => { window.seen = e.target.id; e.preventDefault(); });")
    policy = user_until("#root a", Listening("#root"))
    repaired.open(
        policy, '<div id=root><a id=x href="/away">x</a></div><script src=/late.js></script>', {"/late.js": late}
    )
    repaired.asked(late)
    repaired.page.click("#x", no_wait_after=True)
    late.release()
    repaired.wait("window.seen === 'x'")
