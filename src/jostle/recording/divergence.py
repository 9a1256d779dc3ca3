"""Why a replay went another way: the first difference between what was recorded and what happened, in words.

A snapshot is text: one line for each node of the canonical document, indented by depth. The functions here look only
at the lines, so they serve any such form.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from difflib import SequenceMatcher
from typing import Literal

import msgspec

from jostle.events import Event, PageError, Request, Step
from jostle.events.request_pattern import url_pattern
from jostle.events.volatile import volatile_value
from jostle.recording.exchange import Conversation, Exchange
from jostle.recording.matching import Match

Aspect = Literal["event", "request", "error", "hung", "url", "dialog", "storage", "created", "document"]
ASPECTS: tuple[Aspect, ...] = ("event", "request", "error", "hung", "url", "dialog", "storage", "created", "document")
"""What is compared, the most telling first."""

_SHOWN_DIFFERENCES = 10
_LONGEST_LINE = 240
_BEFORE_DIFFERENCE = 40
_LONGEST_DIFF = 20_000  # lines; beyond, only the first differing line is looked for
_TOKEN = re.compile(r"[\w.:+/-]+|\s+|[^\w\s]")
_CLOCK = re.compile(r"\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?|\d{4}-\d\d-\d\d|\d{1,2}[./]\d{1,2}[./]\d{2,4}")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_ID = re.compile(r"(?:[A-Za-z_]+[:_-]*)?(?=[0-9A-Za-z]*\d)[0-9A-Za-z]+:?")
_HEAD = re.compile(r"[^\s=>\"]+")
_ID_ATTRIBUTE = re.compile(r"\bid=\"?([\w-]+)")


class Divergence(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The first step at which a replay differs from its recording."""

    step: int
    """Number of the step, from 1."""
    aspect: Aspect
    event: Event | None = None
    """The event of that step in the recording."""
    expected: str
    got: str
    reason: str
    """The likely reason, in words."""
    details: tuple[str, ...] = ()
    """Everything else that differs, in words."""

    def __str__(self) -> str:
        of = f" ({self.event})" if self.event else ""
        return f"diverged at step {self.step}{of} because {self.reason}; expected {self.expected}, got {self.got}"


class ReplayDifference(msgspec.Struct, frozen=True):
    """One differing place of two snapshots."""

    path: str
    """Where: the ancestors from the root, `html > body > div#list`."""
    expected: str
    """The line as recorded, empty when it is new."""
    got: str
    """The line of the replay, empty when it is gone."""


class Mask(msgspec.Struct, frozen=True):
    """A place where identical replays differ: noise, not to be compared."""

    path: str
    line: str
    """The line with the differing values starred."""
    optional: bool = False
    """The whole line is there only sometimes."""


class _Difference(msgspec.Struct, frozen=True):
    aspect: Aspect
    expected: str
    got: str
    reason: str


def compare_steps(
    number: int,
    expected: Step,
    got: Step,
    *,
    expected_snapshot: str = "",
    got_snapshot: str = "",
    masks: Collection[Mask] = (),
    matches: Sequence[Match[Exchange] | Match[Conversation]] = (),
    aspects: Collection[Aspect] = ASPECTS,
) -> Divergence | None:
    """Compare a recorded step with the same step of a replay; None when they agree.

    The document is compared by the snapshots with `masks` applied, or by the digests of the states where a snapshot
    is missing. `matches` are the requests answered from the recording in this step: an answer that fitted only roughly
    is named as the likely reason.
    """
    found = [
        *_event(expected, got),
        *_requests(expected.effect.requests, got.effect.requests),
        *_errors(expected.effect.errors, got.effect.errors),
        *_hung(expected, got),
        *_url(expected, got),
        *_listed("dialog", "dialog", expected.effect.dialogs, got.effect.dialogs),
        *_listed("storage", "storage entry", expected.effect.storage_writes, got.effect.storage_writes),
        *_created(expected.effect.created, got.effect.created),
        *_document(expected, got, expected_snapshot, got_snapshot, masks),
    ]
    found = sorted((each for each in found if each.aspect in aspects), key=lambda each: ASPECTS.index(each.aspect))
    if not found:
        return None
    first = found[0]
    doubtful = [_doubt(match) for match in matches if match.how in ("none", "fuzzy", "reused")]
    reason = first.reason
    if doubtful and first.aspect not in ("event", "request"):
        reason = f"{doubtful[0]}, and then {reason}"
    return Divergence(
        step=number,
        aspect=first.aspect,
        event=expected.event,
        expected=first.expected,
        got=first.got,
        reason=reason,
        details=(*doubtful, *(each.reason for each in found[1:])),
    )


def missing_event(number: int, wanted: Event, enabled: Sequence[Event], why: str = "") -> Divergence:
    """The event recorded as step `number` cannot happen now."""
    near = nearest_event(wanted, enabled)
    if wanted.by_user:
        reason = f"{wanted} was not possible" + (f": {why}" if why else ": its element is missing, hidden or covered")
    else:
        reason = f"{wanted} did not come up" + (f": {why}" if why else "")
    details = [f"possible was: {event}" for event in enabled[:_SHOWN_DIFFERENCES]]
    if near is not None:
        if near.what == wanted.what:
            reason += (
                f"; it is possible as number {near.occurrence} instead of {wanted.occurrence}"
                if near.creator == wanted.creator
                else "; the same thing is possible, but another event brought it about"
            )
        else:
            reason += f"; nearest is {near}"
            if volatile := volatile_difference(wanted.what, near.what):
                reason += f", which differs in what looks like {volatile}"
    return Divergence(
        step=number,
        aspect="event",
        event=wanted,
        expected=str(wanted),
        got=str(near) if near is not None else ("nothing was possible" if not enabled else "no such event"),
        reason=reason,
        details=tuple(details),
    )


def unanswered(number: int, event: Event | None, match: Match[Exchange] | Match[Conversation]) -> Divergence:
    """A request of a replay for which nothing was recorded."""
    shown = url_pattern(match.asked.url, match.asked.method, body=match.asked.body)
    return Divergence(
        step=number,
        aspect="request",
        event=event,
        expected="only requests with a recorded answer",
        got=shown,
        reason=f"{shown} has no recorded answer: {match.why}",
    )


def nearest_event(wanted: Event, enabled: Iterable[Event]) -> Event | None:
    """The most similar of the events, or None when none of them is of the same kind and half alike."""

    def likeness(event: Event) -> tuple[float, bool, int]:
        ratio = 1.0 if event.what == wanted.what else SequenceMatcher(None, wanted.what, event.what).ratio()
        return (ratio, event.creator == wanted.creator, -abs(event.occurrence - wanted.occurrence))

    alike = [event for event in enabled if event.kind is wanted.kind]
    best = max(alike, key=likeness, default=None)
    return best if best is not None and likeness(best)[0] >= 0.5 else None


def snapshot_differences(expected: str, got: str, masks: Collection[Mask] = ()) -> list[ReplayDifference]:
    """The differing places of two snapshots, in document order."""
    old, new = _lines(expected, masks), _lines(got, masks)
    if [line for _, line in old] == [line for _, line in new]:
        return []
    found: list[ReplayDifference] = []
    for old_part, new_part in _differing(old, new):
        for n in range(max(len(old_part), len(new_part))):
            path, line = old_part[n] if n < len(old_part) else ("", "")
            new_path, new_line = new_part[n] if n < len(new_part) else ("", "")
            line, new_line = line.strip(), new_line.strip()
            if not line or not new_line or path == new_path:
                if line != new_line:
                    found.append(ReplayDifference(path or new_path, line, new_line))
            else:
                found += [ReplayDifference(path, line, ""), ReplayDifference(new_path, "", new_line)]
    return found


def masks_between(first: str, second: str) -> set[Mask]:
    """What differs between the snapshots of two identical replays: noise to be masked."""
    found: set[Mask] = set()
    for difference in snapshot_differences(first, second):
        if difference.expected and difference.got:
            starred = _starred(difference.expected, difference.got)
            if starred.strip("*\"' "):
                found.add(Mask(difference.path, starred))
                continue
        for line in (difference.expected, difference.got):
            if line:
                found.add(Mask(difference.path, line, optional=True))
    return found


def masked(snapshot: str, masks: Collection[Mask]) -> str:
    """The snapshot with noisy lines replaced by `*`; where lines come and go, the noisy ones are left out."""
    return "\n".join(line for _, line in _lines(snapshot, masks))


def volatile_difference(expected: str, got: str) -> str | None:
    """What the differing parts of two texts look like (`a time`, `a number`, `an id` ...); None when ordinary."""
    old, new = _TOKEN.findall(expected), _TOKEN.findall(got)
    looks: list[str | None] = []
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            looks.append(_looks_alike("".join(old[i1:i2]), "".join(new[j1:j2])))
    return looks[0] if looks and all(looks) else None


def _looks_alike(one: str, other: str) -> str | None:
    kind = volatile_value(one)
    if kind and volatile_value(other):
        return kind
    for pattern, name in ((_CLOCK, "a time or date"), (_NUMBER, "a number"), (_ID, "a generated id")):
        if pattern.fullmatch(one) and pattern.fullmatch(other):
            return name
    return None


# The aspects -------------------------------------------------------------------------------------------------------


def _event(expected: Step, got: Step) -> Iterable[_Difference]:
    if expected.event != got.event:
        reason = f"another event happened: {got.event} instead of {expected.event}"
        if expected.event.what == got.event.what:
            reason = f"{expected.event} happened under another cause or as another occurrence"
        yield _Difference("event", str(expected.event), str(got.event), reason)


def _requests(expected: Sequence[Request], got: Sequence[Request]) -> Iterable[_Difference]:
    def shown(request: Request) -> str:
        return url_pattern(request.url, request.method, body=request.body.encode("utf-8", "surrogatepass"))

    yield from _listed("request", "request", [*map(shown, expected)], [*map(shown, got)])


def _errors(expected: Sequence[PageError], got: Sequence[PageError]) -> Iterable[_Difference]:
    def shown(error: PageError) -> str:
        return f"{error.kind}: {error.message}" + (f" at {error.source}" if error.source else "")

    yield from _listed("error", "error", [*map(shown, expected)], [*map(shown, got)])


def _hung(expected: Step, got: Step) -> Iterable[_Difference]:
    old, new = expected.effect.hung, got.effect.hung
    if bool(old) != bool(new):
        reason = f"the step did not come to rest: {new}" if new else f"the step came to rest, where before {old}"
        yield _Difference("hung", old or "the step comes to rest", new or "the step came to rest", reason)


def _url(expected: Step, got: Step) -> Iterable[_Difference]:
    if not expected.state or not got.state or expected.state.url == got.state.url:
        return
    old, new = expected.state.url, got.state.url
    if url_pattern(old, "at", origin="x:") == url_pattern(new, "at", origin="x:"):
        return
    yield _Difference("url", old, new, f"the page went to another address: {new} instead of {old}")


def _created(expected: Sequence[Event], got: Sequence[Event]) -> Iterable[_Difference]:
    names = {event.key: str(event) for event in (*expected, *got)}
    old, new = Counter(event.key for event in expected), Counter(event.key for event in got)
    for key in old - new:
        event = next(each for each in expected if each.key == key)
        near = nearest_event(event, [each for each in got if each.key not in old])
        instead = f"; {near} did instead" if near is not None else ""
        reason = f"{names[key]} did not become possible{instead}"
        yield _Difference("created", names[key], str(near) if near is not None else "nothing like it", reason)
    for key in new - old:
        yield _Difference(
            "created", "no such event", names[key], f"{names[key]} became possible, which it did not before"
        )


def _listed(aspect: Aspect, noun: str, expected: Sequence[object], got: Sequence[object]) -> Iterable[_Difference]:
    """Compare as multisets: the order within one step says nothing."""
    old, new = Counter(map(_shown, expected)), Counter(map(_shown, got))
    gone, added = list((old - new).elements()), list((new - old).elements())
    for n in range(max(len(gone), len(added))):
        if n < len(gone) and n < len(added):
            like = volatile_difference(gone[n], added[n])
            hint = f" (what differs looks like {like}: if it means nothing, ignore it)" if like else ""
            reason = f"there was another {noun}: {added[n]} instead of {gone[n]}{hint}"
            yield _Difference(aspect, gone[n], added[n], reason)
        elif n < len(gone):
            yield _Difference(aspect, gone[n], f"no such {noun}", f"the {noun} {gone[n]} is missing")
        else:
            yield _Difference(aspect, f"no such {noun}", added[n], f"there was a new {noun}: {added[n]}")


def _document(
    expected: Step, got: Step, expected_snapshot: str, got_snapshot: str, masks: Collection[Mask]
) -> Iterable[_Difference]:
    if expected.state and got.state and expected.state == got.state:
        return
    if not expected_snapshot or not got_snapshot:
        if expected.state and got.state:
            reason = "the document differs (no snapshot was kept to say where)"
            yield _Difference("document", expected.state.digest, got.state.digest, reason)
        return
    differences = snapshot_differences(expected_snapshot, got_snapshot, masks)
    for difference in differences[:_SHOWN_DIFFERENCES]:
        old, new = _around_difference(difference.expected, difference.got)
        path = difference.path or "the top of the document"
        if not new:
            reason = f"in {path} something is missing: {old}"
        elif not old:
            reason = f"in {path} there is something new: {new}"
        else:
            reason = f"in {path} there is {new} instead of {old}"
            if like := volatile_difference(old, new):
                reason += f" (what differs looks like {like}: if it means nothing, see ignore.regions)"
        yield _Difference("document", old or "nothing there", new or "nothing there", reason)
    if len(differences) > _SHOWN_DIFFERENCES:
        more = f"{len(differences) - _SHOWN_DIFFERENCES} more lines of the document differ"
        yield _Difference("document", "", "", more)


def _around_difference(old: str, new: str) -> tuple[str, str]:
    """Two long lines, as much of them as is needed to see where they differ."""
    same = next((n for n, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    return _cut(old, same - _BEFORE_DIFFERENCE), _cut(new, same - _BEFORE_DIFFERENCE)


def _cut(line: str, start: int) -> str:
    if len(line) <= _LONGEST_LINE:
        return line
    head, rest = line[:_BEFORE_DIFFERENCE], line[_BEFORE_DIFFERENCE:]
    start = max(0, start - _BEFORE_DIFFERENCE)
    end = start + _LONGEST_LINE - 2 * _BEFORE_DIFFERENCE
    return f"{head}{' … ' if start else ''}{rest[start:end]}{' …' if end < len(rest) else ''}"


def _doubt(match: Match[Exchange] | Match[Conversation]) -> str:
    shown = url_pattern(match.asked.url, match.asked.method)
    if match.how == "none":
        return f"{shown} has no recorded answer: {match.why}"
    how = "only roughly fits" if match.how == "fuzzy" else "was given before"
    return f"{shown} got a recorded answer that {how} ({match.why})"


def _shown(value: object) -> str:
    if isinstance(value, msgspec.Struct):
        return " ".join(str(part) for part in msgspec.structs.astuple(value) if part is not None)
    return str(value)


# Lines of a snapshot -----------------------------------------------------------------------------------------------


def _lines(snapshot: str, masks: Collection[Mask] = ()) -> list[tuple[str, str]]:
    """(path of the ancestors, line) for every line, evenly indented, masks applied."""
    by_path: dict[str, list[Mask]] = {}
    for mask in masks:
        by_path.setdefault(mask.path, []).append(mask)
    found: list[tuple[str, str]] = []
    above: list[tuple[int, str]] = []
    for line in snapshot.split("\n"):
        bare = line.strip()
        if not bare:
            continue
        depth = len(line) - len(line.lstrip())
        while above and above[-1][0] >= depth:
            above.pop()
        path = " > ".join(name for _, name in above)
        above.append((depth, line_name(bare)))
        here = by_path.get(path, ())
        noise = any(_fits(mask, bare) for mask in here)
        if not noise or not any(mask.optional for mask in here):
            found.append((path, "  " * (len(above) - 1) + ("*" if noise else bare)))
    return found


def line_name(line: str) -> str:
    """How a line is called in a path: its first word, with its id."""
    head = _HEAD.search(line)
    named = _ID_ATTRIBUTE.search(line)
    name = head[0].strip("<>-") if head else line[:20]
    return f"{name}#{named[1]}" if named and not volatile_value(named[1]) else name


def _fits(mask: Mask, line: str) -> bool:
    if mask.optional:
        return mask.line == line
    return re.fullmatch(".*?".join(map(re.escape, mask.line.split("*"))), line) is not None


def _starred(one: str, other: str) -> str:
    """What two lines have in common, the differing tokens starred."""
    old, new = _TOKEN.findall(one), _TOKEN.findall(other)
    parts: list[str] = []
    for tag, i1, i2, _, _ in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        parts.append("".join(old[i1:i2]) if tag == "equal" else "*")
    return "".join(parts)


def _differing(
    old: list[tuple[str, str]], new: list[tuple[str, str]]
) -> Iterable[tuple[list[tuple[str, str]], list[tuple[str, str]]]]:
    """The parts of two lists of lines that differ, after cutting off what is equal at both ends."""
    start = 0
    while start < min(len(old), len(new)) and old[start] == new[start]:
        start += 1
    end = 0
    while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
        end += 1
    old, new = old[start : len(old) - end], new[start : len(new) - end]
    if len(old) + len(new) > _LONGEST_DIFF:
        yield old[:1], new[:1]
        return
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, old, new, autojunk=True).get_opcodes():
        if tag != "equal":
            yield old[i1:i2], new[j1:j2]
