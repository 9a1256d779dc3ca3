"""What is wrong in a real page is seen, and what is not is left alone."""

# ruff: noqa: E501 (pages stay readable in lines of their own length)
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jostle.browser.settings import Limits
from jostle.config import Invariant
from jostle.events import Effect, Event, Settled, Step
from jostle.findings import START, Groups, minimise
from jostle.oracles import Invariants, problems
from tests.browser.driven import OpenApp
from tests.browser.live import Site

PAGE = """<link rel=icon href=/icon.ico><h1>Shop</h1><p id=out></p><img src=/missing.png alt=x>
<button onclick="nothing.at.all">Throw</button>
<button onclick="Promise.reject(new Error('item ' + Date.now() + ' refused'))">Reject</button>
<button onclick="console.error('bad', 7)">Complain</button>
<button onclick="fetch('/api/items/7?q=x', {method: 'POST'})">Save</button>
<button onclick="const x = new XMLHttpRequest(); x.open('GET', '/sync', false); x.send()">Wait</button>
<button onclick="fetch('/gone').catch(() => 0)">Lose</button>
<button onclick="for (;;);">Spin</button>
<button onclick="new AbortController().abort(); const a = new AbortController(); fetch('/slow', {signal: a.signal}).catch(() => 0); a.abort()">Give up</button>
<a href=/nowhere>Nowhere</a> <a href=/moved>Moved</a> <a href=/fine>Fine</a>"""


def drop(request: Any) -> None:
    request.close_connection = True
    request.connection.close()


PAGES: dict[str, Any] = {
    "/": PAGE,
    "/api/items/7": (500, {}, "broken"),
    "/sync": (503, {}, "later"),
    "/gone": drop,
    "/moved": (302, {"Location": "/nowhere"}, ""),
    "/fine": "<h1>Fine</h1><button onclick='nothing.at.all'>Throw</button>",
    "/slow": "x",
}


def ids(event: Event, effect: Effect, origins: Sequence[str]) -> list[str]:
    return [problem.title for problem in problems(Step(event=event, effect=effect), origins=origins)]


def test_every_kind_of_problem(app: OpenApp, site: Site) -> None:
    site.serve(PAGES)
    driven = app(limits=Limits(step=2.0))
    settled = Settled(driven.app)
    origins = [site.url]

    def do(what: str) -> list[str]:
        driven.run(settled.reset())
        event = next(event for event in driven.run(settled.enabled()) if event.what == what)
        return ids(event, driven.run(settled.step(event)), origins)

    driven.run(settled.reset())
    start = ids(START, settled.last_effect, origins)
    assert start == ["GET /missing.png failed with status 404"]  # and not the icon: the browser asks for it

    (thrown,) = do('click button "Throw"')
    assert thrown.startswith("uncaught exception: ReferenceError: nothing is not defined at /:2:")
    (rejected,) = do('click button "Reject"')
    assert rejected.startswith("unhandled rejection: Error: item ")
    (said,) = do('click button "Complain"')
    assert said.startswith("console error: bad 7")
    assert do('click button "Save"') == ["POST /api/items/7 failed with status 500"]
    assert "GET /sync failed with status 503" in do('click button "Wait"')
    (lost,) = do('click button "Lose"')
    assert lost.startswith("GET /gone got no response (")
    assert do('click button "Give up"') == []
    (dead,) = do('click link "Nowhere"')
    assert dead == 'click link "Nowhere": /nowhere fails with status 404'
    (moved,) = do('click link "Moved"')
    assert moved == 'click link "Moved": /nowhere fails with status 404'
    assert do('click link "Fine"') == []
    assert "/icon.ico" in site.requests
    (hung,) = do('click button "Spin"')
    assert "did not come to an end within 2 s" in hung


def test_a_walk_is_minimised_to_what_shows_it(app: OpenApp, site: Site) -> None:
    site.serve(
        {
            "/": """<button onclick="n = (window.n || 0) + 1; out.textContent = n">More</button><p id=out>0</p>
            <button onclick="armed = true">Arm</button><button onclick="if (window.armed) throw new Error('after ' + out.textContent)">Fire</button>"""
        }
    )
    driven = app()
    settled = Settled(driven.app)
    groups = Groups()
    done: list[Event] = []
    driven.run(settled.reset())
    for what in ("More", "Fire", "More", "Arm", "More", "Fire", "Arm", "Fire"):
        event = next(e for e in driven.run(settled.enabled()) if e.what == f'click button "{what}"')
        step = Step(event=event, effect=driven.run(settled.step(event)))
        done.append(event)
        for problem in problems(step):
            groups.add(problem, done, at=len(done))
    (group,) = groups
    assert (group.count, group.first, len(group.events)) == (2, 6, 6)

    def again(event: Event, effect: Effect) -> bool:
        return any(each.id == group.problem.id for each in problems(Step(event=event, effect=effect)))

    result = driven.run(minimise(settled, group.events, again))
    assert [event.what for event in result.events] == ['click button "Arm"', 'click button "Fire"']
    finding = group.finding(result)
    assert finding.confidence == "witnessed" and finding.events[-1].startswith("uncaught exception: Error: after 3")


def test_invariants_in_javascript(app: OpenApp, site: Site) -> None:
    site.serve("<script>var total = 3; let own = 1</script><p>x</p>")
    driven = app()
    driven.open()

    def broken(expression: str) -> list[str]:
        invariants = Invariants([Invariant(name="i", javascript=expression)])

        async def evaluate(wrapped: str) -> Any:
            tab = driven.app.tabs[0]
            return await tab.ask(tab.main, wrapped, 5)

        found = driven.run(invariants.broken({"url": site.url}, evaluate))
        return [problem.evidence.wrong for problem in found]

    assert broken("total === 3 && own") == []
    assert broken("Promise.resolve(document.querySelector('p'))") == []
    assert broken("total > 5") == ["it was false"]
    assert broken("missing.total") == ["it threw ReferenceError: missing is not defined"]
    assert broken("Promise.reject(new Error('no'))") == ["it threw Error: no"]
