"""Comparing screenshots: whether they show the same, and where they do not."""

from __future__ import annotations

import io

from PIL import Image, ImageChops

from jostle.events import Box

TOLERANCE = 12
"""Of 255: a colour that is no farther off looks the same. Edges of letters are never painted quite alike."""
_CELL = 16
"""Differences nearer to each other than so many pixels are one."""
_MOST = 12


def same_picture(one: bytes, other: bytes) -> bool:
    """Whether two PNGs show the same. Where there is no picture, nothing is said against it."""
    return one == other or not one or not other or not differing(one, other)


def differing(one: bytes, other: bytes) -> list[Box]:
    """The areas where two PNGs differ, the largest first. A smaller one goes on in the colour of its last corner."""
    first, second = _of_one_size(_opened(one), _opened(other))
    channels = ImageChops.difference(first, second).split()
    strongest = channels[0]
    for channel in channels[1:]:
        strongest = ImageChops.lighter(strongest, channel)
    marked = strongest.point(lambda value: 255 if value > TOLERANCE else 0)
    if marked.getbbox() is None:
        return []
    # A pixel for each cell, lit when anything in it differs; then neighbouring cells are joined.
    columns, rows = -(-first.width // _CELL), -(-first.height // _CELL)
    lit = {
        (column, row)
        for row in range(rows)
        for column in range(columns)
        if marked.crop((column * _CELL, row * _CELL, (column + 1) * _CELL, (row + 1) * _CELL)).getbbox() is not None
    }
    boxes = [_around(group) for group in _groups(lit)]
    return sorted(boxes, key=lambda box: box.width * box.height, reverse=True)[:_MOST]


def _opened(png: bytes) -> Image.Image:
    return Image.open(io.BytesIO(png)).convert("RGB")


def _of_one_size(*pictures: Image.Image) -> list[Image.Image]:
    size = max(each.width for each in pictures), max(each.height for each in pictures)
    grown = []
    for each in pictures:
        canvas = Image.new("RGB", size, each.getpixel((each.width - 1, each.height - 1)))
        canvas.paste(each)
        grown.append(canvas)
    return grown


def _groups(cells: set[tuple[int, int]]) -> list[set[tuple[int, int]]]:
    groups: list[set[tuple[int, int]]] = []
    left = set(cells)
    while left:
        border = [left.pop()]
        group = set(border)
        while border:
            column, row = border.pop()
            near = {(column + x, row + y) for x in (-1, 0, 1) for y in (-1, 0, 1)} & left
            left -= near
            group |= near
            border += near
        groups.append(group)
    return groups


def _around(cells: set[tuple[int, int]]) -> Box:
    left, top = min(column for column, _ in cells), min(row for _, row in cells)
    right, bottom = max(column for column, _ in cells), max(row for _, row in cells)
    return Box(left * _CELL, top * _CELL, (right - left + 1) * _CELL, (bottom - top + 1) * _CELL)
