"""`jostle races orders` on pages that make it hard: it says what it cannot do, ends in time, raises no false alarm."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.commands import command
from tests.cli.test_races_orders import scenario, searched

pytestmark = pytest.mark.browser


@pytest.mark.long
def test_a_page_that_is_never_the_same(base: str, tmp_path: Path) -> None:
    """Orders cannot be compared when the unchanged one ends otherwise each time."""
    file = scenario(base, "never-the-same", tmp_path)
    done = command("races", "orders", f"{base}/never-the-same/", "--scenario", file, cwd=tmp_path)
    assert done.returncode == 3, done.stderr
    assert "The scenario does not go the same way twice" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.long
@pytest.mark.parametrize("name", ["endless-polling", "changing-events"])
def test_pages_that_go_on_for_ever_or_go_another_way(name: str, base: str, tmp_path: Path) -> None:
    done, document = searched(tmp_path, f"{base}/{name}/", "--scenario", scenario(base, name, tmp_path))
    assert done.returncode == 0, done.stderr
    assert document["findings"] == []
    assert document["stats"]["events"] > 0


@pytest.mark.long
def test_thousands_of_events(base: str, tmp_path: Path) -> None:
    """What could not be tried in time is told."""
    name = "many-events"
    file = scenario(base, name, tmp_path)
    done = command("races", "orders", f"{base}/{name}/", "--scenario", file, "--budget", "20s", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "tried, at least " in done.stderr


@pytest.mark.long
@pytest.mark.parametrize("name", ["huge-script", "minified-bundle"])
@pytest.mark.parametrize("twin", [False, True])
def test_large_and_minified_scripts(name: str, twin: bool, base: str, tmp_path: Path) -> None:
    name = f"{name}-fixed" if twin else name
    done, document = searched(tmp_path, f"{base}/{name}/", "--scenario", scenario(base, name, tmp_path))
    assert done.returncode == (0 if twin else 1), done.stderr
    assert bool(document["findings"]) is not twin
