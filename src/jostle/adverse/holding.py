"""Which response may arrive when: the orders that a test is run in. Pure; time is given."""

from __future__ import annotations

import base64
import binascii
import enum
import zlib
from collections.abc import Iterable

import msgspec

from jostle.errors import UsageProblem

CALM = 0.15
"""Seconds without a new request after which no further one is expected to join those that are pending."""
GAP = 0.03
"""Between two responses, so that the page has handled the first before the second comes."""
PATIENCE = 1.0
"""How long a response is kept back at most: a test that waits for it is to get it."""
EXACTLY = 3.0
"""The same where an order is done again."""
TOKEN = "answers:"  # noqa: S105  what is written behind --jostle-repro


class ReleaseOrder(enum.StrEnum):
    """How responses are released."""

    AS_THEY_COME = "as they come"
    LATEST_FIRST = "latest first"
    """Of those that are pending at a time, the one that was requested last comes first."""
    PAST_NEXT_ACTION = "past the next action"
    """Each is kept back until the test has done one more thing, if it does one without it."""
    EXACTLY = "exactly"
    """As a schedule says."""


class Hold(msgspec.Struct, frozen=True, order=True):
    """A response that comes after something else."""

    response: str
    """`GET /api/cart#1`: the number tells those with the same address apart."""
    after: str
    """The same for another response, or `@3`: the test's third action."""


class _Response(msgspec.Struct, kw_only=True):
    name: str
    sent: float
    number: int
    """In the order of requests."""
    action: int
    """Under way, or the last one, when it was requested."""
    came: float | None = None
    released: float | None = None


class Holding:
    """Decides for each response of a run when it may go on to the page."""

    def __init__(self, mode: ReleaseOrder = ReleaseOrder.AS_THEY_COME, schedule: Iterable[Hold] = ()) -> None:
        self.mode = mode
        self._after: dict[str, set[str]] = {}
        for hold in schedule:
            self._after.setdefault(hold.response, set()).add(hold.after)
        self._responses: dict[str, _Response] = {}
        self._seen: dict[str, int] = {}
        self._begun = 0
        self._ended: dict[int, float] = {}
        self._last_sent = 0.0
        self._last_released = 0.0
        self.performed: list[Hold] = []
        self.requests: dict[str, int] = {}
        """What was requested, and after which action."""
        self.missed: list[Hold] = []
        """Of the schedule, what did not come about in time."""

    # What happens.

    def begins(self, action: int) -> None:
        self._begun = max(self._begun, action)

    def ends(self, action: int, now: float) -> None:
        self._ended.setdefault(action, now)

    def sent(self, key: str, what: str, now: float) -> str:
        """Something is requested; its name."""
        self._seen[what] = self._seen.get(what, 0) + 1
        name = f"{what}#{self._seen[what]}"
        self._responses[key] = _Response(name=name, sent=now, number=len(self._responses), action=self._begun)
        self.requests[name] = self._begun
        self._last_sent = now
        return name

    def came(self, key: str, now: float) -> None:
        """Its response is there."""
        if key in self._responses:
            self._responses[key].came = now

    def gone(self, key: str) -> None:
        """Nobody wants it any more."""
        if key in self._responses and self._responses[key].released is None:
            del self._responses[key]

    # What may be.

    def may_go(self, key: str, now: float) -> bool:
        response = self._responses.get(key)
        if response is None or response.came is None:
            return True
        if self.mode is ReleaseOrder.LATEST_FIRST:
            return self._latest(response, now)
        if self.mode is ReleaseOrder.PAST_NEXT_ACTION:
            return self._past(response, now)
        if self.mode is ReleaseOrder.EXACTLY:
            return self._exactly(response, now)
        return True

    def released(self, key: str, now: float) -> None:
        """It goes to the page."""
        response = self._responses.get(key)
        if response is None or response.released is not None:
            return
        if self.mode is ReleaseOrder.LATEST_FIRST:
            overtook = [each for each in self._responses.values() if each.number < response.number and _waits(each)]
            self.performed += [Hold(each.name, response.name) for each in overtook]
        elif self.mode is ReleaseOrder.PAST_NEXT_ACTION and (response.action + 1) in self._ended:
            self.performed.append(Hold(response.name, f"@{response.action + 1}"))
        elif self.mode is ReleaseOrder.EXACTLY:
            for after in sorted(self._after.get(response.name, ())):
                (self.performed if self._happened(after) else self.missed).append(Hold(response.name, after))
        response.released = now
        self._last_released = now

    def _latest(self, response: _Response, now: float) -> bool:
        assert response.came is not None
        if now - response.came > PATIENCE:
            return True
        pending = [each for each in self._responses.values() if each.released is None]
        if any(each.came is None for each in pending) or now - self._last_sent < CALM:
            return False
        return now - self._last_released >= GAP and response.number == max(each.number for each in pending)

    def _past(self, response: _Response, now: float) -> bool:
        assert response.came is not None
        ended = self._ended.get(response.action + 1)
        if ended is not None:
            return now - ended >= GAP
        return now - response.came > PATIENCE

    def _exactly(self, response: _Response, now: float) -> bool:
        assert response.came is not None
        wanted = self._after.get(response.name, set())
        if all(self._happened(each) for each in wanted):
            times = [at for each in wanted if (at := self._when(each)) is not None]
            return not times or now - max(times) >= GAP
        return now - response.came > EXACTLY

    def _happened(self, what: str) -> bool:
        return self._when(what) is not None

    def _when(self, what: str) -> float | None:
        if what.startswith("@"):
            return self._ended.get(int(what[1:]))
        return next((each.released for each in self._responses.values() if each.name == what), None)


def _waits(response: _Response) -> bool:
    return response.came is not None and response.released is None


def written(holds: Iterable[Hold]) -> str:
    """For `--jostle-repro`."""
    plain = msgspec.json.encode([(hold.response, hold.after) for hold in sorted(holds)])
    return TOKEN + base64.urlsafe_b64encode(zlib.compress(plain, 9)).decode().rstrip("=")


def read(token: str) -> tuple[Hold, ...]:
    """Raises UsageProblem."""
    text = token.strip().removeprefix(TOKEN)
    try:
        packed = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
        unpacker = zlib.decompressobj()
        plain = unpacker.decompress(packed, 1_000_000)
        holds = tuple(Hold(*pair) for pair in msgspec.json.decode(plain, type=list[tuple[str, str]]))
        if any(hold.after.startswith("@") and not hold.after[1:].isdigit() for hold in holds) or not holds:
            raise ValueError(token)
    except (binascii.Error, zlib.error, msgspec.MsgspecError, UnicodeError, ValueError):
        raise UsageProblem(
            f"--jostle-repro: `{token[:80]}` tells of no order of answers.",
            advice="Copy it whole from the section on answers at the end of a run.",
        ) from None
    return holds
