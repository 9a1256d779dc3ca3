"""The decision function: its laws, and that the JavaScript of the controller decides the same."""

# ruff: noqa: E501 (pages and sentences stay readable in lines of their own length)
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from playwright.sync_api import Browser, Page

from jostle.repair.catalogue import async_user, fifo, init_user, init_user_plus, latest_only
from jostle.repair.decide import (
    Begin,
    Decision,
    End,
    Fork,
    Operation,
    PageEvent,
    ParsingEnded,
    State,
    address_matches,
    start,
    step,
)
from jostle.repair.policy import Action, Do, EventKind, Match, Policy, Rule, Scope
from jostle.repair.script import readable
from tests.repair.policies import operations, policies

POSTPONE, DISPATCH, DISCARD = Action.POSTPONE, Action.DISPATCH, Action.DISCARD


def run(policy: Policy, *done: Operation) -> list[Decision]:
    state = start(policy)
    told = []
    for operation in done:
        decision, state = step(operation, state)
        told.append(decision)
    return told


def actions(policy: Policy, *done: Operation) -> list[Action]:
    """What is decided on the begins."""
    return [decision.action for decision, each in zip(run(policy, *done), done, strict=True) if isinstance(each, Begin)]


def response(number: int, lane: str = "") -> PageEvent:
    return PageEvent(id=number, kind=EventKind.RESPONSE, types=("fetch",), url=f"http://h/r{number}", lane=lane)


def click(number: int, *selectors: str) -> PageEvent:
    return PageEvent(id=number, kind=EventKind.USER, types=("click",), selectors=selectors, channel="user")


def test_the_user_waits_for_the_end_of_parsing() -> None:
    one, two = click(1), click(2)
    run_: tuple[Operation, ...] = (
        Begin(event=one),
        Begin(event=two),
        ParsingEnded(),
        Begin(event=two),
        Begin(event=one),
        Begin(event=two),
    )
    assert actions(init_user(), *run_) == [POSTPONE, POSTPONE, POSTPONE, DISPATCH, DISPATCH]


def test_three_responses_come_in_order() -> None:
    one, two, three = response(1), response(2), response(3)
    forks = [Fork(event=each) for each in (one, two, three)]
    assert actions(fifo(), *forks, Begin(event=three), Begin(event=one)) == [POSTPONE, DISPATCH]
    after: tuple[Operation, ...] = (
        *forks,
        Begin(event=three),
        Begin(event=one),
        End(event=one),
        Begin(event=three),
        Begin(event=two),
    )
    assert actions(fifo(), *after) == [POSTPONE, DISPATCH, POSTPONE, DISPATCH]
    assert actions(fifo(), *after, End(event=two), Begin(event=three))[-1] == DISPATCH


def test_what_came_before_the_next_fork_is_not_waited_for() -> None:
    one, two = response(1), response(2)
    run_ = (Fork(event=one), Begin(event=one), End(event=one), Fork(event=two), Begin(event=two))
    assert actions(fifo(), *run_) == [DISPATCH, DISPATCH]


def test_lanes_do_not_wait_for_each_other() -> None:
    forks = [Fork(event=response(1, "a")), Fork(event=response(2, "b")), Fork(event=response(3, "a"))]
    begins = (Begin(event=response(2, "b")), Begin(event=response(3, "a")))
    assert actions(fifo(lanes=True), *forks, *begins) == [DISPATCH, POSTPONE]
    assert actions(fifo(), *forks, *begins) == [POSTPONE, POSTPONE]


def test_the_user_waits_for_responses() -> None:
    run_ = (Begin(event=click(1)), Fork(event=response(2)), Begin(event=click(3)), End(event=response(2)))
    assert actions(async_user(), *run_, Begin(event=click(4))) == [DISPATCH, DISCARD, DISPATCH]


def test_the_user_waits_for_what_a_response_requests() -> None:
    one, two = response(1), response(2)
    begun = (Fork(event=one), ParsingEnded(), Begin(event=one), Fork(event=two), End(event=one))
    assert actions(init_user_plus(), *begun, Begin(event=click(3)))[-1] == DISCARD
    assert actions(init_user_plus(), *begun, End(event=two), Begin(event=click(3)))[-1] == DISPATCH


def test_text_is_never_discarded() -> None:
    typed = msgspec.structs.replace(click(3), types=("keydown",), text=True)
    assert actions(async_user(), Fork(event=response(1)), Begin(event=typed)) == [POSTPONE]


def test_a_newer_request_aborts_the_older_ones_of_its_lane() -> None:
    forks = [Fork(event=response(1, "a")), Fork(event=response(2, "b")), Fork(event=response(3, "a"))]
    assert [decision.aborted for decision in run(latest_only(), *forks)] == [(), (), (1,)]
    assert [decision.aborted for decision in run(latest_only(lanes=False), *forks)] == [(), (1,), (2,)]


def test_timers_keep_their_order() -> None:
    def timer(number: int, delay: float) -> PageEvent:
        return PageEvent(id=number, kind=EventKind.TIMER, delay=delay, types=("timeout",))

    only = Policy(
        name="only",
        rules=(Rule(match=Match(kinds=(EventKind.TIMER,), types=("timeout",), events=(1,)), action=POSTPONE),),
    )
    begins = [Begin(event=timer(1, 10)), Begin(event=timer(2, 5)), Begin(event=timer(3, 10))]
    assert actions(only, *begins) == [POSTPONE, DISPATCH, POSTPONE]


def test_the_watchdog_lets_go() -> None:
    policy = msgspec.structs.replace(init_user(), watchdog=1)
    begins = (Begin(event=click(1)), Begin(event=click(2), at=10), Begin(event=click(2), at=1005))
    told = run(
        policy, *begins, Begin(event=click(1), at=1005), Begin(event=click(2), at=1009), Begin(event=click(2), at=1010)
    )
    assert [each.action for each in told] == [POSTPONE, POSTPONE, POSTPONE, DISPATCH, POSTPONE, DISPATCH]
    assert [each.overdue for each in told] == [False, False, False, True, False, True]


def test_nobody_is_kept_out_for_longer_than_the_watchdog() -> None:
    policy = msgspec.structs.replace(async_user(), watchdog=1)
    run_ = (Fork(event=response(1), at=5), Begin(event=click(2), at=1000), Begin(event=click(3), at=1005))
    assert actions(policy, *run_) == [DISCARD, DISPATCH]


def test_a_rule_for_once() -> None:
    policy = Policy(name="once", rules=(Rule(match=Match(kinds=(EventKind.USER,)), scope=Scope.ONCE, action=DISCARD),))
    assert actions(policy, Begin(event=click(1)), Begin(event=click(2))) == [DISCARD, DISPATCH]


def test_rules_do_not_pile_up() -> None:
    state = start(init_user_plus())
    for number in range(1, 60):
        _, state = step(Fork(event=response(number)), state)
    assert len(state.rules) <= 2 * 60
    for number in range(1, 60):
        _, state = step(End(event=response(number)), state)
    assert len(state.rules) == 2


@pytest.mark.parametrize(
    ("pattern", "url", "fits"),
    [
        ("/api/*", "http://h/api/x?y=1", True), ("/api", "http://h/api?y=1", True), ("/api?y=*", "http://h/api?y=1", True),
        ("/api?y=*", "http://h/api", False), ("*/a.js", "http://h/b/a.js", True), ("*/a.js", "http://h/b/xa.js", False),
        ("http://h/*", "https://h/", False), ("*", "", False), ("/a.b", "http://h/aXb", False), ("/(", "http://h/(", True),
    ],
)  # fmt: skip
def test_patterns_of_addresses(pattern: str, url: str, fits: bool) -> None:
    assert address_matches(pattern, url) is fits


@given(operations())
def test_no_rules_change_nothing(done: list[Operation]) -> None:
    assert all(decision == Decision() for decision in run(Policy(name="nothing"), *done))


@given(policies(), operations())
def test_events_of_the_system_and_text_are_never_discarded(policy: Policy, done: list[Operation]) -> None:
    for operation, decision in zip(done, run(policy, *done), strict=True):
        if decision.action is DISCARD:
            assert isinstance(operation, Begin)
            assert operation.event.kind is EventKind.USER and not operation.event.text


@given(policies(), operations())
def test_one_channel_keeps_its_order(policy: Policy, done: list[Operation]) -> None:
    state = start(policy)
    for operation in done:
        before = state.held
        decision, state = step(operation, state)
        if isinstance(operation, Begin) and decision.action is DISPATCH and operation.event.channel:
            for held in before:
                if held.event.id == operation.event.id:
                    break
                assert held.event.channel != operation.event.channel


@given(policies(), operations())
def test_everything_begins_in_the_end(policy: Policy, done: list[Operation]) -> None:
    """Once all has arrived, or the watchdog's time is over, nothing waits."""
    state = start(policy)
    for operation in done:
        _, state = step(operation, state)
    at = done[-1].at + state.watchdog
    for _ in range(len(state.held)):
        first = state.held[0]
        decision, state = step(Begin(event=first.event, at=at), state)
        assert decision.action is not POSTPONE
    assert state.held == ()


@given(operations())
def test_responses_in_order_never_wait(done: list[Operation]) -> None:
    """FIFO costs nothing where the natural order is right."""
    forked = list(dict.fromkeys(each.event for each in done if isinstance(each, Fork)))
    run_: list[Operation] = [Fork(event=each) for each in forked]
    for each in sorted(forked, key=lambda each: forked.index(each)):
        run_ += [Begin(event=msgspec.structs.replace(each, channel="", kind=EventKind.RESPONSE)), End(event=each)]
    assert POSTPONE not in actions(fifo(kinds=(EventKind.RESPONSE,)), *run_)


# The same in JavaScript.


@pytest.fixture(scope="module")
def deciding(browser: Browser) -> Iterator[Page]:
    """A page in which `decided(policy, operations)` gives the decisions of the controller."""
    page = browser.new_page()
    page.evaluate(
        """(source) => {
      const repair = {};
      (0, eval)(`(${source})`)(repair);
      window.decided = (policy, operations) => {
        let facts = [];
        const decider = repair.decider(policy, {
          holds: (predicate) => facts.some((fact) => JSON.stringify(Object.entries(fact).sort()) === JSON.stringify(Object.entries(predicate).sort())),
          selects: (event, selector) => (event.selectors ?? []).includes(selector),
        });
        return operations.map((operation) => {
          facts = operation.facts ?? [];
          const at = operation.at ?? 0;
          let decision = null;
          if (operation.op === "fork") decision = decider.fork(operation.event, at);
          else if (operation.op === "begin") decision = decider.begin(operation.event, at);
          else if (operation.op === "end") decider.end(operation.event);
          else decider.parsingEnded();
          return { decision, held: decider.held.map(({ event }) => event.id) };
        });
      };
    }""",
        readable("decide"),
    )
    yield page
    page.close()


def modelled(policy: Policy, done: list[Operation]) -> list[Any]:
    state: State = start(policy)
    told = []
    for operation in done:
        decision, state = step(operation, state)
        asked = isinstance(operation, Fork | Begin)
        plain = {
            "action": str(decision.action), "overdue": decision.overdue, "aborted": list(decision.aborted),
            "silent": decision.silent,
        }  # fmt: skip
        told.append({"decision": plain if asked else None, "held": [held.event.id for held in state.held]})
    return told


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=300)
@given(given_policy=policies(), done=operations())
def test_python_and_javascript_decide_the_same(deciding: Page, given_policy: Policy, done: list[Operation]) -> None:
    plain = [msgspec.to_builtins(given_policy), msgspec.to_builtins(done)]
    assert deciding.evaluate("([policy, operations]) => decided(policy, operations)", plain) == modelled(
        given_policy, done
    )


def test_both_know_all_extensions() -> None:
    """An extension that one of the two did not know would never show in random policies that do not use it."""
    assert all(f'"{do}"' in readable("decide") for do in Do)
