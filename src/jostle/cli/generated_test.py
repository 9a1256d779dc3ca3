"""Keeping a Playwright test of a finding in the directory of its run."""

from __future__ import annotations

from collections.abc import Callable

from jostle.cli.outcome import Work
from jostle.progress import Note
from jostle.writing import write_whole


def kept_test(work: Work, finding: str, make: Callable[[str], str]) -> str | None:
    """The name of the file with what `make` makes, given a name for the test.

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
    file = f"test_{name}.py"
    write_whole(work.run.path / file, made.encode())
    return file
