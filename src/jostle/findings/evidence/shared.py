"""What all evidence has in common."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, Self

import msgspec

if TYPE_CHECKING:
    from jostle.findings.evidence.races import OrderedEvent, OutcomeDifference

    Order = tuple[OrderedEvent, ...]

_FRAME = re.compile(r"(https?://[^\s()]+|/[^\s()]+)(?=\)?$)")
"""The address in a frame of a stack."""


class CodeExcerpt(msgspec.Struct, frozen=True, kw_only=True):
    """A place in the application's code, with the lines around it where they are known."""

    event: str = ""
    """What happened there, in words."""
    source: str = ""
    """`http://host/app.js:12:5`; line and column may be missing. Empty: not known."""
    first_line: int = 0
    """Number of the first line of the excerpt; 0: not known."""
    excerpt: tuple[str, ...] = ()


class EvidenceBase(msgspec.Struct, frozen=True, kw_only=True, tag_field="type"):
    """What shows a finding. Every kind of evidence answers these questions; the defaults are for those without."""

    @property
    def code(self) -> tuple[CodeExcerpt, ...]:
        """The places in the code that it names, the most telling first."""
        return ()

    @property
    def wrong(self) -> str:
        """What goes wrong, as the application or the search says it."""
        return ""

    @property
    def advice(self) -> str:
        """How to fix it, where more is known than its kind says."""
        return ""

    @property
    def compares(self) -> bool:
        """It shows the ends of two runs side by side."""
        return False

    @property
    def orders(self) -> tuple[Order, Order]:
        """The same events in the order that works and in the one that breaks; both empty: it is not about orders."""
        return (), ()

    @property
    def deviations(self) -> tuple[OutcomeDifference, ...]:
        """What is different in the end of the order that breaks."""
        return ()

    @property
    def end_screens(self) -> tuple[str, str]:
        """Pictures in the run directory of how a run ends that works, and of one that breaks; empty: there is none."""
        return "", ""

    @property
    def good_replay(self) -> str:
        """Name of the recording in the run directory of the order that works."""
        return ""

    @property
    def generated_test(self) -> str:
        """Name of the file in the run directory with the Playwright test that fails because of it."""
        return ""

    @property
    def no_test_because(self) -> str:
        """Why there is no such test, in words; empty where there is one, or nobody tried to make it."""
        return ""

    @property
    def test_verified(self) -> bool:
        """Whether that test was run, and failed because of it."""
        return False

    @property
    def files(self) -> tuple[str, ...]:
        """Names of files in the run directory, without pictures."""
        return (self.generated_test,) if self.generated_test else ()

    @property
    def pictures(self) -> tuple[str, ...]:
        """Names of pictures in the run directory."""
        return ()

    def without(self, missing: Collection[str]) -> Self:
        """Without the names of these files."""
        return self


class GeneratedTest(msgspec.Struct, frozen=True):
    """A Playwright test that was made of a finding, or the reason why there is none."""

    file: str = ""
    untested: str = ""
    verified: bool = False
    """It was run, and failed because of the finding."""


class EvidenceWithTest(EvidenceBase, frozen=True, kw_only=True):
    """Evidence that comes with a Playwright test."""

    test: str | None = None
    """File with the Playwright test, relative to the run directory."""
    untested: str = ""
    """Why there is no test, in words: there can be none, or it was run and did not reproduce the finding."""
    verified: bool = False
    """Whether the test was run, and failed because of the finding."""

    @property
    def generated_test(self) -> str:
        return self.test or ""

    @property
    def no_test_because(self) -> str:
        return self.untested

    @property
    def test_verified(self) -> bool:
        return self.verified

    def tested_by(self, test: GeneratedTest) -> Self:
        return msgspec.structs.replace(
            self, test=test.file or None, untested=test.untested, verified=test.verified and bool(test.file)
        )

    def without(self, missing: Collection[str]) -> Self:
        return msgspec.structs.replace(self, test=None, verified=False) if self.test in missing else self


def of_stack(stack: Iterable[str]) -> tuple[CodeExcerpt, ...]:
    """The places that the frames of a stack name."""
    found = (_FRAME.search(frame) for frame in stack)
    return tuple(CodeExcerpt(source=each[1]) for each in found if each is not None)
