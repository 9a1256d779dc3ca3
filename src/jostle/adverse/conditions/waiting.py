"""Waiting in a page, and knowing it again."""

from __future__ import annotations

from jostle.adverse.condition import Ground

# Frames may stop coming; a page that paints nothing has nothing to wait for.
_FRAMES = """new Promise(done => {
    setTimeout(done, 250);
    requestAnimationFrame(() => requestAnimationFrame(done));
})"""

_SAME_DOCUMENT = "performance.timeOrigin"


async def frames(ground: Ground) -> None:
    """Waits until the page has been painted twice: media queries, observers and resize events have been heard then."""
    await ground.evaluate(_FRAMES)


async def document(ground: Ground) -> float:
    """What is the same as long as the document is."""
    return float(await ground.evaluate(_SAME_DOCUMENT))


async def rebuilt(ground: Ground, before: float) -> bool:
    """Waits for another document than the one of before, loaded."""
    return await ground.until(
        f"{_SAME_DOCUMENT} !== {before!r} && document.readyState === 'complete' && location.href !== 'about:blank'",
        seconds=15,
    )
