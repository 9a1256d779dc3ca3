"""What recorded traffic shows of how requests and responses hang together."""

from __future__ import annotations

from typing import Any

from jostle.serverapi.learning import learn
from jostle.serverapi.matching import Matcher
from jostle.serverapi.mock.links import Creation, Echo, Links, Removal, changed, links_in
from jostle.serverapi.sample import Sample
from jostle.serverapi.schemas import Schemas
from tests.growing import assert_linear
from tests.serverapi.making import BASE, sample


def shown(*samples: Sample) -> Links:
    learned = learn(samples, BASE)
    return links_in(samples, Matcher(learned.description, Schemas(learned.schemas)))


def item(number: int, **more: Any) -> dict[str, Any]:
    return {"id": number, "title": f"item {number}", **more}


def test_echoes_need_two_values_or_a_telling_one() -> None:
    assert shown(sample("GET items/1", {"id": 1})).echoes == {}
    assert shown(sample("GET items/1", {"id": 1}), sample("GET items/2", {"id": 2})).echoes == {
        0: (Echo("path 1", ("id",)),)
    }
    assert shown(sample("GET search?q=milk", {"q": "milk"})).echoes == {0: (Echo("query q", ("q",)),)}
    assert shown(sample("GET search?q=milk", {"q": "milk"}), sample("GET search?q=tea", {"q": "x"})).echoes == {}


def test_echoes_in_lists() -> None:
    lists = [sample(f"GET posts/{n}/c", {"c": [{"post": n}] * n}) for n in (0, 1, 2)]
    assert shown(*lists).echoes == {0: (Echo("path 1", ("c", "[]", "post")),)}


def test_creations() -> None:
    samples = [
        sample("GET items", [item(1)]),
        sample("POST items", item(2), status=201, sent={"title": "item 2"}),
        sample("GET items", [item(2), item(1)]),
    ]
    assert shown(*samples).creations == (Creation(1, (), 0, (), "id", True),)
    samples[2] = sample("GET items", [item(1), item(2)])
    assert shown(*samples).creations == (Creation(1, (), 0, (), "id", False),)


def test_an_equal_id_of_something_else_is_no_creation() -> None:
    samples = [
        sample("POST comments", {"id": 2, "text": "x", "author": "y"}, sent={}),
        sample("GET items", [item(1), item(2)]),
    ]
    assert shown(*samples).creations == ()
    there = [sample("GET items", [item(2)]), sample("POST items", item(2), sent={}), sample("GET items", [item(2)])]
    assert shown(*there).creations == ()


def test_removals() -> None:
    before, after = sample("GET items", [item(1), item(2)]), sample("GET items", [item(1)])
    assert shown(before, sample("DELETE items/2"), after).removals == (Removal(1, "path 1", 0, (), "id"),)
    assert shown(before, sample("POST items/2/delete"), after).removals == (Removal(1, "path 1", 0, (), "id"),)
    assert shown(before, sample("POST items/2/like"), after).removals == ()
    assert shown(before, sample("DELETE items/2"), before).removals == ()
    other = sample("GET items?page=2", [item(3)])
    assert shown(before, sample("DELETE items/2"), other).removals == ()


def test_changing_keeps_types() -> None:
    assert changed({"a": [{"id": 1}, {"id": "x"}, {}]}, ("a", "[]", "id"), "7") == {"a": [{"id": 7}, {"id": "7"}, {}]}
    assert changed({"id": 1}, ("id",), "word") == {"id": 1}
    assert changed({"ok": True}, ("ok",), "1") == {"ok": True}
    assert changed([1], ("a",), "1") == [1]


def test_time_grows_with_the_traffic() -> None:
    """Creations with a list of the last ten after each, and what is removed again."""

    def traffic(count: int) -> list[Sample]:
        samples = []
        for n in range(count):
            last = [item(each) for each in range(n, max(-1, n - 10), -1)]
            samples += [sample("POST items", item(n), status=201), sample("GET items", last)]
            samples += [sample(f"DELETE items/{n}", {"ok": n}), sample("GET items", last[1:])]
        return samples

    learned = learn(traffic(5), BASE)
    matcher = Matcher(learned.description, Schemas(learned.schemas))
    found = links_in(traffic(5), matcher)
    assert found.creations and found.removals
    assert_linear(lambda samples: links_in(samples, matcher), traffic, 100)
