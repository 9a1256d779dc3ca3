"""Recordings for the tests of reports."""

from __future__ import annotations

from jostle.events import (
    Change,
    Dialog,
    Effect,
    FormWrite,
    Kind,
    Milestone,
    PageError,
    Request,
    State,
    Step,
    StorageWrite,
    Trace,
    event_of,
)
from jostle.recording.exchange import Exchange
from jostle.recording.file import Manifest, Recording

HOSTILE = (
    "</script><script>hacked=1</script><!--<script><img src=x onerror=hacked=1>'\"&amp;{{ 7*7 }}"
    "\u2028\u202e\ud800\x1b[2J"
)
"""What a page may call its buttons."""
HARMLESS = HOSTILE.replace("\u202e", "\ufffd").replace("\ud800", "\ufffd").replace("\x1b", "\ufffd")
"""The same as it is to be shown."""


def repeating(times: int) -> Recording:
    """A click that starts a chain of timers, each arming the next; the last one fails."""
    click = event_of(kind=Kind.USER, what='click button "Start"')
    events = [click]
    for _ in range(times):
        events.append(event_of(kind=Kind.TIMER, what="timeout 100 at app.js:3:5", creator=events[-1].key))
    left = event_of(kind=Kind.TIMER, what="timeout 9000 at app.js:9:1", creator=click.key)
    gone = event_of(kind=Kind.NETWORK, what="GET /slow", creator=click.key)
    steps = [Step(event=click, effect=Effect(created=(events[1], left, gone)))]
    for n, event in enumerate(events[1:], 1):
        effect = Effect(created=(events[n + 1],) if n < times else (), removed=(gone.key,) if n == 2 else ())
        if n == times:
            effect = Effect(errors=(PageError("exception", "no more pictures", "app.js:4:1"),))
        event = event_of(kind=event.kind, what=event.what, creator=event.creator, detail={"due": 100 * n})
        steps.append(Step(event=event, effect=effect, at=100.0 * (n - 1) + 1))
    return Recording(Manifest(url="http://shop.test/", created="2024-01-02T03:04:05"), Trace(steps=tuple(steps)))


def different(steps: int) -> Recording:
    """Many steps, none like the one before; each tenth is the user's and causes the nine after it."""
    made: list[Step] = []
    creator = ""
    kinds = [kind for kind in Kind if kind is not Kind.USER]
    for n in range(steps):
        user = n % 10 == 0
        event = event_of(
            kind=Kind.USER if user else kinds[n % len(kinds)],
            what=f'click button "Number {n}"' if user else f"GET /api/items/{n}",
            creator="" if user else creator,
        )
        creator = event.key if user else creator
        changes = tuple(Change("children", f"ul#list > li:nth-child({m})") for m in range(5))
        made.append(Step(event=event, at=n * 3.0, effect=Effect(changes=changes)))
    return Recording(Manifest(url="http://shop.test/"), Trace(steps=tuple(made)))


def hostile() -> Recording:
    """Every text that a page or a server can choose, chosen with malice."""
    click = event_of(kind=Kind.USER, what=f"click {HOSTILE}")
    answer = event_of(kind=Kind.NETWORK, what=f"GET {HOSTILE}", creator=click.key)
    left = event_of(kind=Kind.TIMER, what=f"never {HOSTILE}", creator=click.key)
    recording = Recording(
        Manifest(url=HOSTILE, browser=HOSTILE, created=HOSTILE, limits=(HOSTILE,), origins=(HOSTILE,)),
        screens={"start": b"no picture", "end": b"\x89PNG"},
    )
    recording.exchanges = [
        Exchange(
            order=1,
            method=HOSTILE,
            url=HOSTILE,
            status=500,
            status_text=HOSTILE,
            headers=(("content-type", HOSTILE),),
            event=answer.key,
        )
    ]
    effect = Effect(
        errors=(PageError("exception", HOSTILE, HOSTILE, (HOSTILE,)),),
        changes=(Change(HOSTILE, HOSTILE),),
        form_writes=(FormWrite(HOSTILE, HOSTILE),),
        storage_writes=(StorageWrite(HOSTILE, HOSTILE, HOSTILE),),
        requests=(Request(HOSTILE, HOSTILE, HOSTILE),),
        dialogs=(Dialog(HOSTILE, HOSTILE, HOSTILE),),
        downloads=(HOSTILE,),
        lifecycle=(Milestone(HOSTILE),),
        hung=HOSTILE,
        limits=(HOSTILE,),
    )
    recording.trace = Trace(
        steps=(
            Step(event=click, effect=Effect(created=(answer, left))),
            Step(event=answer, effect=effect, at=1, state=State("s", HOSTILE, HOSTILE)),
        )
    )
    return recording
