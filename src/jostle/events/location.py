"""Where something was read or written: a value with a kind and parts.

=================  ============================  =====================================================================
kind, as text      `of` and `name`               what it is
=================  ============================  =====================================================================
`global:`          - NAME                        a global variable
`closure:`         SCOPE`.`NAME                  a variable of one activation of a scope
`object:`          ID`.`NAME                     a property of an object
`array:`           ID`[N]` or ID`.length`        an element of an array, its length
`dom:`             PATH`@`ATTRIBUTE              an attribute of an element; `<content>` is its children and its text
`tree:`            - WHAT                        whether an element is in the page: lookups read it, insertion and
                                                 removal write it
`form:`            - PATH                        what stands in a field
`handler:`         PATH TYPE                     what listens: registration writes it, dispatch reads it
`storage:`         AREA`.`KEY                    an entry of localStorage or sessionStorage
`cookie:`          - NAME                        a cookie
`event:`           - KEY                         an event itself: cancelling it writes it, its happening reads it
=================  ============================  =====================================================================

All but the first document of a run have ` in document NAME` at the end.
"""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache
from typing import final
from weakref import WeakValueDictionary

_IN_DOCUMENT = " in document "


class LocationKind(StrEnum):
    GLOBAL = "global"
    CLOSURE = "closure"
    OBJECT = "object"
    ARRAY = "array"
    DOM = "dom"
    TREE = "tree"
    FORM = "form"
    HANDLER = "handler"
    STORAGE = "storage"
    COOKIE = "cookie"
    EVENT = "event"
    OTHER = "other"  # told by something that we do not know

    @property
    def visible(self) -> bool:
        """Whether the user can see it, or it outlives the page."""
        return self in _VISIBLE


_VISIBLE = frozenset(
    {
        LocationKind.DOM,
        LocationKind.FORM,
        LocationKind.TREE,
        LocationKind.HANDLER,
        LocationKind.STORAGE,
        LocationKind.COOKIE,
    }
)
_NUMBERED = frozenset({LocationKind.OBJECT, LocationKind.ARRAY, LocationKind.CLOSURE})
_SHARED = frozenset({LocationKind.STORAGE, LocationKind.COOKIE, LocationKind.EVENT})
_KINDS = {kind.value: kind for kind in LocationKind if kind is not LocationKind.OTHER}
_SEPARATORS = {LocationKind.DOM: "@", LocationKind.HANDLER: " "}


@final
class Location:
    """Immutable, unique within a run. There is one object for each text, so that comparing is comparing objects: a run
    has tens of thousands of accesses."""

    __slots__ = ("__weakref__", "_place", "_text", "document", "kind")

    def __init__(self, place: str, document: str, text: str) -> None:
        """To be made by `located` and `located_in`."""
        self.kind = _KINDS.get(place.partition(":")[0], LocationKind.OTHER)
        self.document = document
        """Empty for the first document of a run, and for what documents share."""
        self._place = place
        self._text = text

    @property
    def of(self) -> str:
        """Whose it is; empty where it is nobody's."""
        return _parts(self.kind, self._place)[0]

    @property
    def name(self) -> str:
        """What it is called there."""
        return _parts(self.kind, self._place)[1]

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"Location({self._text!r})"

    def __copy__(self) -> Location:
        return self

    def __deepcopy__(self, memo: object) -> Location:
        return self

    def __reduce__(self) -> tuple[object, ...]:
        return located, (self._text,)


_known: WeakValueDictionary[str, Location] = WeakValueDictionary()


def _made(place: str, document: str) -> Location:
    text = f"{place}{_IN_DOCUMENT}{document}" if document else place
    found = _known.get(text)
    if found is None:
        found = _known[text] = Location(place, document, text)
    return found


def _parts(kind: LocationKind, place: str) -> tuple[str, str]:
    if kind is LocationKind.OTHER:
        return "", place
    rest = place.partition(":")[2]
    if kind in _SEPARATORS:
        of, separator, name = rest.rpartition(_SEPARATORS[kind])
        return (of, name) if separator else (name, "")
    if kind is LocationKind.ARRAY and not rest.endswith(".length"):
        of, bracket, name = rest.partition("[")
        return of, bracket + name
    if kind in _NUMBERED or kind is LocationKind.STORAGE:
        of, _, name = rest.partition(".")
        return of, name
    return "", rest


@lru_cache(maxsize=1 << 16)
def located(text: str) -> Location:
    """The location that is written so, its document included."""
    place, _, document = text.partition(_IN_DOCUMENT)
    return _made(place, document) if document else _made(text, "")


@lru_cache(maxsize=1 << 16)
def located_in(text: str, here: str, around: str) -> Location:
    """A location as a document tells it. `here`: the document; `around`: the outermost one that it can reach. Documents
    that reach each other count objects together; storage and cookies belong to none."""
    kind = _KINDS.get(text.partition(":")[0], LocationKind.OTHER)
    return _made(text, "" if kind in _SHARED else around if kind in _NUMBERED else here)


def location_of_event(key: str) -> Location:
    """Whether the event of this key is possible."""
    return located(f"event:{key}")
