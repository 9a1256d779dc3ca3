"""What the browser of a generated test has to be like: as wide as ours, with our locale, logged in."""

from __future__ import annotations

from jostle.export.playwright_steps import literal

PLAYWRIGHTS_VIEWPORT = (1280, 720)
_TOUCH = '"has_touch": True'
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
    told = ", ".join(arguments)
    if beside:
        test = _with_own(test, "import os\n", "from pathlib import Path\n")
    if "def browser_context_args(" in test:
        return test.replace(_TOUCH, f"{_TOUCH}, {told}", 1)
    if "\nimport pytest\n" not in test:
        test = test.replace("\nfrom playwright.", "\nimport pytest\nfrom playwright.", 1)
    return f"{test.rstrip()}\n\n{_FIXTURE.format(arguments=told)}"


def _with_own(test: str, *wanted: str) -> str:
    """With these of Python's own imported, after what else is."""
    missing = "".join(each for each in wanted if f"\n{each}" not in test)
    if not missing:
        return test
    first = min(found for each in ("import pytest\n", "from playwright.") if (found := test.find(each)) >= 0)
    own = test[:first]
    return f"{own.rstrip()}\n{missing}\n{test[first:]}" if "import " in own else f"{own}{missing}\n{test[first:]}"
