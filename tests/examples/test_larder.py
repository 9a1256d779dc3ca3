from __future__ import annotations

from collections.abc import Iterator

import pytest

from jostle.examples import running
from tests.examples.web import Client

DRAFT = {
    "title": "Toast",
    "category": "Breads",
    "minutes": "5",
    "serves": "1",
    "summary": "Bread again.",
    "ingredients": "2 slices bread\n10 g butter",
    "steps": "Toast.\nButter.",
}


@pytest.fixture(scope="module")
def base() -> Iterator[str]:
    with running() as url:
        yield url


@pytest.fixture(params=["/larder", "/larder-buggy"])
def root(request: pytest.FixtureRequest, base: str) -> str:
    root = str(request.param)
    assert Client(base).ask("POST", f"{root}/reset").status == 204
    return root


@pytest.fixture
def guest(base: str, root: str) -> Client:
    return Client(base + root)


@pytest.fixture
def cook(base: str, root: str) -> Client:
    client = Client(base + root)
    assert client.ask("POST", "/login", form={"name": "demo", "password": "demo"}).status == 303
    return client


def test_the_list_grows_page_by_page_to_its_end(guest: Client) -> None:
    pages = [guest.get(f"/api/recipes?page={page}").json for page in (1, 2, 3)]
    assert [len(page["recipes"]) for page in pages] == [8, 8, 8]
    assert [page["more"] for page in pages] == [True, True, False]
    assert len({recipe["id"] for page in pages for recipe in page["recipes"]}) == 24


def test_categories_filter_the_list(guest: Client) -> None:
    assert {recipe["category"] for recipe in guest.get("/api/recipes?category=Soups").json["recipes"]} == {"Soups"}
    assert "Minestrone" in guest.get("/?category=Soups").text
    assert "Minestrone" not in guest.get("/?category=Sweets").text


def test_search_looks_at_titles_first_then_ingredients(guest: Client) -> None:
    titles = [hit["title"] for hit in guest.get("/api/search?q=leek").json["hits"]]
    assert titles == ["Leek and potato soup", "Leek quiche"]
    assert "Potato gnocchi" in guest.get("/?q=potato").text
    assert guest.get("/api/search?q=%25").json["hits"] == []
    assert "Nothing found" in guest.get("/?q=%3Cscript%3Ealert(1)").text


def test_log_in_and_out(guest: Client) -> None:
    assert "Log in" in guest.get("/").text
    refused = guest.ask("POST", "/login", form={"name": "demo", "password": "guess"})
    assert refused.status == 422 and "do not match" in refused.text
    guest.ask("POST", "/login", form={"name": "demo", "password": "demo"})
    assert "Demo cook" in guest.get("/").text
    guest.ask("POST", "/logout")
    assert "Demo cook" not in guest.get("/").text


def test_comments_are_numbered_and_escaped(guest: Client) -> None:
    posted = guest.ask("POST", "/api/recipes/1/comments", json_body={"text": "<b>good</b>"})
    assert (posted.status, posted.json["comment"]["number"], posted.json["comment"]["author"]) == (201, 9, "guest")
    page = guest.get("/recipes/1").text
    assert "&lt;b&gt;good" in page and "<b>good" not in page
    older = guest.get("/api/recipes/1/comments?before=5").json
    assert [comment["number"] for comment in older["comments"]] == [1, 2, 3, 4]
    assert not older["older"]


@pytest.mark.parametrize("body", [{"text": "  "}, {"text": "x" * 501}, {}, {"text": 5}])
def test_comments_must_have_a_text(guest: Client, body: object) -> None:
    assert guest.ask("POST", "/api/recipes/1/comments", json_body=body).status == 422


def test_scripts_must_send_an_object(guest: Client) -> None:
    assert guest.ask("POST", "/api/recipes/1/comments", json_body=[1]).status == 400
    assert guest.ask("POST", "/api/recipes/1/comments", form={"text": "x"}).status == 400


def test_likes_count_up(guest: Client) -> None:
    assert guest.ask("POST", "/api/recipes/1/like").json == {"likes": 58}
    assert guest.ask("POST", "/api/recipes/1/like").json == {"likes": 59}
    assert guest.ask("POST", "/api/recipes/99/like").status == 404


def test_favourites_belong_to_a_user(guest: Client, cook: Client) -> None:
    assert guest.ask("PUT", "/api/recipes/2/favourite").status == 401
    assert cook.ask("PUT", "/api/recipes/2/favourite").json == {"favourite": True, "count": 1}
    assert cook.ask("PUT", "/api/recipes/2/favourite").json == {"favourite": True, "count": 1}
    assert "Tomato salad" in cook.get("/favourites").text
    cook.ask("POST", "/favourites/2/remove")
    assert "Tomato salad" not in cook.get("/favourites").text
    assert guest.get("/favourites").headers["location"].endswith("/login")


def test_recipes_are_added_changed_and_deleted(guest: Client, cook: Client) -> None:
    where = cook.ask("POST", "/recipes/new", form=DRAFT).headers["location"]
    assert where.endswith("/recipes/25")
    assert "2 slices bread" in guest.get("/recipes/25").text
    assert guest.ask("POST", "/recipes/25/edit", form=DRAFT).status == 403
    cook.ask("POST", "/recipes/25/edit", form={**DRAFT, "title": "French toast"})
    assert "French toast" in guest.get("/").text
    assert guest.ask("POST", "/recipes/25/delete").status == 403
    cook.ask("POST", "/recipes/25/delete")
    assert guest.get("/recipes/25").status == 404


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("title", "x", "3 to 60"),
        ("category", "Drinks", "Choose a category"),
        ("minutes", "-1", "From 1 to 600"),
        ("serves", "many", "From 1 to 20"),
        ("ingredients", "1 egg", "At least two"),
        ("steps", "", "At least one step"),
    ],
)
def test_a_wrong_recipe_comes_back_with_the_reason(cook: Client, field: str, value: str, message: str) -> None:
    answer = cook.ask("POST", "/recipes/new", form={**DRAFT, "summary": "kept <as typed>", field: value})
    assert answer.status == 422
    assert message in answer.text and "kept &lt;as typed&gt;" in answer.text


def test_profile(guest: Client, cook: Client) -> None:
    assert cook.get("/api/profile").json["city"] == "Aarhus"
    changed = cook.ask("PUT", "/api/profile", json_body={"display": "D", "city": "Odense", "bio": ""})
    assert changed.json["city"] == "Odense"
    assert cook.get("/api/profile").json["display"] == "D"
    assert cook.ask("PUT", "/api/profile", json_body={"display": " "}).status == 422
    assert guest.get("/api/profile").status == 401


def test_reset_restores_the_seed(base: str, root: str, cook: Client) -> None:
    before = Client(base + root).get("/recipes/1").text
    cook.ask("POST", "/api/recipes/1/like")
    cook.ask("POST", "/api/recipes/1/comments", json_body={"text": "new"})
    cook.ask("POST", "/recipes/new", form=DRAFT)
    cook.ask("PUT", "/api/profile", json_body={"display": "changed"})
    assert Client(base + root).get("/recipes/1").text != before
    cook.ask("POST", "/reset")
    assert cook.get("/profile").headers["location"].endswith("/login")
    assert Client(base + root).get("/recipes/1").text == before
    assert Client(base + root).get("/recipes/25").status == 404


def test_the_two_versions_share_all_but_the_planted_scripts(base: str) -> None:
    client = Client(base)

    def differs(script: str) -> bool:
        one, other = (client.get(f"/{root}/assets/{script}.js").body for root in ("larder", "larder-buggy"))
        return one != other

    planted = {"search", "favourite", "comment-list", "profile"}
    others = {"app", "api", "recipe", "comments", "list", "shopping", "recipe-form", "toast", "hits"}
    assert {script for script in planted | others if differs(script)} == planted
    assert client.get("/larder/assets/menu.js").status == 404
    assert client.get("/larder-buggy/assets/menu.js").status == 200


def test_pictures_differ_and_stay_the_same(guest: Client) -> None:
    pictures = [guest.get(f"/pictures/{number}.svg") for number in range(1, 25)]
    assert len({picture.body for picture in pictures}) == 24
    assert pictures[0].headers["content-type"] == "image/svg+xml"
    assert guest.get("/pictures/1.svg").body == pictures[0].body
