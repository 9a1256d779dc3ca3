"""What an event leaves behind: only what stays can pile up."""

from __future__ import annotations

from jostle.events import Effect


def writes(effect: Effect) -> bool:
    """Whether something was written down, on the server or in the browser's storage."""
    return bool(effect.storage_writes) or any(not request.reads for request in effect.requests)


def adds(effect: Effect, *, anew: bool = True) -> bool:
    """Whether elements were added to the page. `anew`: those that a new document is made of count as well."""
    return (anew or not effect.commits) and any(change.what in ("children", "more") for change in effect.changes)


def piles_up(effect: Effect, *, anew: bool = True) -> float:
    """How likely something is left behind that stays."""
    return 1.0 + 2.0 * (adds(effect, anew=anew) + writes(effect))
