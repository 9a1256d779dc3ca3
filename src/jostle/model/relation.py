"""How the element of one event stands to the element of the event before it, by their XPaths.

same < ancestor, descendant < family < none        (the stricter one is the smaller one)
"""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache

FAMILY_DISTANCE = 5
"""Both elements of a family are less than this many steps below their nearest common ancestor.

The paper calls it configurable and names no value. With 5, the fields and the button of a form, the header and the
items of a menu, and the cells of a few table rows are families; a widget and what lies in another part of the page
usually are not.
"""


class Relation(StrEnum):
    SAME = "same"
    ANCESTOR = "ancestor"  # the later element contains the earlier one
    DESCENDANT = "descendant"  # the later element lies within the earlier one
    FAMILY = "family"
    NONE = "none"


def relation(before: str, after: str, distance: int = FAMILY_DISTANCE) -> Relation:
    """The relation of the element at the XPath `after` to the one of the preceding event, at `before`.

    Elements of different frames (`FRAME!/html/...`) are not related. `a[1]` and `a` are the same step.
    """
    frame, one = _steps(before)
    other_frame, other = _steps(after)
    if frame != other_frame:
        return Relation.NONE
    if one == other:
        return Relation.SAME
    shared = 0
    for step, other_step in zip(one, other, strict=False):
        if step != other_step:
            break
        shared += 1
    if shared == len(other):
        return Relation.ANCESTOR
    if shared == len(one):
        return Relation.DESCENDANT
    if shared and one[shared - 1] not in ("html", "body") and max(len(one), len(other)) - shared < distance:
        return Relation.FAMILY
    return Relation.NONE


def satisfies(actual: Relation, required: Relation) -> bool:
    """Is `actual` at least as strict as `required`?"""
    return (
        actual is required
        or actual is Relation.SAME
        or required is Relation.NONE
        or (required is Relation.FAMILY and actual is not Relation.NONE)
    )


def looser(one: Relation, other: Relation) -> Relation:
    """The strictest relation that whatever satisfies one of the two satisfies: `family` of ancestor and descendant."""
    return next(each for each in Relation if satisfies(one, each) and satisfies(other, each))


@lru_cache(maxsize=65_536)
def _steps(xpath: str) -> tuple[str, tuple[str, ...]]:
    frame, _, path = xpath.rpartition("!")
    return frame, tuple(step.removesuffix("[1]") for step in path.strip("/").split("/"))
