"""The network goes away, becomes slow, or delivers in another order."""

from __future__ import annotations

import contextlib
from typing import Any

from jostle.adverse.condition import Condition, Ground, Neutral, NotRestored, Pass
from jostle.adverse.conditions.hearing import hears
from jostle.adverse.conditions.waiting import heard, listen

LATENCY = 1500
"""Milliseconds that an answer takes longer."""

_WAITS = "The test waits for what it expects, not for some time."
_OFFLINE = frozenset({"set_offline"})
_ONLINE = "navigator.onLine"


async def _conditions(ground: Ground, method: str, *, offline: bool = False, latency: int = 0) -> None:
    await ground.send(f"Network.{method}", offline=offline, latency=latency, downloadThroughput=-1, uploadThroughput=-1)


async def _told(ground: Ground, method: str, *, offline: bool) -> None:
    await listen(ground, "offline" if offline else "online")
    await _conditions(ground, method, offline=offline)
    await heard(ground)


async def _blip(ground: Ground, method: str) -> str:
    try:
        await _told(ground, method, offline=True)
    finally:
        await _told(ground, method, offline=False)
    if not await ground.until(_ONLINE, seconds=2):
        raise NotRestored("the page still believes to be offline")
    return ""


async def _offline(ground: Ground) -> str:
    return await _blip(ground, "emulateNetworkConditions")


async def _online_events(ground: Ground) -> str:
    return await _blip(ground, "overrideNetworkState")


async def _slow(ground: Ground) -> None:
    await _conditions(ground, "emulateNetworkConditions", latency=LATENCY)


async def _fast(ground: Ground, begun: Any) -> None:
    await _conditions(ground, "emulateNetworkConditions")


# Answers wait until all that were asked for meanwhile are there, at most a second and a half, and those to the latest
# requests are given first, one at a time. Listeners of an XMLHttpRequest cannot be kept waiting: those are sent late.
_REORDERED = """(() => {
    const fetched = window.fetch, sent = XMLHttpRequest.prototype.send;
    const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
    let held = [], due = 0, quiet = 0, late = 0;
    const release = async () => {
        clearTimeout(quiet);
        clearTimeout(late);
        const all = held.reverse();
        held = [];
        for (const give of all) { give(); await pause(30); }
    };
    const hold = () => new Promise((done) => {
        if (!held.length) late = setTimeout(release, 1500);
        held.push(done);
    });
    const arrived = () => {
        due -= 1;
        clearTimeout(quiet);
        if (due <= 0) quiet = setTimeout(release, 100);
    };
    window.fetch = function (...given) {
        due += 1;
        const answer = fetched.apply(this, given);
        answer.then(arrived, arrived);
        return Promise.allSettled([answer, hold()]).then(([one]) => {
            if (one.status === "rejected") throw one.reason;
            return one.value;
        });
    };
    XMLHttpRequest.prototype.send = function (...given) {
        due += 1;
        hold().then(() => sent.apply(this, given));
        arrived();
    };
    window[Symbol.for("jostle.order")] = () => {
        window.fetch = fetched;
        XMLHttpRequest.prototype.send = sent;
        return release();
    };
})()"""


async def _reorder(ground: Ground) -> None:
    await ground.evaluate(_REORDERED)


async def _in_order(ground: Ground, begun: Any) -> None:
    await ground.evaluate(
        '(window[Symbol.for("jostle.order")] || (() => {}))(); delete window[Symbol.for("jostle.order")]; undefined'
    )


async def _drop_sockets(ground: Ground) -> str:
    kind = await ground.send("Runtime.evaluate", expression="WebSocket.prototype")
    found = await ground.send("Runtime.queryObjects", prototypeObjectId=kind["result"]["objectId"])
    await ground.send(
        "Runtime.callFunctionOn",
        objectId=found["objects"]["objectId"],
        functionDeclaration="function () { for (const one of this) if (one.readyState === 1) one.close(); }",
    )
    await ground.rest()
    return "the sockets were closed by the page's side, with code 1005 instead of 1006"


async def _stop_workers(ground: Ground) -> str:
    await ground.send("ServiceWorker.enable")
    try:
        await ground.send("ServiceWorker.stopAllWorkers")
    finally:
        with contextlib.suppress(Exception):
            await ground.send("ServiceWorker.disable")
    return ""


CONDITIONS = (
    Condition(
        name="online-events",
        title="the page hears that it is offline and online again",
        what="offline and online events; requests go through all the time.",
        why="Nothing but the news of it changes. The page may show that it is offline, but not for ever.",
        in_pass=Pass.KEPT,
        neutral=Neutral.COMMONLY,
        inject=_online_events,
        at_once=True,
        matters=f"{_ONLINE} && {hears('online', 'offline')}",
        conflicts=_OFFLINE,
        cost="15 ms",
    ),
    Condition(
        name="offline",
        title="the network is away for a moment while nothing is asked for",
        what="Offline and online again while the page is at rest: offline and online events; requests meanwhile fail.",
        why="Trains have tunnels. No request is due in that moment.",
        in_pass=Pass.KEPT,
        neutral=Neutral.ASSUMED,
        inject=_offline,
        at_once=True,
        matters=f"{_ONLINE} && {hears('online', 'offline')}",
        conflicts=_OFFLINE,
        cost="15 ms",
    ),
    Condition(
        name="service-worker",
        title="the service worker is stopped",
        what="The browser stops the page's service worker, which begins anew when it is needed.",
        why="Browsers stop service workers whenever they are idle.",
        in_pass=Pass.KEPT,
        neutral=Neutral.COMMONLY,
        inject=_stop_workers,
        matters="!!navigator.serviceWorker?.controller",
        cost="10 ms",
    ),
    Condition(
        name="websocket",
        title="WebSockets are closed",
        what="Open WebSockets of the page are closed once.",
        why="Only for applications that promise to connect again.",
        in_pass=Pass.KEPT,
        neutral=Neutral.ASKED,
        inject=_drop_sockets,
        conflicts=frozenset({"route_web_socket"}),
        cost="30 ms",
    ),
    Condition(
        name="latency",
        title="responses take one and a half seconds longer during the next action",
        what=f"Every request of the next action takes {LATENCY} ms longer.",
        why="Networks are slow at times. " + _WAITS,
        in_pass=Pass.ENVIRONMENT,
        neutral=Neutral.ASSUMED,
        inject=_slow,
        end=_fast,
        conflicts=_OFFLINE,
        cost=f"{LATENCY} ms for an action that asks the server",
    ),
    Condition(
        name="reorder",
        title="responses to the next action overtake one another",
        what="Answers to requests that are under way together are given in reverse order (fetch; XMLHttpRequests are "
        "sent in reverse order). `--jostle-orders` does it thoroughly, one order at a time.",
        why="Nobody can count on the order in which answers come. " + _WAITS,
        in_pass=Pass.ENVIRONMENT,
        neutral=Neutral.ASSUMED,
        inject=_reorder,
        end=_in_order,
        conflicts=frozenset({"route", "route_from_har"}),
        cost="150 ms for an action that asks the server, up to 1.5 s",
    ),
)
