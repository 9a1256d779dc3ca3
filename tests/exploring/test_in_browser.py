"""Explorations of small, mostly hostile sites in a real Chromium."""

# Pages are written as they come.
# ruff: noqa: E501

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import pytest

from jostle.browser.chromium_app import ChromiumApp
from jostle.config.settings import Invariant
from jostle.errors import ApplicationProblem
from jostle.examples.server import running
from jostle.exploring.at_random import AtRandom
from jostle.exploring.avoid import DELETING
from jostle.findings.evidence import ErrorEvidence
from jostle.model.exploration import Exploration
from tests.browser.live import Answer, Browser, Request, Site, browser_launched, site_served
from tests.exploring.in_browser import walk

HOME = "<a href=/>Home</a>"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with browser_launched() as launched:
        yield launched


@pytest.fixture(scope="module")
def examples() -> Iterator[str]:
    with running() as url:
        yield url


@pytest.fixture(scope="module")
def _site() -> Iterator[Site]:
    with site_served() as served:
        yield served


@pytest.fixture
def site(_site: Site) -> Site:
    _site.serve({})
    return _site


def titled(title: str, body: str = HOME) -> str:
    return f"<!doctype html><title>{title}</title>{body}"


# What is left alone.


def test_log_out_is_left_alone_and_told(browser: Browser, site: Site) -> None:
    url = site.serve(
        {
            "/": titled(
                "home",
                "<a href=/a>A</a><a href=/session/logout>Bye</a><button onclick=\"location = '/out'\">Log out</button>",
            ),
            "/a": titled("a"),
        }
    )
    walked = walk(browser, url, events=8)
    assert set(walked.exploration.avoided) == {'click link "Bye"', 'click button "Log out"'}
    assert 'Skipped: click button "Log out" (logging out)' in walked.texts()
    assert walked.titles == {"home", "a"}
    assert not {"/session/logout", "/out"} & set(site.requests)


def test_what_could_do_harm_is_skipped_however_it_is_said(browser: Browser, examples: str) -> None:
    walked = walk(browser, f"{examples}/control-room-fixed/", events=60)
    assert walked.findings == []  # whatever could do harm throws when it is touched
    assert walked.exploration.avoided == {
        'click button "Shut down"': "shutting down",
        'click button "Reboot"': "restarting",
        'click button "⚙"': "resetting everything",
        'click button "Konto löschen"': "deleting an account",
        'click link "Bye"': "logging out",
        'click button "Newsletter"': "unsubscribing",
        'click button "Pay now"': "paying",
        'press Enter in textbox "Amount"': "paying",
        'answer yes to confirm "Delete all records?"': "deleting everything",
        'click button "OK"': "deleting an account",
    }
    ordinary = {
        "Tidy up",
        "Leave the club",
        "Cancel",
        "Reset filters",
        "Order by name",
        "Restart slideshow",
        "Delete",
        "Send",
    }
    assert {name for name in ordinary if f'click button "{name}"' in walked.done} == ordinary
    assert 'Skipped: press Enter in textbox "Amount" (paying)' in walked.texts()


@pytest.mark.long
def test_what_is_only_named_like_harm_is_tested(browser: Browser, examples: str) -> None:
    walked = walk(browser, f"{examples}/control-room/", events=60)
    assert walked.kinds == ["exception"]
    assert "toUpperCase" in walked.only("exception").title


@pytest.mark.long
def test_what_could_do_harm_is_done_when_it_is_allowed(browser: Browser, examples: str) -> None:
    walked = walk(browser, f"{examples}/control-room-fixed/", events=30, allow=["shut down", "all records"])
    assert sorted(finding.title.split("harm was done: ")[1][:9] for finding in walked.findings) == [
        "Shut down",
        "deleted a",
    ]


def test_what_deletes_is_done_unless_it_is_to_be_avoided(browser: Browser, site: Site) -> None:
    page = titled(
        "list",
        "<ul><li>Milk <button onclick=\"fetch('/deleted')\">Delete</button></ul><button onclick=\"fetch('/added')\">Add</button>",
    )
    url = site.serve({"/": page, "/deleted": "", "/added": ""})
    walk(browser, url, events=6)
    assert {"/deleted", "/added"} <= set(site.requests)
    site.serve({"/": page, "/deleted": "", "/added": ""})
    walked = walk(browser, url, events=6, avoid=DELETING)
    assert list(walked.exploration.avoided) == ['click button "Delete"']
    assert "/deleted" not in site.requests
    assert "/added" in site.requests


def test_other_origins_are_never_opened(browser: Browser, site: Site) -> None:
    away = f"{site.other_url}/away"
    url = site.serve(
        {
            "/": titled("home", f"""<a href={away}/link>Link</a><a href={away}/blank target=_blank>Blank</a>
            <button onclick="window.open('{away}/open')">Open</button><form action={away}/get><button>Send</button></form>
            <form action={away}/post method=post><button>Post</button></form><button onclick="location = '{away}/script'">Script</button>
            <a href=/refresh>Refresh</a><a href=/redirect>Redirect</a><a href="javascript:location = '{away}/js'">JavaScript</a>
            <a href=/near>Near</a>"""),
            "/refresh": titled("refresh", f"<meta http-equiv=refresh content='0;url={away}/refresh'>{HOME}"),
            "/redirect": (302, {"Location": f"{away}/redirect"}, b""),
            "/near": titled("near"),
        }
    )  # fmt: skip
    walked = walk(browser, url, events=26)
    assert not [path for path in site.requests if path.startswith("/away")]
    assert not {'click link "Link"', 'click link "Blank"'} & set(walked.done)
    tried = {"Open", "Send", "Post", "Script", "Refresh", "Redirect", "JavaScript"}
    assert {name for name in tried for what in walked.done if f'"{name}"' in what} == tried
    assert "not among the allowed origins" in walked.texts()
    assert {"home", "near", "refresh"} <= walked.titles
    assert walked.findings == []


# Pages without end.


@pytest.mark.long
def test_infinite_scroll_does_not_swallow_everything(browser: Browser, site: Site) -> None:
    pages: dict[str, Answer] = {
        "/": titled("list", """<a href=/about style="position: fixed; top: 0; right: 0">About</a><div id=list></div><script>
        let n = 0; const more = () => { for (let i = 0; i < 30; i++) list.insertAdjacentHTML('beforeend', `<p><a href=/item/${n}>Item ${n++}</a>`) };
        more(); onscroll = () => { if (innerHeight + scrollY >= document.body.scrollHeight - 300) more() }</script>"""),
        "/about": titled("about", f"{HOME}<a href=/imprint>Imprint</a>"),
        "/imprint": titled("imprint"),
    }  # fmt: skip
    for n in range(1000):
        pages[f"/item/{n}"] = titled("item", f"<h1>{n}</h1>{HOME}")
    walked = walk(browser, site.serve(pages), events=30)
    assert walked.titles == {"list", "about", "imprint", "item"}
    assert "scroll down the page" in walked.done
    assert len(walked.exploration.machine) <= 6


@pytest.mark.long
def test_a_calendar_without_end_leaves_time_for_the_rest(browser: Browser, site: Site) -> None:
    def month(request: Request) -> str:
        n = int(request.path.split("=")[1])
        days = "".join(f"<td><a href='/day?d={n}-{day}'>{day}</a>" for day in range(1, 29 + n % 3))
        return titled(
            "month",
            f"<h1>Month {n}</h1><table><tr>{days}</table><a href='/month?m={n + 1}'>Next month</a> <a href='/month?m={n - 1}'>Previous month</a>",
        )

    url = site.serve(
        {
            "/": titled("home", "<a href='/month?m=1'>Calendar</a><a href=/help>Help</a><a href=/about>About</a>"),
            "/month": month,
            "/day": titled("day", "<p>A day.</p>"),
            "/help": titled("help", "<a href=/help/more>More</a>"),
            "/help/more": titled("more"),
            "/about": titled("about"),
        }
    )
    walked = walk(browser, url, events=40)
    assert walked.titles >= {"home", "month", "day", "help", "more", "about"}
    assert len(walked.exploration.machine) <= 12


@pytest.mark.long
def test_three_thousand_links(browser: Browser, site: Site) -> None:
    pages: dict[str, Answer] = {
        "/": titled(
            "many", "".join(f"<a href=/item/{n}>Item {n}</a> " for n in range(3000)) + "<p><a href=/last>Last</a>"
        )
    }
    pages |= {f"/item/{n}": titled("item", f"<p>{n}</p>") for n in range(3000)}
    walked = walk(browser, site.serve(pages), events=4, limits=None)
    assert walked.exploration.done == 4
    assert "item" in walked.titles
    assert walked.findings == []


# Tabs, dialogs, files.


@pytest.mark.long
def test_popups_are_explored_and_closed_and_what_breaks_in_them_is_found(browser: Browser, site: Site) -> None:
    url = site.serve(
        {
            "/": titled(
                "home",
                "<a href=/pop target=_blank>Pop</a><button onclick=\"window.open('/window', '', 'width=300,height=300')\">Window</button><a href=/third>Third</a>",
            ),
            "/pop": titled("pop", "<button onclick='null.x'>Break</button><a href=/deeper>Deeper</a>"),
            "/window": titled("window", "<button onclick='window.close()'>Close me</button>"),
            "/deeper": titled("deeper"),
            "/third": titled("third"),
        }
    )
    walked = walk(browser, url, events=40)
    assert walked.titles == {"home", "pop", "window", "deeper", "third"}
    assert {"close the tab", 'click button "Close me"'} <= set(walked.done)
    finding = walked.only("exception")
    assert finding.events[:-1] == ('click link "Pop"', 'click button "Break"')
    assert finding.confidence == "witnessed"
    assert len(walked.exploration.machine) == 5


@pytest.mark.long
def test_a_page_that_opens_many_windows(browser: Browser, site: Site) -> None:
    url = site.serve(
        {
            "/": titled(
                "home",
                "<button onclick=\"for (let n = 0; n < 5; n++) window.open('/pop?' + n)\">Bomb</button><a href=/near>Near</a>",
            ),
            "/pop": titled(
                "pop", "<button onclick=\"for (let n = 0; n < 5; n++) window.open('/pop?' + n)\">Bomb</button>"
            ),
            "/near": titled("near"),
        }
    )
    walked = walk(browser, url, events=16)
    assert walked.exploration.done == 16
    assert "close the tab" in walked.done
    assert "pop" in walked.titles


def test_files_are_chosen_and_sent(browser: Browser, site: Site) -> None:
    url = site.serve(
        {
            "/": titled("form", """<form method=post action=/got enctype=multipart/form-data><input type=file name=f required><button>Send</button></form>
            <button onclick="chosen.click()">Choose</button><input type=file id=chosen style="display: none">"""),
            "/got": lambda request: titled(f"got {b'A file from jostle' in request.body}"),
        }
    )  # fmt: skip
    walked = walk(browser, url, events=10)
    assert "got True" in walked.titles
    assert 'click button "Choose"' in walked.done
    assert walked.findings == []


def test_dialogs_and_printing_do_not_stop_it(browser: Browser, site: Site) -> None:
    url = site.serve(
        {
            "/": titled("home", """<button onclick="alert('a')">Alert</button><button onclick="if (confirm('c')) document.title = 'confirmed'">Confirm</button>
            <button onclick="document.title = prompt('p', 'prompted')">Prompt</button><button onclick="print(); document.title = 'printed'">Print</button>
            <button onclick="onbeforeunload = (e) => { e.preventDefault(); e.returnValue = 'x' }">Guard</button><a href=/printing>Printing</a>"""),
            "/printing": titled("printing", f"<body onload='print()'>{HOME}"),
        }
    )  # fmt: skip
    walked = walk(browser, url, events=25)
    assert walked.titles >= {"home", "confirmed", "prompted", "printed", "printing"}
    kinds = {dialog.kind for visit in walked.exploration.visits for dialog in visit.effect.dialogs}
    assert kinds == {"alert", "confirm", "prompt", "beforeunload"}
    assert walked.exploration.hangs == 0


def test_downloads_and_passwords_leave_the_page_usable(browser: Browser, site: Site) -> None:
    url = site.serve(
        {
            "/": titled("home", "<a href=/raw.bin>Raw</a><a href=/near download>Save</a><a href=/attached>Attached</a><a href=/secret>Secret</a>"
                        "<button onclick=\"fetch('/secret').then((r) => { document.title = r.status })\">Fetch</button><a href=/near>Near</a>"),
            "/raw.bin": bytes(200),
            "/attached": (200, {"Content-Disposition": "attachment; filename=a.txt"}, b"a"),
            "/secret": (401, {"WWW-Authenticate": "Basic realm=x"}, b"no"),
            "/near": titled("near"),
        }
    )  # fmt: skip
    walked = walk(browser, url, events=16)
    downloads = {name for visit in walked.exploration.visits for name in visit.effect.downloads}
    assert len(downloads) == 3
    assert {"401", "near"} <= walked.titles
    assert walked.kinds == ["dead-link"]  # a refused request is harmless, a link that is refused is not
    assert walked.seconds < 40


# Pages with a life of their own.


@pytest.mark.long
def test_pages_that_go_elsewhere_by_themselves(browser: Browser, site: Site) -> None:
    url = site.serve(
        {
            "/": titled(
                "home",
                "<a href=/meta>Meta</a><a href=/timer>Timer</a><a href=/loop>Loop</a><a href=/reload>Reload</a><a href=/near>Near</a>",
            ),
            "/meta": titled("meta", f"<meta http-equiv=refresh content='0;url=/there'>{HOME}"),
            "/timer": titled("timer", f"<script>setTimeout(() => {{ location = '/there' }}, 500)</script>{HOME}"),
            "/there": titled("there"),
            "/loop": titled("loop", "<script>location = '/pool'</script>"),
            "/pool": titled("pool", "<script>location = '/loop'</script>"),
            "/reload": titled("reload", f"<script>setTimeout(() => location.reload(), 10)</script>{HOME}"),
            "/near": titled("near"),
        }
    )
    walked = walk(browser, url, events=16)
    assert walked.exploration.done == 16
    assert {'click link "Loop"', 'click link "Reload"', 'click link "Timer"', 'click link "Meta"'} <= set(walked.done)
    assert {"home", "there", "near"} <= walked.titles
    assert "loaded by itself again and again" in walked.texts()
    assert walked.findings == []


def test_a_page_that_closes_itself(browser: Browser, site: Site) -> None:
    url = site.serve(
        {
            "/": titled(
                "home",
                "<button onclick=\"window.open(location, '_self').close()\">Close</button><a href=/near>Near</a>",
            ),
            "/near": titled("near"),
        }
    )
    walked = walk(browser, url, events=8)
    assert 'click button "Close"' in walked.done
    assert "near" in walked.titles
    assert walked.exploration.done == 8


@pytest.mark.slow
@pytest.mark.long
def test_a_handler_that_never_returns_is_found_and_then_left_alone(browser: Browser, site: Site) -> None:
    url = site.serve(
        {
            "/": titled("home", "<button onclick='while (true);'>Hang</button><a href=/near>Near</a>"),
            "/near": titled("near", "<a href=/far>Far</a>"),
            "/far": titled("far"),
        }
    )
    walked = walk(browser, url, events=12)
    assert walked.titles >= {"home", "near", "far"}
    assert walked.done.count('click button "Hang"') == 2
    assert walked.exploration.runs == 3
    finding = walked.only("hang")
    assert finding.events[:-1] == ('click button "Hang"',)
    assert finding.confidence == "witnessed"
    assert 'click button "Hang"' in walked.exploration.avoided


def test_a_page_whose_process_crashes(browser: Browser, site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    url = site.serve(
        {
            "/": titled("home", "<button onclick='document.title = 1'>Go</button><a href=/near>Near</a>"),
            "/near": titled("near"),
        }
    )
    step = ChromiumApp.step
    crashes = 0

    async def crashing(app: ChromiumApp, event: object) -> object:
        nonlocal crashes
        if 'click button "Go"' in str(event) and not crashes:
            crashes += 1
            with contextlib.suppress(Exception):
                await app.tabs[0].session.send("Page.crash", timeout=1)
        return await step(app, event)  # type: ignore[arg-type]

    monkeypatch.setattr(ChromiumApp, "step", crashing)
    walked = walk(browser, url, events=8)
    assert crashes == 1
    assert walked.exploration.runs == 2
    assert walked.exploration.done == 8
    assert "1" in walked.titles


@pytest.mark.parametrize(
    ("page", "events", "kinds"),
    [
        pytest.param("", 0, [], id="empty"),
        pytest.param(titled("text", "<p>Nothing to do here."), 0, [], id="nothing-to-do"),
        pytest.param((500, {}, b"oops"), 0, ["http-error"], id="server-error"),
        pytest.param((500, {}, titled("oops", "<a href=/near>Near</a>")), 3, ["http-error"], id="server-error-with-link"),
    ],
)  # fmt: skip
def test_a_start_without_much(browser: Browser, site: Site, page: Answer, events: int, kinds: list[str]) -> None:
    walked = walk(browser, site.serve({"/": page, "/near": titled("near", "<a href=/near>Near</a>")}), events=3)
    assert walked.exploration.done == events
    assert walked.kinds == kinds
    if not events:
        assert walked.exploration.ended == "nothing could be done any more: there was nothing to do"


@pytest.mark.long
def test_a_page_that_is_nothing_but_a_frame(browser: Browser, site: Site) -> None:
    url = site.serve(
        {
            "/": "<iframe src=/inner></iframe>",
            "/inner": "<button onclick='null.x'>Break</button><a href=/top target=_top>Top</a>",
            "/top": titled("top"),
        }
    )
    walked = walk(browser, url, events=8)
    assert "top" in walked.titles
    assert walked.only("exception").events[:-1] == ('click button "Break" in frame 1',)


@pytest.mark.long
def test_a_server_that_dies_ends_it_clearly_and_keeps_what_there_is(browser: Browser) -> None:
    into = Exploration()
    with site_served() as dying:
        left = 6

        def page(request: Request) -> Answer | None:
            nonlocal left
            left -= 1
            if left > 0:
                return titled("home", "<button onclick='while (true);'>Hang</button><a href=/>Again</a>")
            request.close_connection = True
            return None  # hangs up without an answer

        url = dying.serve({"/": page})
        with pytest.raises(ApplicationProblem):
            walk(browser, url, events=30, into=into)
    assert 1 <= into.done < 30
    assert len(into.machine) >= 1


# What is found.

_MANY = "".join(f"<button onclick='out.textContent = {n}'>Button {n}</button>" for n in range(30))


def three_steps(last: str) -> str:
    return titled(
        "steps",
        f"""<p id=out></p>{_MANY}<button onclick="opened = 1; out.textContent = 'opened'">Open the box</button>
    <button onclick="if (opened) {{ filled = 1; out.textContent = 'filled' }}">Fill the box</button><button onclick="if (filled) {{ {last} }}">Send the box</button>
    <script>let opened = 0, filled = 0</script>""",
    )


@pytest.mark.long
def test_three_steps_among_thirty_others_are_found_and_nothing_else_is_left(browser: Browser, site: Site) -> None:
    walked = walk(browser, site.serve(three_steps("null.box")), events=150)
    finding = walked.only("exception")
    assert finding.events[:-1] == (
        'click button "Open the box"',
        'click button "Fill the box"',
        'click button "Send the box"',
    )
    assert isinstance(finding.evidence, ErrorEvidence) and finding.evidence.minimal


def test_a_correct_page_gives_no_findings(browser: Browser, site: Site) -> None:
    walked = walk(browser, site.serve(three_steps("out.textContent = 'sent'")), events=60, strategy=AtRandom)
    assert walked.exploration.done == 60
    assert walked.findings == []


def no_more_than_two(page: dict[str, str]) -> bool:
    return page["html"].count("<li") <= 2


@pytest.mark.parametrize(
    "invariant",
    [
        Invariant(name="at most two", javascript="document.querySelectorAll('li').length <= 2"),
        Invariant(name="at most two", python=f"{__name__}:no_more_than_two"),
    ],
    ids=["javascript", "python"],
)
@pytest.mark.sampled(1)
def test_a_broken_invariant_is_made_small(browser: Browser, site: Site, invariant: Invariant) -> None:
    page = titled(
        "list",
        "<ul id=list></ul><button onclick=\"list.append(document.createElement('li'))\">Add</button><button onclick='list.title = 1'>Mark</button><button onclick='list.title = 2'>Unmark</button>",
    )
    walked = walk(browser, site.serve(page), events=20, invariants=[invariant], strategy=AtRandom)
    finding = walked.only("broken-invariant")
    assert finding.events[:-1] == ('click button "Add"',) * 3
    assert "at most two" in finding.title


@pytest.mark.long
def test_a_registration_gets_through(browser: Browser, site: Site) -> None:
    url = site.serve(
        {
            "/": titled("register", """<form method=post action=/thanks><label>Name <input name=name required minlength=3></label>
            <label>E-mail <input type=email name=mail required></label><label>Postcode <input name=code required pattern="[0-9]{5}"></label>
            <label>Age <input type=number name=age min=18 max=99 required></label><label>Born <input type=date name=born min=1920-01-01 max=2007-12-31 required></label>
            <label>Country <select name=country required><option value="">Choose</option><option>Iceland</option><option>Peru</option></select></label>
            <label><input type=checkbox name=terms required> I agree</label><button>Register</button></form><a href=/terms>Terms</a>"""),
            "/thanks": lambda request: titled("thanks" if b"mail=" in request.body else "refused"),
            "/terms": titled("terms"),
        }
    )  # fmt: skip
    through = [seed for seed in range(4) if "thanks" in walk(browser, url, events=25, seed=seed).titles]
    assert len(through) >= 3


@pytest.mark.long
def test_the_same_seed_does_the_same(browser: Browser, site: Site) -> None:
    url = site.serve(
        {
            "/": three_steps("location = '/near'"),
            "/near": titled("near", f"<input aria-label=Name><a href=/far>Far</a>{HOME}"),
            "/far": titled("far"),
        }
    )
    runs = [walk(browser, url, events=25, seed=7).done for _ in range(2)]
    assert runs[0] == runs[1]
