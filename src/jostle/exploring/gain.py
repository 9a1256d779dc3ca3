"""What trying something is worth, learned from what it brought."""

from __future__ import annotations

import msgspec


class Gain(msgspec.Struct):
    """What something brought lately, a try, from 0 to 1. The belief it starts from counts as two tries."""

    gain: float = 0.0
    tries: float = 0.0

    def learn(self, gain: float, fading: float) -> None:
        """`fading`: what an earlier try counts from now on."""
        self.gain = self.gain * fading + gain
        self.tries = self.tries * fading + 1

    def mean(self, belief: float) -> float:
        return (self.gain + 2 * belief) / (self.tries + 2)
