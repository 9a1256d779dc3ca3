"""What an exploration leaves alone."""

from __future__ import annotations

import re
from typing import Any

import pytest

from jostle.errors import UsageProblem
from jostle.events import Event, Kind, event_of
from jostle.exploring.avoid import DELETING, Avoid


def event(what: str, **detail: Any) -> Event:
    """With the locator that its words stand for, unless it is given."""
    if control := re.search(r'(\w+) "(.*)"$', what):
        detail.setdefault("locator", {"role": control[1], "name": control[2], "words": control[0]})
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
    avoid = Avoid(DELETING)
    assert not avoid.allows(event('click button "Delete"'))
    assert avoid.met == {'click button "Delete"': f"avoid rule {DELETING[0]}"}
    assert not avoid.allows(event('click button "Shut down"'))
    assert Avoid(careful=False).allows(event('click link "Log out"'))
    with pytest.raises(UsageProblem, match=r"avoid rule '\(' is not a regular expression"):
        Avoid(["("])
    with pytest.raises(UsageProblem, match=r"allow rule '\[' is not a regular expression"):
        Avoid(allowed=["["])


def test_what_is_dangerous_can_be_allowed_by_any_of_its_texts() -> None:
    locator = {"words": 'button "⚙"', "name": "⚙", "role": "button"}
    reset = event('click button "⚙"', action="click", locator=locator, title="Factory reset")
    avoid = Avoid()
    assert not avoid.allows(reset)
    assert avoid.met == {'click button "⚙"': "resetting everything"}
    assert Avoid(allowed=["factory"]).allows(reset)
    assert not Avoid(allowed=["shut down"]).allows(reset)
    assert not Avoid(["⚙"], allowed=["factory"]).allows(reset)  # what the user forbids stays forbidden


def test_the_dialog_around_a_button_is_not_its_name() -> None:
    within = 'dialog "Delete account"'
    locator = {"words": f'button "Cancel" in {within}', "name": "Cancel", "role": "button", "within": within}
    cancel = event(f'click button "Cancel" in {within}', action="click", locator=locator, question="Delete account?")
    assert Avoid().allows(cancel)
    locator = {"words": f"button #x in {within}", "role": "button", "within": within}
    assert Avoid().allows(event(f"click button #x in {within}", action="click", locator=locator))


def test_yes_to_a_dangerous_question_is_refused() -> None:
    def button(name: str, question: str) -> Event:
        locator = {"words": f'button "{name}"', "name": name, "role": "button"}
        return event(f'click button "{name}"', action="click", locator=locator, question=question)

    assert not Avoid().allows(button("OK", "Your account will be deleted."))
    assert Avoid().allows(button("Cancel", "Your account will be deleted."))
    assert Avoid().allows(button("OK", "Delete this item?"))
    assert Avoid(allowed=["your account"]).allows(button("OK", "Your account will be deleted."))


@pytest.mark.parametrize(
    ("action", "detail", "allowed"),
    [
        ("press", {"value": "Enter", "element": "input:text", "submits": "Delete account"}, False),
        ("press", {"value": "Enter", "element": "input:text", "submits": "Save"}, True),
        ("press", {"value": "Escape", "element": "div"}, True),
        ("press", {"value": "Enter", "element": "div"}, False),
        ("click", {"sends_to": "/shutdown"}, False),
        ("click", {}, False),
        ("check", {}, False),
        ("hover", {}, True),
        ("type", {"value": "x"}, True),
        ("scroll", {}, True),
        ("select", {"value": "5 minutes", "element": "select"}, True),
        ("select", {"value": "Shut down", "element": "select"}, False),
    ],
)
def test_only_what_sets_something_off_is_dangerous(action: str, detail: dict[str, Any], allowed: bool) -> None:
    locator = {"words": 'thing "Log out"', "name": "Log out", "role": "thing"}
    assert Avoid().allows(event(f'{action} thing "Log out"', action=action, locator=locator, **detail)) == allowed


def test_visiting_goes_by_the_address_alone() -> None:
    assert Avoid().allows(event("visit http://x/a?b=log out", action="visit", href="http://x/a?b=log out"))
    assert not Avoid().allows(event("visit http://x/logout", action="visit", href="http://x/logout"))


def test_dialogs_are_answered_with_yes_unless_that_is_dangerous() -> None:
    avoid = Avoid()
    assert avoid.answer("confirm", "Delete this item?", "") == (True, "")
    assert avoid.answer("prompt", "Your name?", "milk") == (True, "milk")
    assert avoid.answer("alert", "Delete account", "") == (True, "")
    assert avoid.met == {}
    assert avoid.answer("confirm", "Delete  all\nrecords?", "") == (False, "")
    assert avoid.answer("prompt", "Type DELETE to delete your account.", "") == (False, "")
    assert avoid.met['answer yes to confirm "Delete all records?"'] == "deleting everything"
    assert avoid.answer("confirm", f"Delete account? {'x' * 5000}", "")[0] is False
    assert max(map(len, avoid.met)) < 200
    assert Avoid(allowed=["records"]).answer("confirm", "Delete all records?", "") == (True, "")
    assert Avoid(careful=False).answer("confirm", "Delete all records?", "") == (True, "")
