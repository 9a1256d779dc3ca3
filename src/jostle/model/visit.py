"""One event that was done in an application, and what came of it."""

from __future__ import annotations

import msgspec

from jostle.events import Effect, Event, State


class Visit(msgspec.Struct, frozen=True, kw_only=True):
    """One event that was done, and what came of it."""

    before: State
    event: Event
    effect: Effect
    after: State
    run: int = 1
    """The n-th run since the exploration began: what was done before in the same run led to `before`."""
    new_state: bool = False
    """The exploration had not been in the state before."""
    new_blocks: int = 0
    """Blocks of the application's code that ran for the first time, where that is being counted."""
