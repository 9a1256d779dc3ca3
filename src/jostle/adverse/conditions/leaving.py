"""The page is left, reloaded or thrown away, and comes back."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from jostle.adverse.condition import Condition, Ground, Neutral, NotRestored, Pass
from jostle.adverse.conditions.hearing import ON_THE_WEB, hears
from jostle.adverse.conditions.visibility import FREEZING, HIDING, IN_VIEW, NOT_IN_VIEW, tell, told_and_back
from jostle.adverse.conditions.waiting import document, loaded

_SAVED = (
    "All that the user sees is in the address, the history state, storage or on the server. The page does not ask "
    "before it is left."
)
_DIALOGS = frozenset({"expect_file_chooser", "expect_download"})
_STEPPING = frozenset({"go_back", "go_forward"})

# What asks before it is left says itself that leaving makes a difference.
_ASKS = """(() => {
    const asked = document.createEvent("BeforeUnloadEvent");
    asked.initEvent("beforeunload", false, true);
    window.dispatchEvent(asked);
    return asked.defaultPrevented || (asked.returnValue !== "" && asked.returnValue !== true);
})()"""

_WAS_DISCARDED = 'Object.defineProperty(document, "wasDiscarded", { get: () => true, configurable: true });'

_LOADING = 15.0
"""Seconds that a page has to load again; after that it is as it is."""
_KEEPING: WeakKeyDictionary[Any, bool] = WeakKeyDictionary()


async def _entry(ground: Ground) -> dict[str, Any]:
    history = await ground.send("Page.getNavigationHistory")
    entry: dict[str, Any] = history["entries"][history["currentIndex"]]
    return entry


async def _can_be_left(ground: Ground) -> bool:
    """What a form was sent for would have to be sent again, and people are asked before that; so it is left alone."""
    if not ground.url.startswith(("http:", "https:")) or await ground.evaluate(_ASKS):
        return False
    return bool((await _entry(ground)).get("transitionType") != "form_submit")


async def _reload(ground: Ground) -> str:
    before = await document(ground)
    await ground.send("Page.reload")
    await loaded(ground, instead_of=before, seconds=_LOADING)
    return ""


async def _hard_reload(ground: Ground) -> str:
    before = await document(ground)
    await ground.send("Page.reload", ignoreCache=True)
    await loaded(ground, instead_of=before, seconds=_LOADING)
    return ""


async def _go_away_and_back(ground: Ground) -> None:
    entry = (await _entry(ground))["id"]
    await ground.send("Page.navigate", url="about:blank")
    # Between two pages there is a moment in which there is no page to send anything to.
    for _ in range(500):
        try:
            await ground.send("Page.navigateToHistoryEntry", entryId=entry)
            return
        except Exception:
            await ground.pause(0.01)
    await ground.send("Page.navigateToHistoryEntry", entryId=entry)


async def _away_rebuilt(ground: Ground) -> str:
    before = await document(ground)
    await ground.evaluate("void addEventListener('unload', () => {})")  # keeps it out of the back/forward cache
    await _go_away_and_back(ground)
    await loaded(ground, instead_of=before, seconds=_LOADING)
    return ""


async def _discard(ground: Ground) -> str:
    await ground.send("Page.enable")  # scripts for new documents are kept only then
    script = await ground.send("Page.addScriptToEvaluateOnNewDocument", source=_WAS_DISCARDED)
    try:
        await tell(ground, "blur", "hidden", "freeze")
        await _away_rebuilt(ground)
    finally:
        await ground.send("Page.removeScriptToEvaluateOnNewDocument", identifier=script["identifier"])
    return "the page was left and built anew from its history, as a browser builds a discarded tab"


async def _away(ground: Ground) -> str:
    if not await _keeps_pages(ground):
        await told_and_back(ground, "blur", "pagehide", "hidden", "freeze", "resume", "visible", "pageshow", "focus")
        return "the page was told so by its own events, since Playwright turns the back/forward cache off"
    before = await document(ground)
    await _go_away_and_back(ground)
    await ground.until("location.href !== 'about:blank'", seconds=15)
    if (address := await ground.evaluate("location.href")) != ground.url:
        raise NotRestored(f"the page is at {address} instead of {ground.url}")
    if await document(ground) != before:
        return "the browser did not keep the page, so it was built anew"
    return ""


async def _keeps_pages(ground: Ground) -> bool:
    """Whether the browser has a back/forward cache, which stays so as long as it runs."""
    browser = ground.page.context.browser
    if browser is None:
        return await _started_to_keep_pages(ground)
    if browser not in _KEEPING:
        _KEEPING[browser] = await _started_to_keep_pages(ground)
    return _KEEPING[browser]


async def _started_to_keep_pages(ground: Ground) -> bool:
    """The command line of the browser tells, where it can be read."""
    try:
        processes = (await ground.browser("SystemInfo.getProcessInfo"))["processInfo"]
        number = next(process["id"] for process in processes if process["type"] == "browser")
        line = Path(f"/proc/{number}/cmdline").read_bytes()
    except Exception:
        return False
    program, _, arguments = line.partition(b"\0")
    return b"--headless" in arguments and b"shell" not in program and b"--disable-back-forward-cache" not in arguments


async def _rebuilt_in_place(ground: Ground) -> str:
    """An application may lead elsewhere after it was built anew: that is its doing and no mistake of ours."""
    if await ground.until(f"location.href !== 'about:blank' && {IN_VIEW}", seconds=2):
        return ""
    if await ground.evaluate("location.href") == "about:blank":
        return "the browser did not come back to the page"
    return NOT_IN_VIEW


CONDITIONS = (
    Condition(
        name="away",
        title="the user leaves the page and comes back to it as it was",
        what="The page hears pagehide (persisted), hidden, freeze, resume, visible and pageshow (persisted), as when a "
        "link is followed and the browser kept the page for Back. Approximated, unless the browser was started with "
        'ignore_default_args=["--disable-back-forward-cache"].',
        why="The browser shows the same document with all its state; people go back and expect to go on.",
        in_pass=Pass.KEPT,
        neutral=Neutral.COMMONLY,
        inject=_away,
        at_once=True,
        matters=f"{ON_THE_WEB} && {hears('pagehide', 'pageshow', *HIDING, *FREEZING)}",
        conflicts=_STEPPING | {"bring_to_front"},
        cost="10 ms, 400 ms when done truly",
    ),
    Condition(
        name="reload",
        title="the page is reloaded",
        what="The page is loaded again. Scroll position and history state are kept, values of fields are not.",
        why=_SAVED + " The test does not look at unsaved fields or open menus.",
        in_pass=Pass.REBUILT,
        neutral=Neutral.ASSUMED,
        inject=_reload,
        restored=_rebuilt_in_place,
        relevant=_can_be_left,
        conflicts=_DIALOGS,
        cost="50 ms and what the page takes to load",
    ),
    Condition(
        name="hard-reload",
        title="the page is reloaded without the browser's cache",
        what="The page is loaded again, and so is everything that it needs.",
        why=_SAVED + " The test does not look at unsaved fields or open menus.",
        in_pass=Pass.REBUILT,
        neutral=Neutral.ASKED,
        inject=_hard_reload,
        restored=_rebuilt_in_place,
        relevant=_can_be_left,
        conflicts=_DIALOGS,
        cost="50 ms and what the page takes to load",
    ),
    Condition(
        name="away-rebuilt",
        title="the user leaves the page and goes back, and it is built anew",
        what="Another page is opened and left with Back. The browser restores fields and the scroll position, scripts "
        "begin anew.",
        why=_SAVED,
        in_pass=Pass.REBUILT,
        neutral=Neutral.ASSUMED,
        inject=_away_rebuilt,
        restored=_rebuilt_in_place,
        relevant=_can_be_left,
        conflicts=_DIALOGS | _STEPPING,
        cost="60 ms and what the page takes to load",
    ),
    Condition(
        name="discard",
        title="the tab is discarded to save memory and restored",
        what="The page hears hidden and freeze, and is built anew with document.wasDiscarded. Approximated by going "
        "back to it.",
        why=_SAVED + " To be asked for, since `away-rebuilt` shows most of it.",
        in_pass=Pass.REBUILT,
        neutral=Neutral.ASKED,
        inject=_discard,
        restored=_rebuilt_in_place,
        relevant=_can_be_left,
        conflicts=_DIALOGS | _STEPPING,
        cost="60 ms and what the page takes to load",
    ),
)
