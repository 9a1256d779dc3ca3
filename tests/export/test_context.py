"""The browser of a generated test."""

from __future__ import annotations

import ast

import pytest

from jostle.export.context import in_context

PLAIN = """# -*- coding: utf-8 -*-
import time

from playwright.sync_api import Page


def test_x(page: Page) -> None:
    pass
"""
TOUCHING = """import pytest
from playwright.sync_api import Page


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict) -> dict:
    return {**browser_context_args, "has_touch": True}
"""


def arguments(text: str) -> dict[str, object]:
    """What the fixture gives to new contexts."""
    body = ast.parse(text).body
    [fixture] = [node for node in body if getattr(node, "name", "") == "browser_context_args"]
    space: dict[str, object] = {"__file__": "/somewhere/test_x.py"}
    code = ast.Module([*(node for node in body if isinstance(node, ast.Import | ast.ImportFrom)), fixture], [])
    fixture.decorator_list = []  # type: ignore[attr-defined]
    exec(compile(code, "fixture", "exec"), space)
    made: dict[str, object] = space["browser_context_args"]({"base_url": "x"})  # type: ignore[operator]
    return made


def test_nothing_is_added_to_what_playwright_does_anyway() -> None:
    assert in_context(PLAIN) == PLAIN and in_context(TOUCHING) == TOUCHING


@pytest.mark.parametrize("text", [PLAIN, TOUCHING])
def test_it_is_like_ours(text: str) -> None:
    hostile = 'de"\n\\x'
    made = in_context(text, viewport=(390, 844), locale=hostile, timezone="UTC", storage_state="/a/state.json")
    assert made.count("import pytest\n") == 1
    given = arguments(made)
    assert given.pop("has_touch", True) is True
    assert given == {
        "base_url": "x",
        "viewport": {"width": 390, "height": 844},
        "locale": hostile,
        "timezone_id": "UTC",
        "storage_state": "/a/state.json",
    }


@pytest.mark.parametrize("text", [PLAIN, TOUCHING])
def test_a_storage_state_beside_the_test(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is secret in it was replaced: whoever has a session of their own names it."""
    made = in_context(text, beside="state-1.json")
    assert made.count("from pathlib import Path\n") == 1 and made.count("import os\n") == 1
    monkeypatch.delenv("JOSTLE_STORAGE_STATE", raising=False)
    given = arguments(made)["storage_state"]
    assert str(given) == "/somewhere/state-1.json"
    monkeypatch.setenv("JOSTLE_STORAGE_STATE", "/mine.json")
    assert arguments(made)["storage_state"] == "/mine.json"


ANCHORS = (
    "from playwright.sync_api import*;boom(1);",
    '''from playwright.sync_api import*;boom(1);"""#''',
    "import pytest",
    "import os",
    "from pathlib import Path",
    "def browser_context_args(",
    '"has_touch": True',
)


@pytest.mark.parametrize("words", ANCHORS)
@pytest.mark.parametrize("arguments", [{"locale": "de-DE"}, {"beside": "state.json"}], ids=["locale", "state"])
def test_words_of_a_page_stay_words(words: str, arguments: dict[str, str]) -> None:
    """Whatever of our own source they look like."""
    head, _, rest = PLAIN.partition("\n")
    test = f"{head}\n# {words}\n{rest}\n\nFOUND = {words!r}\n"
    made = in_context(test, **arguments)  # type: ignore[arg-type]
    before, after = ast.parse(test), ast.parse(made)
    assert f"# {words}\n" in made and f"FOUND = {words!r}" in made
    kept = [ast.unparse(each) for each in before.body]
    added = [ast.unparse(each) for each in after.body if ast.unparse(each) not in kept]
    assert all(each.startswith(("import os", "from pathlib", "import pytest", "@pytest.fixture")) for each in added)
    assert len(added) == len(after.body) - len(before.body)
