"""A failure of a test in adverse conditions, as its story in the report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from jostle.findings import Finding
from jostle.report.races_screens import Album, Screen
from jostle.report.rows import shown

MOST_ALSO = 50
MOST_ACTIONS = 60
LONGEST_TOLD = 6000


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """What happened after which action."""

    title: str = ""
    words: str = ""
    where: str = ""
    point: int = 0


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """An action of the test, and what happened after it."""

    words: str
    then: tuple[str, ...] = ()


class Story(msgspec.Struct, frozen=True, kw_only=True):
    test: str
    steps: tuple[Step, ...]
    places: tuple[Place, ...]
    message: str
    failed_at: str
    category: str
    meaning: str
    why: str
    neutral: str
    approximate: str
    errors: tuple[str, ...]
    reproduce: str
    also: tuple[str, ...]
    more_also: int
    told: str
    runs: int
    around: tuple[tuple[str, Screen], ...]
    """Before and after the condition."""
    ends: tuple[tuple[str, Screen], ...]
    """As the test expects it, and as it was when it failed."""


_NEUTRAL = {
    "commonly": "Everybody expects that it makes no difference.",
    "assumed": "That it makes no difference is an assumption: if it does not hold here, name the condition in "
    "`@pytest.mark.adverse(skip=[...])`.",
    "asked": "It was asked for by name.",
}


def story(finding: Finding, album: Album) -> Story:
    """Raises ValueError or msgspec.ValidationError where the evidence is of another shape."""
    evidence = finding.evidence
    places = tuple(
        Place(title=shown(each.title), words=shown(each.words), where=shown(each.where), point=each.point)
        for each in msgspec.convert(evidence["places"], tuple[Place, ...])
    )
    also = [shown(str(each)) for each in _list(evidence.get("also"))]
    return Story(
        test=shown(str(evidence["test"])),
        steps=_steps(finding.events, places),
        places=places,
        message=shown(str(evidence.get("message", ""))),
        failed_at=shown(str(evidence.get("failed_at", ""))),
        category=shown(str(evidence.get("category", ""))),
        meaning=shown(str(evidence.get("meaning", ""))),
        why=shown(str(evidence.get("why", ""))),
        neutral=_NEUTRAL.get(str(evidence.get("neutral", "")), ""),
        approximate=shown(str(evidence.get("approximate", ""))),
        errors=tuple(shown(str(each)) for each in _list(evidence.get("errors"))[:10]),
        reproduce=shown(str(evidence.get("reproduce", "")), 4000),
        also=tuple(also[:MOST_ALSO]),
        more_also=max(0, len(also) - MOST_ALSO),
        told=str(evidence.get("told", ""))[:LONGEST_TOLD].encode("utf-8", "replace").decode(),
        runs=int(evidence.get("runs", 0)),
        around=_screens(album, (("Before", evidence.get("before")), ("After", evidence.get("after")))),
        ends=_screens(
            album,
            (("Without it, at that place", _screen(evidence, "good")), ("When it failed", _screen(evidence, "bad"))),
        ),
    )


def _steps(actions: Sequence[str], places: Sequence[Place]) -> tuple[Step, ...]:
    then: dict[int, list[str]] = {}
    for place in places:
        then.setdefault(place.point, []).append(place.title)
    steps = [Step(words=shown(words), then=tuple(then.get(n, ()))) for n, words in enumerate(actions, 1)]
    return tuple(steps[:MOST_ACTIONS])


def _screens(album: Album, named: Sequence[tuple[str, Any]]) -> tuple[tuple[str, Screen], ...]:
    screens = [(words, album.screen(name)) for words, name in named if isinstance(name, str) and name]
    return tuple((words, screen) for words, screen in screens if screen.address)


def _screen(evidence: Mapping[str, Any], which: str) -> Any:
    order = evidence.get(which)
    return order.get("screen") if isinstance(order, Mapping) else None


def _list(value: object) -> list[Any]:
    return list(value) if isinstance(value, (list, tuple)) else []
