"""Which place in an application's code is told of a request."""

from __future__ import annotations

from jostle.events import Event, Kind, event_of
from jostle.races.source import one_of_each, sent_from


def answer(url: str, *sources: str) -> Event:
    return event_of(kind=Kind.NETWORK, what=f"GET {url}", detail={"url": f"http://a{url}", "sources": list(sources)})


SAVE = answer("/save?n=1", "http://a/api.js:5:1", "http://a/api.js:90:3", "http://a/form.js:7:9")
LIST = answer("/list", "http://a/api.js:5:1", "http://a/list.js:4:2")


def test_what_sends_everything_says_little() -> None:
    assert sent_from(SAVE, [SAVE, LIST]) == "http://a/api.js:90:3"
    assert sent_from(LIST, [SAVE, LIST]) == "http://a/list.js:4:2"


def test_the_innermost_when_nothing_else_is_sent() -> None:
    assert sent_from(SAVE, [SAVE, answer("/save?n=2", *SAVE.request.sources)]) == "http://a/api.js:5:1"


def test_the_innermost_when_all_is_shared() -> None:
    other = answer("/other", *SAVE.request.sources)
    assert sent_from(SAVE, [SAVE, other]) == "http://a/api.js:5:1"


def test_no_script_asked() -> None:
    assert sent_from(answer("/favicon.ico"), [SAVE]) == ""
    assert sent_from(event_of(kind=Kind.MESSAGE, what="message on socket /a"), [SAVE]) == ""


def test_one_event_for_each_place() -> None:
    again, silent = answer("/save?n=2", *SAVE.request.sources), answer("/favicon.ico")
    told = one_of_each([SAVE, again, LIST, silent], [SAVE, again, LIST])
    assert told == [(again, "http://a/api.js:90:3"), (LIST, "http://a/list.js:4:2"), (silent, "")]
