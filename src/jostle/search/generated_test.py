"""The Playwright test of a finding, as a file beside it."""

from __future__ import annotations

from collections.abc import Callable

from jostle.config.settings import Loaded
from jostle.export.context import in_context
from jostle.export.draft import drafted
from jostle.findings.evidence import GeneratedTest
from jostle.progress import Note
from jostle.search.stream import DraftMade, Emit, FileMade


def emit_test(
    emit: Emit, finding: str, make: Callable[[str], str], loaded: Loaded, *, state: str = ""
) -> GeneratedTest:
    """The file with what `make` makes, given a name for the test, in a browser as it is configured.
    `state`: the name of a storage state beside it, instead of the configured one.

    No file when `make` gives nothing, or raises a ValueError that says why there can be no test.
    """
    name = finding.replace("-", "_")
    try:
        made = drafted(lambda: make(name))
    except ValueError as reason:
        emit(Note(text=f"No Playwright test for {finding}: {reason}"))
        return GeneratedTest(untested=str(reason))
    if not made.text:
        return GeneratedTest()
    browser, login = loaded.configuration.browser, loaded.configuration.login
    configured = str(loaded.path(login.storage_state)) if login is not None and login.storage_state is not None else ""
    made = made.with_text(
        lambda text: in_context(
            text,
            viewport=browser.viewport,
            locale=browser.locale,
            timezone=browser.timezone,
            storage_state=configured,
            beside=state,
        )
    )
    file = f"test_{name}.py"
    emit(FileMade(file, made.written().encode()))
    emit(DraftMade(file, made, state))
    if login is not None and not (state or configured):
        emit(Note(text=f"{file} does not log in. Give its browser a storage state: see browser_context_args."))
    return GeneratedTest(file)
