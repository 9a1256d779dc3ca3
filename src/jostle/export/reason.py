"""Whether a generated test fails for its reason.

Every generated test has a constant FOUND with its reason in words, and the assertion that fails because of the finding
begins with it. Whatever else makes a test fail (an element that is not there, a server that is down) says something
else.
"""

from __future__ import annotations

import ast
import re
from enum import StrEnum

import msgspec

from jostle.text import printable

_LONGEST = 200
_UNREACHABLE = re.compile(r"net::ERR_(?:CONNECTION_REFUSED|EMPTY_RESPONSE|ADDRESS_UNREACHABLE|NAME_NOT_RESOLVED)")


class Verdict(StrEnum):
    """What a run of a generated test shows."""

    REPRODUCED = "reproduced"
    """It failed, and for its reason."""
    PASSED = "passed"
    """The application did well, without jostle and with its own server."""
    NOT_REPRODUCED = "not reproduced"
    """It failed for another reason, or did not end."""
    NOT_RUN = "not run"
    """No fault of the test: the application or the browser was not there, or there was no time."""


class PytestOutcome(msgspec.Struct, frozen=True, kw_only=True):
    """How a run of one test ended. Nothing in it: the test passed."""

    when: str = ""
    """`call`; `setup` and `teardown` when it was not the test itself; `collect` when it could not be imported."""
    error: str = ""
    """The type of the exception."""
    message: str = ""
    timed_out: float = 0
    """Seconds after which it was ended."""


def reason_of(test: str) -> str:
    """What the assertion of the finding begins with; empty when the source does not say."""
    for node in ast.parse(test).body:
        if isinstance(node, ast.Assign) and [ast.unparse(each) for each in node.targets] == ["FOUND"]:
            value = ast.literal_eval(node.value)
            return value if isinstance(value, str) else ""
    return ""


def judged(test: str, outcome: PytestOutcome) -> tuple[Verdict, str]:
    """What this run of the test shows, and in words why it does not show the finding."""
    if outcome.timed_out:
        return Verdict.NOT_REPRODUCED, f"it did not end within {outcome.timed_out:.0f} s"
    if not outcome.when:
        return Verdict.PASSED, "it passed"
    reason = reason_of(test)
    if outcome.when == "call" and outcome.error == "AssertionError" and reason and _begins(outcome.message, reason):
        return Verdict.REPRODUCED, ""
    said = _in_one_line(outcome)
    if _UNREACHABLE.search(outcome.message):
        return Verdict.NOT_RUN, f"the application did not respond: {said}"
    if outcome.when in ("call", "collect"):
        return Verdict.NOT_REPRODUCED, f"it failed for another reason: {said}"
    return Verdict.NOT_RUN, said


def _in_one_line(outcome: PytestOutcome) -> str:
    """Type and first line of the error, in so many printable characters."""
    said = " ".join(printable(outcome.message).strip().split("\n", 1)[0].split())
    told = said if outcome.error == "AssertionError" and said else f"{outcome.error}: {said}".removesuffix(": ")
    return f"{told[: _LONGEST - 1]}…" if len(told) > _LONGEST else told


def _begins(message: str, reason: str) -> bool:
    """Apart from white space, which pytest changes."""
    return " ".join(message.split()).startswith(" ".join(reason.split()))
