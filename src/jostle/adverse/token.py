"""What to write behind `--jostle-repro` to see a failure again.

hide@3          the condition `hide` after the third action
hide@3+hide@5   both
hide@3.1f0c     the same, where the third action is the one it was: otherwise the test has changed since
answers:...     an order of answers (see `orders`)
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence

import msgspec

from jostle.adverse.plan import Injection
from jostle.errors import UsageProblem

_PART = re.compile(r"([a-z][a-z0-9-]*)@([1-9][0-9]{0,4})(?:\.([0-9a-f]{4}))?")
ADVICE = "Copy it from the section on adverse conditions at the end of a run: `hide@3`, or several, joined with `+`."


class ReproStep(msgspec.Struct, frozen=True):
    """An injection that is to happen again."""

    injection: Injection
    mark: str = ""
    """Of the action; empty when it may be any."""


def mark(action: str) -> str:
    """A few letters that tell one action from another."""
    return hashlib.sha256(action.encode("utf-8", "replace")).hexdigest()[:4]


def written(injections: Sequence[Injection], actions: Mapping[int, str]) -> str:
    """`actions`: what is done at a point, in words that stay the same."""

    def one(each: Injection) -> str:
        known = actions.get(each.point)
        return f"{each.condition}@{each.point}" + (f".{mark(known)}" if known is not None else "")

    return "+".join(one(each) for each in sorted(injections))


def read(token: str) -> tuple[ReproStep, ...]:
    """Raises UsageProblem."""
    steps = []
    for part in token.strip().split("+"):
        found = _PART.fullmatch(part.strip())
        if found is None:
            raise UsageProblem(
                f"--jostle-repro: `{part.strip()[:80]}` tells of no condition and action.", advice=ADVICE
            )
        steps.append(ReproStep(Injection(int(found[2]), found[1]), found[3] or ""))
    return tuple(steps)
