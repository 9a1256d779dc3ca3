"""What a search for slowdowns tells: in words, in drawings, and in a real browser."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from playwright.sync_api import Browser, expect, sync_playwright
from playwright.sync_api import Page as Tab

from jostle.browser.find import find, sandbox_arguments
from jostle.findings import Confidence, Finding, FindingKind, Severity
from jostle.findings.evidence import Law
from jostle.report.document import own
from jostle.slowdowns.report.page import SlowdownReport, page, stories
from jostle.slowdowns.report.plot import BOTTOM, HEIGHT, LEFT, RIGHT, TOP, WIDTH, number, plot, ticks
from jostle.slowdowns.report.steps import Fold, folded
from tests.report.recordings import HARMLESS, HOSTILE
from tests.report.slowdown_findings import (
    COSTS,
    MENUS,
    OTHERS,
    SAVE,
    STATS,
    TIMES,
    bounded,
    failure,
    report,
    server,
    slowdown,
    slowed,
)
from tests.report.test_timeline import Page, contrast


def told(*findings: Finding, **changes: Any) -> str:
    return Page(page(report(*findings, **changes))).text


# What is told ------------------------------------------------------------------------------------------------------


def test_the_overview() -> None:
    text = told(bounded(), failure(), slowdown())
    assert "1 slowdown, 1 failure, 1 growth that levels off" in text
    assert "6 pairs of events examined: 1 refuted, 1 unreachable" in text
    for figure in ("Events done 1,240", "States 9", "Of these reached 233 (97%)", "Events needed for each 3.25"):
        assert figure in text
    assert "Time 1 min 35 s" in text
    assert "2 pairs of events that are no slowdown, or could not be tried" in text
    assert f"{MENUS} {SAVE} refuted the cost stays the same (12), however often it is done" in text


def test_a_slowdown_is_a_story() -> None:
    text = told(slowdown())
    in_order = [
        f"Every {SAVE} leaves more work for {MENUS} . Its cost went from 40 to 29,641 in 99 repetitions.",
        "The growth is quadratic (98% sure; else n log n, 2%): twice as many repetitions add about four times as much.",
        "Done 4 times more without the cause, it cost no more than before.",
        "Measured here, handling it took 0.4 ms at first and 40 ms after 99 repetitions.",
        "It is expected to pass 50 ms after about 140 repetitions (users begin to notice that), and it is expected to "
        "pass 200 ms after about 310 repetitions (the page feels slow).",
        "each of the two makes the other slower",
        "sharedAliases /slow-menu/aliases.js:7",
        "ran once at first, 120 times at the end, 93% of the growth",
        "export function sharedAliases() {",
        "a function without a name /slow-menu/menus.js",
        "DOM nodes 120 417 +3",
        "event listeners 4 103 +1",
        f'click button "Copy" → {MENUS}',
        "open http://shop.test/",
        f"{MENUS} 19 times: {SAVE} {MENUS} 16 times: 5 times: {SAVE} {MENUS} See it again",
        "jostle replay 'runs/one of many/slowdown-1.jostle'",
        "The test test_slowdown_1.py fails while the cost grows.",
        "pytest 'runs/one of many/test_slowdown_1.py'",
        "In full: Every repetition makes it more expensive (40, 45, 56, …).",
    ]
    assert [part for part in in_order if part not in text] == []
    assert [text.index(part) for part in in_order] == sorted(text.index(part) for part in in_order)


@pytest.mark.parametrize(
    ("passes", "words"),
    [
        ({"50": None, "200": None}, "As far as can be foretold it stays below 50 ms"),
        (
            {"50": 0, "200": None},
            "It takes longer than 50 ms from the start (users begin to notice that), and 200 ms are",
        ),
        (
            {"50": 40, "200": 120},
            "It takes longer than 50 ms from 40 repetitions on (users begin to notice that), and it",
        ),
        ({"200": 1}, "It takes longer than 200 ms from 1 repetition on (the page feels slow)."),
    ],
)
def test_when_users_feel_it(passes: dict[str, int | None], words: str) -> None:
    assert words in told(slowdown(passes=passes))
    assert "200 ms are not within sight" in told(slowdown(passes={"50": 300, "200": None}))


def test_without_the_cause_it_rises_as_well() -> None:
    rising = [[99, COSTS[-1][1] + 2000 * n] for n in range(4)]
    assert "it cost no more than before" not in told(slowdown(control=rising))


def test_what_levels_off() -> None:
    text = told(bounded())
    assert (
        "Its cost went from 29 to 209 in 29 repetitions. It stops growing after 12 repetitions, at a cost of 209"
        in text
    )
    assert "handling it took 0.4 ms at first and 3.1 ms after 29 repetitions" in text
    assert "logarithmic" not in told(bounded(law="logarithmic")), "no law holds for what ends"
    assert ("p", {"class": "verdict warn"}) in Page(page(report(bounded()))).elements


def test_a_failure() -> None:
    text = told(failure())
    assert 'After 14 repetitions “click button "Save"” failed: POST /articles was answered with 500.' in text
    assert 'Every click button "Save" leaves more work for the next one. Its cost went from 20 to 137 in 13' in text
    assert "15 times: click button" in text
    assert "times it was done before" in text


def test_the_worst_comes_first() -> None:
    kinds = [each.kind for each in stories(report(bounded(), failure(), slowdown()))]
    assert kinds == ["Slowdown", "Failure", "Levels off"]


@pytest.mark.parametrize(
    ("kind", "outcome"),
    [
        (FindingKind.SLOWDOWN, "slowdown"),
        (FindingKind.BOUNDED_GROWTH, "bounded"),
        (FindingKind.EXCEPTION, "failure"),
    ],
)
def test_what_is_not_known_is_not_told(kind: FindingKind, outcome: str) -> None:
    bare = Finding(
        id="x",
        technique="slowdown",
        kind=kind,
        confidence=Confidence.PREDICTED,
        severity=Severity.LOW,
        title="Something",
        evidence=slowed({"outcome": outcome}),
    )
    shown = Page(page(report(bare, others=(), stats={})))
    assert not {"svg", "table"} & {tag for tag, at in shown.elements if at.get("class") in ("plot", "grows")}
    assert "seen, not reproduced" in shown.text
    for word in ("None", "nan", "See it again", "Keep it from coming back", "In full"):
        assert word not in shown.text


def test_nothing_found() -> None:
    text = told()
    assert "No slowdown found" in text
    assert "2 pairs of events were suspected in 1,240 events and done in turn. In none of them the cost" in text
    assert "1 pair could not be done often enough to tell." in text
    assert "No event was seen to cost more after another one in 1,240 events." in told(others=())
    assert "In none of them" not in told(others=OTHERS[1:])


def test_a_server_that_gets_slower_is_told_and_is_no_finding() -> None:
    text = told(servers=(server(),), stats={**STATS, "server": [{"request": "GET /api/log"}]})
    assert "No slowdown found" in text
    assert "GET /api/log slower and slower: 35 ms at first, 125 ms after 12 repetitions of “click button" in text
    assert "server [" not in text, "the figures are numbers"
    assert "It is the server" not in told()


def test_of_very_many_other_pairs_not_all_are_listed() -> None:
    assert "… and 5 more pairs." in told(others=OTHERS[:1] * 1005)


# A document that does nothing --------------------------------------------------------------------------------------


def test_nothing_is_loaded_and_nothing_runs() -> None:
    source = page(report(slowdown(), failure(), bounded()))
    assert source.startswith("<!doctype html>")
    shown = Page(source)
    policy = next(at["content"] for tag, at in shown.elements if at.get("http-equiv") == "Content-Security-Policy")
    assert re.fullmatch(r"default-src 'none'; style-src 'sha256-[\w+/=]+'", policy or "")
    ids = [at["id"] for _, at in shown.elements if "id" in at]
    assert len(ids) == len(set(ids))
    assert {at["href"] for _, at in shown.elements if "href" in at} <= {f"#{name}" for name in ids}
    assert not [at for _, at in shown.elements if at.keys() & {"src", "style"}]
    assert not shown.scripts


def hostile() -> SlowdownReport:
    wild = slowdown(
        cause=HOSTILE,
        effect=HOSTILE + "2",
        reason=HOSTILE,
        functions=[{"name": HOSTILE, "file": HOSTILE, "line": 2, "excerpt": [HOSTILE, HOSTILE], "share": 7}],
        grows={HOSTILE: [[0, 1], [5, 6]]},
        also=[HOSTILE],
        test=HOSTILE,
    )
    failed = failure(reason=HOSTILE, cause=HOSTILE, effect=HOSTILE)
    fields = {name: getattr(wild, name) for name in wild.__struct_fields__}
    made = Finding(**fields | {"title": HOSTILE, "events": (HOSTILE,) * 9, "replay": HOSTILE})
    stats = {HOSTILE: HOSTILE, "events": 1}
    slow = (server(HOSTILE, HOSTILE),)
    return report(made, failed, url=HOSTILE, others=((HOSTILE,) * 4,), stats=stats, servers=slow, directory=HOSTILE)


def test_texts_of_the_application_stay_texts() -> None:
    wild = Page(page(hostile()).encode().decode())
    tame = Page(page(report(slowdown(), failure())))
    assert {tag for tag, _ in wild.elements} <= {tag for tag, _ in tame.elements}
    assert not wild.scripts
    assert not [name for _, at in wild.elements for name in at if name.startswith("on")]
    assert wild.text.count(" ".join(HARMLESS.split())) > 20


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_everything_can_be_read(scheme: int) -> None:
    block = re.findall(r":root \{(.*?)\}", own("base.css"), re.DOTALL)[scheme]
    colours = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{3,6});", block))
    texts = [(text, ground) for text in ("text", "soft", "accent") for ground in ("sheet", "ground", "sunk")]
    texts += [(tone, ground) for tone in ("good", "bad", "warn") for ground in (f"{tone}-ground", "sheet")]
    texts += [("text", f"{tone}-ground") for tone in ("bad", "warn")]
    ratios = {pair: round(contrast(*(colours[name] for name in pair)), 2) for pair in texts}
    assert not {pair: ratio for pair, ratio in ratios.items() if ratio < 4.5}
    assert contrast(colours["rail"], colours["sheet"]) >= 3, "a curve can be seen"


# Drawings and steps ------------------------------------------------------------------------------------------------

series = st.lists(st.tuples(st.integers(0, 500), st.floats(0, 1e9)), min_size=1, max_size=30).map(
    lambda points: [(float(x), y) for x, y in sorted(points)]
)


@settings(max_examples=150, deadline=None)
@given(series, series, st.none() | st.sampled_from(Law), st.booleans())
def test_everything_is_inside_the_drawing(
    points: list[tuple[float, float]], control: list[tuple[float, float]], law: Law | None, failed: bool
) -> None:
    drawn = plot(points, noun="cost", control=control, law=law, level=points[0], failed=failed, limits=(50, 200))
    assert drawn is not None
    marks = [*drawn.points, *drawn.control, *drawn.limits, *drawn.up, *drawn.across]
    marks += [each for each in (drawn.failed, drawn.level) if each]
    assert all(LEFT <= mark.x <= RIGHT and TOP <= mark.y <= BOTTOM for mark in marks)
    assert len(drawn.points) + (drawn.failed is not None) == len(points)
    assert 1 <= len(drawn.across) <= 7
    assert 1 <= len(drawn.up) <= 6
    assert len({each.words for each in drawn.up}) == len(drawn.up)
    numbers = [float(each) for each in re.findall(r"[\d.]+", drawn.curve)]
    assert all(LEFT <= x <= WIDTH for x in numbers[::2])
    assert all(TOP <= y <= HEIGHT for y in numbers[1::2])


def test_higher_is_more_and_the_control_stands_apart() -> None:
    drawn = plot([(0, 1), (1, 5), (2, 9)], noun="cost", control=[(2, 9), (2, 9)])
    assert drawn is not None
    assert [mark.y for mark in drawn.points] == sorted((mark.y for mark in drawn.points), reverse=True)
    assert drawn.strip is not None
    assert drawn.points[-1].x < drawn.strip < drawn.control[0].x < drawn.control[1].x
    assert {mark.y for mark in drawn.control} == {drawn.points[-1].y}
    assert drawn.points[1].words == "after 1 repetition: cost 5"


def test_only_the_curve_that_fits_is_drawn() -> None:
    points = [(float(n), 5.0 + 3 * n * n) for n in range(20)]
    drawn, other = (plot(points, noun="cost", law=law) for law in (Law.QUADRATIC, Law.LINEAR))
    assert drawn is not None
    assert other is not None
    assert drawn.curve
    assert drawn.law == "quadratic"
    assert not other.curve
    assert not other.law
    end = drawn.curve.rsplit("L", 1)[1].split()
    assert [float(each) for each in end] == pytest.approx([drawn.points[-1].x, drawn.points[-1].y], abs=0.5)


def test_limits_are_drawn_when_they_are_in_sight() -> None:
    drawn = [plot([(0, 1), (9, highest)], noun="time", limits=(50, 200)) for highest in (4, 30, 120)]
    assert [len(each.limits) for each in drawn if each] == [0, 1, 2]


@pytest.mark.parametrize(
    ("highest", "expected"), [(1.0, [0, 0.2, 0.4, 0.6, 0.8, 1]), (99, [0, 20, 40, 60, 80]), (3, [0, 1, 2, 3])]
)
def test_ticks_are_round(highest: float, expected: list[float]) -> None:
    assert ticks(highest, 5) == pytest.approx(expected)
    assert [number(each) for each in (12400, 3.25, 100.4, 0.0625)] == ["12,400", "3.25", "100", "0.0625"]


def test_what_repeats_is_folded() -> None:
    once = Fold("z")
    a, b = Fold("a"), Fold("b")
    assert folded(["z", *"abababab"]) == (once, Fold(times=4, steps=(a, b)))
    assert folded(["a", "a"]) == (a, a)
    assert folded([*"aaab" * 5, "z"]) == (Fold(times=5, steps=(Fold(times=3, steps=(a,)), b)), once)
    assert folded([]) == ()


def test_texts_that_are_typed_may_differ() -> None:
    typed = [f'type "item {n}" in textbox "Title"' for n in range(4)]
    (loop,) = folded([step for each in typed for step in (each, "click")])
    assert loop == Fold(times=4, steps=(Fold('type in textbox "Title" (another value each time)'), Fold("click")))
    assert folded(typed[:2]) == (Fold(typed[0]), Fold(typed[1]))


@settings(max_examples=200, deadline=None)
@given(st.text("abc", max_size=40))
def test_folding_loses_nothing(steps: str) -> None:
    def unfolded(folds: tuple[Fold, ...]) -> str:
        return "".join((unfolded(each.steps) if each.steps else each.text) * each.times for each in folds)

    made = folded(list(steps))
    assert unfolded(made) == steps
    assert sum(each.size for each in made) <= len(steps)


def test_steps_that_do_not_repeat_are_shown_on_demand() -> None:
    many = tuple(f"click link {n}" for n in range(40))
    fields = {name: getattr(slowdown(), name) for name in Finding.__struct_fields__}
    (story,) = stories(report(Finding(**fields | {"events": many})))
    assert len(story.steps) + len(story.more_steps) == 41
    assert story.more_steps
    assert "and the rest of the 41 steps" in told(Finding(**fields | {"events": many}))


# In a browser ------------------------------------------------------------------------------------------------------

Open = Callable[[SlowdownReport], Tab]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=find().path, args=sandbox_arguments())
        yield launched
        launched.close()


@pytest.fixture(params=[(1280, "light"), pytest.param((420, "dark"), marks=pytest.mark.long)], ids=["wide", "narrow"])
def opened(browser: Browser, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Open]:
    """Opens a report; afterwards, nothing may have been complained about or loaded."""
    width, scheme = request.param
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
    context.set_default_timeout(5000)
    tab = context.new_page()
    trouble: list[str] = []
    tab.on("console", lambda message: trouble.append(f"{message.type}: {message.text}"))
    tab.on("pageerror", lambda error: trouble.append(str(error)))
    tab.on("dialog", lambda dialog: trouble.append(dialog.message))
    loaded: list[str] = []
    tab.on("request", lambda request: loaded.append(request.url))
    file = tmp_path / "report.html"

    def open_it(what: SlowdownReport) -> Tab:
        file.write_text(page(what), encoding="utf-8")
        tab.goto(file.as_uri())
        return tab

    yield open_it
    assert trouble == []
    assert set(loaded) == {file.as_uri()}
    assert tab.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing sticks out"
    ground, text = tab.evaluate("(s => [s.backgroundColor, s.color])(getComputedStyle(document.body))")
    brightness = [sum(int(part) for part in colour[4:-1].split(", ")) for colour in (ground, text)]
    assert (brightness[0] < brightness[1]) == (scheme == "dark")
    context.close()


def test_the_plots(opened: Open) -> None:
    tab = opened(report(slowdown(), failure(), bounded(), servers=(server(),)))
    cost, time = (tab.locator("#finding-1 .plot").nth(n) for n in (0, 1))
    expect(cost.locator(".point")).to_have_count(len(COSTS))
    expect(cost.locator(".control")).to_have_count(4)
    expect(cost.locator(".curve")).to_have_count(1)
    expect(time.locator(".point")).to_have_count(len(TIMES))
    expect(time.locator("text.limit")).to_have_text("50 ms")
    expect(tab.locator("#finding-2 .plot .failed")).to_have_count(1)
    expect(tab.locator("#finding-2 .plot .point")).to_have_count(14)
    expect(tab.locator("#finding-3 .plot text.level")).to_have_text("level 209")
    for drawing in tab.locator(".plot").all():
        outside = drawing.evaluate(
            """drawing => {
                const all = drawing.getBoundingClientRect();
                return [...drawing.querySelectorAll("text, circle, path")].filter(each => {
                    const box = each.getBoundingClientRect();
                    return box.left < all.left - 1 || box.right > all.right + 1 || box.top < all.top - 1
                        || box.bottom > all.bottom + 1;
                }).map(each => each.outerHTML);
            }"""
        )
        assert outside == []


def test_every_drawing_is_told_as_a_table(opened: Open) -> None:
    tab = opened(report(slowdown()))
    drawing = tab.get_by_role("img", name="Plot: cost 40 after 0 and 29,641 after 99 repetitions")
    expect(drawing).to_be_visible()
    summary = tab.get_by_text("The same as a table").first
    summary.focus()
    tab.keyboard.press("Enter")
    table = tab.get_by_role("region", name="Cost by repetitions")
    expect(table).to_be_visible()
    expect(table.locator("tbody tr")).to_have_count(len(COSTS) + 4)
    expect(table.locator("tbody tr").last).to_contain_text("99, then without the cause")


def test_headings_and_ways_by_keyboard(opened: Open) -> None:
    tab = opened(report(slowdown(), bounded(), servers=(server(),)))
    levels = tab.locator("h1, h2, h3, h4, h5, h6").evaluate_all("all => all.map(each => Number(each.tagName[1]))")
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert levels.count(3) == 3
    assert all(below - above <= 1 for above, below in pairwise(levels)), "no level is left out"
    assert tab.evaluate(
        "[...document.querySelectorAll('[tabindex=\"0\"]')].every(each => each.role && each.ariaLabel)"
    ), "what can be reached has a name"
    tab.keyboard.press("Tab")
    expect(tab.locator(".skip")).to_be_focused()
    expect(tab.locator(".skip")).to_be_in_viewport()
    tab.keyboard.press("Tab")
    tab.keyboard.press("Tab")
    tab.keyboard.press("Enter")
    expect(tab.locator("#finding-2")).to_be_focused()
    expect(tab.locator("#finding-2 h3")).to_be_in_viewport()


def test_other_pairs_are_folded(opened: Open) -> None:
    tab = opened(report())
    reason = tab.get_by_role("cell", name="it could not be done again after 2 repetitions")
    expect(reason).not_to_be_visible()
    tab.get_by_text("2 pairs of events that are no slowdown").click()
    expect(reason).to_be_visible()


def test_hostile_texts_stay_texts(opened: Open) -> None:
    tab = opened(hostile())
    expect(tab.locator(".story h3").first).to_contain_text(" ".join(HARMLESS.split())[:40])
    for summary in tab.locator("summary").all():
        summary.click()
    assert tab.evaluate("typeof hacked") == "undefined"
    assert tab.locator("script, img").count() == 0
