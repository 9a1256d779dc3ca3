"""What a run ended in, as its user, its server and its browser see it, and how two such ends differ."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from typing import Any

import msgspec

from jostle.events import Request, Step
from jostle.findings import Severity
from jostle.findings.evidence import DifferenceKind, OutcomeDifference
from jostle.oracles.picture import same_picture
from jostle.recording.divergence import Mask, line_name, masks_between, snapshot_differences
from jostle.recording.snapshot import text_of

_MOST = 60
"""Differences that are told."""
_LONGEST = 300
_CONTEXT = 60
"""Characters of a long text that are told before the place where two differ."""
_LARGEST = 4_000_000
"""Lines of one text by lines of the other that are compared; of larger ones the first difference is told."""
_FORM = re.compile(r'\.(?:value|checked|selected|open)(?:="[^"]*")?')
_STORED = re.compile(r"^(?:local|session)Storage ")
_CLASS = re.compile(r' class="\s*([^"\s]+)')
_FLEETING = re.compile(r"^ (?:focus|scroll) ")


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """What a run ended in."""

    snapshot: str
    """All documents with form values and storage, a line for each node (`jostle.recording.snapshot`)."""
    text: str = ""
    """What can be read."""
    errors: tuple[str, ...] = ()
    dialogs: tuple[str, ...] = ()
    """What alerts, questions and prompts said, one after the other."""
    sent: tuple[str, ...] = ()
    """Requests that may change something on the server, in the order in which they were sent."""
    picture: bytes = b""


class Noise(msgspec.Struct, frozen=True, kw_only=True):
    """What differs between runs of the same order. To be left out of comparisons, and told."""

    masks: frozenset[Mask] = frozenset()
    texts: frozenset[str] = frozenset()
    """Lines that can be read in only one of them."""
    errors: frozenset[str] = frozenset()
    dialogs: frozenset[str] = frozenset()
    sent: frozenset[str] = frozenset()
    picture: bool = False

    def __or__(self, other: Noise) -> Noise:
        """What is noise in either."""
        return Noise(
            masks=self.masks | other.masks,
            texts=self.texts | other.texts,
            errors=self.errors | other.errors,
            dialogs=self.dialogs | other.dialogs,
            sent=self.sent | other.sent,
            picture=self.picture or other.picture,
        )

    def __iter__(self) -> Iterator[str]:
        """In words."""
        yield from sorted(self.texts)
        yield from sorted(self.errors | self.dialogs | self.sent)
        yield from sorted(f"{mask.path}: {mask.line}" for mask in self.masks)
        if self.picture:
            yield "how the page looks"


_NOT_SEEN = str.maketrans("", "", "\u00ad\u200b\u2060\ufeff")
"""Characters without a width, by which pages make screen readers say a text once more, or let words be broken."""


def outcome(parts: Sequence[dict[str, Any]], steps: Iterable[Step], *, text: str = "", picture: bytes = b"") -> Outcome:
    """The end of a run. `steps`: those that errors and requests are taken from."""
    steps = tuple(steps)
    errors = [error for step in steps for error in step.effect.errors if error.kind != "console"]
    writing = [request for step in steps for request in step.effect.requests if not request.reads]
    lines = (line for line in text_of(parts).split("\n") if not _FLEETING.match(line))
    return Outcome(
        snapshot="\n".join(lines),
        text="\n".join(line.strip() for line in text.translate(_NOT_SEEN).splitlines() if line.strip()),
        errors=tuple(error.message for error in errors),
        dialogs=tuple(f"{each.kind}: {each.message}" for step in steps for each in step.effect.dialogs),
        sent=tuple(map(sent, writing)),
        picture=picture,
    )


def sent(request: Request) -> str:
    """A request that may change something, as it is compared."""
    return f"{request.method} {request.url} {request.body}".strip()


def noise_between(one: Outcome, other: Outcome) -> Noise:
    """What differs between two runs that should have been the same."""
    return Noise(
        masks=frozenset(masks_between(one.snapshot, other.snapshot)),
        texts=frozenset(line for pair in _changed_lines(one.text, other.text) for line in pair if line),
        errors=frozenset(set(one.errors) ^ set(other.errors)),
        dialogs=_in_one(one.dialogs, other.dialogs),
        sent=_in_one(one.sent, other.sent),
        picture=not same_picture(one.picture, other.picture),
    )


def _in_one(one: Sequence[str], other: Sequence[str]) -> frozenset[str]:
    """What is more often in one than in the other."""
    first, second = Counter(one), Counter(other)
    return frozenset((first - second) + (second - first))


def differences(good: Outcome, bad: Outcome, noise: Noise | None = None) -> list[OutcomeDifference]:
    """Where two ends differ apart from noise, the worst first."""
    noise = noise if noise is not None else Noise()
    found = [
        *_lists(DifferenceKind.REQUEST, good.sent, bad.sent, noise.sent),
        *_in_snapshots(good, bad, noise),
        *_in_texts(good.text, bad.text, noise.texts),
        *_lists(DifferenceKind.DIALOG, good.dialogs, bad.dialogs, noise.dialogs),
        # An error that is gone is no harm.
        *(each for each in _lists(DifferenceKind.ERROR, good.errors, bad.errors, noise.errors) if each.bad),
    ]
    if _only_rearranged(found, good, bad):
        return []
    if not found and good.snapshot != bad.snapshot and not noise.picture:
        # What only the document says and nobody can read counts when it can be seen.
        seen = snapshot_differences(good.snapshot, bad.snapshot, noise.masks)
        if seen and not same_picture(good.picture, bad.picture):
            for each in seen:
                where = _where(each.path, each.got or each.expected)
                found.append(OutcomeDifference(DifferenceKind.SCREEN, where, *_cut(each.expected, each.got)))
    return sorted(found, key=lambda each: list(DifferenceKind).index(each.what))[:_MOST]


def _only_rearranged(found: Collection[OutcomeDifference], good: Outcome, bad: Outcome) -> bool:
    """Whether the same can be read and seen in the same places, and only the order of the document is another one: a
    grid or a long list that moves its rows puts the same row into another element each time."""
    if not found or any(each.what not in (DifferenceKind.TEXT, DifferenceKind.FORM) for each in found):
        return False
    if not (good.picture and bad.picture) or Counter(good.text.split("\n")) != Counter(bad.text.split("\n")):
        return False
    return _form_values(good) == _form_values(bad) and same_picture(good.picture, bad.picture)


def _form_values(end: Outcome) -> Counter[str]:
    return Counter(" ".join(_FORM.findall(line)) for line in end.snapshot.split("\n"))


def documents_differ(good: Outcome, bad: Outcome, noise: Noise) -> bool:
    """Whether there is anything in the documents that differs, be it seen or not."""
    return good.snapshot != bad.snapshot and bool(snapshot_differences(good.snapshot, bad.snapshot, noise.masks))


def severity(found: Collection[OutcomeDifference]) -> Severity:
    """Data lost or sent wrongly is worse than wrong content, which is worse than an exception or looks."""
    kinds = {each.what for each in found}
    if kinds & {DifferenceKind.REQUEST, DifferenceKind.STORAGE, DifferenceKind.FORM}:
        return Severity.HIGH
    told = {DifferenceKind.URL, DifferenceKind.TEXT, DifferenceKind.DIALOG}
    return Severity.MEDIUM if kinds & told else Severity.LOW


def _in_snapshots(good: Outcome, bad: Outcome, noise: Noise) -> Iterator[OutcomeDifference]:
    """Addresses, storage and form values."""
    for each in snapshot_differences(good.snapshot, bad.snapshot, noise.masks):
        # A text of the page may look like one of our own lines: those stand outside of the document.
        inside = " > " in each.path
        if not inside and any(_STORED.match(line) for line in (each.expected, each.got)):
            yield OutcomeDifference(DifferenceKind.STORAGE, each.path, *_cut(each.expected, each.got))
        elif not each.path and any(line.startswith("tab ") for line in (each.expected, each.got)):
            yield OutcomeDifference(DifferenceKind.URL, each.path, *_cut(each.expected, each.got))
        elif each.expected and each.got and _FORM.findall(each.expected) != _FORM.findall(each.got):
            old, new = (" ".join(_FORM.findall(line)) for line in (each.expected, each.got))
            yield OutcomeDifference(DifferenceKind.FORM, _where(each.path, each.expected), *_cut(old, new))


def _in_texts(good: str, bad: str, noise: Collection[str]) -> Iterator[OutcomeDifference]:
    for old, new in _changed_lines(good, bad):
        if old not in noise and new not in noise:
            yield OutcomeDifference(DifferenceKind.TEXT, "", *_cut(old, new))


def _changed_lines(one: str, other: str) -> Iterator[tuple[str, str]]:
    old, new = one.split("\n"), other.split("\n")
    while old and new and old[-1] == new[-1]:
        del old[-1], new[-1]
    begin = next((n for n, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    old, new = old[begin:], new[begin:]
    if len(old) * len(new) > _LARGEST:
        yield (old[0], new[0])
        return
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            for n in range(max(i2 - i1, j2 - j1)):
                yield (old[i1 + n] if i1 + n < i2 else "", new[j1 + n] if j1 + n < j2 else "")


def _lists(
    what: DifferenceKind, good: Sequence[str], bad: Sequence[str], noise: Collection[str]
) -> Iterator[OutcomeDifference]:
    missing, extra = Counter(good) - Counter(bad), Counter(bad) - Counter(good)
    yield from (OutcomeDifference(what, "", *_cut(each, "")) for each in missing.elements() if each not in noise)
    yield from (OutcomeDifference(what, "", *_cut("", each)) for each in extra.elements() if each not in noise)


def _where(path: str, line: str) -> str:
    """An element as people who read markup name it, and the nearest thing around it that has a name of its own."""
    within = next((part for part in reversed(path.split(" > ")) if "#" in part), "")
    if not line.lstrip().startswith("<"):
        return within or path
    element = line_name(line.strip())
    if "#" in element:
        return element
    kind = _CLASS.search(line)
    named = f"{element}.{kind[1]}" if kind is not None else element
    return f"{named} in {within}" if within else named


def as_told(sent: str) -> str:
    """A request of an outcome as differences have it."""
    return _part(sent, 0)


def _cut(old: str, new: str) -> tuple[str, str]:
    """Two texts as they are told; of long ones that have much in common, the part where they differ."""
    if max(len(old), len(new)) <= _LONGEST:
        return old, new
    same = next((n for n, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    start = max(0, same - _CONTEXT) if old and new and same > _LONGEST - _CONTEXT else 0
    return _part(old, start), _part(new, start)


def _part(text: str, start: int) -> str:
    part = text[start : start + _LONGEST]
    return f"{'…' if start and part else ''}{part}{'…' if start + _LONGEST < len(text) else ''}"
