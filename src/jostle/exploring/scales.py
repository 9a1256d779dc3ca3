"""Form fields whose values lie on a scale: numbers, dates and times, with `min`, `max` and `step`."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal

from jostle.events import Field

_EPOCH = date(1970, 1, 1)
_LAST_SECOND = Decimal(86399)


@dataclass(frozen=True)
class _Type:
    """How the values of an input type are read and written as numbers."""

    read: Callable[[str], Decimal | None]
    write: Callable[[Decimal], str]
    step: int
    """The step where none is given."""
    usual: tuple[Decimal, Decimal]
    """Where values lie when nothing more is known."""
    extremes: tuple[str, ...]
    """The most unusual values of the type."""
    wraps: bool = False
    """A time of day: a minimum above the maximum means from there over midnight."""


@dataclass(frozen=True)
class Scale:
    """The values one field takes."""

    type: _Type
    low: Decimal | None
    high: Decimal | None
    step: Decimal | None

    @classmethod
    def of(cls, field: Field) -> Scale | None:
        """None for fields of other types."""
        kind = field.type.lower()
        type_ = _TYPES.get(kind)
        if type_ is None:
            return None
        low, high = type_.read(field.min), type_.read(field.max)
        if kind == "range":
            low = Decimal(0) if low is None else low
            high = max(low, Decimal(100) if high is None else high)
        told = field.step.strip().lower()
        step = _decimal(told)
        return cls(type_, low, high, None if told == "any" else step if step and step > 0 else Decimal(type_.step))

    def takes(self, text: str) -> bool:
        """Whether the text is a value of the type, within the bounds and on a step."""
        number = self.type.read(text)
        return number is not None and self._has(number)

    def pick(self, chance: random.Random, usual: tuple[str, str] | None = None) -> str:
        """One of the values, a usual one where that is possible."""
        least, most = self._usual(usual)
        low, high = least if self.low is None else self.low, most if self.high is None else self.high
        if self.type.wraps and low > high:
            high = _LAST_SECOND
        elif self.low is None:
            low = min(low, high - (most - least))
        elif self.high is None:
            high = max(high, low + (most - least))
        if self.type.wraps:
            low, high = max(low, Decimal(0)), min(high, _LAST_SECOND)
        first, last = self._steps_between(max(low, least), min(high, most))
        if last - first < 2:  # always the same would be less than a person does
            first, last = self._steps_between(low, high)
        if first > last:  # the next step in the direction that is open; else nothing fits
            if self.low is not None and self.high is not None:
                return self._written(low)
            first = last = last if self.low is None else first
        edge = chance.random()
        chosen = first if edge < 0.1 else last if edge < 0.2 else chance.randint(first, last)
        return self._written(self._base + chosen * self._stride)

    def outside(self) -> list[str]:
        """Values of the type next to those the field takes."""
        numbers = []
        if self.low is not None:
            numbers += [self.low - self._stride, self.low - 1000 * self._stride]
        if self.high is not None:
            numbers += [self.high + self._stride, self.high + 1000 * self._stride]
        if self.step is not None:
            numbers.append(self._base + self.step / 2)
        return [text for text in map(self._written, numbers) if text and not self.takes(text)]

    def extreme(self, chance: random.Random) -> str:
        """An unusual value of the type, whether or not the field takes it."""
        return chance.choice(self.type.extremes)

    def _has(self, number: Decimal) -> bool:
        above = self.low is None or number >= self.low
        below = self.high is None or number <= self.high
        if self.type.wraps and self.low is not None and self.high is not None and self.low > self.high:
            within = above or below
        else:
            within = above and below
        return within and (self.step is None or (number - self._base) % self.step == 0)

    def _usual(self, told: tuple[str, str] | None) -> tuple[Decimal, Decimal]:
        least, most = (self.type.read(text) for text in told) if told else self.type.usual
        return (least, most) if least is not None and most is not None else self.type.usual

    @property
    def _base(self) -> Decimal:
        """Where the steps are counted from; 0 is the beginning of 1970."""
        return self.low if self.low is not None else Decimal(0)

    @property
    def _stride(self) -> Decimal:
        return self.step if self.step is not None else Decimal(self.type.step)

    def _steps_between(self, low: Decimal, high: Decimal) -> tuple[int, int]:
        first = ((low - self._base) / self._stride).to_integral_value(ROUND_CEILING)
        last = ((high - self._base) / self._stride).to_integral_value(ROUND_FLOOR)
        return int(first), int(last)

    def _written(self, number: Decimal) -> str:
        try:
            return self.type.write(number)
        except (OverflowError, ValueError):  # beyond what the type can say
            return ""


def _decimal(text: str) -> Decimal | None:
    """A number as HTML writes it; None also for one too large or too fine to reckon with exactly."""
    if len(text) > 30 or not re.fullmatch(r"-?([0-9]+(\.[0-9]+)?|\.[0-9]+)([eE][-+]?[0-9]{1,2})?", text):
        return None
    number = Decimal(text)
    exponent = number.as_tuple().exponent
    return number if isinstance(exponent, int) and exponent >= -9 and abs(number) < 10**15 else None


def _plain(number: Decimal) -> str:
    text = f"{number:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _read_date(text: str) -> Decimal | None:
    if not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", text):
        return None
    try:
        return Decimal((date.fromisoformat(text) - _EPOCH).days)
    except ValueError:
        return None


def _write_date(number: Decimal) -> str:
    return (_EPOCH + timedelta(days=int(number))).isoformat()


def _read_time(text: str) -> Decimal | None:
    found = re.fullmatch(r"([01][0-9]|2[0-3]):([0-5][0-9])(?::([0-5][0-9])(\.[0-9]{1,3})?)?", text)
    if not found:
        return None
    hours, minutes, seconds, fraction = found.groups()
    return Decimal(int(hours) * 3600 + int(minutes) * 60 + int(seconds or 0)) + Decimal(fraction or 0)


def _write_time(number: Decimal) -> str:
    if not 0 <= number < 86400:
        raise ValueError("not a time of day")
    hours, rest = divmod(number, 3600)
    minutes, seconds = divmod(rest, 60)
    whole, fraction = divmod(seconds, 1)
    text = f"{int(hours):02}:{int(minutes):02}"
    if seconds:
        text += f":{int(whole):02}"
    return text + (f".{int(fraction * 1000):03}" if fraction else "")


def _read_moment(text: str) -> Decimal | None:
    day, _, time = text.replace(" ", "T", 1).partition("T")
    days, seconds = _read_date(day), _read_time(time)
    return None if days is None or seconds is None else days * 86400 + seconds


def _write_moment(number: Decimal) -> str:
    days, seconds = divmod(number, 86400)
    if seconds < 0:  # Decimal rounds towards zero
        days, seconds = days - 1, seconds + 86400
    return f"{_write_date(days)}T{_write_time(seconds)}"


def _read_month(text: str) -> Decimal | None:
    found = re.fullmatch(r"([0-9]{4})-(0[1-9]|1[0-2])", text)
    if not found or found[1] == "0000":
        return None
    return Decimal((int(found[1]) - 1970) * 12 + int(found[2]) - 1)


def _write_month(number: Decimal) -> str:
    year, month = divmod(int(number), 12)
    if not 1 <= year + 1970 <= 9999:
        raise ValueError("no year of four digits")
    return f"{year + 1970:04}-{month + 1:02}"


_MONDAY = date(1969, 12, 29)
"""The first day of the first week of 1970."""


def _read_week(text: str) -> Decimal | None:
    if not re.fullmatch(r"[0-9]{4}-W[0-9]{2}", text):
        return None
    try:
        return Decimal((date.fromisocalendar(int(text[:4]), int(text[6:]), 1) - _MONDAY).days // 7)
    except ValueError:
        return None


def _write_week(number: Decimal) -> str:
    year, week, _ = (_MONDAY + timedelta(weeks=int(number))).isocalendar()
    return f"{year:04}-W{week:02}"


def _around(now: Decimal | None, before: int, after: int) -> tuple[Decimal, Decimal]:
    assert now is not None
    return now - before, now + after


_NUMBERS = _Type(_decimal, _plain, 1, (Decimal(1), Decimal(10)), ("0", "-1", "999999999", "1e5"))
_TYPES: dict[str, _Type] = {
    "number": _NUMBERS,
    "range": _NUMBERS,
    "date": _Type(_read_date, _write_date, 1, _around(_read_date("2026-03-14"), 30, 60), ("0001-01-01", "9999-12-31")),
    "time": _Type(_read_time, _write_time, 60, (Decimal(8 * 3600), Decimal(20 * 3600)), ("00:00", "23:59"), wraps=True),
    "datetime-local": _Type(
        _read_moment,
        _write_moment,
        60,
        _around(_read_moment("2026-03-14T12:00"), 30 * 86400, 60 * 86400),
        ("0001-01-01T00:00", "9999-12-31T23:59"),
    ),
    "month": _Type(_read_month, _write_month, 1, _around(_read_month("2026-03"), 6, 12), ("0001-01", "9999-12")),
    "week": _Type(_read_week, _write_week, 1, _around(_read_week("2026-W11"), 8, 20), ("1970-W01", "9999-W52")),
}
