"""Which findings make a run fail: those that were asked for (`--fail-on`) and are not known (`--baseline`)."""

from __future__ import annotations

import difflib
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from enum import StrEnum

import msgspec

from jostle.errors import UsageProblem
from jostle.findings.baseline import Baseline, Known
from jostle.findings.finding import Finding, FindingKind, Severity

ANY, NEVER = "any", "never"
_RISING = (Severity.LOW, Severity.MEDIUM, Severity.HIGH)
_WORDS = (*(each.value for each in reversed(_RISING)), *(each.value for each in FindingKind), ANY, NEVER)
_POSITION = re.compile(r":\d+(?::\d+)?(?!\d)")


class FailOn(msgspec.Struct, frozen=True, kw_only=True):
    """What `--fail-on` asks for."""

    severity: Severity | None = Severity.LOW
    """The least that fails, whatever its kind; None when severity does not matter."""
    kinds: frozenset[FindingKind] = frozenset()
    """These fail however severe they are."""

    @classmethod
    def parse(cls, words: Sequence[str]) -> FailOn:
        """Of the words on the command line; of none, anything fails. Raises UsageProblem."""
        wanted = [word.strip().lower() for word in words]
        for word, said in zip(wanted, words, strict=True):
            if word not in _WORDS:
                near = difflib.get_close_matches(word, _WORDS, n=1)
                hint = f"Did you mean `{near[0]}`? " if near else ""
                raise UsageProblem(
                    f"--fail-on: `{said}` is neither a severity nor a kind of finding.",
                    advice=f"{hint}There are {', '.join(_WORDS)}.",
                )
        if NEVER in wanted and set(wanted) != {NEVER}:
            raise UsageProblem("--fail-on: `never` cannot be together with others.", advice="Leave one of them out.")
        if not wanted or ANY in wanted:
            return cls()
        severities = [each for each in _RISING if each.value in wanted]
        kinds = frozenset(each for each in FindingKind if each.value in wanted)
        return cls(severity=severities[0] if severities else None, kinds=kinds)

    def wants(self, finding: Finding) -> bool:
        severe = self.severity is not None and _RISING.index(finding.severity) >= _RISING.index(self.severity)
        return severe or finding.kind in self.kinds


class Standing(StrEnum):
    """What a finding means for the outcome."""

    FAILS = "fails"
    TOLERATED = "tolerated"
    """`--fail-on` does not ask for it."""
    KNOWN = "known"
    """It is in the baseline."""


class Moved(msgspec.Struct, frozen=True):
    """A finding that has another id than one of the baseline, and is the same by all that people can tell."""

    finding: Finding
    known: Known


class Gated(msgspec.Struct, frozen=True, kw_only=True):
    """The findings of a run by what they mean for its outcome."""

    failing: tuple[Finding, ...] = ()
    tolerated: tuple[Finding, ...] = ()
    known: tuple[Finding, ...] = ()
    """In the baseline by their ids."""
    moved: tuple[Moved, ...] = ()
    """Known as well, but the baseline should be updated."""
    gone: tuple[Known, ...] = ()
    """In the baseline and not seen: fixed, or not met this time."""

    def standing(self, finding: Finding) -> Standing:
        """Of a finding of this run."""
        if any(each.id == finding.id for each in self.known) or any(
            each.finding.id == finding.id for each in self.moved
        ):
            return Standing.KNOWN
        return Standing.TOLERATED if any(each.id == finding.id for each in self.tolerated) else Standing.FAILS


def gate(
    findings: Iterable[Finding],
    fail_on: FailOn | None = None,
    baseline: Baseline | None = None,
    *,
    techniques: Collection[str] | None = None,
) -> Gated:
    """`techniques`: those that searched. What others found before is not gone; without them, all have searched."""
    found = tuple(findings)
    known = {each.id: each for each in baseline.findings} if baseline is not None else {}
    unseen = [each for name, each in known.items() if name not in {finding.id for finding in found}]
    moved = _moved([each for each in found if each.id not in known], unseen)
    found_again = {each.known.id for each in moved}
    is_known = {*known, *(each.finding.id for each in moved)}
    new = [each for each in found if each.id not in is_known]
    rules = fail_on if fail_on is not None else FailOn()
    return Gated(
        failing=tuple(each for each in new if rules.wants(each)),
        tolerated=tuple(each for each in new if not rules.wants(each)),
        known=tuple(each for each in found if each.id in known),
        moved=moved,
        gone=tuple(
            each
            for each in unseen
            if each.id not in found_again and (techniques is None or not each.technique or each.technique in techniques)
        ),
    )


def _moved(new: Sequence[Finding], unseen: Sequence[Known]) -> tuple[Moved, ...]:
    """Code moves down a file, and what was thrown in line 12 is thrown in line 14: that is another id.

    One is taken for the other only when kind, technique and title are the same but for positions, the old one was not
    seen, and there are not more new ones than old ones: then it could not be said which of them is new.
    """
    old, candidates = defaultdict(list), defaultdict(list)
    for known in unseen:
        if known.title and known.technique:
            old[_likeness(known)].append(known)
    for finding in new:
        candidates[_likeness(Known.of(finding))].append(finding)
    return tuple(
        Moved(finding, known)
        for likeness, several in candidates.items()
        if len(several) <= len(old[likeness])
        for finding, known in zip(several, old[likeness], strict=False)
    )


def _likeness(known: Known) -> tuple[str, str, str]:
    return known.kind, known.technique, _POSITION.sub("", " ".join(known.title.split()))
