"""Failures of one bug, and what sort of bug it looks like."""

from __future__ import annotations

import pytest

from jostle.adverse.triage import Category, Evidence, Symptom, category, clustered, normal


def test_what_changes_from_run_to_run() -> None:
    first = "Timeout 5000ms exceeded at http://127.0.0.1:4101/a/1 for 3f2a-99bc-77\nCall log:\n  - waiting"
    second = "Timeout 5003ms exceeded at http://127.0.0.1:9999/b for 77aa-00bc-11"
    assert normal(first) == normal(second)
    assert normal("expected Apple") != normal("expected Pear")
    has, has_not = "Locator expected to contain text 'The first'", 'Locator expected not to contain text "It\'s"'
    assert normal(has) == normal("Locator expected to contain text 'Another word'\nActual value: ")[: len(normal(has))]
    assert normal(has) != normal(has_not)
    assert normal(has) != normal("Locator expected to have text 'The first'")
    assert normal("Locator expected to have text ['a', 'b']") == normal("Locator expected to have text ['c']")


@pytest.mark.parametrize(
    ("seen", "expected"),
    [
        (Evidence(message="x", errors=["TypeError"]), Category.CRASH),
        (Evidence(message="x", restored=False, errors=["TypeError"]), Category.TECHNICAL),
        (Evidence(message="Element is not attached to the DOM"), Category.BRITTLE),
        (Evidence(message="x", address="/a", usual_address="/b"), Category.UNEXPECTED_SCREEN),
        (Evidence(message="Page URL expected to be '/a'"), Category.UNEXPECTED_SCREEN),
        (Evidence(message="Locator expected to have value 'x'", screen="a", usual="a"), Category.NOT_PERSISTED),
        (Evidence(message="Locator expected to have text 'x'", screen="a", usual="a"), Category.WRONG_CONTENT),
        (Evidence(message="Locator expected to be visible", screen="a", usual="a"), Category.SILENT),
        (Evidence(message="Locator expected to be visible", screen="a", usual="b"), Category.ELEMENT_GONE),
        (Evidence(message="boom", screen="a", usual="b"), Category.OTHER),
    ],
)
def test_categories(seen: Evidence, expected: Category) -> None:
    assert category(seen) is expected


def test_clusters() -> None:
    def symptom(message: str) -> Symptom:
        return Symptom(condition="hide", screen="s", kind="AssertionError", message=message)

    items = [(symptom("a"), 1), (symptom("b"), 2), (symptom("a"), 3)]
    assert clustered(items) == [[1, 3], [2]]
