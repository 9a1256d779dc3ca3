"""Pages that change what JavaScript and the document can do: they are tested all the same."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.browser.live import site_served
from tests.cli.commands import command
from tests.hostile.pages import SABOTAGE

pytestmark = pytest.mark.browser
QUICK = ("a picture named querySelectorAll", "replaced methods of arrays", "replaced globals")


@pytest.mark.parametrize(
    "name", [name if name in QUICK else pytest.param(name, marks=pytest.mark.hostile) for name in SABOTAGE]
)
def test_a_sabotaged_page_is_tested(name: str, tmp_path: Path) -> None:
    with site_served() as site:
        done = command("explore", site.serve(SABOTAGE[name]), "--events", "20", "--json", "it.json", cwd=tmp_path)
    document = json.loads((tmp_path / "it.json").read_text())
    assert done.returncode == 1, done.stderr
    assert any("broken_by_design" in each["title"] for each in document["findings"]), done.stderr
    assert document["stats"]["events"] == 20
