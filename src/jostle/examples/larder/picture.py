"""Pictures of dishes, drawn from the number and the category of a recipe."""

from __future__ import annotations

import math

# Background, dish, and the colours of what lies in it.
_PALETTES = {
    "Breads": ("#f3e3cb", "#fffaf2", ("#c98b4a", "#a86a31", "#e0b07a")),
    "Mains": ("#dfe7dc", "#fbfcfa", ("#7d9a5b", "#c7583d", "#e5b95c")),
    "Salads": ("#e3efd9", "#fdfefb", ("#6d9c48", "#d8573f", "#b9d08b")),
    "Soups": ("#f6ddcf", "#fffaf6", ("#d9734a", "#e79a5f", "#8aa05c")),
    "Sweets": ("#f5dde0", "#fffafa", ("#b7566b", "#e2a6a0", "#e8c27a")),
}


def picture(number: int, category: str) -> str:
    """An SVG picture; the same for the same recipe."""
    ground, plate, colours = _PALETTES.get(category, _PALETTES["Mains"])
    pieces = []
    for piece in range(9):
        # The golden angle spreads the pieces evenly and never in rows.
        angle = 2.39996 * (piece + number)
        distance = 58 * math.sqrt((piece + 0.6) / 9)
        x, y = 200 + distance * math.cos(angle), 130 + distance * math.sin(angle)
        width = 15 + (number * 7 + piece * 5) % 13
        height = width if category == "Soups" else 9 + (number * 3 + piece * 7) % 14
        turn = (number * 47 + piece * 71) % 180
        pieces.append(
            f'<ellipse cx="{x:.1f}" cy="{y:.1f}" rx="{width}" ry="{height}" fill="{colours[piece % 3]}" '
            f'opacity=".92" transform="rotate({turn} {x:.1f} {y:.1f})"/>'
        )
    broth = f'<circle cx="200" cy="130" r="80" fill="{colours[1]}" opacity=".45"/>' if category == "Soups" else ""
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 260" width="400" height="260">'
        f'<rect width="400" height="260" fill="{ground}"/>'
        '<ellipse cx="200" cy="142" rx="112" ry="108" fill="#000" opacity=".08"/>'
        f'<circle cx="200" cy="130" r="108" fill="{plate}"/>'
        '<circle cx="200" cy="130" r="84" fill="none" stroke="#000" stroke-opacity=".07" stroke-width="2"/>'
        f"{broth}{''.join(pieces)}</svg>\n"
    )
