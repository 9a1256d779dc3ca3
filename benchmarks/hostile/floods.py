"""Hostile pages against every command: its budget and ten percent, and one Ctrl-C, end it within five seconds."""

from __future__ import annotations

import random
import signal
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

from benchmarks.hostile.processes import Place, place
from benchmarks.hostile.tally import Row
from jostle.runs import RunDirectory
from tests.browser.live import site_served
from tests.hostile.flooding import served
from tests.hostile.pages import ALL, FLOODS

COMMANDS: tuple[tuple[str, ...], ...] = (
    ("explore",), ("check",), ("races", "init"), ("races", "ajax"), ("races", "orders"), ("slowdown",),
)  # fmt: skip
BUDGET = 4
"""Seconds."""
GRACE = 5.0
_MOST = 60.0
"""Seconds after which a command that does not end is killed."""
SIDE_BY_SIDE = 2


def _pairs(number: int, seed: int) -> list[tuple[str, tuple[str, ...]]]:
    """Pages and commands: every flood at least once, then any of all pages, each with a command in turn."""
    chance = random.Random(seed)
    names = list(FLOODS)
    chance.shuffle(names)
    while len(names) < number:
        names.append(chance.choice(list(ALL)))
    return [(name, COMMANDS[n % len(COMMANDS)]) for n, name in enumerate(names[:number])]


def _words(command: Sequence[str], url: str) -> list[str]:
    return [*command, url, "--json", "out.json"]


def budgets(number: int, seed: int, only: Sequence[str] = ()) -> list[Row]:
    row = Row(what=f"hostile pages, budget of {BUDGET} s")
    late: list[tuple[float, str]] = []

    def attack(pair: tuple[str, tuple[str, ...]]) -> tuple[float, str | None]:
        name, command = pair
        words = f"{' '.join(command)} on {name!r}"
        with site_served() as site, place() as at:
            site.serve(served(name))
            process = at.start([*_words(command, f"{site.url}/"), "--budget", f"{BUDGET}s"])
            ended = at.ended(process, at=0, number=None, most=_MOST)
            past = _since_start(at) - 1.1 * BUDGET
        late.append((past, words))
        print(f"{past:6.1f} s past, code {ended.code}: {words}: {_last(ended.said)}", flush=True)
        if past > GRACE:
            return past, f"{words}: {past:.1f} s past the budget"
        return past, _told(words, ended.code, ended.said, ended.left)

    with ThreadPoolExecutor(SIDE_BY_SIDE) as workers:
        for _, failure in workers.map(attack, _chosen(_pairs(number, seed), only)):
            row.count(failure)
    row.figures = _worst(late, "past the budget and 10 %, with the start and the end of the browser")
    return [row]


def interrupts(number: int, seed: int, only: Sequence[str] = ()) -> list[Row]:
    row = Row(what="hostile pages, one Ctrl-C")
    late: list[tuple[float, str]] = []
    chance = random.Random(seed)
    moments = [chance.uniform(0.8, 6.0) for _ in range(number)]

    def attack(tried: tuple[tuple[str, tuple[str, ...]], float]) -> str | None:
        (name, command), moment = tried
        words = f"{' '.join(command)} on {name!r} after {moment:.1f} s"
        with site_served() as site, place() as at:
            site.serve(served(name))
            process = at.start(_words(command, f"{site.url}/"))
            ended = at.ended(process, at=moment, number=signal.SIGINT, most=_MOST)
        late.append((ended.seconds, words))
        print(f"{ended.seconds:6.1f} s, code {ended.code}: {words}: {_last(ended.said)}", flush=True)
        if ended.seconds > GRACE:
            return f"{words}: ended {ended.seconds:.1f} s later"
        return _told(words, ended.code, ended.said, ended.left, interrupted=True)

    pairs = _chosen(_pairs(number, seed + 1), only)
    with ThreadPoolExecutor(SIDE_BY_SIDE) as workers:
        for failure in workers.map(attack, zip(pairs, moments, strict=False)):
            row.count(failure)
    row.figures = _worst(late, "after it")
    return [row]


def _since_start(at: Place) -> float:
    """Seconds since the run began, which is when the command has been understood."""
    if at.run is None:
        return 0.0
    with RunDirectory.open(at.run) as opened:
        return (datetime.now(UTC) - datetime.fromisoformat(opened.info.started)).total_seconds()


def _chosen(pairs: list[tuple[str, tuple[str, ...]]], only: Sequence[str]) -> list[tuple[str, tuple[str, ...]]]:
    return [pair for pair in pairs if not only or pair[0] in only]


def _told(words: str, code: int, said: str, left: list[int], *, interrupted: bool = False) -> str | None:
    if "Traceback" in said or "jostle itself failed" in said:
        return f"{words}: {said[-300:]}"
    if left:
        return f"{words}: {len(left)} processes are left"
    # A page that cannot be tested ends a run with 3, in words.
    if code not in ((0, 1, 3, 130) if interrupted else (0, 1, 3)):
        return f"{words}: exit code {code}"
    return None


def _last(said: str) -> str:
    """What a command said last of what it found."""
    lines = [line for line in said.splitlines() if line and not line.startswith(("The ", "  "))]
    return lines[-1][:100] if lines else ""


def _worst(late: list[tuple[float, str]], words: str) -> str:
    seconds = sorted(each for each, _ in late)
    return f"worst {seconds[-1]:.1f} s {words}; median {seconds[len(seconds) // 2]:.1f} s" if seconds else ""
