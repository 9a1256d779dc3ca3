"""Trials on real pages, for tests: cause and effect done in turn in Chromium, the way to them being told."""

from __future__ import annotations

import random
from collections.abc import Sequence

from jostle.browser.chromium_app import ChromiumApp
from jostle.browser.settings import Control, Profiling, TabSettings
from jostle.exploring.application import Explored
from jostle.exploring.filling import with_value
from jostle.model.abstraction import by_name
from jostle.model.label import label
from jostle.model.machine import Machine
from jostle.model.visit import Visit
from jostle.slowdowns.alternate import Trial, alternate
from jostle.slowdowns.history import Pair, action_of
from jostle.slowdowns.trigger import Walker
from tests.browser.live import Browser


def trial(browser: Browser, url: str, walk: Sequence[str], cause: str, effect: str, *, costs: int = 20) -> Trial:
    """`walk`: labels of events that lead from the start through everything the alternation needs; of `cause` and
    `effect` the last occurrences count."""

    async def work() -> Trial:
        app = ChromiumApp(
            browser.chromium, url, settings=TabSettings(profiling=Profiling.COST, control=Control.FLOWING)
        )
        try:
            explored = Explored(app, by_name("skeleton", origins=tuple(app.origins)))
            visits = await _walked(explored, walk)
            machine = Machine()
            machine.started(visits[0].before)
            for visit in visits:
                machine.learn(visit.before, visit.event, visit.after)
            last = {label(visit.event): action_of(visit) for visit in visits}
            walker = Walker(explored, machine, random.Random(1), visits=visits)
            return await alternate(walker, Pair(last[cause], last[effect]), costs=costs, beyond=0)
        finally:
            await app.close()

    return browser.run(work())


async def _walked(explored: Explored, walk: Sequence[str]) -> list[Visit]:
    await explored.reset()
    visits: list[Visit] = []
    before = await explored.state()
    for wanted in walk:
        offered = {label(event): event for event in reversed(await explored.enabled())}
        assert wanted in offered, f"{wanted} is not among {sorted(offered)}"
        event = with_value(offered[wanted], random.Random(1), valid=True)
        effect = await explored.step(event)
        after = await explored.state()
        visits.append(Visit(before=before, event=event, effect=effect, after=after))
        before = after
    return visits
