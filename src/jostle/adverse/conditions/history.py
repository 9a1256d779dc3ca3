"""The address changes within the document, and changes back."""

from __future__ import annotations

from jostle.adverse.condition import Condition, Ground, Neutral, Pass

_PART = "jostle-was-here"


async def _hash(ground: Ground) -> str:
    address = await ground.evaluate("location.href")
    await ground.evaluate(f"void (location.hash = {_PART!r})")
    await ground.until(f"location.hash === '#{_PART}'", seconds=2)
    await ground.evaluate("void history.back()")
    await ground.until(f"location.href === {address!r}", seconds=5)
    return ""


async def _same_address(ground: Ground) -> str:
    address = await ground.evaluate("location.href")
    return "" if address == ground.url else f"the page is at {address} instead of {ground.url}"


CONDITIONS = (
    Condition(
        name="hash",
        title="the part of the address after # changes and changes back",
        what="An unknown place in the page is gone to and left with Back: popstate and hashchange, twice each.",
        why="The application ignores places that it does not know.",
        in_pass=Pass.KEPT,
        neutral=Neutral.ASKED,
        inject=_hash,
        restored=_same_address,
        conflicts=frozenset({"go_back", "go_forward"}),
        cost="30 ms",
    ),
)
