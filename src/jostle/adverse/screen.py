"""What a page shows, without its data: for telling whether two situations are alike.

The abstraction of states that the rest of jostle uses, `model.abstraction` over the agent's skeleton. No agent runs in
the page of a user's test, so its script is evaluated when it is needed. What is ticked is data to an explorer, but not
here: it is what a condition may make a page forget.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from jostle.adverse.ground import NotDone, evaluated, sent
from jostle.browser import agent
from jostle.browser.address import origin
from jostle.model.abstraction import by_name

_SKELETON = agent.alone("skeleton", "dom", "skeleton")
# A row of equal ones is one.
_TICKED = """[...document.querySelectorAll("input:is([type=checkbox], [type=radio])")]
    .map(({ checked }) => Number(checked)).join("").replace(/(.)\\1+/g, "$1")"""
_PART = f"({{ ...{_SKELETON}, ticked: {_TICKED}, frames: frames.length }})"


async def screen(session: Any) -> str:
    """The same for pages that look alike. Raises NotDone."""
    main = {**await evaluated(session, _PART), "tab": 0, "frame": ""}
    parts = [main, *(await _inner(session) if main["frames"] else ())]
    text = by_name("skeleton", origins=[origin(main["url"])]).text(parts)
    return f"{text} {' '.join(str(part['ticked']) for part in parts)}".rstrip()


async def _inner(session: Any) -> list[dict[str, Any]]:
    """The frames of a page, as far as they are in the same process."""
    tree = (await sent(session, "Page.getFrameTree", {}))["frameTree"]
    parts = []
    for number, frame in enumerate(_descendants(tree), 1):
        try:
            world = await sent(session, "Page.createIsolatedWorld", {"frameId": frame, "worldName": agent.NAME})
            part = await evaluated(session, _PART, context=world["executionContextId"])
        except NotDone:  # in another process, or gone
            continue
        parts.append({**part, "tab": 0, "frame": str(number)})
    return parts


def _descendants(tree: dict[str, Any]) -> Iterator[str]:
    for child in tree.get("childFrames", ()):
        yield child["frame"]["id"]
        yield from _descendants(child)
