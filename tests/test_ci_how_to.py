"""What the how-to for continuous integration tells people to type is what the command takes."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import click
import pytest

from jostle.cli.main import COMMANDS
from jostle.findings.baseline import Baseline
from jostle.findings.gating import FailOn

DOCS = Path(__file__).parents[1] / "docs"
PAGES = [DOCS / "how-to" / "ci.md", DOCS / "how-to" / "ci" / "jostle.yml"]


@pytest.mark.skipif("check" not in COMMANDS, reason="the command is not there yet")
@pytest.mark.parametrize("document", PAGES, ids=lambda document: document.name)
def test_every_option_exists(document: Path) -> None:
    command: click.Command = import_module("jostle.cli.check").check
    known = {name for parameter in command.params for name in parameter.opts}
    named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", document.read_text())) - {"--install"}
    assert named, "no option is named"
    assert named <= known


def test_every_word_for_fail_on_exists() -> None:
    words = [word for page in PAGES for word in re.findall(r"--fail-on ([a-z][\w-]*)", page.read_text())]
    assert len(words) > 4
    for word in words:
        FailOn.parse([word])


def test_the_baseline_in_the_reference_can_be_read(tmp_path: Path) -> None:
    shown = re.search(
        r"^    \{\n(?:    .*\n)+?    \}\n", (DOCS / "reference" / "baseline.md").read_text(), re.MULTILINE
    )
    assert shown is not None
    (tmp_path / "known.json").write_text(shown[0])
    read = Baseline.read(tmp_path / "known.json")
    assert [each.comment for each in read.findings] == ["ticket 4711"]
    read.write(tmp_path / "again.json")
    assert (tmp_path / "again.json").read_text() == re.sub("^    ", "", shown[0], flags=re.MULTILINE)
