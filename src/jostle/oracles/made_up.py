"""Ends that differ in nothing but ids which a page makes up: `Text #i1e1g` here, `Text #i1zun` there. Pure.

In another order a page draws its random numbers in another order. A word of letters and digits is taken to be made up
when no response holds it and no user has entered it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from jostle.findings.evidence import OutcomeDifference

_WORD = re.compile(
    r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
    r"|(?<![A-Za-z0-9])(?=[A-Za-z]*[0-9])(?=[0-9]*[A-Za-z])[A-Za-z0-9]{4,64}(?![A-Za-z0-9])"
)
_MOST_WORDS = 200
"""Where more are told, they are not looked for."""


def in_substance(
    found: Sequence[OutcomeDifference], responses: Iterable[bytes], entered: Iterable[str]
) -> list[OutcomeDifference]:
    """The differences that are more than that. `responses`: what servers have said; `entered`: what users have."""
    words = {word for each in found for text in (each.good, each.bad) for word in _WORD.findall(text)}
    if not words or len(words) > _MOST_WORDS:
        return list(found)
    said, typed = tuple(responses), tuple(entered)
    data = {
        word for word in words if any(word.encode() in each for each in said) or any(word in each for each in typed)
    }

    def bare(text: str) -> str:
        return _WORD.sub(lambda word: word[0] if word[0] in data else "#", text)

    kept = [each for each in found if not each.good or not each.bad or bare(each.good) != bare(each.bad)]
    # What is only here and what is only there may be the same, with another id in it.
    gone = Counter((each.what, bare(each.good)) for each in kept if not each.bad and bare(each.good) != each.good)
    come = Counter((each.what, bare(each.bad)) for each in kept if not each.good and bare(each.bad) != each.bad)
    left = {True: gone & come, False: gone & come}
    more = []
    for each in kept:
        same = left[not each.bad]
        alike = (each.what, bare(each.good or each.bad))
        if (not each.good or not each.bad) and same[alike] > 0:
            same[alike] -= 1
        else:
            more.append(each)
    return more
