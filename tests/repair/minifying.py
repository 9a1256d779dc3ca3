"""Minifies the controller for delivery: `python -m tests.repair.minifying`. What it writes is committed."""

from __future__ import annotations

from pathlib import Path

import minify  # type: ignore[import-untyped]

from jostle.repair import script
from jostle.repair.script import FRAME, PARTS, readable

FOLDER = Path(script.__file__).parent / "controller" / "minified"


def minified(part: str) -> str:
    """The part as it is delivered. It is minified as an argument, so that nothing is left out that looks unused."""
    text: str = minify.string("text/javascript", f"f({readable(part)})")
    return text.removeprefix("f(").removesuffix(")") + "\n"


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for part in (*PARTS, FRAME):
        (FOLDER / f"{part}.js").write_text(minified(part), "utf-8")


if __name__ == "__main__":
    main()
