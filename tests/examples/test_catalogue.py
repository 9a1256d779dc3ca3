from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import pytest

from jostle.examples import CATALOGUE, Example, example
from jostle.examples.files import MEDIA_TYPES, PAGES
from jostle.examples.scenario import Step
from jostle.findings.finding import FindingKind
from tests.examples.web import Client

APPLICATIONS = {"larder", "larder-buggy", "allotment", "allotment-buggy"}
every_example = pytest.mark.parametrize("entry", CATALOGUE, ids=lambda entry: entry.name)


def test_names_and_paths_are_unique() -> None:
    assert len({entry.name for entry in CATALOGUE}) == len({entry.path for entry in CATALOGUE}) == len(CATALOGUE)


@every_example
def test_bug_pages_have_a_twin_and_twins_have_no_bug(entry: Example) -> None:
    assert set(entry.expected) <= set(FindingKind)
    if entry.expected:
        assert entry.twin is not None and entry.twin_of is None
        assert example(entry.twin).twin_of == entry.name
    else:
        assert entry.twin is None
    if entry.twin_of is not None:
        assert example(entry.twin_of).expected
        assert not entry.scenario or example(entry.twin_of).scenario == entry.scenario
    for step in entry.scenario:
        Step.of(step)


def test_every_folder_of_pages_is_in_the_catalogue() -> None:
    folders = {folder.name for folder in PAGES.iterdir() if folder.is_dir()}
    assert folders == {entry.name for entry in CATALOGUE} - APPLICATIONS


class References(HTMLParser):
    """What a page refers to, and the comment that says what is wrong or right with it."""

    def __init__(self) -> None:
        super().__init__()
        self.links: set[str] = set()
        self.comment = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("src", "href", "action", "formaction") and value and not value.startswith("#"):
                self.links.add(value)

    def handle_comment(self, data: str) -> None:
        self.comment = self.comment or data


@every_example
def test_everything_a_page_refers_to_is_there(entry: Example, url: str) -> None:
    client = Client(url)
    unseen, seen = {entry.path}, set[str]()
    while unseen:
        path = unseen.pop()
        seen.add(path)
        answer = client.get(path)
        assert answer.status in (200, 303), f"{path} gives {answer.status}"
        if answer.headers.get_content_type() != "text/html" or not path.startswith(entry.path):
            continue
        references = References()
        references.feed(answer.text)
        for link in references.links:
            target = urlsplit(urljoin(url + path, link))
            if target.path.removeprefix(entry.path) not in ("logout",):  # takes only POST
                unseen |= {target.path} - seen


@pytest.mark.parametrize("document", sorted(PAGES.glob("*/index.html")), ids=lambda document: document.parent.name)
def test_pages_say_what_is_wrong_or_right(document: Path) -> None:
    references = References()
    references.feed(document.read_text(encoding="utf-8"))
    expected = example(document.parent.name).expected
    assert references.comment.strip().startswith("Wrong:" if expected else ("Right:", "Nothing is wrong here"))


def test_all_files_have_a_known_type() -> None:
    assert {file.suffix for file in PAGES.rglob("*") if file.is_file()} <= set(MEDIA_TYPES)


def test_each_control_of_the_kitchen_sink_has_its_state(url: str) -> None:
    class Ids(HTMLParser):
        def __init__(self) -> None:
            super().__init__()
            self.all: list[str] = []

        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            self.all += [value for name, value in attrs if name == "id" and value]

    ids = Ids()
    ids.feed(Client(url).get("/kitchen-sink/").text)
    assert len(ids.all) == len(set(ids.all))
    without_control = {"shortcut", "module", "async", "defer", "radio"}
    stated = {name.removesuffix("-state") for name in ids.all if name.endswith("-state")}
    assert len(stated) > 50
    assert stated - without_control <= set(ids.all)
