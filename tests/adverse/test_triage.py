"""Failures of one bug, and what sort of bug it looks like."""

from __future__ import annotations

import pytest

from jostle.adverse.triage import Category, FailureSigns, category, normal


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
        (FailureSigns(message="x", errors=["TypeError"]), Category.CRASH),
        (FailureSigns(message="x", restored=False, errors=["TypeError"]), Category.TECHNICAL),
        (FailureSigns(message="Element is not attached to the DOM"), Category.BRITTLE),
        (FailureSigns(message="x", address="/a", usual_address="/b"), Category.UNEXPECTED_SCREEN),
        (FailureSigns(message="Page URL expected to be '/a'"), Category.UNEXPECTED_SCREEN),
        (FailureSigns(message="Locator expected to have value 'x'", screen="a", usual="a"), Category.NOT_PERSISTED),
        (FailureSigns(message="Locator expected to have text 'x'", screen="a", usual="a"), Category.WRONG_CONTENT),
        (FailureSigns(message="Locator expected to be visible", screen="a", usual="a"), Category.SILENT),
        (FailureSigns(message="Locator expected to be visible", screen="a", usual="b"), Category.ELEMENT_GONE),
        (FailureSigns(message="boom", screen="a", usual="b"), Category.OTHER),
    ],
)
def test_categories(seen: FailureSigns, expected: Category) -> None:
    assert category(seen) is expected
