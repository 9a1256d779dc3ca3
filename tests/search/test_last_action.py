"""Which action is blamed when an application stops answering."""

from __future__ import annotations

import pytest

from jostle.events import Answered, Event, Kind, event_of
from jostle.search.last_action import LastAction

URL = "http://x:8000/start"


def user(what: str) -> Event:
    return event_of(Kind.USER, what)


def answer(status: int = 200, error: str = "", url: str = "http://x:8000/a") -> Answered:
    return Answered(method="GET", url=url, status=status, error=error)


REFUSED = answer(0, "ConnectionRefused")
RESET = answer(0, "ConnectionReset")
RESPONSE = event_of(Kind.NETWORK, "GET /a")


def test_nothing_was_done() -> None:
    last = LastAction(URL)
    assert last.what == ""
    last.stepped(RESPONSE, [answer()])
    last.stepped(RESPONSE, [REFUSED])
    assert last.what == ""


@pytest.mark.parametrize("error", ["ConnectionReset", "Failed", "net::ERR_EMPTY_RESPONSE", "net::ERR_CONNECTION_RESET"])
@pytest.mark.parametrize("refused", ["ConnectionRefused", "net::ERR_CONNECTION_REFUSED"])
def test_the_connection_was_broken_off_by_it(error: str, refused: str) -> None:
    last = LastAction(URL)
    last.stepped(user("click a"), [answer()])
    last.stepped(user("type x"), [answer(0, "Aborted")])
    last.stepped(user("click stop"), [answer(0, error)])
    last.stepped(user("click b"), [answer(0, refused)])
    assert last.what == "click stop"


def test_it_was_answered_and_then_nothing_was() -> None:
    last = LastAction(URL)
    last.stepped(user("click stop"), [answer()])
    last.stepped(user("click b"), [REFUSED])
    last.stepped(user("click c"), [REFUSED])
    assert last.what == "click stop"


def test_it_was_answered_and_asked_for_more_in_vain() -> None:
    last = LastAction(URL)
    last.stepped(user("click a"), [])
    last.stepped(user("click stop"), [])
    last.stepped(RESPONSE, [answer()])
    last.stepped(RESPONSE, [REFUSED])
    assert last.what == "click stop"


def test_nobody_asked_afterwards() -> None:
    last = LastAction(URL)
    last.stepped(user("click a"), [answer()])
    last.stepped(user("click stop"), [])
    assert last.what == "click stop"


def test_other_origins_and_passing_trouble_say_nothing() -> None:
    last = LastAction(URL)
    last.stepped(user("click a"), [answer(0, "ConnectionReset", "http://elsewhere/")])
    last.stepped(user("click b"), [RESET])
    last.stepped(user("click c"), [answer()])
    assert last.what == "click c"
