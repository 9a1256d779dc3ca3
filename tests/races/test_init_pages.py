"""Which pages are worth loading again and again."""

from __future__ import annotations

from jostle.events import Answered, Effect, FormWrite, Kind, Milestone, State, event_of
from jostle.model.visit import Visit
from jostle.races.loading.pages import Page, Pages, arrived

ROOT = "http://shop.test"


def page(path: str, *scripts: str, digest: str = "", fills: bool = False) -> Page:
    return Page(url=f"{ROOT}{path}", digest=digest or path, scripts=frozenset(scripts), fills=fills)


def pages(most: int = 8) -> Pages:
    made = Pages(f"{ROOT}/", most=most)
    made.began(page("/", "app.js"))
    return made


def test_where_scripts_fill_fields_is_best() -> None:
    all_ = pages()
    about = all_.rank(page("/about", "app.js"))
    item = all_.rank(page("/items/1", "app.js", "item.js"))
    profile = all_.rank(page("/profile", "app.js", "me.js", fills=True))
    assert about is not None and about > 2
    assert profile < item < 1 < about  # type: ignore[operator]


def test_look_alikes_are_left_out() -> None:
    all_ = pages()
    assert all_.rank(page("/")) is None
    assert all_.rank(page("/items/1", "item.js")) is not None
    assert all_.rank(page("/items/2", "item.js")) is None  # by its address
    assert all_.rank(page("/things", "item.js", digest="/items/1")) is None  # by its looks
    assert all_.rank(page("/others", "other.js", digest="/items/1")) is not None  # it has code of its own


def test_enough() -> None:
    all_ = pages(most=3)
    worthy = [all_.rank(page(path, f"{path}.js")) is None for path in ("/a", "/b", "/c", "/d")]
    assert worthy == [False, False, True, True]


def test_what_promises_little_takes_no_place_of_what_promises_more() -> None:
    all_ = pages(most=4)
    dull = [all_.rank(page(path, "app.js")) is None for path in ("/a", "/b", "/c", "/d")]
    assert dull == [False, False, True, True]
    assert all_.rank(page("/profile", "app.js", fills=True)) is not None


def visit(*lifecycle: str, **effect: object) -> Visit:
    event = event_of(kind=Kind.USER, what="click")
    return Visit(
        before=State("a", url=f"{ROOT}/"),
        event=event,
        effect=Effect(lifecycle=tuple(map(Milestone.parse, lifecycle)), **effect),  # type: ignore[arg-type]
        after=State("b", url=f"{ROOT}/b"),
    )


def test_arriving() -> None:
    script = Answered("GET", f"{ROOT}/b.js?v=1", 200, resource="script")
    picture = Answered("GET", f"{ROOT}/b.png", 200, resource="image")
    met = arrived(visit("commit /b", answers=(script, picture), form_writes=(FormWrite("#a", "x"),)))
    assert met == Page(url=f"{ROOT}/b", digest="b", scripts=frozenset({f"{ROOT}/b.js"}), fills=True)
    assert arrived(visit("popstate")) is None
