"""Which of the things that were done every time is to blame."""

from __future__ import annotations

from collections.abc import Sequence

from jostle.events import Effect, Kind, Request, State, StorageWrite, event_of
from jostle.model.visit import Visit
from jostle.slowdowns.alternate import Trial
from jostle.slowdowns.culprit import culprit
from jostle.slowdowns.history import Action, Pair

HERE = State("here")
NOTHING = Effect()
SENT = Effect(requests=(Request("POST", "/articles"), Request("GET", "/articles")))
ASKED = Effect(requests=(Request("GET", "/articles"),))
STORED = Effect(storage_writes=(StorageWrite(area="local", key="draft", value="1"),))


def blamed(cause: str, done: dict[str, Effect], *, between: Sequence[str], effect: str = "look") -> str:
    visits = [
        Visit(before=HERE, event=event_of(kind=Kind.USER, what=what), effect=came, after=HERE)
        for what, came in done.items()
    ]
    pair = Pair(Action(cause, HERE, HERE), Action(effect, HERE, HERE))
    return culprit(Trial(pair=pair, steps=visits * 3, between=frozenset(between)))


def test_what_is_sent_is_to_blame_not_opening_the_form() -> None:
    done = {"open": ASKED, "type": NOTHING, "save": SENT, "look": ASKED}
    assert blamed("open", done, between=["type", "save"]) == "save"
    assert blamed("open", {**done, "save": STORED}, between=["type", "save"]) == "save"


def test_a_cause_that_leaves_something_behind_stays_the_cause() -> None:
    assert blamed("save", {"save": SENT, "log": SENT, "look": ASKED}, between=["log"]) == "save"


def test_nobody_else_is_blamed_without_a_reason() -> None:
    assert blamed("open", {"open": NOTHING, "type": NOTHING}, between=["type"]) == "open"
    assert blamed("open", {"open": NOTHING, "save": SENT, "log": SENT}, between=["save", "log"]) == "open"
    assert blamed("open", {"open": NOTHING, "save": SENT}, between=[]) == "open"  # not every time


def test_what_makes_itself_slower_does_so() -> None:
    assert blamed("look", {"look": NOTHING, "save": SENT}, between=["save"]) == "look"
