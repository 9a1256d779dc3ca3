"""Generated tests in a user's suite: they fail on pages with races, because of them, and pass on the correct twins."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from jostle.events import Event, Kind, event_of
from jostle.races.playwright_test import LoadRace, answer_race_test, load_race_test, order_test
from tests.browser.live import Request, site_served
from tests.export.users_suite import run

pytestmark = pytest.mark.browser


def user(action: str, where: str, value: str = "") -> Event:
    """`where`: a role and a name, or a CSS path."""
    role, _, name = where.partition(" ")
    locator: dict[str, Any] = {"role": role, "name": name} if name else {"css": where}
    return event_of(
        kind=Kind.USER,
        what=f"{action} {where} {value}".strip(),
        detail={"action": action, "value": value, "locator": locator},
    )


def click(where: str) -> Event:
    return user("click", where)


class Answers(NamedTuple):
    """A race of answers: on which page, what is held, what the user does, what is told of it, and the twins."""

    page: str
    late: Sequence[tuple[str, str, int]]
    first: Event
    second: Event
    told: Sequence[str]
    twins: Sequence[str]

    def test(self, base: str, page: str) -> str:
        late = [(how, what if how == "message" else base + what, number) for how, what, number in self.late]
        url = f"{base}/{page}/"
        return answer_race_test(url, (), self.first, self.second, late=late, title=page, name="race", origins=[])


class Load(NamedTuple):
    """A race with the loading of a page: the same."""

    page: str
    kind: LoadRace
    late: str
    before: Sequence[Event]
    action: Event
    told: Sequence[str]
    twins: Sequence[str]

    def test(self, base: str, page: str) -> str:
        is_timer = self.late.isdigit()
        late = [("timeout", self.late, 1) if is_timer else ("GET", base + self.late.format(page=page), 1)]
        url = f"{base}/{page}/"
        return load_race_test(
            url, kind=self.kind, action=self.action, before=self.before, late=late, title=page, name="race", origins=[]
        )


class Order(NamedTuple):
    """A race of two things that a page loads: the same."""

    page: str
    late: str
    last: str
    told: Sequence[str]
    twins: Sequence[str]

    def test(self, base: str, page: str) -> str:
        url = f"{base}/{page}/"
        late, last = ([("GET", url + each, 1)] for each in (self.late, self.last))
        return order_test(url, late=late, last=last, title=page, name="race", origins=[])


def search(text: str) -> Event:
    return user("type", "searchbox Find a bird", text)


ANSWERS = (
    Answers(
        "search-as-you-type", [("GET", "/api/search?q=go", 1)], search("go"), search("gold"),
        ["/api/search?q=go comes only after “type searchbox Find a bird gold”", "calm order: 2 birds for “gold”",
         "bad order: 4 birds for “go”"],
        ["search-as-you-type-abort"],
    ),
    Answers(
        "jsonp-list", [("GET", "/api/birds.js?q=finch&callback=show", 1)],
        click("button Finches"), click("button Owls"), ["calm order: Barn owl", "bad order: Bullfinch"],
        ["jsonp-list-fixed"],
    ),
    Answers(
        "double-submit", [("POST", "/api/orders", 1)], click("button Order"), click("button Order"),
        ["calm order: You have ordered already.", "bad order: sent: POST http://"], ["double-submit-fixed"],
    ),
)  # fmt: skip
OTHERS = (
    Answers(
        "ticker-and-filter", [("message", "/ws/departures", 1)], click("button Go live"),
        user("select", "combobox Line", "Valley"), ["bad order: 9:04 Coast line to Harbour"],
        ["ticker-and-filter-fixed"],
    ),
    Load(
        "late-handler", "late-handler", "/{page}/menu.js", [], click(".link-search"),
        ["calm order: address: /late-handler/", "bad order: address: /late-handler/search.html"],
        ["late-handler-fixed"],
    ),
    Load(
        "form-overwrite", "form-input-overwritten", "/{page}/search.js", [],
        user("type", "textbox Search the catalogue", "milk"), ["value 'lk', otherwise with the value 'milk'"],
        ["form-overwrite-fixed"],
    ),
    Load(
        "hydration", "late-handler", "/{page}/app.js", [user("type", "textbox Task", "milk")], click("button Add"),
        ["calm order: milk", "bad order: address: /hydration/added.html?task=milk"], ["hydration-fixed"],
    ),
    Load(
        "timer-write", "form-input-overwritten", "600", [], user("type", "textbox Town", "Ribe"),
        ["when a timer of 600 ms comes", "otherwise with the value 'Ribe'"], ["timer-write-fixed"],
    ),
    Order(
        "late-iframe-load", "status.js", "map.html",
        ["calm order: The map is complete", "bad order: Loading the map"], ["late-iframe-load-fixed"],
    ),
)  # fmt: skip


@pytest.mark.parametrize("races", [ANSWERS, pytest.param(OTHERS, marks=pytest.mark.long)], ids=["answers", "others"])
@pytest.mark.slow
@pytest.mark.long
def test_wrong_pages_and_their_twins(races: Sequence[Answers | Load | Order], examples: str, tmp_path: Path) -> None:
    expected: dict[str, Sequence[str]] = {}
    for number, race in enumerate(races):
        for page in (race.page, *race.twins):
            name = f"test_{page}_{number}".replace("-", "_")
            (tmp_path / f"{name}.py").write_text(race.test(examples, page), encoding="utf-8")
            expected[name] = race.told if page == race.page else ()
    said = run(tmp_path, timeout=110)
    assert said.keys() == expected.keys()
    for name, words in expected.items():
        assert all(each in said[name] for each in words), (name, said[name])
        assert words or not said[name], (name, said[name])


TWO_ANSWERS = """<!doctype html><button>Both</button><p></p><script>
  const ask = async (path) => { document.querySelector("p").textContent = await (await fetch(path)).text(); };
  document.querySelector("button").onclick = () => { ask("/one.txt"); WAIT; };
</script>"""


@pytest.mark.long
def test_one_event_with_two_answers(tmp_path: Path) -> None:
    with site_served() as site:
        both, one = TWO_ANSWERS.replace("WAIT", 'ask("/two.txt")'), TWO_ANSWERS.replace("WAIT", "")
        site.serve({"/wrong": both, "/right": one, "/one.txt": "one", "/two.txt": "two"})
        for page in ("wrong", "right"):
            text = answer_race_test(
                f"{site.url}/{page}", [], click("button Both"), None, late=[("GET", f"{site.url}/one.txt", 1)],
                title="Both", name="both", origins=[],
            )  # fmt: skip
            (tmp_path / f"test_{page}.py").write_text(text, encoding="utf-8")
        said = run(tmp_path, timeout=110)
    assert "/one.txt comes last" in said["test_wrong"]
    assert "calm order: two" in said["test_wrong"] and "bad order: one" in said["test_wrong"]
    assert said["test_right"] == ""


LOG_IN = "<!doctype html><form method=post action=login><button>Log in</button></form>"
COUNTER = """<!doctype html><title>Counter</title>
<p id=noise></p><p id=clock></p><p id=poll></p><button>Add</button> <button>Paint</button>
<p>Count <output>0</output><p id=picture>
<script>
  const say = (id, text) => document.getElementById(id).textContent = text;
  const [add, paint] = document.querySelectorAll("button");
  let adds = 0, paints = 0;
  say("noise", `Hello ${Math.random()}`);
  setInterval(() => say("clock", performance.now()), 50);
  (function tick() { say("poll", performance.now()); setTimeout(tick, 40); })();
  add.onclick = async () => {
    const mine = ++adds;
    const count = await (await fetch("/add", { method: "POST", body: "1" })).text();
    if (mine === adds || WRONG) document.querySelector("output").textContent = count;
  };
  paint.onclick = () => {
    const mine = ++paints, image = new Image();
    image.onload = () => (mine === paints || WRONG) && say("picture", `Picture ${mine}`);
    image.src = `/${mine}.svg`;
  };
</script>"""
DOT = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'


@pytest.mark.long
def test_a_server_with_a_state_and_a_page_that_never_rests(tmp_path: Path) -> None:
    """Behind a log-in, with texts that differ from run to run. The server sees each request once."""
    count = 0

    def add(request: Request) -> str:
        nonlocal count
        count += int(request.body)
        return str(count)

    def app(request: Request) -> str:
        known = "who=me" in request.headers.get("Cookie", "")
        return COUNTER.replace("WRONG", str("wrong" in request.headers.get("Cookie", "")).lower()) if known else "Who?"

    def log_in(kind: str) -> tuple[int, dict[str, str], str]:
        return 303, {"Location": "/app", "Set-Cookie": f"who=me-{kind}; Path=/"}, ""

    pictures = {"/1.svg": DOT, "/2.svg": DOT}
    with site_served() as site:
        site.serve({"/add": add, "/app": app, **pictures})
        for kind in ("wrong", "right"):
            site.pages |= {f"/{kind}/": LOG_IN, f"/{kind}/login": log_in(kind)}
            for name, late in (("Add", ("POST", f"{site.url}/add", 1)), ("Paint", ("GET", f"{site.url}/1.svg", 1))):
                step = click(f"button {name}")
                text = answer_race_test(
                    f"{site.url}/{kind}/", [click("button Log in")], step, step, late=[late], title="Counter",
                    name="counter", origins=[],
                )  # fmt: skip
                (tmp_path / f"test_{name.lower()}_{kind}.py").write_text(text, encoding="utf-8")
        said = run(tmp_path, timeout=110)
        assert site.requests.count("/add") == 2 * 2
        assert site.requests.count("/right/login") == 2
    assert "calm order: Count 4" in said["test_add_wrong"] and "bad order: Count 3" in said["test_add_wrong"]
    assert "calm order: Picture 2" in said["test_paint_wrong"] and "bad order: Picture 1" in said["test_paint_wrong"]
    assert said["test_add_right"] == said["test_paint_right"] == ""


DEBOUNCED = """<!doctype html><title>Debounced</title>
<button>Slow</button> <button>Quick</button> <p id=shown>nothing
<script>
  const shown = document.getElementById("shown"), [slow, quick] = document.querySelectorAll("button");
  let last = 0;
  const show = async (what) => {
    const mine = ++last;
    const text = await (await fetch(what)).text();
    if (mine === last || WRONG) shown.textContent = text;
  };
  slow.onclick = () => setTimeout(show, 1600, "/slow.txt");
  quick.onclick = () => show("/quick.txt");
  fetch("/poll");
</script>"""


@pytest.mark.long
@pytest.mark.slow
def test_a_request_that_takes_its_time_is_waited_for_and_a_long_poll_is_not(tmp_path: Path) -> None:
    """The request is made after a timer that is longer than those that are waited for."""
    over = threading.Event()

    def poll(request: Request) -> str:
        over.wait(100)
        return ""

    with site_served() as site:
        site.serve({"/slow.txt": "slow", "/quick.txt": "quick", "/poll": poll})
        for kind, wrong in (("wrong", "true"), ("right", "false")):
            site.pages[f"/{kind}"] = DEBOUNCED.replace("WRONG", wrong)
            text = answer_race_test(
                f"{site.url}/{kind}", [], click("button Slow"), click("button Quick"),
                late=[("GET", f"{site.url}/slow.txt", 1)], title="Debounced", name="debounced", origins=[],
            )  # fmt: skip
            (tmp_path / f"test_{kind}.py").write_text(text.replace("LONGEST = 10.0", "LONGEST = 4.0"), encoding="utf-8")
        try:
            said = run(tmp_path, timeout=100)
        finally:
            over.set()
    assert "calm order: quick" in said["test_wrong"] and "bad order: slow" in said["test_wrong"], said
    assert said["test_right"] == ""
