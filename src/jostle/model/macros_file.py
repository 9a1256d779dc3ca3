"""The file in which macros are kept: JSON, `{"jostle-macros": 1, "inferred": {...}, "macros": [...]}`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from jostle import untrusted
from jostle.errors import UsageProblem
from jostle.model.inference import Facts
from jostle.model.macro import Macro
from jostle.reading import read_named
from jostle.writing import write_whole

VERSION = 1
"""Raised whenever an older jostle could not use the file rightly."""


class UnusableMacros(UsageProblem):
    """The file holds no macros that could be applied."""


class Macros(msgspec.Struct, frozen=True, kw_only=True):
    """Macros with how they were inferred."""

    version: int = msgspec.field(default=VERSION, name="jostle-macros")
    inferred: Facts = Facts()
    macros: tuple[Macro, ...]

    def save(self, file: Path) -> None:
        """The file is complete or not there. Raises CouldNotRun."""
        write_whole(file, msgspec.json.format(msgspec.json.encode(self), indent=1) + b"\n")

    @staticmethod
    def load(file: Path) -> Macros:
        """Raises UnusableMacros with one sentence saying what is wrong with the file."""
        try:
            text = read_named(file)
        except OSError as error:
            raise UnusableMacros(f"{file} cannot be read: {error.strerror}.") from None
        return Macros.from_json(text, str(file))

    @staticmethod
    def from_json(text: bytes, name: str) -> Macros:
        """`name` is what messages call it. Raises UnusableMacros."""
        try:
            macros = _parse(text)
            macros.check()
        except ValueError as bad:
            advice = "Infer them anew: jostle macros infer session*.jostle -o macros.json"
            raise UnusableMacros(f"{name} {bad}.", advice=advice) from None
        return macros

    def check(self) -> None:
        """Raises ValueError saying the first thing that contradicts another, or that there are no macros."""
        for mistake in _mistakes(self.macros):
            raise ValueError(mistake)


def _parse(text: bytes) -> Macros:
    """Raises ValueError with the rest of a sentence that begins with the name of the file."""
    if not text.strip():
        raise ValueError("is empty")
    try:
        plain = untrusted.parsed(text)
    except ValueError:
        raise ValueError("is not valid JSON (an interrupted copy?)") from None
    version = plain.get("jostle-macros") if isinstance(plain, dict) else None
    if version is None:
        raise ValueError('is not a file of macros: it has no "jostle-macros"')
    if type(version) is not int or version < 1:
        raise ValueError(f"is damaged: {version!r} is no version of the format")
    if version > VERSION:
        raise ValueError(
            f"was made by a newer jostle (format {version}, this one reads up to {VERSION}): upgrade jostle"
        )
    try:
        return msgspec.convert(plain, Macros)
    except msgspec.ValidationError as error:
        raise ValueError(f"is damaged: {str(error)[:1].lower()}{str(error)[1:]}") from None


def _mistakes(macros: Iterable[Macro]) -> Iterator[str]:
    names = Counter(macro.name for macro in macros)
    if not names:
        yield "holds no macros"
    for name, number in names.items():
        if number > 1:
            yield f"is contradictory: there are {number} macros called {name!r}"
    for macro in macros:
        for mistake in _mistakes_of(macro):
            yield f"is contradictory: macro {macro.name!r} {mistake}"


def _mistakes_of(macro: Macro) -> Iterator[str]:
    states = range(macro.states)
    for kind, state in (("initial", macro.initial), *(("final", each) for each in macro.final)):
        if state not in states:
            yield f"has the {kind} state {state}, but its states are 0 to {macro.states - 1}"
    if not macro.final:
        yield "has no final state"
    seen = set()
    for each in macro.transitions:
        words = f"a transition from state {each.source} to state {each.target} ({each.event})"
        if each.source not in states or each.target not in states:
            yield f"has {words}, but its states are 0 to {macro.states - 1}"
        if each.source in macro.final:
            yield f"has {words}, but state {each.source} is final"
        if (key := (each.source, each.event, each.target)) in seen:
            yield f"has {words} twice"
        seen.add(key)
    lost = set(states) - _reachable([macro.initial], [(each.source, each.target) for each in macro.transitions])
    stuck = set(states) - _reachable(macro.final, [(each.target, each.source) for each in macro.transitions])
    if lost:
        yield f"can never reach state {min(lost)}"
    if stuck:
        yield f"can never be completed from state {min(stuck)}"


def _reachable(start: Iterable[int], edges: Iterable[tuple[int, int]]) -> set[int]:
    edges = list(edges)
    reached = set(start)
    while more := {target for source, target in edges if source in reached} - reached:
        reached |= more
    return reached
