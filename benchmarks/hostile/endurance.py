"""Ten thousand events end as they began: milliseconds an event and memory of both sides, first and last thousand."""

from __future__ import annotations

import re
import signal
import statistics
import time
from pathlib import Path

import msgspec

from benchmarks.hostile.processes import place
from benchmarks.hostile.tally import Row
from jostle.browser.memory import private_megabytes
from tests.browser.live import site_served

PAGE = """<!doctype html><title>Small shop</title><link rel=icon href=data:,>
<h1>Small shop</h1><label>Item <input id=name></label> <button id=add>Add</button> <button id=more>More</button>
<label><input type=checkbox id=all> All</label> <ul id=list></ul><p id=said role=status></p>
<script>
const items = [];
const show = () => { list.replaceChildren(...items.map((item, n) => {
  const li = document.createElement('li'), button = document.createElement('button');
  button.textContent = 'Remove'; button.onclick = () => { items.splice(n, 1); show() };
  li.append(item, ' ', button); return li })) };
add.onclick = async () => { const answer = await fetch('/item?name=' + encodeURIComponent(name_of()));
  items.push((await answer.text()).slice(0, 20)); if (items.length > 8) items.shift(); show() };
const name_of = () => document.querySelector('#name').value || 'milk';
more.onclick = () => { said.textContent = 'one moment';
  setTimeout(() => { said.textContent = items.length + ' items' }, 300) };
all.onchange = () => { list.hidden = all.checked };
</script>"""
"""A page that keeps nothing for ever: whatever grows is ours."""
WINDOW = 1000
_GROWN = 1.5
"""What the last thousand may take of time and memory, compared to the first."""
_COUNT = re.compile(r": (\d+) of \d+")
_EVERY = 0.5


class Sample(msgspec.Struct):
    """A look at a run."""

    at: float
    events: int
    own: float
    """Megabytes of jostle's process."""
    browser: float


def _own_megabytes(process: int) -> float:
    for line in Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    return 0.0


def _browser_of(process: int) -> int:
    """The process group of the browser that it started; 0 as long as there is none."""
    for task in Path(f"/proc/{process}/task").glob("*/children"):
        for child in task.read_text().split():
            stat = Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()
            if int(stat[2]) == int(child):
                return int(child)
    return 0


def _window(samples: list[Sample], first: int, last: int) -> tuple[float, float, float]:
    """Milliseconds an event, megabytes of jostle and of its browser, between two numbers of events."""
    inside = [each for each in samples if first <= each.events <= last]
    many = inside[-1].events - inside[0].events
    milliseconds = 1000 * (inside[-1].at - inside[0].at) / max(1, many)
    return (
        milliseconds,
        statistics.fmean(each.own for each in inside),
        statistics.fmean(each.browser for each in inside),
    )


def endurance(events: int, seconds: float) -> list[Row]:
    """An exploration of a small application by `jostle explore`: so many events, or as many as there is time for."""
    row = Row(what=f"exploration of {events:,} events")
    with site_served() as site, place() as at:
        url = site.serve({"/": PAGE, "/item": lambda request: "an item"})
        process = at.start(["explore", url, "--strategy", "random", "--events", str(events), "--no-verify-tests"])
        samples: list[Sample] = []
        until = time.monotonic() + seconds
        while process.poll() is None:
            time.sleep(_EVERY)
            if time.monotonic() > until:
                break
            try:
                told = (at.run / "progress.txt").read_text() if at.run else ""
                if counted := _COUNT.search(told):
                    browser = private_megabytes(_browser_of(process.pid))
                    samples.append(Sample(time.monotonic(), int(counted[1]), _own_megabytes(process.pid), browser))
            except OSError:
                continue  # between two browsers, or it has just ended
        ended = at.ended(process, at=0, number=signal.SIGINT, most=60)
    most = max((each.events for each in samples), default=0)
    if ended.code not in (0, 1, 130) or most < 2 * WINDOW:
        row.count(f"it ended with {ended.code} after {most} events: {ended.said[-500:]}")
        return [row]
    first = _window(samples, 1, WINDOW)
    last = _window(samples, most - WINDOW, most)
    names = ("ms an event", "MB of jostle", "MB of Chromium")
    row.what = f"exploration of {most:,} events"
    row.figures = "; ".join(
        f"{name} {before:.0f} → {after:.0f}" for name, before, after in zip(names, first, last, strict=True)
    )
    row.figures += f"; most at any time: {max(each.own for each in samples):.0f} MB and "
    row.figures += f"{max(each.browser for each in samples):.0f} MB"
    grown = [
        f"{name} grew from {before:.0f} to {after:.0f}"
        for name, before, after in zip(names, first, last, strict=True)
        if after > _GROWN * before
    ]
    row.count("; ".join(grown) or None)
    return [row]
