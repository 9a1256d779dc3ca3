"""Progress as plain lines."""

from __future__ import annotations

import io

from jostle.consumers.terminal import Terminal
from jostle.progress import FindingCounts, Finished, LimitMet, Note, Progress, Started, Stepped, together
from jostle.text import in_words, printable


def lines(*events: Progress, every: float = 0.0) -> list[str]:
    stream = io.StringIO()
    with Terminal(stream, every=every) as terminal:
        for event in events:
            terminal(event)
    return stream.getvalue().splitlines()


def test_plain_lines() -> None:
    shown = lines(
        Started(what="walking", total=2),
        Stepped(done=1, what="click A"),
        Note(text="a note"),
        LimitMet(text="a worker"),
        Stepped(done=2),
        Finished(summary="2 steps"),
    )
    assert shown[:5] == [
        "walking ...",
        "walking: 1 of 2 click A",
        "a note",
        "Not controlled: a worker",
        "walking: 2 of 2",
    ]
    assert shown[5].startswith("2 steps (in ")


def test_several_at_once() -> None:
    shown = lines(
        Started(what="walking", total=2, by="a"),
        Started(what="running", by="b"),
        Stepped(done=1, what="click A", by="a"),
        FindingCounts(severities=(("high", 1), ("medium", 0), ("low", 2))),
        Stepped(done=7, by="b"),
        Finished(summary="2 steps", by="a"),
        Stepped(done=8, by="b"),
    )
    assert shown[2:4] == ["walking: 1 of 2 click A", "running: 7 (found so far: 1 high, 2 low)"]
    assert shown[4].startswith("2 steps (in ") and shown[5].startswith("running: 8")


def test_what_has_become_more() -> None:
    shown = lines(Started(what="trying", total=2), Stepped(done=1), Stepped(done=2, total=5), Stepped(done=3))
    assert shown[1:] == ["trying: 1 of 2", "trying: 2 of 5", "trying: 3 of 5"]


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_live_lines() -> None:
    screen = Screen()
    with Terminal(screen) as terminal:
        terminal(Started(what="[bold]walking", total=2, by="a"))
        terminal(Started(what="running", by="b"))
        terminal(FindingCounts(severities=(("high", 1),)))
        terminal(Stepped(done=1, what="click A", by="a"))
        terminal(Note(text="a note"))
        terminal(Finished(summary="2 steps", by="a"))
        terminal(Finished(summary="ran", by="b"))
    shown = screen.getvalue()
    assert "[bold]walking" in shown and "found so far: 1 high" in shown
    assert "a note" in shown and "2 steps (in " in shown and "ran (in " in shown


def test_steps_are_not_told_too_often() -> None:
    steps = [Stepped(done=number) for number in range(1000)]
    assert lines(Started(what="walking"), *steps, every=60) == ["walking ..."]


def test_interruption_is_told() -> None:
    assert "interrupted after" in lines(Started(what="walking"), Finished(summary="1 step", interrupted=True))[-1]


def test_a_page_cannot_steer_the_terminal() -> None:
    (shown,) = lines(Note(text="\x1b]0;owned\x07 \u202egnp.exe \x9b31m\rfine"))
    assert not {"\x1b", "\x07", "\u202e", "\x9b", "\r"} & set(shown)
    assert "fine" in shown
    assert printable("Grüße 你好 🎉\n\t") == "Grüße 你好 🎉\n\t"


def test_together() -> None:
    first: list[Progress] = []
    second: list[Progress] = []
    together([first.append, second.append])(Note(text="x"))
    assert first == second == [Note(text="x")]


def test_times_in_words() -> None:
    assert [in_words(t) for t in (0.31, 9.94, 12.4, 59.6, 185)] == ["0.3 s", "9.9 s", "12 s", "1 min 0 s", "3 min 5 s"]
