"""Two texts that differ somewhere, cut so that it is seen where."""

from __future__ import annotations

from string import punctuation, whitespace

import msgspec

from jostle.report.rows import shown

AROUND = 60
"""Characters of what both have in common that are shown on either side."""
LONGEST_WORD = 24
"""A difference is told in whole words, where they are not longer than this."""
_BETWEEN = frozenset(whitespace + punctuation)
"""Words end here. What else is no letter may be a part of one, or of an emoji."""


class Value(msgspec.Struct, frozen=True):
    """A text in three parts; the one in the middle is what differs."""

    before: str = ""
    differs: str = ""
    after: str = ""

    @property
    def marked(self) -> bool:
        """There is something around what differs, so it must be told apart."""
        return bool(self.differs and (self.before or self.after))

    def __bool__(self) -> bool:
        return bool(self.before or self.differs or self.after)


def values(one: str, other: str, longest: int) -> tuple[Value, Value]:
    """Both texts, with at most `longest` characters of what differs."""
    if not one or not other or one == other:
        return Value(differs=shown(one, longest)), Value(differs=shown(other, longest))
    start = _common(one, other)
    end = _common(one[start:][::-1], other[start:][::-1])
    return _value(one, start, end, longest), _value(other, start, end, longest)


def _common(one: str, other: str) -> int:
    """How many characters the texts have in common from the start on, in whole words."""
    least, most = 0, min(len(one), len(other))
    while least < most:  # texts may be very long: not one character at a time
        middle = (least + most + 1) // 2
        least, most = (middle, most) if one[least:middle] == other[least:middle] else (least, middle - 1)
    for n in range(least, max(-1, least - LONGEST_WORD), -1):
        if not n or one[n - 1] in _BETWEEN or all(len(text) == n or text[n] in _BETWEEN for text in (one, other)):
            return n
    return least


def _value(text: str, start: int, end: int, longest: int) -> Value:
    before, differs, after = text[:start], text[start : len(text) - end], text[len(text) - end :]
    return Value(
        before=("… " if start > AROUND else "") + shown(before[-AROUND:]),
        differs=shown(differs, longest),
        after=shown(after[:AROUND]) + (" …" if end > AROUND else ""),
    )
