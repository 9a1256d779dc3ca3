"""Races of answers on example pages and their twins, in a real Chromium."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
import pytest

from jostle.browser.app_options import AppListeners, NetworkRules
from jostle.browser.chromium_app import ChromiumApp
from jostle.browser.responders import Responder
from jostle.events import Event
from jostle.examples import running
from jostle.exploring.application import Explored
from jostle.exploring.reacting import following
from jostle.findings.evidence import ResponseRaceEvidence
from jostle.model.abstraction import Abstraction, by_name
from jostle.model.reaction import Reaction
from jostle.progress import silent
from jostle.races.files import OrderFiles
from jostle.races.rehearsal import Rehearsal
from jostle.races.responses.conflict import candidates
from jostle.races.responses.told import finding_of, problem_of
from jostle.races.responses.verdict import ExaminedPair, PairVerdict, examine
from jostle.races.told import RaceFiles
from jostle.recording.answers import RecordedAnswers
from jostle.recording.file import Manifest
from jostle.recording.recorder import Hears
from jostle.recording.replay import replay
from tests.browser.live import Browser, Served, browser_launched, site_served


@pytest.fixture(scope="module")
def base() -> Iterator[str]:
    with running() as served:
        yield served


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with browser_launched() as launched:
        yield launched


def abstraction(app: ChromiumApp) -> Abstraction:
    return by_name("skeleton", origins=tuple(app.origins), directory=Path())


class Stage:
    """A page with scenarios tried on it."""

    def __init__(self, browser: Browser, url: str) -> None:
        self.chromium = browser.chromium
        self.url = url

    def opens(self, responder: Responder | None, hearing: Hears) -> ChromiumApp:
        return ChromiumApp(
            self.chromium,
            self.url,
            network=NetworkRules(responder=responder),
            listeners=AppListeners(exchange=hearing.exchanged, traffic=hearing.traffic, limit=hearing.limit),
        )

    async def tried(self, *scenario: str) -> list[ExaminedPair]:
        reactions = await self._seen(scenario)
        rehearsal = Rehearsal(self.opens, Manifest(url=self.url), abstraction, self._restore)
        try:
            return [
                await examine(rehearsal, each, _other(each.second.event) if each.second else None)
                for each in candidates(reactions)
            ]
        finally:
            await rehearsal.close()

    async def _seen(self, scenario: Sequence[str]) -> list[Reaction]:
        app = ChromiumApp(self.chromium, self.url)
        explored = Explored(app, abstraction(app))
        reactions: list[Reaction] = []
        try:
            await explored.reset()
            events = []
            for wanted in scenario:
                offered = await explored.enabled()
                event = next((each for each in offered if re.search(wanted, each.what)), None)
                assert event is not None, f"{wanted} is not among {[each.what for each in offered]}"
                events.append(_typed(event, "go"))
                await explored.step(events[-1])
            await following(explored, events, silent, reactions)
        finally:
            await app.close()
        return reactions

    async def _restore(self, app: ChromiumApp) -> None:
        """The example server keeps nothing."""


def _typed(event: Event, value: str) -> Event:
    if event.action.type != "type":
        return event
    what = re.sub(r'"[^"]*"', f'"{value}"', event.what, count=1)
    return msgspec.structs.replace(event.with_detail(value=value), what=what)


def _other(event: Event) -> Event:
    return _typed(event, "ow") if event.action.type == "type" else event


def verdicts(browser: Browser, url: str, *scenario: str) -> dict[str, ExaminedPair]:
    examined = browser.run(Stage(browser, url).tried(*scenario))
    return {str(each.candidate): each for each in examined}


def races(examined: dict[str, ExaminedPair]) -> set[str]:
    return {
        difference.what.value
        for each in examined.values()
        if each.verdict is PairVerdict.RACE
        for difference in each.differences
    }


PAGES = [
    ("search-as-you-type", "search-as-you-type-abort", ["type"], "text"),
    ("double-submit", "double-submit-fixed", ["Order"], "request"),
    ("exception-only", "exception-only-fixed", ["Details", "Close"], "error"),
    ("ticker-and-filter", "ticker-and-filter-fixed", ["Go live", "Valley"], "text"),
    ("stale-storage", "stale-storage-fixed", ["type", "Discard"], "form"),
    ("undo-bar", "undo-bar-fixed", ["Archive", "File away"], "text"),
    ("clear-too-soon", "clear-too-soon-fixed", ["type", "Clear"], "text"),
    ("order-dialog", "order-dialog-fixed", ["Order bread", "Order now"], "request"),
    ("autosave", "autosave-fixed", ["type", "Save now"], "request"),
    ("arrival-order", "arrival-order-fixed", ["Bergen", "Oslo"], "text"),
    ("rename-and-delete", "rename-and-delete-fixed", ["Capitals for Billing", "Delete Import"], "text"),
    ("late-alert", "late-alert-fixed", ["Price", "Never mind"], "dialog"),
    ("push-and-draft", "push-and-draft-fixed", ["Edit", "type"], "form"),
]


OFTEN = ("search-as-you-type", "double-submit", "undo-bar")
"""Tried every time; the others where there is time."""


@pytest.mark.parametrize(
    ("bug", "twin", "scenario", "what"),
    [pytest.param(*page, id=page[0], marks=[] if page[0] in OFTEN else [pytest.mark.long]) for page in PAGES],
)
def test_a_race_and_its_twin(browser: Browser, base: str, bug: str, twin: str, scenario: list[str], what: str) -> None:
    found = verdicts(browser, f"{base}/{bug}/", *scenario)
    assert what in races(found), {name: (each.verdict, each.reason) for name, each in found.items()}
    silent_one = verdicts(browser, f"{base}/{twin}/", *scenario)
    assert silent_one, "pairs were tried there too"
    assert not races(silent_one)
    assert PairVerdict.UNSURE not in {each.verdict for each in (*found.values(), *silent_one.values())}


@pytest.mark.parametrize(
    ("name", "scenario", "reason"),
    [
        ("response-cache", ["Another", "The first"], "it only stores something else, and nothing depends on it"),
        ("tooltip", ["Bergen", "Oslo"], "it ends the same"),
        ("announcements", ["Bergen", "Oslo"], "it ends the same"),
        ("going-elsewhere", ["type", "Bakery", "Library"], "the second action takes the place of the first"),
    ],
)
@pytest.mark.sampled(2)
def test_what_does_no_harm(browser: Browser, base: str, name: str, scenario: list[str], reason: str) -> None:
    found = verdicts(browser, f"{base}/{name}/", *scenario)
    assert not races(found)
    assert reason in {each.reason for each in found.values() if each.verdict is PairVerdict.HARMLESS}


def test_a_page_that_takes_care(browser: Browser, base: str) -> None:
    found = verdicts(browser, f"{base}/spinner-guard/", "Bergen", "Oslo")
    assert {each.verdict for each in found.values()} == {PairVerdict.GUARDED}


def test_what_differs_from_run_to_run_is_noise(browser: Browser, base: str) -> None:
    found = verdicts(browser, f"{base}/live-counter/", "Another")
    assert {each.verdict for each in found.values()} == {PairVerdict.HARMLESS}


@pytest.mark.long
def test_areas_that_have_nothing_to_do_with_each_other_are_not_tried(browser: Browser, base: str) -> None:
    found = verdicts(browser, f"{base}/disjoint-areas/", "click", "click")
    assert not any("→" in name and len(set(name.split(" → "))) > 1 for name in found), list(found)


def test_the_finding_is_a_story_with_two_replays(browser: Browser, base: str) -> None:
    [found] = [
        each for each in verdicts(browser, f"{base}/paging/", "Next").values() if each.verdict is PairVerdict.RACE
    ]
    assert found.good is not None and found.bad is not None
    problem = problem_of(found)
    files = RaceFiles(good=OrderFiles("good.jostle", "good.png"), bad=OrderFiles("bad.jostle", "bad.png"))
    finding = finding_of(problem, found, files)
    assert finding.kind == "ajax-race" and finding.confidence == "witnessed" and finding.severity == "medium"
    assert finding.title == "Stale response: a slow GET /api/rows?page=2 overwrites newer content"
    evidence = finding.evidence
    assert isinstance(evidence, ResponseRaceEvidence)
    assert [(each.what, each.role) for each in evidence.bad.order] == [
        ('click button "Next"', "first"),
        ('click button "Next" (#2)', "second"),
        ("GET /api/rows?page=3", "other"),
        ("GET /api/rows?page=2", "late"),
    ]
    assert [each.role for each in evidence.good.order] == ["first", "late", "second", "other"]
    assert evidence.shared == "tbody#rows"
    assert evidence.boxes, "the pictures differ"
    [racing] = evidence.racing
    assert any("send()" in line for line in racing.excerpt), racing
    for end in (found.good, found.bad):
        answers = RecordedAnswers(end.recording)
        app = browser.made(f"{base}/paging/", responder=answers)
        assert browser.run(replay(app, end.recording, answers, listener=silent)).verdict == "reproduced"
    browser.close_apps()


def test_answers_are_given_again_and_the_server_is_asked_for_the_rest(browser: Browser, base: str) -> None:
    """Two quotes are kept from the first run; a third is asked of the server."""

    async def shown(rehearsal: Rehearsal, times: int, answers: object = None) -> tuple[list[str], object]:
        app, recorder = await rehearsal.begin(answers)  # type: ignore[arg-type]
        seen = []
        for _ in range(times):
            event = next(each for each in await app.enabled() if each.action.type == "click")
            await app.step(event)
            seen.append(str(await app.evaluate("document.body.innerText")))
        return seen, recorder.recording()

    async def work() -> tuple[list[str], list[str], list[str]]:
        stage = Stage(browser, f"{base}/latest-quote/")
        rehearsal = Rehearsal(stage.opens, Manifest(url=stage.url), abstraction, stage._restore)
        try:
            first, recording = await shown(rehearsal, 2)
            again, more = await shown(rehearsal, 3, recording)
            third, _ = await shown(rehearsal, 3, more)
            return first, again, third
        finally:
            await rehearsal.close()

    first, again, third = browser.run(work())
    assert again[:2] == first
    assert len(set(again)) == 3, "the third is a new one"
    assert third == again, "and is kept with the second run"


FAILING = """<!doctype html><title>T</title>
<button>Bad</button><button>Good</button><a href="/other">Other</a><p></p><script>
  let last = 0;
  for (const button of document.querySelectorAll("button")) button.onclick = async () => {
    const mine = ++last, answer = await fetch(`/${button.textContent}`);
    if (GUARD) document.querySelector("p").textContent = answer.ok ? await answer.text() : "That went wrong.";
  };
</script>"""


@pytest.mark.parametrize(("guard", "raced"), [("true", {"text"}), ("mine === last", set[str]())])
@pytest.mark.sampled(1)
def test_a_late_failure(browser: Browser, guard: str, raced: set[str]) -> None:
    with site_served() as site:
        pages: dict[str, Served] = {
            "/": FAILING.replace("GUARD", guard),
            "/Bad": (500, {}, "no"),
            "/Good": "yes",
            "/other": "<p>Other",
        }
        examined = verdicts(browser, site.serve(pages), "Bad", "Good", "link")
    assert races(examined) == raced
    assert 'click button "Bad" → click button "Good"' in examined


@pytest.mark.long
def test_a_server_that_hangs_up_late(browser: Browser) -> None:
    def hang_up(request: object) -> None:
        request.connection.shutdown(2)  # type: ignore[attr-defined]

    page = (
        FAILING.replace("GUARD", "true")
        .replace("= async () => {", "= async () => { try {")
        .replace(
            '"That went wrong.";', '"That went wrong."; } catch { document.querySelector("p").textContent = "Gone."; }'
        )
    )
    with site_served() as site:
        examined = verdicts(browser, site.serve({"/": page, "/Bad": hang_up, "/Good": "yes"}), "Bad", "Good")
    assert races(examined) == {"text"}
