"""Which conditions a test is put in, and which of them together."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping, Sequence

from jostle.adverse.condition import Condition, Neutral, Pass
from jostle.errors import UsageProblem


def passes(conditions: Mapping[str, Condition]) -> Iterator[tuple[Pass, tuple[str, ...]]]:
    """What is injected together: all that keeps the document, all that builds it anew, and the rest one by one."""
    for one in (Pass.KEPT, Pass.REBUILT):
        if names := tuple(name for name, each in conditions.items() if each.in_pass is one):
            yield one, names
    for name, each in conditions.items():
        if each.in_pass is Pass.ENVIRONMENT:
            yield Pass.ENVIRONMENT, (name,)


def by_default(conditions: Mapping[str, Condition]) -> dict[str, Condition]:
    """Those that are used unless names are given."""
    return {name: each for name, each in conditions.items() if each.neutral is not Neutral.ASKED}


def select(conditions: Mapping[str, Condition], names: Sequence[str]) -> dict[str, Condition]:
    """Conditions by their names, or those of their pass. Raises UsageProblem."""
    picked: dict[str, Condition] = {}
    for name in names:
        found = {key: each for key, each in conditions.items() if name in (key, each.in_pass.value, "all")}
        if name in ("all", "kept", "rebuilt", "environment"):
            found = by_default(found)
        if not found:
            near = difflib.get_close_matches(name, list(conditions), n=1)
            raise UsageProblem(
                f"--jostle-conditions: there is no condition `{name}`.",
                advice=f"Did you mean `{near[0]}`?" if near else "`--jostle-conditions list` tells which there are.",
            )
        picked |= found
    return {name: each for name, each in conditions.items() if name in picked}


def chosen(
    conditions: Mapping[str, Condition],
    calls: frozenset[str],
    *,
    skip: Sequence[str] = (),
    only: Sequence[str] = (),
) -> tuple[dict[str, Condition], list[str]]:
    """Those that a test can be put in, and in words what was left out because the test controls it itself."""
    left, why = {}, []
    for name, condition in conditions.items():
        if name in skip or condition.in_pass.value in skip:
            continue
        if only and name not in only and condition.in_pass.value not in only:
            continue
        if clash := sorted(condition.conflicts & calls):
            why.append(f"{name} is left out: the test uses {', '.join(clash)} itself")
        else:
            left[name] = condition
    return left, why
