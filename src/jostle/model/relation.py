"""How the element of one event stands to the element of the event before it, by their XPaths.

same < ancestor, descendant < family < none        (the stricter one is the smaller one)
"""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache

FAMILY_DISTANCE = 12
"""Both elements of a family are less than this many steps below their nearest common ancestor.

The paper calls it configurable and names no value. In today's pages a field lies deep below its form: five steps in
Django's administration interface, ten in Swagger UI. With a smaller distance the fields and the button of a form would
be no family. A greater one does little harm, as a macro goes on with what is nearest (see `shared`).
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


def shared(one: str, other: str) -> int:
    """How deep the nearest common ancestor of two elements lies: the deeper, the closer they belong together."""
    (_, here), (_, there) = _steps(one), _steps(other)
    depth = 0
    while depth < min(len(here), len(there)) and here[depth] == there[depth]:
        depth += 1
    return depth


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
