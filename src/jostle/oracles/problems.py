"""What is wrong in any application: errors, refused requests, dead links, pages that hang."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Protocol

from jostle.addresses import split_url
from jostle.events import Answered, Effect, Event, PageError
from jostle.events.request_pattern import path_pattern
from jostle.findings import Defect, FindingKind, Severity
from jostle.findings.evidence import ErrorEvidence, HangEvidence, RequestEvidence
from jostle.model.abstraction import address
from jostle.model.label import label

_GIVEN_UP = frozenset(("Aborted", "BlockedByClient"))
"""Ends of a request that are nobody's fault: the page changed its mind, or the configuration forbids it."""
_GONE = (404, 410)
_REFUSALS = (401, 403, 409, 412, 422, 429)
"""How servers say no to what a user may well ask for."""

_URL = re.compile(r"https?://[^\s'\"()<>]+")
_IDENTIFIER = re.compile(r"\b(?:[0-9a-f]{8}-[0-9a-f-]{27}|(?=[a-f]*\d)[0-9a-f]{8,}|0x[0-9a-f]+)\b", re.IGNORECASE)
_NUMBER = re.compile(r"\d+")
_SOURCE = re.compile(r"(?P<file>.*?)(?P<position>:\d+:\d+)?", re.DOTALL)
_TITLE_LENGTH = 200


class DoneEvent(Protocol):
    """An event that happened and what it did: a `Visit`, a `Step`."""

    @property
    def event(self) -> Event: ...

    @property
    def effect(self) -> Effect: ...


def problems(done: DoneEvent, *, origins: Collection[str] = ()) -> list[Defect]:
    """What went wrong when this was done, each cause once. `origins`: the application's own; without them, all are."""
    found: dict[str, Defect] = {}
    for problem in _all(done.event, done.effect, origins):
        found.setdefault(problem.id, problem)
    return list(found.values())


def harmless(problem: Defect) -> str:
    """Why a problem is probably none, in a few words; empty when it is one.

    A server that refuses what was entered, or what somebody may not do, does its duty: an exploration enters anything.
    """
    asked = problem.evidence
    if problem.kind is FindingKind.HTTP_ERROR and isinstance(asked, RequestEvidence) and asked.status in _REFUSALS:
        return "refusal: the server said no to what was asked of it"
    return ""


def _all(event: Event, effect: Effect, origins: Collection[str]) -> Iterator[Defect]:
    if effect.hung:
        yield _hang(event, effect.hung)
    thrown = [error.message for error in effect.errors if error.kind != "console"]
    for error in effect.errors:
        # Frameworks report on the console what they throw.
        if error.kind != "console" or not any(message in error.message for message in thrown if message):
            yield _error(error)
    for answer in effect.answers:
        if _failed(answer) and _own(answer.url, origins):
            yield _dead_link(event, answer) if _is_link(event) and answer.resource == "document" else _http(answer)


def _error(error: PageError) -> Defect:
    line = error.message.strip().split("\n", 1)[0] or "an error without a message"
    names = {"console": "console error", "rejection": "unhandled rejection", "exception": "uncaught exception"}
    where = f" at {error.source}" if error.source else ""
    console = error.kind == "console"
    return Defect(
        kind=FindingKind.CONSOLE_ERROR if console else FindingKind.EXCEPTION,
        severity=Severity.LOW if console else Severity.HIGH,
        title=_short(f"{names.get(error.kind, error.kind)}: {line}{where}"),
        cause=f"{error.kind}\n{plain(line)}\n{_place(error.source)}",
        evidence=ErrorEvidence(message=error.message, source=error.source, stack=error.stack),
    )


def _http(answer: Answered) -> Defect:
    request = f"{answer.method} {split_url(answer.url).path or '/'}"
    said = f"status {answer.status}" if answer.status else f"no response ({answer.error})"
    if answer.status >= 500 or not answer.status:
        severity = Severity.HIGH
    else:
        severity = Severity.LOW if answer.status in _REFUSALS else Severity.MEDIUM
    return Defect(
        kind=FindingKind.HTTP_ERROR,
        severity=severity,
        title=_short(f"{request} failed with {said}" if answer.status else f"{request} got {said}"),
        cause=_request(answer),
        evidence=_evidence(answer),
    )


def _dead_link(event: Event, answer: Answered) -> Defect:
    said = f"fails with status {answer.status}" if answer.status else f"gets no response ({answer.error})"
    return Defect(
        kind=FindingKind.DEAD_LINK,
        severity=Severity.MEDIUM if answer.status in _GONE else Severity.HIGH,
        title=_short(f"{event.what}: {split_url(answer.url).path or '/'} {said}"),
        cause=_request(answer),
        evidence=_evidence(answer, link=event.what),
    )


def _hang(event: Event, words: str) -> Defect:
    return Defect(
        kind=FindingKind.HANG,
        severity=Severity.HIGH,
        title=_short(f"{event.what}: {words}"),
        cause=f"{plain(label(event))}\n{plain(words)}",
        evidence=HangEvidence(event=event.what, reason=words),
    )


def plain(text: str) -> str:
    """A message without what differs by data: addresses by their kind, numbers and generated ids as `#`."""
    text = _URL.sub(lambda found: address(found[0]), text)
    return " ".join(_NUMBER.sub("#", _IDENTIFIER.sub("#", text)).split())


def _place(source: str) -> str:
    """`/app.9f86d081884c7d65.js:12:5` is the same place in the next build."""
    found = _SOURCE.fullmatch(source)
    return f"{path_pattern(found['file'])}{found['position'] or ''}" if found else source


def _request(answer: Answered) -> str:
    return f"{answer.method} {address(answer.url)} {answer.status or answer.error}"


def _evidence(answer: Answered, link: str = "") -> RequestEvidence:
    return RequestEvidence(
        method=answer.method,
        url=answer.url,
        status=answer.status,
        resource=answer.resource,
        error=answer.error,
        link=link,
    )


def _failed(answer: Answered) -> bool:
    if answer.unknown:
        return False
    return answer.status >= 400 or (not answer.status and answer.error not in _GIVEN_UP)


def _is_link(event: Event) -> bool:
    return event.action.type == "click" and bool(event.action.href)


def _own(url: str, origins: Collection[str]) -> bool:
    parts = split_url(url)
    return not origins or f"{parts.scheme}://{parts.netloc}" in origins


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= _TITLE_LENGTH else f"{flat[: _TITLE_LENGTH - 1]}…"
