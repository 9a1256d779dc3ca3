"""Acting before hydration in a real browser: what a late script makes of markup that the server has drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from jostle.examples import running
from jostle.findings import Severity
from jostle.findings.evidence import DifferenceKind
from jostle.races.loading.judge import Instead
from jostle.races.loading.told import problem_of
from tests.browser.live import Request, Site
from tests.races.test_init_browser import HEAD, Init, browser, init, site

__all__ = ["browser", "init", "site"]


@pytest.fixture(scope="module")
def examples() -> Iterator[str]:
    with running() as url:
        yield url


@pytest.mark.parametrize(
    ("name", "races"),
    [
        (
            "hydrated-root",
            [
                'form-input-overwritten write: type "zq7" in textbox "Singer"',
                'form-input-overwritten write: check checkbox "Newsletter"',
                'late-handler user: click button "Join"',
                'late-handler user: click link "Rules"',
                'late-handler user: click button "Applaud"',
            ],
        ),
        ("hydrated-root-fixed", []),
        (
            "hydrated-elements",
            [
                'form-input-overwritten write: type "zq7" in textbox "Loaves"',
                'late-handler user: click button "Order"',
                'late-handler user: click link "Opening hours"',
            ],
        ),
        ("hydrated-elements-fixed", []),
        ("spelled-otherwise", []),
        ("rightly-refused", []),
    ],
)
@pytest.mark.sampled(2)
def test_the_examples(init: Init, examples: str, name: str, races: list[str]) -> None:
    assert init.search(init.loads_of(f"{examples}/{name}/")).races == races


@pytest.mark.long
def test_it_is_told_what_happens_instead(init: Init, examples: str) -> None:
    told = init.search(init.loads_of(f"{examples}/hydrated-root/"))
    late = [race for race in told.search.races if race.shown.kind == "late-handler"]
    assert [race.shown.instead for race in late] == [Instead.SENDS, Instead.LEAVES, Instead.NOTHING]
    assert [problem_of(race, told.search.seen).title.partition("app.js ")[2] for race in late] == [
        "completes submits the form natively: no handler is attached yet",
        "completes navigates away: no handler is attached yet",
        "completes has no effect: no handler is attached yet",
    ]


ROOT = """document.getElementById("root").addEventListener("click", (event) => event.target.$$click?.(event));"""


@pytest.mark.long
def test_clicks_that_are_lost_for_one_reason_are_one_race(init: Init) -> None:
    page = f"""{HEAD}<div id="root"><button id="a">Add</button> <button id="b">Remove</button> <button>Help</button>
      <p id="out">0</p></div><script type="module" src="/s.js"></script>"""
    script = f"""{ROOT}
      document.getElementById("a").$$click = () => {{ out.textContent = +out.textContent + 1; }};
      document.getElementById("b").$$click = () => {{ out.textContent = Math.max(0, out.textContent - 1); }};"""
    told = init({"/": page, "/s.js": script})
    assert told.races == ['late-handler user: click button "Add"']
    assert told.search.races[0].also == ('button "Remove"',)


@pytest.mark.long
def test_each_form_of_a_root_is_a_matter_of_its_own(init: Init) -> None:
    forms = "".join(f'<form action="/sent"><input name="n" aria-label="{n}"><button>{n}</button></form>' for n in "AB")
    page = f'{HEAD}<div id="root">{forms}<p id="out"></p></div><script type="module" src="/s.js"></script>'
    script = """document.getElementById("root").addEventListener("submit", (event) => {
      event.preventDefault(); out.textContent = new FormData(event.target).get("n"); });"""
    told = init({"/": page, "/s.js": script, "/sent": "<!doctype html><title>Sent</title>Sent"})
    assert told.races == ['late-handler user: click button "A"', 'late-handler user: click button "B"']


LINKS = """<!doctype html><title>T</title><a id="a" href="{address}">Map</a><p id="out">-</p>
  <script src="/s.js"></script><p id="part">Part</p>"""
IN_PLACE = 'a.onclick = (event) => { event.preventDefault(); out.textContent = "The map"; };'


@pytest.mark.long
def test_the_handler_of_a_link_to_another_origin_is_tried(init: Init, site: Site) -> None:
    told = init({"/": LINKS.format(address=f"{site.other_url}/map"), "/s.js": IN_PLACE}, repeat=True)
    assert told.races == ['late-handler user: click link "Map"']
    (race,) = told.search.races
    assert race.shown.instead is Instead.LEAVES
    assert race.bad.left_for == f"{site.other_url}/map"
    assert race.bad.addresses == race.good.addresses  # but it was not opened


@pytest.mark.long
def test_a_handler_that_leaves_for_another_origin_as_the_link_does_is_not_missed(init: Init, site: Site) -> None:
    script = "a.onclick = (event) => { event.preventDefault(); location = a.href; };"
    told = init({"/": LINKS.format(address=f"{site.other_url}/map"), "/s.js": script})
    assert told.races == []
    assert told.dismissed == ["late-handler user: it ends the same, with the handler or without"]


@pytest.mark.parametrize("address", ["#part", "javascript:void(out.textContent = 'Old')"])
@pytest.mark.long
def test_what_the_address_does_in_the_page_is_what_the_browser_does(init: Init, address: str) -> None:
    told = init({"/": LINKS.format(address=address), "/s.js": IN_PLACE})
    assert told.races == ['late-handler user: click link "Map"']


@pytest.mark.long
def test_the_same_address_with_other_content_is_told(init: Init) -> None:
    script = """a.onclick = (event) => {
      event.preventDefault(); history.pushState(null, "", "/map"); out.textContent = "The map"; };"""
    pages = {"/": LINKS.format(address="/map"), "/s.js": script}
    told = init({**pages, "/map": "<!doctype html><title>Map</title><p>Where are you?</p><p>Log in</p>"})
    assert told.races == ['late-handler user: click link "Map"']
    assert {each.what for each in told.search.races[0].shown.differences} == {DifferenceKind.TEXT}
    lines = "".join(f"<p>Line {n}</p>" for n in range(20))
    more = LINKS.format(address="/map").replace("<p id", f"{lines}<p id", 1)
    told = init({"/": more, "/s.js": script, "/map": more.replace(">-<", ">The plan of today<")})
    assert [race.shown.severity for race in told.search.races] == [Severity.LOW]


@pytest.mark.long
def test_a_form_that_gives_the_server_the_same_either_way_is_not_missed(init: Init) -> None:
    page = """<!doctype html><title>T</title><form id="f" method="post" action="/join">
      <input name="mail" aria-label="Mail"><button>Join</button></form>
      <p id="out">{said}</p><script src="/s.js" defer></script>"""
    script = """f.onsubmit = async (event) => {
      event.preventDefault();
      const mail = new FormData(f).get("mail");
      await fetch("/api/join", { method: "POST", body: JSON.stringify({ mail }) });
      f.reset(); history.replaceState(null, "", "/join"); out.textContent = "Welcome";
    };"""
    pages = {"/": page.format(said=""), "/s.js": script, "/join": page.format(said="Welcome")}
    assert init({**pages, "/api/join": (200, {}, "{}")}).races == []
    loses = script.replace("JSON.stringify({ mail })", '"{}"')
    assert init({**pages, "/s.js": loses, "/api/join": (200, {}, "{}")}).races == [
        'late-handler user: click button "Join"'
    ]


@pytest.mark.long
def test_a_text_that_is_brought_into_form_is_not_lost(init: Init) -> None:
    page = f'{HEAD}<input id="q" aria-label="Q"><script src="/s.js"></script>'
    told = init({"/": page, "/s.js": "q.value = ` ${q.value.toUpperCase()} `.repeat(!!q.value)"})
    assert told.races == []
    assert told.dismissed == ["form-input-overwritten write: what the user enters before that is kept in another form"]


def test_what_is_typed_before_its_handler_is_there_is_not_heard(init: Init) -> None:
    page = f'{HEAD}<input id="q" aria-label="Find"><p id="out">All</p><script src="/s.js"></script>'
    told = init({"/": page, "/s.js": "q.addEventListener('input', () => { out.textContent = `Only ${q.value}`; })"})
    assert told.races == ['late-handler user: type "zq7" in textbox "Find"']
    assert told.search.races[0].shown.severity is Severity.LOW
    asks = "const find = () => { if (q.value) out.textContent = `Only ${q.value}`; }; q.oninput = find; find();"
    assert init({"/": page, "/s.js": asks}).races == []


def test_many_harmless_things_take_few_loads(init: Init) -> None:
    """Fields that are left as they are, handlers that need nothing, links that nobody prevents."""
    fields = "".join(f'<input class="field" aria-label="Field {n}">' for n in range(8))
    buttons = "".join(f'<button onclick="this.hidden = false">Button {n} of {n * n}</button>' for n in range(8))
    links = "".join(f'<p id="p{n}"><a href="/other">Link {n}</a></p>' for n in range(8))
    page = f'{HEAD}{fields}{buttons}{links}<script src="/s.js"></script>'
    script = """for (const field of document.querySelectorAll(".field")) if (!field.value) field.value = "";
      let heard = 0; document.addEventListener("click", () => { heard += 1; });"""
    told = init({"/": page, "/s.js": script, "/other": "<!doctype html><title>Other</title>Elsewhere"})
    assert told.races == []
    assert len(told.search.tasks) > 8 and told.loads.count <= 8


@pytest.mark.long
def test_a_sweep_hides_nothing(init: Init) -> None:
    """One field of many is overwritten, one link of many has a handler of its own, one button of many fails."""
    fields = "".join(f'<input id="f{n}" aria-label="Field {n}">' for n in range(5))
    links = "".join(f'<p><a id="a{n}" href="/other">Link {n}</a></p>' for n in range(5))
    buttons = "".join(f'<button onclick="go{n}()">Button {n}</button>' for n in range(5))
    inline = "<script>function go0() {} function go1() {} function go2() {} function go4() {}</script>"
    page = f'{HEAD}{inline}{fields}{links}{buttons}<script src="/s.js"></script>'
    script = """function go3() {}
      for (const n of [0, 1, 3, 4]) { const f = document.getElementById("f" + n); f.value = f.value; }
      document.getElementById("f2").value = "";
      document.addEventListener("click", (event) => {
        if (event.target.id !== "a3") return;
        event.preventDefault(); event.target.textContent = "Opened";
      });"""
    told = init({"/": page, "/s.js": script, "/other": "<!doctype html><title>Other</title>Elsewhere"})
    assert told.races == [
        'form-input-overwritten write: type "zq7" in textbox "Field 2"',
        'late-handler user: click link "Link 3"',
        'access-before-definition user: click button "Button 3"',
    ]


PLANS = f"""{HEAD}<nav><a id="plans" href="/plans">Plans</a></nav><h1 id="name">{{name}}</h1>
  <p>A page like any other,</p><p>with more</p><p>than one line.</p>{{more}}<script src="/s.js"></script>"""
TO_PLANS = """plans.onclick = (event) => { event.preventDefault(); history.pushState({}, "", "/plans");
  document.getElementById("name").textContent = "Plans"; };"""


@pytest.mark.long
def test_what_the_server_shows_otherwise_by_now_is_not_put_down_to_the_click(init: Init, site: Site) -> None:
    """Somebody else uses the application at the same time."""

    def page(name: str) -> Callable[[Request], str]:
        def served(request: Request) -> str:
            likes = len([path for path in site.requests if path in ("/", "/plans")])
            return PLANS.format(name=name, more=f"<p>Likes: {likes}</p>")

        return served

    told = init({"/": page("Home"), "/plans": page("Plans"), "/s.js": TO_PLANS})
    assert told.races == []
    assert "late-handler user: it ends the same, with the handler or without" in told.dismissed


@pytest.mark.long
def test_what_the_page_itself_shows_otherwise_is_put_down_to_the_click(init: Init) -> None:
    pages = {"/": PLANS.format(name="Home", more=""), "/plans": PLANS.format(name="Plans", more="<p>Welcome back</p>")}
    told = init({**pages, "/s.js": TO_PLANS})
    assert told.races == ['late-handler user: click link "Plans"']
    assert told.search.races[0].shown.severity is Severity.LOW


TABS = f"""{HEAD}<h1>Tea towels</h1><a id="details" href="/details">Details</a> <div id="panel">Choose one</div>
  <script src="/s.js"></script>"""
IN_PANEL = """details.onclick = (event) => { event.preventDefault(); panel.textContent = "Woven in Lancashire"; };"""


@pytest.mark.parametrize(
    ("opened", "severity"),
    [
        ("<h1>Tea towels</h1><p>Woven in Lancashire</p>", Severity.LOW),
        ("<h1>Nothing here</h1>", Severity.MEDIUM),
    ],
    ids=["works without scripts", "does not"],
)
def test_a_page_that_works_without_scripts(init: Init, opened: str, severity: Severity) -> None:
    """It ends in the same place another way: at most low."""
    told = init({"/": TABS, "/s.js": IN_PANEL, "/details": f"<!doctype html><title>D</title>{opened}"})
    assert [race.shown.severity for race in told.search.races] == [severity]


@pytest.mark.long
def test_a_dialog_shows_in_place_what_the_address_would_open(init: Init) -> None:
    """It has a frame of its own around it."""
    book = "The River and the Garden, part 40 by Garden Author. Published by North Press in 2008."
    page = f"""{HEAD}<h1>Books</h1><a id="book" href="/book/40">The River</a><dialog id="shown"></dialog>
      <script src="/s.js"></script>"""
    script = f"""book.onclick = (event) => {{
      event.preventDefault(); shown.innerHTML = "<p>{book}</p><button>Close</button>"; shown.showModal(); }};"""
    told = init({"/": page, "/s.js": script, "/book/40": f"<!doctype html><title>B</title><p>{book}</p>"})
    assert [race.shown.severity for race in told.search.races] == [Severity.LOW]


def test_entries_of_a_list_are_one_race(init: Init) -> None:
    """They are the same form again and again, with a button that names the entry."""
    names = ("Delivery slot", "New flour", "Invoice", "Price list")
    forms = (
        f'<form action="/{n}" method="post"><button>Archive {name}</button></form>' for n, name in enumerate(names)
    )
    page = f'{HEAD}<div id="root">{"".join(forms)}</div><p id="out">-</p><script src="/s.js"></script>'
    script = """root.addEventListener("submit", (event) => {
      event.preventDefault(); out.textContent = "Archived"; });"""
    served = {f"/{n}": "<!doctype html><title>A</title>Gone" for n in range(len(names))}
    told = init({"/": page, "/s.js": script, **served})
    assert told.races == ['late-handler user: click button "Archive Delivery slot"']
    assert len(told.search.races[0].also) == 3


@pytest.mark.long
def test_what_is_asked_for_by_post_may_be_what_the_address_opens(init: Init) -> None:
    """That the handler asks in another way is no difference to the user, who sees the same."""
    page = f"""{HEAD}<ul><li><a id="folder" href="/?folder=travel">travel</a></li></ul><h2 id="name">Files in root</h2>
      <script src="/s.js"></script>"""
    script = """folder.onclick = async (event) => {
      event.preventDefault();
      const response = await fetch("/list", { method: "POST", body: new URLSearchParams("folder=travel") });
      document.getElementById("name").textContent = await response.text(); };"""
    opened = page.replace("Files in root", "Files in travel")
    told = init({"/": page, "/s.js": script, "/?folder=travel": opened, "/list": (200, {}, "Files in travel")})
    assert [race.shown.severity for race in told.search.races] == [Severity.LOW]
    lost = init({"/": page, "/s.js": script, "/?folder=travel": page, "/list": (200, {}, "Files in travel")})
    assert [race.shown.severity for race in lost.search.races] == [Severity.HIGH]


@pytest.mark.long
def test_a_click_that_leaves_only_a_fragment_can_be_repeated(init: Init) -> None:
    page = f'{HEAD}<a id="more" href="#more">More</a><p id="out" hidden>jpg, png</p><script src="/s.js"></script>'
    script = "more.onclick = (event) => { event.preventDefault(); out.hidden = false; };"
    [race] = init({"/": page, "/s.js": script}).search.races
    assert race.shown.severity is Severity.LOW and race.shown.instead is Instead.NOTHING


@pytest.mark.long
def test_a_form_that_arrives_where_its_handler_leads_is_low(init: Init) -> None:
    """The server has got the same, and the user is in the same place: only the confirmation is missing."""
    page = f"""{HEAD}<form id="f" method="post" action="/order"><input type="hidden" name="tea" value="1">
      <button>Order</button></form><p id="out">-</p><script src="/s.js"></script>"""
    script = """f.onsubmit = async (event) => {
      event.preventDefault();
      await fetch("/order", { method: "POST", body: new URLSearchParams(new FormData(f)) });
      f.hidden = true; out.textContent = "Thank you for your order"; };"""
    back = (303, {"Location": "/"}, "")
    [race] = init({"/": page, "/s.js": script, "/order": back}).search.races
    assert race.shown.severity is Severity.LOW
