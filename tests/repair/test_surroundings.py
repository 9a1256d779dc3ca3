"""Pages that make it hard: strict policies, wrapped functions, two copies, frames, elements that go, keyboards, screen readers."""

# ruff: noqa: E501 (pages stay readable in lines of their own length)
from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest
from playwright.sync_api import Browser

from jostle.repair import script
from jostle.repair.catalogue import async_user, fifo, init_system, init_user, latest_only, user_until
from jostle.repair.policy import Action, EventKind, IsFunction, Match, Policy, Present, Rule
from jostle.repair.policy_file import as_json
from jostle.repair.script import PARTS, controller_source, parts_for, script_of
from jostle.repair.soundness import GATED
from tests.browser.live import Site
from tests.repair.minifying import minified
from tests.repair.policies import catalogue_policies
from tests.repair.repaired import Repaired

CONTROLLER = Path(script.__file__).parent / "controller"
LATE = "<script src=/late.js></script>"


def test_what_is_delivered_is_up_to_date() -> None:
    for part in (*PARTS, "frame"):
        delivered = (CONTROLLER / "minified" / f"{part}.js").read_text("utf-8")
        assert delivered == minified(part), "run python -m tests.repair.minifying"


def test_all_files_are_delivered() -> None:
    files = {file.stem for file in CONTROLLER.glob("*.js")}
    assert files == {*PARTS, "frame"}
    assert set(parts_for(init_user() | init_system() | fifo() | user_until("#a", Present("b")) | messages())) == set(
        PARTS
    )


def test_what_the_controller_hears_can_be_named() -> None:
    source = (CONTROLLER / "user.js").read_text("utf-8")
    lists = "".join(re.findall(r"const (?:POINTER|KEYS|ENTRY|AFTER) = \[([^\]]*)\]", source))
    assert set(re.findall(r'"(\w+)"', lists)) == set(GATED)


def messages() -> Policy:
    match = Match(kinds=(EventKind.MESSAGE,))
    return Policy(name="messages", rules=(Rule(match=match, until=IsFunction("ready"), action=Action.POSTPONE),))


@pytest.mark.parametrize("policy", catalogue_policies(), ids=lambda policy: policy.name)
def test_the_script_is_small(policy: Policy) -> None:
    assert len(script_of(policy)) < 25_000
    assert not re.search("eval|Function\\(", script_of(policy))


@pytest.mark.parametrize("delivered", [True, False])
def test_minified_and_readable_behave_alike(repaired: Repaired, delivered: bool) -> None:
    repaired.minified = delivered
    late, response = repaired.held("window.n = 0; b.onclick = () => n++; f.value = 'x';"), repaired.held("1")
    html = "<button id=b>b</button><input id=f><script>window.got = []; for (const n of [1, 2]) fetch('/r' + n).then((r) => r.text()).then((t) => got.push(t));</script>"
    repaired.open(init_user() | fifo() | init_system(), html + LATE, {"/late.js": late, "/r1": response, "/r2": "2"})
    repaired.asked(late)
    repaired.page.click("#b")
    repaired.page.click("#f")
    repaired.page.keyboard.type("ab")
    late.release()
    response.release()
    repaired.wait("got.length === 2")
    repaired.wait("n === 1 && f.value === 'ab'")
    told = repaired.report
    assert [(entry.what, entry.event) for entry in told.log if entry.kind == "user"] == [
        ("kept", "entry on input#f"), ("postponed", "click on button#b"), ("postponed", "click on input#f"),
        ("postponed", "keydown on input#f"), ("postponed", "keydown on input#f"),
    ]  # fmt: skip
    assert repaired.value("got") == ["1", "2"]


STRICT = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self' 'nonce-x'; connect-src 'self'; style-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'"
}


def test_a_strict_policy(repaired: Repaired) -> None:
    late = repaired.held("window.n = 0; b.onclick = () => n++;")
    html = f"<button id=b>b</button><script nonce=x>fetch('/r1'); fetch('/r2').then(() => {{ window.second = true; }});</script>{LATE}"
    first = repaired.held("1")
    repaired.open(init_user() | fifo(), html, {"/late.js": late, "/r1": first, "/r2": "2"}, STRICT)
    repaired.asked(late)
    repaired.page.click("#b")
    assert repaired.value("getComputedStyle(b).cursor") == "progress"
    late.release()
    repaired.wait("window.n === 1")
    first.release()
    repaired.wait("window.second")
    assert [text for text in repaired.warnings if "Security" in text or "Trusted" in text] == []


def test_a_policy_in_the_page(repaired: Repaired) -> None:
    late = repaired.held("window.n = 0; b.onclick = () => n++;")
    data = as_json(init_user()).replace("</", "<\\/")
    html = f'<script type="application/json" id="jostle-repair">{data}</script><script src=/c.js></script><button id=b>b</button>{LATE}'
    repaired.open(None, html, {"/c.js": controller_source(), "/late.js": late})
    repaired.asked(late)
    repaired.page.click("#b")
    late.release()
    repaired.wait("window.n === 1")
    assert repaired.report.policy == "init-user"


def test_no_policy_is_told(repaired: Repaired) -> None:
    repaired.open(None, "<script src=/c.js></script><p>text</p>", {"/c.js": controller_source()})
    repaired.until(lambda: any("no policy" in text for text in repaired.warnings))
    assert repaired.errors == []


def test_a_second_copy_stands_back(repaired: Repaired) -> None:
    late = repaired.held("window.n = 0; b.onclick = () => n++;")
    repaired.open(
        init_user(), f"<script src=/jostle-repair.js?2></script><button id=b>b</button>{LATE}", {"/late.js": late}
    )
    repaired.asked(late)
    repaired.page.click("#b")
    late.release()
    repaired.wait("window.n")
    repaired.calm()
    assert repaired.value("n") == 1
    assert [text for text in repaired.warnings if "already" in text] != []


def test_text_in_a_policy_stays_text() -> None:
    policy = Policy(name="</script><script>alert(1)//", message="\u2028", rules=init_user().rules)
    assert "</script" not in script_of(policy)


def test_a_page_that_wraps_the_same_functions(repaired: Repaired) -> None:
    first = repaired.held("1")
    html = """<script>
    window.seen = []; window.got = [];
    const { fetch: f, setTimeout: t } = window;
    window.fetch = (...given) => { seen.push("fetch"); return f(...given); };
    window.setTimeout = (...given) => { seen.push("timer"); return t.apply(window, given); };
    const { send } = XMLHttpRequest.prototype;
    XMLHttpRequest.prototype.send = function (...given) { seen.push("send"); return send.apply(this, given); };
    fetch("/r1").then(() => got.push(1));
    const x = new XMLHttpRequest(); x.onload = () => got.push(2); x.open("GET", "/r2"); x.send();
    setTimeout(() => got.push("t"), 1);
    </script>"""
    repaired.open(fifo() | init_system(), html, {"/r1": first, "/r2": "2"})
    repaired.wait("got.includes('t')")
    repaired.calm()
    assert repaired.value("got") == ["t"]
    first.release()
    repaired.wait("got.length === 3")
    assert repaired.value("[got, seen.slice(0, 3)]") == [["t", 1, 2], ["fetch", "send", "timer"]]


def test_wrappers_of_the_page_outlive_the_controller(repaired: Repaired) -> None:
    html = "<script>const t = window.setTimeout; window.mine = function setTimeout(...given) { return t.apply(window, given); }; window.setTimeout = mine;</script>"
    repaired.open(init_system(), html)
    repaired.wait("document.readyState === 'complete'")
    repaired.until(lambda: repaired.report.finished)
    assert repaired.value("setTimeout === mine") is True
    repaired.page.evaluate("() => { setTimeout(() => { window.ran = true; }, 1); }")
    repaired.wait("window.ran")


def test_each_frame_has_its_own(repaired: Repaired) -> None:
    late = repaired.held("window.n = 0; b.onclick = () => n++;")
    inner = f"<!doctype html><script src=/jostle-repair.js></script><button id=b>b</button>{LATE}"
    repaired.open(init_user(), "<iframe src=/inner.html></iframe>", {"/inner.html": inner, "/late.js": late})
    repaired.asked(late)
    frame = next(frame for frame in repaired.page.frames if frame.url.endswith("inner.html"))
    frame.click("#b")
    late.release()
    repaired.until(lambda: frame.evaluate("() => window.n") == 1)


@pytest.mark.parametrize("by", ["id", "place", "nothing"])
def test_an_element_that_is_drawn_again(repaired: Repaired, by: str) -> None:
    name = "id=b" if by == "id" else ""
    again = {"id": "<button id=b>Save</button>", "place": "<button>Save</button>", "nothing": "<p>gone</p>"}[by]
    late = repaired.held(f"window.n = 0; root.innerHTML = `{again}`; root.onclick = (e) => {{ n++; }};")
    repaired.open(init_user(), f"<div id=root><button {name}>Save</button></div>{LATE}", {"/late.js": late})
    repaired.asked(late)
    repaired.page.click("#root button")
    late.release()
    repaired.until(lambda: repaired.report.waiting == 0 and repaired.value("window.n") is not None)
    repaired.calm()
    assert repaired.value("n") == (0 if by == "nothing" else 1)
    assert repaired.report.lost == (1 if by == "nothing" else 0)


def test_the_keyboard_is_no_trap(repaired: Repaired) -> None:
    late = repaired.held(
        "window.heard = []; for (const el of document.querySelectorAll('a, button')) el.addEventListener('click', (e) => { e.preventDefault(); heard.push(el.id); });"
    )
    html = f'<input id=f><a id=l href="/away">l</a><button id=b>b</button><button id=c>c</button>{LATE}'
    repaired.open(init_user(), html, {"/late.js": late})
    repaired.asked(late)
    repaired.page.wait_for_selector("#c")  # a script is asked for before all that comes before it is there
    focus = []
    for key in ("Tab", "Tab", "Enter", "Tab", "Space", "Tab", "Shift+Tab"):
        repaired.page.keyboard.press(key)
        focus.append(repaired.value("document.activeElement.id"))
    assert focus == ["f", "l", "l", "b", "b", "c", "b"]
    late.release()
    repaired.wait("window.heard?.length === 2")
    repaired.calm()
    assert repaired.value("heard") == ["l", "b"]
    assert repaired.value("location.pathname") == "/"


def test_a_double_click(repaired: Repaired) -> None:
    late = repaired.held(
        "window.heard = []; for (const t of ['click', 'dblclick']) b.addEventListener(t, (e) => heard.push(t + e.detail));"
    )
    repaired.open(init_user(), f"<button id=b>b</button>{LATE}", {"/late.js": late})
    repaired.asked(late)
    repaired.page.dblclick("#b")
    late.release()
    repaired.wait("window.heard?.length === 3")
    assert repaired.value("heard") == ["click1", "click2", "dblclick2"]


def test_text_of_an_input_method(repaired: Repaired) -> None:
    late = repaired.held(
        "window.heard = []; for (const t of ['compositionstart', 'compositionend', 'input']) f.addEventListener(t, (e) => heard.push(t));"
    )
    repaired.open(init_user(), f"<input id=f>{LATE}", {"/late.js": late})
    repaired.asked(late)
    repaired.page.click("#f")
    session = repaired.page.context.new_cdp_session(repaired.page)
    for text in ("に", "にほ"):
        session.send("Input.imeSetComposition", {"text": text, "selectionStart": 1, "selectionEnd": 1})
    session.send("Input.insertText", {"text": "日本"})
    late.release()
    repaired.wait("window.heard?.includes('compositionend')")
    repaired.calm()
    assert repaired.value("f.value") == "日本"
    heard = repaired.value("heard")
    assert (heard[0], heard.count("compositionend"), heard.count("input")) == ("compositionstart", 1, 3)


@pytest.mark.parametrize("way", ["tap", "click"])
def test_touching(browser: Browser, served: Site, way: str) -> None:
    context = browser.new_context(has_touch=True, is_mobile=True)
    repaired = Repaired(context.new_page(), served)
    late = repaired.held(
        "window.heard = []; for (const t of ['pointerdown', 'click']) b.addEventListener(t, () => heard.push(t));"
    )
    repaired.open(init_user(), f"<button id=b style='font-size:5em'>b</button>{LATE}", {"/late.js": late})
    repaired.asked(late)
    getattr(repaired.page, way)("#b", no_wait_after=True)
    late.release()
    repaired.wait("window.heard?.length === 2")
    repaired.calm(500)
    assert repaired.value("heard") == ["pointerdown", "click"]
    context.close()


def test_a_screen_reader_hears_that_it_is_busy(repaired: Repaired) -> None:
    late = repaired.held("window.ready = true")
    repaired.open(init_user(), f"<button id=b aria-busy=false>b</button>{LATE}", {"/late.js": late})
    repaired.asked(late)
    repaired.page.click("#b")
    repaired.wait("document.querySelector('[role=status]')?.textContent")
    assert repaired.value("[document.querySelector('[role=status]').textContent, b.getAttribute('aria-busy')]") == [
        "Please wait…",
        "true",
    ]
    late.release()
    repaired.wait("window.ready")
    repaired.wait("!document.querySelector('[role=status]')")
    assert repaired.value("[b.getAttribute('aria-busy'), b.attributes.length]") == ["false", 2]


def test_forms_wait(repaired: Repaired) -> None:
    late = repaired.held(
        "form.addEventListener('submit', (e) => { e.preventDefault(); window.sent = [...new FormData(form, e.submitter)].join(); });"
    )
    html = f"<form id=form action=/away><input name=q id=q><button name=go value=1>Go</button></form>{LATE}"
    repaired.open(init_user(), html, {"/late.js": late})
    repaired.asked(late)
    repaired.page.click("#q")
    repaired.page.keyboard.type("ab")
    repaired.page.keyboard.press("Enter")
    late.release()
    repaired.wait("window.sent")
    assert repaired.value("[sent, location.pathname]") == ["q,ab,go,1", "/"]


def test_a_link_is_followed_when_nobody_minds(repaired: Repaired) -> None:
    late = repaired.held("window.late = true")
    repaired.open(init_user(), f'<a id=l href="/there">l</a>{LATE}', {"/late.js": late, "/there": "<p>there</p>"})
    repaired.asked(late)
    repaired.page.click("#l", no_wait_after=True)
    repaired.calm()
    assert repaired.value("location.pathname") == "/"
    late.release()
    repaired.wait("location.pathname === '/there'")


def test_the_watchdog_lets_go_and_says_so(repaired: Repaired) -> None:
    policy = msgspec.structs.replace(user_until("#b", IsFunction("never.comes")), watchdog=0.3)
    repaired.open(policy, "<button id=b>b</button><script>window.n = 0; b.onclick = () => n++;</script>")
    repaired.wait("window.n === 0")
    repaired.page.click("#b")
    repaired.wait("n === 1")
    told = repaired.report
    assert (told.overdue, told.log[0].overdue) == (1, True)
    assert any("is let go" in text for text in repaired.warnings)


def test_streams_are_not_waited_for(repaired: Repaired) -> None:
    first = repaired.held("1")

    def lines(request: object) -> tuple[int, dict[str, str], object]:
        def parts() -> object:
            yield b"data: one\n\n"
            first._released.wait(20)
            yield b"data: two\n\n"

        return 200, {"Content-Type": "text/event-stream"}, parts()

    html = "<script>window.got = []; fetch('/stream').then(async (r) => { const reader = r.body.getReader(); got.push(new TextDecoder().decode((await reader.read()).value)); });</script>"
    repaired.open(fifo(), html, {"/stream": lines})  # type: ignore[dict-item]
    repaired.wait("got.length")
    assert repaired.value("got[0]").startswith("data: one")
    first.release()


def test_a_response_is_heard_of_as_a_whole(repaired: Repaired) -> None:
    """Headers that came first are no reason to read a body that comes last."""
    second = repaired.held("2")

    def slow(request: object) -> tuple[int, dict[str, str], object]:
        def parts() -> object:
            yield b"1"
            second.asked.wait(20)
            yield b"1"

        return 200, {"Content-Type": "text/plain"}, parts()

    html = "<script>window.got = []; for (const n of [1, 2]) fetch('/r' + n).then((r) => r.text()).then((t) => got.push(t));</script>"
    repaired.open(fifo(), html, {"/r1": slow, "/r2": second})  # type: ignore[dict-item]
    second.release()
    repaired.wait("got.length === 2")
    assert repaired.value("got") == ["11", "2"]


def test_messages_wait_in_order(repaired: Repaired) -> None:
    late = repaired.held("window.ready = () => {};")
    html = f"<script>window.got = []; addEventListener('message', (e) => got.push([e.data, e.origin === location.origin, e.source === window])); for (const n of [1, 2]) postMessage(n, '*');</script>{LATE}"
    repaired.open(messages(), html, {"/late.js": late})
    repaired.asked(late)
    repaired.calm()
    assert repaired.value("window.got") == []
    late.release()
    repaired.wait("got.length === 2")
    assert repaired.value("got") == [[1, True, True], [2, True, True]]


def test_images_in_the_order_in_which_they_were_asked_for(repaired: Repaired) -> None:
    svg = '<svg xmlns="http://www.w3.org/2000/svg" width="2" height="2"/>'
    first = repaired.held(svg)
    html = "<script>window.got = []; for (const n of [1, 2]) { const i = new Image(); i.onload = () => got.push(n); i.src = `/${n}.svg`; }</script>"
    repaired.open(fifo(kinds=(EventKind.IMAGE,)), html, {"/1.svg": first, "/2.svg": svg})
    repaired.until(lambda: repaired.report.waiting == 1)
    assert repaired.value("got") == []
    first.release()
    repaired.wait("got.length === 2")
    assert repaired.value("got") == [1, 2]


def test_what_throws_while_it_was_postponed_is_reported(repaired: Repaired) -> None:
    late = repaired.held("b.onclick = () => { throw new Error('mine'); };")
    html = f"<script>setTimeout(() => {{ throw new Error('late'); }}, 1);</script><button id=b>b</button>{LATE}"
    repaired.open(init_user() | init_system(), html, {"/late.js": late})
    repaired.asked(late)
    repaired.page.click("#b")
    late.release()
    repaired.until(lambda: len(repaired.errors) == 2)
    assert sorted(repaired.errors) == ["late", "mine"]


def test_an_abort_that_the_page_hears_of(repaired: Repaired) -> None:
    first = repaired.held("1")
    html = "<script>window.got = []; for (const n of [1, 2]) fetch('/r?' + n).then(() => got.push(n), (e) => got.push(e.name)).finally(() => got.push('over'));</script>"
    repaired.open(latest_only("/r"), html, {"/r?1": first, "/r?2": "2"})
    repaired.wait("got.length === 4")
    assert sorted(map(str, repaired.value("got"))) == ["2", "AbortError", "over", "over"]


def test_discarded_clicks_leave_nothing_behind(repaired: Repaired) -> None:
    first = repaired.held("1")
    repaired.open(
        async_user(),
        "<button id=b>b</button><script>window.n = 0; b.onclick = () => n++; fetch('/r');</script>",
        {"/r": first},
    )
    repaired.asked(first)
    repaired.page.click("#b")
    assert (repaired.value("n"), repaired.report.discarded) == (0, 1)
    first.release()
    repaired.wait("b.attributes.length === 1")
    repaired.page.click("#b")
    assert repaired.value("n") == 1
