"""Which pages are one state, and the words for it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jostle.errors import ConfigurationProblem
from jostle.model.abstraction import address, by_name, explain

HOME = "http://shop.test:8000"


def part(url: str = "/", skeleton: str = "body", *, title: str = "", tab: int = 0, frame: str = "") -> dict[str, Any]:
    whole = HOME + url if url.startswith("/") else url
    return {"tab": tab, "frame": frame, "url": whole, "title": title, "skeleton": skeleton}


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("/", "/"),
        ("", "/"),
        ("/recipes/12", "/recipes/*"),
        ("/recipes/12/edit", "/recipes/*/edit"),
        ("/recipes/12-apple-pie", "/recipes/*"),
        ("/recipe-12.html", "/recipe-*.html"),
        ("/orders/7c9e6679-7425-40de-944b-e07fc1f90ae7", "/orders/*"),
        ("/list?page=3&q=milk", "/list?page&q"),
        ("/list?q=&page=4", "/list?page&q"),
        ("/list?_=1699999999999", "/list"),
        ("/#/items/5?sort=name", "/#/items/*?sort"),
        ("/#!/items", "/#!/items"),
        ("/#section-2", "/"),
        ("/a;jsessionid=9f86d081884c7d65/b", "/a/b"),
        ("https://elsewhere.test/x", "https://elsewhere.test/x"),
        ("about:blank", "about:blank"),
        ("data:text/html,<p>1", "data:"),
    ],
)
def test_addresses(url: str, expected: str) -> None:
    assert address(HOME + url if not url or url.startswith("/") else url, HOME) == expected


@given(st.text())
def test_whatever_a_page_calls_itself_has_an_address(text: str) -> None:
    assert isinstance(address(text, HOME), str)
    assert address(f"{HOME}/{text}", HOME) == address(f"{HOME}/{text}", HOME)


class TestSkeleton:
    skeleton = by_name("skeleton", origins=[HOME])

    def same(self, a: list[dict[str, Any]], b: list[dict[str, Any]]) -> bool:
        return self.skeleton.state(a) == self.skeleton.state(b)

    def test_the_state_says_where_it_was(self) -> None:
        state = self.skeleton.state([part("/recipes/1", title="Pie")])
        assert (state.url, state.title) == (f"{HOME}/recipes/1", "Pie") and len(state.digest) == 32

    def test_data_does_not_count(self) -> None:
        assert self.same([part("/recipes/1", title="Pie")], [part("/recipes/2", title="Soup")])
        assert self.same([part("/list?page=1")], [part("/list?page=2")])

    def test_address_and_structure_count(self) -> None:
        assert not self.same([part("/recipes/1")], [part("/people/1")])
        assert not self.same([part("/list")], [part("/list?page=2")])
        assert not self.same([part("/", "body(p)")], [part("/", "body(ul)")])

    def test_how_many_tabs_and_frames_were_there_before_does_not_count(self) -> None:
        page, editor = part(), part("/edit", "body(textarea)")
        assert self.same([page, editor | {"frame": "1"}], [page, editor | {"frame": "4"}])
        assert self.same([page, editor | {"tab": 1}], [page, editor | {"tab": 3}])
        assert self.same([page, editor | {"frame": "1"}], [page, editor | {"frame": "1"}, editor | {"frame": "2"}])
        assert not self.same([page, editor | {"frame": "1"}], [page, editor | {"tab": 1}])

    def test_tabs_and_own_frames_count_and_those_of_others_do_not(self) -> None:
        page = part()
        assert not self.same([page], [page, part(tab=1)])
        assert not self.same([page, part("/in", frame="1")], [page, part("/in", "body(p)", frame="1")])
        advertisements = [part(f"https://ads.test/{kind}", kind, frame="1") for kind in ("body(a)", "body(img)")]
        assert self.same([page, advertisements[0]], [page, advertisements[1]])
        assert not self.same([part("https://pay.test/")], [part("/")])

    def test_the_port_does_not_count(self) -> None:
        there = by_name("skeleton", origins=["http://127.0.0.1:4711"])
        assert there.state([part("http://127.0.0.1:4711/a/1")]) == self.skeleton.state([part("/a/2")])

    def test_without_a_page(self) -> None:
        assert self.skeleton.state([]).url == ""

    def test_why_two_are_one(self) -> None:
        words = self.skeleton.explain([part("/recipes/1", title="Pie")], [part("/recipes/2", title="Soup")])
        assert words == (
            "One state: `/recipes/*` with the same structure, 1 kind of elements. What differs and does not count: "
            "the addresses (`http://shop.test:8000/recipes/1` and `http://shop.test:8000/recipes/2`) and "
            "the titles (`Pie` and `Soup`)."
        )
        same = [part("/")]
        assert self.skeleton.explain(same, same) == "One state: `/` with the same structure, 1 kind of elements."

    def test_why_two_are_kept_apart(self) -> None:
        def why(a: list[dict[str, Any]], b: list[dict[str, Any]]) -> str:
            return self.skeleton.explain(a, b)

        form = 'body(main(form(input:text[q] button")))'
        wrong = 'body(main(form(input:text[q]+invalid span" button")))'
        assert why([part("/a")], [part("/b")]) == "Two states: `/a` is not `/b`."
        assert why([part("/", form)], [part("/", wrong)]) == (
            "Two states: only the first has `body > main > form > input:text[q]`; only the second has "
            "`body > main > form > input:text[q]+invalid`, `body > main > form > span` with text."
        )
        assert why([part("/", "body(ul)")], [part("/", 'body(ul{li"})')]) == (
            "Two states: only the second has `body > ul > li` with text."
        )
        assert why([part("/", "body(a)")], [part("/", "body(a*)")]) == (
            "Two states: only the second has `body > a several times`."
        )
        assert why([part()], [part(), part("/in", frame="1")]) == (
            "Two states: the first has 1 document, the second 2 documents."
        )

    def test_the_words_stay_short(self) -> None:
        many = "body(" + " ".join(f"x-{number}" for number in range(9000)) + ")"
        deep = "body" + "(div" * 5000 + ")" * 5000
        words = self.skeleton.explain([part("/", many)], [part("/", deep)])
        assert len(words) < 1000 and " more" in words


STRUCTURES = st.recursive(
    st.sampled_from(["p", 'p"', "ul", "input:text[q]", "li"]),
    lambda inner: st.builds(
        lambda name, kids, braces: f"{name}{braces[0]}{' '.join(kids)}{braces[1]}",
        st.sampled_from(["div", "ul", ""]),
        st.lists(st.builds(lambda kid, many: kid + many, inner, st.sampled_from(["", "*"])), min_size=1, max_size=3),
        st.sampled_from(["()", "{}"]),
    ),
    max_leaves=8,
)


@given(STRUCTURES, STRUCTURES)
def test_any_two_structures_are_explained(a: str, b: str) -> None:
    skeleton = by_name("skeleton")
    words = skeleton.explain([part("/", f"body({a})")], [part("/", f"body({b})")])
    assert words.startswith("One state" if a == b else "Two states: ")
    assert words.endswith(".") and len(words) > len("Two states: .") and "\n" not in words


class TestAddressAndTitle:
    def test_both_count_exactly_and_the_structure_does_not(self) -> None:
        state = by_name("url-title", origins=[HOME]).state
        assert state([part("/r/1", "body(p)", title="A")]) == state([part("/r/1", "body(ul)", title="A")])
        assert state([part("/r/1", title="A")]) != state([part("/r/1", title="B")])
        assert state([part("/r/1")]) != state([part("/r/2")])
        assert state([part("/r?q=1&_=1699999999999")]) == state([part("/r?q=1&_=1699999999998")])
        assert state([part("/r#top")]) == state([part("/r")]) != state([part("/r#/top")])

    def test_in_words(self) -> None:
        words = by_name("url-title").explain([part(title="A")], [part(title="B")])
        assert words.startswith("Two states: ") and "A" in words and "B" in words


class TestOwnFunction:
    def module(self, folder: Path, name: str, body: str) -> str:
        (folder / f"{name}.py").write_text(body)
        return f"{name}:state"

    def snapshot(self, **more: Any) -> list[dict[str, Any]]:
        return [{"tab": 0, "frame": "", "url": HOME, "title": "T", "dom": "<html>", "digest": "x"} | more]

    def test_it_sees_the_page(self, tmp_path: Path) -> None:
        name = self.module(
            tmp_path,
            "own_state",
            "def state(page):\n"
            "    assert set(page) == {'tab', 'frame', 'url', 'title', 'html', 'frames'}, page\n"
            "    return f\"{page['title']} {len(page['html'])} {[f['html'] for f in page['frames']]}\"\n",
        )
        own = by_name(name, directory=tmp_path)
        assert own.reads == "snapshot"
        frame = self.snapshot(frame="1", dom="in")
        assert own.text([*self.snapshot(), *frame, *self.snapshot(tab=1)]) == "T 6 ['in']\nT 6 []"
        assert own.explain(self.snapshot(), self.snapshot(title="U")) == "Two states: `T 6 []` is not `U 6 []`."

    @pytest.mark.parametrize(
        ("body", "words"),
        [
            ("def other(): pass", "cannot be imported: AttributeError"),
            ("1 / 0", "cannot be imported: ZeroDivisionError"),
            ("state = 3", "is not a function but int"),
            ("def state(page): return page['nothing']", f"failed on {HOME}: KeyError"),
            ("def state(page): return 3", f"gave int for {HOME}"),
        ],
    )
    def test_what_can_be_wrong_with_it(self, tmp_path: Path, body: str, words: str) -> None:
        name = self.module(tmp_path, f"wrong_state_{abs(hash(body))}", body)
        with pytest.raises(ConfigurationProblem, match=words):
            by_name(name, directory=tmp_path).state(self.snapshot())

    def test_no_such_name(self) -> None:
        with pytest.raises(ConfigurationProblem, match="`skeletons`"):
            by_name("skeletons")


def test_texts_kept_in_a_model_can_be_explained() -> None:
    skeleton = by_name("skeleton")
    assert explain(skeleton.text([part()]), skeleton.text([part("/x")])) == "Two states: `/` is not `/x`."
