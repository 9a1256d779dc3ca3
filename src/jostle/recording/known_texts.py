"""Replacing many known texts in a text, in time that grows with the text and not with how many are known."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

SHORTEST = 4
"""Characters of a text that can be looked for."""
_LONGEST_KEY = 256
_FEW = 32
"""Beginnings that are searched for one by one; more of them, all at once."""


class KnownTexts:
    """Texts and what each is replaced by. Of several that fit at a place the longest is taken."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}
        self._lengths: dict[str, set[int]] = {}
        """By the first characters of known texts: how long the keys of those texts are."""
        self._keys: dict[str, list[str]] = {}
        """By the first `_LONGEST_KEY` characters: known texts, longest first."""

    def __contains__(self, text: str) -> bool:
        return text in self.texts

    def add(self, text: str, replacement: str) -> None:
        """The first replacement of a text stays."""
        if len(text) < SHORTEST or text in self.texts:
            return
        self.texts[text] = replacement
        key = text[:_LONGEST_KEY]
        self._lengths.setdefault(text[:SHORTEST], set()).add(len(key))
        same = self._keys.setdefault(key, [])
        same.append(text)
        if len(same) > 1:
            same.sort(key=len, reverse=True)

    def found(self, text: str, besides: Mapping[int, int]) -> Iterator[tuple[int, str]]:
        """Where which of them is, from left to right, none within another. `besides`: starts and ends of passages that
        stay as they are. A number within a longer number is another number."""
        if not self.texts:
            return
        end = 0
        for start in self._starts(text, besides):
            if start < end:
                continue
            if start in besides:
                end = besides[start]
            elif match := self._at(text, start):
                yield start, match
                end = start + len(match)

    def _starts(self, text: str, besides: Mapping[int, int]) -> list[int]:
        if len(self._lengths) <= _FEW:
            starts = [start for beginning in self._lengths for start in _places(text, beginning)]
        else:
            beginnings = self._lengths
            starts = [at for at in range(len(text) - SHORTEST + 1) if text[at : at + SHORTEST] in beginnings]
        return sorted({*starts, *besides}) if starts else starts

    def _at(self, text: str, start: int) -> str:
        for length in sorted(self._lengths.get(text[start : start + SHORTEST], ()), reverse=True):
            for known in self._keys.get(text[start : start + length], ()):
                if text.startswith(known, start) and not (known.isdigit() and _in_number(text, start, len(known))):
                    return known
        return ""


def _places(text: str, part: str) -> Iterator[int]:
    at = text.find(part)
    while at >= 0:
        yield at
        at = text.find(part, at + 1)


def _in_number(text: str, start: int, length: int) -> bool:
    return text[start - 1 : start].isdecimal() or text[start + length : start + length + 1].isdecimal()
