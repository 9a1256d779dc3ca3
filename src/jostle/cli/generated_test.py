"""Keeping a Playwright test of a finding in the directory of its run."""

from __future__ import annotations

from collections.abc import Callable

from jostle.cli.outcome import Work
from jostle.config.settings import Loaded
from jostle.export.context import in_context
from jostle.progress import Note
from jostle.writing import write_whole


def kept_test(work: Work, finding: str, make: Callable[[str], str], loaded: Loaded, *, state: str = "") -> str | None:
    """The name of the file with what `make` makes, given a name for the test, in a browser as it is configured.
    `state`: the file of a storage state, instead of the configured one.

    None when that is nothing, or a ValueError that says why there can be no test.
    """
    name = finding.replace("-", "_")
    try:
        made = make(name)
    except ValueError as reason:
        work.listener(Note(text=f"No Playwright test for {finding}: {reason}"))
        return None
    if not made:
        return None
    browser, login = loaded.configuration.browser, loaded.configuration.login
    if not state and login is not None and login.storage_state is not None:
        state = str(loaded.path(login.storage_state))
    made = in_context(
        made,
        viewport=browser.viewport,
        locale=browser.locale,
        timezone=browser.timezone,
        storage_state=state,
    )
    file = f"test_{name}.py"
    write_whole(work.run.path / file, made.encode())
    if login is not None and not state:
        work.listener(Note(text=f"{file} does not log in. Give its browser a storage state: see browser_context_args."))
    return file
