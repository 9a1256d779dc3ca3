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


def in_context(
    test: str,
    *,
    viewport: tuple[int, int] = PLAYWRIGHTS_VIEWPORT,
    locale: str = "",
    timezone: str = "",
    storage_state: str = "",
) -> str:
    """A test for pytest-playwright in such a browser; as it is, when that is Playwright's own."""
    arguments = []
    if viewport != PLAYWRIGHTS_VIEWPORT:
        arguments.append(f'"viewport": {{"width": {int(viewport[0])}, "height": {int(viewport[1])}}}')
    for name, value in (("locale", locale), ("timezone_id", timezone), ("storage_state", storage_state)):
        if value:
            arguments.append(f'"{name}": {literal(value)}')
    if not arguments:
        return test
    told = ", ".join(arguments)
    if "def browser_context_args(" in test:
        return test.replace(_TOUCH, f"{_TOUCH}, {told}", 1)
    if "\nimport pytest\n" not in test:
        test = test.replace("\nfrom playwright.", "\nimport pytest\nfrom playwright.", 1)
    return f"{test.rstrip()}\n\n{_FIXTURE.format(arguments=told)}"
