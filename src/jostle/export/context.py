"""What the browser of a generated test has to be like: as wide as ours, with our locale, logged in."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from jostle.export.draft import closed
from jostle.export.playwright_steps import literal

PLAYWRIGHTS_VIEWPORT = (1280, 720)
_FIXTURE_NAME = "browser_context_args"
_FIXTURE = """
@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict) -> dict:
    return {{**browser_context_args, {arguments}}}
"""
SESSION = "JOSTLE_STORAGE_STATE"
"""An environment variable: the file with a storage state to use in place of the one beside a test, whose secrets were
replaced."""


def in_context(
    test: str,
    *,
    viewport: tuple[int, int] = PLAYWRIGHTS_VIEWPORT,
    locale: str = "",
    timezone: str = "",
    storage_state: str = "",
    beside: str = "",
) -> str:
    """A test for pytest-playwright in such a browser; as it is, when that is Playwright's own.

    `storage_state`: the path of the file with who is logged in; `beside`: its name in the folder of the test instead.
    """
    arguments = []
    if viewport != PLAYWRIGHTS_VIEWPORT:
        arguments.append(f'"viewport": {{"width": {int(viewport[0])}, "height": {int(viewport[1])}}}')
    for name, value in (("locale", locale), ("timezone_id", timezone)):
        if value:
            arguments.append(f'"{name}": {literal(value)}')
    if beside:
        arguments.append(f'"storage_state": os.environ.get("{SESSION}") or Path(__file__).with_name({literal(beside)})')
    elif storage_state:
        arguments.append(f'"storage_state": {literal(storage_state)}')
    if not arguments:
        return test
    source = _Source(test)
    if beside:
        source.import_own("import os", "from pathlib import Path")
    told = ", ".join(arguments)
    if not source.add_argument(told):
        source.import_pytest()
        source.append(_FIXTURE.format(arguments=told))
    return source.text


class _Source:
    """The source of a test, changed where its syntax says: what comments and strings in it say is the page's."""

    def __init__(self, test: str) -> None:
        self.text = test

    @property
    def _body(self) -> list[ast.stmt]:
        return ast.parse(closed(self.text)).body

    @property
    def _imports(self) -> list[ast.Import | ast.ImportFrom]:
        return [each for each in self._body if isinstance(each, ast.Import | ast.ImportFrom)]

    def import_own(self, *wanted: str) -> None:
        """Import these of Python's own as well, after what else is."""
        present = {ast.unparse(each) for each in self._imports}
        missing = [each for each in wanted if each not in present]
        if not missing:
            return
        others = next(each.lineno for each in self._imports if _package(each) in ("pytest", "playwright"))
        before, after = self._split(others - 1)
        if any(each.lineno < others for each in self._imports):
            while before and not before[-1].strip():
                before.pop()
        self._join([*before, *missing, "", *after])

    def import_pytest(self) -> None:
        """Before what is Playwright's."""
        if any(_package(each) == "pytest" for each in self._imports):
            return
        playwright = next(each.lineno for each in self._imports if _package(each) == "playwright")
        before, after = self._split(playwright - 1)
        self._join([*before, "import pytest", *after])

    def add_argument(self, told: str) -> bool:
        """Add to the arguments that the test has for its browser context. False if it has none."""
        fixtures = (each for each in self._body if isinstance(each, ast.FunctionDef) and each.name == _FIXTURE_NAME)
        fixture = next(fixtures, None)
        if fixture is None:
            return False
        arguments = next(each for each in ast.walk(fixture) if isinstance(each, ast.Dict))
        last = arguments.values[-1]
        assert last.end_lineno is not None and last.end_col_offset is not None
        before, (line, *after) = self._split(last.end_lineno - 1)
        encoded = line.encode()
        end = last.end_col_offset  # in bytes
        self._join([*before, f"{encoded[:end].decode()}, {told}{encoded[end:].decode()}", *after])
        return True

    def append(self, text: str) -> None:
        self.text = f"{self.text.rstrip()}\n\n{text}"

    def _split(self, line: int) -> tuple[list[str], list[str]]:
        lines = self.text.split("\n")
        return lines[:line], lines[line:]

    def _join(self, lines: Iterable[str]) -> None:
        self.text = "\n".join(lines)


def _package(statement: ast.Import | ast.ImportFrom) -> str:
    name = statement.names[0].name if isinstance(statement, ast.Import) else statement.module or ""
    return name.partition(".")[0]
