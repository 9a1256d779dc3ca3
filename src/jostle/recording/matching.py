"""Which recorded exchange answers this request?

Tried in this order; the first that gives an answer not yet used wins:

| how        | the recorded request                                                                            |
|------------|-------------------------------------------------------------------------------------------------|
| `exact`    | same method, URL and body: first the one of the same event, then in recorded order with the same |
|            | variant headers, then in recorded order                                                         |
| `reused`   | the same GET or HEAD was recorded, but all its answers are used: the last one again             |
| `volatile` | equal but for what is volatile (`jostle.recording.normal_form`), in recorded order              |
| `reused`   | as above, for requests equal but for what is volatile                                           |
| `fuzzy`    | the best by `url_score`, then by likeness of body, among the first unused answer of each request |
| `none`     | nothing fits; the result names the nearest and says what keeps it from fitting                  |

For a fuzzy match the path may differ only in segments that look like identifiers, and at least half of the body
must agree. An exchange is never used twice unless the result says `reused`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Generic, Literal, TypeVar

from jostle.addresses import split_url
from jostle.events.request_pattern import url_pattern
from jostle.events.volatile import plain_name, volatility
from jostle.recording.exchange import Conversation, Exchange, Header
from jostle.recording.normal_form import WHOLE, NormalForm, NormalRequest, similarity

__all__ = ["ConversationMatcher", "How", "Match", "Matcher", "NormalRequest", "url_pattern", "url_score"]

How = Literal["exact", "volatile", "fuzzy", "reused", "none"]
EQUAL_URLS = 1_000_000

_REPEATABLE = ("GET", "HEAD")
_HASH_IN_FILE_NAME = re.compile(r"(?<![0-9A-Za-z])(?=[0-9a-z]*\d)[0-9a-z]{8,}(?![0-9A-Za-z])", re.I)
_CALLBACK_NAMES = frozenset(("callback", "jsonp", "jsonpcallback", "cb"))
_CALLBACK = re.compile(r"[A-Za-z_$][\w$.]*")

T = TypeVar("T")


@dataclass(frozen=True)
class Match(Generic[T]):
    """What was found for a request."""

    asked: NormalRequest
    how: How
    why: str
    """In words: what differs, or why nothing was found."""
    answer: T | None = None
    nearest: T | None = None
    """Without an answer: the recorded entry that came nearest."""
    edits: tuple[tuple[str, str], ...] = ()
    """Replacements to make in the body of the answer, (old, new): the name of a JSONP callback that changed."""


@dataclass
class _Entry(Generic[T]):
    item: T
    asked: NormalRequest
    ignored: Collection[str]
    used: bool = False

    @cached_property
    def form(self) -> NormalForm:
        return NormalForm(self.asked, self.ignored)


@dataclass
class _Queue(Generic[T]):
    """Entries that count as the same request, in recorded order."""

    entries: list[_Entry[T]] = field(default_factory=list)
    start: int = 0

    def first_unused(self) -> _Entry[T] | None:
        while self.start < len(self.entries):
            if not self.entries[self.start].used:
                return self.entries[self.start]
            self.start += 1
        return None


_Index = dict[Hashable, _Queue[T]]


class _Pool(Generic[T]):
    """Recorded entries, found by the request that asked for them."""

    def __init__(self, entries: Iterable[tuple[T, NormalRequest]], *, ignored: Collection[str], fuzzy: bool) -> None:
        self._ignored = frozenset(ignored) | {plain_name(name) for name in ignored}
        self._fuzzy_allowed = fuzzy
        self._entries = [_Entry(item, asked, self._ignored) for item, asked in entries]
        self._exact = self._index(lambda entry: entry.asked.exact)

    @cached_property
    def _by_event(self) -> _Index[T]:
        return self._index(lambda entry: (entry.asked.event, entry.asked.exact))

    @cached_property
    def _exact_variant(self) -> _Index[T]:
        return self._index(lambda entry: (entry.asked.exact, entry.asked.variant))

    @cached_property
    def _normal(self) -> _Index[T]:
        return self._index(lambda entry: entry.form.key)

    @cached_property
    def _normal_variant(self) -> _Index[T]:
        return self._index(lambda entry: (entry.form.key, entry.asked.variant))

    @cached_property
    def _shapes(self) -> _Index[T]:
        return self._index(lambda entry: entry.form.shape)

    def _index(self, key: Callable[[_Entry[T]], Hashable]) -> _Index[T]:
        index: _Index[T] = defaultdict(_Queue)
        for entry in self._entries:
            index[key(entry)].entries.append(entry)
        return dict(index)

    def unused(self) -> list[T]:
        return [entry.item for entry in self._entries if not entry.used]

    def give_back(self, item: T) -> None:
        """It was not needed after all."""
        for entry in self._entries:
            if entry.item is item:
                entry.used = False
        self._look_from_start()

    def reset(self) -> None:
        for entry in self._entries:
            entry.used = False
        self._look_from_start()

    def _look_from_start(self) -> None:
        for name in ("_exact", "_by_event", "_exact_variant", "_normal", "_normal_variant", "_shapes"):
            for queue in self.__dict__.get(name, {}).values():
                queue.start = 0

    def take(self, asked: NormalRequest) -> Match[T]:
        exact, variant = asked.exact, asked.variant
        same = self._exact.get(exact)
        if same is not None:
            entry = (
                (_first(self._by_event, (asked.event, exact)) if asked.event else None)
                or (_first(self._exact_variant, (exact, variant)) if len(same.entries) > 1 else None)
                or same.first_unused()
            )
            if entry:
                return self._answer(asked, entry, "exact", "the same request was recorded")
            if asked.method in _REPEATABLE:
                return self._again(asked, same)
        form = NormalForm(asked, self._ignored)
        entry = _first(self._normal_variant, (form.key, variant)) or _first(self._normal, form.key)
        if entry:
            return self._answer(asked, entry, "volatile", _in_words(self._differences(form, entry.form)))
        alike = self._normal.get(form.key)
        if alike is not None and asked.method in _REPEATABLE:
            return self._again(asked, alike)
        if self._fuzzy_allowed and (entry := self._fuzzy(form)):
            return self._answer(asked, entry, "fuzzy", _in_words(self._differences(form, entry.form)))
        return self._nothing(form, alike)

    def of_event(self, asked: NormalRequest) -> T | None:
        queue = self._by_event.get((asked.event, asked.exact))
        return queue.entries[0].item if queue is not None else None

    def _answer(self, asked: NormalRequest, entry: _Entry[T], how: How, why: str) -> Match[T]:
        entry.used = True
        edits = () if how == "exact" else _callbacks(asked.url, entry.asked.url)
        return Match(asked, how, why, entry.item, edits=edits)

    def _again(self, asked: NormalRequest, queue: _Queue[T]) -> Match[T]:
        last, times = queue.entries[-1], len(queue.entries)
        why = f"it was recorded {_times(times)} and is asked for once more: the last answer is given again"
        return Match(asked, "reused", why, last.item, edits=_callbacks(asked.url, last.asked.url))

    def _fuzzy(self, form: NormalForm) -> _Entry[T] | None:
        best: tuple[tuple[int, float, bool], _Entry[T]] | None = None
        queue = self._shapes.get(form.shape)
        seen: set[Hashable] = set()
        for entry in queue.entries if queue else ():
            if entry.used or (key := entry.asked.exact) in seen:
                continue
            seen.add(key)
            if not _paths_alike(form, entry.form):
                continue
            alike = similarity(form.body, entry.form.body)
            if alike < 0.5:
                continue
            score = _score(form.path, form.query, entry.form.path, entry.form.query)
            rank = (score, alike, form.asked.variant == entry.asked.variant)
            if best is None or rank > best[0]:
                best = (rank, entry)
        return best[1] if best else None

    def _nothing(self, form: NormalForm, alike: _Queue[T] | None) -> Match[T]:
        asked = form.asked
        if not self._entries:
            return Match(asked, "none", "nothing was recorded")
        if alike is not None:
            times = len(alike.entries)
            why = f"it was recorded {_times(times)} and is asked for once more; a {asked.method} is not answered twice"
            return Match(asked, "none", why, nearest=alike.entries[-1].item)
        firsts = (queue.entries[0] for queue in self._normal.values())
        nearest = max(firsts, key=lambda entry: _nearness(form, entry.form))
        if nearest.form.origin != form.origin:
            return Match(asked, "none", f"no request to {form.origin} was recorded", nearest=nearest.item)
        what = _in_words(self._differences(form, nearest.form))
        shown = url_pattern(nearest.asked.url, nearest.asked.method)
        used = "" if self._normal[nearest.form.key].first_unused() else " (which is used up)"
        return Match(asked, "none", f"nearest is {shown}{used}, but {what}", nearest=nearest.item)

    def _differences(self, asked: NormalForm, recorded: NormalForm) -> list[str]:
        """What differs between the request and a recorded one, in words."""
        found = []
        if asked.asked.method != recorded.asked.method:
            found.append(f"its method is {recorded.asked.method}, not {asked.asked.method}")
        if asked.raw_path != recorded.raw_path:
            found.append(f"its path is {recorded.raw_path}, not {asked.raw_path}")
        found += _pair_differences("query parameter", recorded.raw_query, asked.raw_query, self._ignored)
        if not found and asked.raw_query != recorded.raw_query:
            found.append("its query parameters are in another order")
        if asked.asked.body != recorded.asked.body:
            pairs = _pair_differences("body field", recorded.body, asked.body, self._ignored)
            found += pairs or ["its body differs only in what is volatile, in order or in form"]
        if asked.asked.variant != recorded.asked.variant:
            found.append("its headers ask for another kind of answer")
        return found


class Matcher:
    """Answers requests from recorded exchanges.

    `ignored` are names of parameters and fields that mean nothing, by configuration. Without `fuzzy`, only requests
    equal but for what is volatile are answered.
    """

    def __init__(self, exchanges: Iterable[Exchange], *, ignored: Collection[str] = (), fuzzy: bool = True) -> None:
        self._pool = _Pool(((each, asked_by(each)) for each in exchanges), ignored=ignored, fuzzy=fuzzy)

    def take(
        self, method: str, url: str, body: bytes = b"", headers: Sequence[Header] = (), *, event: str = ""
    ) -> Match[Exchange]:
        """Find the answer to a request and mark it used. `event` is the key of the event that would deliver it."""
        return self._pool.take(NormalRequest(method, url, body, tuple(headers), event))

    def of_event(
        self, method: str, url: str, body: bytes = b"", headers: Sequence[Header] = (), *, event: str
    ) -> Exchange | None:
        """What the event of this key delivered as the answer to this very request, used or not."""
        return self._pool.of_event(NormalRequest(method, url, body, tuple(headers), event))

    def give_back(self, exchange: Exchange) -> None:
        """The request was given up before it was answered: somebody else may have the answer."""
        self._pool.give_back(exchange)

    def unused(self) -> list[Exchange]:
        """Recorded exchanges nobody has asked for yet."""
        return self._pool.unused()

    def reset(self) -> None:
        """Begin anew: nothing is used."""
        self._pool.reset()


class ConversationMatcher:
    """Finds the recorded conversation for a WebSocket or EventSource the page opens, as `Matcher` does for requests."""

    def __init__(self, conversations: Iterable[Conversation], *, ignored: Collection[str] = ()) -> None:
        entries = ((each, NormalRequest(each.kind.upper(), each.url)) for each in conversations)
        self._pool = _Pool(entries, ignored=ignored, fuzzy=True)

    def take(self, kind: str, url: str) -> Match[Conversation]:
        """`kind` is `websocket` or `eventsource`."""
        return self._pool.take(NormalRequest(kind.upper(), url))

    def unused(self) -> list[Conversation]:
        return self._pool.unused()

    def reset(self) -> None:
        self._pool.reset()


def asked_by(exchange: Exchange) -> NormalRequest:
    """The request of an exchange."""
    return NormalRequest(exchange.method, exchange.url, exchange.request_body, exchange.request_headers, exchange.event)


def url_score(one: str, other: str) -> int:
    """How well two URLs fit: 0 not at all, `EQUAL_URLS` when equal.

    They fit when host, number of path segments, presence of query and fragment and the set (and number) of query
    names are the same; then `1 + equal values + (query items + 1) * equal segments`.
    """
    if one == other:
        return EQUAL_URLS
    first, second = split_url(one), split_url(other)
    if first.netloc != second.netloc or bool(first.query) != bool(second.query):
        return 0
    if bool(first.fragment) != bool(second.fragment):
        return 0
    forms = [NormalForm(NormalRequest("GET", url)) for url in (one, other)]
    queries = [tuple(sorted(form.raw_query)) for form in forms]
    return _score(first.path.split("/"), queries[0], second.path.split("/"), queries[1])


def _score(
    path: Sequence[str], query: Sequence[tuple[str, str]], path2: Sequence[str], query2: Sequence[tuple[str, str]]
) -> int:
    if path == path2 and query == query2:
        return EQUAL_URLS
    if len(path) != len(path2) or [name for name, _ in query] != [name for name, _ in query2]:
        return 0
    values = sum(1 for one, other in zip(query, query2, strict=True) if one == other)
    segments = sum(1 for one, other in zip(path[1:], path2[1:], strict=True) if one == other)
    return 1 + values + (len(query) + 1) * segments


def _paths_alike(one: NormalForm, other: NormalForm) -> bool:
    """Do the paths differ only in segments that look like identifiers, or in the hash within a file name?"""
    for left, right in zip(one.path, other.path, strict=True):
        if left == right:
            continue
        if "." in left or "." in right:
            if _HASH_IN_FILE_NAME.sub("*", left) != _HASH_IN_FILE_NAME.sub("*", right):
                return False
        elif not (_like_id(left) and _like_id(right)):
            return False
    return True


def _like_id(segment: str) -> bool:
    return segment == "*" or any(character.isdigit() for character in segment)


def _nearness(asked: NormalForm, recorded: NormalForm) -> tuple[bool, float]:
    path = sum(1 for one, other in zip(asked.path, recorded.path, strict=False) if one == other)
    longest = max(len(asked.path), len(recorded.path))
    names, names2 = {name for name, _ in asked.query}, {name for name, _ in recorded.query}
    query = len(names & names2) / len(names | names2) if names or names2 else 1.0
    method = asked.asked.method == recorded.asked.method
    body = asked.asked.body == recorded.asked.body
    return (asked.origin == recorded.origin, 4 * path / longest + query + method + 0.5 * body)


def _pair_differences(
    noun: str, recorded: Iterable[tuple[str, str]], asked: Iterable[tuple[str, str]], ignored: Collection[str]
) -> list[str]:
    old: dict[str, list[str]] = defaultdict(list)
    new: dict[str, list[str]] = defaultdict(list)
    for pairs, by_name in ((recorded, old), (asked, new)):
        for name, value in pairs:
            by_name[name].append(value)
    found = []
    for name in {**old, **new}:
        shown = _field(noun, name)
        if name not in new:
            found.append(f"{shown} is missing now")
        elif name not in old:
            found.append(f"{shown} is new")
        elif name == WHOLE and old[name] != new[name]:
            found.append("its body, which is not a form or JSON object, differs")
        elif old[name] != new[name]:
            reason = volatility(name, new[name][0], ignored)
            both = f"{_short(old[name][0])} when recorded, {_short(new[name][0])} now"
            found.append(f"{shown} differs ({reason or both})")
    return found


def _field(noun: str, name: str) -> str:
    """A field in words, also one that has no name."""
    if name == WHOLE:
        return "a body that is not a form or JSON object"
    return f"{noun} {name}" if name.strip() else f"a {noun} without a name"


def _in_words(differences: Sequence[str]) -> str:
    if not differences:
        return "it differs only in order or form"
    more = f" and {len(differences) - 3} more" if len(differences) > 3 else ""
    return "; ".join(differences[:3]) + more


def _callbacks(asked: str, recorded: str) -> tuple[tuple[str, str], ...]:
    if asked == recorded:
        return ()
    new, old = (dict(NormalForm(NormalRequest("GET", url)).raw_query) for url in (asked, recorded))
    return tuple(
        (old[name], new[name])
        for name in new
        if plain_name(name) in _CALLBACK_NAMES
        and old.get(name, new[name]) != new[name]
        and _CALLBACK.fullmatch(new[name])
        and _CALLBACK.fullmatch(old[name])
    )


def _first(index: _Index[T], key: Hashable) -> _Entry[T] | None:
    queue = index.get(key)
    return queue.first_unused() if queue else None


def _times(count: int) -> str:
    return "once" if count == 1 else "twice" if count == 2 else f"{count} times"


def _short(text: str) -> str:
    return repr(text if len(text) <= 40 else text[:39] + "…")
