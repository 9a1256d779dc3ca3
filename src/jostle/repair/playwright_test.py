"""The variant of a generated test that loads the repair first, and passes."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable

from jostle.errors import Problem
from jostle.export.playwright_steps import comment, literal

_AGENT = re.compile(r"^( +)context\.add_init_script\(AGENT(.*)\)$", re.MULTILINE)
"""Where a run puts its own script into a page: the repair comes behind it, and before the page's."""
_IMPORT = "from typing import Any\n"
_BESIDE = re.compile(r"\"([\w.-]+\.(?:js|json))\"")
_SECOND = "\n    done = run.can(second, page, place_of_second(page))\n"
"""Where a test does the second of two actions while responses may be held."""
_NO_PLACE = "the generated test has no place for the repair"


def beside(test: str, read: Callable[[str], bytes]) -> dict[str, bytes]:
    """The files that must lie beside a test, by name, as far as `read` has them: the repair, a storage state."""
    files = {}
    for name in dict.fromkeys(_BESIDE.findall(test)):
        with contextlib.suppress(Problem):
            files[name] = read(name)
    return files


def with_repair(test: str, script: str, policy: str, *, drops: bool = False) -> str:
    """The source of a generated test with the script of that file, which must lie beside it, as the first of the page.
    `drops`: the second action is dropped in the bad order, which must end as if only the first had been done. Raises
    ValueError, in words, for a test that is made otherwise."""
    if not _AGENT.search(test) or test.count(_IMPORT) != 1 or "\nURL = " not in test:
        raise ValueError(_NO_PLACE)
    if drops:
        if test.count(_SECOND) != 1:
            raise ValueError(_NO_PLACE)
        calm = f"{_SECOND.rstrip()} if late else page  # the repair drops it: as without it\n"
        test = test.replace(_SECOND, calm)
    told = comment(f"With the repair ({policy}) it passes; without it, it fails.")
    constant = f"\nREPAIR = Path(__file__).with_name({literal(script)})  # the first script of the page\nURL = "
    test = _AGENT.sub(
        lambda found: f'{found[1]}context.add_init_script(AGENT{found[2]} + ";\\n" + REPAIR.read_text("utf-8"))', test
    )
    test = test.replace(_IMPORT, "from pathlib import Path\n" + _IMPORT)
    test = test.replace("\nURL = ", constant, 1)
    return test.replace("\nfrom __future__ ", f"\n{told}\nfrom __future__ ", 1)
