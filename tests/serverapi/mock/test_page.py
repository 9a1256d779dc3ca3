"""A page in a real browser, with the mock in place of its server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from jostle.browser.find import find, sandbox_arguments
from jostle.cli.main import run
from jostle.serverapi.files import read_api
from jostle.serverapi.mock.answering import MockServer
from tests.serverapi.mock.test_site import serving

SESSIONS = sorted((Path(__file__).parents[3] / "src/jostle/examples/sessions").glob("larder-*.jostle"))


@pytest.fixture
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=find().path, args=sandbox_arguments())
        yield launched
        launched.close()


def test_the_example_application_works_without_its_server(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "api.ail"
    assert run(["api", "learn", *map(str, SESSIONS), "-o", str(file)]) == 0
    files = read_api(file)
    server = MockServer(files.description, files.schemas, files.recording)
    with serving(server) as url:
        page = browser.new_page()
        trouble: list[str] = []
        page.on("pageerror", lambda error: trouble.append(str(error)))
        page.goto(f"{url}larder/")
        field = page.get_by_role("searchbox")
        suggestions = page.locator("form.search a, form.search ~ * a")
        for words in ("parsnip", "quince", "sorrel", "medlar"):  # nobody searched for these when it was recorded
            with page.expect_response(lambda response: "api/search" in response.url) as asked:
                field.fill(words)
            answer = asked.value.json()
            assert answer["query"] == words
            if answer["hits"]:
                expect(suggestions.first).to_contain_text(answer["hits"][0]["title"])
            else:
                expect(page.get_by_text(f"Nothing with “{words}”")).to_be_visible()
        assert trouble == []
    assert [each for each in server.missed if "favicon" not in each] == []
