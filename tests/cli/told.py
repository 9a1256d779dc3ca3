"""All that a command tells, without what differs from one run of it to the next: to be compared with a snapshot."""

from __future__ import annotations

import importlib.metadata
import platform
import re
import sys
from pathlib import Path
from subprocess import CompletedProcess

import jostle

_PLACES = {str(Path(jostle.__file__).parent): "JOSTLE", sys.executable: "PYTHON"}
_VERSIONS = (jostle.__version__, platform.python_version(), importlib.metadata.version("playwright"))
_VOLATILE = (
    (r"http://(127\.0\.0\.1|localhost):\d{2,5}", r"http://\1:PORT"),
    (r"\b20\d{6}-\d{6}(-\d+)?(?=-[a-z])", "RUN"),
    (r"\b\d+ steps, [\d.]+ (bytes|kB|MB)(?=\))", "N steps, SIZE"),
    (r"^\d+ steps: reproduced", "N steps: reproduced"),
    (r"(?<=bugs were found, in )[\d.]+ (ms|s)", "TIME"),
    (r"\((in|interrupted after) [^()]+\)", r"(\1 TIME)"),
    (r"(?<![\d.])(" + "|".join(map(re.escape, _VERSIONS)) + r")(?![\d.])", "VERSION"),
)


def told(done: CompletedProcess[str], cwd: Path) -> str:
    """What was asked for in a directory, the exit code, standard output and standard error."""
    parts = [f"$ jostle {' '.join(done.args)}", f"exit code {int(done.returncode)}"]
    if done.stdout:
        parts.append(f"--- output\n{done.stdout}")
    if done.stderr:
        parts.append(f"--- errors\n{_without_progress(done.stderr)}")
    text = "\n".join(parts)
    for place, name in ((str(cwd), "HERE"), *_PLACES.items()):
        text = text.replace(place, name)
    for pattern, name in _VOLATILE:
        text = re.sub(pattern, name, text, flags=re.MULTILINE)
    return text


def _without_progress(errors: str) -> str:
    """How far a piece of work is gets told as often as there is time for it; here only that it was begun."""
    lines = errors.splitlines(keepends=True)
    begun = tuple(f"{line.rstrip().removesuffix(' ...')}: " for line in lines if line.endswith(" ...\n"))
    return "".join(line for line in lines if not (begun and line.startswith(begun)))
