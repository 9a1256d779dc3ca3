"""Watching what a person does: trusted input into a real Chromium that is left to itself, then done again."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from jostle.browser.app_options import AppListeners
from jostle.browser.chromium_app import ChromiumApp
from jostle.browser.inputs import Inputs
from jostle.browser.settings import TabSettings
from jostle.events import Locator
from jostle.examples import running
from jostle.progress import silent
from jostle.recording.answers import RecordedAnswers
from jostle.recording.file import Manifest
from jostle.recording.login import StorageState
from jostle.recording.recorder import Recorder
from jostle.recording.reenact import Reenacted, failed, reenact
from jostle.recording.replay import replay
from jostle.recording.session import WatchedSession
from tests.browser.live import Browser, Site, browser_launched, site_served

pytestmark = pytest.mark.browser

PAGE = """<!doctype html><title>Desk</title>
<style>body { margin: 0 } [id] { display: block; height: 24px; width: 300px }
  #long { height: 3000px }</style>
<button id=press onclick="out.textContent += 'p'">Press</button>
<div><div id=far>Far</div></div>
<input id=name aria-label=Name>
<label id=agree><input type=checkbox> I agree</label>
<select id=kind aria-label=Kind><option>Soup<option>Cake</select>
<div id=twice ondblclick="out.textContent += 'd'" onclick="out.textContent += 'c'">Twice</div>
<div id=right oncontextmenu="out.textContent += 'r'; event.preventDefault()">Right</div>
<div id=menu onmouseover="out.textContent += 'h'">Menu</div>
<input id=day type=date aria-label=Day>
<a id=go href=/second>Second</a>
<form id=find action=/second><input id=query name=q aria-label=Query></form>
<div id=plain>Nothing happens here</div><output id=out></output><div id=long></div>
<script>far.parentNode.addEventListener("click", (e) => { if (e.target === far) out.textContent += "f"; });</script>
"""

SECOND = """<!doctype html><title>Second</title><p>Second</p><button onclick="fetch('/more')">More</button>"""


class Person:
    """Somebody at a browser that is being watched."""

    def __init__(self, browser: Browser, site: Site) -> None:
        self.browser = browser
        self.site = site
        self.limits: list[str] = []
        self.heard = Recorder(Manifest(url=site.url))
        self.settings = TabSettings(width=800, height=600)

    def begin(self, url: str, **more: Any) -> None:
        async def begin() -> None:
            self.session = WatchedSession(
                self.browser.chromium,
                settings=self.settings,
                may_open=lambda address: address.startswith((self.site.url, "about:")),
                listeners=AppListeners(
                    exchange=self.heard.exchanged, traffic=self.heard.traffic, limit=self.limits.append
                ),
                **more,
            )
            await self.session.open(url, StorageState())
            self.tab = self.session._stage.tabs[0]
            self.hands = Inputs(lambda method, params: self.tab.session.post(method, params))
            self.tab.on_input = self.hands.event

        self.browser.run(begin())
        self.url = url
        self.until("document.readyState === 'complete'")

    def js(self, expression: str) -> Any:
        return self.browser.run(self.tab.ask(self.tab.main, expression, 10))

    def until(self, expression: str) -> None:
        async def met() -> None:
            for _ in range(400):
                try:
                    if await self.tab.ask(self.tab.main, expression, 10):
                        return
                except Exception:
                    pass
                await asyncio.sleep(0.02)
            raise AssertionError(f"never true: {expression}")

        self.browser.run(met())

    def do(self, what: str, selector: str, *more: Any) -> None:
        place = f"(() => {{ const box = document.querySelector({selector!r}).getBoundingClientRect(); "
        x, y = self.js(f"{place} return [box.x + 5, box.y + box.height / 2]; }})()")
        self.browser.run(getattr(self.hands, what)(x, y, *more))

    def keys(self, text: str) -> None:
        self.browser.run(self.hands.type_text(text))

    def press(self, key: str) -> None:
        self.browser.run(self.hands.press(key))

    @property
    def did(self) -> list[str]:
        self.browser.run(self.session.flush())
        return [done.event.what for done in self.session.done]

    def end(self) -> None:
        self.browser.run(self.session.close())

    def again(self) -> tuple[Reenacted, Recorder, ChromiumApp]:
        """What was done, done again with the answers of the session."""
        answers = RecordedAnswers(self.heard.recording())
        recorder = Recorder(Manifest(url=self.url))
        app = self.browser.made(self.url, settings=self.settings, responder=answers)
        reenacted = self.browser.run(reenact(app, recorder, self.session.done, silent))
        recorder.borrow(self.heard, [failed(0, asked) for asked in answers.missed])
        return reenacted, recorder, app


@pytest.fixture(scope="module")
def _surroundings() -> Iterator[tuple[Browser, Site]]:
    with browser_launched() as browser, site_served() as site:
        yield browser, site


@pytest.fixture
def person(_surroundings: tuple[Browser, Site]) -> Iterator[Person]:
    browser, site = _surroundings
    site.serve({"/": PAGE, "/second": SECOND, "/more": "{}"})
    somebody = Person(browser, site)
    yield somebody
    somebody.end()
    browser.close_apps()


def test_what_is_done_is_told_in_the_words_of_what_could_be_done(person: Person) -> None:
    person.begin(f"{person.site.url}/")
    person.do("click", "#press")
    person.do("click", "#plain")  # nobody hears of it
    person.do("click", "#far")  # the document does
    person.do("click", "#name")
    person.keys("Ada")
    person.do("click", "#agree input")
    person.do("select_option", "#kind", 1)
    person.do("double_click", "#twice")
    person.do("right_click", "#right")
    person.do("hover", "#menu")
    assert person.did == [
        'click button "Press"',
        'click div "Far"',
        'type "Ada" in textbox "Name"',
        'check checkbox "I agree"',
        'select "Cake" in combobox "Kind"',
        'double-click div "Twice"',
        'right-click div "Right"',
        'hover over div "Menu"',
    ]


def test_an_event_tells_its_element_and_whether_scripts_heard_of_it(person: Person) -> None:
    person.begin(f"{person.site.url}/")
    person.do("click", "#press")
    person.do("click", "#query")
    person.keys("plum")
    assert person.did == ['click button "Press"', 'type "plum" in textbox "Query"']
    pressed, typed = (done.event.action for done in person.session.done)
    assert (pressed.element, pressed.xpath, pressed.ran) == ("button", "/html/body/button", True)
    assert (typed.element, typed.form) == ("input:text", "/html/body/form")


def test_keys_that_do_something_are_told_and_their_clicks_are_not(person: Person) -> None:
    person.begin(f"{person.site.url}/")
    person.do("click", "#query")
    person.keys("plum")
    person.press("Enter")  # the browser clicks the form's button, if there is one
    person.until("document.title === 'Second'")
    assert person.did == ['type "plum" in textbox "Query"', 'press Enter in textbox "Query"']


def test_links_typed_addresses_and_pages_after_them(person: Person) -> None:
    person.begin(f"{person.site.url}/")
    person.do("click", "#go")
    person.until("document.title === 'Second'")
    person.do("click", "button")
    person.browser.run(person.tab.session.send("Page.navigate", {"url": f"{person.site.url}/?again"}))
    person.until("document.title === 'Desk'")
    assert person.did == ['click link "Second"', 'click button "More"', "visit /?again"]


def test_the_session_becomes_a_recording_that_replays_without_the_server(person: Person) -> None:
    person.begin(f"{person.site.url}/")
    person.do("click", "#press")
    person.do("click", "#name")
    person.keys("Ada")
    person.do("click", "#go")
    person.until("document.title === 'Second'")
    person.do("click", "button")
    person.until("performance.getEntriesByType('resource').some(({ name }) => name.endsWith('/more'))")
    assert len(person.did) == 4
    person.site.serve({})  # nothing is there any more
    reenacted, recorder, _ = person.again()
    assert (reenacted.done, reenacted.skipped) == (4, ())
    recording = recorder.recording()
    assert [step.event.what for step in recording.trace.steps if step.event.by_user] == person.did
    answers = RecordedAnswers(recording)
    app = person.browser.made(person.url, settings=person.settings, responder=answers)
    replayed = person.browser.run(replay(app, recording, answers, listener=silent))
    assert replayed.verdict == "reproduced"


def test_what_cannot_be_done_again_is_left_out_and_named(person: Person) -> None:
    person.begin(f"{person.site.url}/")
    person.do("click", "#press")
    done = person.session.done[0]
    gone = done.event.with_detail(locator=Locator(words="x", role="button", name="Gone", css="#gone"))
    person.session.done.insert(0, type(done)(event=msgspec.structs.replace(gone, what="click x"), at=0.0))
    reenacted, _, _ = person.again()
    assert reenacted.done == 1
    assert len(reenacted.skipped) == 1 and reenacted.skipped[0].startswith("click x: ")


def test_the_badge_pauses_marks_and_stops(person: Person) -> None:
    person.begin(f"{person.site.url}/")
    person.until("document.querySelector('jostle-badge') !== null")

    def press(button: str) -> None:
        """The badge is closed to the page: find its buttons by where they are."""
        from_right = {"stop": 18, "mark": 44, "pause": 72}[button]
        x, y = person.js("[innerWidth - 12, innerHeight - 12]")
        person.browser.run(person.hands.click(x - from_right, y - 14))

    person.do("click", "#press")
    press("mark")
    press("pause")
    person.do("click", "#press")
    press("pause")
    person.do("click", "#far")
    assert person.did == ['click button "Press"', 'click div "Far"']
    assert person.session.done[0].event.action.mark == 1
    assert person.js("out.textContent") == "ppf"  # the page is none the wiser
    assert not person.session.over.is_set()
    press("stop")
    person.browser.run(asyncio.wait_for(_until_set(person.session.over), 5))


async def _until_set(event: asyncio.Event) -> None:
    await event.wait()


def test_closing_the_last_tab_ends_the_session(person: Person) -> None:
    person.begin(f"{person.site.url}/")
    person.browser.run(person.tab.close())
    person.browser.run(asyncio.wait_for(_until_set(person.session.over), 5))


def test_scrolling_is_one_thing_however_often_the_wheel_turns(person: Person) -> None:
    person.begin(f"{person.site.url}/")
    for _ in range(3):
        person.do("scroll", "#twice", 100)
    assert person.did == ["scroll down the page"]


def test_a_page_that_talks_nonsense_is_ignored(person: Person) -> None:
    person.begin(f"{person.site.url}/")
    person.tab._told(
        person.tab.session,
        {"name": "__jostle_tell", "payload": '{"type": "did", "did": {"action": 7}}', "executionContextId": 1},
    )
    person.do("click", "#press")
    assert person.did == ['click button "Press"']


def test_other_origins_are_not_opened(person: Person) -> None:
    person.site.serve({"/": f"<title>Desk</title><a href={person.site.other_url}/second>Away</a>", "/second": SECOND})
    person.begin(f"{person.site.url}/")
    person.do("click", "a")
    person.until("document.title === 'Desk'")
    assert any("not among the allowed origins" in words for words in person.limits)


def test_the_keyboard_comes_first(person: Person) -> None:
    """Nothing was pointed at before: what there is has still to be looked at."""
    person.begin(f"{person.site.url}/")
    person.js("kind.focus()")
    person.press("ArrowDown")
    assert person.did == ['press ArrowDown on combobox "Kind"', 'select "Cake" in combobox "Kind"']
    assert person.limits == []


def test_what_is_said_on_sockets_belongs_to_the_session(person: Person) -> None:
    with running() as base:
        person.site.url, allowed = base, person.site.url
        try:
            person.begin(f"{base}/ticker/")
            person.until("!document.querySelector('#send').disabled")
            person.do("click", "#message")
            person.keys("hello")
            person.do("click", "#send")
            person.until("document.querySelectorAll('#messages li').length > 0")
            assert person.did == ['type "hello" in textbox "Message"', 'click button "Send"']
        finally:
            person.site.url = allowed
    reenacted, recorder, _ = person.again()
    assert reenacted.skipped == ()
    assert any("hello" in text for text in recorder.recording().snapshots.values())
