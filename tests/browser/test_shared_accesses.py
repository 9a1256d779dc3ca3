"""Of objects and variables only what several events touch and one writes: nothing that could matter gets lost."""

# ruff: noqa: E501 (pages stay readable in lines of their own length)
from __future__ import annotations

from typing import Any

import msgspec
import pytest

from jostle.browser.settings import AccessLog, TabSettings
from jostle.events import Access, Effect, Event, Step, Trace
from jostle.events.trace import at_their_events
from jostle.instrument import Rewriter, memory
from jostle.races.schedules.touches import touches
from tests.browser.driven import Driven, OpenApp
from tests.browser.live import Site
from tests.browser.test_rewriting_in_pages import CODE, FILES

ALL, SHARED = (TabSettings(accesses=each) for each in (AccessLog.ALL, AccessLog.SHARED))

VARIED = """<!doctype html><title>x</title><body><button>go</button><iframe src=/inner.html></iframe><iframe src=/going.html></iframe>
<script>
let count = 0; var total = 1; const list = [3, 1, 2], map = new Map(), set = new Set(["a"]);
class Base { get size() { return this.n; } grow() { this.n++; return shown; } }
class Box extends Base { n = 0; #hidden = 1; peek() { return this.#hidden++; } }
const box = new Box(), shown = { deep: { deeper: [] }, only: "read" }, settled = Promise.resolve(1).then(() => box);
Base.prototype.colour = "red";
const make = () => { let own = 0; return { up: () => ++own, look: () => own }; };
const counter = make();
const tasks = [
  () => { count++; list.push(count); map.set("a", box); box.grow(); },
  () => { shown.deep.deeper.push({ fresh: 1 }).only; let local = { a: 1 }; local.a++; counter.up(); },
  () => { list.sort(); total += list[0] + counter.look(); delete shown.only; },
  () => { set.add(map.get("a").n + box.colour); box.colour = "blue"; settled.then((value) => { value.n = 9; }); },
  () => { const { deep: { deeper: [first] = [] } } = shown; if (first) first.fresh++; window.made = [...list]; },
  () => { box.peek(); made?.pop(); Base.prototype.colour = "green"; for (const key in shown) total += key.length; },
  () => { frames[0].taken?.(shown.deep); frames[0].given && frames[0].given.times++; },
  () => { total = box.size + set.size + list.length + (shown.only ?? 0) + box.colour; },
];
const cache = {}, state = { busy: 0 };
tasks.push(
  () => { cache[7] = total; cache.seven = 7; },
  () => { for (const id in cache) cache[id] += "!"; },
  async () => { state.busy = 1; await crypto.subtle.digest("SHA-256", new Uint8Array(1)); if (state.busy) state.done = 1; },
  () => { state.busy = state.done + 1; },
  () => { shown.told = 1; },
  () => { frames[1].leave(shown, state); },
  () => { total += shown.told + state.left; },
);
tasks.forEach((task, index) => setTimeout(task, 10 * (index + 1)));
document.querySelector("button").onclick = () => { tasks[count++ % tasks.length](); shown.clicked = total; };
</script>"""
INNER = """<!doctype html><body><script>
const given = window.given = { times: 0 };
window.taken = (deep) => { deep.taken = given; given.times += deep.deeper.length; };
setTimeout(() => { given.times++; parent.made?.push(parent.list?.length ?? 1); }, 65);
</script>"""


GOING = """<!doctype html><body><script>
window.leave = (shown, state) => { state.left = shown.told + 1; frameElement.remove(); };
</script>"""


@pytest.fixture
def rewriter() -> Rewriter:
    return Rewriter(memory)


def enacted(page: Driven, *clicks: str) -> list[Step]:
    """The page opened and clicked, each as a step."""
    page.reset()
    steps: list[Step] = []

    def step(event: Event) -> None:
        steps.append(Step(event=event, effect=page.step(event)))

    def drain() -> None:
        while there := page.waiting():
            step(there[0])
            assert len(steps) < 100, page.names()

    drain()
    for name in clicks:
        step(next(each for each in page.run(page.app.user_events()) if each.what.startswith(f'click button "{name}"')))
        drain()
    return steps


def told(steps: list[Step]) -> dict[str, list[tuple[Any, ...]]]:
    """What the events have in common: who did what to which location, with values and places."""

    def facts(access: Access | None) -> Access | None:  # a document may know a thing by another name than its frame
        return access and msgspec.structs.replace(access, name="")

    return {
        str(location): [(each.event, each.mode, facts(each.read), facts(each.write)) for each in found]
        for location, found in touches(Trace(steps=at_their_events(steps))).items()
    }


def much(effects: list[Effect]) -> int:
    return sum(len(effect.accesses) + len(effect.earlier) for effect in effects)


@pytest.mark.parametrize(
    ("pages", "clicks"),
    [({"/": VARIED, "/inner.html": INNER, "/going.html": GOING}, ["go"] * 4), ({"/": CODE, **FILES}, ["go", "c", "d"])],
    ids=["all kinds of locations", "code that the page makes"],
)
@pytest.mark.sampled(1)
def test_all_that_events_have_in_common_is_told(
    app: OpenApp, site: Site, rewriter: Rewriter, pages: dict[str, Any], clicks: list[str]
) -> None:
    site.serve(pages)
    everything = enacted(app(settings=ALL, rewriter=rewriter), *clicks)
    shared = enacted(app(settings=SHARED, rewriter=rewriter), *clicks)
    assert [each.event.key for each in shared] == [each.event.key for each in everything]
    expected = told(everything)
    assert told(shared) == expected
    assert {location.partition(":")[0] for location in expected} >= {"object", "array", "global"}
    assert not any(step.effect.earlier for step in everything)
    assert much([step.effect for step in shared]) < much([step.effect for step in everything])


def test_what_one_event_does_is_told_when_another_touches_it(app: OpenApp, site: Site, rewriter: Rewriter) -> None:
    page = """<!doctype html><title>x</title><body><script>
    var order = { paid: false, lines: 1 };
    setTimeout(() => { order.paid = true; order.lines; }, 10);
    setTimeout(() => { order.lines; }, 20);
    setTimeout(() => { document.title = order.paid; }, 30);
    </script>"""
    site.serve({"/": page})
    steps = enacted(app(settings=SHARED, rewriter=rewriter))
    [first, second, third] = steps[-3:]
    names = [{each.name for each in step.effect.accesses} for step in (first, second, third)]
    assert not any({"order.paid", "order.lines"} & each for each in names[:2]), "nobody else has touched it yet"
    assert "order.paid" in names[2]
    [known] = [each for each in third.effect.earlier if each.access.name == "order.paid"]
    assert known.event == first.event.key
    assert (known.access.write, known.access.value, known.access.source) == (True, "true", "/:3:30")
    settled = [{each.name for each in step.effect.accesses} for step in at_their_events(steps)[-3:]]
    assert ["order.paid" in each for each in settled] == [True, False, True]


def test_an_event_that_touches_too_much_says_so(app: OpenApp, site: Site, rewriter: Rewriter) -> None:
    page = """<!doctype html><title>x</title><body><script>
    var order = { paid: false }, much = {};
    setTimeout(() => { order.paid = true; }, 10);
    setTimeout(() => { for (let n = 0; n < 100100; n++) much[n] = n; document.title = order.paid; }, 20);
    setTimeout(() => { document.title = order.paid; }, 30);
    </script>"""
    site.serve({"/": page})
    steps = enacted(app(settings=SHARED, rewriter=rewriter))
    assert [any("more than 100000 locations" in words for words in step.effect.limits) for step in steps[-3:]] == [
        False,
        True,
        False,
    ]
    [paid] = [found for location, found in told(steps).items() if location.endswith(".paid")]
    assert [each[0] for each in paid] == [len(steps) - 3, len(steps) - 1]
