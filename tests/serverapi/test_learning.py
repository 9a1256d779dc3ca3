"""The learner: the vectors of the publication, its repairs, and what must hold for all traffic."""

from __future__ import annotations

import random
from itertools import combinations
from typing import Any
from urllib.parse import quote, urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jostle.serverapi.ail_format import format_description, format_operation
from jostle.serverapi.ail_parser import parse_description
from jostle.serverapi.disjoint import Overlap, overlap
from jostle.serverapi.learning import learn
from jostle.serverapi.matching import Matcher
from jostle.serverapi.sample import Sample
from jostle.serverapi.schemas import Schemas
from tests.serverapi.making import BASE, T1, T2, T3, T4, faithful, patterns, repaired, sample

AUTHOR = {"id": 1, "name": "Alice", "stories": 10}
NEWS = [
    sample("GET author?name=alice", AUTHOR),
    sample("GET author?name=bob", {"id": 2, "name": "Bob", "stories": 12}),
    sample("GET author?name=charlie", {**AUTHOR, "email": "charlie@example.org"}),
    sample("GET author?name=eve", {**AUTHOR, "email": "eve@example.org"}),
    sample("GET comments?newsId=1", [{"author": "a", "comment": "c"}]),
    sample("GET comments?newsId=2", [{"author": "b", "comment": "d"}]),
    sample("POST news/read", [{"id": 1, "title": "x"}, {"id": 2, "title": "y"}]),
]


# The published algorithm ---------------------------------------------------------------------------------------------


def test_the_full_example() -> None:
    assert faithful(*NEWS) == ["GET author(name:*)", "GET comments(newsId:*)", "POST news/read()"]
    schema = learn(NEWS, BASE, repaired=False).schemas["schemas/get-author.json"]
    assert schema["required"] == ["id", "name", "stories"]
    assert list(schema["properties"]) == ["id", "name", "stories", "email"]


def test_precise_schemas_keep_kinds_of_response_apart() -> None:
    schema = learn(NEWS, BASE, repaired=False, precise=True).schemas["schemas/get-author.json"]
    assert [each["required"] for each in schema["anyOf"]] == [
        ["id", "name", "stories"],
        ["id", "name", "stories", "email"],
    ]


def test_key_or_value() -> None:
    few = [sample("GET admin?action=delete&id=14", T1), sample("GET admin?action=publish&id=20", T2)]
    assert faithful(*few) == ['GET admin(action:"delete", id:"14")', 'GET admin(action:"publish", id:"20")']
    more = [*few, sample("GET admin?action=delete&id=15", T1)]
    assert faithful(*more) == ['GET admin(action:"delete", id:*)', 'GET admin(action:"publish", id:*)']


IMAGES = [
    sample(f"POST admin?action={action}&id={number}", {"ok": True})
    for action, number in (("del_image", 14), ("del_image", 15), ("set_default", 14))
]


def test_equal_responses_merge_operations() -> None:
    assert faithful(*IMAGES) == ["POST admin(action:*, id:*)"]


def test_splits_are_counted() -> None:
    kinds = {5: T2, 6: T3}
    assert faithful(*(sample(f"GET f?a={number}", kinds.get(number, T1)) for number in range(1, 7))) == ["GET f(a:*)"]


LISTS = [sample("GET list?u=1", []), sample("GET list?u=2", [T1]), sample("GET list?u=3", [T1])]
PLACES = [
    sample("GET users/1", T1),
    sample("GET users/2", T1),
    sample("GET posts/7", T2),
    sample("GET posts/9", T2),
    sample("GET news/latest", T3),
    sample("GET news/oldest", T4),
]
CREATING = [sample("POST users/create", {"ok": True}), sample("POST posts/create", {"ok": True})]


def test_derived_vectors() -> None:
    assert faithful(*LISTS) == ['GET list(u:"1")', 'GET list(u:"2")', 'GET list(u:"3")']
    assert faithful(*PLACES) == ["GET news/news:*()", "GET posts/post_id:*()", "GET users/user_id:*()"]
    assert faithful(sample("GET me", T1), sample("GET me", T2)) == ["GET me()"]
    comments = [("delete", 17, T1), ("delete", 18, T1), ("add", 17, T2), ("add", 3, T2)]
    learned = faithful(*(sample(f"POST comment/{verb}/{number}", kind) for verb, number, kind in comments))
    assert learned == ["POST comment/add/comment_id:*()", "POST comment/delete/comment_id:*()"]
    assert faithful(sample("POST delete", T1), sample("POST delete?id=3", T2)) == [
        "POST delete()",
        'POST delete(id:"3")',
    ]


def test_equal_trivial_responses_merge_too_much() -> None:
    assert faithful(*CREATING) == ["POST id:*/create()"]


def test_repeated_parameters() -> None:
    learned = faithful(sample("POST send?item=a&item=b&to=x"), sample("POST send?item=c&to=x"))
    assert learned == ['POST send(item:+*, to:"x")']


def test_a_parameter_that_may_be_missing_overlaps_with_its_absence() -> None:
    learned = faithful(sample("POST send?item=a&item=b", T1), sample("POST send", T2))
    assert learned == ["POST send(item:+*)"]


# The repairs ---------------------------------------------------------------------------------------------------------


def test_equal_responses_keep_operations_apart_by_their_names() -> None:
    assert repaired(*IMAGES) == ['POST admin(action:"del_image", id:int)', 'POST admin(action:"set_default", id:int)']
    assert repaired(*CREATING) == ["POST posts/create()", "POST users/create()"]


def test_an_empty_array_is_unlike_nothing() -> None:
    words = [sample("GET list?u=ann", []), sample("GET list?u=bob", [T1]), sample("GET list?u=eve", [T1])]
    assert repaired(*words) == ["GET list(u:*)"]


def test_names_are_not_merged_with_numbers() -> None:
    learned = repaired(*PLACES, sample("GET users/me", T4))
    assert learned == [
        "GET news/latest()",
        "GET news/oldest()",
        "GET posts/post_id:int()",
        "GET users/me()",
        "GET users/user_id:int()",
    ]


def test_identifiers() -> None:
    ids = ("0f8fad5b-d9cb-469f-a165-70867728950e", "7c9e6679-7425-40de-944b-e07fc1f90ae7")
    learned = repaired(*(sample(f"GET orders/{each}", T1) for each in ids), sample("GET orders/recent", T2))
    assert learned == ["GET orders/recent()", "GET orders/order_id:id()"]


def test_the_example_is_learned_as_before() -> None:
    assert repaired(*NEWS) == ["GET author(name:*)", "GET comments(newsId:int)", "POST news/read()"]


def test_one_sample_of_a_search_does_not_make_its_words_constant() -> None:
    assert repaired(sample("GET search?q=milk", [])) == ["GET search(q:*)"]
    assert repaired(sample("POST recipes", T1, form="title=Soup&action=save")) == [
        'POST recipes(action:"save", title:*)'
    ]


def test_what_was_left_empty_is_no_constant() -> None:
    assert repaired(sample("GET tours?level=&region=alps", T1), sample("GET tours?level=&region=jura", T1)) == [
        "GET tours(level:*, region:*)"
    ]


def test_what_repeats_the_request_has_no_fixed_values() -> None:
    samples = [sample(f"GET search?q={word}", {"query": word, "kind": word[:1]}) for word in ["soup", "bread"] * 15]
    properties = learn(samples, BASE).schemas["schemas/get-search.json"]["properties"]
    assert "enum" not in properties["query"]
    assert properties["kind"]["enum"] == ["b", "s"]


def test_optional_parameters_and_pages() -> None:
    learned = repaired(
        sample("GET items", {"items": [T1], "next": 2}),
        sample("GET items?page=2", {"items": [T1], "next": 3}),
        sample("GET items?page=3&sort=name", {"items": [], "next": None}),
        sample("GET items?ids=1", T2),
    )
    assert learned == ["GET items(ids:int)", 'GET items(page:?int, sort:?"name")']


def test_failures_are_responses_and_no_operations() -> None:
    samples = [sample("GET users/ann", T1), sample("GET users/bob", T1), sample("GET users/eve", T2, status=404)]
    samples += [sample(f"GET users/u{letter}", T1) for letter in "abcdefg"]
    learned = learn(samples, BASE)
    assert [format_operation(each) for each in learned.description.operations] == [
        "GET users/user:*() : @schemas/get-users.json | 404 @schemas/get-users.404.json"
    ]


def test_statuses_that_are_no_failures() -> None:
    samples = [sample("PUT item/1", T1, status=201, sent=T1), sample("PUT item/1", status=204, sent=T1)]
    learned = learn(samples, BASE)
    shown = "PUT item/item_id:int(body:@schemas/put-item.body.json) : 201 @schemas/put-item.json | 204 void"
    assert [format_operation(each) for each in learned.description.operations] == [shown]


def test_graphql_by_the_name_of_the_operation() -> None:
    def asked(query: str, **variables: Any) -> dict[str, Any]:
        return {"query": query, "variables": variables}

    data = {"data": {"ok": True}}
    learned = repaired(
        sample("POST graphql", data, sent=asked("query Find($q: String) { a }", q="x")),
        sample("POST graphql", data, sent=asked("query Find($q: String) { a }", q="y")),
        sample("POST graphql", data, sent={"operationName": "Save", "query": "mutation Save { b }", "variables": {}}),
        sample("POST graphql", data, sent=asked("{ viewer { name } }")),
    )
    assert learned[:2] == [
        'POST graphql(graphql:"Find", body:@schemas/post-graphql-find.body.json)',
        'POST graphql(graphql:"Save", body:@schemas/post-graphql-save.body.json)',
    ]
    assert len(learned) == 3
    assert learned[2].startswith('POST graphql(graphql:"anonymous-')


def test_calls_that_name_their_method_in_the_body() -> None:
    calls = [("list", []), ("list", [1]), ("remove", [1])]
    learned = repaired(*(sample("POST rpc", {"result": 1}, sent={"method": m, "params": p}) for m, p in calls))
    assert learned == [
        'POST rpc(body.method:"list", body:@schemas/post-rpc-list.body.json)',
        'POST rpc(body.method:"remove", body:@schemas/post-rpc-remove.body.json)',
    ]


def test_tokens_and_secrets_are_never_constants() -> None:
    learned = repaired(sample("GET data?csrf_token=abcdef&view=all", T1), sample("GET key/redacted0123456789ab", T2))
    assert learned == ['GET data(csrf_token:*, view:"all")', "GET key/key_id:*()"]


def test_contradictory_samples_are_one_operation_with_all_responses() -> None:
    samples = [
        sample("GET status", {"ok": True}),
        sample("GET status", [1]),
        sample("GET status", "text"),
        sample("GET status"),
        sample("GET status", media="text/html", body=b"<p>"),
    ]
    learned = learn(samples, BASE)
    shown = "GET status() : @schemas/get-status.json | text/html | void"
    assert [format_operation(each) for each in learned.description.operations] == [shown]
    assert {each["type"] for each in learned.schemas["schemas/get-status.json"]["anyOf"]} == {
        "array",
        "object",
        "string",
    }


def test_one_sample_only() -> None:
    assert repaired(sample("GET /", T1)) == ["GET /()"]


def test_nothing() -> None:
    assert learn([], BASE).description.operations == ()


def test_operations_that_are_given_stay() -> None:
    given_ones = parse_description(f"URL {BASE}\nGET users/name:*() : *").operations
    samples = [sample("GET users/ann", T1), sample("GET posts/1", T2), sample("GET users/ann?full=1", T3)]
    learned = learn(samples, BASE, given=given_ones)
    assert patterns(learned) == ["GET users/name:*()", "GET posts/post_id:int()", "GET users/ann(full:int)"]
    assert learned.members[0].samples == (0,)


def test_what_is_learned_beside_given_operations_does_not_overlap_with_them() -> None:
    written = f'URL {BASE}\nGET id:int/x(a:?*) : *\nGET users/"n":"ann"|"bob"(q:?*) : *'
    given_ones = parse_description(written).operations
    samples = [sample(f"GET users/{name}", T1) for name in ("eve", "kim", "lea", "mia", "noa", "pia", "ria", "una")]
    learned = learn(samples, BASE, given=given_ones)
    operations = learned.description.operations
    assert all(overlap(a.pattern, b.pattern) is Overlap.NONE for a, b in combinations(operations, 2))
    assert len(learned.members[-1].samples) == 8


# What holds for all traffic ------------------------------------------------------------------------------------------

VALUES: st.SearchStrategy[Any] = st.sampled_from(
    [
        None,
        {},
        [],
        {"ok": True},
        T1,
        T2,
        {"k1": None},
        {"k1": "x"},
        [T1],
        [T1, T2],
        {"list": []},
        {"list": [T1]},
        "x",
        3,
    ]
)
WORDS = st.sampled_from(["users", "posts", "1", "22", "me", "a b", "x:y", "ünï", "*", "0f8fad5bd9cb469fa165"])
PAIRS = st.lists(st.tuples(st.sampled_from(["id", "q", "action", "page", "a b", "body", "token"]), WORDS), max_size=3)


@st.composite
def samples_of_any_kind(draw: st.DrawFn) -> Sample:
    path = "/".join(quote(each, safe="") for each in draw(st.lists(WORDS, max_size=3)))
    method = draw(st.sampled_from(["GET", "POST"]))
    query, form, sent = urlencode(draw(PAIRS)), "", None
    if method == "POST":
        form = urlencode(draw(PAIRS))
        if not form:
            sent = draw(st.none() | st.dictionaries(st.sampled_from(["action", "x", "query"]), VALUES, max_size=2))
    status = draw(st.sampled_from([200, 200, 200, 201, 302, 404, 500]))
    asked = f"{method} {path}?{query}" if query else f"{method} {path}"
    return sample(asked, draw(VALUES), status=status, form=form, sent=sent)


@given(st.lists(samples_of_any_kind(), max_size=25), st.booleans(), st.booleans())
def test_learned_descriptions_are_complete_disjoint_and_written_as_they_are(
    samples: list[Sample], is_repaired: bool, precise: bool
) -> None:
    learned = learn(samples, BASE, repaired=is_repaired, precise=precise)
    operations = learned.description.operations
    matcher = Matcher(learned.description, Schemas(learned.schemas))
    for position, each in enumerate(samples):
        numbers = matcher.numbers_for(each.request)
        assert len(numbers) == 1, "every request matches one operation"
        assert position in learned.members[numbers[0]].samples
        assert matcher.violations(operations[numbers[0]], each.response) == []
    for one, other in combinations(operations, 2):
        assert overlap(one.pattern, other.pattern) is Overlap.NONE
    assert set(learned.description.schema_files()) == set(learned.schemas)
    assert parse_description(format_description(learned.description)) == learned.description


@given(st.lists(samples_of_any_kind(), max_size=12), st.randoms())
def test_the_order_of_samples_decides_no_pattern(samples: list[Sample], chance: Any) -> None:
    shuffled = list(samples)
    chance.shuffle(shuffled)
    assert sorted(patterns(learn(samples, BASE, repaired=False))) == sorted(
        patterns(learn(shuffled, BASE, repaired=False))
    )


def test_traffic_that_was_made_to_take_long() -> None:
    """Many sets of parameters, many features that tell nothing, many paths: trying all would take minutes."""
    chance = random.Random(3)
    sets = [sample(f"GET x?{'&'.join(f'n{k}=1' for k in chance.sample(range(30), 4))}", T1) for _ in range(2000)]
    assert len(repaired(*sets)) == 1
    bits = [
        sample("GET y?" + "&".join(f"p{i}={chance.choice('ab')}" for i in range(25)), {f"k{chance.randrange(40)}": 1})
        for _ in range(400)
    ]
    assert len(repaired(*bits)) == 1
    paths = [sample(f"GET z/{number}-a/{number}-b", {f"k{number}": 1}) for number in range(1000)]
    assert len(repaired(*paths)) == 1000


@pytest.mark.parametrize("count", [1, 7])
def test_more_samples_of_the_same_kind_change_nothing(count: int) -> None:
    assert repaired(*(NEWS * count)) == repaired(*NEWS)


def test_many_methods_at_one_address() -> None:
    """As in Transmission: most of them say no more than that it worked."""
    methods = [f"torrent-{word}" for word in ("get", "start", "stop", "verify", "set", "remove", "move", "add")]
    samples = [
        sample(
            "POST rpc",
            {"result": "success", "arguments": {"torrents": []} if method == "torrent-get" else {}},
            sent={"method": method, "arguments": {"ids": [number]}},
        )
        for method in methods
        for number in range(3)
    ]
    learned = repaired(*samples)
    assert len(learned) == len(methods)
    assert sum('body.method:"' in each for each in learned) == len(methods)
    dotted = [
        sample("POST json", {"result": None, "id": 1}, sent={"method": method, "id": 1, "params": []})
        for method in ("web.update_ui", "core.get_config", "auth.check_session")
    ]
    assert len(repaired(*dotted)) == 3


def test_kinds_of_data_are_not_methods() -> None:
    kinds = [f"kind-{chr(97 + number) * 2}" for number in range(9)]
    samples = [sample("POST notes", {"ok": True}, sent={"type": kind, "text": "x"}) for kind in kinds]
    assert len(repaired(*samples)) == 1
