"""Exploring by single events, at random, by macros and guided, as in "Monkey See, Monkey Do": `make eval-macros`."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import string
import subprocess
import sys
import time
import urllib.request
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec

from benchmarks.applications import APPLICATIONS, Cookies
from benchmarks.applications import running as application_running
from benchmarks.plot import Curve, interval, plot, spread
from jostle.browser.app_options import InitialState
from jostle.browser.chromium import Chromium
from jostle.browser.chromium_app import ChromiumApp
from jostle.browser.coverage import EVERY_BRANCH
from jostle.browser.loop import run
from jostle.browser.settings import Control, Profiling, TabSettings
from jostle.errors import CouldNotRun
from jostle.events import Effect, Event, UserAction, UserEvent
from jostle.examples import running as examples_running
from jostle.exploring.application import Explored
from jostle.exploring.at_random import AtRandom
from jostle.exploring.by_macros import ByMacros
from jostle.exploring.explorer import explore
from jostle.exploring.forms import field_of, filled
from jostle.exploring.guided import Guided
from jostle.exploring.situation import Situation, Strategy
from jostle.model.abstraction import by_name
from jostle.model.exploration import Exploration
from jostle.model.inference import Facts, infer
from jostle.model.macro import Macro
from jostle.model.usage import usage_of
from jostle.model.visit import Visit
from jostle.progress import silent
from jostle.recording.file import Recording
from jostle.recording.opening import FRAMES

MEASURES = ("pages", "states", "code", "scenarios")
STRATEGIES = ("single events", "random", "macro", "guided")
SESSIONS = 4
"""Sessions that are recorded of an application that comes without."""
ROUNDS = 20

Seen = Callable[[Effect], bool]


def answered(method: str, path: str, *statuses: int) -> Seen:
    """A request to an address that begins with `path` (`*` is one segment) and was answered like this."""

    def seen(effect: Effect) -> bool:
        return any(
            answer.method == method and answer.status in statuses and _fits(path, urlsplit(answer.url).path)
            for answer in effect.answers
        )

    return seen


def _fits(pattern: str, path: str) -> bool:
    wanted, got = pattern.strip("/").split("/"), path.strip("/").split("/")
    return len(wanted) == len(got) and all(one in ("*", other) for one, other in zip(wanted, got, strict=True))


class Subject(msgspec.Struct, frozen=True, kw_only=True):
    """An application to explore, and what people use it for."""

    name: str
    script: str
    scenarios: dict[str, Seen]


SUBJECTS = (
    Subject(
        name="larder",
        script="larder",
        scenarios={
            "search": answered("GET", "/larder/api/search", 200),
            "add a recipe": lambda effect: _sent(effect, "/larder/recipes/new"),
            "comment": answered("POST", "/larder/api/recipes/*/comments", 201),
            "like": answered("POST", "/larder/api/recipes/*/like", 200),
            "keep as favourite": answered("PUT", "/larder/api/recipes/*/favourite", 200),
            "change the profile": answered("PUT", "/larder/api/profile", 200),
            "show more recipes": answered("GET", "/larder/api/recipes", 200),
            "put on the shopping list": lambda effect: any(
                write.area == "localStorage" and write.value for write in effect.storage_writes
            ),
        },
    ),
    Subject(
        name="django",
        script="django",
        scenarios={
            "search for a user": lambda effect: any("/user/?q=" in answer.url for answer in effect.answers),
            "filter users": lambda effect: any("/user/?" in a.url and "__exact=" in a.url for a in effect.answers),
            "open a user": answered("GET", "/admin/auth/user/*/change/", 200),
            "add a group": lambda effect: _sent(effect, "/admin/auth/group/add/"),
            "add a user": lambda effect: _sent(effect, "/admin/auth/user/add/"),
            "change a user": lambda effect: _sent(effect, "/admin/auth/user/*/change/"),
            "change a group": lambda effect: _sent(effect, "/admin/auth/group/*/change/"),
            "delete": lambda effect: _sent(effect, "/admin/auth/*/*/delete/"),
        },
    ),
    Subject(
        name="swagger-ui-dist",
        script="swagger_ui",
        scenarios={
            "send a request": lambda effect: any(
                urlsplit(request.url).path.startswith(("/pet", "/order", "/visit")) for request in effect.requests
            ),
            "send a request with a body": lambda effect: any(
                request.method == "POST" and request.body for request in effect.requests
            ),
            "read one thing": lambda effect: any(
                urlsplit(request.url).path.startswith(("/pet/", "/order/", "/visit/")) for request in effect.requests
            ),
        },
    ),
)


def _sent(effect: Effect, path: str) -> bool:
    """A form was sent and taken: the server sends the browser elsewhere."""
    posted = any(request.method == "POST" and _fits(path, urlsplit(request.url).path) for request in effect.requests)
    shown = [answer for answer in effect.answers if answer.resource == "document"]
    return posted and any(answer.method == "GET" and answer.status == 200 for answer in shown)


class Run(msgspec.Struct, kw_only=True):
    """One exploration: what was reached after each event."""

    pages: list[int] = []
    states: list[int] = []
    code: list[int] = []
    """Characters of JavaScript that ran."""
    scenarios: list[int] = []
    reached: list[str] = []
    seconds: float = 0.0
    choosing: float = 0.0
    """Of the seconds, those in which the strategy chose and learned; the rest is the application's."""
    ended: str = ""
    macros_completed: int = 0
    macros_started: int = 0


class Timed:
    """A strategy, and how long it takes itself."""

    def __init__(self, strategy: Strategy) -> None:
        self._strategy = strategy
        self.reason = strategy.reason
        self.seconds = 0.0

    def choose(self, situation: Situation) -> Event | None:
        begin = time.perf_counter()
        chosen = self._strategy.choose(situation)
        self.seconds += time.perf_counter() - begin
        return chosen

    def observe(self, visit: Visit) -> None:
        begin = time.perf_counter()
        self._strategy.observe(visit)
        self.seconds += time.perf_counter() - begin


class Result(msgspec.Struct, kw_only=True):
    name: str
    facts: Facts
    macros: int
    runs: dict[str, list[Run]]


@contextlib.contextmanager
def served(subject: Subject) -> Iterator[tuple[str, Cookies]]:
    """The application with fresh data, and the cookies of somebody who is logged in."""
    if subject.name == "larder":
        with examples_running() as base:
            yield f"{base}/larder/", _logged_in(f"{base}/larder/login")
        return
    application = next(each for each in APPLICATIONS if each.name == subject.name)
    with application_running(application) as running:
        yield running.url, running.cookies


def _logged_in(url: str) -> Cookies:
    class Stay(urllib.request.HTTPRedirectHandler):
        def redirect_request(self, *arguments: Any) -> None:
            return None

    opener = urllib.request.build_opener(Stay)
    try:
        opener.open(urllib.request.Request(url, data=b"name=demo&password=demo"), timeout=10)
    except urllib.error.HTTPError as answer:
        name, _, value = str(answer.headers["Set-Cookie"]).partition(";")[0].partition("=")
        return ({"name": name, "value": value, "domain": urlsplit(url).hostname, "path": "/larder", "httpOnly": True},)
    raise CouldNotRun(f"Logging in at {url} failed.")


def sessions(subject: Subject, folder: Path) -> list[Recording]:
    """Recorded sessions of people: those that come with the package, else acted and recorded now, once."""
    if subject.name == "larder":
        shipped = sorted(files("jostle.examples").joinpath("sessions").iterdir(), key=str)
        return [Recording.read(Path(str(file))) for file in shipped if file.name.endswith(".jostle")]
    folder.mkdir(parents=True, exist_ok=True)
    recordings = []
    for seed in range(1, SESSIONS + 1):
        file = folder / f"{subject.name}-{seed}.jostle"
        if not file.exists():
            with served(subject) as (url, cookies):
                record(subject, url, cookies, seed, file)
        recordings.append(Recording.read(file))
    return recordings


def record(subject: Subject, url: str, cookies: Cookies, seed: int, file: Path) -> None:
    """Let somebody use the application, and record it."""
    surroundings = {
        **os.environ,
        "JOSTLE_SESSION_URL": url,
        "JOSTLE_SESSION_SEED": str(seed),
        "JOSTLE_SESSION_ROUNDS": str(ROUNDS),
        "JOSTLE_SESSION_COOKIES": json.dumps([{**cookie, "sameSite": "Lax"} for cookie in cookies]),
        "PYTHONPATH": os.pathsep.join(filter(None, (str(Path.cwd()), os.environ.get("PYTHONPATH", "")))),
    }
    command = [
        sys.executable,
        "-m",
        "jostle.cli.main",
        "record",
        "--script",
        f"benchmarks/sessions/{subject.script}.py",
    ]
    done = subprocess.run(
        [*command, "-o", str(file), "--out", str(file.parent / "runs")],
        env=surroundings, capture_output=True, text=True, timeout=900,
    )  # fmt: skip
    if done.returncode:
        raise CouldNotRun(f"Recording {subject.name} failed:\n{done.stderr[-2000:]}")


class SingleEvents:
    """The paper's random explorer, as far as its events can be had here.

    Its tool draws from all pairs of an element and a type of event, all equally likely: the pointer moves onto an
    element, clicks it, a field gets a text, the page is scrolled, a page that was seen before is gone to. The text is
    any letters. So here every element that something can be done with can also be pointed at. Whether the page
    listens for that is not asked, which the tool does; on the other hand `mousedown`, `mouseup`, `mouseout`, `focus`
    and `blur` by themselves, of which it has many, cannot be had.
    """

    reason = "there was nothing to do"

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance

    def choose(self, situation: Situation) -> Event | None:
        pool = [*situation.events, *situation.pages]
        known = {event.what for event in pool}
        for event in situation.events:
            pointed = _pointing(event)
            if pointed is not None and pointed.what not in known:
                known.add(pointed.what)
                pool.append(pointed)
        if not pool:
            return None
        event = self._chance.choice(pool)
        field = field_of(event)
        if field is None or event.action.type == "fill":
            return event
        letters = "".join(self._chance.choices(string.ascii_letters, k=self._chance.randint(1, 10)))
        return filled(event, f"{letters}@example.com" if field.type == "email" else letters)

    def observe(self, visit: Visit) -> None:
        """What came of it does not matter."""


def _pointing(event: Event) -> Event | None:
    """Moving the pointer onto the element of an event."""
    action = event.action
    if action.locator is None or action.element in ("html", "option"):
        return None
    hover = UserAction(
        type="hover", locator=action.locator, element=action.element, xpath=action.xpath, frame=action.frame
    )
    return UserEvent(what=f"hover over {hover.place}", detail=hover)


def strategy(name: str, macros: Sequence[Macro], chance: random.Random) -> Strategy:
    if name == "single events":
        return SingleEvents(chance)
    if name == "random":
        return AtRandom(chance)
    return ByMacros(macros, chance) if name == "macro" else Guided(chance, patience=10**6)


async def explored(
    chromium: Chromium, subject: Subject, name: str, macros: Sequence[Macro], *, events: int, seed: int
) -> Run:
    run = Run()
    pages: set[str] = set()
    chance = random.Random(seed)
    chosen = strategy(name, macros, chance)
    timed = Timed(chosen)
    exploration = Exploration()
    with served(subject) as (url, cookies):
        app = ChromiumApp(
            chromium,
            url,
            settings=TabSettings(profiling=Profiling.COVERAGE, control=Control.FLOWING, frames=FRAMES),
            initial=InitialState(seed=seed, cookies=cookies),
        )
        abstraction = by_name("skeleton", origins=tuple(app.origins))
        page = by_name("url-title", origins=tuple(app.origins))

        def visited(visit: Visit) -> None:
            pages.add(page.text([{"tab": 0, "frame": "", "url": visit.after.url, "title": visit.after.title}]))
            for scenario, seen in subject.scenarios.items():
                if scenario not in run.reached and seen(visit.effect):
                    run.reached.append(scenario)
            run.pages.append(len(pages))
            run.states.append(len(exploration.machine))
            run.code.append(app.coverage.characters)
            run.scenarios.append(len(run.reached))

        begin = time.monotonic()
        try:
            await explore(
                Explored(app, abstraction),
                timed,
                events=events,
                chance=chance,
                listener=silent,
                on_visit=visited,
                new_blocks=app.new_blocks,
                into=exploration,
            )
        finally:
            run.seconds = time.monotonic() - begin
            run.choosing = timed.seconds
            run.ended = exploration.ended
            await app.close()
    if isinstance(chosen, ByMacros):
        run.macros_started = sum(uses.started > 0 for uses in chosen.uses.values())
        run.macros_completed = sum(uses.completed > 0 for uses in chosen.uses.values())
    return run


@contextlib.asynccontextmanager
async def browser() -> AsyncIterator[Chromium]:
    async with Chromium.launch(arguments=[EVERY_BRANCH]) as chromium:
        yield chromium


async def evaluate(arguments: argparse.Namespace) -> list[Result]:
    results = []
    for subject in SUBJECTS:
        if arguments.only and subject.name not in arguments.only:
            continue
        usages = [usage_of(each.trace.steps) for each in sessions(subject, arguments.out / "sessions")]
        macros, facts = infer(usages)
        print(f"{subject.name}: {facts.sessions} sessions, {facts.events} events, {len(macros)} macros", flush=True)
        result = Result(name=subject.name, facts=facts, macros=len(macros), runs={name: [] for name in STRATEGIES})
        results.append(result)
        for seed in range(arguments.seed, arguments.seed + arguments.repetitions):
            for name in arguments.strategy or STRATEGIES:
                async with browser() as chromium:
                    run = await explored(chromium, subject, name, macros, events=arguments.events, seed=seed)
                result.runs[name].append(run)
                told = ", ".join(f"{getattr(run, measure)[-1]} {measure}" for measure in MEASURES)
                print(f"  {seed} {name}: {told} in {run.seconds:.0f} s ({run.ended})", flush=True)
            _write(arguments.out, results)
    return results


def _write(folder: Path, results: Sequence[Result]) -> None:
    """After each repetition, so that an interrupted evaluation has something to show."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "macros.json").write_bytes(msgspec.json.format(msgspec.json.encode(results), indent=1))
    (folder / "macros.md").write_text(table(results), "utf-8")
    for result in results:
        for measure in MEASURES:
            curves = [
                Curve(name=name, runs=[getattr(run, measure) for run in runs])
                for name, runs in result.runs.items()
                if runs
            ]
            title = f"{result.name}: {measure} after events"
            (folder / f"{result.name}-{measure}.svg").write_text(plot(title, curves), "utf-8")


def table(results: Sequence[Result]) -> str:
    """Strategies come to different pages, which take different times. So they are compared by what differs for their
    own sake: how long they choose and learn; the last column is what random would take with it."""
    lines = [
        "| application | strategy | pages | states | code run | scenarios | events a second | choosing, ms | slower |",
        "|---|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for result in results:
        base, own = _milliseconds(result.runs["random"])
        for name, runs in result.runs.items():
            if not runs:
                continue
            cells = [_spread(measure, [getattr(run, measure)[-1] for run in runs]) for measure in MEASURES]
            all_in_all, choosing = _milliseconds(runs)
            slower = f"{(choosing - own) / base:+.1%}" if base else "–"
            cells += [f"{1000 / all_in_all:.1f}", f"{choosing:.2f}", slower]
            lines.append(f"| {result.name} | {name} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _spread(measure: str, values: Sequence[float]) -> str:
    if measure != "code":
        return spread(values)
    mean, half = interval(values)
    return f"{mean:,.0f} ± {half:,.0f}"


def _milliseconds(runs: Sequence[Run]) -> tuple[float, float]:
    """Of an event, and of choosing it."""
    events = max(1, sum(len(run.pages) for run in runs))
    return 1000 * sum(run.seconds for run in runs) / events, 1000 * sum(run.choosing for run in runs) / events


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.macros", description=__doc__)
    parser.add_argument("--events", type=int, default=300, help="events of each exploration (default: 300)")
    parser.add_argument("--repetitions", type=int, default=10, help="explorations of each strategy (default: 10)")
    parser.add_argument("--seed", type=int, default=1, help="of the first exploration of each strategy (default: 1)")
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help="only this one; may be repeated")
    parser.add_argument("--strategy", action="append", choices=STRATEGIES, help="only this one; may be repeated")
    parser.add_argument("--out", type=Path, default=Path(".jostle/eval-macros"), metavar="DIR", help="where to write")
    arguments = parser.parse_args()
    known = {subject.name for subject in SUBJECTS}
    if unknown := set(arguments.only) - known:
        parser.error(f"no such application: {', '.join(sorted(unknown))}; there are: {', '.join(sorted(known))}")
    try:
        results = run(evaluate(arguments))
    except CouldNotRun as problem:
        print(problem, file=sys.stderr)
        return 3
    print(f"\n{table(results)}\nWritten to {arguments.out}: macros.json, macros.md and the plots.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
