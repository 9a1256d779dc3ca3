from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from jostle.browser.find import sandbox_arguments
from jostle.examples import example
from jostle.examples.scenario import Step, script
from jostle.recording.file import Recording


def test_a_step_is_told_as_jostle_tells_it() -> None:
    assert Step.of('click button "Next note"') == Step("click", "button", "Next note")
    assert Step.of('check checkbox "Secret"') == Step("check", "checkbox", "Secret")
    assert Step.of('type "a b" in textbox "Name"') == Step("fill", "textbox", "Name", "a b")


@pytest.mark.parametrize(
    "text", ["", "click", 'hover over button "Next"', 'click button "Next" twice', 'type "" in x "y"']
)
def test_what_is_no_step_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not a step"):
        Step.of(text)


@pytest.mark.browser
@pytest.mark.long
def test_the_script_does_what_the_scenario_says(url: str, tmp_path: Path) -> None:
    entry = example("wave-ajaxplorer")
    written, recorded = tmp_path / "scenario.py", tmp_path / "scenario.jostle"
    written.write_text(script(entry.scenario, url + entry.path, arguments=sandbox_arguments()), "utf-8")
    asked = [sys.executable, "-m", "jostle.cli.main", "record", url + entry.path, "--script", str(written)]
    done = subprocess.run([*asked, "-o", str(recorded)], cwd=tmp_path, capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done.stderr
    events = Recording.read(recorded).trace.events
    assert tuple(event.what for event in events if event.by_user) == entry.scenario
