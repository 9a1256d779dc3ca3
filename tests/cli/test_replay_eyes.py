"""`jostle replay` for people who watch: captions that the page does not see, slow motion, animated pictures."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image

from jostle.browser.chromium_app import ChromiumApp
from jostle.cli.main import run as jostle
from jostle.consumers.eyes import Eyes
from jostle.events import Step
from jostle.recording.answers import RecordedAnswers
from jostle.recording.file import Manifest, Recording
from jostle.recording.opening import app_of
from jostle.recording.recorder import Recorder
from jostle.recording.replay import replay
from jostle.runs import RunDirectory
from tests.browser.live import Browser, Site, browser_launched, site_served
from tests.report.race_findings import search as race

PAGE = """<!doctype html><title>Shop</title><link rel=icon href=data:,><style>html::after { content: "mine" }</style>
<button id=buy>Buy</button><p id=said>nothing</p><script>
  window.heard = [];
  new MutationObserver(all => heard.push(...all.map(each => each.type))).observe(document, { subtree: true, childList: true, attributes: true });
  buy.onclick = async () => { said.textContent = await (await fetch("/said.txt")).text(); };
</script>"""  # noqa: E501


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with browser_launched() as launched:
        yield launched


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with site_served() as served:
        served.serve({"/": PAGE, "/said.txt": "sold"})
        yield served


def recorded(browser: Browser, site: Site) -> Recording:
    """Somebody clicks, and the answer comes."""

    async def work() -> Recording:
        manifest = Manifest(url=f"{site.url}/", viewport=(640, 400))
        recorder = Recorder(manifest)
        app = opened(browser, manifest, recorder=recorder)
        try:
            await app.reset()
            recorder.begin(tuple(await app.waiting()))
            for _ in range(6):
                waiting = [each for each in await app.waiting() if not each.detail.due]
                users = [each for each in await app.enabled() if each.what == 'click button "Buy"']
                done = any(step.event.by_user for step in recorder.recording().trace.steps)
                if not waiting and (done or not users):
                    break
                event = waiting[0] if waiting else users[0]
                at = app.now
                step = Step(event=event, effect=await app.step(event), at=at)
                await recorder.stepped(app, step, whole=True)
            return recorder.recording()
        finally:
            await app.close()

    return browser.run(work())


def opened(
    browser: Browser, manifest: Manifest, *, recorder: Recorder | None = None, answers: RecordedAnswers | None = None
) -> ChromiumApp:
    return app_of(manifest, browser.chromium, recorder=recorder, responder=answers)


@pytest.mark.long
def test_the_page_sees_nothing_of_captions(browser: Browser, site: Site) -> None:
    recording = recorded(browser, site)
    users = [step for step in recording.trace.steps if step.event.by_user]
    assert len(users) == 1 and len(recording.trace.steps) >= 3

    async def watched() -> tuple[str, list[object], list[bytes], str]:
        answers = RecordedAnswers(recording)
        app = opened(browser, recording.manifest, answers=answers)
        words: list[str] = []
        try:
            eyes = Eyes(app, recording.trace, pause=0.01, filming=True)
            before = eyes.before

            async def looking(number: int, step: Step) -> None:
                await before(number, step)
                if step.event.by_user:
                    words.append(await app.evaluate("getComputedStyle(document.documentElement, '::after').content"))

            eyes.before = looking  # type: ignore[method-assign]
            replayed = await replay(app, recording, answers, listener=lambda progress: None, watching=eyes)
            seen = await app.evaluate("[heard, document.styleSheets.length, document.adoptedStyleSheets.length]")
            return replayed.verdict, seen, [shot.picture for shot in eyes.shots], words[0]
        finally:
            await app.close()

    verdict, (heard, sheets, adopted), pictures, words = browser.run(watched())
    assert verdict == "reproduced"
    assert heard == ["childList"], "the answer and nothing else"
    assert (sheets, adopted) == (1, 0), "its own"
    assert words.startswith('"1 of 2: Click button') and "Buy" in words
    screens = [Image.open(io.BytesIO(each)).convert("RGB") for each in pictures]
    assert len(screens) == 3
    assert (23, 26, 36) in colours(screens[0]), "there is a caption"
    assert (224, 72, 0) in colours(screens[0]), "and a mark around the button"
    assert (23, 26, 36) not in colours(screens[-1]), "it ends with the page as it is"


def colours(picture: Image.Image) -> set[tuple[int, ...]]:
    """Those of large areas, as they are on white or not."""
    found = picture.getcolors(2**24) or []
    near = {(23, 26, 36), (224, 72, 0)}
    return {each for each in near for number, rgb in found if number > 60 and _alike(each, rgb)}


def _alike(one: tuple[int, ...], other: object) -> bool:
    return isinstance(other, tuple) and all(abs(a - b) < 26 for a, b in zip(one, other, strict=True))


def test_a_finding_side_by_side(
    browser: Browser, site: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As a user asks for it, with a run that has the two recordings."""
    recording = recorded(browser, site)
    found = race()
    with RunDirectory.create(tmp_path / "runs", "races ajax", url=site.url) as run:
        run.add_finding(found)
        for name in (*found.evidence.files[:1], found.replay):
            recording.write(run.path / str(name))
    out = tmp_path / "both.webp"
    arguments = ["replay", "--finding", found.id[:9], "--video", str(out), "--slow-mo", "10ms", "--out"]
    assert jostle([*arguments, str(tmp_path / "runs")]) == 0, capsys.readouterr()
    assert capsys.readouterr().out.count(": reproduced\n") == 2
    with Image.open(out) as picture:
        assert (picture.format, picture.n_frames, picture.size) == ("WEBP", 3, (640 * 2 + 8, 400 + 34))  # type: ignore[attr-defined]
