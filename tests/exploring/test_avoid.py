"""What an exploration leaves alone."""

from __future__ import annotations

from typing import Any

import pytest

from jostle.errors import UsageProblem
from jostle.events import Event, Kind, event_of
from jostle.exploring.avoid import DEFAULT, DELETING, Avoid


def event(what: str, **detail: Any) -> Event:
    return event_of(kind=Kind.USER, what=what, detail=detail)


@pytest.mark.parametrize(
    "what",
    [
        'click link "Log out"',
        'click button "Sign out"',
        'click link "logout"',
        'click menuitem "LOG OFF"',
        'click link "Abmelden"',
    ],
)
def test_log_out_is_left_alone(what: str) -> None:
    avoid = Avoid()
    assert not avoid.allows(event(what, action="click"))
    assert list(avoid.met) == [what]
    assert not avoid.allows(event(what, action="click"))


def test_by_address() -> None:
    avoid = Avoid()
    assert not avoid.allows(event('click link "Bye"', action="click", href="http://x/users/sign_out"))
    assert avoid.allows(event('click link "Bye"', action="click", href="http://x/bye"))
    assert avoid.allows(event('click link "Bye"', action="click"))


@pytest.mark.parametrize(
    "what", ['click button "Delete"', 'click link "Log in"', 'click link "Blog outline"', "scroll down"]
)
def test_other_things_are_not(what: str) -> None:
    assert Avoid().allows(event(what))


def test_what_is_typed_does_not_matter() -> None:
    box = {"words": 'textbox "Search"'}
    assert Avoid().allows(event('type "log out" in textbox "Search"', action="type", value="log out", locator=box))
    assert not Avoid(['textbox "Search"']).allows(event('type "x" in textbox "Search"', action="type", locator=box))


def test_rules_of_ones_own() -> None:
    assert not Avoid([*DEFAULT, *DELETING]).allows(event('click button "Delete"'))
    assert Avoid([]).allows(event('click link "Log out"'))
    with pytest.raises(UsageProblem, match=r"avoid rule '\(' is not a regular expression"):
        Avoid(["("])
