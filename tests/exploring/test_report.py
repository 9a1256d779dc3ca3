from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jostle.events import Kind, State, event_of
from jostle.exploring.report.page import page, stories
from jostle.findings import Confidence, Finding, FindingKind, Severity
from jostle.model.machine import Machine
from jostle.report import model_diagram
from jostle.report.document import own
from jostle.report.model_diagram import MOST_APART, MOST_TOGETHER, ModelDiagram, diagram
from tests.report.explorations import FAILED, PICTURE, done, finding, large, report, shop, state
from tests.report.recordings import HARMLESS, HOSTILE
from tests.report.test_timeline import Page, contrast

# The document ------------------------------------------------------------------------------------------------------


def test_what_was_explored_and_what_came_of_it() -> None:
    shown = Page(page(report(finding())))
    assert "http://shop.test/" in shown.text
    assert "1 problem in 4 states, 60 events" in shown.text
    assert "Why it ended: all events were done" in shown.text
    assert "No problems in 4 states, 60 events" in Page(page(report())).text
    assert "Nothing went wrong on the way" in Page(page(report())).text


def test_a_finding_is_a_story() -> None:
    text = Page(page(report(finding()))).text
    in_order = [
        FAILED,
        "What to do",
        "open http://shop.test/",
        'click link "Items"',
        'type "cheese" in textbox "Search"',
        'click button "Buy"',
        "What happens",
        "A script fails and nothing handles it",
        "Message TypeError: no price",
        "Where /basket.js:41:17",
        "Stack total (/basket.js:41:17) render (/basket.js:12:5)",
        "jostle replay 'runs/one of many/exception-1.jostle'",
        "Seen 7 times while exploring, first after 12 events. Brought about again in a fresh run; none of these steps",
    ]
    assert [text.index(part) for part in in_order] == sorted(text.index(part) for part in in_order)


def test_figures_and_what_was_left_alone() -> None:
    text = Page(page(report())).text
    for part in ("Strategy guided", "Blocks of code that ran 1,204", "Events a second 11.4", "Runs 2"):
        assert part in text
    assert r'click link "Log out" \blog[\s_-]?out\b' in text
    assert "Nothing dangerous, and nothing that a rule says to avoid, was met." in Page(page(report(stats={}))).text


def test_the_states_are_in_a_table_for_those_without_scripts() -> None:
    text = Page(page(report())).text
    assert "1 Page 0 http://shop.test/ the start 2 times 1 2" in text
    assert "4 Milk http://shop.test/items/7 3 events 1 time 1 1" in text
    assert "4 states, 6 transitions, 3 untried events" in text


def test_an_exploration_that_met_nothing() -> None:
    shown = Page(page(report(machine=Machine(), stats={"ended": "interrupted"})))
    assert "No problems in 0 states, 0 events" in shown.text
    assert "The application as it was met" not in shown.text


def test_pictures_are_in_the_file() -> None:
    shown = Page(page(report(finding())))
    assert shown.data["pictures"] == {str(n): "/9ggYSBwaWN0dXJl" for n in range(4)}
    sources = [at["src"] for tag, at in shown.elements if tag == "img"]
    assert sources == ["data:image/jpeg;base64,/9ggYSBwaWN0dXJl"], "the page after the problem"
    assert Page(page(report(pictures={"unknown": PICTURE}))).data["pictures"] == {}


def test_nothing_is_loaded_and_nothing_else_may_run() -> None:
    shown = Page(page(report(finding())))
    policy = next(at["content"] for tag, at in shown.elements if at.get("http-equiv") == "Content-Security-Policy")
    assert re.fullmatch(
        r"default-src 'none'; img-src data:; style-src 'sha256-[\w+/=]+'; script-src 'sha256-[\w+/=]+'", policy or ""
    )
    addresses = [at[name] for _, at in shown.elements for name in ("src", "href") if at.get(name)]
    assert all(str(each).startswith(("data:", "#")) for each in addresses)
    assert not [at for _, at in shown.elements if "style" in at]
    ids = [at["id"] for _, at in shown.elements if "id" in at]
    assert len(ids) == len(set(ids))
    assert {str(each)[1:] for each in addresses if str(each).startswith("#")} <= set(ids)


def hostile() -> tuple[Finding, Machine]:
    machine = Machine()
    start, other = State("s", HOSTILE, HOSTILE), State("t", HOSTILE, "")
    machine.started(start)
    machine.learn(start, done(HOSTILE), other)
    machine.sighted(other, [done(HOSTILE)])
    machine.illustrate(start, skeleton=f"{HOSTILE}\n {HOSTILE}")
    machine.illustrate(other, skeleton=HOSTILE)
    wild = finding(
        title=HOSTILE,
        events=(HOSTILE, HOSTILE),
        evidence={"message": HOSTILE, "source": HOSTILE, "stack": [HOSTILE]},
        replay=HOSTILE,
    )
    return wild, machine


def test_texts_of_the_application_stay_texts() -> None:
    found, machine = hostile()
    stats = {"ended": HOSTILE, HOSTILE: HOSTILE, "avoided": {HOSTILE: HOSTILE}}
    wild = Page(page(report(found, machine=machine, url=HOSTILE, stats=stats, directory=HOSTILE)).encode().decode())
    tame = Page(page(report(finding())))
    assert {tag for tag, _ in wild.elements} <= {tag for tag, _ in tame.elements} | {"thead"}
    assert len(wild.scripts) == 2
    assert wild.scripts[1] == tame.scripts[1]
    assert not [name for _, at in wild.elements for name in at if name.startswith("on")]
    assert wild.text.count(" ".join(HARMLESS.split())) > 12
    for unsafe in ("<", ">", "\u2028", "\u202e"):
        assert unsafe not in wild.scripts[0]


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_every_text_can_be_read(scheme: int) -> None:
    style = own("base.css")
    block = re.findall(r":root \{(.*?)\}", style, re.DOTALL)[scheme]
    colours = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{3,6});", block))
    pairs = [
        (text, ground) for text in ("text", "soft", "accent") for ground in ("sheet", "ground", "sunk", "choose")
    ] + [("sheet", "accent"), ("bad", "sheet"), *((tone, f"{tone}-ground") for tone in ("good", "bad", "warn"))]
    ratios = {pair: round(contrast(*(colours[name] for name in pair)), 2) for pair in pairs}
    assert not {pair: ratio for pair, ratio in ratios.items() if ratio < 4.5}


# Stories -----------------------------------------------------------------------------------------------------------


def test_the_most_severe_and_certain_come_first() -> None:
    made = [
        finding(title="low", severity=Severity.LOW),
        finding(title="doubted", confidence=Confidence.PREDICTED),
        finding(title="middle", severity=Severity.MEDIUM),
        finding(title="rare", evidence={"count": 1}),
        finding(title="sure"),
    ]
    assert [each.title for each in stories(report(*made))] == ["sure", "rare", "doubted", "middle", "low"]


def test_what_could_not_be_brought_about_again_says_so() -> None:
    tried = finding(confidence=Confidence.PREDICTED, replay=None, evidence={"count": 1, "first": 140, "replays": 1})
    (story,) = stories(report(tried))
    assert story.weak
    assert not story.command
    assert (story.seen, story.sure) == (
        "Seen once while exploring, after 140 events.",
        "Doing the same again did not bring it about: it may depend on chance, or on the server’s data.",
    )
    shown = Page(page(report(tried)))
    assert next(at["class"] for tag, at in shown.elements if tag == "article") == "story high weak"
    assert "seen, not reproduced" in shown.text
    assert "1 problem was not reproduced" in shown.text
    assert "What was done before" in shown.text
    late = finding(confidence=Confidence.PREDICTED, evidence={"count": 3, "first": 0})
    assert stories(report(late))[0].sure == "It was not tried again: there was no time left for that."
    assert stories(report(late))[0].seen == "Seen 3 times while exploring, first right at the start."


def test_where_fewer_steps_may_do_it_is_said() -> None:
    story = stories(report(finding(evidence={"replays": 40, "minimal": False})))[0]
    assert story.sure == "Brought about again in a fresh run; perhaps fewer steps would do."
    assert story.seen == ""


def test_of_a_long_way_the_last_steps_are_shown() -> None:
    (story,) = stories(report(finding(events=(*(f"click {n}" for n in range(50)), FAILED))))
    assert len(story.earlier) + len(story.steps) == 51
    assert story.earlier[0] == "open http://shop.test/"
    assert story.steps[-1] == "click 49"
    assert len(story.steps) == 10
    shown = Page(page(report(finding(events=(*(f"click {n}" for n in range(50)), FAILED)))))
    numbers = [at["value"] for tag, at in shown.elements if tag == "li" and "value" in at]
    assert numbers == [str(n) for n in range(1, 52)]


def test_a_request_is_told_with_its_answer() -> None:
    asked = {"method": "POST", "url": "http://shop.test/api", "status": 500, "resource": "fetch", "count": 1}
    (story,) = stories(report(finding(kind=FindingKind.HTTP_ERROR, evidence=asked)))
    assert story.evidence == (
        ("Request", "POST http://shop.test/api"),
        ("Answer", "status 500"),
        ("Asked for as", "fetch"),
    )
    unanswered: dict[str, Any] = {"method": "GET", "url": "/", "status": 0, "error": "ConnectionReset"}
    assert ("Answer", "none") in stories(report(finding(kind=FindingKind.HTTP_ERROR, evidence=unanswered)))[0].evidence


def test_where_a_problem_leaves_the_application() -> None:
    assert stories(report(finding()))[0].state == 3, "whatever was typed"
    assert stories(report(finding(events=(FAILED,))))[0].state == 0
    assert stories(report(finding(events=("click nothing known", FAILED))))[0].state is None
    ambiguous = shop()
    ambiguous.learn(state(2, "items/7"), done('click button "Buy"'), state(1, "items"))
    assert stories(report(finding(), machine=ambiguous))[0].state is None


# The drawing -------------------------------------------------------------------------------------------------------


def events_of(drawn: ModelDiagram) -> dict[tuple[int, int], list[str]]:
    return {(edge.source, edge.target): [drawn.events[event] for event, _ in edge.events] for edge in drawn.edges}


def test_events_between_two_states_are_one_edge() -> None:
    drawn = diagram(shop())
    assert events_of(drawn) == {
        (0, 1): ['click link "Items"'],
        (1, 1): ['click link "Items"'],
        (1, 2): ['click link "Milk"', 'type in textbox "Search"'],
        (2, 3): ['click button "Buy"'],
        (3, 0): ["visit http://shop.test/"],
    }


def test_untried_events_belong_to_their_state() -> None:
    drawn = diagram(shop())
    assert [[drawn.events[event] for event in each.untried] for each in drawn.states] == [
        ['click link "Help"', 'click link "About"'],
        [],
        [],
        ['click button "Pay"'],
    ]


def test_layers_go_by_the_distance_from_the_start() -> None:
    drawn = diagram(shop())
    assert [[box.states for box in layer] for layer in drawn.layers] == [[(0,)], [(1,)], [(2,)], [(3,)]]
    assert [each.start for each in drawn.states] == [True, False, False, False]
    assert [(each.distance, each.before) for each in drawn.states] == [(0, None), (1, 0), (2, 1), (3, 2)]
    assert drawn.events[drawn.states[3].by] == 'click button "Buy"'


def test_going_to_an_address_is_the_last_resort_of_a_way() -> None:
    machine = shop()
    machine.learn(state(0), done("visit http://shop.test/items/7"), state(3))
    machine.learn(state(0), done("visit http://shop.test/only"), state(9))
    drawn = diagram(machine)
    assert (drawn.states[3].distance, drawn.states[4].distance) == (3, 1)


def test_states_without_a_way_come_last() -> None:
    machine = shop()
    machine.learn(state(7), done("click a"), state(8))
    drawn = diagram(machine)
    assert [box.states for box in drawn.layers[-1]] == [(4,), (5,)]
    assert drawn.states[4].distance is None


def test_why_a_state_is_one_of_its_own() -> None:
    states = diagram(shop()).states
    assert [each.state for each in states[3].neighbours] == [2]
    assert states[3].neighbours[0].words.startswith("Two states: only the first has `main > dialog`")
    assert {each.state for each in states[0].neighbours} == {2, 3}, "no other has this address"
    assert states[1].neighbours == (), "what it was told by is not known"


def test_comparing_states_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model_diagram, "MOST_WORK", 2 * len("/items/*\n main(h1)") * len("/\n main(ul(li*))"))
    assert [len(each.neighbours) for each in diagram(shop()).states] == [1, 0, 0, 0]


def test_many_states_share_boxes_by_the_kind_of_their_address() -> None:
    assert all(not box.name for layer in diagram(large(MOST_APART)).layers for box in layer)
    drawn = diagram(large(100))
    boxes = [box for layer in drawn.layers for box in layer]
    assert {box.name for box in boxes} == {"", *(f"/{letter}/*" for letter in "abcdefghij")}
    assert sorted(n for box in boxes for n in box.states) == list(range(100))
    assert len(boxes) == 11


def test_a_box_that_would_hold_too_many_is_split_by_distance() -> None:
    machine = Machine()
    machine.started(state(0))
    for n in range(1, 101):
        machine.learn(state((n - 1) // 4), done(f"click {n}"), state(n))
    boxes = [box for layer in diagram(machine).layers for box in layer]
    assert [len(box.states) for box in boxes] == [1, 4, 16, 64, 16]
    assert len(boxes[3].states) > MOST_TOGETHER


def test_where_there_are_too_many_kinds_of_address_their_beginning_counts() -> None:
    machine = Machine()
    machine.started(state(0))
    for n in range(1, 101):
        word = "".join("abcdefghij"[int(digit)] for digit in f"{n:03}")
        machine.learn(state(0), done(f"click {n}"), state(n, f"{word[2]}/{word}"))
    names = {box.name for layer in diagram(machine).layers for box in layer}
    assert names == {"", *(f"/{letter}/…" for letter in "abcdefghij")}


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 60), st.sampled_from(["a", "b", "visit c"]), st.integers(0, 60)), max_size=150)
)
def test_every_model_can_be_drawn(steps: list[tuple[int, str, int]]) -> None:
    machine = Machine()
    machine.started(state(0))
    for before, what, after in steps:
        event = event_of(kind=Kind.USER, what=what)
        machine.learn(state(before, f"{before % 7}"), event, state(after, f"{after % 7}"))
    drawn = diagram(machine)
    assert sorted(n for layer in drawn.layers for box in layer for n in box.states) == list(range(len(machine)))
    assert sum(len(edge.events) for edge in drawn.edges) == machine.transitions
    for each in drawn.states:
        if each.before is not None:
            nearer = drawn.states[each.before].distance
            assert nearer is not None
            assert each.distance == nearer + 1
