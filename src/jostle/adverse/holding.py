"""Which answer may arrive when: the orders that a test is run in. Pure; time is told."""

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
"""Between two answers, so that the page has handled the first before the second comes."""
PATIENCE = 1.0
"""How long an answer is kept back at most: a test that waits for it is to get it."""
EXACTLY = 3.0
"""The same where an order is done again."""
TOKEN = "answers:"  # noqa: S105  what is written behind --jostle-repro


class Mode(enum.StrEnum):
    """How answers are released."""

    AS_THEY_COME = "as they come"
    LATEST_FIRST = "latest first"
    """Of those that are pending at a time, the one that was asked for last comes first."""
    PAST_NEXT_ACTION = "past the next action"
    """Each is kept back until the test has done one more thing, if it does one without it."""
    EXACTLY = "exactly"
    """As a schedule says."""


class Hold(msgspec.Struct, frozen=True, order=True):
    """An answer that comes after something else."""

    answer: str
    """`GET /api/cart#1`: the number tells those with the same address apart."""
    after: str
    """The same for another answer, or `@3`: the test's third action."""


class _Answer(msgspec.Struct, kw_only=True):
    name: str
    sent: float
    number: int
    """In the order of being asked for."""
    action: int
    """Under way, or the last one, when it was asked for."""
    came: float | None = None
    released: float | None = None


class Holding:
    """Decides for each answer of a run when it may go on to the page."""

    def __init__(self, mode: Mode = Mode.AS_THEY_COME, schedule: Iterable[Hold] = ()) -> None:
        self.mode = mode
        self._after: dict[str, set[str]] = {}
        for hold in schedule:
            self._after.setdefault(hold.answer, set()).add(hold.after)
        self._answers: dict[str, _Answer] = {}
        self._seen: dict[str, int] = {}
        self._begun = 0
        self._ended: dict[int, float] = {}
        self._last_sent = 0.0
        self._last_released = 0.0
        self.performed: list[Hold] = []
        self.asked: dict[str, int] = {}
        """What was asked for, and after which action."""
        self.missed: list[Hold] = []
        """Of the schedule, what did not come about in time."""

    # What happens.

    def begins(self, action: int) -> None:
        self._begun = max(self._begun, action)

    def ends(self, action: int, now: float) -> None:
        self._ended.setdefault(action, now)

    def sent(self, key: str, what: str, now: float) -> str:
        """Something is asked for; its name."""
        self._seen[what] = self._seen.get(what, 0) + 1
        name = f"{what}#{self._seen[what]}"
        self._answers[key] = _Answer(name=name, sent=now, number=len(self._answers), action=self._begun)
        self.asked[name] = self._begun
        self._last_sent = now
        return name

    def came(self, key: str, now: float) -> None:
        """Its answer is there."""
        if key in self._answers:
            self._answers[key].came = now

    def gone(self, key: str) -> None:
        """Nobody wants it any more."""
        if key in self._answers and self._answers[key].released is None:
            del self._answers[key]

    # What may be.

    def may_go(self, key: str, now: float) -> bool:
        answer = self._answers.get(key)
        if answer is None or answer.came is None:
            return True
        if self.mode is Mode.LATEST_FIRST:
            return self._latest(answer, now)
        if self.mode is Mode.PAST_NEXT_ACTION:
            return self._past(answer, now)
        if self.mode is Mode.EXACTLY:
            return self._exactly(answer, now)
        return True

    def released(self, key: str, now: float) -> None:
        """It goes to the page."""
        answer = self._answers.get(key)
        if answer is None or answer.released is not None:
            return
        if self.mode is Mode.LATEST_FIRST:
            overtook = [each for each in self._answers.values() if each.number < answer.number and _waits(each)]
            self.performed += [Hold(each.name, answer.name) for each in overtook]
        elif self.mode is Mode.PAST_NEXT_ACTION and (answer.action + 1) in self._ended:
            self.performed.append(Hold(answer.name, f"@{answer.action + 1}"))
        elif self.mode is Mode.EXACTLY:
            for after in sorted(self._after.get(answer.name, ())):
                (self.performed if self._happened(after) else self.missed).append(Hold(answer.name, after))
        answer.released = now
        self._last_released = now

    def _latest(self, answer: _Answer, now: float) -> bool:
        assert answer.came is not None
        if now - answer.came > PATIENCE:
            return True
        pending = [each for each in self._answers.values() if each.released is None]
        if any(each.came is None for each in pending) or now - self._last_sent < CALM:
            return False
        return now - self._last_released >= GAP and answer.number == max(each.number for each in pending)

    def _past(self, answer: _Answer, now: float) -> bool:
        assert answer.came is not None
        ended = self._ended.get(answer.action + 1)
        if ended is not None:
            return now - ended >= GAP
        return now - answer.came > PATIENCE

    def _exactly(self, answer: _Answer, now: float) -> bool:
        assert answer.came is not None
        wanted = self._after.get(answer.name, set())
        if all(self._happened(each) for each in wanted):
            times = [at for each in wanted if (at := self._when(each)) is not None]
            return not times or now - max(times) >= GAP
        return now - answer.came > EXACTLY

    def _happened(self, what: str) -> bool:
        return self._when(what) is not None

    def _when(self, what: str) -> float | None:
        if what.startswith("@"):
            return self._ended.get(int(what[1:]))
        return next((each.released for each in self._answers.values() if each.name == what), None)


def _waits(answer: _Answer) -> bool:
    return answer.came is not None and answer.released is None


def minimal(holds: Iterable[Hold]) -> list[Hold]:
    """Without what follows from the rest: of three that are reversed, that the first comes after the third."""
    kept: dict[str, Hold] = {}
    for hold in holds:
        # The last of those it comes after is the one that was asked for directly after it.
        kept[hold.answer] = hold
    return list(kept.values())


def written(holds: Iterable[Hold]) -> str:
    """For `--jostle-repro`."""
    plain = msgspec.json.encode([(hold.answer, hold.after) for hold in sorted(holds)])
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
