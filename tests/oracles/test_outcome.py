"""How the ends of two runs differ, apart from noise."""

from __future__ import annotations

import io
import time

import msgspec
import pytest
from PIL import Image

from jostle.events import Box, Dialog, Effect, Kind, PageError, Request, Step, event_of
from jostle.findings import Severity
from jostle.findings.evidence import DifferenceKind
from jostle.oracles.outcome import Noise, Outcome, differences, noise_between, outcome, severity
from jostle.oracles.picture import differing, same_picture


def page(*body: str, url: str = "http://app.test/", text: str = "", **more: object) -> Outcome:
    lines = [f"tab 1 {url}", " title Page", " <html>", "  <body>", *(f"   {line}" for line in body)]
    return Outcome(snapshot="\n".join(lines), text=text, **more)  # type: ignore[arg-type]


def kinds(good: Outcome, bad: Outcome, noise: Noise | None = None) -> list[str]:
    return [each.what.value for each in differences(good, bad, noise)]


def picture(*boxes: tuple[int, int, int, int], size: tuple[int, int] = (200, 100)) -> bytes:
    image = Image.new("RGB", size, "white")
    for box in boxes:
        image.paste("black", box)
    file = io.BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


@pytest.mark.parametrize(
    ("good", "bad", "what"),
    [
        (page(text="gold"), page(text="go"), "text"),
        (page('<input id="a" .value="2">'), page('<input id="a" .value="1">'), "form"),
        (page('<input id="a" .checked>'), page('<input id="a">'), "form"),
        (page(url="http://app.test/a"), page(url="http://app.test/b"), "url"),
        (page(sent=("POST /o",)), page(sent=("POST /o", "POST /o")), "request"),
        (page(sent=("POST /o",)), page(), "request"),
        (page(), page(errors=("TypeError",)), "error"),
    ],
)
def test_kinds(good: Outcome, bad: Outcome, what: str) -> None:
    assert kinds(good, bad) == [what]
    assert not differences(good, good)


@pytest.mark.parametrize(
    ("field", "where"),
    [
        ('<input id="a" class="b"', "input#a"),
        ('<textarea class="note wide"', "textarea.note in form#order"),
        ("<select", "select in form#order"),
    ],
)
def test_a_field_is_named(field: str, where: str) -> None:
    good, bad = (page('<form id="order">', " <p>", f'  {field} .value="{value}">') for value in "12")
    assert [each.where for each in differences(good, bad)] == [where]


def test_storage() -> None:
    good, bad = (Outcome(snapshot=f"tab 1 x\n localStorage draft = {value}") for value in ("new", "old"))
    assert kinds(good, bad) == ["storage"]


@pytest.mark.parametrize("words", ["tab 1 of 3", "localStorage draft = x"])
def test_a_text_that_looks_like_our_own_lines(words: str) -> None:
    good, bad = (
        Outcome(snapshot=f"tab 1 x\n <html>\n  <body>\n   <p>\n    {text}\n    <b>") for text in (words, words + "!")
    )
    assert kinds(good, bad) == []


def test_long_texts_are_compared_in_no_time() -> None:
    rows = "\n".join(["Edit", "Remove"] * 20_000)
    began = time.process_time()
    assert not differences(page(text=rows), page(text=rows))
    [found] = differences(page(text=f"gold\n{rows}\nend"), page(text=f"lead\n{rows}\nnone"))
    assert (found.good, found.bad) == ("gold", "lead")
    [found] = differences(page(text=f"{rows}\ngold\n{rows}"), page(text=f"{rows}\nlead\n{rows}"))
    assert (found.good, found.bad) == ("gold", "lead")
    assert time.process_time() - began < 5


def test_an_error_less_is_no_harm() -> None:
    assert not differences(page(errors=("TypeError",)), page())


def test_what_nobody_can_see_does_not_count() -> None:
    good, bad = page('<p data-x="1">'), page('<p data-x="2">')
    assert not differences(good, bad)
    seen, other = picture((10, 10, 30, 30)), picture()
    good, bad = Outcome(snapshot=good.snapshot, picture=seen), Outcome(snapshot=bad.snapshot, picture=other)
    assert kinds(good, bad) == ["screen"]


def test_the_same_rows_in_other_elements() -> None:
    """A grid that recycles its rows: the document has them in another order, the user does not."""
    rows = ('<input .value="1">', '<input .value="2">')
    good = page(*rows, text="Ada\nBo", picture=picture((10, 10, 30, 30)))
    bad = page(*reversed(rows), text="Bo\nAda", picture=picture((10, 10, 30, 30)))
    assert not differences(good, bad)
    moved = msgspec.structs.replace(bad, picture=picture((10, 60, 30, 80)))
    assert "text" in kinds(good, moved), "the user sees them in another order"
    assert "text" in kinds(good, msgspec.structs.replace(bad, text="Bo\nBo")), "another row is there"
    assert kinds(good, page(rows[1], rows[1], text="Bo\nAda", picture=bad.picture)), "another value is entered"
    assert kinds(good, msgspec.structs.replace(bad, picture=b"")), "nobody has looked"
    assert kinds(good, msgspec.structs.replace(bad, errors=("TypeError",))).count("error") == 1


def test_a_picture_alone_decides_nothing() -> None:
    """A caret that blinks, an animation: where the document is the same, nothing is wrong."""
    good, bad = (Outcome(snapshot="same", picture=shot) for shot in (picture((10, 10, 30, 30)), picture()))
    assert not differences(good, bad)


def test_noise_is_left_out_and_told() -> None:
    one = page("<p>12:01", text="12:01\nhits", errors=("flaky",), sent=("POST /beacon 1",))
    other = page("<p>12:02", text="12:02\nhits", sent=("POST /beacon 2",))
    noise = noise_between(one, other)
    assert not differences(one, other, noise)
    assert "12:01" in list(noise) and "flaky" in list(noise) and "POST /beacon 2" in list(noise)
    bad = page("<p>12:02", text="12:02\nnothing", sent=("POST /beacon 2",))
    assert kinds(one, bad, noise) == ["text"]


def test_the_worst_come_first_and_decide() -> None:
    bad = page('<input id="a" .value="1">', text="old", errors=("TypeError",), sent=("POST /o",))
    found = differences(page('<input id="a" .value="2">', text="new"), bad)
    assert [each.what for each in found] == [
        DifferenceKind.REQUEST,
        DifferenceKind.FORM,
        DifferenceKind.TEXT,
        DifferenceKind.ERROR,
    ]
    assert severity(found) is Severity.HIGH
    assert severity(found[2:]) is Severity.MEDIUM
    assert severity(found[3:]) is Severity.LOW


def test_in_words() -> None:
    [missing] = differences(page(sent=("POST /o",)), page())
    assert str(missing) == "request: POST /o is missing"
    [changed] = differences(page(text="new"), page(text="old"))
    assert str(changed) == "text: old, not new"


def test_a_text_without_end_is_cut() -> None:
    [found] = differences(page(text="a"), page(text="b" * 5_000_000))
    assert len(found.bad) < 1000


def test_what_a_run_ended_in() -> None:
    part = {
        "tab": 0, "frame": "", "url": "http://app.test/", "title": "Page", "dom": "<html><p>x</p></html>",
        "storage": {"local": [["draft", "x"]], "session": []}, "cookies": [], "focus": "#a", "scroll": [0, 40],
    }  # fmt: skip
    effect = Effect(
        errors=(PageError("exception", "TypeError"), PageError("console", "noted")),
        requests=(Request("GET", "http://app.test/a"), Request("POST", "http://app.test/b", "x=1")),
    )
    ended = outcome([part], [Step(event=event_of(kind=Kind.USER, what="click"), effect=effect)], text=" a \n\n b ")
    assert ended.errors == ("TypeError",)
    assert ended.sent == ("POST http://app.test/b x=1",)
    assert ended.text == "a\nb"
    assert "localStorage draft = x" in ended.snapshot
    assert "focus" not in ended.snapshot and "scroll" not in ended.snapshot, "where the user is, is not what is shown"


def test_where_pictures_differ() -> None:
    one, other = picture(), picture((10, 10, 30, 30), (150, 60, 155, 65))
    assert not same_picture(one, other)
    assert differing(one, other) == [Box(0, 0, 32, 32), Box(144, 48, 16, 32)]
    assert differing(one, one) == []
    assert same_picture(one, b""), "no picture says nothing"
    assert differing(one, picture(size=(200, 300))) == [], "room alone is no difference"
    assert differing(one, picture((100, 200, 110, 210), size=(200, 300))) == [Box(96, 192, 16, 32)]


def test_a_shade_is_no_difference() -> None:
    one, other = (Image.new("RGB", (20, 20), shade) for shade in ((200, 200, 200), (205, 203, 200)))
    files = []
    for image in (one, other):
        file = io.BytesIO()
        image.save(file, "PNG")
        files.append(file.getvalue())
    assert same_picture(*files)


def test_dialogs_are_compared() -> None:
    dialog = Dialog(kind="alert", message="Saved", answer="accept")
    step = Step(event=event_of(kind=Kind.USER, what="click Save"), effect=Effect(dialogs=(dialog,)))
    once, twice = outcome([], [step]), outcome([], [step, step])
    assert [str(each) for each in differences(once, twice)] == ["dialog: alert: Saved is new"]
    assert severity(differences(once, twice)) is Severity.MEDIUM
    assert not differences(once, twice, noise_between(once, twice))


def test_of_long_texts_the_part_that_differs_is_told() -> None:
    long = "x" * 5000
    [found] = differences(Outcome(snapshot="", text=f"{long}old"), Outcome(snapshot="", text=f"{long}new"))
    assert found.good.endswith("xold") and found.bad.endswith("xnew")
    assert found.good.startswith("…") and len(found.good) < 400


def test_characters_that_nobody_sees_are_no_difference() -> None:
    good, bad = outcome([], [], text="No rows\u200b\n"), outcome([], [], text="No rows")
    assert differences(good, bad) == []
    assert differences(outcome([], [], text="\u2060\ufeff"), outcome([], [], text="")) == []
    assert differences(outcome([], [], text="No row\u00ads"), outcome([], [], text="No row")) != []
