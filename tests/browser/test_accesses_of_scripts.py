"""What scripts read and write, told by the rewritten scripts themselves: variables, objects, arrays."""

# ruff: noqa: E501 (pages stay readable in lines of their own length)
from __future__ import annotations

from pathlib import Path

import pytest

from jostle.browser.settings import AccessLog, TabSettings
from jostle.events import Access, Effect, LocationKind, located
from jostle.instrument import Rewriter, memory
from tests.browser.driven import Driven, OpenApp
from tests.browser.live import Site
from tests.browser.test_rewriting_in_pages import CODE, FILES, walked

ACCESSES = TabSettings(accesses=AccessLog.ALL)
EXAMPLES = Path(__file__).parents[2] / "src/jostle/examples/pages"


@pytest.fixture
def rewriter() -> Rewriter:
    return Rewriter(memory)


def told(effect: Effect, *names: str) -> list[tuple[str, str, str]]:
    """Read or written, name and value of the accesses of these names, in order."""
    return [
        ("write" if each.write else "read", each.name, each.value) for each in effect.accesses if each.name in names
    ]


def script(site: Site, text: str) -> None:
    site.serve({"/": "<!doctype html><title>x</title><body><script src=/app.js></script>", "/app.js": text})


def timers(page: Driven, *delays: int) -> list[Effect]:
    page.reset()
    page.let("GET /")
    page.let("GET /app.js")
    return [page.let(f"timeout {delay} ") for delay in delays]


def conflicts(first: Effect, second: Effect) -> set[str]:
    """Locations that both access, one of them writing."""
    kinds: dict[str, set[tuple[int, bool]]] = {}
    for number, effect in enumerate((first, second)):
        for each in effect.accesses:
            kinds.setdefault(str(each.location), set()).add((number, each.write))
    return {place for place, by in kinds.items() if {n for n, _ in by} == {0, 1} and any(write for _, write in by)}


def test_who_waits_for_a_promise_depends_on_the_event_that_settles_it(
    app: OpenApp, site: Site, rewriter: Rewriter
) -> None:
    script(
        site,
        """const figures = fetch("/figures.json").then((answer) => answer.json());
        const failing = figures.then(() => { throw new Error("no") });
        const passed = figures.catch(() => {});
        setTimeout(async () => { document.title = await figures; }, 10);
        setTimeout(() => Promise.all([passed]).then(([text]) => { document.title += text; }), 20);
        setTimeout(() => failing.catch(({ message }) => { document.title += message; }), 30);
        setTimeout(() => {}, 40);""",
    )
    site.pages["/figures.json"] = '"x"'
    ten, twenty, thirty = (f"timeout {delay} " for delay in (10, 20, 30))
    for order in (["GET /figures", ten, twenty, thirty], [ten, twenty, "GET /figures", thirty]):
        page = app(settings=ACCESSES, rewriter=rewriter)
        page.reset()
        page.let("GET /")
        page.let("GET /app.js")
        effects = {what: page.let(what) for what in order}
        assert page.state().title == "xxno"
        answer, idle = effects["GET /figures"], page.let("timeout 40 ")
        for what in (ten, twenty, thirty):
            assert any(place.endswith(".[[state]]") for place in conflicts(answer, effects[what])), (what, order)
        assert not conflicts(answer, idle)
    [waited] = [each for each in effects[ten].accesses if each.location.name == "[[state]]"]
    assert (waited.write, waited.name, waited.source) == (False, "a promise", "/app.js:4:51")


def test_the_slideshow(app: OpenApp, site: Site, rewriter: Rewriter) -> None:
    folder = EXAMPLES / "slideshow"
    picture = next(folder.glob("*.png"), None)
    body = picture.read_bytes() if picture else _PIXEL
    site.serve({"/": (folder / "index.html").read_text(), **{f"/image{n}.png": body for n in (1, 2, 3)}})
    plain = app()
    plain.reset()
    page = app(settings=ACCESSES, rewriter=rewriter)
    page.reset()
    effects: dict[str, Effect] = {}
    for each in (plain, page):
        each.let("GET /")
        each.let("GET /image1.png")
        effects["second"] = each.let("GET /image2.png")
        effects["click"] = each.act("click button")
        effects["empty"] = each.act("click button")
        effects["third"] = each.let("GET /image3.png")
        effects["timer"] = each.let("timeout")
    assert page.keys == plain.keys
    assert page.state() == plain.state()
    queue = next(access for access in effects["second"].accesses if access.name == "queue.length" and access.write)
    assert queue.location.kind is LocationKind.ARRAY
    assert queue.source == "/:20:42"
    assert queue.value == "1"
    for pair in (("second", "click"), ("empty", "third"), ("third", "timer"), ("click", "empty")):
        assert str(queue.location) in conflicts(effects[pair[0]], effects[pair[1]]), pair
    assert "global:queue" not in conflicts(effects["second"], effects["click"])  # both only read the variable
    assert told(effects["empty"], "queue.length") == [("read", "queue.length", "0")]
    assert told(effects["timer"], "queue.length") == [("read", "queue.length", "1"), ("write", "queue.length", "0")]
    assert not any(effect.limits for effect in effects.values())


_PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d49444154789c6360606060000000050001a5f645400000000049454e44ae426082"
)


def test_variables_of_scripts_closures_and_blocks(app: OpenApp, site: Site, rewriter: Rewriter) -> None:
    script(
        site,
        """var shared = 1; let block = 1;
        function counter() { let n = 0; return () => { n = n + 1; }; }
        const one = counter(), two = counter();
        setTimeout(() => { shared = shared + 1; block = 5; }, 10);
        setTimeout(() => { shared = 7; shared; block; }, 20);
        setTimeout(() => { one(); one(); }, 30);
        setTimeout(() => { one(); two(); }, 40);
        setTimeout(() => { two(); let own = 1; own = 2; }, 50);""",
    )
    first, second, third, fourth, fifth = timers(app(settings=ACCESSES, rewriter=rewriter), 10, 20, 30, 40, 50)
    assert told(first, "shared") == [("read", "shared", "1"), ("write", "shared", "2")]
    assert told(second, "shared") == [("write", "shared", "7"), ("read", "shared", "7")]
    assert conflicts(first, second) == {"global:shared", "global:block"}
    assert told(first, "block") == [("write", "block", "5")]
    assert told(third, "n") == [("read", "n", "0"), ("write", "n", "2")]
    (n,) = conflicts(third, fourth)
    assert n.startswith("closure:")
    assert conflicts(third, fifth) == set()  # another activation
    assert len(conflicts(fourth, fifth)) == 1
    assert first.accesses[1].source == "/app.js:4:37"


def test_variables_that_have_the_name_of_a_settable_builtin(app: OpenApp, site: Site, rewriter: Rewriter) -> None:
    script(
        site,
        """var status = "new", name = "A";
        setTimeout(() => { status = "done"; }, 10);
        setTimeout(() => { document.title = status + window.name; }, 20);
        setTimeout(() => { window.name = "B"; location.hash; }, 30);""",
    )
    first, second, third = timers(app(settings=ACCESSES, rewriter=rewriter), 10, 20, 30)
    assert told(first, "status") == [("write", "status", '"done"')]
    assert told(second, "status", "name") == [("read", "status", '"done"'), ("read", "name", '"A"')]
    assert conflicts(first, second) >= {"global:status"}
    assert "global:name" in conflicts(second, third)


def test_objects_arrays_maps_and_what_is_inherited(app: OpenApp, site: Site, rewriter: Rewriter) -> None:
    script(
        site,
        """const state = { cart: { items: [] }, get total() { return 5; } };
        class Base { greet() { return 1; } } class Derived extends Base {}
        const derived = new Derived(), map = new Map(), hidden = new Proxy({}, { get() { window.trapped = (window.trapped ?? 0) + 1; } });
        setTimeout(() => { state.cart.items.push("a"); state.total; hidden.x; }, 10);
        setTimeout(() => { state.cart.items[0]; delete state.other; }, 20);
        setTimeout(() => { state.cart = null; Base.prototype.greet = () => 2; }, 30);
        setTimeout(() => { derived.greet(); map.set("k", 1); }, 40);
        setTimeout(() => { map.get("k"); for (const item of [1]) item; }, 50);""",
    )
    page = app(settings=ACCESSES, rewriter=rewriter)
    push, element, replaced, call, get = timers(page, 10, 20, 30, 40, 50)
    assert told(push, "cart.items.length") == [("read", "cart.items.length", "0"), ("write", "cart.items.length", "1")]
    assert told(push, "total") == [("read", "total", "")]  # behind a getter, which ran once, for the page
    assert page.ask("trapped") == 1
    assert told(element, "cart.items[0]") == [("read", "cart.items[0]", '"a"')]
    assert {place.partition(":")[0] for place in conflicts(push, element)} == {"array"}
    assert told(element, "other") == [("write", "other", "undefined")]
    assert told(replaced, "cart") == [("write", "cart", "null")]
    assert any(place.endswith(".greet") for place in conflicts(replaced, call))
    assert any(place.endswith(".content") for place in conflicts(call, get))


def test_promises_belong_to_the_event_that_runs_them(app: OpenApp, site: Site, rewriter: Rewriter) -> None:
    script(
        site,
        """var got = "", asked = false;
        setTimeout(async () => { asked = true; const answer = await fetch("/data"); got = await answer.text(); }, 10);
        setTimeout(() => { got; }, 20);""",
    )
    site.pages["/data"] = "data"
    page = app(settings=ACCESSES, rewriter=rewriter)
    asked, looked = timers(page, 10, 20)
    answered = page.let("GET /data")
    assert told(asked, "asked", "got") == [("write", "asked", "true")]
    assert told(answered, "got") == [("write", "got", '"data"')]
    assert conflicts(looked, answered) == {"global:got"}


def test_styles_data_and_named_elements(app: OpenApp, site: Site, rewriter: Rewriter) -> None:
    script(
        site,
        """document.body.innerHTML = '<p id=p style="color: red" data-n=1></p>';
        const rows = document.getElementsByClassName("row");
        setTimeout(() => { p.style.color = "blue"; p.dataset.n = 2; p.expando = 1; }, 10);
        setTimeout(() => { p.style.color; p.dataset.n; p.expando; rows.length; localStorage.cart = 1; }, 20);
        setTimeout(() => { p.innerHTML = "<i class=row></i>"; localStorage.cart; }, 30);""",
    )
    written, read, inserted = timers(app(settings=ACCESSES, rewriter=rewriter), 10, 20, 30)
    both = conflicts(written, read)
    assert {"dom:p#p@style", "dom:p#p@data-n"} <= both
    assert any(place.startswith("object:") and place.endswith(".expando") for place in both)
    style = next(each for each in written.accesses if str(each.location) == "dom:p#p@style" and each.write)
    assert style == Access(
        location=located("dom:p#p@style"),
        write=True,
        value='"color: blue;"',
        name="style of p#p",
        source="/app.js:3:36",
    )
    assert {"tree:.row", "storage:localStorage.cart"} <= conflicts(read, inserted)


def test_frames_share_objects_with_the_page_around_them(app: OpenApp, site: Site, rewriter: Rewriter) -> None:
    site.serve(
        {
            "/": "<!doctype html><title>x</title><body><script src=/app.js></script><iframe src=/inner.html></iframe>",
            "/app.js": "var shared = { n: 0 }; setTimeout(() => { shared.n = 1; }, 10);",
            "/inner.html": "<!doctype html><script src=/inner.js></script>",
            "/inner.js": "setTimeout(() => { parent.shared.n; }, 20);",
        }
    )
    page = app(settings=ACCESSES, rewriter=rewriter)
    page.reset()
    while any(event.what.startswith("GET") for event in page.waiting()):
        page.let("GET")
    outer, inner = page.let("timeout 10"), page.let("timeout 20")
    (n,) = conflicts(outer, inner)
    assert n.endswith(".n")


def test_a_page_is_the_same_with_and_without(app: OpenApp, site: Site, rewriter: Rewriter) -> None:
    site.serve({"/": CODE, **FILES})
    plain = walked(app(), "go", "c", "d")
    rewritten = walked(app(settings=ACCESSES, rewriter=rewriter), "go", "c", "d")
    for before, after in zip(plain, rewritten, strict=True):
        assert after == before


def test_evaluated_code(app: OpenApp, site: Site, rewriter: Rewriter) -> None:
    script(
        site,
        """function made() { let inner = 1; return { look: () => eval("inner"), set: () => { inner = 2; } }; }
        const here = made();
        setTimeout(() => { window.seen = here.look(); window.strict = (() => { "use strict"; eval("var own = 1"); return typeof own; })(); }, 10);
        setTimeout(() => { here.set(); (0, eval)("var everywhere = 3"); }, 20);
        setTimeout(() => { everywhere; new Function("everywhere = 4")(); }, 30);""",
    )
    page = app(settings=ACCESSES, rewriter=rewriter)
    _, change, use = timers(page, 10, 20, 30)
    assert page.ask("[seen, strict, everywhere]") == [1, "undefined", 4]
    assert conflicts(change, use) == {"global:everywhere"}


@pytest.mark.long
def test_too_much_is_said(app: OpenApp, site: Site, rewriter: Rewriter) -> None:
    script(site, "var list = []; setTimeout(() => { for (let i = 0; i < 120000; i++) list[i] = i; }, 10);")
    (effect,) = timers(app(settings=ACCESSES, rewriter=rewriter), 10)
    assert 99_000 < len(effect.accesses) <= 100_010
    assert effect.limits == (
        "one event read and wrote more than 100000 locations; the rest is not compared with other events",
    )
