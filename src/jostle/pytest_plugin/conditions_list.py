"""`--jostle-conditions list`: what each condition does, and why it should make no difference."""

from __future__ import annotations

import textwrap

from jostle.adverse.condition import Neutral, Pass
from jostle.adverse.conditions import known
from jostle.text import printable

_PASSES = {
    Pass.KEPT: "The document is kept: injected together, after every action",
    Pass.REBUILT: "The document is built anew: injected together, in runs of their own",
    Pass.ENVIRONMENT: "Around the following action: one at a time, a run for each",
}
_NEUTRAL = {
    Neutral.COMMONLY: "",
    Neutral.ASSUMED: " (assumed)",
    Neutral.ASKED: " (only when asked for)",
}


def explained() -> str:
    """`--jostle-conditions list`"""
    lines = []
    for one, words in _PASSES.items():
        lines += [f"{words}  [{one.value}]", ""]
        for condition in known().values():
            if condition.in_pass is not one:
                continue
            lines.append(f"  {condition.name}{_NEUTRAL[condition.neutral]}: {condition.title}")
            for label, text in (("what", condition.what), ("why", condition.why), ("cost", condition.cost)):
                if text:
                    lines += textwrap.wrap(text, 100, initial_indent=f"      {label:<5}", subsequent_indent=" " * 11)
            lines.append("")
    return printable("\n".join(lines).rstrip())
