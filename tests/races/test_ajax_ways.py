"""How to get to where something was done, without detours."""

from __future__ import annotations

from jostle.events import Effect, Event, Kind, Milestone, Request, State, Step, event_of
from jostle.exploring.reacting import Ways
from jostle.model.reaction import Reaction

ROOT = "http://app.test"


def user(what: str, **detail: object) -> Event:
    return event_of(kind=Kind.USER, what=what, detail={"action": what.split(" ")[0], **detail})


def went(ways: Ways, what: str, to: str = "", sends: str = "", **detail: object) -> None:
    """Something was done; `to`: it led to this page, which is the answer to what was sent if that is so."""
    requests = (Request(sends, f"{ROOT}{to}"),) if sends else ()
    effect = Effect(lifecycle=(Milestone(Milestone.COMMIT, to),) if to else (), requests=requests)
    event, state = user(what, **detail), State("x", f"{ROOT}{to}")
    ways.went(Reaction(before=state, after=state, event=event, steps=(Step(event=event, effect=effect),)))


def told(ways: Ways) -> list[str] | None:
    return None if ways.direct is None else [event.what.replace(ROOT, "") for event in ways.direct]


def test_the_first_page_has_no_shorter_way() -> None:
    ways = Ways()
    went(ways, "click A")
    assert told(ways) is None


def test_by_the_address_of_the_page() -> None:
    ways = Ways()
    went(ways, "click A")
    went(ways, "click link", to="/items")
    assert told(ways) == ["visit /items"]
    went(ways, "click B")
    assert told(ways) == ["visit /items", "click B"]
    went(ways, "click link", to="/other")
    assert told(ways) == ["visit /other"]


def test_the_answer_to_something_sent_has_no_address() -> None:
    ways = Ways()
    went(ways, "click Send", to="/order", sends="POST")
    assert told(ways) is None
    went(ways, "click link", to="/items", sends="GET")
    assert told(ways) == ["visit /items"]


def test_who_logged_in_logs_in_again() -> None:
    ways = Ways()
    went(ways, "click link", to="/login")
    went(ways, "type name")
    went(ways, "type password", field={"type": "password"})
    went(ways, "click Log in", to="/")
    went(ways, "click link", to="/profile")
    went(ways, "click Save")
    logged_in = ["visit /login", "type name", "type password", "click Log in"]
    assert told(ways) == [*logged_in, "visit /profile", "click Save"]


def test_a_log_in_on_the_first_page() -> None:
    ways = Ways()
    went(ways, "type password", field={"type": "password"})
    went(ways, "press Enter", to="/home")
    assert told(ways) == ["type password", "press Enter", "visit /home"]
