"""Which server a run works with: the real one, or a mock that is started for it.

    live                                    the application itself
    live:api.ail                            the same, judged by a description
    mock:api.ail                            a mock by that description; no server is needed
    mock:api.ail,responses=covering,fault=error,fault-rate=0.2,latency=50-400

A mock listens at a port of its own, to which browsers are led when a page asks for one of the servers that were
recorded. So pages, recordings and findings have the addresses of the application itself.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from jostle.config.application import Application, free_port
from jostle.config.settings import AppSettings, Loaded
from jostle.errors import UsageProblem
from jostle.progress import Listener, silent
from jostle.search.stream import Emit
from jostle.serverapi.mock.faults import Fault
from jostle.serverapi.mock.latency import Latency
from jostle.serverapi.mock.source import Source
from jostle.serverapi.mock.told import RESET

if TYPE_CHECKING:
    from jostle.serverapi.files import ApiFiles

LIVE, MOCK = "live", "mock"
_FORMS = "live, live:api.ail, mock:api.ail or mock:api.ail,responses=covering,fault=error,latency=50-400"


class ServerChoice(msgspec.Struct, frozen=True, kw_only=True):
    """What was asked for."""

    mock: bool = False
    file: Path | None = None
    """The description; None for a live server of which none is known."""
    options: tuple[str, ...] = ()
    """Of `jostle api mock`."""

    @classmethod
    def parse(cls, text: str, directory: Path) -> ServerChoice:
        """`directory`: where relative names start. Raises UsageProblem."""
        kind, _, rest = text.partition(":")
        name, *pairs = rest.split(",")
        if kind not in (LIVE, MOCK) or (kind == MOCK and not name) or (kind == LIVE and pairs):
            raise UsageProblem(f"`{text}` is no server.", advice=f"Write {_FORMS}.")
        file = directory / Path(name).expanduser() if name else None
        if file is not None and not file.is_file():
            raise UsageProblem(f"There is no description {file}.", advice="Make one: jostle api learn session.jostle")
        return cls(mock=kind == MOCK, file=file, options=tuple(_options(pairs)))


@dataclass(frozen=True, kw_only=True)
class Server:
    """The server that a run works with, and how to get at it."""

    loaded: Loaded
    """The configuration; with a mock, that is the application in it."""
    files: ApiFiles | None = None
    """The description, if one is known."""
    port: int | None = None
    """Where a mock is to listen."""
    origins: tuple[str, ...] = ()
    """Of the servers that the mock stands in for."""

    def address(self, url: str) -> str:
        """Where pages find what is at an address of the application."""
        from jostle.serverapi.mock.origins import stand_in_url

        return stand_in_url(url) if self.origins else url

    def application(self, log: Path, listener: Listener = silent, *, clean: Callable[[str], str] = str) -> Application:
        return Application(self.loaded, log, listener, port=self.port, stands_in_for=self.origins, clean=clean)

    def judged(self, emit: Emit) -> Emit:
        """A stream in which findings say whether they lie inside the contract, where a description is known."""
        if self.files is None:
            return emit
        from jostle.serverapi.contract import ContractJudge

        return ContractJudge(self.files, self.loaded.configuration.ignore.parameters, emit)


def prepared(text: str | None, loaded: Loaded, url: str | None, seed: int, *, connected: bool = False) -> Server:
    """The server that is named, or else configured. `url`: the page that is asked for. `connected`: a browser is used
    that runs already. Raises UsageProblem."""
    directory = Path.cwd() if text is not None else loaded.directory
    choice = ServerChoice.parse(text if text is not None else loaded.configuration.server, directory)
    if choice.file is None:
        return Server(loaded=loaded)
    from jostle.serverapi.files import read_api  # commands without a description need none of it

    files = read_api(choice.file)
    if not choice.mock:
        return Server(loaded=loaded, files=files)
    if connected:
        raise UsageProblem(
            "A browser that is running already cannot be led to a mock.",
            advice=f"Start it yourself: jostle api mock {choice.file} --port 8080",
        )
    return _mocked(choice, files, loaded, url, seed)


def _mocked(choice: ServerChoice, files: ApiFiles, loaded: Loaded, url: str | None, seed: int) -> Server:
    """A mock as the application. It begins with the page that is asked for, else with the one that was recorded."""
    from jostle.serverapi.mock.origins import origins_in, stand_in_url
    from jostle.serverapi.traffic import origin_of

    if files.recording is None:
        raise UsageProblem(
            f"The traffic beside {files.file} is gone, so there is no page to load without the server.",
            advice="Learn the description again from recordings; or name it for the live server: --server live:FILE",
        )
    configuration = loaded.configuration
    recorded = files.recording.manifest.url
    page = stand_in_url(url or configuration.url or recorded or files.description.base)
    origins = origins_in(files.description.base, recorded, files.recording.exchanges)
    command = (sys.executable, "-m", "jostle", "api", "mock", str(files.file.absolute()), "--port", "{port}")
    configured = ("--config", str(loaded.file)) if loaded.file is not None else ()
    app = AppSettings(
        start=(*command, "--seed", str(seed), *configured, *choice.options),
        reset=f"POST {origin_of(page)}{RESET}",
        timeout=configuration.app.timeout,
    )
    changed = msgspec.structs.replace(configuration, url=page, app=app)
    return Server(
        loaded=Loaded(changed, loaded.file),
        files=files,
        port=free_port(),
        origins=tuple(dict.fromkeys(stand_in_url(each) for each in (origin_of(page), *origins))),
    )


def _options(pairs: list[str]) -> Iterator[str]:
    """Options of `jostle api mock`. Raises UsageProblem."""
    for pair in pairs:
        name, _, value = pair.strip().partition("=")
        match name:
            case "responses" if value in list(Source):
                pass
            case "fault" if value in list(Fault):
                pass
            case "fault-rate" if _is_rate(value):
                pass
            case "latency":
                Latency.parse(value)
            case "responses" | "fault":
                known = ", ".join(Source if name == "responses" else Fault)
                raise UsageProblem(f"`{value}` is no {name} of a mock.", advice=f"There are: {known}.")
            case "fault-rate":
                raise UsageProblem(f"`{value}` is no rate of faults.", advice="It is between 0 and 1: fault-rate=0.2")
            case _:
                raise UsageProblem(
                    f"A mock has no option `{name}`.", advice="There are: responses, fault, fault-rate, latency."
                )
        yield from (f"--{name}", value)


def _is_rate(text: str) -> bool:
    try:
        return 0 <= float(text) <= 1
    except ValueError:
        return False
