"""A load that came to rest: plain data, to be judged."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from jostle.events import Milestone, PageError, Request, Step
from jostle.model.page import is_page
from jostle.oracles.outcome import Outcome
from jostle.recording.file import Recording


class FieldValue(msgspec.Struct, frozen=True):
    """A field at some time."""

    value: str
    focused: bool


class PageLoad(msgspec.Struct, frozen=True, kw_only=True):
    """A load that came to rest, and what it ended in."""

    steps: tuple[Step, ...]
    acted: int | None = None
    """The position of the user's event."""
    outcome: Outcome
    entered: FieldValue | None = None
    """The field right after the user has filled it in."""
    left: FieldValue | None = None
    """The same in the end."""
    recording: Recording
    by_user: Outcome
    """The same end, with the requests and errors of nothing but the user's event and what it led to."""
    addresses: tuple[str, ...] = ()
    """Of the pages that are open in the end."""
    left_for: str = ""
    """The page that the user's event led to, if it was another one; also one that was refused."""

    @property
    def prevented(self) -> bool:
        """Whether a handler kept the browser from doing what it does with the user's event."""
        return self.acted is not None and self.steps[self.acted].effect.default_prevented

    @property
    def places(self) -> tuple[str, ...]:
        """Where the user is in the end, or would be if every page might be opened."""
        refused = refusals(led_to(self.steps, self.acted))
        return (*self.addresses, *refused[-1:])

    @property
    def requests(self) -> list[Request]:
        """What the user's event and all that it led to asked of servers."""
        return [request for step in led_to(self.steps, self.acted) for request in step.effect.requests]

    def errors(self, *, of_user: bool) -> list[PageError]:
        """What was thrown by the user's event and all that it led to, or by everything else."""
        keys = {step.event.key for step in led_to(self.steps, self.acted)}
        return [
            error
            for step in self.steps
            if (step.event.key in keys) == of_user
            for error in step.effect.errors
            if error.kind != "console"
        ]


def led_to(steps: Sequence[Step], acted: int | None) -> list[Step]:
    """The user's event and all that it led to."""
    keys: set[str] = set()
    found = []
    for position, step in enumerate(steps):
        if position == acted or step.event.creator in keys:
            keys.add(step.event.key)
            found.append(step)
    return found


def is_heeded(step: Step) -> bool:
    """Whether a handler did anything with what the user did: one that only lets a link be followed does nothing."""
    effect, action = step.effect, step.event.action
    if effect.default_prevented:
        return True
    stays = any(each.name == Milestone.STAYED for each in effect.lifecycle)
    left = effect.commits or stays or refusals([step]) or any(is_page(each) for each in effect.created)
    if action.href and left:
        return False
    return bool(
        effect.changes
        or effect.form_writes
        or effect.storage_writes
        or effect.errors
        or effect.dialogs
        or effect.downloads
        or any(request.resource != "document" for request in effect.requests)
        or any(not is_page(each) for each in effect.created)
        or any(each.name in (Milestone.ADDRESS, Milestone.FRAME_COMMIT) for each in effect.lifecycle)
    )


def refusals(steps: Sequence[Step]) -> list[str]:
    """Addresses of pages that were not opened because their origin is not allowed."""
    return [each.url for step in steps for each in step.effect.lifecycle if each.name == Milestone.REFUSED]
