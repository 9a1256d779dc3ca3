"""`jostle api`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from openapi_spec_validator import OpenAPIV31SpecValidator

from jostle.cli.main import run
from jostle.examples.server import running
from jostle.recording.file import Recording
from tests.serverapi.test_har import entry, har
from tests.serverapi.traffic_maker import visit_larder

LARDER = """\
GET larder/api/profile() :
    @api.schemas/get-larder-api-profile.json
  | 401 @api.schemas/get-larder-api-profile.401.json

PUT larder/api/profile(body:@api.schemas/put-larder-api-profile.body.json) :
    @api.schemas/put-larder-api-profile.json
  | 422 @api.schemas/put-larder-api-profile.422.json

GET larder/api/recipes(page:?int) : @api.schemas/get-larder-api-recipes.json
GET larder/api/recipes/recipe_id:int/comments() : @api.schemas/get-larder-api-recipes-comments.json

POST larder/api/recipes/recipe_id:int/comments(body:@api.schemas/post-larder-api-recipes-comments.body.json) :
    201 @api.schemas/post-larder-api-recipes-comments.json
  | 422 @api.schemas/post-larder-api-recipes-comments.422.json

DELETE larder/api/recipes/recipe_id:int/favourite() : @api.schemas/delete-larder-api-recipes-favourite.json
PUT larder/api/recipes/recipe_id:int/favourite() : @api.schemas/put-larder-api-recipes-favourite.json
POST larder/api/recipes/recipe_id:int/like() : @api.schemas/post-larder-api-recipes-like.json
GET larder/api/search(q:*) : @api.schemas/get-larder-api-search.json
POST larder/login(name:*, password:*) : 303 void
"""


@pytest.fixture(scope="module")
def larder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A session with the example application."""
    file = tmp_path_factory.mktemp("larder") / "session.har"
    with running() as base:
        return visit_larder(base).write(file)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def learned(here: Path, larder: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    assert run(["api", "learn", str(larder)]) == 0
    capsys.readouterr()
    return here / "api.ail"


def session(file: Path, *urls: str, value: Any = ()) -> str:
    content = {"mimeType": "application/json", "size": 1, "text": json.dumps(value)}
    file.write_bytes(har(*(entry(f"http://shop.test/{url}", content=content) for url in urls)))
    return str(file)


def test_learn(here: Path, larder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["api", "learn", str(larder)]) == 0
    said = capsys.readouterr()
    assert said.out == "10 operations learned from 25 requests: api.ail\n2 things to look at: --explain lists them.\n"
    assert Path("api.ail").read_text().partition("\n\n")[2] == LARDER
    assert len(list(Path("api.schemas").iterdir())) == 14
    kept = Recording.read("api.jostle")
    assert kept.manifest.redacted
    assert not any(b"password=demo" in each.request_body for each in kept.exchanges)
    assert run(["api", "check", "api.ail"]) == 0
    assert capsys.readouterr().out == "The description is sound.\n"


def test_explain(here: Path, larder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["api", "learn", str(larder), "--explain", "-o", "x.ail"]) == 0
    said = capsys.readouterr().out
    assert "GET larder/api/search(q:*)   5 requests\n" in said
    assert "  part 4 of the path: only numbers → int\n" in said
    assert "Look at POST larder/login(name:*, password:*): learned from one request only (L4)\n" in said


def test_show(learned: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["api", "show", "api.ail"]) == 0
    said = capsys.readouterr().out
    assert "  200  {query: string, hits: [{id: integer, title: string, category: string, minutes: integer}]}\n" in said
    assert run(["api", "show", "api.ail", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert len(document["operations"]) == 10
    assert "api.schemas/get-larder-api-search.json" in document["schemas"]


def test_export(learned: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["api", "export", "api.ail", "--openapi", "openapi.json", "--title", "Larder"]) == 0
    document = json.loads(Path("openapi.json").read_text())
    OpenAPIV31SpecValidator(document).validate()
    assert document["info"]["title"] == "Larder"
    assert "/larder/api/recipes/{recipe_id}/comments" in document["paths"]
    assert run(["api", "export", "api.ail", "--openapi", "-"]) == 0
    assert json.loads(capsys.readouterr().out.partition("\n")[2])["openapi"] == "3.1.0"


def test_traffic_that_keeps_to_the_description(learned: Path, larder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["api", "check", "api.ail", "--against", str(larder)]) == 0
    assert capsys.readouterr().out == "25 requests, all as described.\n"


def test_traffic_that_leaves_the_description(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(["api", "learn", session(here / "a.har", "items/1", "items/2", value={"id": 1, "name": "x"})])
    capsys.readouterr()
    later = session(here / "b.har", "items/1", "items/3", "things/3", value={"id": 1})
    assert run(["api", "check", "api.ail", "--against", later]) == 1
    assert capsys.readouterr().out == (
        'GET items/item_id:int(): response 200: "name" is a required property (2 times)\n'
        "    first in GET /items/1\n"
        "GET /things/3: no operation is for this request; the nearest is GET items/item_id:int(), but "
        '"things" stands where it has "items"\n'
        "2 deviations in 3 requests; 2 described.\n"
    )
    assert run(["api", "check", "api.ail", "--against", later, "--json"]) == 1
    document = json.loads(capsys.readouterr().out)
    assert [each["side"] for each in document["traffic"]["deviations"]] == ["server", "client"]


def test_more_traffic_refines_what_was_learned(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first = session(here / "a.har", "pages/home", "pages/about", value={"title": "x"})
    assert run(["api", "learn", first]) == 0
    assert "GET pages/about() : @" in Path("api.ail").read_text()
    more = session(here / "b.har", *(f"pages/{name}" for name in ("team", "jobs", "shop", "help", "news")), value={})
    assert run(["api", "learn", more, "--update"]) == 0
    assert "\nGET pages/page:*() : @" in Path("api.ail").read_text()
    assert "required" not in json.loads(Path("api.schemas/get-pages.json").read_text())
    assert [file.name for file in Path("api.schemas").iterdir()] == ["get-pages.json"], "what nobody needs is gone"


def test_what_was_edited_by_hand_stays(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(["api", "learn", session(here / "a.har", "pages/home", "pages/about", "users/1", value={"title": "x"})])
    file = Path("api.ail")
    text = file.read_text()
    edited = text.replace("GET pages/about() : @api.schemas/get-pages-about.json\n", "")
    edited = edited.replace("GET pages/home() :", "# All pages.\nGET pages/name:*() :")
    edited = edited.replace("GET users/", "# Who is there.\nGET users/")
    file.write_text(edited)
    schema = Path("api.schemas/get-users.json")
    schema.write_text('{"type": "object"}')
    capsys.readouterr()
    more = session(here / "b.har", "pages/team", "users/2", "posts/3", value={"title": 3})
    for _ in range(2):
        assert run(["api", "learn", more, "--update"]) == 0
        assert capsys.readouterr().err == "Edited by hand, so kept as they are: api.schemas/get-users.json\n"
        now = file.read_text()
        assert "# All pages.\nGET pages/name:*() : @api.schemas/get-pages-home.json\n" in now
        assert "# Who is there.\nGET users/user_id:int()" in now
        assert "\nGET posts/post_id:int()" in now
        assert schema.read_text() == '{"type": "object"}'
        refined = json.loads(Path("api.schemas/get-pages-home.json").read_text())
        assert len(refined["properties"]["title"]["anyOf"]) == 2
        assert run(["api", "check", "api.ail", "--against", more]) == 0
        capsys.readouterr()


def test_diff(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(["api", "learn", session(here / "a.har", "items/1", value={"id": 1}), "-o", "old.ail"])
    run(["api", "learn", session(here / "b.har", "items/1", "more", value={"id": "x"}), "-o", "new.ail"])
    capsys.readouterr()
    assert run(["api", "diff", "old.ail", "old.ail"]) == 0
    assert capsys.readouterr().out == "No differences.\n"
    assert run(["api", "diff", "old.ail", "new.ail"]) == 1
    assert capsys.readouterr().out == (
        "changed   GET items/item_id:int()  (breaking)\n"
        "            response 200: id: no longer integer\n"
        "            response 200: id: may be string now\n"
        "added     GET more()\n"
    )
    assert run(["api", "diff", "old.ail", "new.ail", "--json"]) == 1
    assert [each["change"] for each in json.loads(capsys.readouterr().out)] == ["changed", "added"]


def test_format(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = here / "x.ail"
    file.write_text("URL http://x\nGET  a( ):*")
    assert run(["api", "format", "x.ail", "--check"]) == 1
    assert run(["api", "format", "x.ail"]) == 0
    assert file.read_text() == "URL http://x\n\nGET a() : *\n"
    assert run(["api", "format", "x.ail", "--check"]) == 0


def test_options_of_the_learner(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = session(here / "a.har", "users/1?v=a", "users/2?v=a", value={"id": 1})
    assert run(["api", "learn", file, "--faithful", "--precise"]) == 0
    assert 'GET users/user_id:*(v:"a") :' in Path("api.ail").read_text()
    mixed = here / "mixed.har"
    mixed.write_bytes(har(entry("http://a.test/x"), entry("http://b.test/y"), entry("http://a.test/z")))
    assert run(["api", "learn", str(mixed), "--url", "http://b.test"]) == 0
    assert Path("api.ail").read_text().startswith("URL http://b.test\n\nGET y()")
    assert "Left out: 2 requests to http://a.test" in capsys.readouterr().err
    Path("jostle.toml").write_text('[ignore]\nparameters = ["v"]\n')
    assert run(["api", "learn", file, "--config", "jostle.toml"]) == 0
    assert "GET users/user_id:int() :" in Path("api.ail").read_text()


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["learn", "no.har"], 2, "no.har cannot be read"),
        (["learn", "no.jostle"], 2, "no.jostle cannot be read"),
        (["learn", "text.jostle"], 2, "text.jostle is not a jostle recording"),
        (["learn", "empty.har"], 2, "There is nothing to learn in empty.har"),
        (["learn", "ok.har", "--update"], 2, "There is no api.ail to update"),
        (["learn", "ok.har", "-o", "no/api.ail"], 2, "no/api.ail cannot be written"),
        (["learn", "ok.har", "-o", "-"], 2, "A description has several files"),
        (["learn", "ok.har", "--url", "shop"], 2, "--url shop is not a web address"),
        (["show", "no.ail"], 2, "no.ail cannot be read"),
        (["show", "wrong.ail"], 2, "wrong.ail:2:6: expected ( with the parameters"),
        (["show", "lonely.ail"], 2, "The schema away.json cannot be read: there is no such file"),
        (["export", "lonely.ail", "--openapi", "x.json"], 2, "The schema away.json cannot be read"),
        (["diff", "lonely.ail", "wrong.ail"], 2, "The schema away.json"),
        (["check", "plain.ail", "--against", "ok.har"], 2, "Nothing was checked: no request to http://x"),
        (["check", "plain.ail", "--against", "no.har"], 2, "no.har cannot be read"),
    ],
)
def test_mistakes(here: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], code: int, said: str) -> None:
    Path("text.jostle").write_text("hello")
    Path("empty.har").write_bytes(har())
    Path("wrong.ail").write_text("URL http://x\nGET a")
    Path("lonely.ail").write_text("URL http://x\nGET a() : @away.json")
    Path("plain.ail").write_text("URL http://x\nGET a() : *")
    session(here / "ok.har", "items/1")
    assert run(["api", *arguments]) == code
    assert said in capsys.readouterr().err


def test_a_description_that_is_not_sound(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("x.ail").write_text("URL http://shop.test\nGET a/*() : @no.json\nGET a/b() : *")
    later = session(here / "a.har", "a/b")
    assert run(["api", "check", "x.ail", "--against", later]) == 1
    assert capsys.readouterr().out == (
        "GET a/*(): The schema no.json cannot be read: there is no such file.\n"
        "GET a/b(): can never be reached: every request for it matches GET a/*() too.\n"
    )


def test_hostile_traffic_does_not_steer_the_terminal(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["api", "learn", session(here / "a.har", "x%1b%5b31m/1"), "--explain"]) == 0
    assert run(["api", "show", "api.ail"]) == 0
    assert "\x1b" not in capsys.readouterr().out
