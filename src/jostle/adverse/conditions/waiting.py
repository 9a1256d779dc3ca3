"""Waiting in a page, and knowing it again."""

from __future__ import annotations

import contextlib
import json
import time

from jostle.adverse.condition import Ground
from jostle.adverse.quiet import PAINTED

_SAME_DOCUMENT = "performance.timeOrigin"


async def frame(ground: Ground) -> None:
    """Waits until the page has been painted: media queries, observers and resize events have been heard then."""
    await ground.evaluate(PAINTED)


# The browser tells the page of things in its own time, and handlers of the page's own come first.
_HEARD = 'window[Symbol.for("jostle.heard")]'


async def listen(ground: Ground, kind: str, which: str = "true") -> None:
    """Before something is done of which the page hears by an event: `which` is an expression over it."""
    await ground.evaluate(f"""void ({_HEARD} = new Promise((done) => addEventListener({kind!r}, function hear(event) {{
        if ({which}) {{ removeEventListener({kind!r}, hear); done(true); }}
    }})))""")


async def heard(ground: Ground) -> None:
    """Afterwards: waits until the page has heard of it, for two seconds at most."""
    with contextlib.suppress(Exception):  # a handler of the page's has kept it to itself, or has left
        await ground.evaluate(_HEARD, seconds=2)


async def document(ground: Ground) -> float:
    """What is the same as long as the document is."""
    return float(await ground.evaluate(_SAME_DOCUMENT))


# Who waits in a document that is left is told so at once.
_LOADED = f"""((before) => new Promise((done) => {{
    const late = setTimeout(() => done(false), 3000);
    const told = (loaded) => {{ clearTimeout(late); done(loaded); }};
    if ({_SAME_DOCUMENT} === before) return;
    if (location.href === "about:blank") told(false);
    else if (document.readyState === "complete") told(true);
    else addEventListener("load", () => told(true), {{ once: true }});
}}))"""


async def loaded(ground: Ground, *, seconds: float, tab: str | None = None, instead_of: float | None = None) -> None:
    """Waits until the page, or another tab, has loaded a document, other than the one that is named; after so many
    seconds it is as it is."""
    question = f"{_LOADED}({json.dumps(instead_of)})"
    deadline = time.monotonic() + seconds
    while (left := deadline - time.monotonic()) > 0:
        with contextlib.suppress(Exception):  # between two documents there is nobody to ask
            if tab is None:
                is_loaded = await ground.evaluate(question, seconds=left)
            else:
                is_loaded = await ground.elsewhere(tab, question, seconds=left)
            if is_loaded:
                return
        await ground.pause(0.005)
