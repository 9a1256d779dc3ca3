"""Races while loading in a real browser: each page with a bug, and beside it one like it without."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import pytest

from jostle.browser.app_options import AppListeners, NetworkRules
from jostle.browser.chromium_app import ChromiumApp
from jostle.browser.responders import Responder
from jostle.browser.settings import TabSettings
from jostle.findings.evidence import DifferenceKind, LoadRaceEvidence, OutcomeDifference
from jostle.races.files import OrderFiles
from jostle.races.loading.loads import Loads
from jostle.races.loading.probing import Probing
from jostle.races.loading.told import finding_of, problem_of
from jostle.races.told import RaceFiles
from jostle.recording.file import Manifest
from jostle.recording.recorder import Hears
from tests.browser.live import Browser, Served, Site, browser_launched, site_served


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with site_served() as served:
        yield served


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with browser_launched() as launched:
        yield launched


class Told(NamedTuple):
    races: list[str]
    """`KIND PART: what the user does`."""
    dismissed: list[str]
    search: Probing
    loads: Loads


class Init:
    """Looks for races in pages that are given as text."""

    def __init__(self, browser: Browser, site: Site) -> None:
        self._browser = browser
        self._site = site

    def loads(self, pages: Mapping[str, Served] | str) -> Loads:
        return self.loads_of(self._site.serve({"/": pages} if isinstance(pages, str) else pages))

    def loads_of(self, url: str) -> Loads:
        def opens(responder: Responder | None, hearing: Hears, *, registrations: bool) -> ChromiumApp:
            return ChromiumApp(
                self._browser.chromium,
                url,
                settings=TabSettings(registrations=registrations),
                network=NetworkRules(responder=responder),
                listeners=AppListeners(exchange=hearing.exchanged, traffic=hearing.traffic, limit=hearing.limit),
            )

        return Loads(opens, Manifest(url=url))

    def __call__(self, pages: Mapping[str, Served] | str, *, repeat: bool = False, unproved: bool = False) -> Told:
        return self.search(self.loads(pages), repeat=repeat, unproved=unproved)

    def search(self, loads: Loads, *, repeat: bool = False, unproved: bool = False) -> Told:
        search = Probing(loads, unproved=unproved)

        async def run() -> None:
            try:
                async for race in search.run():
                    if repeat:
                        assert await loads.repeats(race.bad)
                        assert await loads.repeats(race.good)
            finally:
                await loads.close()

        self._browser.run(run())
        return Told(
            races=[f"{race.shown.kind.value} {race.part.value}: {race.event.what}" for race in search.races],
            dismissed=[f"{each.kind.value} {each.candidate.part.value}: {each.reason}" for each in search.dismissed],
            search=search,
            loads=loads,
        )


@pytest.fixture
def init(browser: Browser, site: Site) -> Init:
    return Init(browser, site)


HEAD = "<!doctype html><title>T</title>"
FIELD = (
    '<!doctype html><title>Search</title><label>Search <input id="q"></label><script src="/s.js"></script><p>More</p>'
)


def test_what_is_typed_before_a_script_sets_the_field_is_lost(init: Init) -> None:
    script = 'document.addEventListener("DOMContentLoaded", () => { document.getElementById("q").value = ""; });'
    told = init({"/": FIELD, "/s.js": script}, repeat=True)
    assert told.races == ['form-input-overwritten write: type "zq7" in textbox "Search"']
    (race,) = told.search.races
    assert race.held.what == "GET /s.js"
    assert race.shown.differences == (OutcomeDifference(DifferenceKind.FORM, "input#q", "zq7", ""),)
    problem = problem_of(race, told.search.seen)
    finding = finding_of(problem, race, files=RaceFiles(bad=OrderFiles("bad.jostle")), repeatable=True)
    assert finding.confidence == "witnessed" and finding.replay == "bad.jostle"
    evidence = finding.evidence
    assert isinstance(evidence, LoadRaceEvidence)
    assert [entry.role for entry in evidence.bad.order] == ["load", "first", "late"]
    assert [entry.role for entry in evidence.good.order] == ["load", "late", "first"]
    assert evidence.racing[0].source.endswith("/s.js:1:90")
    assert "addEventListener" in evidence.racing[0].excerpt[0]


@pytest.mark.long
def test_elements_that_are_not_in_the_page_do_not_matter(init: Init) -> None:
    """Libraries try things out in fragments of their own."""
    script = """const aside = document.createDocumentFragment().appendChild(document.createElement("div"));
      aside.innerHTML = '<input type="radio" name="r" checked><a href="/x">x</a>';
      aside.firstChild.checked = false;
      aside.lastChild.addEventListener("click", (event) => event.preventDefault());
      document.getElementById("q").value = "";"""
    assert init({"/": FIELD, "/s.js": script}).races == ['form-input-overwritten write: type "zq7" in textbox "Search"']


def test_what_is_typed_is_kept_by_a_script_that_looks_first(init: Init) -> None:
    script = 'const q = document.getElementById("q"); if (q.value === q.defaultValue) q.value = "";'
    told = init({"/": FIELD, "/s.js": script})
    assert told.races == []
    assert told.dismissed == ["form-input-overwritten write: what the user enters before that is kept"]


@pytest.mark.long
def test_an_asynchronous_script_before_the_field_is_tried_when_asked_for(init: Init) -> None:
    page = f'{HEAD}<script async src="/s.js"></script><input id="q" aria-label="Q">'
    told = init({"/": page, "/s.js": 'q.value = ""'})
    assert told.races == [] and told.loads.count == 1
    assert [reason.partition(":")[2][:12] for reason in told.dismissed] == [" not proved:"]
    told = init({"/": page, "/s.js": 'q.value = ""'}, unproved=True)
    assert told.races == ['form-input-overwritten write: type "zq7" in textbox "Q"']


@pytest.mark.long
def test_a_field_that_is_replaced_loses_what_was_typed(init: Init) -> None:
    page = '<!doctype html><title>T</title><div id="root"><input aria-label="Name"></div><script src="/s.js"></script>'
    script = 'document.getElementById("root").innerHTML = document.getElementById("root").innerHTML'
    assert init({"/": page, "/s.js": script}).races == ['form-input-overwritten write: type "zq7" in textbox "Name"']


@pytest.mark.long
def test_choices_and_boxes_are_lost_like_text(init: Init) -> None:
    page = """<!doctype html><title>T</title>
      <label>Sort <select id="s"><option>name<option>price</select></label>
      <label><input type="radio" name="r" id="a" checked> a</label> <label><input type="radio" name="r"> b</label>
      <script src="/s.js"></script>"""
    told = init({"/": page, "/s.js": 's.selectedIndex = 0; document.getElementById("a").checked = true;'})
    assert told.races == [
        'form-input-overwritten write: select "price" in combobox "Sort"',
        'form-input-overwritten write: check radio "b"',
    ]


@pytest.mark.long
def test_the_focus_moves_while_one_types(init: Init) -> None:
    page = f'{HEAD}<input id="a" aria-label="A"><input aria-label="B"><script src="/s.js"></script>'
    told = init({"/": page, "/s.js": 'document.getElementById("a").focus()'})
    assert told.races == ['form-input-overwritten focus: type "zq7" in textbox "B"']
    told = init(
        {"/": page, "/s.js": 'if (document.activeElement === document.body) document.getElementById("a").focus()'}
    )
    assert told.races == []


@pytest.mark.long
def test_autofocus_leaves_the_user_alone(init: Init) -> None:
    page = f'{HEAD}<input aria-label="A"><script src="/s.js"></script><input autofocus aria-label="B">'
    told = init({"/": page, "/s.js": ""})
    assert told.races == []
    assert told.dismissed == ["form-input-overwritten focus: the focus stays with the user"]


LINK = """<!doctype html><title>Shop</title><a id="link" href="/other">Search</a>
  <p id="menu" hidden>The menu</p><script src="/s.js"></script>"""


def test_a_click_before_the_handler_leaves_the_page(init: Init) -> None:
    script = "link.onclick = (event) => { event.preventDefault(); menu.hidden = false; };"
    told = init({"/": LINK, "/s.js": script, "/other": "<!doctype html><title>Other</title>Elsewhere"}, repeat=True)
    assert told.races == ['late-handler user: click link "Search"']
    assert told.search.races[0].shown.differences[0].what is DifferenceKind.URL


@pytest.mark.long
def test_a_handler_that_follows_the_link_is_not_missed(init: Init) -> None:
    script = "link.onclick = (event) => { event.preventDefault(); location = link.href; };"
    told = init({"/": LINK, "/s.js": script, "/other": "<!doctype html><title>Other</title>Elsewhere"})
    assert told.races == []
    assert told.dismissed == ["late-handler user: it ends the same, with the handler or without"]


@pytest.mark.long
def test_a_framework_that_listens_at_the_document_comes_late(init: Init) -> None:
    page = f'{HEAD}<button id="like">0 likes</button><script type="module" src="/s.js"></script>'
    script = """document.addEventListener("click", ({ target }) => {
      if (target.id === "like") target.textContent = `${parseInt(target.textContent) + 1} likes`;
    });"""
    assert init({"/": page, "/s.js": script}).races == ['late-handler user: click button "0 likes"']
    queue = """<script>const early = []; const keep = (event) => early.push(event.target);
      document.addEventListener("click", keep);</script>"""
    replayed = f"""{script} document.removeEventListener("click", keep);
      for (const target of early) target.click();"""
    assert init({"/": queue + page, "/s.js": replayed}).races == []


def test_a_form_is_sent_by_the_browser_before_its_handler_is_there(init: Init) -> None:
    page = """<!doctype html><title>T</title><form id="f" action="/sent"><input name="mail" required aria-label="Mail">
      <button>Join</button></form><p id="done"></p><script src="/s.js" defer></script>"""
    script = 'f.onsubmit = (event) => { event.preventDefault(); done.textContent = "Joined"; };'
    told = init({"/": page, "/s.js": script, "/sent": "<!doctype html><title>Sent</title>Sent"})
    assert told.races == ['late-handler user: click button "Join"']


@pytest.mark.long
def test_a_custom_element_is_upgraded_late(init: Init) -> None:
    page = '<!doctype html><title>T</title><my-tabs><a href="/other">Fish</a></my-tabs><script src="/s.js"></script>'
    script = """customElements.define("my-tabs", class extends HTMLElement {
      connectedCallback() { this.onclick = (event) => { event.preventDefault(); this.append(" is open"); }; }
    });"""
    told = init({"/": page, "/s.js": script, "/other": "<!doctype html><title>Other</title>Elsewhere"})
    assert told.races == ['late-handler user: click link "Fish"']


def test_a_frame_has_loaded_before_somebody_listens(init: Init) -> None:
    page = """<!doctype html><title>T</title><iframe id="map" src="/map"></iframe><p id="out">Loading</p>
      <script src="/s.js"></script>"""
    sub = "<!doctype html><title>Map</title>A map"
    told = init({"/": page, "/s.js": 'map.onload = () => { out.textContent = "Complete"; };', "/map": sub}, repeat=True)
    assert told.races == ["late-handler system: GET /map"]
    looks = """const done = () => { out.textContent = "Complete"; };
      if (map.contentDocument.URL !== "about:blank" && map.contentDocument.readyState === "complete") done();
      else map.onload = done;"""
    assert init({"/": page, "/s.js": looks, "/map": sub}).races == []


@pytest.mark.long
def test_an_asynchronous_script_waits_for_what_is_over(init: Init) -> None:
    page = (
        f"""{HEAD}<script async src="/a.js"></script><p id="out">Not yet</p><script src="/s.js"></script><p>More</p>"""
    )
    script = 'document.addEventListener("DOMContentLoaded", () => { out.textContent = "Ready"; });'
    told = init({"/": page, "/a.js": script, "/s.js": ""})
    assert told.races == ["late-handler system: GET /s.js"]
    assert told.search.races[0].held.what == "GET /a.js"
    asks = """const ready = () => { out.textContent = "Ready"; };
      if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", ready); else ready();"""
    assert init({"/": page, "/a.js": asks, "/s.js": ""}).races == []


def test_a_handler_needs_what_a_script_defines(init: Init) -> None:
    items = "".join(f'<button onclick="lib.go(this)">Item {n}</button>' for n in range(5))
    page = f'<!doctype html><title>T</title>{items}<script src="/lib.js"></script>'
    told = init({"/": page, "/lib.js": "var lib = { go(button) { button.hidden = true; } };"})
    assert told.races == ['access-before-definition user: click button "Item 0"']
    (race,) = told.search.races
    assert race.shown.error is not None and race.shown.error.message == "ReferenceError: lib is not defined"
    assert len(race.also) == 4
    told = init({"/": page, "/lib.js": "var other;"})
    assert told.races == []
    assert told.dismissed == ["access-before-definition user: it fails after loading too"]


@pytest.mark.long
def test_the_script_that_is_missing_is_named_not_the_first_one(init: Init) -> None:
    scripts = "".join(f'<script async src="/{name}.js"></script>' for name in ("one", "two", "lib", "last"))
    page = f"""{HEAD}<button onclick="lib.go(this)">Go</button>{scripts}"""
    told = init({"/": page, "/one.js": "", "/two.js": "", "/last.js": "", "/lib.js": "var lib = { go() {} };"})
    assert told.races == ['access-before-definition user: click button "Go"']
    assert told.search.races[0].held.what == "GET /lib.js"


@pytest.mark.long
def test_the_focus_and_the_text_of_one_field(init: Init) -> None:
    page = f'{HEAD}<input id="q" aria-label="Q"><input id="mail" aria-label="Mail"><script src="/s.js"></script>'
    told = init({"/": page, "/s.js": 'q.value = ""; mail.focus();'})
    assert told.races == [
        'form-input-overwritten write: type "zq7" in textbox "Q"',
        'form-input-overwritten focus: type "zq7" in textbox "Q"',
    ]


def test_a_page_that_closes_itself_ends_the_load(init: Init) -> None:
    page = f'{HEAD}<button id="b" onclick="window.close()">Close</button><script src="/s.js"></script>'
    told = init({"/": page, "/s.js": "b.onfocus = () => {};"})
    assert told.races == []


@pytest.mark.long
def test_an_element_whose_value_fails(init: Init) -> None:
    page = f"""{HEAD}<script>customElements.define("x-box", class extends HTMLElement {{
      get value() {{ return this.inner.value; }} }});</script>
      <x-box tabindex="0" role="button" id="box">Box</x-box><p id="out"></p><script src="/s.js"></script>"""
    script = "box.onclick = () => { out.textContent = 'pressed'; }"
    assert init({"/": page, "/s.js": script}).races == []


def test_an_unpainted_page_is_not_acted_on(init: Init, browser: Browser) -> None:
    page = f'{HEAD}<link rel="stylesheet" href="/s.css"><input id="q"><script src="/s.js"></script>'
    loads = init.loads({"/": page, "/s.css": "input { color: red }", "/s.js": 'q.value = "x"'})
    seen = browser.run(loads.observe())
    assert [event.what for event in seen.trace.events] == ["GET /", "GET /s.css", "GET /s.js"]
    assert [list(boundary.offers) for boundary in seen.boundaries] == [["1.1"]]
    browser.run(loads.close())


def test_listeners_work_as_ever_while_they_are_noted(browser: Browser, site: Site) -> None:
    page = """<!doctype html><title>T</title><button id="b">Press</button><script>
      const heard = [];
      const add = (name, ...more) => {
        const run = () => heard.push(name);
        b.addEventListener("click", run, ...more);
        return run;
      };
      b.removeEventListener("click", add("removed"));
      const twice = add("twice"); b.addEventListener("click", twice);
      add("once", { once: true });
      const ends = new AbortController(); add("aborted", { signal: ends.signal }); ends.abort();
      const object = { handleEvent({ target }) { heard.push(this === object && target === b ? "object" : "?"); } };
      b.addEventListener("click", object);
      const gone = { handleEvent() { heard.push("gone"); } };
      b.addEventListener("click", gone); b.removeEventListener("click", gone);
      b.onclick = function () { heard.push(this === b ? "property" : "?"); };
      b.click(); b.click();
      if (/native code/.test(b.addEventListener) && /native code/.test(b.removeEventListener)) heard.push("native");
      document.title = heard.join(" ");
    </script>"""
    url = site.serve(page)
    app = browser.app(url, settings=TabSettings(registrations=True))
    while waiting := browser.run(app.waiting()):
        browser.run(app.step(waiting[0]))
    assert browser.run(app.state()).title == "twice once object property twice object property native"
    browser.close_apps()


@pytest.mark.long
def test_a_page_that_never_rests_is_left_after_a_while(init: Init) -> None:
    page = """<!doctype html><title>T</title><input id="q" aria-label="Q"><p id="n">0</p><script>
      setInterval(() => { n.textContent = +n.textContent + 1; }, 100);
      (function poll() { fetch("/poll").then(() => setTimeout(poll, 200)); })();
      (function paint() { requestAnimationFrame(paint); })();
    </script><script src="/s.js"></script>"""
    told = init({"/": page, "/s.js": 'q.value = ""', "/poll": (200, {}, "{}")})
    assert told.races == ['form-input-overwritten write: type "zq7" in textbox "Q"']


CLOSED = """<!doctype html><title>T</title><div id="host"></div><script>
  const root = host.attachShadow({ mode: "closed" });
  root.innerHTML = '<a id="all" href="/all">All dishes</a>';
</script><script src="/s.js"></script><p>More</p>"""


def test_what_is_in_a_closed_shadow_root_is_not_acted_on(init: Init) -> None:
    late = 'root.getElementById("all").onclick = (event) => { event.preventDefault(); document.title = "open"; };'
    told = init({"/": CLOSED, "/s.js": late, "/all": "<!doctype html><title>All</title>"})
    assert told.races == []
    assert told.dismissed == ["late-handler user: a user cannot do that then: no such element"]


def test_a_frame_of_another_origin_is_left_alone(init: Init, site: Site) -> None:
    page = f'{FIELD}<iframe src="{site.other_url}/inner"></iframe>'
    inner = '<!doctype html><input id="q" aria-label="Inner"><script src="/s.js"></script>'
    told = init({"/": page, "/s.js": 'q.value = ""', "/inner": inner})
    assert told.races == ['form-input-overwritten write: type "zq7" in textbox "Search"']
