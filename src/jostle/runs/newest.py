"""Which runs there are below a directory."""

from __future__ import annotations

import re
from pathlib import Path

from jostle.errors import RunProblem

_NAME = re.compile(r"(\d{8}-\d{6})-(.*?)(?:-(\d+))?")
"""The time, the command, and which of these in the same second."""


def runs_below(parent: Path) -> list[Path]:
    """Directories of runs, the newest first. Raises RunProblem when there is no such directory."""
    try:
        found = [each for each in parent.iterdir() if (each / "run.db").is_file()]
    except OSError as error:
        raise RunProblem(f"There are no runs in {parent}: {error.strerror}.", advice=_ADVICE) from None
    return sorted(found, key=_age, reverse=True)


def newest(parent: Path, *commands: str) -> Path:
    """The newest run below a directory, of one of these commands where some are named. Raises RunProblem."""
    names = {command.replace(" ", "-") for command in commands}
    for run in runs_below(parent):
        if not names or ((named := _NAME.fullmatch(run.name)) and named[2] in names):
            return run
    raise RunProblem(f"There is no run in {parent}.", advice=_ADVICE)


def _age(run: Path) -> tuple[str, int, float]:
    named = _NAME.fullmatch(run.name)
    return (named[1] if named else "", int(named[3] or 1) if named else 0, (run / "run.db").stat().st_mtime)


_ADVICE = "Name the directory of a run; a command says at its end where its run is kept."
