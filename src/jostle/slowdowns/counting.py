"""What each function of the application had to do in each event of a trial."""

from __future__ import annotations

from collections import Counter

from jostle.browser.chromium_app import ChromiumApp
from jostle.browser.coverage import ScriptFunction
from jostle.browser.sources import SourceExcerpt, places
from jostle.model.visit import Visit
from jostle.slowdowns.alternate import Trial
from jostle.slowdowns.growing import Growing, growing
from jostle.slowdowns.history import action_of
from jostle.slowdowns.leftover import leftover
from jostle.slowdowns.trigger import Probed, Walker


class Counting:
    """Hand `visited` and `probed` to the walker. The application must count costs (`Profiling.COST`)."""

    def __init__(self, app: ChromiumApp) -> None:
        self._app = app
        self._run: list[Counter[ScriptFunction]] = []

    def visited(self, visit: Visit, walker: Walker) -> None:
        """An event was done; the walker has it among its steps already."""
        del self._run[len(walker.steps) - 1 :]
        self._run.append(self._app.ran.copy())
        self._app.ran.clear()

    async def probed(self) -> Probed:
        """What the last event ran, and what it left in the page."""
        return Probed(self._run[-1] if self._run else None, await leftover(self._app))

    def series(self, trial: Trial, walker: Walker) -> list[Counter[ScriptFunction]]:
        """What ran in each effect of the walker's last trial; nothing when something else was done after it."""
        steps = trial.steps
        if not steps or len(walker.steps) < len(steps) or walker.steps[len(steps) - 1] is not steps[-1]:
            return []
        effects = [n for n, visit in enumerate(steps) if action_of(visit) == trial.pair.effect]
        return [self._run[n] for n in effects if n < len(self._run)]

    async def blamed(self, trial: Trial, walker: Walker) -> list[tuple[Growing[ScriptFunction], SourceExcerpt | None]]:
        """The functions that grow, with the place where each is written."""
        series = self.series(trial, walker)
        found = growing(series[1:] if len(series) > 3 and series[0].total() > series[1].total() else series)
        known: dict[ScriptFunction, SourceExcerpt] = {}
        for tab in self._app.tabs:
            if tab.usable:
                known |= await places(tab, [each.function for each in found], self._app.origins)
        return [(each, known.get(each.function)) for each in found]
