"""Animated pictures of runs."""

from __future__ import annotations

import io
import random

import pytest
from PIL import Image, ImageDraw

from jostle.events import Change, Effect, Kind, PageError, Step, Trace, event_of
from jostle.report import film as module
from jostle.report.film import FORMATS, LAST, STEP, Format, Shot, beside, film
from jostle.report.words import happens, worth_watching


def screen(colour: str, size: tuple[int, int] = (400, 300)) -> Shot:
    image = Image.new("RGB", size, "white")
    ImageDraw.Draw(image).rectangle((40, 40, 120, 90), fill=colour)
    return _shot(image)


def _shot(image: Image.Image) -> Shot:
    file = io.BytesIO()
    image.save(file, "PNG")
    return Shot(file.getvalue())


@pytest.mark.parametrize("kind", sorted(set(FORMATS.values())))
def test_one_run(kind: Format) -> None:
    made = film([screen("red"), Shot(b""), screen("blue")], kind)
    with Image.open(io.BytesIO(made)) as picture:
        assert picture.format == kind.upper()
        assert picture.size == (400, 300)
        durations = []
        for n in range(picture.n_frames):  # type: ignore[attr-defined]
            picture.seek(n)
            picture.load()
            durations.append(int(picture.info["duration"]))
        assert sum(durations) == 2 * STEP + LAST, "equal screens may be one"
        assert picture.convert("RGB").getpixel((80, 60))[2] > 200  # type: ignore[index]


def test_the_shorter_run_waits_and_the_difference_is_marked() -> None:
    good, bad = [screen("red"), screen("green"), screen("blue")], [screen("red"), screen("black")]
    with Image.open(io.BytesIO(beside(good, bad, "png"))) as picture:
        assert picture.n_frames == 3  # type: ignore[attr-defined]
        assert picture.size == (808, 334)
        left, right = (80, 94), (488, 94)
        seen = []
        for n in range(3):
            picture.seek(n)
            seen.append([picture.convert("RGB").getpixel(each) for each in (left, right)])
        assert seen == [[(255, 0, 0)] * 2, [(0, 128, 0), (255, 0, 0)], [(0, 0, 255), (0, 0, 0)]]
        frame = picture.convert("RGB")
        marks = [x for x in range(808) if frame.getpixel((x, 100)) == (224, 33, 31)]
        assert marks and min(marks) > 408, "on the bad one only"


def test_it_stays_small(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(1)
    noisy = [_shot(Image.frombytes("RGB", (250, 250), chance.randbytes(187_500))) for _ in range(8)]
    monkeypatch.setattr(module, "LARGEST", 300_000)
    monkeypatch.setattr(module, "MOST_SHOTS", 6)
    made = film(noisy, "png")
    with Image.open(io.BytesIO(made)) as picture:
        assert picture.n_frames == 6  # type: ignore[attr-defined]
        assert picture.width < 240


def test_nothing_was_painted() -> None:
    with pytest.raises(ValueError, match="nothing to show"):
        film([Shot(b"")], "gif")


def step(kind: Kind, what: str, **effect: object) -> Step:
    return Step(event=event_of(kind=kind, what=what), effect=Effect(**effect))  # type: ignore[arg-type]


def test_what_is_worth_watching() -> None:
    changed = {"changes": (Change("text", "p"),)}
    steps = (
        step(Kind.NETWORK, "GET /", **changed),
        step(Kind.NETWORK, "GET /app.js"),
        step(Kind.USER, "click a"),
        step(Kind.FRAME, "frames", **changed),
        step(Kind.NETWORK, "GET /rows", **changed),
        step(Kind.TIMER, "timeout 300", errors=(PageError("exception", "no"),)),
        step(Kind.USER, "click b"),
    )
    assert worth_watching(Trace(steps=steps), 80) == {3, 5, 6, 7}
    assert worth_watching(Trace(steps=steps), 3) == {3, 6, 7}, "what goes wrong before what only changes"
    assert [happens(each.event) for each in steps[:3]] == [
        "The answer to GET / comes", "The answer to GET /app.js comes", "Click a"
    ]  # fmt: skip
