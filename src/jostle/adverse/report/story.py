"""A failure of a test in adverse conditions, as its story in the report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from jostle.adverse.condition import Neutral
from jostle.findings import Finding
from jostle.findings.evidence import AdverseEvidence, InjectedCondition
from jostle.report.rows import shown
from jostle.report.screens import Album, Screen

MOST_ALSO = 50
MOST_ACTIONS = 60
LONGEST_TOLD = 6000


class ActionStep(msgspec.Struct, frozen=True, kw_only=True):
    """An action of the test, and what happened after it."""

    words: str
    then: tuple[str, ...] = ()


class AdverseStory(msgspec.Struct, frozen=True, kw_only=True):
    test: str
    steps: tuple[ActionStep, ...]
    places: tuple[InjectedCondition, ...]
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


_NEUTRAL: Mapping[str, str] = {
    Neutral.COMMONLY: "Everybody expects that it makes no difference.",
    Neutral.ASSUMED: "That it makes no difference is an assumption: if it does not hold here, name the condition in "
    "`@pytest.mark.adverse(skip=[...])`.",
    Neutral.ASKED: "It was asked for by name.",
}


def story(finding: Finding, album: Album) -> AdverseStory:
    evidence = finding.evidence
    assert isinstance(evidence, AdverseEvidence)
    places = tuple(
        InjectedCondition(title=shown(each.title), words=shown(each.words), where=shown(each.where), point=each.point)
        for each in evidence.places
    )
    return AdverseStory(
        test=shown(evidence.test),
        steps=_steps(finding.events, places),
        places=places,
        message=shown(evidence.message),
        failed_at=shown(evidence.failed_at),
        category=shown(evidence.category),
        meaning=shown(evidence.meaning),
        why=shown(evidence.why),
        neutral=_NEUTRAL.get(evidence.neutral, ""),
        approximate=shown(evidence.approximate),
        errors=tuple(shown(each) for each in evidence.errors[:10]),
        reproduce=shown(evidence.reproduce, 4000),
        also=tuple(shown(each) for each in evidence.also[:MOST_ALSO]),
        more_also=max(0, len(evidence.also) - MOST_ALSO),
        told=evidence.told[:LONGEST_TOLD].encode("utf-8", "replace").decode(),
        runs=evidence.runs,
        around=_screens(album, (("Before", evidence.before), ("After", evidence.after))),
        ends=_screens(
            album,
            (("Without it, at that place", evidence.good.screen), ("When it failed", evidence.bad.screen)),
        ),
    )


def _steps(actions: Sequence[str], places: Sequence[InjectedCondition]) -> tuple[ActionStep, ...]:
    then: dict[int, list[str]] = {}
    for place in places:
        then.setdefault(place.point, []).append(place.title)
    steps = [ActionStep(words=shown(words), then=tuple(then.get(n, ()))) for n, words in enumerate(actions, 1)]
    return tuple(steps[:MOST_ACTIONS])


def _screens(album: Album, named: Sequence[tuple[str, str]]) -> tuple[tuple[str, Screen], ...]:
    screens = [(words, album.screen(name)) for words, name in named if name]
    return tuple((words, screen) for words, screen in screens if screen.address)
