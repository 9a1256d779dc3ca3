"""The machine: its memory, speed, clock and settings."""

from __future__ import annotations

import contextlib
from typing import Any

from jostle.addresses import split_url
from jostle.adverse.condition import Condition, Ground, Neutral, NotRestored, Pass
from jostle.adverse.conditions.hearing import ON_THE_WEB, PERMISSION, hears
from jostle.adverse.conditions.waiting import frame

SLOWER = 6
"""How many times slower the processor becomes."""
HOUR = 3_600_000
_ZONES = ("Pacific/Auckland", "America/Los_Angeles")
_LANGUAGES = ("de-DE", "en-US")
_PERMISSIONS = ("geolocation", "notifications", "camera", "microphone", "clipboard-read")

_GRANTED = f"""Promise.all({list(_PERMISSIONS)!r}.map((name) => !navigator.permissions ? "" :
    navigator.permissions.query({{ name }}).then((one) => one.state === "granted" ? name : "", () => "")
)).then((all) => all.filter(Boolean))"""

_JUMP = """((distance) => {
    const Real = Date;
    const Shifted = new Proxy(Real, {
        construct: (target, given, made) =>
            Reflect.construct(target, given.length ? given : [Real.now() + distance], made),
        apply: () => new Real(Real.now() + distance).toString(),
        get: (target, name) => name === "now" ? () => Real.now() + distance : Reflect.get(target, name),
    });
    window.Date = Shifted;
    window[Symbol.for("jostle.clock")] = () => { if (window.Date === Shifted) window.Date = Real; };
})"""


async def _collect(ground: Ground) -> str:
    await ground.send("HeapProfiler.collectGarbage")
    with contextlib.suppress(Exception):  # not in every browser
        await ground.send("Memory.simulatePressureNotification", level="moderate")
    return ""


async def _slow(ground: Ground) -> None:
    await ground.send("Emulation.setCPUThrottlingRate", rate=SLOWER)


async def _fast(ground: Ground, begun: Any) -> None:
    await ground.send("Emulation.setCPUThrottlingRate", rate=1)


async def _jump(ground: Ground) -> None:
    await ground.evaluate(f"{_JUMP}({HOUR})")


async def _jump_back(ground: Ground, begun: Any) -> None:
    await ground.evaluate(
        'window[Symbol.for("jostle.clock")]?.(); delete window[Symbol.for("jostle.clock")]; undefined'
    )


async def _time_zone(ground: Ground) -> str:
    here = await ground.evaluate("Intl.DateTimeFormat().resolvedOptions().timeZone")
    there = _ZONES[1] if here == _ZONES[0] else _ZONES[0]
    try:
        await ground.send("Emulation.setTimezoneOverride", timezoneId=there)
    except Exception:
        return "left out, since the test has a time zone of its own"
    await frame(ground)
    await ground.send("Emulation.setTimezoneOverride", timezoneId=here)
    after = await ground.evaluate("Intl.DateTimeFormat().resolvedOptions().timeZone")
    if after != here:
        raise NotRestored(f"the time zone is {after} instead of {here}")
    return ""


async def _language(ground: Ground) -> str:
    here = await ground.evaluate("Intl.NumberFormat().resolvedOptions().locale")
    there = _LANGUAGES[1] if here == _LANGUAGES[0] else _LANGUAGES[0]
    try:
        await ground.send("Emulation.setLocaleOverride", locale=there)
    except Exception:
        return "left out, since the test has a language of its own"
    await frame(ground)
    await ground.send("Emulation.setLocaleOverride", locale=here)
    after = await ground.evaluate("Intl.NumberFormat().resolvedOptions().locale")
    if after != here:
        raise NotRestored(f"the language is {after} instead of {here}")
    return ""


async def _permission(ground: Ground) -> str:
    names = await ground.evaluate(_GRANTED)
    here = (await ground.send("Target.getTargetInfo"))["targetInfo"]
    parts = split_url(ground.url)
    where = {"origin": f"{parts.scheme}://{parts.netloc}", "browserContextId": here.get("browserContextId")}
    for name in names:
        permission = {"name": name}
        try:
            await ground.browser("Browser.setPermission", permission=permission, setting="denied", **where)
            await frame(ground)
        finally:
            await ground.browser("Browser.setPermission", permission=permission, setting="granted", **where)
    if await ground.evaluate(_GRANTED) != names:
        raise NotRestored("a permission could not be granted again")
    return ""


CONDITIONS = (
    Condition(
        name="garbage-collection",
        title="memory is short and cleaned up",
        what="Garbage is collected and the page is told that memory is short.",
        why="The browser does that whenever it likes; it shows who holds on to things too loosely.",
        in_pass=Pass.KEPT,
        neutral=Neutral.COMMONLY,
        inject=_collect,
        matters=hears("WeakRef", "FinalizationRegistry"),
        cost="15 ms",
    ),
    Condition(
        name="time-zone",
        title="the time zone changes and changes back",
        what="The machine is on the other side of the world for a moment. There is no event for it.",
        why="No date is shown meanwhile.",
        in_pass=Pass.KEPT,
        neutral=Neutral.ASKED,
        inject=_time_zone,
        conflicts=frozenset({"clock"}),
        cost="25 ms",
    ),
    Condition(
        name="language",
        title="the language changes and changes back",
        what="Numbers and dates are formatted in another language for a moment.",
        why="Nothing is formatted meanwhile.",
        in_pass=Pass.KEPT,
        neutral=Neutral.ASKED,
        inject=_language,
        cost="25 ms",
    ),
    Condition(
        name="permission",
        title="permissions are revoked and granted again",
        what="Permissions that the page has been granted are denied for a moment: change events of PermissionStatus.",
        why="Nothing uses them meanwhile. The page may ask again.",
        in_pass=Pass.KEPT,
        neutral=Neutral.ASSUMED,
        inject=_permission,
        matters=f"{ON_THE_WEB} && {hears(PERMISSION)} && {_GRANTED}.then((all) => all.length > 0)",
        conflicts=frozenset({"clear_permissions"}),
        cost="30 ms",
    ),
    Condition(
        name="slow-cpu",
        title="the machine is six times slower during the next action",
        what=f"Scripts run {SLOWER} times slower during the next action.",
        why="Machines are busy at times. The test waits for what it expects, not for some time.",
        in_pass=Pass.ENVIRONMENT,
        neutral=Neutral.ASSUMED,
        inject=_slow,
        end=_fast,
        cost="what the page's scripts take",
    ),
    Condition(
        name="clock-jump",
        title="the clock is an hour ahead during the next action",
        what="Date is an hour ahead during the next action, as on a laptop that slept.",
        why="Only where nothing runs out in an hour: sessions, caches, offers.",
        in_pass=Pass.ENVIRONMENT,
        neutral=Neutral.ASKED,
        inject=_jump,
        end=_jump_back,
        conflicts=frozenset({"clock"}),
        cost="5 ms",
    ),
)
