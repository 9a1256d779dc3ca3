"""The report of a check: what it tells, of whole runs and of what is left of others."""

from __future__ import annotations

import base64
import json
import re
from typing import Any, get_args

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jostle.events import State
from jostle.findings import Finding, FindingKind, Severity
from jostle.findings.evidence import AdverseEvidence, Dismissal, DismissedEvidence, Evidence, UnreadableEvidence
from jostle.model.machine import Machine
from jostle.report import check_overview as overview
from jostle.report.check import CheckReport, page
from jostle.report.check_model import cut
from jostle.report.check_stories import RunFiles, ends_in, teller_of
from jostle.report.kinds import KINDS
from jostle.report.run_summary import RunSummary, SearchSummary, read_summary
from jostle.search.registry import reported_techniques
from tests.report.check_runs import TESTS, TOLD, many, report, some, thumbnail
from tests.report.evidence_of import evidence_of
from tests.report.explorations import FAILED, done, large, shop
from tests.report.explorations import finding as exception
from tests.report.race_findings import GO, GOPHER, PICTURES, bare, hostile, overwritten, predicted, search
from tests.report.recordings import HARMLESS, HOSTILE
from tests.report.slowdown_findings import slowdown
from tests.report.test_timeline import Page


class Document(Page):
    """With the stories, which lie in it as texts."""

    def __init__(self, source: str) -> None:
        self.kept: dict[str, str] = {}
        self._id = ""
        super().__init__(source)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._id = dict(attrs).get("id") or ""
        super().handle_starttag(tag, attrs)

    def handle_data(self, data: str) -> None:
        if self.cdata_elem == "script":
            self.kept[self._id] = self.kept.get(self._id, "") + data
        super().handle_data(data)

    @property
    def stories(self) -> list[Page]:
        return [Page(text) for name, text in self.kept.items() if name.startswith("story-")]


def document_of(told: CheckReport) -> str:
    return page(told, reported_techniques())


def told_of(*findings: Finding, **changes: Any) -> Document:
    return Document(document_of(report(*findings, **changes)))


# The overview ------------------------------------------------------------------------------------------------------


def test_the_overview_says_what_was_checked_and_what_came_of_it() -> None:
    text = told_of(*some()).text
    assert "5 problems found, 1 of them only suspected" in text
    assert (
        "In 4 min 47 s, jostle explored the application (231 events, 4 states, 3 pages) and tried 16 cases in which "
        "order, time or repetition could break it. Found 5 problems: 4 high, 1 medium. "
        "Of these, 1 could not be reproduced."
    ) in text
    for fact in ("Checked 2 January 2026, 03:04 UTC", "Took 4 min 47 s of 5 min 0 s", "Browser Chrome 156.0", "Seed 7"):
        assert fact in text
    assert "Browsers side by side 2" in text
    assert "Blocks of code that ran 1,204" in text


def test_what_was_covered_and_what_was_not() -> None:
    text = told_of(*some()).text
    assert "Using the application 231 1 1 min 0 s 0" in text
    assert "Acting before a page is ready 12 2 31.2 s 3: the time was up" in text
    assert "Doing the same again and again 4 1 1 min 35 s 0" in text, "without words of its own"
    assert "Slow responses not known 1" in text, "there is a finding, but nothing is told of the search"
    assert "Acting before a page is ready: 3 cases not tried: the time was up." in text
    assert "3 things that a user could do in 2 states were seen and never done." in text
    assert "Using the application ended because all events were done." in text
    assert r'click link "Log out" \blog[\s_-]?out\b' in text
    assert 'click button "Delete account" delete account' in text
    assert "Could not be controlled: 1 thing A worker was not controlled" in text


def test_findings_by_severity_and_kind() -> None:
    document = told_of(*some(), exception(id="exception-2", severity=Severity.LOW))
    links = [dict(attrs) for tag, attrs in document.elements if tag == "a" and "data-severity" in attrs]
    assert ("Show 1 finding: Exception, low", "exception", "low") in [
        (each["aria-label"], each["data-kind"], each["data-severity"]) for each in links
    ]
    assert len(links) == 6


def test_nothing_was_found() -> None:
    text = told_of().text
    assert "No problem found" in text
    assert "Nothing went wrong." in text
    assert "Tried: Using the application: 231 cases; Acting before a page is ready: 12 cases;" in text
    assert "what was not reached, and orders that were not tried, cannot show" in text
    assert "3 things that a user could do were seen and not done." in text
    assert "Nothing was found. The overview says what was tried" in text


def test_that_nothing_was_tried_is_no_good_news() -> None:
    searches = [{"name": "explore", "tried": 0}, {"name": "slowdown", "tried": 0, "not_tried": 1, "why": "no time"}]
    source = document_of(report(told=read_summary({"searches": searches})))
    document = Document(source)
    assert "Nothing was tried" in document.text
    assert "No problem found" not in document.text
    assert "Nothing was tested, so this result means nothing" in document.text
    assert 'class="verdict warn"' in source


def test_nothing_is_known_at_all() -> None:
    text = Document(document_of(CheckReport(url="", files=RunFiles(directory="")))).text
    assert "The run does not say what was tried, so this result means little." in text
    assert "The run does not tell which searches there were." in text


@pytest.mark.parametrize(
    ("status", "error", "words"),
    [
        ("interrupted", "", "The run was interrupted: this is what was known until then."),
        ("running", "", "The run is still going on: this is what is known so far."),
        ("failed", "no browser", "The run failed before its end: no browser"),
    ],
)
def test_a_run_that_did_not_end_says_so(status: str, error: str, words: str) -> None:
    assert words in told_of(search(), status=status, error=error).text
    assert words not in told_of(search()).text


def test_what_else_was_looked_at() -> None:
    text = told_of(search()).text
    assert "Suppressed, because it is harmless or did not show: 1 case" in text
    assert "Exception a font was not found fonts are no matter" in text
    assert "click link “Menu” early no race its handler does not matter" in text
    assert "click a → click b refuted the cost stays the same" in text
    assert "Not compared, because it differed between equal runs: 1 thing p#clock: the time of day" in text
    assert "What was said during the run: 1 note Found: TypeError" in text
    assert "The server answers GET /api/log slower and slower" in text
    assert "First move onto a link." in text, "macros"


# Stories -----------------------------------------------------------------------------------------------------------


def test_each_is_told_as_its_technique_tells_it() -> None:
    document = told_of(*some())
    explored, overwrote, slower, raced, suspected = document.stories
    assert 'open http://shop.test/ click link "Items" type "cheese"' in explored.text
    assert "Brought about again in a fresh run" in explored.text
    assert "Open the page. Before" in overwrote.text
    assert "Let it arrive." in raced.text
    assert "Every" in slower.text and "leaves more work for" in slower.text
    assert "Then it may be that" in suspected.text
    for story in (explored, raced, overwrote, slower):
        assert "jostle replay 'runs/one of many/" in story.text
        assert "--html timeline.html" in story.text
    assert "pytest 'runs/one of many/test_ajax_race_1.py'" in raced.text
    assert "Abort the older request" in raced.text, "the hint of the finding"
    assert KINDS[FindingKind.EXCEPTION].help in explored.text, "there is a hint for each"


def test_the_worst_comes_first_and_what_is_suspected_last() -> None:
    mild = msgspec.structs.replace(search(), id="mild", severity=Severity.LOW)
    document = told_of(predicted(), mild, search(), overwritten(), exception())
    ids = [str(attrs["id"]) for tag, attrs in document.elements if tag == "article" and "data-story" in attrs]
    assert [each.removeprefix("finding-") for each in ids] == [
        "exception-1", "form-1", "ajax-race-1", "mild", "late-1"
    ]  # fmt: skip


def test_every_evidence_is_told_by_one_technique() -> None:

    every = {each for technique in reported_techniques().values() for each in technique.evidence}

    assert set(get_args(Evidence)) - every == {DismissedEvidence, UnreadableEvidence}, "these are no findings"


def test_a_finding_is_told_by_its_own_technique_or_by_one_that_knows_its_evidence() -> None:
    techniques = reported_techniques()
    adverse = evidence_of(AdverseEvidence, {})
    for name in ("adverse", "adverse orders"):  # which both know such evidence
        failed = msgspec.structs.replace(search(), technique=name, evidence=adverse)
        assert teller_of(failed, techniques).name == name
    assert teller_of(msgspec.structs.replace(search(), technique="sorcery"), techniques).name == "races ajax"
    assert teller_of(msgspec.structs.replace(search(), technique="explore"), techniques).name == "races ajax"
    with pytest.raises(TypeError, match="No technique tells DismissedEvidence"):
        teller_of(msgspec.structs.replace(search(), evidence=DismissedEvidence(outcome=Dismissal.HARMLESS)), techniques)


def test_evidence_that_cannot_be_read_is_told_as_such() -> None:
    odd = msgspec.structs.replace(search(), technique="sorcery", evidence=UnreadableEvidence(why="it is <b>magic</b>"))
    document = told_of(odd)
    (story,) = document.stories
    assert f"What to do {GO} {GOPHER} The evidence cannot be read: it is <b>magic</b>" in story.text
    assert "The evidence of ajax-race-1 cannot be read: it is <b>magic</b>." in document.text
    assert "sorcery" in document.text


def test_the_tests_are_there_in_full_and_their_common_parts_once() -> None:
    source = document_of(report(search(), slowdown()))
    tests = json.loads(Document(source).kept["tests"])
    made = {name: "\n\n".join(tests["blocks"][n] for n in blocks) for name, blocks in tests["tests"].items()}
    assert made == TESTS
    assert source.count("return page.context") == 1


def test_every_picture_is_there_once() -> None:
    two = (search(), msgspec.structs.replace(search(), id="ajax-race-2"))
    source = document_of(report(*two))
    for name in ("ajax-race-1-good.png", "ajax-race-1-bad.png"):
        assert source.count(base64.b64encode(PICTURES[name]).decode()) == 1
    assert source.count('href="#picture-1"') == 2


def test_pictures_beyond_what_a_browser_bears_are_left_out_and_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jostle.report.screens.MOST_BYTES", len(PICTURES["ajax-race-1-good.png"]) + 10)
    document = told_of(search())
    assert "1 picture not put into this file, which would become too large." in document.text
    assert "The picture ajax-race-1-bad.png is not here." in document.stories[0].text


def test_the_code_of_an_exception() -> None:
    lines = {"first_line": 40, "excerpt": ["function total(item) {", "  return item.price", "}"]}
    made = exception(evidence={"message": "no price", "source": "/basket.js:41:17", **lines})
    story = told_of(made).stories[0]
    meant = [attrs for tag, attrs in story.elements if tag == "span" and "meant" in (attrs.get("class") or "")]
    assert [each["data-line"] for each in meant] == ["41"]
    assert "return item.price" in story.text


def test_files_that_are_gone() -> None:
    files = RunFiles(directory="runs/x", names=frozenset({"ajax-race-1-good.jostle"}))
    document = told_of(search(), exception(), slowdown(), files=files, pictures={})
    explored, slower, raced = document.stories
    assert "Not in the directory of the run any more: ajax-race-1-bad.jostle , test_ajax_race_1.py ." in raced.text
    assert "jostle replay runs/x/ajax-race-1-good.jostle" in raced.text
    assert "The picture ajax-race-1-bad.png is not here." in raced.text
    assert "pytest" not in raced.text.replace("needs pytest", "")
    for story in (explored, slower):
        assert "jostle replay" not in story.text
        assert "Not in the directory of the run any more" in story.text


# The model ---------------------------------------------------------------------------------------------------------


def test_findings_are_marked_at_their_states() -> None:
    document = told_of(exception(), overwritten())
    data = json.loads(document.kept["data"])
    assert [(each["state"], each["address"]) for each in data["problems"]] == [
        (3, "finding-exception-1"),
        (None, "finding-form-1"),
    ]
    assert "It ends in state 4 of the application as it was met." in document.stories[0].text


def test_where_a_race_ends() -> None:
    machine = shop()
    order = [{"what": 'click link "Items" (#1)', "kind": "user"}, {"what": "GET /x", "kind": "network"}]
    assert ends_in(search(bad={"order": order}), machine) == 1
    assert ends_in(bare(), machine) is None


def test_ten_thousand_states() -> None:
    machine = large(10_000)
    deep = [f'click link "Number {n}"' for n in (4, 17, 70, 281, 1125, 4501)]
    made = exception(events=(*deep, FAILED))
    thumbnails = {each.digest: thumbnail(0) for each in machine.states[:300]}
    source = document_of(report(made, machine=machine, thumbnails=thumbnails))
    document = Document(source)
    data = json.loads(document.kept["data"])
    assert len(data["model"]["states"]) == 400
    assert "Drawn are 400 of 10,000 states" in document.text
    assert "http://shop.test/b/4501" in [each["url"] for each in data["model"]["states"]], "where the finding is"
    assert data["problems"][0]["state"] is not None
    assert len(source) < 2_000_000


@given(st.data())
@settings(max_examples=60)
def test_a_model_is_cut_to_what_hangs_together(data: st.DataObject) -> None:
    number = data.draw(st.integers(1, 30))
    states = [State(digest=f"{n:032x}", url=f"http://shop.test/{n}", title=str(n)) for n in range(number)]
    machine = Machine()
    machine.started(states[0])
    for n in range(1, number):
        machine.learn(states[data.draw(st.integers(0, n - 1))], done(f"click {n}"), states[n])
        machine.sighted(states[n], [done("click untried")])
    wanted = data.draw(st.lists(st.sampled_from(states), max_size=4))
    most = data.draw(st.integers(1, 30))
    small = cut(machine, wanted, most)
    assert len(small) == min(most, number)
    known = set(small.states)
    assert states[0] in known
    reached, queue = {states[0]}, [states[0]]
    while queue:
        for led in small.edges(queue.pop()).values():
            queue += [after for after in led if after not in reached]
            reached |= set(led)
    assert known == reached, "what is drawn can be reached from the start"
    if most >= number:
        assert small is machine
    for state in known:
        assert set(small.unexplored(state)) == set(machine.unexplored(state)), "what was tried does not look untried"


# Bad input ---------------------------------------------------------------------------------------------------------

_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                ["searches", "stats", "servers", "name", "tried", "others", "noise", "times", "avoided", "x"]
            ),
            inner,
            max_size=5,
        )
    ),
    max_leaves=20,
)


@given(_JSON, _JSON)
@settings(max_examples=150)
def test_any_account_of_the_searches_is_survived(document: Any, entry: Any) -> None:
    assert isinstance(read_summary(document), RunSummary)
    assert isinstance(
        read_summary({"searches": [entry, {"name": "explore", "others": entry}], "servers": [entry]}), RunSummary
    )
    assert read_summary(document).stats is not None


def test_an_account_with_mistakes_is_told_as_far_as_it_goes() -> None:
    searches = [{"name": "explore", "tried": "many", "seconds": "x"}, {"what": "nameless"}, "odd", {"name": "slowdown"}]
    text = told_of(search(), told=read_summary({**TOLD, "searches": searches, "stats": ["odd"], "budget": "long"})).text
    assert "Using the application as a tester would not known" in text
    assert "Doing the same again and again not known" in text


def test_hostile_texts_stay_texts() -> None:
    race = hostile()
    found = [msgspec.structs.replace(each, id=f"h{n}") for n, each in enumerate(race.findings[:3])]
    found += [
        exception(id=HOSTILE, title=HOSTILE, events=(HOSTILE,) * 3, evidence={"message": HOSTILE, "stack": [HOSTILE]}),
        slowdown(cause=HOSTILE, effect=HOSTILE, functions=[{"name": HOSTILE, "excerpt": [HOSTILE]}], test=HOSTILE),
    ]
    state = State(digest="0" * 32, url=HOSTILE, title=HOSTILE)
    machine = Machine()
    machine.started(state)
    machine.sighted(state, [done(HOSTILE, "click")])
    said = {
        "name": HOSTILE,
        "what": HOSTILE,
        "why": HOSTILE,
        "not_tried": 1,
        "others": [[HOSTILE] * 3],
        "noise": [HOSTILE],
        "stats": {"avoided": {HOSTILE: HOSTILE}},
    }
    source = document_of(
        report(
            *found,
            url=HOSTILE,
            told=read_summary({"searches": [said], "stats": {"ended": HOSTILE}, "browser": HOSTILE}),
            machine=machine,
            thumbnails={},
            notes=(HOSTILE,),
            limits=(HOSTILE,),
            unreadable=(HOSTILE,),
            suppressed=((exception(title=HOSTILE), HOSTILE),),
            status="failed",
            error=HOSTILE,
            started=HOSTILE,
            files=RunFiles(directory=HOSTILE, tests={HOSTILE: HOSTILE}, names=None),
        )
    )
    document = Document(source)
    tags = {tag for tag, _ in document.elements}
    assert "img" not in tags
    # One for each story and picture, the tests, the model, and the script.
    pictures = [name for name in document.kept if name.startswith("picture")]
    assert source.count("<script") == len(found) + len(pictures) + 3
    assert source.lower().count("</script") == source.count("<script")
    assert " ".join(HARMLESS.split())[:40] in document.text
    assert not any(attribute.startswith("on") for _, attrs in document.elements for attribute in attrs)
    for story in document.stories:
        assert not {"script", "img"} & {tag for tag, _ in story.elements}
        assert not any(attribute.startswith("on") for _, attrs in story.elements for attribute in attrs)
    source.encode()


def test_texts_of_all_scripts() -> None:
    words = "עגלה ריקה 🛒 ‮evil‬ 价格"
    document = told_of(exception(title=words))
    assert "עגלה ריקה 🛒 �evil� 价格" in document.text
    assert f"<bdi>{words.translate({0x202E: 0xFFFD, 0x202C: 0xFFFD})}</bdi>" in document_of(
        report(exception(title=words))
    )


def test_source_of_five_megabytes_on_one_line() -> None:
    line = "x=1;" * 1_250_000
    spot = line[:3_000_000] + "HERE();" + line[3_000_007:]
    place = {"source": "/app.js:1:3000001", "first_line": 1, "excerpt": [spot]}
    found = (
        search(racing=[{"event": "GET /x", **place}]),
        exception(evidence={"message": line, "stack": [line], **place}),
        slowdown(functions=[{"name": "f", "file": "/app.js", "line": 1, "first_line": 1, "excerpt": [line]}]),
        exception(id="long", title=line, events=(line, line)),
    )
    source = document_of(report(*found))
    assert len(source) < 600_000
    document = Document(source)
    assert sum("HERE();" in story.text for story in document.stories) == 2, "the part that is meant is shown"


@pytest.mark.long
def test_everything_is_a_finding() -> None:
    source = document_of(many(300))
    document = Document(source)
    assert len(document.stories) == 300
    assert "300 problems found" in document.text
    assert len([tag for tag, _ in document.elements if tag not in ("option", "script")]) < 300 * 16 + 900
    assert source.count("return page.context") == 1


def test_it_loads_nothing() -> None:
    source = document_of(report(*some()))
    assert "default-src &#39;none&#39;" in source
    assert not re.search(r"(?:src|href)=[\"']?(?:https?:)?//", source)
    assert "@import" not in source and "url(" not in source.split("</style>")[0]


def test_a_suite_is_told_as_one() -> None:
    suite = RunSummary(searches=(SearchSummary(name="adverse", what="The suite in adverse conditions", tried=46),))
    assert overview.Overview(suite, reported_techniques()).sentence(Machine(), [], 3.0) == (
        "In 3.0 s, jostle injected 46 conditions that should make no difference to the tests. Nothing went wrong."
    )
