"""A repair: a policy that keeps the bad order of a race from happening, with the orders in which it was tried, or why
there is none."""

from __future__ import annotations

from collections.abc import Collection
from enum import StrEnum
from typing import Any

import msgspec

from jostle.findings.evidence.shared import CodeExcerpt


class RepairOutcome(StrEnum):
    """What came of looking for a repair."""

    PREVENTED = "prevented"
    """With the policy, the effect is gone in every order that was tried."""
    NOT_FOUND = "not found"
    """Every policy that could help was tried, and none did."""
    IMPOSSIBLE = "impossible"
    """No order of events in the page could help: only the code, or the server, can."""
    NOT_TRIED = "not tried"


class FixPattern(StrEnum):
    """How the code itself is fixed."""

    ABORT_OLD_REQUEST = "abort the old request"
    COMPARE_REQUEST_ID = "compare a request id"
    DISABLE_UNTIL_READY = "disable until ready"
    DISABLE_WHILE_SENDING = "disable while sending"
    REGISTER_EARLY = "register early and queue"
    KEEP_EDITED_FIELDS = "do not overwrite edited fields"
    KEEP_FOCUS = "do not move the focus away"
    SCRIPT_ORDER = "put the scripts in order"
    DEFINE_BEFORE_USE = "define before use"
    CHECK_ON_REGISTERING = "check whether it has happened already"
    CLEAR_TIMER = "clear the timer"
    AWAIT_DEPENDENCY = "await what is needed"
    DECIDE_ON_SERVER = "decide on the server"


class CodeFix(msgspec.Struct, frozen=True, kw_only=True):
    """The change of the source that removes the race for good."""

    pattern: FixPattern
    words: str
    """What to do."""
    example: str = ""
    """A few lines of code that show it."""
    lines: tuple[CodeExcerpt, ...] = ()
    """The code concerned."""


class RepairCost(msgspec.Struct, frozen=True, kw_only=True):
    """What a repair costs in one order, by the log of its controller."""

    postponed: int = 0
    """Events that had to wait."""
    dropped: int = 0
    """Events, responses and writes that were discarded."""
    waited: float = 0.0
    """Virtual milliseconds that all of them waited."""
    longest: float = 0.0
    """The longest wait of one of them, in virtual milliseconds."""


class VerifiedOrder(msgspec.Struct, frozen=True, kw_only=True):
    """An order of events in which a repair was tried."""

    name: str
    """`the bad order`, `the good order` ..."""
    before: bool
    """Whether the effect of the race is there without the repair."""
    after: bool = False
    """The same with it."""
    cost: RepairCost = RepairCost()


class TriedPolicy(msgspec.Struct, frozen=True, kw_only=True):
    """A policy that was tried and not chosen."""

    policy: str
    why: str
    """Why it is no repair."""


class Repair(msgspec.Struct, frozen=True, kw_only=True):
    """How a race is kept from happening while its code is not fixed yet, or why it cannot be."""

    outcome: RepairOutcome
    why: str = ""
    """Why there is none, in words."""
    policy: str = ""
    """Name of the policy; empty: there is none."""
    explanation: str = ""
    """What the policy does, in words."""
    general: bool = False
    """It concerns the whole page, not only the events that race."""
    definition: dict[str, Any] = {}
    """The policy as data, as in its file."""
    orders: tuple[VerifiedOrder, ...] = ()
    """Those in which it was tried, the bad one first."""
    startup: float | None = None
    """Real milliseconds that the script takes before the page goes on to load; None: that was not measured."""
    tried: tuple[TriedPolicy, ...] = ()
    """What was tried before it."""
    fix: CodeFix | None = None
    script: str = ""
    """File with the script that a page loads first; names of files are relative to the run directory."""
    replay: str = ""
    """File that replays the bad order with the repair."""
    before: str = ""
    after: str = ""
    """Pictures of the end of the bad order, without the repair and with it."""
    film: str = ""
    """Animated picture (PNG) of both runs side by side."""
    test: str = ""
    """File with the generated test that loads the repair first and passes."""
    verified: bool = False
    """Whether that test was run, and passed."""
    untested: str = ""
    """Why there is no such test."""

    @property
    def prevents(self) -> bool:
        return self.outcome is RepairOutcome.PREVENTED

    @property
    def cost(self) -> RepairCost:
        """In the bad order."""
        return self.orders[0].cost if self.orders else RepairCost()

    @property
    def cost_when_good(self) -> RepairCost:
        """The most that it costs where nothing would have gone wrong."""
        return max((each.cost for each in self.orders if not each.before), key=_weight, default=RepairCost())

    @property
    def files(self) -> tuple[str, ...]:
        return tuple(name for name in (self.script, self.replay, self.test) if name)

    @property
    def pictures(self) -> tuple[str, ...]:
        return tuple(name for name in (self.before, self.after, self.film) if name)

    def without(self, missing: Collection[str]) -> Repair:
        """Without the names of these files."""
        gone = {
            name: ""
            for name in ("script", "replay", "test", "before", "after", "film")
            if getattr(self, name) in missing
        }
        return msgspec.structs.replace(self, **gone) if gone else self


def _weight(cost: RepairCost) -> tuple[float, int]:
    return cost.waited, cost.postponed + cost.dropped
