"""A run as an animated picture: one screen after the other, or two runs side by side with what differs in the end."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Literal

import msgspec
from PIL import Image, ImageDraw, ImageFont

from jostle.oracles.picture import differing

Format = Literal["gif", "webp", "png"]
FORMATS: dict[str, Format] = {".gif": "gif", ".webp": "webp", ".png": "png", ".apng": "png"}
"""By the ending of the file."""
MOST_SHOTS = 80
LARGEST = 8_000_000
"""Bytes; what would become larger is made smaller."""
STEP = 1200
LAST = 4000
"""Milliseconds that a screen, and the last one, is shown."""
_WIDEST = {1: 960, 2: 640}
"""Pixels of one of so many screens."""
_BAND = 34
_GAP = 8
_GROUND = "#111318"
_TONES = (("Good order", "#7ddba0"), ("Bad order", "#ff9c93"))
_MARK = "#e0211f"


class Shot(msgspec.Struct, frozen=True):
    """What a screen showed."""

    picture: bytes
    """PNG; empty when nothing could be painted, which shows as what was painted before."""


def film(shots: Sequence[Shot], kind: Format) -> bytes:
    """One run. Raises ValueError when there is nothing to show."""
    return _bounded([[each.picture] for each in _filled(shots)], kind, ())


def beside(
    good: Sequence[Shot], bad: Sequence[Shot], kind: Format, labels: Sequence[tuple[str, str]] = _TONES
) -> bytes:
    """Two runs side by side, step by step; the shorter one waits before its end, so that both end together. What
    differs in the end is marked. `labels`: their names, each with its colour."""
    one, two = _filled(good), _filled(bad)
    steps = max(len(one), len(two)) - 1
    rows = [[_step(one, n), _step(two, n)] for n in range(steps)]
    return _bounded([*rows, [one[-1].picture, two[-1].picture]], kind, labels)


def _step(shots: Sequence[Shot], number: int) -> bytes:
    return shots[max(0, min(number, len(shots) - 2))].picture


def _filled(shots: Sequence[Shot]) -> list[Shot]:
    """Without those of which there is no picture, unless one was there before."""
    found: list[Shot] = []
    for each in (*shots[: MOST_SHOTS - 1], *shots[MOST_SHOTS - 1 :][-1:]):
        if each.picture:
            found.append(each)
        elif found:
            found.append(found[-1])
    if not found:
        raise ValueError("Nothing was painted in the whole run: there is nothing to show.")
    return found


def _bounded(rows: Sequence[Sequence[bytes]], kind: Format, labels: Sequence[tuple[str, str]]) -> bytes:
    width = _WIDEST[len(rows[0])]
    while True:
        made = _encoded([_drawn(row, width, labels, last=row is rows[-1]) for row in rows], kind)
        if len(made) <= LARGEST or width < 240:
            return made
        width = int(width * max(0.5, min(0.85, (LARGEST / len(made)) ** 0.5)))


def _drawn(row: Sequence[bytes], width: int, labels: Sequence[tuple[str, str]], *, last: bool) -> Image.Image:
    screens = [Image.open(io.BytesIO(each)).convert("RGB") for each in row]
    if last and len(row) == 2 and screens[0].size == screens[1].size:
        pen = ImageDraw.Draw(screens[1])
        for box in differing(*row):
            pen.rectangle((box.x - 4, box.y - 4, box.x + box.width + 4, box.y + box.height + 4), outline=_MARK, width=4)
    small = [_scaled(each, width) for each in screens]
    height = max(each.height for each in small)
    band = _BAND if labels else 0
    whole = Image.new("RGB", (sum(each.width for each in small) + _GAP * (len(small) - 1), height + band), _GROUND)
    pen, left = ImageDraw.Draw(whole), 0
    for n, each in enumerate(small):
        if labels:
            name, tone = labels[n]
            pen.text((left + 12, 7), name, fill=tone, font=ImageFont.load_default(17))
        whole.paste(each, (left, band))
        left += each.width + _GAP
    return whole


def _scaled(picture: Image.Image, width: int) -> Image.Image:
    if picture.width <= width:
        return picture
    return picture.resize((width, max(1, round(picture.height * width / picture.width))), Image.Resampling.LANCZOS)


def _encoded(pictures: Sequence[Image.Image], kind: Format) -> bytes:
    size = max(each.width for each in pictures), max(each.height for each in pictures)
    frames = []
    for each in pictures:
        canvas = each
        if each.size != size:
            canvas = Image.new("RGB", size, _GROUND)
            canvas.paste(each)
        frames.append(canvas.quantize(192, dither=Image.Dither.NONE) if kind == "gif" else canvas)
    durations = [*([STEP] * (len(frames) - 1)), LAST]
    more = {"quality": 80, "method": 3} if kind == "webp" else {}
    file = io.BytesIO()
    if len(frames) == 1:
        frames[0].save(file, kind.upper(), **more)
    else:
        frames[0].save(
            file, kind.upper(), save_all=True, append_images=frames[1:], duration=durations, loop=0, **more
        )  # fmt: skip
    return file.getvalue()
