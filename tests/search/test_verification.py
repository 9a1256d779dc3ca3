"""Generated tests are run before they are handed out: what does not fail for its reason is dropped."""

from __future__ import annotations

import asyncio
import socket
import time
from pathlib import Path

import pytest

from jostle import library
from jostle.browser.find import find
from jostle.config.application import Application
from jostle.config.settings import AppSettings, Configuration, Loaded
from jostle.examples import running
from jostle.export.draft import Draft, LocatorPair
from jostle.findings import Confidence, Finding, FindingKind, Severity
from jostle.findings.evidence import ErrorEvidence
from jostle.library import SearchResult
from jostle.progress import Finished, Note
from jostle.races.responses.search import ResponseRaceOptions
from jostle.search.browsers import BrowserChoice, Browsers
from jostle.search.job import Job
from jostle.search.pytest_run import PytestProcess, Trial
from jostle.search.result import Files, Result
from jostle.search.run import Environment, time_to_search
from jostle.search.stream import DraftMade, FileMade, FindingReported, SearchEvent
from jostle.search.verification import Verification

HEAD = 'from playwright.sync_api import Page\n\nFOUND = "It is broken"\n\n\n'
FAILS = HEAD + 'def test_it(page: Page) -> None:\n    raise AssertionError(f"{FOUND}: indeed")\n'
PASSES = HEAD + "def test_it(page: Page) -> None:\n    assert page, FOUND\n"
FAILS_OTHERWISE = HEAD + 'def test_it(page: Page) -> None:\n    page.click("#none", timeout=100)\n'
NO_SERVER = HEAD + 'def test_it(page: Page) -> None:\n    page.goto("http://127.0.0.1:PORT/")\n'
HANGS = HEAD + "import time\n\n\ndef test_it() -> None:\n    time.sleep(600)\n"


def finding(name: str, severity: Severity = Severity.LOW) -> Finding:
    return Finding(
        id=name,
        technique="explore",
        kind=FindingKind.EXCEPTION,
        confidence=Confidence.WITNESSED,
        severity=severity,
        title=name,
        evidence=ErrorEvidence(message="x", source="", stack=(), test=f"test_{name}.py"),
    )


def free_port() -> int:
    """One on which nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


class Heard:
    """What consumers get."""

    def __init__(self) -> None:
        self.events: list[SearchEvent] = []
        self.result, self.files = Result(), Files()
        self.verification = Verification(self)

    def __call__(self, event: SearchEvent) -> None:
        self.events.append(event)
        self.result(event)
        self.files(event)

    def tells(self, name: str, draft: Draft, severity: Severity = Severity.LOW) -> None:
        self.verification(FileMade(f"test_{name}.py", draft.written().encode()))
        self.verification(DraftMade(f"test_{name}.py", draft))
        self.verification(FindingReported(finding(name, severity)))

    def verify(self, folder: Path, *, seconds: float = 100, reset: str | None = None, side_by_side: int = 2) -> None:
        loaded = Loaded(Configuration(app=AppSettings(reset=reset)), None)
        environment = Environment(
            loaded=loaded, application=Application(loaded, folder / "log"), verifying=side_by_side
        )

        async def work() -> None:
            async with Browsers() as browsers:
                until = time.monotonic() + seconds
                await self.verification.run("http://x/", environment, browsers, until=until)

        asyncio.run(work())

    def finding(self, name: str) -> Finding:
        return next(each for each in self.result.findings if each.id == name)

    def evidence(self, name: str) -> ErrorEvidence:
        found = self.finding(name)
        assert isinstance(found.evidence, ErrorEvidence)
        return found.evidence


@pytest.mark.browser
def test_only_tests_that_fail_for_their_reason_are_handed_out(tmp_path: Path) -> None:
    heard = Heard()
    heard.tells("good", Draft(FAILS))
    heard.tells("passes", Draft(PASSES))
    heard.tells("otherwise", Draft(FAILS_OTHERWISE), Severity.HIGH)
    heard.tells("unreachable", Draft(NO_SERVER.replace("PORT", str(free_port()))))
    assert next(each.id for each, _ in heard.verification.waiting) == "otherwise"
    heard.verify(tmp_path)

    assert heard.evidence("good").test == "test_good.py" and heard.evidence("good").verified
    for name, why in (("passes", "it passed"), ("otherwise", "it failed for another reason: TimeoutError: ")):
        evidence = heard.evidence(name)
        assert evidence.test is None and not evidence.verified
        assert evidence.untested.startswith(f"the generated test did not reproduce it: {why}")
    assert heard.finding("passes").confidence is Confidence.ADVERSE  # the application did well
    assert {heard.finding(name).confidence for name in ("good", "otherwise", "unreachable")} == {Confidence.WITNESSED}
    missing = heard.evidence("unreachable")  # no fault of the test: it is kept, as one that was not run
    assert missing.test == "test_unreachable.py" and not missing.verified and not missing.untested
    assert sorted(heard.files.made) == ["test_good.py", "test_unreachable.py"]
    assert not any(isinstance(each, DraftMade) for each in heard.events)
    said = [each.summary for each in heard.events if isinstance(each, Finished)]
    assert said == ["4 generated tests: 1 reproduced the finding, 2 did not and were dropped"]
    notes = [each.text for each in heard.events if isinstance(each, Note)]
    assert any("could not be verified: the application did not respond" in each for each in notes)


@pytest.mark.browser
@pytest.mark.long
def test_locators_that_playwright_resolves_otherwise_are_written_by_place(tmp_path: Path) -> None:
    page = "<style>#a::before { content: '★' }</style><button id=a>Save</button><button id=b>Open</button>"
    text = (
        f"{HEAD}def test_it(page: Page) -> None:\n    page.set_default_timeout(2000)\n"
        f"    page.set_content({page!r})\n"
        "    \x000\x00.click()\n    \x001\x00.click()\n    raise AssertionError(FOUND)\n"
    )
    named = (f"page.get_by_role('button', name={name!r}, exact=True).first" for name in ("Save", "Open"))
    pairs = tuple(LocatorPair(name, f"page.locator({css!r})") for name, css in zip(named, ("#a", "#b"), strict=True))
    heard = Heard()
    heard.tells("icons", Draft(text, pairs))
    heard.verify(tmp_path)
    assert heard.evidence("icons").verified
    written = heard.files.made["test_icons.py"].decode()
    assert "page.locator('#a').click()" in written
    assert "name='Open', exact=True).first.click()" in written


@pytest.mark.browser
@pytest.mark.long
def test_a_search_hands_out_a_test_that_fails_and_its_twin_gets_none(tmp_path: Path) -> None:
    with running() as base:
        results = [_searched(f"{base}/{name}/", tmp_path) for name in ("icon-filters", "icon-filters-fixed")]
    [found] = results[0].findings
    assert found.evidence.test_verified
    assert ".locator(" in results[0].test_of(found)  # the names of the buttons have icons in them
    assert found.evidence.generated_test in {each.name for each in (results[0].directory or Path()).iterdir()}
    assert not results[1].findings


def _searched(url: str, out: Path) -> SearchResult:
    job = Job.of("races ajax", url, ResponseRaceOptions(events=12), seed=1)
    return library.waited_for(library.run(job, config=Configuration(), budget=None, out=out, verify_tests=True))


def test_time_is_kept_back_only_where_it_is_enough_for_a_test() -> None:
    assert time_to_search(300) == 270
    assert time_to_search(10) == 10
    for budget in range(1, 600):
        assert 0.899 * budget < time_to_search(budget) <= budget


def test_without_time_nothing_is_run_and_that_is_told(tmp_path: Path) -> None:
    heard = Heard()
    heard.tells("good", Draft(FAILS))
    heard.verify(tmp_path, seconds=1)
    assert heard.evidence("good").test and not heard.evidence("good").verified
    notes = [each.text for each in heard.events if isinstance(each, Note)]
    assert notes == ["1 generated test could not be verified: the time was up"]


@pytest.mark.browser
def test_the_application_is_reset_before_each_test(tmp_path: Path) -> None:
    heard = Heard()
    for name in ("one", "two"):
        heard.tells(name, Draft(FAILS))
    heard.verify(tmp_path, reset=f"echo reset >> {tmp_path}/resets")
    assert (tmp_path / "resets").read_text().split() == ["reset", "reset"]


def tried(*tests: tuple[str, float]) -> list[Trial]:
    """Each with the seconds that it may take, by one pytest."""

    async def work() -> list[Trial]:
        async with PytestProcess(BrowserChoice(path=str(find().path))) as pytest:
            return [await pytest.tried(test, seconds=seconds) for test, seconds in tests]

    return asyncio.run(work())


@pytest.mark.browser
def test_a_test_that_hangs_is_ended_and_the_next_is_run_all_the_same() -> None:
    began = time.monotonic()
    hanging, after = tried((HANGS, 3), (FAILS, 60))
    assert hanging.outcome.timed_out == 3
    assert after.outcome.error == "AssertionError"
    assert time.monotonic() - began < 60


SEEN = """
import os

from playwright.sync_api import Page


def test_it(page: Page) -> None:
    page.context.add_cookies([{"name": "a", "value": "b", "url": "http://127.0.0.1/"}])
    browser = page.context.browser
    raise AssertionError(f"{os.getpid()} {id(browser)} {len(browser.contexts)} {page.evaluate('navigator.language')}")
"""
OF_ITS_OWN = """
import pytest


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict) -> dict:
    return {**browser_context_args, "locale": "de-AT"}
"""


@pytest.mark.browser
def test_one_process_and_one_browser_run_all_tests_each_in_a_context_of_its_own() -> None:
    async def work() -> list[Trial]:
        async with PytestProcess(BrowserChoice(path=str(find().path))) as pytest:
            given: list[tuple[dict[str, str], str]] = [({"locale": "fr-FR"}, SEEN), ({"locale": "da-DK"}, SEEN)]
            given += [({}, OF_ITS_OWN + SEEN), ({}, SEEN)]
            return [await pytest.tried(test, context=context, seconds=60) for context, test in given]

    seen = [trial.outcome.message.split() for trial in asyncio.run(work())]
    assert len({tuple(each[:2]) for each in seen}) == 1
    assert [each[2] for each in seen] == ["1"] * 4
    assert [each[3] for each in seen] == ["fr-FR", "da-DK", "de-AT", "en-US"]


@pytest.mark.browser
def test_a_test_that_cannot_be_imported_says_why_and_one_that_ends_the_process_ends_no_other() -> None:
    wrong, ended, after = tried(("import no_such_module\n", 60), ("import os\n\nos._exit(3)\n", 60), (FAILS, 60))
    assert wrong.outcome.when == "collect" and "no_such_module" in wrong.outcome.message
    assert ended.outcome.when == "setup"
    assert after.outcome.error == "AssertionError"
