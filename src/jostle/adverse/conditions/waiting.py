"""Waiting in a page, and knowing it again."""

from __future__ import annotations

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


async def frame(ground: Ground) -> None:
    """Waits until the page has been painted: media queries, observers and resize events have been heard then."""
    await ground.evaluate(_FRAME)


async def document(ground: Ground) -> float:
    """What is the same as long as the document is."""
    return float(await ground.evaluate(_SAME_DOCUMENT))


async def rebuilt(ground: Ground, before: float) -> bool:
    """Waits for another document than the one of before, loaded."""
    return await ground.until(
        f"{_SAME_DOCUMENT} !== {before!r} && document.readyState === 'complete' && location.href !== 'about:blank'",
        seconds=15,
    )
