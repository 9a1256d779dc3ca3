"""The mock server itself: a request in, a response out. No network, no clock; the same for the same seed.

For a request that was recorded, the recorded response. For others a response that is made by the schema of their
operation, with recorded values at its leaves. The same request gets the same response until something is sent that
changes data. Where the recorded traffic shows it, responses repeat values of the request, and lists show what was
created and no longer what was removed.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from functools import cached_property
from pathlib import PurePosixPath
from typing import Any

import msgspec

from jostle.errors import UsageProblem
from jostle.recording.exchange import Exchange, Header
from jostle.recording.file import Recording
from jostle.serverapi.ail_format import format_pattern
from jostle.serverapi.description import Alternative, Constant, Description, JsonSchema, Media, Operation, Void
from jostle.serverapi.matching import Matcher
from jostle.serverapi.mock.compared import Comparable, compared_in
from jostle.serverapi.mock.faults import Fault, spoiled
from jostle.serverapi.mock.generating import CannotMake, Choices, Maker
from jostle.serverapi.mock.links import NO_LINKS, Creation, Links, Path, changed, links_in, sources
from jostle.serverapi.mock.origins import origins_in
from jostle.serverapi.mock.source import Source
from jostle.serverapi.sample import ApiRequest, Content, Sample
from jostle.serverapi.schemas import Schemas
from jostle.serverapi.traffic import api_request, origin_of, read_traffic

_TRIES = 20
"""Values that are made until one is valid: a schema written by hand may say more than the maker understands."""
_NOT_KEPT = frozenset(
    [
        "alt-svc",
        "connection",
        "content-encoding",
        "content-length",
        "date",
        "keep-alive",
        "server",
        "set-cookie",
        "strict-transport-security",
        "transfer-encoding",
    ]
)
"""Headers of a recorded response that are not true of the mock's; nor is who may read it (`Access-Control-...`)."""
_NUMBER = re.compile(r"\d+")
_MOST_KEPT = 1000
"""Of each kind of thing that is remembered of requests: a mock may run for days."""
_LONGEST_MISSED = 2000
_SAFE = frozenset(("GET", "HEAD", "OPTIONS"))


class MockResponse(msgspec.Struct, frozen=True, kw_only=True):
    """What the mock says."""

    status: int = 200
    headers: tuple[Header, ...] = ()
    body: bytes = b""
    operation: str = ""
    """The pattern of the operation that the request is for; empty for files, and for requests that nothing is for."""
    made: bool = False
    """Made by the schema, not recorded."""
    fault: Fault | None = None
    """Why it lies outside of the description."""
    known: bool = True
    """Whether anything was known for the request."""
    stands_in: str = ""
    """The address of the file that was recorded, where it is that of a page like the one that was asked for."""


class MockOptions(msgspec.Struct, frozen=True, kw_only=True):
    """How the mock works."""

    seed: int = 0
    source: Source = Source.RECORDED
    faults: tuple[Fault, ...] = ()
    fault_rate: float = 0.1
    """How many of the responses are faulty, if there are `faults`."""
    ignored: tuple[str, ...] = ()
    """Names of parameters that mean nothing."""


class _Created(msgspec.Struct, frozen=True):
    """Something that was created, and the request that did it."""

    creation: Creation
    value: Any
    shared: dict[str, str]


class MockServer:
    """Answers requests. Remembers what was created and removed; `reset` forgets it."""

    def __init__(
        self,
        description: Description,
        schemas: Schemas,
        recording: Recording | None = None,
        options: MockOptions = MockOptions(),  # noqa: B008 - it never changes
    ) -> None:
        self.description = description
        self._schemas = schemas
        self._options = options
        self._matcher = Matcher(description, schemas, lenient=True)
        self._recording = recording
        self._samples: list[Sample] = []
        self._files: dict[str, Exchange] = {}
        self._links: Links = NO_LINKS
        self._base = origin_of(description.base)
        page = recording.manifest.url if recording is not None else ""
        self.origins = origins_in(description.base, page, recording.exchanges if recording is not None else ())
        """Of all servers that it knows something of; the described one is the first."""
        self._home = tuple(dict.fromkeys((self._base, origin_of(page))))
        if recording is not None:
            traffic = read_traffic(recording.exchanges, recording.body_of, base=self._base, ignored=options.ignored)
            self._samples = traffic.samples
            self._links = links_in(self._samples, self._matcher)
            elsewhere = (each for each in recording.exchanges if origin_of(each.url) not in self._home)
            self._files = _files([*(recording.exchanges[each] for each in traffic.files), *elsewhere])
        self._recorded: dict[object, Sample] = {}
        for sample in self._samples:
            self._recorded.setdefault(_same(sample.request), sample)
        self._highest = _highest_ids(self._samples)
        self.reset()

    def reset(self) -> None:
        """As at the beginning."""
        self._choices = Choices()
        self._times: Counter[object] = Counter()
        self._writes = 0
        self._given: dict[object, tuple[int, MockResponse]] = {}
        self._created: list[_Created] = []
        self._removed: set[tuple[int, Path, str]] = set()
        self._next_id = self._highest
        self.missed: list[str] = []
        """Requests that nothing was known for."""

    @property
    def covered(self) -> tuple[int, int]:
        """Of the options that schemas leave, how many responses have shown, of how many that were met."""
        return self._choices.covered

    def respond(self, method: str, url: str, headers: Iterable[Header] = (), body: bytes = b"") -> MockResponse:
        """The response to a request. What is meant for a server of which nothing is known gets that of the described
        one."""
        request = api_request("GET" if method == "HEAD" else method, url, headers, body, self._options.ignored)
        elsewhere = request.origin in self.origins and request.origin not in self._home
        number = None if elsewhere else self._matcher.number_for(request)
        if number is None:
            return self._file(method, url, request)
        same = _same(request)
        self._times[same] += 1
        if len(self._times) > _MOST_KEPT:
            del self._times[next(iter(self._times))]
        # Requests that are sent at the same time may come in any order: chance is one of each request's own.
        chance = random.Random(f"{self._options.seed} {same!r} {self._times[same]}")
        if self._options.faults and chance.random() < self._options.fault_rate:
            return self._faulty(number, request, chance)
        return self._response(number, request, chance)

    # Files of the page ---------------------------------------------------------------------------------------------

    def _file(self, method: str, url: str, request: ApiRequest) -> MockResponse:
        path = "/" + "/".join(request.path)
        exchange, stands_in = None, ""
        if method in _SAFE:
            origins = (request.origin,) if request.origin in self.origins else ()
            origins = (*origins, *self._home) if not origins or origins[0] in self._home else origins
            query = url.partition("#")[0].partition("?")[2]
            exchange = self._recorded_file(origins, path + (f"?{query}" if query else ""), path)
            if exchange is None and (exchange := self._recorded_file(origins, _kind_of_page(path))) is not None:
                stands_in = exchange.url
        if exchange is None or self._recording is None:
            if len(self.missed) < _MOST_KEPT:
                self.missed.append(str(request)[:_LONGEST_MISSED])
            return _refused(
                404, "No operation of the description is for this request, and no file was recorded for it."
            )
        body = self._recording.body_of(exchange)
        return MockResponse(status=exchange.status, headers=_kept(exchange.headers), body=body, stands_in=stands_in)

    def _recorded_file(self, origins: Iterable[str], *keys: str) -> Exchange | None:
        """The first that is there: what was asked for exactly, wherever it is, comes before what is only like it."""
        tried = (self._files.get(origin + key) for key in keys for origin in origins)
        return next((each for each in tried if each is not None), None)

    # Responses of operations ---------------------------------------------------------------------------------------

    def _response(self, number: int, request: ApiRequest, chance: random.Random) -> MockResponse:
        operation = self.description.operations[number]
        same = _same(request)
        if request.method in _SAFE:
            writes, given = self._given.get(same, (-1, None))
            if given is not None and writes == self._writes:
                return given
        recorded = self._recorded.get(same) if self._options.source is Source.RECORDED else None
        if recorded:
            response = self._as_recorded(number, recorded, request)
        else:
            response = self._made(number, operation, request, chance)
        if request.method in _SAFE:
            self._given[same] = (self._writes, response)
            if len(self._given) > _MOST_KEPT:
                del self._given[next(iter(self._given))]
        elif response.status < 400:
            self._writes += 1
            self._note_removals(number, request)
        return response

    def _as_recorded(self, number: int, sample: Sample, request: ApiRequest) -> MockResponse:
        assert self._recording is not None
        exchange = self._recording.exchanges[sample.exchange]
        pattern = format_pattern(self.description.operations[number].pattern)
        if sample.response.content is not Content.JSON or not sample.response.succeeded:
            body = self._recording.body_of(exchange)
            status = 200 if exchange.status == 304 else exchange.status
            return MockResponse(status=status, headers=_kept(exchange.headers), body=body, operation=pattern)
        value = self._coherent(number, sample.response.value, request)
        return MockResponse(
            status=sample.response.status, headers=_kept(exchange.headers), body=_json(value), operation=pattern
        )

    def _made(self, number: int, operation: Operation, request: ApiRequest, chance: random.Random) -> MockResponse:
        pattern = format_pattern(operation.pattern)
        succeeding = [each for each in operation.responses if not each.status or each.status[0] in "23"]
        fitting = succeeding or list(operation.responses)
        chosen = fitting[int(self._choices.pick(f"{number} response", [str(n) for n in range(len(fitting))], chance))]
        status = _status_of(chosen)
        match chosen.type:
            case Void():
                like = self._like(number, status)
                return MockResponse(status=status, headers=like.headers if like else (), operation=pattern, made=True)
            case JsonSchema(file=file):
                value = self._coherent(number, self._value(file, number, chance), request)
                headers = (("content-type", "application/json"),)
                return MockResponse(status=status, headers=headers, body=_json(value), operation=pattern, made=True)
            case Constant(text=text):
                headers = (("content-type", "application/json"),)
                return MockResponse(status=status, headers=headers, body=_json(text), operation=pattern, made=True)
        # What no schema describes can only be what it was.
        like = self._like(number, status)
        if like is not None:
            return MockResponse(status=status, headers=like.headers, body=like.body, operation=pattern, made=False)
        kind = chosen.type.type if isinstance(chosen.type, Media) else "text/plain"
        return MockResponse(status=status, headers=(("content-type", kind),), operation=pattern, made=True)

    @cached_property
    def _compared(self) -> dict[str, tuple[Comparable, ...]]:
        """What the scripts of the page compare with; large ones take a while to read."""
        return compared_in(self._recording) if self._recording is not None else {}

    def _like(self, number: int, status: int) -> MockResponse | None:
        """A recorded response of an operation with this status."""
        for sample in self._samples:
            if sample.response.status == status and self._matcher.number_for(sample.request) == number:
                assert self._recording is not None
                exchange = self._recording.exchanges[sample.exchange]
                return MockResponse(headers=_kept(exchange.headers), body=self._recording.body_of(exchange))
        return None

    def _value(self, file: str, number: int, chance: random.Random) -> Any:
        """A value by a schema. Raises UsageProblem where none can be made."""
        schema = self._schemas.by_file[file]
        covering = self._options.source is not Source.RANDOM

        def resolve(other: str) -> Any:
            return self._schemas.by_file.get(str(PurePosixPath(file).parent / other), False)

        reason = ""
        for _ in range(_TRIES):
            try:
                maker = Maker(self._choices, chance, resolve, covering=covering, compared=self._compared)
                value = maker.value(schema, f"{number} {file}")
            except CannotMake as error:
                reason = str(error)
                continue
            if self._schemas.valid(file, value):
                return value
            reason = "; ".join(f"{each.where} {each.what}" for each in self._schemas.violations(file, value)[:2])
        raise UsageProblem(
            f"No value can be made by {file}: {reason}.", advice="Give examples in the schema, or make it simpler."
        )

    # What hangs together -------------------------------------------------------------------------------------------

    def _coherent(self, number: int, value: Any, request: ApiRequest) -> Any:
        """A value with what the request says, and with what was created and removed since. It stays valid."""
        original = value
        asked = sources(request)
        for echo in self._links.echoes.get(number, ()):
            if echo.source in asked:
                value = changed(value, echo.target, asked[echo.source])
        for creation in self._links.creations:
            if creation.maker == number and request.method == "POST":
                value = self._newly_created(creation, value, asked)
        for each in self._created:
            if each.creation.lister == number and all(
                asked.get(name, text) == text for name, text in each.shared.items()
            ):
                value = _inserted(value, each)
        for lister, listed, text in self._removed:
            if lister == number:
                value = _without(value, listed, text, self._links)
        return value if self._valid(number, value) else original

    def _newly_created(self, creation: Creation, value: Any, asked: dict[str, str]) -> Any:
        """The response of an operation that creates something: with an id of its own, and remembered."""
        self._next_id += 1
        path = (*creation.made, creation.id_name)
        old = _at(value, path)
        new = self._next_id if isinstance(old, int) else f"{old}-{self._next_id}"
        value = changed(value, path, new)
        shared = {name: text for name, text in asked.items() if name.startswith("path ")}
        lister = self.description.operations[creation.lister].pattern.path
        shared = {
            name: text
            for name, text in shared.items()
            if int(name[5:]) < len(lister) and not lister[int(name[5:])].constant
        }
        self._created.append(_Created(creation, _at(value, creation.made), shared))
        del self._created[:-_MOST_KEPT]
        return value

    def _note_removals(self, number: int, request: ApiRequest) -> None:
        asked = sources(request)
        for removal in self._links.removals:
            if removal.remover == number and removal.source in asked:
                self._removed.add((removal.lister, removal.listed, asked[removal.source]))

    def _valid(self, number: int, value: Any) -> bool:
        files = [
            each.type.file
            for each in self.description.operations[number].responses
            if isinstance(each.type, JsonSchema)
        ]
        return any(self._schemas.valid(file, value) for file in files) if files else True

    # What goes wrong -----------------------------------------------------------------------------------------------

    def _faulty(self, number: int, request: ApiRequest, chance: random.Random) -> MockResponse:
        fault = chance.choice(self._options.faults)
        pattern = format_pattern(self.description.operations[number].pattern)
        if fault is Fault.ERROR:
            return msgspec.structs.replace(_refused(500, "A fault, on purpose."), operation=pattern, fault=fault)
        if fault is Fault.TIMEOUT:
            return MockResponse(status=0, operation=pattern, fault=fault)
        response = self._response(number, request, chance)
        if fault is Fault.MALFORMED:
            return msgspec.structs.replace(response, body=response.body[: len(response.body) // 2], fault=fault)
        try:
            value = msgspec.json.decode(response.body)
        except msgspec.DecodeError:
            return response
        bad = spoiled(value, fault, chance)
        return response if bad == value else msgspec.structs.replace(response, body=_json(bad), fault=fault)


def _same(request: ApiRequest) -> object:
    """Equal for requests that get the same response."""
    body = msgspec.json.encode(request.body, order="sorted") if request.body is not None else b""
    return (request.method, request.path, tuple(sorted(request.parameters)), body)


def _status_of(alternative: Alternative) -> int:
    if not alternative.status:
        return 204 if isinstance(alternative.type, Void) else 200
    return int(alternative.status.replace("xx", "00"))


def _refused(status: int, words: str) -> MockResponse:
    headers = (("content-type", "application/json"),)
    return MockResponse(status=status, headers=headers, body=_json({"error": words}), known=status != 404)


def _json(value: Any) -> bytes:
    return msgspec.json.encode(value)


def _kept(headers: Iterable[Header]) -> tuple[Header, ...]:
    return tuple((name, value) for name, value in headers if _is_kept(name.lower()))


def _is_kept(name: str) -> bool:
    return name not in _NOT_KEPT and not name.startswith("access-control-")


def _kind_of_page(path: str) -> str:
    """Equal for the addresses of pages that differ only in numbers: `/recipes/3/edit` and `/recipes/14/edit`."""
    return " pages like " + _NUMBER.sub("#", path)


def _files(exchanges: Iterable[Exchange]) -> dict[str, Exchange]:
    """Recorded files by origin and path with query, the first of each path by its path alone, and one of each kind of
    page."""
    files: dict[str, Exchange] = {}
    for exchange in exchanges:
        if exchange.method == "GET" and 200 <= exchange.status < 400 and exchange.status != 304:
            request = api_request("GET", exchange.url)
            path = "/" + "/".join(request.path)
            query = exchange.url.partition("#")[0].partition("?")[2]
            files.setdefault(f"{request.origin}{path}?{query}", exchange)
            files.setdefault(request.origin + path, exchange)
            if exchange.status < 300 and _NUMBER.search(path):
                files.setdefault(request.origin + _kind_of_page(path), exchange)
    return files


def _highest_ids(samples: Sequence[Sample]) -> int:
    """The highest whole number that is called an id anywhere."""
    highest = 0
    waiting: list[Any] = [each.response.value for each in samples]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            if isinstance(found := value.get("id"), int) and not isinstance(found, bool):
                highest = max(highest, min(found, 2**53))
            waiting += value.values()
        elif isinstance(value, list):
            waiting += value
    return highest


def _at(value: Any, path: Path) -> Any:
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def _inserted(value: Any, created: _Created) -> Any:
    """A list with something new in it, unless it is there already."""

    def put(inner: Any, path: Path) -> Any:
        if path:
            return {**inner, path[0]: put(inner.get(path[0]), path[1:])} if isinstance(inner, dict) else inner
        if not isinstance(inner, list):
            return inner
        name = created.creation.id_name
        new = created.value
        if any(isinstance(each, dict) and each.get(name) == new.get(name) for each in inner):
            return inner
        return [new, *inner] if created.creation.first else [*inner, new]

    return put(value, created.creation.listed) if isinstance(created.value, dict) else value


def _without(value: Any, listed: Path, text: str, links: Links) -> Any:
    names: Collection[str] = {each.id_name for each in links.removals}

    def drop(inner: Any, path: Path) -> Any:
        if path:
            return {**inner, path[0]: drop(inner.get(path[0]), path[1:])} if isinstance(inner, dict) else inner
        if not isinstance(inner, list):
            return inner
        return [
            each
            for each in inner
            if not (isinstance(each, dict) and any(str(each.get(name)) == text for name in names))
        ]

    return drop(value, listed)
