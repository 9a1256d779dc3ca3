from __future__ import annotations

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from jostle.model.inference import infer, macros_of
from jostle.model.macro import Macro
from jostle.model.macros_file import Macros
from jostle.model.relation import relation, satisfies
from jostle.model.usage import MicroEvent, UsageEntry
from tests.model.usages import entries, menu, usages


def completed(macro: Macro, done: list[UsageEntry]) -> bool:
    """Can the macro be applied so that exactly this is done?"""
    states = {each.target for each in macro.leaving(macro.initial) if each.event == done[0].event}
    for before, entry in pairwise(done):
        related = relation(before.xpath, entry.xpath)
        states = {
            each.target
            for state in states
            for each in macro.leaving(state)
            if each.event == entry.event and satisfies(related, each.relation)
        }
    return any(macro.is_final(state) for state in states)


def test_the_menu_from_three_sessions() -> None:
    """The motivating example: whoever recorded passed over one item; the macro passes over any number, in any menu."""
    macros, facts = infer([menu(0), menu(1), menu(0)], support=1)
    macro = next(each for each in macros if each.name == "mouseover a")
    for passed in range(10):
        assert completed(macro, menu(passed, menu=7))
    *opened, click = menu(1)
    assert not completed(macro, [*opened, UsageEntry(click.event, "/html/body/main/a")]), "the click is not in the menu"
    assert (facts.sessions, facts.events, facts.pieces, facts.support) == (3, 11, 3, 1)


def test_the_support_is_twice_the_sessions_unless_told() -> None:
    three = [[*menu(0, url="a"), *menu(1, url="b"), *menu(0, url="c")]] * 3
    macros, facts = infer(three)
    assert facts.support == 6
    assert max(macro.support for macro in macros) == 9
    assert infer(three, support=10)[0] == ()


def test_nothing_reaches_across_pages() -> None:
    first, *rest = menu(0, url="a")
    session = [first, *(UsageEntry(each.event, each.xpath, "b") for each in rest)]
    macros, _ = infer([session] * 4, support=4)
    assert [macro.name for macro in macros] == ["mouseover li"]


def test_where_there_would_be_too_many_sequences_only_shorter_ones_are_looked_at() -> None:
    session = menu(3) * 6
    _, facts = infer([session], most=500)
    assert 2 <= facts.length_max < 10
    assert facts.frequent <= 500
    assert infer([session], length_max=facts.length_max)[1] == facts
    assert infer([session], length_max=facts.length_max + 1)[1].frequent > 500


def test_even_the_shortest_can_be_too_many() -> None:
    _, facts = infer([menu(3) * 6], most=3)
    assert (facts.length_max, facts.frequent) == (2, 3)


def test_no_sessions_no_macros() -> None:
    assert infer([])[0] == ()
    assert macros_of([]) == ()


@settings(max_examples=150, deadline=None)
@given(usages(longest=12), st.integers(1, 3))
def test_whatever_is_inferred_is_sound(sessions: list[list[UsageEntry]], k: int) -> None:
    """Each macro begins with its own event, and the file takes it."""
    macros, facts = infer(sessions, support=2, length_max=5, k=k)
    for macro in macros:
        assert [(str(each.event), each.relation) for each in macro.leaving(macro.initial)] == [(macro.name, "none")]
    assert sum(macro.sequences for macro in macros) == facts.closed
    assert facts.closed <= facts.frequent
    if macros:
        Macros(macros=macros).check()


@settings(max_examples=100, deadline=None)
@given(entries(5))
def test_what_was_always_done_can_be_done(done: list[UsageEntry]) -> None:
    related = all(relation(one.xpath, other.xpath) != "none" for one, other in pairwise(done))
    macros, _ = infer([done] * 3, support=3)
    if len(done) > 1 and related:
        assert any(completed(macro, done) for macro in macros)


def test_a_macro_knows_what_people_typed_into_its_fields() -> None:
    search, other = MicroEvent("type", "input:search"), MicroEvent("type", "input:email")
    press = MicroEvent("press", "input:search")
    xpath = "/html/body/form/input"
    session = [
        each
        for text in ("soup", "rice", "soup", " ")
        for each in (
            UsageEntry(search, xpath, field="input:search q", typed=text),
            UsageEntry(press, xpath),
        )
    ]
    session.append(UsageEntry(other, xpath, field="input:email e", typed="a@b.io"))
    macros, _ = infer([session], support=3)
    assert {macro.name: macro.typed for macro in macros}["type input:search"] == {"input:search q": ("soup", "rice")}


def test_a_macro_knows_where_people_did_its_events() -> None:
    """Items of a list are one place; what is done with other elements is no part of it."""
    hover, click, other = MicroEvent("hover", "a"), MicroEvent("click", "a"), MicroEvent("click", "button")
    session = [
        entry
        for n in range(3)
        for entry in (
            UsageEntry(hover, "/html/body/nav/ul"),
            UsageEntry(click, f"/html/body/nav/ul/li[{n}]/a"),
            UsageEntry(other, "/html/body/footer/button"),
        )
    ]
    macros, _ = infer([session], support=3, length_max=2)
    assert {macro.name: macro.seen for macro in macros}["hover a"] == (
        "click /html/body/nav/ul/li/a",
        "hover /html/body/nav/ul",
    )
