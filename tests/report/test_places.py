"""Where in the code a finding is."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jostle.findings import Confidence, Finding, FindingKind, Severity
from jostle.findings.evidence import ErrorEvidence
from jostle.report.places import SourcePlace, page, places
from tests.report.evidence_of import evidence_of
from tests.report.outcomes import RACE, SLOW, THROWN, URL


def at(source: str, **evidence: Any) -> Finding:
    return Finding(
        id="f",
        technique="explore",
        kind=FindingKind.EXCEPTION,
        confidence=Confidence.WITNESSED,
        severity=Severity.LOW,
        title="",
        evidence=evidence_of(ErrorEvidence, {"source": source, **evidence}),
    )


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("/app.js:12:5", "app.js:12:5"),
        ("/app.js:12", "app.js:12"),
        ("/app.js", "app.js"),
        ("http://shop.test/js/app.js?v=3#x:12:5", "js/app.js:12:5"),
        ("http://shop.test/search/:45:15", "search/index.html:45:15"),
        ("http://shop.test/:45:15", "index.html:45:15"),
        ("/my%20app.js:1:1", "my app.js:1:1"),
        ("webpack://shop/./src/a.ts:7", "src/a.ts:7"),
        ("webpack:///src/a.ts:7", "src/a.ts:7"),
        ("../src/a.ts:7", "src/a.ts:7"),
        ("$:/boot/boot.js:516", "$:/boot/boot.js:516"),
        ("/../../etc/passwd:1:1", "etc/passwd:1:1"),
        ("/%2e%2e/%2e%2e/etc/passwd:1:1", "etc/passwd:1:1"),
        ("/app.js:0:5", "app.js"),
        ("/app.js:99999999999999999999", "app.js:99999999999999999999"),
    ],
)
def test_files_of_the_application(source: str, told: str) -> None:
    (found,) = places(at(source), URL)
    assert found.own
    assert str(found) == told


@pytest.mark.parametrize(
    "source", ["https://cdn.test/ui.js:3:9", "http://shop.test:8080/app.js:3:9", "https://shop.test/app.js:3:9"]
)
def test_files_of_others_keep_their_address(source: str) -> None:
    (found,) = places(at(source), URL)
    assert not found.own
    assert str(found) == source


@pytest.mark.parametrize(
    "source", ["", "data:text/javascript,x:1:1", "blob:http://shop.test/1:1:1", "javascript:x:1:1"]
)
def test_what_is_no_file(source: str) -> None:
    assert not [each for each in places(at(source), URL) if each.line]


def test_all_that_a_finding_names() -> None:
    assert [str(each) for each in places(THROWN, URL)] == ["basket.js:41:17", "http://cdn.test/ui.js:3:9"]
    assert [str(each) for each in places(SLOW, URL)] == ["src/aliases.ts:7", "menus.js"]
    (race,) = places(RACE, URL)
    assert (race.file, race.line, race.first_line, len(race.excerpt)) == ("assets/search.js", 14, 12, 4)
    assert race.event == "GET /api/search?q=go"


def test_a_folder_of_the_repository_is_served() -> None:
    assert places(at("/js/app.js:1:1"), URL, root="public")[0].file == "public/js/app.js"
    assert places(at("/js/app.js:1:1"), URL, root="./web/public/")[0].file == "web/public/js/app.js"
    assert places(at("https://cdn.test/x.js:1:1"), URL, root="public")[0].file == "https://cdn.test/x.js"
    assert page("http://shop.test/", root="public").file == "public/index.html"


@pytest.mark.parametrize(
    ("url", "file"),
    [(None, "index.html"), ("http://shop.test", "index.html"), (URL, "search"), (f"{URL}/?q=1", "search/index.html")],
)
def test_the_page_itself(url: str | None, file: str) -> None:
    assert page(url) == SourcePlace(file=file)


@given(st.text(), st.none() | st.text(), st.text(max_size=8))
def test_no_name_leads_out_of_the_root(source: str, url: str | None, root: str) -> None:
    for each in (*places(at(source, stack=[source]), url), page(url)):
        assert each.file
        if each.own:
            assert not each.file.startswith("/")
            assert ".." not in each.file.split("/")
