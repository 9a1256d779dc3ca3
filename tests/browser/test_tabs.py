"""Going from page to page, further tabs, dialogs and downloads."""

# Pages are written as they come.
# ruff: noqa: E501

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from jostle.events import Dialog, Milestone, NotEnabled
from tests.browser.driven import OpenApp
from tests.browser.live import Site


def test_links_and_going_back(site: Site, app: OpenApp) -> None:
    site.pages = {
        "/": "<title>first</title><a href=/second>Second</a><script>setTimeout(() => {}, 500)</script>",
        "/second": "<title>second</title><button onclick='history.back()'>Back</button><button onclick='history.pushState(1, 0, `/third`); document.title = location.pathname'>Push</button>"
        "<script>onpopstate = (e) => { document.title = 'popped ' + e.state }</script>",
    }
    page = app()
    page.open()
    effect = page.act('click link "Second"')
    assert [event.what for event in effect.created] == ["GET /second"]
    assert page.names() == ["GET /second"]
    effect = page.let("GET /second")
    assert list(map(str, effect.lifecycle)) == [f"commit {site.url}/second", "DOMContentLoaded", "load"]
    assert page.state().title == "second"
    page.act('click button "Push"')
    assert page.state().url == f"{site.url}/third"
    effect = page.act('click button "Back"')
    assert Milestone("popstate") in effect.lifecycle
    assert page.state().title == "popped null"
    effect = page.act('click button "Back"')
    assert [event.what for event in effect.created] == ["GET /"]
    page.drain()
    assert page.state().title == "first"


def test_a_form_is_sent(site: Site, app: OpenApp) -> None:
    site.pages = {
        "/": "<form method=post action=/send enctype=multipart/form-data><input name=who aria-label=Who><button>Send</button></form>",
        "/send": lambda request: f"<p id=out>{request.command} {b'milk' in request.body}</p><a href=/>Home</a>",
    }
    page = app()
    page.open()
    page.act('type "milk" in')
    effect = page.act('click button "Send"')
    assert [(request.method, request.resource) for request in effect.requests] == [("POST", "document")]
    page.let("POST /send")
    assert page.text("#out") == "POST True"
    page.act('click link "Home"')
    page.drain()
    assert page.state().url == f"{site.url}/"


def test_what_a_page_does_while_it_is_being_left_is_reported(site: Site, app: OpenApp) -> None:
    site.pages = {
        "/": """<p id=out></p><button onclick="setTimeout(() => {}, 700); out.textContent = 'bye'; localStorage.last = 'x'; localStorage.setItem('left', 'yes'); location.href = '/second'">Leave</button>
        <script>addEventListener('pagehide', () => localStorage.setItem('hidden', '1'))</script>""",
        "/second": "<p id=out>second</p>",
    }
    page = app()
    page.open()
    effect = page.act('click button "Leave"')
    assert [change.target for change in effect.changes] == ["p#out"]
    assert ("left", "yes") in [(write.key, write.value) for write in effect.storage_writes]
    assert sorted(event.what[:11] for event in effect.created) == ["GET /second", "timeout 700"]
    effect = page.let("GET /second")
    assert any(key.startswith("timer:") for key in effect.removed)
    assert page.ask("localStorage.hidden") == "1"


def test_a_navigation_without_content_leaves_the_page(site: Site, app: OpenApp) -> None:
    site.pages = {
        "/": "<p id=out>here</p><a href=/nothing>Nothing</a><button onclick='this.textContent = 2'>One</button>",
        "/nothing": (204, {}, b""),
    }
    page = app()
    page.open()
    page.act('click link "Nothing"')
    page.drain()
    assert page.text("#out") == "here"
    page.act('click button "One"')
    assert page.text("button") == "2"


def test_a_download_is_listed_and_nothing_is_kept(site: Site, app: OpenApp) -> None:
    site.pages = {
        "/": "<p id=out>here</p><a href=/report.csv>Report</a><a href=/page.html download=saved.html>Save</a><a href=/raw.bin>Raw</a>"
        "<a id=made>Made</a><script>made.href = URL.createObjectURL(new Blob(['x'])); made.download = 'made.txt'</script>",
        "/report.csv": (200, {"Content-Disposition": 'attachment; filename="sum.csv"'}, b"1,2"),
        "/page.html": "<p>saved</p>",
        "/raw.bin": bytes(range(256)),
    }
    places = [Path(tempfile.gettempdir()), Path.cwd(), Path.home() / "Downloads"]
    names = ("sum.csv", "saved.html", "made.txt", "raw.bin")
    page = app()
    page.open()
    for link, name in (("Report", "sum.csv"), ("Save", "saved.html"), ("Raw", "raw.bin"), ("Made", "made.txt")):
        effects = [page.act(f'click link "{link}"'), *page.drain()]
        assert [each for effect in effects for each in effect.downloads] == [name], link
        assert page.text("#out") == "here"
    assert not [place / name for place in places for name in names if (place / name).exists()]


def test_new_tabs_are_part_of_the_application(site: Site, app: OpenApp) -> None:
    site.pages = {
        "/": """<p id=out>opener</p><a href=/child target=_blank rel=opener>New tab</a>
        <button onclick="child = window.open('/child', 'c', 'width=300,height=200')">Popup</button>
        <button onclick="child.close()">Close it</button>""",
        "/child": """<p id=out>child</p><button onclick="fetch('/data').then((r) => r.text()).then((t) => { out.textContent = t; opener.document.querySelector('#out').textContent = 'told' })">Ask</button>
        <button onclick="window.close()">Close me</button>""",
        "/data": "data",
    }
    page = app()
    page.open()
    effect = page.act('click link "New tab"')
    assert [event.what for event in effect.created] == ["GET /child"]
    page.drain()
    assert page.text("#out", tab=1) == "child"
    page.act('click button "Ask" in tab 2')
    effect = page.let("GET /data")
    assert page.text("#out", tab=1) == "data"
    assert page.text("#out") == "told"
    assert len(effect.changes) == 2
    again = next(event for event in page.run(page.app.user_events()) if event.what == 'click button "Ask" in tab 2')
    page.act('click button "Close me" in tab 2')
    assert not any("tab 2" in action for action in page.actions())
    with pytest.raises(NotEnabled):
        page.step(again)
    page.act('click button "Popup"')
    page.drain()
    assert page.text("#out", tab=2) == "child"
    page.act('click button "Ask" in tab 3')
    page.drain()
    assert page.text("#out") == "told"
    page.act('click button "Close it"')
    assert not any("tab 3" in action for action in page.actions())
    assert page.state().url == f"{site.url}/"


def test_tabs_are_the_same_in_every_run(site: Site, app: OpenApp) -> None:
    site.pages = {
        "/": "<button onclick=\"window.open('/child')\">Open</button><a href=/child target=_blank>Link</a>",
        "/child": "<p id=out></p><script>out.textContent = Math.random(); setTimeout(() => { out.textContent += '!' }, 10)</script><button onclick='this.textContent = 1'>B</button>",
    }
    page = app()
    runs = []
    for _ in range(2):
        page.open()
        page.act('click button "Open"')
        page.act('click link "Link"')
        page.drain()
        page.act('click button "B" in tab 2')
        runs.append((list(page.keys), page.state().digest))
    assert runs[0] == runs[1]


def test_dialogs_are_answered_and_listed(site: Site, app: OpenApp) -> None:
    site.pages = {
        "/": """<p id=out></p>
        <button onclick="alert('a'); out.textContent = [confirm('c'), prompt('p', 'default')].join()">Ask</button>
        <button onclick="window.addEventListener('beforeunload', (e) => { e.preventDefault(); e.returnValue = 'x' })">Guard</button>
        <a href=/second>Leave</a>""",
        "/second": "<p id=out>second</p>",
    }

    def answer(kind: str, message: str, default: str) -> tuple[bool, str]:
        return kind != "confirm", "given"

    page = app(on_dialog=answer)
    page.open()
    effect = page.act('click button "Ask"')
    assert effect.dialogs == (
        Dialog(kind="alert", message="a", answer="accept"),
        Dialog(kind="confirm", message="c", answer="dismiss"),
        Dialog(kind="prompt", message="p", answer="given"),
    )
    assert page.text("#out") == "false,given"
    page.act('click button "Guard"')
    effect = page.act('click link "Leave"')
    assert [dialog.kind for dialog in effect.dialogs] == ["beforeunload"]
    page.drain()
    assert page.text("#out") == "second"


def test_a_page_that_is_asked_to_stay_stays(site: Site, app: OpenApp) -> None:
    site.pages = {
        "/": """<p id=out>here</p><button onclick="onbeforeunload = () => 'stay'">Guard</button><a href=/second>Leave</a>""",
        "/second": "second",
    }
    page = app(on_dialog=lambda kind, message, default: (kind != "beforeunload", ""))
    page.open()
    page.act('click button "Guard"')
    effect = page.act('click link "Leave"')
    assert [dialog.answer for dialog in effect.dialogs] == ["dismiss"]
    assert effect.created == ()
    assert page.text("#out") == "here"
    assert 'click link "Leave"' in page.actions()


def test_other_origins_are_neither_offered_nor_opened(site: Site, app: OpenApp) -> None:
    site.pages = {
        "/": f"""<p id=out>here</p><a href={site.other_url}/away>Away</a><a href=/near>Near</a>
        <button onclick="location.href = '{site.other_url}/away'">By script</button>
        <button onclick="window.open('{site.other_url}/elsewhere')">By window</button>
        <a href=/sly>Sly</a><button onclick="this.textContent = 'works'">Still</button>""",
        "/near": "near",
        "/away": "<p>away</p>",
        "/sly": (302, {"Location": f"{site.other_url}/away"}, b""),
    }
    said: list[str] = []
    page = app(on_limit=said.append)
    page.open()
    actions = page.actions()
    assert 'click link "Away"' not in actions
    assert 'click link "Near"' in actions
    effect = page.act('click button "By script"')
    assert [str(each) for each in effect.lifecycle] == [f"refused {site.other_url}/away"]
    page.drain()
    assert "not among the allowed origins" in said.pop()
    assert page.text("#out") == "here"
    page.act('click link "Sly"')
    page.drain()
    assert "not among the allowed origins" in said.pop()
    assert page.text("#out") == "here"
    page.act('click button "By window"')
    page.drain()
    assert "not among the allowed origins" in said.pop()
    page.act('click button "Still"')
    assert "works" in page.ask("document.body.textContent")
    assert "/away" not in site.requests


def test_time_goes_on_in_the_next_page(site: Site, app: OpenApp) -> None:
    site.pages = {
        "/": "<a href=/second>Second</a><script>setTimeout(() => { document.title = Date.now() }, 5000)</script>",
        "/second": "<script>document.title = Date.now()</script>",
    }
    page = app()
    page.open()
    before = int(page.state().title)
    page.act('click link "Second"')
    page.drain()
    assert int(page.state().title) == before + 2


def test_walking_through_pages_is_the_same_in_every_run(site: Site, app: OpenApp) -> None:
    site.pages = {
        "/": "<form method=post action=/send><input name=who aria-label=Who><button>Send</button></form>",
        "/send": (303, {"Location": "/list"}, b""),
        "/list": """<p id=out></p><button onclick="if (confirm('sure?')) { controller.abort(); out.textContent = Math.random() }">Stop</button>
        <script>controller = new AbortController(); fetch('/slow', {signal: controller.signal}).catch((e) => { out.textContent += e.name });
        setInterval(() => { out.title += Date.now() + ' ' }, 100)</script>""",
        "/slow": "slow",
    }
    page = app()
    runs = []
    for _ in range(2):
        page.open()
        page.act('type "milk" in')
        page.act('click button "Send"')
        page.let("POST /send")
        page.let("interval 100")
        page.act('click button "Stop"')
        page.let("interval 100")
        runs.append((list(page.keys), page.names(), page.text("#out"), page.state().digest))
    assert runs[0] == runs[1]
    assert runs[0][2].endswith("AbortError")
