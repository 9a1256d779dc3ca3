"""Which policies are tried for which race, and in which order."""

from __future__ import annotations

import pytest

from jostle.events import Kind, event_of
from jostle.findings import FindingKind
from jostle.findings.evidence import LoadRacePart
from jostle.repair.candidates import Candidate, address_pattern, candidates, selector_of
from jostle.repair.policy import Action, Arrived, Do, EventKind, IsFunction, Listening, Parsed
from jostle.repair.reasons import hopeless, why_none
from jostle.repair.witness import Witness
from tests.repair.witnesses import loading, reordered, response, stale, submitted_twice, timer, user


def names(made: Witness) -> list[str]:
    return [each.policy.name for each in candidates(made)]


def specific(made: Witness) -> list[Candidate]:
    return [each for each in candidates(made) if not each.general]


def test_a_stale_response_is_dropped_before_anything_waits() -> None:
    made = stale()
    first, second, *_ = specific(made)
    assert first.policy.name == "latest-only"
    assert first.policy.rules[0].match.urls == ("/api/weather",), "whatever the query is"
    assert second.policy.name == "fifo"
    general = [each.policy.name for each in candidates(made) if each.general]
    assert general[0] == "fifo" and general[-1] == "init-user-plus"
    assert [each.general for each in candidates(made)] == sorted(each.general for each in candidates(made))


def test_what_is_sent_to_be_kept_is_never_aborted() -> None:
    saved = stale()
    late = response("/api/cart", saved.first, method="PUT")
    made = Witness(
        finding=saved.finding, evidence=saved.evidence, good=saved.good, bad=saved.bad,
        first=saved.first, second=saved.second, late=(late,), followed=(late,),
    )  # fmt: skip
    assert "latest-only" not in names(made) and "fifo" in names(made)


def test_a_double_submit_is_ignored_before_it_is_put_off() -> None:
    """Put off, it would be sent all the same."""
    first = specific(submitted_twice())[0].policy
    [extension] = first.rules[0].then
    assert extension.do is Do.WAIT_FOR and extension.action is Action.DISCARD and extension.selector == "#Order"


def test_an_overwritten_field_is_protected_first() -> None:
    typing = user("City", "type", "#city", element="input:text", value="Rome")
    made = specific(loading(FindingKind.FORM_INPUT_OVERWRITTEN, typing, part=LoadRacePart.WRITE))
    assert made[0].policy.protect == ("#city",) and not made[0].policy.rules
    assert Arrived(url="/menu.js") in [rule.until for each in made for rule in each.policy.rules]


def test_a_click_waits_for_its_handler() -> None:
    first = specific(loading(FindingKind.LATE_HANDLER))[0].policy
    assert [rule.until for rule in first.rules] == [Listening("#Menu", "click")]


@pytest.mark.parametrize(
    ("error", "name"),
    [
        ("ReferenceError: openMenu is not defined", "openMenu"),
        ("Uncaught ReferenceError: openMenu is not defined", "openMenu"),
        ("TypeError: app.menu.open is not a function", "app.menu.open"),
    ],
)
def test_a_click_waits_for_the_name_that_is_missing(error: str, name: str) -> None:
    made = specific(loading(FindingKind.ACCESS_BEFORE_DEFINITION, error=error))
    assert [rule.until for rule in made[0].policy.rules] == [IsFunction(name)]
    assert Parsed() in [rule.until for each in made for rule in each.policy.rules]


def test_an_error_that_names_nothing_gives_no_name() -> None:
    made = specific(loading(FindingKind.ACCESS_BEFORE_DEFINITION, error="TypeError: cannot read properties of null"))
    assert not any(isinstance(rule.until, IsFunction) for each in made for rule in each.policy.rules)


def test_a_timer_waits_for_a_response() -> None:
    made = specific(reordered(timer(100), response("/data.json")))
    rules = [rule for each in made for rule in each.policy.rules]
    assert any(EventKind.TIMER in rule.match.kinds and rule.until == Arrived(url="/data.json") for rule in rules)


def test_a_user_waits_for_a_timer_but_not_for_long() -> None:
    short = names(reordered(user("Close"), timer(300, user("Open"))))
    long = names(reordered(user("Close"), timer(60_000, user("Open"))))
    assert "after-timer" in short and "after-timer" not in long


def test_no_policy_twice() -> None:
    for made in (stale(), submitted_twice(), loading(FindingKind.LATE_HANDLER), reordered(timer(1), timer(2))):
        found = [(each.policy.rules, each.policy.protect) for each in candidates(made)]
        assert len(found) == len(set(found))


def test_no_policy_discards_what_the_system_does() -> None:
    for made in (stale(), submitted_twice(), loading(FindingKind.LATE_HANDLER), reordered(timer(1), response("/a"))):
        for each in candidates(made):
            for rule in each.policy.rules:
                assert rule.action is not Action.DISCARD or rule.match.kinds == (EventKind.USER,)


@pytest.mark.parametrize(
    ("url", "pattern"),
    [
        ("http://shop.test/api/items?q=1", "/api/items"),
        ("http://shop.test/users/42/cart", "/users/*/cart"),
        ("http://shop.test/f/3f2504e0-4f89-11d3-9a0c-0305e82c3301.js", "/f/*"),
        ("http://shop.test", "/"),
    ],
)
def test_addresses_without_their_data(url: str, pattern: str) -> None:
    made = address_pattern(url)
    assert made == pattern or made.startswith("/f/")


def test_entries_of_a_list_are_repaired_together() -> None:
    assert selector_of(user("a", css="#list > li:nth-of-type(3) > button")) == "#list > li > button"
    assert selector_of(user("a", css="#app > my-menu >>> #open")) == "#app > my-menu", "the host of a shadow root"
    assert selector_of(user("a", css="main > div:nth-of-type(2)")) == "main > div:nth-of-type(2)"


def test_what_no_order_can_help() -> None:
    hovering = loading(FindingKind.ACCESS_BEFORE_DEFINITION, user("Menu", "hover"))
    assert "pointer" in hopeless(hovering)
    fence = event_of(Kind.PARSE, "parse past fence 1")
    assert "parser waits for no timer" in hopeless(reordered(fence, timer(0)))
    assert "comes only once" in hopeless(_missed())
    assert not hopeless(stale()) and not hopeless(loading(FindingKind.LATE_HANDLER))


def _missed() -> Witness:
    """The page has loaded before its script listens."""
    made = reordered(response("/late.js", resource="script"), response("/picture.png", resource="image"))
    other = loading(FindingKind.LATE_HANDLER, part=LoadRacePart.SYSTEM, shared="")
    return Witness(finding=other.finding, evidence=other.evidence, good=made.good, bad=made.bad, early=made.early)


def test_why_nothing_helped() -> None:
    assert "order" in why_none(stale()) or "tried" in why_none(stale())
    message = event_of(Kind.MESSAGE, "message from socket", detail={"outside": True})
    assert "in its own time" in why_none(reordered(user("Close"), message))
    assert "server" in why_none(submitted_twice())
