"""What an exploration has done so far. Plain data."""

from __future__ import annotations

import msgspec

from jostle.model.machine import Machine
from jostle.model.visit import Visit


class Exploration(msgspec.Struct, kw_only=True):
    """What an exploration has done so far; hand it in to have it also when the exploration is interrupted."""

    machine: Machine = msgspec.field(default_factory=Machine)
    """Also one of an earlier exploration, to go on from."""
    visits: list[Visit] = []
    """What was done, in order; of its effects without the changes of the document, which `on_visit` gets to see."""
    ended: str = ""
    """Why it ended, in words."""
    runs: int = 0
    """How often the application was started."""
    hangs: int = 0
    """How often an event did not come to an end."""
    impossible: int = 0
    """How often an event turned out not to be possible."""
    avoided: dict[str, str] = {}
    """What was left alone, in words, with the rule it fell under."""

    @property
    def done(self) -> int:
        """How many events were done."""
        return len(self.visits)
