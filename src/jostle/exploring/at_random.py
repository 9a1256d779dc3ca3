"""Exploring at random: the yardstick."""

from __future__ import annotations

import random

from jostle.events import Event
from jostle.exploring.situation import Situation
from jostle.model.visit import Visit

BACK = 0.1


class AtRandom:
    """Any of the possible events, all equally likely; with probability `back`, a page that was seen before."""

    reason = "there was nothing to do"

    def __init__(self, chance: random.Random, *, back: float = BACK) -> None:
        self._chance = chance
        self._back = back

    def choose(self, situation: Situation) -> Event | None:
        if situation.pages and (not situation.events or self._chance.random() < self._back):
            return self._chance.choice(situation.pages)
        return self._chance.choice(situation.events) if situation.events else None

    def observe(self, visit: Visit) -> None:
        """What came of it does not matter."""
