from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings

from jostle.model.inference import infer
from jostle.model.macro import Macro, Transition
from jostle.model.macros_file import Macros
from jostle.model.relation import Relation
from jostle.model.usage import MicroEvent, UsageEntry
from jostle.report.macro_diagram import diagram
from jostle.report.macros import in_words, page
from tests.model.usages import menu, usages
from tests.report.recordings import HARMLESS, HOSTILE
from tests.report.test_timeline import Page, contrast


def macro(*transitions: tuple[int, str, str, int], final: int) -> Macro:
    """Transitions as (0, "click a", "same", 1)."""
    made = tuple(
        Transition(source, MicroEvent(*event.split(" ", 1)), Relation(relation), target)
        for source, event, relation, target in transitions
    )
    return Macro(name="M", states=final + 1, final=(final,), transitions=made, support=9, sequences=4)


MENU = macro(
    (0, "hover a", "none", 1),
    (1, "hover li", "family", 2),
    (2, "mouseout li", "same", 1),
    (1, "hover li", "family", 3),
    (3, "click a", "descendant", 4),
    final=4,
)


def test_a_menu_in_words() -> None:
    assert in_words(MENU) == (
        "First move onto a link. Any number of times: move onto a list item near it or move off the same list item. "
        "Then move onto a list item near it. At last click a link inside it."
    )


def test_what_can_be_left_out() -> None:
    made = macro(
        (0, "type input:email", "none", 1),
        (1, "check input:checkbox", "family", 2),
        (1, "click button", "ancestor", 3),
        (2, "click article", "none", 3),
        final=3,
    )
    assert in_words(made) == (
        "First type in an email field. Perhaps tick a checkbox near it. "
        "At last click a button around it or click an article element anywhere."
    )


def test_many_things_are_not_all_told() -> None:
    ends = [(1, f"click x{n}", "same", 2) for n in range(9)]
    assert in_words(macro((0, "click a", "none", 1), *ends, final=2)) == (
        "First click a link. At last click the same x0 element, click the same x1 element, click the same x2 element, "
        "click the same x3 element, click the same x4 element or 4 other things."
    )


def test_the_page() -> None:
    found, facts = infer([menu(0), menu(1), menu(2)], support=1)
    shown = Page(page(Macros(macros=found, inferred=facts)))
    assert f"{len(found)} macros" in shown.text
    assert "Learned from 3 sessions with 15 events in 3 pieces" in shown.text
    for each in found:
        assert in_words(each) in shown.text
        assert f"{len(each.transitions)} transition" in shown.text
    assert sum(tag == "svg" for tag, _ in shown.elements) == len(found) > 1


def test_nothing_is_loaded_and_nothing_runs() -> None:
    shown = Page(page(Macros(macros=(MENU,))))
    policy = next(at["content"] for tag, at in shown.elements if at.get("http-equiv") == "Content-Security-Policy")
    assert re.fullmatch(r"default-src 'none'; style-src 'sha256-[\w+/=]+'", policy or "")
    assert not [at for _, at in shown.elements if at.keys() & {"src", "href", "style"}]
    assert not [tag for tag, _ in shown.elements if tag == "script"]
    targets = {at["id"] for tag, at in shown.elements if tag == "marker"}
    assert {at["marker-end"] for _, at in shown.elements if "marker-end" in at} == {f"url(#{name})" for name in targets}


def test_texts_of_the_page_stay_texts() -> None:
    hostile = MicroEvent(HOSTILE, HOSTILE)
    made = Macro(
        name=HOSTILE,
        states=2,
        final=(1,),
        transitions=(Transition(0, hostile, Relation.NONE, 1),),
    )
    wild, tame = Page(page(Macros(macros=(made,))).encode().decode()), Page(page(Macros(macros=(MENU,))))
    assert {tag for tag, _ in wild.elements} == {tag for tag, _ in tame.elements}
    assert not [name for _, at in wild.elements for name in at if name.startswith("on")]
    assert wild.text.count(" ".join(HARMLESS.split())) >= 3


def test_arrows_are_named_unless_there_are_too_many() -> None:
    assert {line for arrow in diagram(MENU).arrows for _, line in arrow.lines} == {
        "hover a",
        "hover li",
        "mouseout li",
        "click a",
    }
    chain = macro(*((n, "click a", "same", n + 1) for n in range(9)), final=9)
    assert [arrow.lines[0][1] for arrow in diagram(chain).arrows] == [str(n) for n in range(1, 10)]


@settings(max_examples=60, deadline=None)
@given(usages(longest=12))
def test_everything_is_inside_the_drawing(sessions: list[list[UsageEntry]]) -> None:
    macros, facts = infer(sessions, support=1, length_max=4)
    for each in macros:
        drawn = diagram(each)
        left, top, width, height = drawn.box
        assert len(drawn.circles) == each.states
        assert len({circle.x for circle in drawn.circles}) == each.states
        assert len(drawn.arrows) == len({(one.source, one.target) for one in each.transitions})
        assert [circle.kind for circle in drawn.circles][0 :: each.states - 1] == ["first", "last"]
        across = [circle.x for circle in drawn.circles] + [arrow.x for arrow in drawn.arrows]
        down = [at for arrow in drawn.arrows for at, _ in arrow.lines] + [0]
        assert left < min(across) <= max(across) < left + width
        assert top < min(down) <= max(down) < top + height
        places = [(arrow.x, at) for arrow in drawn.arrows for at, _ in arrow.lines]
        assert len(set(places)) == len(places), "no name hides another"
    if macros:
        assert Page(page(Macros(macros=macros, inferred=facts))).text


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_every_text_can_be_read(scheme: int) -> None:
    style = Path(page.__globals__["__file__"]).with_name("templates") / "macros.css"
    block = re.findall(r":root \{(.*?)\}", style.read_text(), re.DOTALL)[scheme]
    colours = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{3,6});", block))
    pairs = [(text, ground) for text in ("text", "soft", "accent") for ground in ("sheet", "ground")]
    pairs += [("soft", "sunk"), ("accent", "choose"), ("good", "good-ground")]
    poor = {pair: round(contrast(*(colours[name] for name in pair)), 2) for pair in pairs}
    assert not {pair: ratio for pair, ratio in poor.items() if ratio < 4.5}
    assert contrast(colours["rail"], colours["sheet"]) >= 3, "an arrow can be seen"
