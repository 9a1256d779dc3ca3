from __future__ import annotations

import pytest

from jostle.events import Change, Effect, Kind, Step, Trace, event_of
from jostle.recording.file import Manifest, Recording
from jostle.report.rows import MOST_LINES, Repetition, TimelineRow, repetitions, rows
from jostle.report.words import Tone, owned, time
from tests.recording.recordings import search_page
from tests.report.recordings import repeating


def test_who_caused_what() -> None:
    opened, click, answer = rows(search_page())
    assert (opened.cause, click.cause, answer.cause) == (0, 0, 2)
    assert [each.step for each in click.created] == [3]
    assert answer.bad
    assert not click.bad


def test_what_became_of_events_that_did_not_happen() -> None:
    first = rows(repeating(3))[0]
    happened, left, gone = first.created
    assert happened.step == 2
    assert (left.step, left.removed, left.what) == (0, 0, "timeout 9000 at app.js:9:1")
    assert (gone.step, gone.removed, gone.kind) == (0, 3, Kind.NETWORK)


def test_a_timer_happens_when_it_is_due() -> None:
    assert [row.time for row in rows(repeating(3))] == [0, 100, 200, 300]


def test_a_step_is_never_later_than_the_next_begins() -> None:
    early = event_of(kind=Kind.TIMER, what="timeout 900", detail={"due": 900})
    click = event_of(kind=Kind.USER, what="click")
    trace = Trace(steps=(Step(event=early, at=5), Step(event=click, at=6)))
    assert [row.time for row in rows(Recording(Manifest(url="x"), trace))] == [6, 6]


def test_errors_come_first_then_the_answer() -> None:
    answer = rows(search_page())[2]
    assert [(each.title, each.tone) for each in answer.sections] == [
        ("Errors", Tone.BAD),
        ("Answer", Tone.PLAIN),
        ("Storage", Tone.PLAIN),
    ]
    assert answer.sections[1].lines == ("GET http://shop.test/api/search?q=milk\n200, 13 bytes",)


def test_long_lists_are_cut_and_say_so() -> None:
    changes = tuple(Change("text", f"p{n}") for n in range(MOST_LINES + 7))
    step = Step(event=event_of(kind=Kind.USER, what="click"), effect=Effect(changes=changes))
    (row,) = rows(Recording(Manifest(url="x"), Trace(steps=(step,))))
    (section,) = row.sections
    assert len(section.lines) == MOST_LINES + 1
    assert section.lines[-1] == "… and 7 more"


def row(name: str) -> TimelineRow:
    """`u` the user, `!` a failure, letters and digits other events."""
    kind = {"u": Kind.USER, "f": Kind.FRAME}.get(name, Kind.TIMER)
    return TimelineRow(kind=kind, what=name, time=0, bad=name == "!")


@pytest.mark.parametrize(
    ("story", "expected"),
    [
        ("", []),
        ("aaaa", []),
        ("aaaaa", [Repetition(1, 5, 1)]),
        ("uaaaaaau", [Repetition(2, 7, 1)]),
        ("ababab", [Repetition(1, 6, 2)]),
        ("abcabcabcx", [Repetition(1, 9, 3)]),
        ("abcdefgh", []),
        ("uuuuuuuu", []),
        ("!!!!!!!!", []),
        ("aaaaa!aaaaa", [Repetition(1, 5, 1), Repetition(7, 11, 1)]),
        ("aaaaaubbbbb", [Repetition(1, 5, 1), Repetition(7, 11, 1)]),
        ("xfafafafay", [Repetition(2, 9, 2)]),
    ],
)
def test_repetition(story: str, expected: list[Repetition]) -> None:
    assert list(repetitions([row(name) for name in story])) == expected


def test_repetition_is_found_fast_in_long_recordings() -> None:
    found = repetitions([row(name) for name in "ab" * 20_000])
    assert found == (Repetition(1, 40_000, 2),)


def test_what_was_owned() -> None:
    assert [str(each) for each in owned(repeating(4).trace)] == ["1 user action", "4 timers"]


@pytest.mark.parametrize(
    ("milliseconds", "words"), [(0, "0 ms"), (999, "999 ms"), (11_814, "11.8 s"), (185_000, "3 min 5 s")]
)
def test_time_in_words(milliseconds: float, words: str) -> None:
    assert time(milliseconds) == words
