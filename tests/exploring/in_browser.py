"""Explorations in a real Chromium, for tests: what was done, what was found, what was told."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from typing import Any

import msgspec

from jostle.browser.chromium_app import ChromiumApp
from jostle.browser.settings import Control, Limits, Profiling, TabSettings
from jostle.config.settings import Invariant
from jostle.events import Event
from jostle.exploring.application import Explored
from jostle.exploring.at_random import AtRandom
from jostle.exploring.avoid import Avoid
from jostle.exploring.explorer import explore
from jostle.exploring.guided import Guided
from jostle.exploring.hunt import Hunt, Shows
from jostle.exploring.situation import Strategy
from jostle.findings import Finding
from jostle.model.abstraction import by_name
from jostle.model.exploration import Exploration
from jostle.oracles import Invariants
from tests.browser.live import Browser, grouped


class Walk(msgspec.Struct):
    """An exploration that is over."""

    exploration: Exploration
    findings: list[Finding]
    told: list[Any]
    """Progress, in order."""
    seconds: float
    """What the exploration took, without what came after."""

    @property
    def done(self) -> list[str]:
        return [visit.event.what for visit in self.exploration.visits]

    @property
    def titles(self) -> set[str]:
        """Of the pages it has been on, the first one left out unless it came back to it."""
        return {visit.after.title for visit in self.exploration.visits}

    @property
    def kinds(self) -> list[str]:
        return sorted(str(finding.kind) for finding in self.findings)

    def texts(self) -> str:
        return "\n".join(str(getattr(each, "text", "")) for each in self.told)

    def only(self, kind: str) -> Finding:
        found = [finding for finding in self.findings if finding.kind == kind]
        assert len(found) == 1, [finding.title for finding in self.findings]
        return found[0]


def walk(
    browser: Browser,
    url: str,
    *,
    events: int = 30,
    seed: int = 1,
    strategy: type[Guided] | type[AtRandom] = Guided,
    avoid: Sequence[str] = (),
    allow: Sequence[str] = (),
    invariants: Sequence[Invariant] = (),
    into: Exploration | None = None,
    **options: Any,
) -> Walk:
    """Explore and make what was found small, as `jostle explore` does. Steps that do not end are stopped early."""
    options.setdefault("limits", Limits(step=2))
    rules = Avoid(avoid, allowed=allow)
    options.setdefault("on_dialog", rules.answer)
    chance = random.Random(seed)
    told: list[Any] = []

    async def work() -> Walk:
        app = ChromiumApp(
            browser.chromium,
            url,
            settings=TabSettings(profiling=Profiling.COVERAGE, control=Control.FLOWING),
            **grouped({"seed": seed, **options}),
        )
        explored = Explored(app, by_name("skeleton", origins=tuple(app.origins)))
        hunt = Hunt(explored, Invariants(invariants), told.append)
        chosen: Strategy = strategy(chance)
        began = time.monotonic()
        try:
            exploration = await explore(
                explored,
                chosen,
                events=events,
                chance=chance,
                listener=told.append,
                avoid=rules,
                on_visit=hunt.visited,
                on_start=hunt.started,
                new_blocks=app.new_blocks,
                into=into,
            )
            seconds = time.monotonic() - began

            async def unrecorded(name: str, done: Sequence[Event], shows: Shows) -> None:
                return None

            findings = [finding async for finding in hunt.findings(unrecorded)]
            return Walk(exploration, findings, told, seconds)
        finally:
            await app.close()

    return browser.run(work(), timeout=110)
