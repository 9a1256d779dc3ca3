"""Scripts are rewritten before they run, whichever way they come; whatever is told of them is as if they were not."""

# ruff: noqa: E501 (pages stay readable in lines of their own length)
from __future__ import annotations

import base64
import hashlib
from typing import Any

import pytest

from jostle.browser.pending import PendingResponse
from jostle.browser.settings import AccessLog, TabSettings
from jostle.events import Effect
from tests.browser.driven import Driven, OpenApp
from tests.browser.live import Site
from tests.browser.replacing import Replacing
from tests.browser.test_network_recorded import Memory

ACCESSES = TabSettings(accesses=AccessLog.ALL)
WRITE = {"mark = ": "mark = 0 + $jostle.w(null,`mark`,0,`T:1:1`) + "}
"""Whoever writes `mark = ` in a script tells that he writes the variable `mark`. Where this is not to be replaced in a text
of a script that makes code of it, the text is written in two pieces."""


def marked(effect: Effect) -> bool:
    """Whether a rewritten script told that it wrote `mark`."""
    return any(str(each.location) == "global:mark" and each.write for each in effect.accesses)


def walked(page: Driven, *clicks: str) -> tuple[list[str], list[str], Any, list[tuple[str, ...]], str]:
    """Everything that must not depend on rewriting."""
    effects = page.open()
    for name in clicks:
        effects += [page.act(f'click button "{name}"'), *page.drain()]
    created = [str(event) for effect in effects for event in effect.created]
    errors = [(error.message, error.source, *error.stack) for effect in effects for error in effect.errors]
    return page.keys, created, page.ask("globalThis.said"), errors, page.state().digest


CODE = """<!doctype html><title>x</title><body><div id=box></div><button>go</button>
<script>
function later() { said.push("later"); }
var said = [], mark = 0;
(0, eval)("var evaled = 1; setTimeout(later, 10)");
const f = new Function("a", "b = 1", "ma" + "rk = a; setTimeout(later, 11); return mark + b");
said.push(f(5), String(f), f.name, f.length, f instanceof Function, f.constructor === Function, Function("return 7")());
const AsyncFunction = (async () => {}).constructor;
new AsyncFunction("ma" + "rk = 9; setTimeout(later, 12)")();
const GeneratorFunction = (function* () {}).constructor;
said.push(...new GeneratorFunction("ma" + "rk = 10; yield mark")());
try { new Function("}"); } catch (error) { said.push(error.name, error.message); }
setTimeout("ma" + "rk = 7; setTimeout(later, 13)", 5);
const s = document.createElement("script"); s.textContent = "ma" + "rk = 8; setTimeout(later, 14)"; document.body.append(s);
said.push(s.textContent, s.text, s.outerHTML);
document.getElementById("box").innerHTML = '<button id=c onclick="ma' + 'rk = 3; later()">c</button>';
said.push(document.getElementById("box").innerHTML, c.getAttribute("onclick"));
const d = document.createElement("button"); d.textContent = "d"; d.setAttribute("onclick", "ma" + "rk = 4; later()"); document.body.append(d);
said.push(d.outerHTML, Function.prototype.toString.call(later));
fetch("/data").then((r) => r.text()).then((text) => said.push(text));
try { mark = null.x } catch (error) { console.error(error); }
setTimeout(() => { mark = 2; undefinedThing(); }, 3);
document.write("<script>ma" + "rk = 21; setTimeout(later, 15)<\\/script>");
</script><script type=module src=/m.mjs></script><script src=/a.js></script>
"""
FILES = {
    "/m.mjs": "import { x } from '/n.js'; mark = x; setTimeout(later, 16); const l = await import('/o.js'); mark = l.y;",
    "/n.js": "mark = 77; export const x = 5;",
    "/o.js": "mark = 12; export let y = 3; queueMicrotask(() => { mark = 5; setTimeout(later, 18); });",
    "/a.js": "/* a */ mark = 13; setTimeout(later, 17)",
    "/data": "some data",
}


def test_all_code_is_rewritten_and_everything_else_is_as_without(app: OpenApp, site: Site) -> None:
    site.serve({"/": CODE, **FILES})
    plain = walked(app(), "go", "c", "d")
    rewriter = Replacing(WRITE)
    page = app(settings=ACCESSES, rewriter=rewriter)
    rewritten = walked(page, "go", "c", "d")
    assert rewritten[2] == plain[2]
    assert rewritten[1] == plain[1]
    assert rewritten == plain
    kinds = [kind for kind, _ in rewriter.asked]
    assert kinds.count("script") == 1 + 4 + 1 + 1 + 1, (
        rewriter.asked
    )  # a file, functions, a timer, an element, document.write
    assert kinds.count("module") == 3
    assert kinds.count("handler") == 1
    assert rewriter.asked[0] == ("document", f"{site.url}/")


def test_what_rewritten_code_tells_belongs_to_the_event_that_runs_it(app: OpenApp, site: Site) -> None:
    site.serve({"/": CODE, **FILES})
    page = app(settings=ACCESSES, rewriter=Replacing(WRITE))
    page.reset()
    assert marked(page.let("GET /"))
    assert marked(page.let("GET /a.js"))
    assert marked(page.let("timeout 5 "))
    assert not marked(page.let("timeout 10 "))
    assert marked(page.act('click button "c"'))
    assert marked(page.act('click button "d"'))
    assert not marked(page.act('click button "go"'))


def test_a_recording_has_the_original(app: OpenApp, site: Site) -> None:
    site.serve(
        {
            "/": "<!doctype html><title>x</title><script src=/a.js></script><script>mark = 1</script>",
            "/a.js": "var mark = 0",
        }
    )
    passed: list[PendingResponse] = []
    page = app(settings=ACCESSES, rewriter=Replacing(WRITE), on_exchange=passed.append)
    page.open()
    bodies = [answer.hops[-1].body for answer in passed]
    assert bodies == [site.pages["/"].encode(), site.pages["/a.js"].encode()]  # type: ignore[union-attr]
    assert page.ask("document.scripts[1].textContent") == "mark = 1"


@pytest.mark.parametrize(
    ("content_type", "encoding"),
    [
        ("text/javascript; charset=iso-8859-1", "latin-1"),
        ("text/javascript", "utf-8"),
        ("application/javascript", "utf-8-sig"),
    ],
)
def test_characters_stay_what_they_are(app: OpenApp, site: Site, content_type: str, encoding: str) -> None:
    script = "window.text = 'Ärger über ß'; mark = 1; window.size = text.length;".encode(encoding)
    site.serve(
        {
            "/": (
                200,
                {"Content-Type": "text/html"},
                "<!doctype html><meta charset=windows-1252><title>x</title><p id=p>Grüße</p><script>var mark = 0; window.here = 'ü';</script><script src=/a.js></script>".encode(
                    "cp1252"
                ),
            ),
            "/a.js": (200, {"Content-Type": content_type}, script),
        }
    )
    page = app(settings=ACCESSES, rewriter=Replacing(WRITE))
    effects = page.open()
    assert marked(effects[-1])
    assert page.ask("[document.characterSet, p.textContent, here]") == ["windows-1252", "Grüße", "ü"]
    if encoding != "utf-8":  # without a charset of its own a script has that of its page
        assert page.ask("text") == "Ärger über ß"


def test_what_cannot_be_rewritten_runs_and_is_said(app: OpenApp, site: Site) -> None:
    site.serve(
        {"/": "<!doctype html><title>x</title><script src=/a.js></script>", "/a.js": "window.ran = eval('1 + 1')"}
    )
    page = app(settings=ACCESSES, rewriter=Replacing(WRITE, problem="it is too strange"))
    effects = page.open()
    assert page.ask("ran") == 2
    limits = [words for effect in effects for words in effect.limits]
    assert limits == [
        f"in {site.url}/: it is too strange",
        f"{site.url}/a.js was not rewritten (it is too strange): what it reads and writes is not seen",
    ]


def test_workers_are_left_alone_and_it_is_said(app: OpenApp, site: Site) -> None:
    site.serve(
        {
            "/": "<!doctype html><title>x</title><script>new Worker('/w.js').onmessage = (e) => { window.got = e.data; }</script>",
            "/w.js": "importScripts('/i.js'); var mark = 2; postMessage(mark + more)",
            "/i.js": "var more = 1;",
        }
    )
    page = app(settings=ACCESSES, rewriter=Replacing(WRITE))
    limits = [words for effect in page.open() for words in effect.limits]
    assert page.ask("got") == 3
    assert f"{site.url}/w.js runs in a worker: what workers read and write is not seen" in limits


STRICT = "default-src 'none'; script-src 'nonce-n' 'unsafe-eval'; require-trusted-types-for 'script'; trusted-types p"


def test_a_strict_policy_and_trusted_types(app: OpenApp, site: Site) -> None:
    markup = """<!doctype html><title>x</title><body><script nonce=n>
        var mark = 0, said = [];
        const policy = trustedTypes.createPolicy("p", { createScript: (text, more) => text + (more ?? "") });
        mark = 1;
        eval(policy.createScript("ma" + "rk = 2; said.push('evaluated')", ";"));
        const s = document.createElement("script"); s.nonce = "n"; s.text = policy.createScript("ma" + "rk = 3; said.push('inserted')"); document.body.append(s);
        try { eval("1"); } catch (error) { said.push(error.name); }
        addEventListener("securitypolicyviolation", (event) => said.push(event.violatedDirective));
        setTimeout(() => said.push("later"), 10);
        </script>"""
    site.serve({"/": (200, {"Content-Type": "text/html", "Content-Security-Policy": STRICT}, markup)})
    plain = walked(app())
    rewriter = Replacing(WRITE)
    rewritten = walked(app(settings=ACCESSES, rewriter=rewriter))
    assert rewritten == plain
    assert plain[2] == ["evaluated", "inserted", "EvalError", "later"] or "later" in plain[2]
    assert [kind for kind, _ in rewriter.asked] == ["document", "indirect", "indirect"]


def test_a_policy_that_knows_scripts_by_their_sums(app: OpenApp, site: Site) -> None:
    known, unknown = "var mark = 1; window.known = 1;", "mark = 2; window.unknown = 1;"
    digest = base64.b64encode(hashlib.sha256(known.encode()).digest()).decode()
    policy = f"script-src 'sha256-{digest}'"
    markup = f"<!doctype html><title>x</title><script>{known}</script><script>{unknown}</script>"
    site.serve({"/": (200, {"Content-Type": "text/html", "Content-Security-Policy": policy}, markup)})
    page = app(settings=ACCESSES, rewriter=Replacing(WRITE))
    (effect,) = page.open()
    assert page.ask("[window.known, window.unknown]") == [1, None]
    assert marked(effect)


def test_sums_of_script_elements(app: OpenApp, site: Site) -> None:
    script = "mark = 1;"
    digest = "sha256-" + base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    site.serve(
        {
            "/": f"""<!doctype html><title>x</title><body><script>var mark, said = [];
            for (const set of [(s) => {{ s.integrity = "{digest}"; }}, (s) => s.setAttribute("integrity", "{digest}")]) {{
              const s = document.createElement("script"); set(s); s.src = "/a.js"; s.onload = () => said.push("loaded"); document.body.append(s); said.push(s.integrity, s.getAttribute("integrity"));
            }}</script>""",
            "/a.js": script,
        }
    )
    page = app(settings=ACCESSES, rewriter=Replacing(WRITE))
    effects = page.open()
    assert page.ask("said") == [digest] * 4 + ["loaded"] * 2
    assert marked(effects[-1])


def test_what_a_recording_answers_is_rewritten_too(app: OpenApp, site: Site) -> None:
    site.serve({"/": CODE, **FILES})
    memory = Memory()
    plain = walked(app(on_exchange=memory.note), "go", "c", "d")
    site.serve({})
    page = app(settings=ACCESSES, rewriter=Replacing(WRITE), responder=memory)
    assert walked(page, "go", "c", "d") == plain
    assert site.requests == []
    assert not any(b"$jostle" in reply.body for reply in memory.known.values())


def test_a_page_that_stops_for_a_debugger_goes_on(app: OpenApp, site: Site) -> None:
    site.serve("<!doctype html><title>x</title><button onclick='debugger; window.went = 1;'>go</button>")
    page = app(settings=ACCESSES, rewriter=Replacing(WRITE))
    page.open()
    assert page.act("click").hung == ""
    assert page.ask("went") == 1
