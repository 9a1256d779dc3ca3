"""Waiting in a page, and knowing it again."""

from __future__ import annotations

import contextlib
import time

from jostle.adverse.condition import Ground
from jostle.adverse.quiet import KEY

# Frames may stop coming; a page that paints nothing has nothing to wait for. No timer is left behind, and the frame is
# none that the page has asked for.
_FRAME = f"""new Promise((done) => {{
    const channel = new MessageChannel();
    channel.port1.onmessage = () => {{ channel.port1.close(); done(true); }};
    const late = setTimeout(() => channel.port2.postMessage(0), 250);
    const nextFrame = globalThis[Symbol.for({KEY!r})]?.requestAnimationFrame || requestAnimationFrame;
    nextFrame(() => {{ clearTimeout(late); channel.port2.postMessage(0); }});
}})"""

_SAME_DOCUMENT = "performance.timeOrigin"
_PATIENCE = 15.0
"""Seconds that a page has to load again; after that it is as it is."""


async def frame(ground: Ground) -> None:
    """Waits until the page has been painted: media queries, observers and resize events have been heard then."""
    await ground.evaluate(_FRAME)


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
    const loaded = () => {{ clearTimeout(late); done(true); }};
    if ({_SAME_DOCUMENT} === before || location.href === "about:blank") return;
    if (document.readyState === "complete") loaded();
    else addEventListener("load", loaded, {{ once: true }});
}}))"""


async def rebuilt(ground: Ground, before: float) -> None:
    """Waits for another document than the one of before, loaded."""
    deadline = time.monotonic() + _PATIENCE
    while (left := deadline - time.monotonic()) > 0:
        try:
            if await ground.evaluate(f"{_LOADED}({before!r})", seconds=left):
                return
        except Exception:  # it has been left
            await ground.pause(0.005)
