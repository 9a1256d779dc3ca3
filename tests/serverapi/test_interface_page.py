"""The page that shows an interface."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from jostle.cli.main import run
from jostle.findings.contract import Contract, OutsideContract
from jostle.recording.file import Manifest, Recording
from jostle.serverapi.files import read_api
from jostle.serverapi.report.page import page, sections
from jostle.serverapi.report.rows import MOST_ROWS, SchemaRow, rows
from tests.serverapi.mock.test_answering import COMMENTS, recorded
from tests.serverapi.test_contract import EXCEPTION
from tests.serverapi.test_server import described

MARKUP = "<img src=x onerror=alert(1)>"


def test_operations(tmp_path: Path) -> None:
    told = {f"{each.method} {'/'.join(part for part, _ in each.path)}": each for each in
            sections(read_api(described(tmp_path)))}  # fmt: skip
    comments = told["POST posts/{post_id}/comments"]
    assert comments.requests > 0
    assert [(each.name, each.place, each.required) for each in comments.parameters] == [("post_id", "path", "required")]
    assert [row.name for row in comments.body] == ["", "text"]
    (response,) = [each for each in comments.responses if each.status == "201"]
    assert not response.failure
    assert '"text"' in response.example
    search = told["GET search"]
    assert [(each.name, each.place) for each in search.parameters] == [("q", "query")]
    assert search.parameters[0].examples


def test_what_the_user_did(tmp_path: Path) -> None:
    exchanges = [msgspec.structs.replace(each, asked_by='click button "Go"') for each in COMMENTS.exchanges]
    asked = Recording(Manifest(url=""), exchanges=exchanges, bodies=COMMENTS.bodies)
    told = sections(read_api(described(tmp_path)), [asked])
    assert all(dict(each.uses).keys() == {'click button "Go"'} for each in told)
    once = sections(read_api(described(tmp_path)))
    assert [each.requests for each in told] == [2 * each.requests for each in once]


def test_what_left_the_contract(tmp_path: Path) -> None:
    files = read_api(described(tmp_path))
    outside = OutsideContract(request="GET /search?q=x", operation="GET search(q:*)", status=500, what="broken")
    broken = msgspec.structs.replace(
        EXCEPTION, contract=Contract(description="api.ail", requests=1, outside=(outside,))
    )
    (left,) = [each for each in sections(files, findings=[broken]) if each.outside]
    assert left.findings == ("it breaks",)
    text = page(files, findings=[broken])
    assert "responses of 1 operation left the contract" in text


def test_hostile_texts_stay_texts(tmp_path: Path) -> None:
    traffic = recorded(
        (f"GET a?q={MARKUP}", None, {MARKUP: MARKUP, "more": [{"<script>": "</bdi></pre>"}]}),
        (f"GET a?q=2{MARKUP}", None, {MARKUP: MARKUP, "more": []}),
    )
    text = page(read_api(described(tmp_path, traffic)))
    assert "<img" not in text
    assert "<script" not in text
    assert "&lt;img" in text


def test_rows_of_schemas() -> None:
    schema = {
        "type": "object",
        "properties": {
            "id": {"type": "integer", "examples": [1, 2, 3, 4, 5, 6]},
            "tags": {"type": "array", "items": {"type": "string", "enum": ["a", "b"]}},
            "parts": {"type": "array", "items": {"type": "object", "properties": {"at": {"type": "string"}}}},
            "either": {"anyOf": [{"type": "null"}, {"type": "object", "properties": {"x": True}}]},
        },
        "required": ["id"],
    }
    assert [(row.depth, row.name, row.type, row.required) for row in rows(schema)] == [
        (0, "", "object", True),
        (1, "id", "integer", True),
        (1, "tags", 'list of "a" | "b"', False),
        (1, "parts", "list of objects", False),
        (2, "[]", "object", True),
        (3, "at", "string", False),
        (1, "either", "null or object", False),
        (2, "x", "anything", False),
    ]
    assert rows(schema)[1].examples == ("1", "2", "3", "4")
    assert rows(True) == (SchemaRow(depth=0, name="", type="anything"),)


def test_large_schemas_are_cut() -> None:
    wide = {"type": "object", "properties": {f"k{number}": {"type": "null"} for number in range(500)}}
    assert len(rows(wide)) == MOST_ROWS


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = described(tmp_path)
    assert run(["api", "show", str(file), "--html", str(tmp_path / "page.html")]) == 0
    assert "Written:" in capsys.readouterr().out
    assert (tmp_path / "page.html").read_text() == page(read_api(file))
