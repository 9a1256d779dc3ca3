"""What a user does on an example page, and the same as a Playwright script.

A step is what jostle calls it:

    click button "Save"
    check checkbox "Secret"
    type "plan.txt" in textbox "Name"
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

_STEP = re.compile(r'(?P<action>click|check|type "(?P<value>[^"]+)" in) (?P<role>\w+) "(?P<name>[^"]+)"')

_PAUSE = 500
_SCRIPT = """\
from playwright.sync_api import sync_playwright

with sync_playwright() as playwright:
    browser = playwright.chromium.launch(args={arguments!r})
    page = browser.new_page()
    page.goto({url!r})
    page.wait_for_timeout({pause})
{steps}
    browser.close()
"""


class Step(NamedTuple):
    """One thing that a user does."""

    action: str
    """What Playwright calls it: `click`, `check` or `fill`."""
    role: str
    name: str
    value: str = ""
    """What is typed."""

    @classmethod
    def of(cls, text: str) -> Step:
        """Raises ValueError."""
        found = _STEP.fullmatch(text)
        if found is None:
            raise ValueError(f"not a step of a scenario: {text}")
        value = found["value"] or ""
        return cls("fill" if value else found["action"], found["role"], found["name"], value)


def script(scenario: Sequence[str], url: str, *, arguments: Sequence[str] = ()) -> str:
    """A Playwright script that opens the address and does what the scenario says, at its leisure.

    `arguments` are for the browser: `jostle.browser.find.sandbox_arguments()` where it runs as root.
    """
    steps = "\n".join(f"    {_line(Step.of(step))}\n    page.wait_for_timeout({_PAUSE})" for step in scenario)
    return _SCRIPT.format(url=url, steps=steps, arguments=list(arguments), pause=_PAUSE)


def _line(step: Step) -> str:
    value = repr(step.value) if step.value else ""
    return f"page.get_by_role({step.role!r}, name={step.name!r}, exact=True).{step.action}({value})"
