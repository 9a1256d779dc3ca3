"""The window changes its size, and changes back."""

from __future__ import annotations

import msgspec

from jostle.adverse.condition import Condition, Ground, Neutral, NotRestored, Pass
from jostle.adverse.conditions.hearing import OBSERVERS, ORIENTATION, PIXELS_QUERY, POINTER, SIZE_QUERY, hears
from jostle.adverse.conditions.waiting import frame

NARROW = 320
_FULL_SCREEN = "!!document.fullscreenElement"

# A mobile page may be wider than its window, which scales it down.
_METRICS = """(() => {
    const mobile = "orientation" in window;
    const scale = mobile ? visualViewport.scale : 1;
    return {
        width: Math.round(mobile ? visualViewport.width * scale : innerWidth),
        height: Math.round(mobile ? visualViewport.height * scale : innerHeight),
        ratio: devicePixelRatio,
        scale: visualViewport.scale,
        mobile,
        screen_width: screen.width,
        screen_height: screen.height,
        kind: screen.orientation.type,
        angle: screen.orientation.angle,
        scrolled: [scrollX, scrollY],
    };
})()"""

_TYPES = {
    "portrait-primary": "portraitPrimary",
    "portrait-secondary": "portraitSecondary",
    "landscape-primary": "landscapePrimary",
    "landscape-secondary": "landscapeSecondary",
}


class Metrics(msgspec.Struct, frozen=True):
    """The size of a page's window and screen."""

    width: int
    height: int
    ratio: float
    scale: float
    mobile: bool
    screen_width: int
    screen_height: int
    kind: str
    angle: int
    scrolled: tuple[float, float]

    def same_size(self, other: Metrics) -> bool:
        return (self.width, self.height, self.ratio) == (other.width, other.height, other.ratio)

    def rotated(self) -> Metrics:
        portrait = self.kind.startswith("portrait")
        return msgspec.structs.replace(
            self,
            width=self.height,
            height=self.width,
            screen_width=self.screen_height,
            screen_height=self.screen_width,
            kind="landscape-primary" if portrait else "portrait-primary",
            angle=0 if self.angle else 90,
        )

    def narrow(self) -> Metrics:
        """As narrow as a small phone; what is that narrow already becomes wide."""
        width = NARROW if self.width > NARROW else 3 * NARROW
        return msgspec.structs.replace(self, width=width, screen_width=max(width, self.screen_width))


async def _metrics(ground: Ground) -> Metrics:
    return msgspec.convert(await ground.evaluate(_METRICS), Metrics, strict=False)


async def _set(ground: Ground, metrics: Metrics, *, instead_of: Metrics) -> None:
    # Clearing an override would clear Playwright's too, so the old size is set, not cleared.
    await ground.send(
        "Emulation.setDeviceMetricsOverride",
        width=metrics.width,
        height=metrics.height,
        deviceScaleFactor=metrics.ratio,
        mobile=metrics.mobile,
        screenWidth=metrics.screen_width,
        screenHeight=metrics.screen_height,
        screenOrientation={"type": _TYPES.get(metrics.kind, "landscapePrimary"), "angle": metrics.angle},
    )
    if metrics.scale != instead_of.scale:
        await ground.send("Emulation.setPageScaleFactor", pageScaleFactor=metrics.scale)


async def _change(ground: Ground, before: Metrics, meanwhile: Metrics) -> str:
    try:
        await _set(ground, meanwhile, instead_of=before)
        await frame(ground)
    finally:
        await _set(ground, before, instead_of=meanwhile)
    after = await _metrics(ground)
    if not after.same_size(before):
        await frame(ground)
        after = await _metrics(ground)
    if after.scrolled != before.scrolled:
        x, y = before.scrolled
        await ground.evaluate(f"scrollTo({{ left: {x}, top: {y}, behavior: 'instant' }})")
    if not after.same_size(before):
        raise NotRestored(f"the window is {after.width} × {after.height} instead of {before.width} × {before.height}")
    return ""


async def _resize(ground: Ground) -> str:
    before = await _metrics(ground)
    return await _change(ground, before, before.narrow())


async def _rotate(ground: Ground) -> str:
    before = await _metrics(ground)
    return await _change(ground, before, before.rotated())


async def _zoom(ground: Ground) -> str:
    before = await _metrics(ground)
    larger = msgspec.structs.replace(before, ratio=2 * before.ratio, scale=2 * before.scale)
    return await _change(ground, before, larger)


async def _fullscreen(ground: Ground) -> str:
    await ground.send(
        "Runtime.evaluate",
        expression="document.documentElement.requestFullscreen().catch(() => {})",
        userGesture=True,
        awaitPromise=True,
    )
    if not await ground.evaluate(_FULL_SCREEN):
        return "the browser refused the full screen"
    await frame(ground)
    await ground.evaluate("document.exitFullscreen()")
    await ground.until(f"!{_FULL_SCREEN}", seconds=2)
    await frame(ground)
    return ""


async def _left_full_screen(ground: Ground) -> str:
    return "the page is still in full screen" if await ground.evaluate(_FULL_SCREEN) else ""


_SIZE = ("resize", SIZE_QUERY, *OBSERVERS)
_SIZES = frozenset({"set_viewport_size"})

CONDITIONS = (
    Condition(
        name="resize",
        title="the window becomes narrow and wide again",
        what=f"The window becomes {NARROW} pixels wide and then as wide as before: resize, media queries, observers.",
        why="People resize windows and put them side by side.",
        in_pass=Pass.KEPT,
        neutral=Neutral.COMMONLY,
        inject=_resize,
        matters=hears(*_SIZE),
        conflicts=_SIZES,
        cost="40 ms",
    ),
    Condition(
        name="rotate",
        title="the device is rotated and rotated back",
        what="Width and height change places and change back: orientation change, resize, media queries; on a mobile "
        "device orientationchange.",
        why="Phones and tablets are turned without meaning anything by it.",
        in_pass=Pass.KEPT,
        neutral=Neutral.COMMONLY,
        inject=_rotate,
        matters=hears(*_SIZE, ORIENTATION, "orientationchange", "scroll", *POINTER),
        conflicts=_SIZES,
        cost="40 ms",
    ),
    Condition(
        name="zoom",
        title="the page is zoomed in and out again",
        what="Pinch zoom to twice the size, with twice the pixels as on another screen, and back.",
        why="Zooming is for the eyes only.",
        in_pass=Pass.KEPT,
        neutral=Neutral.COMMONLY,
        inject=_zoom,
        matters=hears("resize", PIXELS_QUERY, *OBSERVERS),
        conflicts=_SIZES,
        cost="40 ms",
    ),
    Condition(
        name="fullscreen",
        title="full screen is entered and left",
        what="The document is shown in full screen for a moment: fullscreenchange, resize.",
        why="The page shows the same in full screen, and nothing depends on its layout.",
        in_pass=Pass.KEPT,
        neutral=Neutral.ASKED,
        inject=_fullscreen,
        restored=_left_full_screen,
        matters="document.fullscreenEnabled && !document.fullscreenElement",
        conflicts=_SIZES,
        cost="100 ms",
    ),
)
