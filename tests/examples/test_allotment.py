"""The Allotment: its server, that its two versions differ in their scripts only, and that its suite is handed out."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from jostle.cli.examples import examples as command
from jostle.errors import UsageProblem
from jostle.examples.allotment import site
from jostle.examples.handing import SUITE, hand_out
from tests.examples.web import Client

FOLDER = Path(site.__file__).parent
PAGES = sorted(page.stem for page in (FOLDER / "pages").glob("*.html") if page.stem != "index")


@pytest.mark.parametrize("name", PAGES)
def test_each_page_has_its_bug_in_one_place(url: str, name: str) -> None:
    client = Client(url)
    right = client.get(f"/allotment/assets/{name}.js").text
    wrong = client.get(f"/allotment-buggy/assets/{name}.js").text
    assert "// Wrong:" in wrong and "Wrong" not in right
    assert client.get(f"/allotment/{name}.html").text == client.get(f"/allotment-buggy/{name}.html").text
    changed = set(right.splitlines()) ^ set(wrong.splitlines())
    assert len(changed) <= 10


def test_every_page_is_tested() -> None:
    suite = "".join(file.read_text("utf-8") for file in SUITE.glob("test_*.py"))
    assert set(re.findall(r'goto\("(\w+)\.html"\)', suite)) == set(PAGES)


def test_orders_under_one_key_are_one_order(url: str) -> None:
    client = Client(url)
    path = "/allotment/api/orders"
    client.ask("POST", "/allotment/reset")
    for body in ({"packets": "3", "key": "a"}, {"packets": "3", "key": "a"}, {"packets": "4"}, {"packets": "4"}):
        client.ask("POST", path, json_body=body)
    assert client.get(path).json == ["3", "4", "4"]
    assert client.ask("POST", path, form={"packets": "no JSON"}).status == 200
    client.ask("POST", "/allotment/reset")
    assert client.get(path).json == []


def test_notices_of_the_two_versions_are_their_own(url: str) -> None:
    client = Client(url)
    client.ask("POST", "/allotment/api/notices", json_body={"text": "x" * 1000})
    assert [len(text) for text in client.get("/allotment/api/notices").json][-1] == 200
    assert len(client.get("/allotment-buggy/api/notices").json) == 1


def test_the_suite_is_handed_out_and_overwrites_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "suite"
    result = CliRunner().invoke(command, ["suite", "--to", str(folder)])
    assert result.exit_code == 0 and "--jostle-adverse" in result.output
    for file in folder.glob("*.py"):
        ast.parse(file.read_text("utf-8"))
    assert {file.name for file in folder.iterdir()} == {file.name for file in SUITE.iterdir() if file.is_file()}
    (folder / "test_club.py").write_text("mine")
    with pytest.raises(UsageProblem, match="already"):
        hand_out(folder)
    assert (folder / "test_club.py").read_text() == "mine"
