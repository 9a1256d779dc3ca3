"""What a search for races tells: in words, in pictures, in orders of events."""

from __future__ import annotations

import re
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jostle.findings import Confidence, Finding, FindingKind, Severity
from jostle.findings.evidence import CodeExcerpt, RaceEvidence, ResponseRaceEvidence
from jostle.races.report.orders import ROW, OrderRow, orders
from jostle.races.report.page import PACKAGE, page, stories
from jostle.races.report.searches import LOADING
from jostle.report.document import FRAME, own
from jostle.report.screens import LARGEST_SIDE, MOST_BYTES, SHAPE, Album, Screens
from jostle.report.source import lines
from jostle.report.values import AROUND, values
from tests.report.evidence_of import evidence_of
from tests.report.race_findings import (
    ASK_GO,
    ASK_GOPHER,
    GO,
    GOPHER,
    NOISE,
    OTHERS,
    PICTURES,
    bare,
    entry,
    hostile,
    overwritten,
    picture,
    predicted,
    report,
    search,
)
from tests.report.recordings import HARMLESS, HOSTILE
from tests.report.test_timeline import Page, contrast


def told(*findings: Finding, **changes: Any) -> str:
    return Page(page(report(*findings, **changes))).text


def known(finding: Finding) -> RaceEvidence:
    assert isinstance(finding.evidence, RaceEvidence)
    return finding.evidence


def screens(boxes: list[list[float]], good: bytes = b"", bad: bytes = b"") -> Screens:
    shown = evidence_of(ResponseRaceEvidence, {"good": {"screen": "a"}, "bad": {"screen": "b"}, "boxes": boxes})
    made = Album({"a": good or picture(), "b": bad or picture()}).screens(shown)
    assert made is not None
    return made


# What is told ------------------------------------------------------------------------------------------------------


def test_the_overview() -> None:
    text = told(predicted(), overwritten(), search())
    assert "2 races found, 1 suspected" in text
    assert "2 other pairs of actions tried: 1 infeasible, 1 passed" in text
    for figure in ("User events 6", "Pairs 14", "Ratio 3.14", "Time 21.4 s", "Warm yes"):
        assert figure in text
    for row in OTHERS:
        assert " ".join(row) in text
    assert all(each in text for each in NOISE)
    assert "races between responses" in text
    assert "races while the page loads" in told(search=LOADING)


def test_a_race_of_answers_is_a_story() -> None:
    text = told(search())
    in_order = [
        "medium Stale response or double submit seen in two runs "
        "The answer to an older search overwrites the newer one",
        f"Do this: {GO} . Before the response to {ASK_GO} arrives, do this: {GOPHER} . Let it arrive.",
        "Then the page shows “ go, a board game ”.",
        "It should show “ gopher, a burrowing rodent ”.",
        "Then the page shows “ go, a language ”, which it should not.",
        "1 more difference is listed below.",
        "Both write ul#hits : the last one wins",
        "In the good order",
        "In the bad order",
        "Text gopher, a burrowing rodent go, a board game",
        "Text nothing go, a language",
        "Address http://shop.test/?q= gopher http://shop.test/?q= go",
        "Good order everything has arrived before the second action 12 events while the page loads 0 ms",
        f"first {GO} 40 ms in time {ASK_GO} 42 ms second {GOPHER} 60 ms {ASK_GOPHER} 64 ms",
        f"first {GO} 40 ms second {GOPHER} 41 ms {ASK_GOPHER} 45 ms late {ASK_GO} 46 ms only here GET /thumbs/board",
        "All events: 16 in the good order, 17 in the bad one",
        "They meet in ul#hits .",
        f"{ASK_GO} /assets/search.js:14:5",
        "list.replaceChildren(...hits.map(hit => item(hit)));",
        f"{ASK_GOPHER} Its source is not known.",
        "How to repair it Abort the older request",
        "jostle replay 'runs/one of many/ajax-race-1-bad.jostle'",
        "jostle replay 'runs/one of many/ajax-race-1-good.jostle'",
        "The test test_ajax_race_1.py fails as long as the race is there.",
        "pytest 'runs/one of many/test_ajax_race_1.py'",
    ]
    assert [part for part in in_order if part not in text] == []
    assert [text.index(part) for part in in_order] == sorted(text.index(part) for part in in_order)


def test_a_race_while_loading_is_a_story() -> None:
    text = told(overwritten(), search=LOADING)
    typed = 'type "zq7" in textbox "Your name"'
    assert f"Open the page. Before the response to GET /form.js arrives, do this: {typed} . Let it arrive." in text
    assert "Then input#name holds nothing. It should hold “ zq7 ”." in " ".join(re.sub("[✗✓]", "", text).split())
    assert "When the script runs it sets input#name without checking" in text
    assert f"in time GET /form.js 3 ms action {typed} 9 ms" in text
    assert "Keep it from coming back" not in text, "there is no test"


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"second": f"{GO} (#2)"}, f"do the same again: {GO} . Let it arrive."),
        ({"second": GO}, f"Before the response to {ASK_GO} arrives, do the same again: {GO} . Let it arrive."),
        ({"held": []}, f"Before all that it started is done, do this: {GOPHER} ."),
        ({"second": ""}, f"Do this: {GO} . Now the response to {ASK_GO} arrives only after everything else."),
        ({"held": ["a", "b"]}, "Before a and b happen, do this"),
        ({"held": [ASK_GO, ASK_GOPHER]}, f"Before the responses to {ASK_GO} and {ASK_GOPHER} arrive, do this"),
        ({"held": [ASK_GO, "GET /b", "GET /c", "GET /d", "GET /e"]}, "GET /b , GET /c and 2 more arrive, do this"),
        ({"first": "", "second": "", "bad": ...}, f"{GO} {GOPHER}"),
        (
            {"bad": {"order": [entry("timeout 300 at app.js:1:1", "timer", "late", 1)]}}
            | {"held": ["timeout 300 at app.js:1:1"]},
            "Before the timer timeout 300 at app.js:1:1 fires, do this",
        ),
    ],
)
def test_what_to_do(changes: dict[str, Any], words: str) -> None:
    assert words in told(search(**changes))


@pytest.mark.parametrize(
    ("what", "good", "bad", "words"),
    [
        ("text", "7", "", "Then ul#x does not show “ 7 ”, which it should."),
        ("form", "", "x", "Then ul#x holds “ x ”, which it should not."),
        ("url", "/a", "/b", "Then the address is “/ b ”. It should be “/ a ”."),
        ("storage", "", "localStorage a=1", "Then “ localStorage a=1 ” is stored, which it should not be."),
        ("error", "", "x is not defined", "Then a script fails, which it should not: “ x is not defined ”."),
        ("request", "", "POST /like", "Then the server is sent “ POST /like ” once too often."),
        ("request", "POST /cart", "", "Then the server is sent “ POST /cart ” one time too few."),
        ("screen", "", "", "Then ul#x looks different. It should look as in the good order."),
        ("focus", "it has it", "it has lost it", "Then the focus moves away from ul#x . It should stay there."),
        ("form", '.value="7"', '.value=""', "Then ul#x holds nothing. It should hold “ 7 ”."),
        ("form", ".checked", "", "Then ul#x holds nothing. It should hold “ checked ”."),
        ("url", "tab 1 http://a/", "tab 1 http://b/", "Then the address is “http:// b/ ”. It should be “http:// a/ ”."),
    ],
)
def test_what_happens(what: str, good: str, bad: str, words: str) -> None:
    text = told(search(differences=[{"what": what, "where": "ul#x", "good": good, "bad": bad}]))
    assert words.replace(" ", "") in re.sub("[✗✓ ]", "", text)


def test_a_system_event_races_with_loading() -> None:
    order = [entry("load of iframe", "lifecycle", "first", 1), entry("GET /form.js", "network", "late", 2)]
    early = (
        "Open the page. Before the response to GET /form.js arrives, let this happen: load of iframe . Let it arrive."
    )
    assert early in told(overwritten(first="", bad={"order": order}))
    assert "Before it has loaded, let this happen: load" in told(overwritten(first="", bad={"order": order}, held=[]))
    assert "Open the page; the response to GET /form.js arrives late." in told(overwritten(first="", bad=...))


def test_looks_are_told_only_where_there_is_nothing_else() -> None:
    looks = {"what": "screen", "where": "p", "good": "a", "bad": "b"}
    assert "looks different" in told(search(differences=[looks]))
    assert "looks different" not in told(
        search(differences=[looks, {"what": "text", "where": "", "good": "a", "bad": "b"}])
    )


def test_what_is_only_predicted_looks_it() -> None:
    shown = Page(page(report(predicted())))
    assert "1 race suspected, none proved" in shown.text
    assert "predicted, not seen" in shown.text
    assert "Then it may be that the address is" in shown.text
    assert "What may differ in the end" in shown.text
    assert "Nobody has seen this yet" in shown.text
    classes = [at.get("class") for _, at in shown.elements]
    assert "verdict warn" in classes
    assert "story high weak" in classes
    assert "story high" in [at.get("class") for _, at in Page(page(report(overwritten()))).elements]


def test_what_was_seen_and_not_again() -> None:
    text = told(msgspec.structs.replace(search(), confidence=Confidence.PREDICTED, replay=None))
    assert "seen once, not again" in text
    assert "It was seen once, but could not be reproduced." in text
    assert "Then the page shows" in text


def test_other_pairs_with_the_same_cause() -> None:
    assert f"The same cause {GOPHER} → {GO}" in told(search(also=[f"{GOPHER} → {GO}"]))
    assert "The same cause" not in told(search())


def test_the_worst_comes_first_and_what_nobody_has_seen_last() -> None:
    mild = bare(severity=Severity.LOW)
    titles = [each.title for each in stories(report(predicted(), mild, search(), overwritten()))]
    assert titles == [each.title for each in (overwritten(), search(), mild, predicted())]


@pytest.mark.parametrize("kind", [*list(FindingKind)[:6], FindingKind.HANG])
@pytest.mark.parametrize("confidence", list(Confidence))
def test_what_is_not_known_is_not_told(kind: FindingKind, confidence: Confidence) -> None:
    finding = bare(kind, confidence=confidence)
    shown = Page(page(report(finding, others=(), noise=(), stats={}, directory="", pictures={})))
    assert not {"table", "image", "figure", "pre"} & {tag for tag, _ in shown.elements}
    for words in ("None", "See it again", "Keep it from", "How to repair", "What the user sees", "The order of events"):
        assert words not in shown.text
    assert shown.text.count("Something") == 1


def test_parts_may_be_missing() -> None:
    text = told(search(good=..., racing=[{}], shared=...))
    assert "not known" in text
    assert "an event without a name" in text
    assert "There is no picture of this." in text
    assert "only here" not in text, "there is nothing to compare with"


def test_nothing_found() -> None:
    shown = Page(page(report()))
    assert "No race found" in shown.text
    assert (
        "2 pairs of actions tried: the second action was done before the responses to the first arrived. None showed"
        in shown.text
    )
    assert "verdict good" in [at.get("class") for _, at in shown.elements]
    empty = {"others": (), "noise": ()}
    assert "No two actions were seen whose responses could interfere." in told(**empty)
    assert "Nothing on this page can be used before the code it needs has loaded" in told(search=LOADING, **empty)
    assert "What else was looked at" not in told(**empty)


def test_of_very_many_not_all_are_listed() -> None:
    many = {"what": "text", "where": "p", "good": "a", "bad": "b"}
    text = told(search(differences=[many] * 105), others=OTHERS[:1] * 1005, noise=("clock",) * 1001)
    assert "… and 5 more differences." in text
    assert "… and 5 more rows." in text
    assert "… and 1 more." in text


# Texts that differ -------------------------------------------------------------------------------------------------


def test_what_differs_is_marked() -> None:
    shown = Page(
        page(report(search(differences=[{"what": "text", "where": "", "good": "7 people", "bad": "8 people"}])))
    )
    assert sum(tag == "mark" for tag, _ in shown.elements) == 4
    one, other = values("http://shop.test/?q=go", "http://shop.test/?q=gopher", 100)
    assert (one.before, one.differs, one.after) == ("http://shop.test/?q=", "go", "")
    assert (other.before, other.differs, other.after) == ("http://shop.test/?q=", "gopher", "")
    assert not any(each.marked for each in values("same", "same", 9))


def test_what_differs_in_a_long_text_is_shown() -> None:
    text = "word " * 500_000
    good, bad = values(f"{text}good {text}", f"{text}bad {text}", 100)
    assert (good.differs, bad.differs) == ("good", "bad")
    assert good.before == f"… {text[-AROUND:]}"
    assert good.after.endswith(" …")


@given(st.text("ab 👩‍🚀é.", max_size=60), st.text("ab 👩‍🚀é.", max_size=60))
def test_marking_loses_nothing(one: str, other: str) -> None:
    parts = values(one, other, 1000)
    assert [each.before + each.differs + each.after for each in parts] == [one, other]
    assert parts[0].before == parts[1].before
    assert parts[0].after == parts[1].after


def test_of_a_long_line_the_meant_part_is_shown() -> None:
    line = "a;" * 400_000 + "here()" + "b;" * 400_000
    ((number, text, meant),) = lines(CodeExcerpt(source="app.min.js:1:800001", first_line=1, excerpt=(line,)))
    assert (number, meant) == ("1", True)
    assert "here()" in text
    assert len(text) < 300
    shown = lines(CodeExcerpt(source="app.js:5000", first_line=1, excerpt=("x",) * 9000))
    assert len(shown) == 40
    assert [number for number, _, meant in shown if meant] == ["5000"]
    assert [number for number, *_ in lines(CodeExcerpt(source="", first_line=0, excerpt=("a", "b")))] == ["", ""], (
        "where it is is not known"
    )
    assert [meant for *_, meant in lines(CodeExcerpt(source=HOSTILE, first_line=7, excerpt=("a", "b")))] == [
        False,
        False,
    ]


# Orders ------------------------------------------------------------------------------------------------------------


def test_what_changed_places_is_connected() -> None:
    made = orders(known(search()))
    assert made is not None
    assert made.height == 6 * ROW
    ends = {line.role: re.findall(r"M0 (\d+).* (\d+)$", line.path)[0] for line in made.lines}
    rows = {role: tuple(str(ROW * row + ROW // 2) for row in pair) for role, pair in
            {"first": (1, 1), "late": (2, 4), "second": (3, 2)}.items()}  # fmt: skip
    assert ends == rows


def test_answers_to_equal_requests_are_told_apart() -> None:
    click, again = entry("click", "user", "first", 1), entry("click", "user", "second", 2)
    late, other = entry("POST /like", "network", "late", 3), entry("POST /like", "network", "other", 4)
    good, bad = [click, late, again, other], [click, again, other, late, other]
    made = orders(
        evidence_of(
            ResponseRaceEvidence, {"good": {"order": good}, "bad": {"order": bad}, "first": "click", "second": "click"}
        )
    )
    assert made is not None
    middle = [str(ROW * row + ROW // 2) for row in range(5)]
    assert {line.role: (line.path.split("C")[0], line.path.split()[-1]) for line in made.lines} == {
        "first": (f"M0 {middle[0]}", middle[0]),
        "late": (f"M0 {middle[1]}", middle[3]),
        "second": (f"M0 {middle[2]}", middle[1]),
    }
    assert [row.tag for row in made.bad] == ["first", "second", "", "late", "only here"]


def test_what_the_user_does_before_is_told() -> None:
    before = [entry('click link "Search"', "user", "other", n) for n in range(5)]
    order = [msgspec.to_builtins(each) for each in known(search()).bad.order]
    finding = search(bad={"order": [*order[:12], *before, *order[12:]]})
    assert f'Do this: click link "Search" . Do this: {GO} . Before' in told(finding)
    made = orders(known(finding))
    assert made is not None
    assert [row.role for row in made.bad if "Search" in row.what and "link" in row.what] == ["user"] * 5


entries = st.lists(
    st.builds(entry, st.sampled_from("abc"), st.just("network"), st.sampled_from(["load", "other", "first", "late"]),
              st.floats(allow_nan=True) | st.integers(0, 9)),
    max_size=80,
)  # fmt: skip


@given(entries, entries)
def test_every_order_can_be_shown(good: list[dict[str, Any]], bad: list[dict[str, Any]]) -> None:
    made = orders(evidence_of(ResponseRaceEvidence, {"good": {"order": good}, "bad": {"order": bad}}))
    if made is None:
        assert not good + bad
        return
    assert max(len(made.good), len(made.bad)) * ROW == made.height <= 40 * ROW
    for short, full, given_ in ((made.good, made.all_good, good), (made.bad, made.all_bad, bad)):
        assert len(full or short) == len(given_)
        hidden = sum(int(re.sub(r"\D", "", row.what)) for row in short if row.folded and "event" in row.what)
        if not any("more" in row.what for row in short):
            assert hidden + sum(not row.folded for row in short) == len(given_)


def test_nothing_of_interest_is_folded() -> None:
    made = orders(known(search()))
    assert made is not None
    assert [row for row in made.good if row.folded] == [
        OrderRow(what="12 events while the page loads", at="0 ms", folded=True)
    ]


# Pictures ----------------------------------------------------------------------------------------------------------


def test_pictures_are_in_the_document_once() -> None:
    shown = Page(page(report(search())))
    images = [at for tag, at in shown.elements if tag == "image"]
    assert [at["id"] for at in images] == ["finding-1-good", "finding-1-bad"]
    assert all((at["href"] or "").startswith("data:image/png;base64,iVBOR") for at in images)
    assert [at["href"] for tag, at in shown.elements if tag == "use"] == ["#finding-1-good", "#finding-1-bad"]
    assert sum(at.get("class") == "differs" for _, at in shown.elements) == 8


@pytest.mark.parametrize(
    "data", [b"", b"no picture", b"\x89PNG", PICTURES["form-1-bad.png"][:16] + b"\x7f\xff\xff\xff" * 4]
)
def test_a_picture_that_is_none(data: bytes) -> None:
    shown = Page(page(report(search(), pictures=PICTURES | {"ajax-race-1-bad.png": data})))
    assert sum(tag == "image" for tag, _ in shown.elements) == 1
    assert "The picture ajax-race-1-bad.png is not here." in shown.text


def test_pictures_are_not_too_many() -> None:
    large = picture() + b" " * (MOST_BYTES // 3)
    shown = Page(page(report(search(), search(), pictures=dict.fromkeys(PICTURES, large))))
    assert sum(tag == "image" for tag, _ in shown.elements) == 2


@given(
    st.lists(st.lists(st.floats() | st.integers(-50, 2000), min_size=4, max_size=4), max_size=5),
    st.sampled_from([(1280, 720), (40, 30), (300, 9000), (1280, 60)]),
)
def test_what_differs_is_in_what_is_shown(boxes: list[list[float]], size: tuple[int, int]) -> None:
    width, height = size
    made = screens(boxes, picture(size=size), picture(size=size))
    x, y, wide, high = made.part
    assert 0 <= x <= x + wide <= width <= LARGEST_SIDE
    assert 0 <= y <= y + high <= height
    assert high <= wide * SHAPE + 1
    assert all(0 <= left < left + w <= width and 0 <= top < top + h <= height for left, top, w, h in made.marks)
    assert made.outside < max(1, len(made.marks)), "something that differs is shown at once"


def test_a_close_look() -> None:
    made = screens([[600, 400, 100, 20]])
    assert made.part[2] == 560
    assert made.in_part
    assert not screens([[0, 0, 1280, 720]], picture(size=(1280, 800))).outside
    far = screens([[0, 10, 50, 50], [0, 8000, 50, 50]], picture(size=(1280, 9000)))
    assert (far.part[1], far.outside) == (0, 1)
    assert "The whole screens" in told(search())
    assert "with 1 more place that differs" in told(
        search(boxes=[[0, 10, 50, 50], [0, 8000, 50, 50]]),
        pictures=dict.fromkeys(PICTURES, picture(size=(1280, 9000))),
    )


# A document that is safe -------------------------------------------------------------------------------------------


def test_nothing_is_loaded() -> None:
    source = page(report(search(), overwritten(), predicted(), bare()))
    assert source.startswith("<!doctype html>")
    shown = Page(source)
    policy = next(at["content"] for _, at in shown.elements if at.get("http-equiv") == "Content-Security-Policy")
    hashed = r"'sha256-[\w+/=]+'"
    assert re.fullmatch(rf"default-src 'none'; img-src data:; style-src {hashed}; script-src {hashed}", policy or "")
    ids = [at["id"] for _, at in shown.elements if "id" in at]
    assert len(ids) == len(set(ids))
    links = {at["href"] or "" for _, at in shown.elements if "href" in at}
    assert {each for each in links if not each.startswith("data:image/png;base64,")} <= {f"#{name}" for name in ids}
    assert not [at for _, at in shown.elements if at.keys() & {"src", "style"}]
    assert len(shown.scripts) == 1


def test_texts_of_the_application_stay_texts() -> None:
    wild = Page(page(hostile()).encode().decode())
    tame = Page(page(report(search(), overwritten())))
    assert {tag for tag, _ in wild.elements} <= {tag for tag, _ in tame.elements}
    assert wild.scripts == tame.scripts
    assert not [name for _, at in wild.elements for name in at if name.startswith("on")]
    assert wild.text.count(" ".join(HARMLESS.split())) > 100
    assert "\u202e" not in page(hostile())


@pytest.mark.parametrize("text", ["", "\n\t ", "👩‍🚀🏳️‍🌈", "שלום עולם", "{where} {0} {} %s {{ 7*7 }}", "</bdi></code>"])
def test_strange_texts(text: str) -> None:
    shown = Page(page(hostile(text)))
    assert "What was found" in shown.text
    assert shown.text.count(" ".join(text.split())) > 100


def test_a_text_of_five_megabytes() -> None:
    wild = hostile("x" * 5_000_000)
    source = page(msgspec.structs.replace(wild, findings=wild.findings[:2]))
    assert len(source) < 300_000
    assert "x" * 100 in source


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_everything_can_be_read(scheme: int) -> None:
    colours: dict[str, str] = {}
    for name, package in (("base.css", FRAME), ("races.css", PACKAGE)):
        block = re.findall(r":root \{(.*?)\}", own(name, package), re.DOTALL)[scheme]
        colours |= dict(re.findall(r"--([\w-]+): (#[0-9a-f]{3,6})\b", block))
    texts = [("text", f"{tone}-ground") for tone in ("good", "bad", "warn", "second")]
    texts += [(tone, f"{tone}-ground") for tone in ("good", "bad", "warn", "second")]
    texts += [("soft", ground) for ground in ("sheet", "ground", "sunk", "choose", "warn-ground", "second-ground")]
    texts += [("accent", "choose"), ("text", "choose"), ("accent", "sheet")]
    ratios = {pair: round(contrast(*(colours[name] for name in pair)), 2) for pair in texts}
    assert not {pair: ratio for pair, ratio in ratios.items() if ratio < 4.5}
    assert contrast(colours["second"], colours["sheet"]) >= 3, "a line can be seen"
    assert contrast(colours["mark"], colours["sheet"]) >= 3, "a mark can be seen"
