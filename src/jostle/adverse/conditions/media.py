"""The page is shown otherwise for a moment: printed, dark, without motion."""

from __future__ import annotations

import msgspec

from jostle.adverse.condition import Condition, Ground, Neutral, Pass
from jostle.adverse.conditions.hearing import MEDIUM_QUERY, SCHEME_QUERY, TASTE_QUERY, hears
from jostle.adverse.conditions.waiting import frame

_MEDIA = """(() => {
    const first = (name, values) => values.find((value) => matchMedia(`(${name}: ${value})`).matches) || "";
    return {
        medium: matchMedia("print").matches ? "print" : "",
        scheme: first("prefers-color-scheme", ["dark", "light"]),
        motion: first("prefers-reduced-motion", ["reduce", "no-preference"]),
        contrast: first("prefers-contrast", ["more", "less", "no-preference"]),
        forced: first("forced-colors", ["active", "none"]),
    };
})()"""


class Media(msgspec.Struct, frozen=True):
    """How a page is shown."""

    medium: str
    scheme: str
    motion: str
    contrast: str
    forced: str


async def _media(ground: Ground) -> Media:
    return msgspec.convert(await ground.evaluate(_MEDIA), Media)


async def _show(ground: Ground, media: Media) -> None:
    # All of them: what is left out would be taken back, also from the test's own context.
    await ground.send(
        "Emulation.setEmulatedMedia",
        media=media.medium,
        features=[
            {"name": "prefers-color-scheme", "value": media.scheme},
            {"name": "prefers-reduced-motion", "value": media.motion},
            {"name": "prefers-contrast", "value": media.contrast},
            {"name": "forced-colors", "value": media.forced},
        ],
    )


async def _meanwhile(ground: Ground, before: Media, meanwhile: Media) -> str:
    try:
        await _show(ground, meanwhile)
        await frame(ground)
    finally:
        await _show(ground, before)
    return ""


async def _colours(ground: Ground) -> str:
    before = await _media(ground)
    scheme = "light" if before.scheme == "dark" else "dark"
    return await _meanwhile(ground, before, msgspec.structs.replace(before, scheme=scheme))


async def _motion(ground: Ground) -> str:
    before = await _media(ground)
    motion = "no-preference" if before.motion == "reduce" else "reduce"
    contrast = "no-preference" if before.contrast == "more" else "more"
    return await _meanwhile(ground, before, msgspec.structs.replace(before, motion=motion, contrast=contrast))


async def _print(ground: Ground) -> str:
    try:
        printed = await ground.send(
            "Page.printToPDF", transferMode="ReturnAsStream", pageRanges="1", generateTaggedPDF=False
        )
        await ground.send("IO.close", handle=printed["stream"])
        return ""
    except Exception:  # only a browser without a window prints to a file
        before = await _media(ground)
        await ground.evaluate("void dispatchEvent(new Event('beforeprint'))")
        await _meanwhile(ground, before, msgspec.structs.replace(before, medium="print"))
        await ground.evaluate("void dispatchEvent(new Event('afterprint'))")
        return "the page was told so by its own events, since this browser shows a dialog when it prints"


_EMULATED = frozenset({"emulate_media"})

CONDITIONS = (
    Condition(
        name="print",
        title="the page is printed",
        what="The page is printed to nowhere: beforeprint, the media query for print, afterprint.",
        why="The paper changes nothing on the screen.",
        in_pass=Pass.KEPT,
        neutral=Neutral.COMMONLY,
        inject=_print,
        matters=hears(MEDIUM_QUERY, "beforeprint", "afterprint"),
        conflicts=_EMULATED | {"pdf"},
        cost="50 ms",
    ),
    Condition(
        name="colour-scheme",
        title="the colour scheme changes and changes back",
        what="prefers-color-scheme turns to dark (or light) and back.",
        why="Systems turn dark in the evening. It is a matter of looks.",
        in_pass=Pass.KEPT,
        neutral=Neutral.COMMONLY,
        inject=_colours,
        matters=hears(SCHEME_QUERY),
        conflicts=_EMULATED,
        cost="50 ms",
    ),
    Condition(
        name="motion",
        title="reduced motion and more contrast are asked for and not any more",
        what="prefers-reduced-motion and prefers-contrast change and change back.",
        why="They are settings of looks, which can be changed at any time.",
        in_pass=Pass.KEPT,
        neutral=Neutral.COMMONLY,
        inject=_motion,
        matters=hears(TASTE_QUERY),
        conflicts=_EMULATED,
        cost="40 ms",
    ),
)
