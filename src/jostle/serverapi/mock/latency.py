"""How long responses take."""

from __future__ import annotations

import random
import re

import msgspec

from jostle.errors import UsageProblem

_RANGE = re.compile(r"(\d{1,6})(?:-(\d{1,6}))?")


class Latency(msgspec.Struct, frozen=True, kw_only=True):
    """Seconds, between two bounds."""

    shortest: float = 0.0
    longest: float = 0.0

    @classmethod
    def parse(cls, text: str) -> Latency:
        """Of milliseconds: `200`, or `50-400`. Raises UsageProblem."""
        found = _RANGE.fullmatch(text)
        if not found:
            raise UsageProblem(f"`{text}` is not a latency in milliseconds.", advice="Write 200, or 50-400.")
        bounds = sorted((int(found[1]) / 1000, int(found[2] or found[1]) / 1000))
        return cls(shortest=bounds[0], longest=bounds[1])

    def seconds(self, chance: random.Random) -> float:
        return chance.uniform(self.shortest, self.longest)
