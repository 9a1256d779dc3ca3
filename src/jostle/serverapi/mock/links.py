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


def _creations(samples: Sequence[tuple[int, Sample]]) -> Iterator[Creation]:
    for position, (maker, sample) in enumerate(samples):
        if sample.request.method != "POST" or sample.response.content is not Content.JSON:
            continue
        for made, value in _objects(sample.response.value):
            if (named := _id_of(value)) is None:
                continue
            for lister, later in samples[position + 1 :]:
                if later.request.method != "GET" or later.response.content is not Content.JSON:
                    continue
                for listed, elements in arrays(later.response.value):
                    same = [n for n, each in enumerate(elements) if _id_of(each) == named and _alike(each, value)]
                    if same and not _was_there(samples[:position], lister, listed, named):
                        first = same[0] * 2 < len(elements) - 1 or (same[0] == 0 and len(elements) > 1)
                        yield Creation(maker, made, lister, listed, named[0], first)


def _alike(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Whether an element of a list is the object that was made: they have most names in common, and most values."""
    common = one.keys() & other.keys()
    if 2 * len(common) < len(one.keys() | other.keys()):
        return False
    return 2 * sum(bool(one[name] == other[name]) for name in common) > len(common)


def _was_there(before: Sequence[tuple[int, Sample]], lister: int, listed: Path, named: tuple[str, Any]) -> bool:
    return any(
        _id_of(each) == named
        for number, sample in before
        if number == lister and sample.response.content is Content.JSON
        for path, elements in arrays(sample.response.value)
        if path == listed
        for each in elements
    )


def _removals(samples: Sequence[tuple[int, Sample]], operations: Sequence[Operation]) -> Iterator[Removal]:
    for position, (remover, sample) in enumerate(samples):
        pattern = operations[remover].pattern
        words = {each.text.lower() for each in pattern.path if each.constant}
        if pattern.method != "DELETE" and not (pattern.method == "POST" and words & _REMOVING):
            continue
        for source, text in sources(sample.request).items():
            if source.startswith("path "):
                yield from (
                    Removal(remover, source, lister, listed, id_name)
                    for lister, listed, id_name in _listed_before(samples[:position], samples[position + 1 :], text)
                )


def _listed_before(
    before: Sequence[tuple[int, Sample]], after: Sequence[tuple[int, Sample]], text: str
) -> Iterator[tuple[int, Path, str]]:
    """Where something of this id was listed, and no longer is when the same is asked for again."""
    for number, sample in before:
        if sample.request.method != "GET" or sample.response.content is not Content.JSON:
            continue
        again = [each for other, each in after if other == number and each.request == sample.request]
        for path, elements in arrays(sample.response.value):
            names = {named[0] for each in elements if (named := _id_of(each)) and str(named[1]) == text}
            for name in sorted(names):
                if again and all(text not in _ids_at(each.response.value, path, name) for each in again):
                    yield number, path, name


def _ids_at(value: Any, listed: Path, id_name: str) -> set[str]:
    """The ids in a list."""
    return {
        str(each.get(id_name))
        for path, elements in arrays(value)
        if path == listed
        for each in elements
        if isinstance(each, dict)
    }
