"""Where something was read or written: a value with a kind and parts.

=================  ============================  =====================================================================
kind, as text      `of` and `name`               what it is
=================  ============================  =====================================================================
`global:`          - NAME                        a global variable
`closure:`         SCOPE`.`NAME                  a variable of one activation of a scope
`object:`          ID`.`NAME                     a property of an object
`array:`           ID`[N]` or ID`.length`        an element of an array, its length
`dom:`             PATH`@`ATTRIBUTE              an attribute of an element; `text` and `children` are its content
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

    @property
    def numbered(self) -> bool:
        """Whether it belongs to something that is known by a number: documents that reach each other count together."""
        return self in _NUMBERED

    @property
    def outlives_documents(self) -> bool:
        """Whether all documents of an origin share it."""
        return self in _SHARED


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
    """Immutable; two are equal when their texts are. Unique within a run."""

    __slots__ = ("_text", "document", "kind", "name", "of")

    def __init__(self, text: str, document: str = "") -> None:
        """`text`: as in the table above, without the document. `located` reads the document too."""
        prefix, _, rest = text.partition(":")
        self.kind = _KINDS.get(prefix, LocationKind.OTHER)
        self.of, self.name = _parts(self.kind, rest if self.kind is not LocationKind.OTHER else text)
        self.document = document
        """Empty for the first document of a run, and for what documents share."""
        self._text = f"{text}{_IN_DOCUMENT}{document}" if document else text

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"Location({self._text!r})"

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Location) and self._text == other._text)

    def __hash__(self) -> int:
        return hash(self._text)

    def __reduce__(self) -> tuple[object, ...]:
        return located, (self._text,)


def _parts(kind: LocationKind, rest: str) -> tuple[str, str]:
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
    text, _, document = text.partition(_IN_DOCUMENT)
    return Location(text, document)


@lru_cache(maxsize=1 << 16)
def located_in(text: str, here: str, around: str) -> Location:
    """A location as a document tells it. `here`: the document; `around`: the outermost one that it can reach. Documents
    that reach each other count objects together; storage and cookies belong to none."""
    found = Location(text)
    if found.kind.outlives_documents:
        return found
    document = around if found.kind.numbered else here
    return Location(text, document) if document else found


def location_of_event(key: str) -> Location:
    """Whether the event of this key is possible."""
    return located(f"event:{key}")
