"""How responses hang together with requests and with each other, as the recorded traffic shows it.

*Echo*: a value of the response is a value of the request (`?q=milk` gives `{"query": "milk", ...}`). *Creation*: what
one operation makes is later in the lists of another. *Removal*: what one operation removes is no longer there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from jostle.serverapi.description import Operation
from jostle.serverapi.matching import Matcher
from jostle.serverapi.sample import ApiRequest, Content, Sample

Path = tuple[str, ...]
"""Names of properties; `[]` is any element of an array."""
_ID_NAMES = ("id", "_id", "uuid", "key", "number", "slug", "name")
_REMOVING = frozenset(("delete", "remove", "destroy", "trash", "archive"))
"""Words in a path that say that something is removed, where the method does not."""
_TELLING = 3
"""Characters of a text that is equal by more than chance."""


class Echo(NamedTuple):
    """A value of the response that is a value of the request."""

    source: str
    """`path 2`, `query q` or `body text`."""
    target: Path


class Creation(NamedTuple):
    """What an operation makes, another one lists."""

    maker: int
    made: Path
    """Where in the response of the maker the new object is."""
    lister: int
    listed: Path
    """Where in the response of the lister the array is, without `[]` at its end."""
    id_name: str
    first: bool
    """Whether new ones come first."""


class Removal(NamedTuple):
    """What an operation removes, another one no longer lists."""

    remover: int
    source: str
    """Which value of the request names it."""
    lister: int
    listed: Path
    id_name: str


class Links(NamedTuple):
    """All that is known."""

    echoes: dict[int, tuple[Echo, ...]]
    creations: tuple[Creation, ...]
    removals: tuple[Removal, ...]


NO_LINKS = Links({}, (), ())


def links_in(samples: Sequence[Sample], matcher: Matcher) -> Links:
    """What the samples show, in the order in which they were recorded."""
    numbered = [(matcher.number_for(sample.request), sample) for sample in samples]
    by_operation: dict[int, list[Sample]] = {}
    for number, sample in numbered:
        if number is not None and sample.response.succeeded and sample.response.content is Content.JSON:
            by_operation.setdefault(number, []).append(sample)
    echoes = {number: tuple(_echoes(same)) for number, same in by_operation.items()}
    known = [(number, sample) for number, sample in numbered if number is not None and sample.response.succeeded]
    return Links(
        {number: each for number, each in echoes.items() if each},
        tuple(dict.fromkeys(_creations(known))),
        tuple(dict.fromkeys(_removals(known, matcher.description.operations))),
    )


def sources(request: ApiRequest) -> dict[str, str]:
    """The values that a request carries, by where they are."""
    found = {f"path {position}": text for position, text in enumerate(request.path)}
    found |= {f"query {name}": value for name, value in request.parameters}
    if isinstance(request.body, dict):
        for name, value in request.body.items():
            if isinstance(value, str | int | float) and not isinstance(value, bool):
                found[f"body {name}"] = str(value)
    return found


def leaves(value: Any, at: Path = ()) -> Iterator[tuple[Path, Any]]:
    """All values without parts, with where they are."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from leaves(inner, (*at, name))
    elif isinstance(value, list):
        for inner in value:
            yield from leaves(inner, (*at, "[]"))
    else:
        yield at, value


def arrays(value: Any, at: Path = ()) -> Iterator[tuple[Path, list[Any]]]:
    """All arrays that are not within arrays, with where they are."""
    if isinstance(value, list):
        yield at, value
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield from arrays(inner, (*at, name))


def changed(value: Any, path: Path, new: Any) -> Any:
    """A copy in which the leaves at a path are new, of the type that they had."""
    if not path:
        return _like(value, new)
    if path[0] == "[]":
        return [changed(each, path[1:], new) for each in value] if isinstance(value, list) else value
    if not isinstance(value, dict) or path[0] not in value:
        return value
    return {**value, path[0]: changed(value[path[0]], path[1:], new)}


def _like(old: Any, new: Any) -> Any:
    """A text as a value of the type that stands there; the old value where that cannot be."""
    if isinstance(old, str):
        return str(new)
    if isinstance(old, int) and not isinstance(old, bool):
        try:
            return int(new)
        except (TypeError, ValueError):
            return old
    return old


def _echoes(samples: Sequence[Sample]) -> Iterator[Echo]:
    """Leaves that are equal to a value of the request wherever they are there."""
    shown: dict[Echo, set[str]] = {}
    contradicted: set[Echo] = set()
    looked = [(sources(sample.request), _texts(sample.response.value)) for sample in samples]
    for asked, texts in looked:
        for source, text in asked.items():
            for path, values in texts.items():
                if values == {text} and text:
                    shown.setdefault(Echo(source, path), set()).add(text)
    for asked, texts in looked:
        for echo in shown:
            if echo.target in texts and texts[echo.target] != {asked.get(echo.source)}:
                contradicted.add(echo)
    for echo in sorted(shown.keys() - contradicted):
        values = shown[echo]
        if len(values) > 1 or any(len(each) >= _TELLING and not each.isdigit() for each in values):
            yield echo


def _texts(value: Any) -> dict[Path, set[str]]:
    """The values at each path, as texts."""
    texts: dict[Path, set[str]] = {}
    for path, leaf in leaves(value):
        if isinstance(leaf, str | int) and not isinstance(leaf, bool):
            texts.setdefault(path, set()).add(str(leaf))
    return texts


def _objects(value: Any, at: Path = ()) -> Iterator[tuple[Path, dict[str, Any]]]:
    if isinstance(value, dict):
        yield at, value
        for name, inner in value.items():
            yield from _objects(inner, (*at, name))


def _id_of(value: Any) -> tuple[str, Any] | None:
    """What tells an object from others: the name of a property and its value."""
    if isinstance(value, dict):
        for name in _ID_NAMES:
            if isinstance(value.get(name), str | int) and not isinstance(value.get(name), bool):
                return name, value[name]
    return None


class _Listed(NamedTuple):
    """An array in a response in which something is."""

    position: int
    """Of the sample."""
    lister: int
    path: Path
    elements: list[Any]
    places: list[int]
    """Where in the array."""


def _arrays_by_id(samples: Sequence[tuple[int, Sample]]) -> dict[tuple[str, Any], list[_Listed]]:
    """The arrays of all responses by what is in them, in their order."""
    found: dict[tuple[str, Any], list[_Listed]] = {}
    for position, (number, sample) in enumerate(samples):
        if sample.response.content is not Content.JSON:
            continue
        for path, elements in arrays(sample.response.value):
            places: dict[tuple[str, Any], list[int]] = {}
            for place, each in enumerate(elements):
                if named := _id_of(each):
                    places.setdefault(named, []).append(place)
            for named, here in places.items():
                found.setdefault(named, []).append(_Listed(position, number, path, elements, here))
    return found


def _creations(samples: Sequence[tuple[int, Sample]]) -> Iterator[Creation]:
    listed = _arrays_by_id(samples)
    known: set[Creation] = set()
    for position, (maker, sample) in enumerate(samples):
        if sample.request.method != "POST" or sample.response.content is not Content.JSON:
            continue
        for made, value in _objects(sample.response.value):
            if (named := _id_of(value)) is None:
                continue
            before = set()
            for each in listed.get(named, ()):
                if each.position < position:
                    before.add((each.lister, each.path))
                if each.position <= position or samples[each.position][1].request.method != "GET":
                    continue
                if (each.lister, each.path) in before:
                    continue
                both = [Creation(maker, made, each.lister, each.path, named[0], first) for first in (True, False)]
                if known.issuperset(both):
                    continue
                elements = each.elements
                place = next((n for n in each.places if _alike(elements[n], value)), None)
                if place is not None:
                    first = place * 2 < len(elements) - 1 or (place == 0 and len(elements) > 1)
                    known.add(both[not first])
                    yield both[not first]


def _alike(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Whether an element of a list is the object that was made: they have most names in common, and most values."""
    common = one.keys() & other.keys()
    if 2 * len(common) < len(one.keys() | other.keys()):
        return False
    return 2 * sum(bool(one[name] == other[name]) for name in common) > len(common)


def _removals(samples: Sequence[tuple[int, Sample]], operations: Sequence[Operation]) -> Iterator[Removal]:
    """Where something of an id was listed, and no longer is when the same is asked for again."""
    shown: _Shown | None = None
    for position, (remover, sample) in enumerate(samples):
        pattern = operations[remover].pattern
        words = {each.text.lower() for each in pattern.path if each.constant}
        if pattern.method != "DELETE" and not (pattern.method == "POST" and words & _REMOVING):
            continue
        shown = shown or _Shown(samples)
        for source, text in sources(sample.request).items():
            if source.startswith("path "):
                yield from (Removal(remover, source, *where) for where in shown.gone(text, position))


class _Shown:
    """When which id was listed."""

    def __init__(self, samples: Sequence[tuple[int, Sample]]) -> None:
        self._same: dict[object, list[tuple[ApiRequest, int]]] = {}
        self._asked: list[int] = []
        """When each request was sent for the last time, by its number here."""
        self._of: list[int] = []
        self._first: dict[str, dict[tuple[int, Path, str], int]] = {}
        self._last: dict[tuple[str, int, Path, str], int] = {}
        for position, (number, sample) in enumerate(samples):
            if sample.request.method != "GET" or sample.response.content is not Content.JSON:
                continue
            request = self._number(number, sample.request)
            self._asked[request] = position
            for path, elements in arrays(sample.response.value):
                for each in elements:
                    if named := _id_of(each):
                        self._first.setdefault(str(named[1]), {}).setdefault((request, path, named[0]), position)
                    for name in _ID_NAMES if isinstance(each, dict) else ():
                        if name in each and not isinstance(each[name], dict | list):
                            self._last[str(each[name]), request, path, name] = position

    def _number(self, number: int, request: ApiRequest) -> int:
        """One for requests that are equal."""
        alike = self._same.setdefault((number, request.path, request.parameters), [])
        for other, known in alike:
            if other == request:
                return known
        alike.append((request, len(self._asked)))
        self._asked.append(-1)
        self._of.append(number)
        return alike[-1][1]

    def gone(self, text: str, position: int) -> Iterator[tuple[int, Path, str]]:
        """Where it was listed before, and not after, although it was asked for."""
        for (request, path, name), first in self._first.get(text, {}).items():
            if first < position < self._asked[request] and self._last[text, request, path, name] < position:
                yield self._of[request], path, name
