"""Frames: their documents are events, their requests and timers are held, the user acts inside them."""

# Pages are written as they come.
# ruff: noqa: E501

from __future__ import annotations

import pytest

from jostle.browser.settings import Limits
from jostle.events import Milestone
from tests.browser.driven import Driven, OpenApp
from tests.browser.live import Browser, Site

INNER = """<p id=out>-</p><button onclick="fetch('/data').then((r) => r.text()).then((t) => { out.textContent = t;
setTimeout(() => { out.textContent += ' later' }, 50) })">Inside</button>"""


@pytest.fixture(params=["one process", "isolated"])
def open_app(request: pytest.FixtureRequest, app: OpenApp) -> OpenApp:
    """Every test of frames in a browser without and in one with site isolation."""
    if request.param == "one process":
        return app
    isolating: Browser = request.getfixturevalue("isolating_browser")

    def make(url: str = "/", **options: object) -> Driven:
        return app(url, within=isolating, **options)

    return make


@pytest.mark.parametrize("other", [False, True], ids=["same origin", "other origin"])
def test_a_frame_is_loaded_and_used(other: bool, site: Site, open_app: OpenApp) -> None:
    where = site.other_url if other else site.url
    site.pages = {
        "/": f"<div style='height: 1200px'>tall</div><iframe src={where}/inner style='border: 7px solid; margin: 13px'></iframe>",
        "/inner": "<div style='height: 700px'></div>" + INNER,
        "/data": "from the server",
    }
    page = open_app(allowed_origins=[where])
    page.reset()
    effect = page.let("GET /")
    shown = f"GET {where}/inner" if other else "GET /inner"
    assert [event.what for event in effect.created] == [shown]
    effect = page.let(shown)
    assert Milestone("DOMContentLoaded") in effect.lifecycle
    page.drain()
    assert page.text("#out", (1,)) == "-"
    assert 'click button "Inside" in frame 1' in page.actions()
    effect = page.act('click button "Inside" in frame 1')
    data = f"GET {where}/data" if other else "GET /data"
    assert [event.what for event in effect.created] == [data]
    effect = page.let(data)
    assert page.text("#out", (1,)) == "from the server"
    (timer,) = effect.created
    assert timer.what.startswith("timeout 50 at /inner") and timer.what.endswith("in frame 1")
    page.step(timer)
    assert page.text("#out", (1,)) == "from the server later"


def test_a_frame_that_has_just_moved_is_pressed_where_it_is(site: Site, open_app: OpenApp) -> None:
    site.pages = {
        "/": f"""<button onclick="f.style.top = (f.offsetTop === 100 ? 350 : 100) + 'px'">Move</button>
        <iframe id=f src={site.other_url}/inner style='position: absolute; top: 100px; height: 120px'></iframe>""",
        "/inner": "<p id=out>0</p><button onclick='out.textContent++'>Count</button>",
    }
    page = open_app(allowed_origins=[site.other_url])
    page.open()
    for count in range(1, 16):
        page.act('click button "Move"')
        page.act('click button "Count" in frame 1')
        assert page.text("#out", (1,)) == str(count)


@pytest.mark.long
def test_a_frame_that_hangs_when_the_pointer_comes(site: Site, open_app: OpenApp) -> None:
    site.pages = {
        "/": f"<iframe src={site.other_url}/inner></iframe>",
        "/inner": "<button onmousemove='for (;;);'>Hang</button>",
    }
    page = open_app(allowed_origins=[site.other_url], limits=Limits(step=2))
    page.open()
    effect = page.act('click button "Hang" in frame 1')
    assert "did not come to an end" in effect.hung


def test_frames_within_frames(site: Site, open_app: OpenApp) -> None:
    site.pages = {
        "/": f"<p>outer</p><iframe src={site.other_url}/middle style='position: absolute; left: 101px; top: 57px; width: 500px; height: 400px'></iframe>",
        "/middle": f"<h1>middle</h1><iframe src={site.url}/inner style='margin-left: 31px'></iframe><iframe src=/second></iframe>",
        "/inner": INNER,
        "/second": INNER,
        "/data": "deep",
    }
    page = open_app(allowed_origins=[site.other_url])
    page.open()
    assert page.actions() == ['click button "Inside" in frame 1.1', 'click button "Inside" in frame 1.2']
    page.act('click button "Inside" in frame 1.1')
    page.drain()
    page.act('click button "Inside" in frame 1.2')
    page.let(f"GET {site.other_url}/data")
    assert page.text("#out", (1, 1)) == "deep later"
    assert page.text("#out", (1, 2)) == "deep"


def test_frames_without_an_address(site: Site, open_app: OpenApp) -> None:
    site.pages = {
        "/": """<iframe srcdoc="<p id=out>srcdoc</p><button onclick='out.textContent = 1'>In srcdoc</button>"></iframe>
        <iframe id=blank></iframe><script>
        blank.contentDocument.body.innerHTML = '<button onclick="this.textContent = 2">In blank</button>';
        blank.contentWindow.setTimeout(() => { blank.contentDocument.body.title = 'fired' }, 10);
        const made = document.createElement('iframe'); document.body.append(made);
        made.contentDocument.open(); made.contentDocument.write('<p id=out>written</p><script>fetch("/data").then((r) => r.text()).then((t) => { out.textContent = t })<' + '/script>'); made.contentDocument.close();
        </script>""",
        "/data": "fetched",
    }
    page = open_app()
    page.reset()
    page.let("GET /")
    assert sorted(page.names()) == ["GET /data", "timeout 10 at /:4:29 in frame 2"]
    page.drain()
    assert page.text("#out", (3,)) == "fetched"
    assert page.ask("document.body.title", (2,)) == "fired"
    page.act('click button "In srcdoc" in frame 1')
    assert page.text("#out", (1,)) == "1"
    page.act('click button "In blank" in frame 2')
    assert page.text("button", (2,)) == "2"


def test_a_frame_removed_takes_what_it_waits_for_with_it(site: Site, open_app: OpenApp) -> None:
    site.pages = {
        "/": f"""<iframe src={site.other_url}/inner></iframe><iframe src=/inner></iframe>
        <button onclick="for (const f of document.querySelectorAll('iframe')) f.remove()">Remove</button>""",
        "/inner": INNER + "<script>fetch('/data'); setTimeout(() => {}, 10)</script>",
        "/data": "x",
    }
    page = open_app()
    page.reset()
    page.let("GET /")
    page.let(f"GET {site.other_url}/inner")
    page.let("GET /inner")
    held = page.waiting()
    assert len(held) == 4
    effect = page.act('click button "Remove"')
    assert set(effect.removed) == {event.key for event in held}
    assert page.waiting() == []
    assert page.ask("1 + 1") == 2


def test_a_frame_that_goes_elsewhere(site: Site, open_app: OpenApp) -> None:
    site.pages = {
        "/": "<iframe name=f src=/one></iframe><a href=/two target=f>Two</a><p id=out>outer</p>",
        "/one": f"<a href={site.other_url}/three>Three</a><script>setTimeout(() => {{}}, 10)</script>",
        "/two": "<p id=out>two</p>",
        "/three": "<p id=out>three</p><a href=/two>Again two</a>",
    }
    page = open_app(allowed_origins=[site.other_url])
    page.reset()
    page.let("GET /")
    page.let("GET /one")
    (timer,) = page.waiting()
    effect = page.act('click link "Three" in frame 1')
    assert [event.what for event in effect.created] == [f"GET {site.other_url}/three"]
    assert page.text("#out") == "outer"
    effect = page.let(f"GET {site.other_url}/three")
    assert effect.removed == (timer.key,)
    assert page.text("#out", (1,)) == "three"
    page.act('click link "Again two" in frame 1')
    page.drain()
    assert page.text("#out", (1,)) == "two"
    page.act('click link "Two"')
    page.drain()
    assert page.ask("location.origin", (1,)) == site.url
    assert page.text("#out") == "outer"


def test_frames_of_foreign_origins_are_left_alone(site: Site, open_app: OpenApp) -> None:
    site.pages = {
        "/": f"<button>Mine</button><iframe src={site.other_url}/inner></iframe>",
        "/inner": INNER,
        "/data": "",
    }
    page = open_app()
    page.open()
    assert page.actions() == ['click button "Mine"']


def test_frames_are_the_same_in_every_run(site: Site, open_app: OpenApp) -> None:
    site.pages = {
        "/": f"<iframe src=/inner></iframe><iframe src={site.other_url}/inner></iframe><iframe src=/inner></iframe>",
        "/inner": INNER + "<script>out.textContent = Math.random() + ' ' + Date.now()</script>",
        "/data": "x",
    }
    page = open_app(allowed_origins=[site.other_url])
    runs = []
    for _ in range(2):
        page.open()
        page.act('click button "Inside" in frame 2')
        page.act('click button "Inside" in frame 3')
        page.drain()
        runs.append((list(page.keys), page.state().digest))
    assert runs[0] == runs[1]


def test_what_a_page_changes_in_its_frame_while_it_tells_it_something(app: OpenApp, site: Site) -> None:
    site.serve(
        {
            "/": """<!doctype html><title>x</title><body><iframe src=/inner.html></iframe><script>
            setTimeout(() => { frames[0].update(); localStorage.setItem("a", "1"); }, 10);
            </script>""",
            "/inner.html": """<!doctype html><body><p id=said></p><script>
            addEventListener("storage", () => {});
            window.update = () => { document.getElementById("said").textContent = "updated"; };
            </script>""",
        }
    )
    page = app()
    page.reset()
    while any(event.what.startswith("GET") for event in page.waiting()):
        page.let("GET")
    effect = page.let("timeout 10")
    assert [(each.what, each.target) for each in effect.changes if "said" in each.target] == [("children", "p#said")]
