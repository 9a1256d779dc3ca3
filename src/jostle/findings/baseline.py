"""The baseline: findings that are known, in a file that is kept with the application's code.

    {
      "jostle": "baseline",
      "version": 1,
      "comment": "for people",
      "findings": [
        {
          "id": "ajax-race-df81315a0b",
          "kind": "ajax-race",
          "technique": "races ajax",
          "title": "A late answer to GET /api/search overwrites what the user did after it was asked for",
          "comment": "for people"
        }
      ]
    }

Described in docs/reference/baseline.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from jostle.errors import UsageProblem
from jostle.findings.finding import Finding
from jostle.reading import read_named
from jostle.writing import write_whole

VERSION = 1
_MAKE_ONE = "Name a file that --update-baseline wrote, or let it write a new one."
_HALF_A_PAIR = re.compile("[\ud800-\udfff]")


class Known(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A finding that is known. Only its `id` decides; the rest is for people, and for finding it again."""

    id: str
    kind: str
    """Not `FindingKind`: a file may name kinds of another version."""
    technique: str = ""
    title: str = ""
    comment: str = ""

    @classmethod
    def of(cls, finding: Finding) -> Known:
        title = _HALF_A_PAIR.sub("\ufffd", " ".join(finding.title.split()))
        return cls(id=finding.id, kind=finding.kind.value, technique=finding.technique, title=title)


class Baseline(msgspec.Struct, frozen=True, kw_only=True):
    """The findings that are known."""

    findings: tuple[Known, ...] = ()
    comment: str = ""

    @classmethod
    def read(cls, file: Path) -> Baseline:
        """Raises UsageProblem when there is no such file, or it is something else."""
        try:
            data = msgspec.json.decode(read_named(file))
        except FileNotFoundError:
            raise UsageProblem(f"The baseline {file} is not there.", advice=_MAKE_ONE) from None
        except OSError as error:
            raise UsageProblem(f"The baseline {file} cannot be read: {error.strerror}.") from None
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise UsageProblem(
                f"The baseline {file} is not JSON: {error}.",
                advice="Marks of a merge may be left in it. Mend it, or let --update-baseline write a new one.",
            ) from None
        _check_sort(data, file)
        try:
            read = msgspec.convert(data, _File)
        except msgspec.ValidationError as error:
            raise UsageProblem(f"The baseline {file} is wrong: {error}.", advice=_MAKE_ONE) from None
        return cls(findings=read.findings, comment=read.comment)

    def write(self, file: Path) -> None:
        """Sorted, one value a line, so that changes are easy to read and to merge. Raises CouldNotRun."""
        known = {each.id: each for each in reversed(self.findings)}
        ordered = sorted(known.values(), key=lambda each: (each.kind, each.id))
        content = msgspec.json.encode(_File(comment=self.comment, findings=tuple(ordered)))
        write_whole(file, msgspec.json.format(content, indent=2) + b"\n")

    def updated(self, findings: Iterable[Finding], *, forget: Iterable[str] = ()) -> Baseline:
        """With these findings, which are known from now on, and without those whose ids are to be forgotten.

        What is known already stays as it is, with its comment. What was not seen stays too, unless it is to be
        forgotten: a search that is bounded in time does not see everything each time.
        """
        gone = set(forget)
        kept = [each for each in self.findings if each.id not in gone]
        ids = {each.id for each in kept}
        new = (Known.of(each) for each in findings if each.id not in ids)
        return Baseline(findings=(*kept, *new), comment=self.comment)


class _File(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    jostle: str = "baseline"
    version: int = VERSION
    comment: str = ""
    findings: tuple[Known, ...]


def _check_sort(data: Any, file: Path) -> None:
    """That it is a baseline at all, and one that can be read; what is wrong inside is told by the decoder."""
    if not isinstance(data, Mapping) or data.get("jostle") != "baseline":
        what = "the outcome of a run (--json)" if _is_outcome(data) else "something else"
        raise UsageProblem(f'{file} is not a baseline but {what}: it has no "jostle": "baseline".', advice=_MAKE_ONE)
    version = data.get("version")
    if isinstance(version, int) and version > VERSION:
        raise UsageProblem(
            f"The baseline {file} has version {version}; this jostle reads version {VERSION}.",
            advice="Use a newer jostle.",
        )
    if version != VERSION:
        raise UsageProblem(f"The baseline {file} has no right version: {version!r} is not {VERSION}.", advice=_MAKE_ONE)


def _is_outcome(data: Any) -> bool:
    return isinstance(data, Mapping) and {"jostle", "command", "findings"} <= data.keys()
