from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings

from jostle.cli.main import run
from jostle.events import Kind, Trace
from jostle.recording.divergence import Divergence
from jostle.recording.file import Recording
from jostle.report.timeline import timeline
from tests.recording.recordings import any_recording, search_page
from tests.report.recordings import HARMLESS, HOSTILE, hostile, repeating


class Replayed(msgspec.Struct):
    divergence: Divergence | None = None


DIVERGED = Replayed(Divergence(step=3, aspect="document", expected=HOSTILE, got="two", reason="chance", details=("d",)))


class Page(HTMLParser):
    """The document as a browser's parser sees it: its elements, its texts and what its scripts hold."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.scripts: list[str] = []
        self.feed(source)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        (self.scripts if self.cdata_elem == "script" else self.texts).append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.texts).split())

    @property
    def data(self) -> dict[str, object]:
        data = json.loads(self.scripts[0])
        assert isinstance(data, dict)
        return data


def test_what_was_recorded_is_told() -> None:
    page = Page(timeline(search_page()))
    for part in ("http://shop.test/", "2 January 2024", "Chromium 156", "Seed 7", "3 steps, 3 requests"):
        assert part in page.text
    for part in ("1 user action", "1 answer held", "250 ms of virtual time", "1 error on the page"):
        assert part in page.text
    assert "Reproduced" not in page.text


def test_real_time_is_told_where_it_is_known() -> None:
    recording = search_page()
    recording.manifest = msgspec.structs.replace(recording.manifest, options={"seconds": 4.2})
    assert "250 ms of virtual time in 4.2 s of real time" in Page(timeline(recording)).text


def test_verdicts_of_replays() -> None:
    assert "Reproduced 50 of 50" in Page(timeline(search_page(), [Replayed()] * 50)).text
    page = Page(timeline(search_page(), [Replayed(), DIVERGED]))
    assert "Reproduced 1 of 2" in page.text
    assert "Replay 2 diverged at step 3 because chance" in page.text
    assert ("a", {"href": "#step-3"}) in page.elements


def test_limits_are_listed() -> None:
    recording = search_page()
    recording.manifest = msgspec.structs.replace(recording.manifest, limits=("a worker ran free",))
    assert "Not controlled in this run a worker ran free" in Page(timeline(recording)).text


def test_screens_are_in_the_file() -> None:
    recording = search_page()
    recording.screens = {"start": b"one", "end": b"two", "other": b"three"}
    pictures = [at for tag, at in Page(timeline(recording)).elements if tag == "img" and "src" in at]
    assert [each["src"] for each in pictures] == ["data:image/png;base64,b25l", "data:image/png;base64,dHdv"]


def test_the_table_tells_the_same_without_scripts() -> None:
    page = Page(timeline(search_page()))
    assert "3 250 ms network GET /api/search?q=milk step 2 exception: x is not defined, 1 storage write" in page.text
    assert sum(tag == "tr" for tag, _ in page.elements) == 4
    assert ("a", {"href": "#row-2"}) in page.elements


def test_repetition_is_handed_to_the_script() -> None:
    assert Page(timeline(repeating(100))).data["runs"] == [[2, 100, 1]]


def test_nothing_is_loaded_and_nothing_else_may_run() -> None:
    source = timeline(search_page())
    page = Page(source)
    policy = next(at["content"] for tag, at in page.elements if at.get("http-equiv") == "Content-Security-Policy")
    assert policy is not None
    assert policy.startswith("default-src 'none'; img-src data:; ")
    assert "unsafe" not in policy
    addresses = [at[name] for _, at in page.elements for name in ("src", "href") if at.get(name)]
    assert all(str(each).startswith(("data:", "#")) for each in addresses)


def test_texts_of_the_page_stay_texts() -> None:
    tame, wild = Page(timeline(repeating(1))), Page(timeline(hostile(), [DIVERGED]))
    assert len(wild.scripts) == len(tame.scripts) == 2
    assert wild.scripts[1] == tame.scripts[1]
    assert not [name for _, at in wild.elements for name in at if name.startswith("on")]
    tags = [tag for tag, _ in wild.elements]
    assert (tags.count("script"), tags.count("img")) == (2, 3), (
        "our scripts; two screens and the one to enlarge them in"
    )
    assert json.dumps(wild.data).count("7*7") > 20
    shown = " ".join(HARMLESS.split())
    assert wild.text.count(shown) > 10
    assert HARMLESS in json.dumps(wild.data, ensure_ascii=False).replace('\\"', '"')
    for unsafe in ("<", ">", "\u2028", "\u202e"):
        assert unsafe not in wild.scripts[0]


def test_an_empty_recording() -> None:
    recording = search_page()
    recording.trace = Trace()
    assert "Nothing happened in this run." in Page(timeline(recording)).text


@settings(max_examples=60, deadline=None)
@given(any_recording())
def test_every_recording_has_a_timeline(recording: Recording) -> None:
    page = Page(timeline(recording).encode().decode())
    assert len(page.scripts) == 2
    steps = page.data["steps"]
    assert isinstance(steps, list)
    assert len(steps) == len(recording.trace.steps)


# Colours -----------------------------------------------------------------------------------------------------------


def luminance(colour: str) -> float:
    digits = colour[1:] if len(colour) == 7 else "".join(2 * digit for digit in colour[1:])
    parts = [int(digits[n : n + 2], 16) / 255 for n in (0, 2, 4)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_every_text_can_be_read(scheme: int) -> None:
    style = Path(timeline.__globals__["__file__"]).with_name("templates") / "timeline.css"
    block = re.findall(r":root \{(.*?)\}", style.read_text(), re.DOTALL)[scheme]
    colours = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{3,6});", block))
    texts = ["text", "soft", "accent", "bad", "clock", *(kind.value for kind in Kind)]
    pairs = [(text, ground) for text in texts for ground in ("sheet", "ground", "choose", "sunk")]
    pairs += [("good", "good-ground"), ("bad", "bad-ground"), ("warn", "warn-ground"), ("text", "warn-ground")]
    poor = {pair: round(contrast(*(colours[name] for name in pair)), 2) for pair in pairs}
    assert not {pair: ratio for pair, ratio in poor.items() if ratio < 4.5}


# The command -------------------------------------------------------------------------------------------------------


def test_show_writes_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saved, page = tmp_path / "walk.jostle", tmp_path / "timeline.html"
    search_page().write(saved)
    assert run(["show", str(saved), "--html", str(page)]) == 0
    assert page.read_text() == timeline(Recording.read(saved))
    assert capsys.readouterr().out == f"Written: {page}\n"
    assert sorted(each.name for each in tmp_path.iterdir()) == ["timeline.html", "walk.jostle"]


def test_a_page_that_cannot_be_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saved = tmp_path / "walk.jostle"
    search_page().write(saved)
    assert run(["show", str(saved), "--html", str(tmp_path / "missing" / "t.html")]) == 3
    assert "cannot be written: No such file or directory" in capsys.readouterr().err
    assert run(["show", str(saved), "--html", str(tmp_path)]) == 3


def test_html_is_of_the_whole_recording(tmp_path: Path) -> None:
    saved = tmp_path / "walk.jostle"
    search_page().write(saved)
    assert run(["show", str(saved), "--html", str(tmp_path / "t.html"), "--json"]) == 2
    assert not (tmp_path / "t.html").exists()
