"""Larder's pages and the requests its scripts make."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.templating import Jinja2Templates

from jostle.examples.files import FRESH, file_answer
from jostle.examples.larder.picture import picture
from jostle.examples.larder.store import CATEGORIES, Draft, Row, Store

_HERE = Path(__file__).parent
_ASSETS = _HERE / "assets"
_COOKIE = "larder"


class Larder:
    """One instance of the application with its own database, mounted at `root`.

    The buggy version differs only in the scripts of `assets/buggy`, which stand in for those of the same name, and
    in the few places of the templates that ask for `buggy`.
    """

    def __init__(self, root: str, *, buggy: bool = False) -> None:
        self._root = root
        self._buggy = buggy
        self._store = Store()
        self._templates = Jinja2Templates(_HERE / "templates")

    def close(self) -> None:
        self._store.close()

    @property
    def mount(self) -> Mount:
        form = ["GET", "POST"]
        return Mount(
            self._root,
            routes=[
                Route("/", self._home),
                Route("/categories", self._categories),
                Route("/shopping", self._shopping),
                Route("/login", self._log_in, methods=form),
                Route("/logout", self._log_out, methods=["POST"]),
                Route("/favourites", self._favourites),
                Route("/favourites/{id:int}/remove", self._remove_favourite, methods=["POST"]),
                Route("/profile", self._profile),
                Route("/recipes/new", self._new_recipe, methods=form),
                Route("/recipes/{id:int}", self._recipe),
                Route("/recipes/{id:int}/edit", self._edit_recipe, methods=form),
                Route("/recipes/{id:int}/delete", self._delete_recipe, methods=["POST"]),
                Route("/api/search", self._api_search),
                Route("/api/recipes", self._api_recipes),
                Route("/api/recipes/{id:int}/like", self._api_like, methods=["POST"]),
                Route("/api/recipes/{id:int}/favourite", self._api_favourite, methods=["PUT", "DELETE"]),
                Route("/api/recipes/{id:int}/comments", self._api_comments, methods=form),
                Route("/api/profile", self._api_profile, methods=["GET", "PUT"]),
                Route("/pictures/{id:int}.svg", self._picture),
                Route("/assets/{path:path}", self._asset),
                Route("/reset", self._reset, methods=["POST"]),
            ],
        )

    # Pages

    def _page(self, request: Request, template: str, status: int = 200, **values: Any) -> Response:
        context = {
            "root": self._root,
            "buggy": self._buggy,
            "user": self._user(request),
            "categories": CATEGORIES,
            **values,
        }
        return self._templates.TemplateResponse(request, template, context, status, headers=FRESH)

    def _go(self, path: str) -> Response:
        return RedirectResponse(f"{self._root}{path}", 303, headers=FRESH)

    def _user(self, request: Request) -> Row | None:
        return self._store.user(request.cookies.get(_COOKIE, ""))

    def _found(self, request: Request) -> Row:
        recipe = self._store.recipe(request.path_params["id"])
        if recipe is None:
            raise HTTPException(404, "There is no such recipe.")
        return recipe

    async def _home(self, request: Request) -> Response:
        category = request.query_params.get("category")
        if category not in CATEGORIES:
            category = None
        query = request.query_params.get("q", "").strip()
        if query:
            found = [self._store.recipe(hit["id"]) for hit in self._store.search(query)]
            return self._page(request, "home.html", recipes=found, more=False, category=None, query=query)
        recipes, more = self._store.recipes(category=category)
        return self._page(request, "home.html", recipes=recipes, more=more, category=category, query="")

    async def _categories(self, request: Request) -> Response:
        return self._page(request, "categories.html")

    async def _shopping(self, request: Request) -> Response:
        return self._page(request, "shopping.html")

    async def _log_in(self, request: Request) -> Response:
        if request.method == "GET":
            return self._page(request, "login.html", name="", error="")
        form = await _form(request)
        token = self._store.log_in(form.get("name", ""), form.get("password", ""))
        if token is None:
            error = "Name and password do not match."
            return self._page(request, "login.html", 422, name=form.get("name", ""), error=error)
        answer = self._go("/")
        answer.set_cookie(_COOKIE, token, path=self._root, httponly=True, samesite="lax")
        return answer

    async def _log_out(self, request: Request) -> Response:
        self._store.log_out(request.cookies.get(_COOKIE, ""))
        answer = self._go("/")
        answer.delete_cookie(_COOKIE, path=self._root)
        return answer

    async def _favourites(self, request: Request) -> Response:
        user = self._user(request)
        if user is None:
            return self._go("/login")
        return self._page(request, "favourites.html", recipes=self._store.favourites(user["name"]))

    async def _remove_favourite(self, request: Request) -> Response:
        user = self._user(request)
        if user is None:
            return self._go("/login")
        self._store.set_favourite(user["name"], self._found(request)["id"], wanted=False)
        return self._go("/favourites")

    async def _profile(self, request: Request) -> Response:
        return self._page(request, "profile.html") if self._user(request) else self._go("/login")

    async def _recipe(self, request: Request) -> Response:
        recipe = self._found(request)
        user = self._user(request)
        comments, older = self._store.comments(recipe["id"])
        favourite, count = self._store.favourite(user["name"] if user else None, recipe["id"])
        return self._page(
            request,
            "recipe.html",
            recipe=recipe,
            comments=comments,
            older=older,
            favourite=favourite,
            favourite_count=count,
        )

    async def _new_recipe(self, request: Request) -> Response:
        user = self._user(request)
        if user is None:
            return self._go("/login")
        form = await _form(request)
        draft, errors = _draft(form)
        if request.method == "POST" and draft:
            return self._go(f"/recipes/{self._store.add_recipe(draft, user['name'])}")
        shown = errors if request.method == "POST" else {}
        return self._page(request, "recipe_form.html", 422 if shown else 200, recipe=None, form=form, errors=shown)

    def _own(self, request: Request) -> Row:
        recipe = self._found(request)
        user = self._user(request)
        if user is None or user["name"] != recipe["author"]:
            raise HTTPException(403, "Only its author may change a recipe.")
        return recipe

    async def _edit_recipe(self, request: Request) -> Response:
        recipe = self._own(request)
        if request.method == "GET":
            form = {name: "\n".join(value) if isinstance(value, list) else value for name, value in recipe.items()}
            return self._page(request, "recipe_form.html", recipe=recipe, form=form, errors={})
        form = await _form(request)
        draft, errors = _draft(form)
        if draft is None:
            return self._page(request, "recipe_form.html", 422, recipe=recipe, form=form, errors=errors)
        self._store.change_recipe(recipe["id"], draft)
        return self._go(f"/recipes/{recipe['id']}")

    async def _delete_recipe(self, request: Request) -> Response:
        self._store.delete_recipe(self._own(request)["id"])
        return self._go("/")

    async def _picture(self, request: Request) -> Response:
        recipe = self._found(request)
        return Response(picture(recipe["id"], recipe["category"]), headers=FRESH, media_type="image/svg+xml")

    async def _asset(self, request: Request) -> Response:
        path: str = request.path_params["path"]
        buggy = f"buggy/{path}"
        return file_answer(_ASSETS, buggy if self._buggy and (_ASSETS / buggy).is_file() else path)

    async def _reset(self, request: Request) -> Response:
        self._store.reset()
        return Response(status_code=204, headers=FRESH)

    # Requests of scripts

    async def _api_search(self, request: Request) -> Response:
        query = request.query_params.get("q", "").strip()
        hits = self._store.search(query) if query else []
        await asyncio.sleep((30 + 15 * len(hits)) / 1000)  # the more there is to find, the longer it takes
        return _json({"query": query, "hits": hits})

    async def _api_recipes(self, request: Request) -> Response:
        page = request.query_params.get("page", "1")
        number = int(page) if page.isascii() and page.isdigit() and len(page) < 6 else 1
        recipes, more = self._store.recipes(max(number, 1), request.query_params.get("category") or None)
        await asyncio.sleep(0.05)
        return _json({"recipes": recipes, "more": more})

    async def _api_like(self, request: Request) -> Response:
        likes = self._store.like(self._found(request)["id"])
        await asyncio.sleep(0.04)
        return _json({"likes": likes})

    async def _api_favourite(self, request: Request) -> Response:
        user = self._user(request)
        if user is None:
            return _json({"error": "Log in first."}, 401)
        number = self._found(request)["id"]
        self._store.set_favourite(user["name"], number, wanted=request.method == "PUT")
        favourite, count = self._store.favourite(user["name"], number)
        await asyncio.sleep(0.06)
        return _json({"favourite": favourite, "count": count})

    async def _api_comments(self, request: Request) -> Response:
        number = self._found(request)["id"]
        await asyncio.sleep(0.04)
        if request.method == "GET":
            before = request.query_params.get("before", "")
            usable = before.isascii() and before.isdigit() and len(before) < 10
            comments, older = self._store.comments(number, int(before) if usable else None)
            return _json({"comments": comments, "older": older})
        text = (await _sent(request)).get("text", "").strip()
        if not 1 <= len(text) <= 500:
            return _json({"error": "A comment has 1 to 500 characters."}, 422)
        user = self._user(request)
        return _json({"comment": self._store.add_comment(number, user["name"] if user else "guest", text)}, 201)

    async def _api_profile(self, request: Request) -> Response:
        user = self._user(request)
        if user is None:
            return _json({"error": "Log in first."}, 401)
        await asyncio.sleep(0.15)
        if request.method == "PUT":
            sent = await _sent(request)
            display, city, bio = (sent.get(field, "").strip()[:300] for field in ("display", "city", "bio"))
            if not display:
                return _json({"error": "A name is needed."}, 422)
            self._store.change_profile(user["name"], display, city, bio)
            user = {**user, "display": display, "city": city, "bio": bio}
        return _json(user)


def _json(content: object, status: int = 200) -> Response:
    return JSONResponse(content, status, headers=FRESH)


async def _form(request: Request) -> dict[str, str]:
    body = (await request.body()).decode("utf-8", "replace")
    return {name: values[0] for name, values in parse_qs(body).items()}


async def _sent(request: Request) -> dict[str, str]:
    """The texts in the JSON object that a script sent."""
    try:
        sent = json.loads(await request.body())
    except ValueError:
        sent = None
    if not isinstance(sent, dict):
        raise HTTPException(400, "A JSON object was expected.")
    return {name: value for name, value in sent.items() if isinstance(value, str)}


def _draft(form: Mapping[str, str]) -> tuple[Draft | None, dict[str, str]]:
    """The recipe in a form; None if something is wrong with it, and what, by field."""
    text = {name: form.get(name, "").strip() for name in ("title", "category", "minutes", "serves", "summary")}
    lines = {
        name: tuple(line.strip() for line in form.get(name, "").splitlines() if line.strip())
        for name in ("ingredients", "steps")
    }
    errors = {}
    if not 3 <= len(text["title"]) <= 60:
        errors["title"] = "A title has 3 to 60 characters."
    if text["category"] not in CATEGORIES:
        errors["category"] = "Choose a category."
    for field, least, most in (("minutes", 1, 600), ("serves", 1, 20)):
        if not (text[field].isascii() and text[field].isdigit() and least <= int(text[field][:9]) <= most):
            errors[field] = f"From {least} to {most}."
    if not 1 <= len(text["summary"]) <= 120:
        errors["summary"] = "A summary has 1 to 120 characters."
    if len(lines["ingredients"]) < 2:
        errors["ingredients"] = "At least two ingredients, one a line."
    if not lines["steps"]:
        errors["steps"] = "At least one step."
    if errors:
        return None, errors
    draft = Draft(
        title=text["title"],
        category=text["category"],
        minutes=int(text["minutes"]),
        serves=int(text["serves"]),
        summary=text["summary"],
        ingredients=lines["ingredients"],
        steps=lines["steps"],
    )
    return draft, {}
