"""The orders in which a repair is tried."""

from __future__ import annotations

from jostle.events import Effect, Step, Trace
from jostle.findings import FindingKind
from jostle.findings.evidence import Role
from jostle.recording.file import Recording
from jostle.repair.orders import ALONE, BAD, EAGER, GOOD, LAST, SOONER, orders_of, without_second
from jostle.repair.witness import Witness
from tests.repair.witnesses import DOCUMENT, loading, response, stale, submitted_twice, user, witness


def whats(steps: tuple[Step, ...]) -> list[str]:
    return [str(step.event) for step in steps]


def test_two_actions() -> None:
    made = stale()
    bad, good, others = orders_of(made)
    assert (bad.name, good.name) == (BAD, GOOD) and bad.bad and not good.bad
    assert whats(bad.steps) == [str(step.event) for step in made.bad.trace.steps]
    [eager] = [each for each in others if each.name == EAGER]
    assert whats(eager.steps)[1:3] == ['click button "Oslo"', 'click button "Bergen"']
    alone = without_second(made)
    assert alone is not None and alone.name == ALONE and 'click button "Bergen"' not in whats(alone.steps)


def test_what_is_late_comes_last_where_it_did_not() -> None:
    first, second = user("Oslo"), user("Bergen")
    one, other, more = response("/a", first), response("/b", second), response("/c", second)
    roles = {first.key: Role.FIRST, second.key: Role.SECOND, one.key: Role.LATE}
    made = witness([DOCUMENT, first, one, second, other, more], [DOCUMENT, first, second, other, one, more], roles)
    [last] = [each for each in orders_of(made)[2] if each.name == LAST]
    assert whats(last.steps)[-1] == "GET /a"


def test_an_action_as_early_as_possible() -> None:
    first, script = (
        response("/first.js", DOCUMENT, resource="script"),
        response("/menu.js", DOCUMENT, resource="script"),
    )
    act = user("Menu")
    made = loading(FindingKind.LATE_HANDLER)
    bad = [DOCUMENT, first, act, script]
    steps = tuple(Step(event=event, effect=Effect(), at=100.0 * n) for n, event in enumerate(bad))
    early = Recording(made.bad.manifest, Trace(steps=steps))
    made = Witness(finding=made.finding, evidence=made.evidence, good=made.good, bad=early, first=act, late=(script,))
    [sooner] = [each for each in orders_of(made)[2] if each.name == SOONER]
    assert whats(sooner.steps) == ["GET /", 'click button "Menu"', "GET /first.js", "GET /menu.js"]


def test_the_good_order_without_the_second_action_where_there_is_none() -> None:
    assert without_second(submitted_twice()) is None
    assert without_second(loading(FindingKind.LATE_HANDLER)) is None


def test_what_was_kept_back_when_the_page_was_left_stays_back() -> None:
    """The script that is late had not come when the link was followed: it must not come before it, either."""
    script, link = response("/menu.js", DOCUMENT, resource="script"), user("Search")
    steps = (
        Step(event=DOCUMENT, effect=Effect(created=(script,)), at=0.0),
        Step(event=link, effect=Effect(), at=50.0),
    )
    made = loading(FindingKind.LATE_HANDLER)
    left = Recording(made.bad.manifest, Trace(steps=steps))
    made = Witness(finding=made.finding, evidence=made.evidence, good=made.good, bad=left, first=link, late=(script,))
    assert whats(orders_of(made)[0].steps) == ["GET /", 'click button "Search"', "GET /menu.js"]
