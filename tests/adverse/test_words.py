"""Actions in the words of people."""

from __future__ import annotations

import pytest

from jostle.adverse.calls import only_reads
from jostle.adverse.words import path, people, selector, target


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ('internal:role=button[name="Save"i]', 'button "Save"'),
        ('internal:role=button[name="Save"i] >> nth=0', 'button "Save", number 1'),
        ("internal:role=listitem >> nth=-1", "listitem, the last"),
        ('internal:label="Note"i', 'field "Note"'),
        ('internal:text="a b"i', 'text "a b"'),
        ('internal:testid=[data-testid="row"s]', '[data-testid="row"]'),
        ('internal:attr=[placeholder="Search"i]', 'field "Search"'),
        ('ul >> internal:role=listitem[name="x"s]', 'ul listitem "x"'),
        ('iframe >> internal:control=enter-frame >> internal:label="L"i', 'iframe › field "L"'),
        ('#a >> internal:has-text="q"i', '#a with text "q"'),
        ("", ""),
    ],
)
def test_people(written: str, words: str) -> None:
    assert people(written) == words


class Locator:
    def __init__(self, text: str) -> None:
        self._text = text

    def __repr__(self) -> str:
        return f"<Locator frame=<Frame name= url='http://h/?selector=1'> selector={self._text!r}>"


@pytest.mark.parametrize("written", ['internal:text="it\'s"i', "#a", 'css=[title="x"]'])
def test_selector(written: str) -> None:
    assert selector(Locator(written)) == written


def test_target_has_no_data() -> None:
    one, other = (f'internal:role=button[name="Delete {name}"i] >> nth={n}' for n, name in enumerate("ab"))
    assert target(one) == target(other) == "button nth"
    assert target("#row-17 >> td") == target("#row-3 >> td")


def test_path() -> None:
    assert path("http://127.0.0.1:41234/cart?x=1#y") == "/cart?x=1#y"
    assert path("http://127.0.0.1:41234") == "/"
    assert path("/cart") == "/cart"


@pytest.mark.parametrize(
    ("script", "reads"),
    [
        ("document.title", True),
        ("() => document.querySelector('#a = b').textContent", True),
        ("localStorage.getItem('x') === null", True),
        ("rows => rows.map(row => row.innerText)", True),
        ("window.x = 1", False),
        ("() => { counter++ }", False),
        ("localStorage.clear()", False),
        ("document.querySelector('a').click()", False),
        ("fetch('/reset')", False),
    ],
)
def test_scripts_that_only_read(script: str, reads: bool) -> None:
    assert only_reads(script) is reads
