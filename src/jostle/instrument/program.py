"""A script as a probe set sees it: its syntax, who declares its names, and words for places in it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from jostle.instrument.edits import Edits, Lines
from jostle.instrument.scopes import Kind, Scopes
from jostle.instrument.syntax import Syntax


@dataclass(frozen=True)
class Program:
    """Everything a probe set needs to know."""

    syntax: Syntax
    scopes: Scopes
    kind: Kind
    tag: str
    lines: Lines = field(repr=False)

    def site(self, offset: int) -> str:
        """A literal that names a place of the original: TAG:line:column."""
        line, column = self.lines.at(offset)
        return f'"{self.tag}:{line}:{column}"'


class Probes(Protocol):
    """A probe set: which syntax gets which edit, and the JavaScript that the edits call."""

    @property
    def name(self) -> str: ...

    @property
    def version(self) -> str:
        """Changes whenever the same script would be rewritten in another way."""
        ...

    @property
    def runtime(self) -> str:
        """JavaScript: a function of the sink that installs what rewritten code calls, `$jostle`, and returns a function
        that gives back the original of a rewritten text."""
        ...

    def insert(self, program: Program, edits: Edits) -> None: ...
