from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jostle.events import Locator
from jostle.export.draft import Draft, LocatorPair, drafted, located
from jostle.export.playwright_steps import element

SAVE = Locator(role="button", name="Save", css="#save")
SECOND = Locator(role="button", name="Save", css="#other", nth=2)


def test_locators_are_open_in_a_draft_and_by_name_elsewhere() -> None:
    by_name = 'page.get_by_role("button", name="Save", exact=True).first'
    assert element(SAVE) == by_name
    draft = drafted(lambda: f"{element(SAVE)}.click()\n{element(SECOND)}.click()\n{element(SAVE)}.hover()\n")
    assert len(draft.locators) == 2  # one element, one choice
    assert draft.written().splitlines()[0] == f"{by_name}.click()"
    assert draft.written([0]).splitlines() == [
        'page.locator("#save").click()',
        'page.get_by_role("button", name="Save", exact=True).and_(page.locator("#other")).click()',
        'page.locator("#save").hover()',
    ]
    assert draft.probing("either").splitlines()[0] == f'either({by_name}, page.locator("#save"), 0).click()'
    assert element(SAVE) == by_name


def test_the_first_of_an_element_is_not_asked_for_twice() -> None:
    draft = drafted(lambda: f"{located('page.a.first', 'page.b')}.first")
    assert draft.written() == "page.a.first"
    assert draft.written([0]) == "page.b.first"


def test_what_has_no_place_is_not_left_open() -> None:
    named = Locator(role="button", name="Save", nth=3)
    assert drafted(lambda: element(named)) == Draft(element(named))


def test_a_draft_that_fails_leaves_nothing_behind() -> None:
    def fails() -> str:
        raise ValueError("no test")

    with pytest.raises(ValueError, match="no test"):
        drafted(fails)
    assert located("by name", "by place") == "by name"


@given(st.lists(st.tuples(st.text(max_size=8), st.text(min_size=1, max_size=8)), max_size=6), st.data())
def test_every_choice_of_locators_is_python(names: list[tuple[str, str]], data: st.DataObject) -> None:
    locators = [Locator(role="button", name=name, css=css) for name, css in names]
    draft = drafted(lambda: "\n".join(f"{element(each)}.click()" for each in locators))
    chosen = data.draw(st.sets(st.integers(0, max(0, len(draft.locators) - 1))))
    for text in (draft.written(), draft.written(chosen), draft.probing("either")):
        assert "\0" not in text
        assert len(ast.parse(text).body) == len(locators)


def test_a_draft_can_be_changed_as_a_whole() -> None:
    draft = Draft("a \x000\x00", (LocatorPair("n", "p"),)).with_text(lambda text: text.replace("a", "b"))
    assert draft.written() == "b n"
