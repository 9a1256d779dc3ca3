"""The `pattern` of a form field: making a text that fits it, and checking whether a text does.

The patterns are JavaScript's and come from the page, so they are neither given to Python's `re`, which speaks another
dialect, nor trusted to end: checking takes a bounded number of steps. What JavaScript adds beyond the usual
(lookbehind, set operations in classes, most Unicode properties) is not supported.
"""

from __future__ import annotations

import random
import string
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

_LETTERS = string.ascii_lowercase
_COMMON = string.ascii_lowercase + string.ascii_uppercase + string.digits
_PRINTABLE = "".join(chr(code) for code in range(0x20, 0x7F))
_SPACES = " \t\n\v\f\r\u00a0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff" + "".join(map(chr, range(0x2000, 0x200B)))
_LINE_ENDS = "\n\r\u2028\u2029"
_WORD = _COMMON + "_"
_MORE = 3
_MOST_REPEATED = 200
_DEEPEST = 40
_LONGEST = 2000
"""Characters of a pattern that is looked at."""
_STEPS = 20_000
"""Of matching or making: what takes more is hostile, or not worth it."""


class Unsupported(Exception):
    """The pattern is none, or uses what is not supported."""


class _Exhausted(Exception):
    """Too many steps: it is not known whether the text fits."""


@dataclass
class _Attempt:
    steps: int
    refers: bool = False
    """What groups were matters later on."""
    groups: dict[int, str] = field(default_factory=dict)


@dataclass
class _Making:
    chance: random.Random
    more: int
    """How many more than needed a repetition may make."""
    steps: int = _STEPS
    groups: dict[int, str] = field(default_factory=dict)


class _Part:
    """A part of a pattern: can be matched and can make a text."""

    def ends(self, attempt: _Attempt, text: str, at: int) -> Iterator[int]:
        """Where a match that begins at this position can end."""
        raise NotImplementedError

    def make(self, making: _Making) -> str:
        raise NotImplementedError


@dataclass
class _One(_Part):
    """One character."""

    accepts: Callable[[str], bool]
    likely: str
    """Characters to make it of, all accepted."""

    def ends(self, attempt: _Attempt, text: str, at: int) -> Iterator[int]:
        attempt.steps -= 1
        if attempt.steps < 0:
            raise _Exhausted
        if at < len(text) and self.accepts(text[at]):
            yield at + 1

    def make(self, making: _Making) -> str:
        making.steps -= 1
        if making.steps < 0:
            raise _Exhausted
        return making.chance.choice(self.likely)


@dataclass
class _Row(_Part):
    parts: list[_Part]

    def ends(self, attempt: _Attempt, text: str, at: int, first: int = 0) -> Iterator[int]:
        if first == len(self.parts):
            yield at
            return
        for end in self.parts[first].ends(attempt, text, at):
            yield from self.ends(attempt, text, end, first + 1)

    def make(self, making: _Making) -> str:
        return "".join([part.make(making) for part in self.parts])


@dataclass
class _Either(_Part):
    options: list[_Part]

    def ends(self, attempt: _Attempt, text: str, at: int) -> Iterator[int]:
        for option in self.options:
            yield from option.ends(attempt, text, at)

    def make(self, making: _Making) -> str:
        return making.chance.choice(self.options).make(making)


@dataclass
class _Repeat(_Part):
    part: _Part
    least: int
    most: int | None

    def ends(self, attempt: _Attempt, text: str, at: int) -> Iterator[int]:
        if not isinstance(self.part, _One):
            yield from self._rounds(attempt, text, at, 0, set())
            return
        end = at  # single characters need no turning back
        while (self.most is None or end - at < self.most) and any(self.part.ends(attempt, text, end)):
            end += 1
        yield from range(end, at + self.least - 1, -1)

    def _rounds(self, attempt: _Attempt, text: str, at: int, done: int, known: set[tuple[int, int]]) -> Iterator[int]:
        attempt.steps -= 1
        if attempt.steps < 0:
            raise _Exhausted
        if not attempt.refers:
            # Whichever way led here, it goes on in the same ways.
            here = at, done if self.most is not None else min(done, self.least)
            if here in known:
                return
            known.add(here)
        if self.most is None or done < self.most:
            for end in self.part.ends(attempt, text, at):
                if end > at or done < self.least:  # an empty round brings nothing more
                    yield from self._rounds(attempt, text, end, done + 1, known)
        if done >= self.least:
            yield at

    def make(self, making: _Making) -> str:
        most = self.least + making.more
        if self.most is not None:
            most = min(self.most, most)
        rounds = making.chance.randint(self.least, most)
        making.steps -= rounds
        if making.steps < 0:
            raise _Exhausted
        return "".join([self.part.make(making) for _ in range(rounds)])


@dataclass
class _Group(_Part):
    number: int
    part: _Part

    def ends(self, attempt: _Attempt, text: str, at: int) -> Iterator[int]:
        before = attempt.groups.get(self.number)
        for end in self.part.ends(attempt, text, at):
            attempt.groups[self.number] = text[at:end]
            yield end
        if before is None:
            attempt.groups.pop(self.number, None)
        else:
            attempt.groups[self.number] = before

    def make(self, making: _Making) -> str:
        making.groups[self.number] = text = self.part.make(making)
        return text


@dataclass
class _Same(_Part):
    """What a group before it was."""

    number: int

    def ends(self, attempt: _Attempt, text: str, at: int) -> Iterator[int]:
        before = attempt.groups.get(self.number, "")
        if text.startswith(before, at):
            yield at + len(before)

    def make(self, making: _Making) -> str:
        return making.groups.get(self.number, "")


@dataclass
class _Here(_Part):
    """Something that must hold at a position and takes no characters."""

    holds: Callable[[_Attempt, str, int], bool]

    def ends(self, attempt: _Attempt, text: str, at: int) -> Iterator[int]:
        if self.holds(attempt, text, at):
            yield at

    def make(self, making: _Making) -> str:
        return ""


class Pattern:
    """A field's pattern. Raises Unsupported."""

    def __init__(self, source: str) -> None:
        if len(source) > _LONGEST:
            raise Unsupported("too long")
        reader = _Reader(source)
        self._whole = reader.pattern()
        self._refers = reader.refers

    def fits(self, text: str, *, steps: int = _STEPS) -> bool:
        """Whether the whole text fits; False too when that takes more than so many steps to find out."""
        return self._fits(text, _Attempt(steps, self._refers))

    def _fits(self, text: str, attempt: _Attempt) -> bool:
        try:
            return any(end == len(text) for end in self._whole.ends(attempt, text, 0))
        except (_Exhausted, RecursionError):
            return False

    def example(self, chance: random.Random, *, least: int = 0, most: int | None = None, tries: int = 60) -> str | None:
        """A text that fits and has from `least` to `most` characters; None when none was found."""
        steps = 2 * _STEPS
        for attempt in range(tries):
            # Texts that are too short so far need more rounds.
            making = _Making(chance, _MORE + (max(least, 8) * attempt) // tries)
            try:
                made = self._whole.make(making)
            except (_Exhausted, RecursionError):
                return None
            fitting = _Attempt(min(steps, _STEPS), self._refers)
            if len(made) >= least and (most is None or len(made) <= most) and self._fits(made, fitting):
                return made
            steps -= _STEPS - fitting.steps + _STEPS - making.steps
            if steps < 0:
                return None
        return None


class _Reader:
    """Reads a pattern from left to right."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.at = 0
        self.depth = 0
        self.groups = 0
        self.names: dict[str, int] = {}
        self.refers = False

    def pattern(self) -> _Part:
        part = self.either()
        if self.at < len(self.source):
            raise Unsupported("a closing parenthesis without an opening one")
        return part

    def peek(self, text: str) -> bool:
        return self.source.startswith(text, self.at)

    def take(self, text: str) -> bool:
        found = self.peek(text)
        self.at += len(text) if found else 0
        return found

    def next(self) -> str:
        if self.at >= len(self.source):
            raise Unsupported("it ends too early")
        self.at += 1
        return self.source[self.at - 1]

    def until(self, end: str) -> str:
        stop = self.source.find(end, self.at)
        if stop < 0:
            raise Unsupported(f"{end} is missing")
        text = self.source[self.at : stop]
        self.at = stop + len(end)
        return text

    def either(self) -> _Part:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise Unsupported("too deep")
        options = [self.row()]
        while self.take("|"):
            options.append(self.row())
        self.depth -= 1
        return options[0] if len(options) == 1 else _Either(options)

    def row(self) -> _Part:
        parts: list[_Part] = []
        while self.at < len(self.source) and self.source[self.at] not in "|)":
            parts.append(self.repeated(self.atom()))
        return parts[0] if len(parts) == 1 else _Row(parts)

    def repeated(self, part: _Part) -> _Part:
        if self.take("*"):
            least, most = 0, None
        elif self.take("+"):
            least, most = 1, None
        elif self.take("?"):
            least, most = 0, 1
        elif self.peek("{"):
            least, most = self.bounds()
        else:
            return part
        self.take("?")  # lazy or greedy is all the same for a whole match
        if self.source[self.at : self.at + 1] in ("*", "+", "?", "{"):
            raise Unsupported("a repetition of a repetition")
        return _Repeat(part, least, most)

    def bounds(self) -> tuple[int, int | None]:
        self.take("{")
        first, comma, second = self.until("}").partition(",")
        if not (first.isascii() and first.isdigit()) or not (second == "" or (second.isascii() and second.isdigit())):
            raise Unsupported("a brace that is no repetition")
        least = int(first)
        most = least if not comma else int(second) if second else None
        if least > _MOST_REPEATED or (most is not None and most < least):
            raise Unsupported("a repetition out of bounds")
        return least, most

    def atom(self) -> _Part:
        char = self.next()
        if char == "(":
            return self.group()
        if char == "[":
            return self.choice()
        if char == ".":
            return _One(lambda each: each not in _LINE_ENDS, _COMMON)
        if char == "^":
            return _Here(lambda attempt, text, at: at == 0)
        if char == "$":
            return _Here(lambda attempt, text, at: at == len(text))
        if char == "\\":
            return self.escaped()
        if char in "*+?{}]":
            raise Unsupported(f"{char} without something before it")
        return _exactly(char)

    def group(self) -> _Part:
        if self.take("?:"):
            part = self.either()
        elif self.peek("?=") or self.peek("?!"):
            negative = self.source[self.at + 1] == "!"
            self.at += 2
            inside = self.either()

            def holds(attempt: _Attempt, text: str, at: int) -> bool:
                return any(True for _ in inside.ends(attempt, text, at)) != negative

            part = _Here(holds)
        else:
            self.groups += 1
            number = self.groups
            if self.take("?<"):
                if self.peek("=") or self.peek("!"):
                    raise Unsupported("lookbehind")
                self.names[self.until(">")] = number
            elif self.peek("?"):
                raise Unsupported("an unknown kind of group")
            part = _Group(number, self.either())
        if not self.take(")"):
            raise Unsupported(") is missing")
        return part

    def escaped(self) -> _Part:
        if self.peek("b") or self.peek("B"):
            inside = self.next() == "B"
            return _Here(lambda attempt, text, at: _at_word_edge(text, at) != inside)
        if self.take("k<"):
            name = self.until(">")
            if name not in self.names:
                raise Unsupported("a reference to a group that is not there")
            self.refers = True
            return _Same(self.names[name])
        if self.source[self.at : self.at + 1] in tuple("123456789"):
            number = int(self.next())
            if number > self.groups:
                raise Unsupported("a reference to a group that is not there")
            self.refers = True
            return _Same(number)
        return self.character()

    def character(self) -> _One:
        """What stands behind a backslash, in a class or outside."""
        char = self.next()
        if char in "dDwWsS":
            return _KINDS[char]
        if char in "pP":
            if not self.take("{"):
                raise Unsupported("\\p without braces")
            accepts, likely = _PROPERTIES.get(self.until("}"), (None, ""))
            if accepts is None:
                raise Unsupported("a Unicode property")
            return _One(accepts, likely) if char == "p" else _not(_One(accepts, likely))
        if char == "x":
            return _exactly(self.code(2))
        if char == "u":
            return _exactly(self.code(0) if self.take("{") else self.code(4))
        if char == "0":
            return _exactly("\0")
        if char in "nrtvf":
            return _exactly({"n": "\n", "r": "\r", "t": "\t", "v": "\v", "f": "\f"}[char])
        if char.isalnum():
            raise Unsupported(f"\\{char}")
        return _exactly(char)

    def code(self, digits: int) -> str:
        text = self.source[self.at : self.at + digits] if digits else self.until("}")
        self.at += digits
        if not text or len(text) < digits or any(each not in string.hexdigits for each in text):
            raise Unsupported("a wrong character code")
        number = int(text, 16)
        if number > 0x10FFFF or 0xD800 <= number <= 0xDFFF:
            raise Unsupported("a character code out of range")
        return chr(number)

    def choice(self) -> _One:
        """A class: `[a-z\\d_-]`."""
        negative = self.take("^")
        members: list[_One] = []
        while not self.take("]"):
            if self.peek("[") or self.peek("&&") or self.peek("--"):
                raise Unsupported("set operations in a class")
            low = self.member()
            if self.peek("-") and not self.peek("-]"):
                self.take("-")
                high = self.member()
                if len(low.likely) != 1 or len(high.likely) != 1 or low.likely > high.likely:
                    raise Unsupported("a wrong range in a class")
                low = _between(low.likely, high.likely)
            members.append(low)
        wanted = _One(
            lambda each: any(member.accepts(each) for member in members),
            "".join(dict.fromkeys("".join(member.likely for member in members))),
        )
        if negative:
            return _not(wanted)
        if not members:
            raise Unsupported("an empty class")
        return wanted

    def member(self) -> _One:
        char = self.next()
        if char != "\\":
            return _exactly(char)
        if self.take("b"):
            return _exactly("\b")
        return self.character()


def _exactly(char: str) -> _One:
    return _One(lambda each: each == char, char)


def _between(low: str, high: str) -> _One:
    plain = "".join(each for each in _PRINTABLE if low <= each <= high)
    likely = plain or "".join(chr(code) for code in range(ord(low), min(ord(high), ord(low) + 50) + 1))
    return _One(lambda each: low <= each <= high, likely)


def _not(one: _One) -> _One:
    likely = "".join(each for each in _PRINTABLE if not one.accepts(each))
    better = "".join(each for each in likely if each in _COMMON)
    if not likely:
        raise Unsupported("a class of unusual characters")
    return _One(lambda each: not one.accepts(each), better or likely)


def _at_word_edge(text: str, at: int) -> bool:
    before = at > 0 and text[at - 1] in _WORD
    after = at < len(text) and text[at] in _WORD
    return before != after


_KINDS = {
    "d": _One(lambda each: each in string.digits, string.digits),
    "w": _One(lambda each: each in _WORD, _COMMON),
    "s": _One(lambda each: each in _SPACES, " "),
}
_KINDS |= {kind.upper(): _not(one) for kind, one in _KINDS.items()}
_PROPERTIES: dict[str, tuple[Callable[[str], bool], str]] = {
    **dict.fromkeys(("L", "Letter", "Alphabetic"), (str.isalpha, _LETTERS)),
    **dict.fromkeys(("Lu", "Uppercase_Letter", "Uppercase"), (str.isupper, _LETTERS.upper())),
    **dict.fromkeys(("Ll", "Lowercase_Letter", "Lowercase"), (str.islower, _LETTERS)),
    **dict.fromkeys(("N", "Number", "Nd", "Decimal_Number"), (str.isdecimal, string.digits)),
}
