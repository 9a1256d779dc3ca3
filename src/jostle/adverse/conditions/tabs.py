"""Another tab of the same application, and what it leaves in storage."""

from __future__ import annotations

from typing import Any

from jostle.addresses import split_url
from jostle.adverse.condition import Condition, Ground, Neutral, Pass
from jostle.adverse.conditions.hearing import ON_THE_WEB, hears
from jostle.adverse.conditions.waiting import heard, listen, loaded

_KEY = "jostle: another tab was here"

_LOADING = 5.0
"""Seconds that the other tab has to load; after that it is closed as it is."""
_FIRST_REQUESTS = 0.03
"""Seconds for what a page requests as soon as it is loaded."""

_FULL = """(() => {
    const set = Storage.prototype.setItem;
    Storage.prototype.setItem = function () {
        throw new DOMException("The quota has been exceeded.", "QuotaExceededError");
    };
    window[Symbol.for("jostle.full")] = () => { Storage.prototype.setItem = set; };
})()"""


_STORED = "(() => { try { return localStorage.length > 0; } catch { return false; } })()"


def _origin(ground: Ground) -> str:
    parts = split_url(ground.url)
    return f"{parts.scheme}://{parts.netloc}"


async def _storage_event(ground: Ground) -> str:
    """Written past the page, so that it hears of it as of what another tab writes."""
    await listen(ground, "storage", f"event.key === {_KEY!r} && event.newValue === null")
    await ground.send("DOMStorage.enable")
    storage = {"securityOrigin": _origin(ground), "isLocalStorage": True}
    try:
        await ground.send("DOMStorage.setDOMStorageItem", storageId=storage, key=_KEY, value="1")
    finally:
        await ground.send("DOMStorage.removeDOMStorageItem", storageId=storage, key=_KEY)
        await ground.send("DOMStorage.disable")
    await heard(ground)
    return ""


async def _other_tab(ground: Ground) -> str:
    """Opened where Playwright does not see it, so that the test's own list of pages stays as it was."""
    here = (await ground.send("Target.getTargetInfo"))["targetInfo"]
    there = await ground.send(
        "Target.createTarget",
        url=ground.url,
        background=True,
        hidden=True,
        browserContextId=here.get("browserContextId"),
    )
    number = there["targetId"]
    try:
        await loaded(ground, tab=number, seconds=_LOADING)
        await ground.pause(_FIRST_REQUESTS)
    finally:
        await ground.send("Target.closeTarget", targetId=number)
    return ""


async def _fill_storage(ground: Ground) -> str:
    await ground.send("Storage.overrideQuotaForOrigin", origin=_origin(ground), quotaSize=1)
    await ground.evaluate(_FULL)
    return _origin(ground)


async def _empty_storage(ground: Ground, begun: Any) -> None:
    await ground.send("Storage.overrideQuotaForOrigin", origin=begun)
    await ground.evaluate('window[Symbol.for("jostle.full")]?.(); delete window[Symbol.for("jostle.full")]; undefined')


_SEVERAL = frozenset({"expect_page", "expect_popup", "new_page", "storage_state"})

CONDITIONS = (
    Condition(
        name="storage-event",
        title="another tab writes something unrelated to the storage",
        what="A key that nobody knows is written to localStorage and removed, as by another tab: two storage events.",
        why="What others write under a key of their own is none of the page's business.",
        in_pass=Pass.KEPT,
        neutral=Neutral.COMMONLY,
        inject=_storage_event,
        at_once=True,
        matters=f"{ON_THE_WEB} && {hears('storage')}",
        conflicts=frozenset({"storage_state"}),
        cost="15 ms",
    ),
    Condition(
        name="other-tab",
        title="the same page is opened in another tab and closed",
        what="Another tab of the same browser opens the same address, loads it and is closed.",
        why="People have several tabs of one application. Opening it writes nothing that matters to the others.",
        in_pass=Pass.KEPT,
        neutral=Neutral.ASSUMED,
        inject=_other_tab,
        matters=f"{ON_THE_WEB} && {_STORED}",
        conflicts=_SEVERAL,
        cost="100 ms and what the page takes to load",
    ),
    Condition(
        name="storage-full",
        title="the storage is full during the next action",
        what="Writing to localStorage, sessionStorage and IndexedDB fails (QuotaExceededError) during the next action.",
        why="Only where nothing is stored that the test looks at later.",
        in_pass=Pass.ENVIRONMENT,
        neutral=Neutral.ASKED,
        inject=_fill_storage,
        end=_empty_storage,
        matters=ON_THE_WEB,
        cost="5 ms",
    ),
)
