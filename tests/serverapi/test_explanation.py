"""Why requests were merged or kept apart, and what to look at."""

from __future__ import annotations

from jostle.serverapi.conformance import conformance
from jostle.serverapi.explanation import explain, why
from jostle.serverapi.learning import learn
from jostle.serverapi.matching import Matcher
from jostle.serverapi.review import review
from jostle.serverapi.schemas import Schemas
from tests.serverapi.making import BASE, T1, T2, sample
from tests.serverapi.test_learning import CREATING, IMAGES, LISTS, NEWS


def test_each_feature_is_explained() -> None:
    learned = learn(NEWS, BASE, repaired=False)
    author = next(explain(learned, NEWS))
    assert author == (
        "GET author(name:*)   4 requests\n"
        '  part 1 of the path: always "author" → constant\n'
        "  the parameter name: 4 values → wildcard. As a constant: 2 splits + 0 merges; as it is: 0 splits + 1 merge.\n"
        "  2 kinds of response merged: {id: Number, name: String, stories: Number}; "
        "{email: String, id: Number, name: String, stories: Number}"
    )


def test_repairs_are_explained() -> None:
    learned = learn(IMAGES, BASE)
    text = "\n".join(explain(learned, IMAGES))
    assert '  the parameter action: "del_image", one of 2 → constant. As a wildcard: 0 splits + 0 merges + 1.5' in text
    assert "  the parameter id: only numbers → int" in text


def test_two_requests() -> None:
    samples = [*CREATING, *NEWS[:3], sample("GET items", T1), sample("GET items?page=2", T1)]
    learned = learn(samples, BASE)
    assert why(learned, samples, 0, 1).startswith(
        'They are apart because part 1 of the path differs ("users" and "posts"'
    )
    assert why(learned, samples, 0, 2).startswith("They are apart because their signatures differ: POST")
    assert why(learned, samples, 2, 3) == "They are together: same signature, equal constants, same kind of response."
    assert why(learned, samples, 2, 4).endswith("keeping their kinds of response apart would cost more.")
    assert why(learned, samples, 5, 6).startswith("They are together although their parameters differ")


def test_joined_operations_are_told() -> None:
    samples = [sample("GET items", T1), sample("GET items?page=2", T1)]
    assert list(explain(learn(samples, BASE), samples))[-1] == (
        "Made one operation:\n  GET items() and GET items(page:int): same path, same kind of response"
    )


def test_what_to_look_at() -> None:
    def codes(*samples: object, repaired: bool = True) -> set[str]:
        learned = learn(samples, BASE, repaired=repaired)  # type: ignore[arg-type]
        return {each.code for each in review(learned, samples)}  # type: ignore[arg-type]

    assert codes(sample("GET item-2024-17", T1), sample("GET item-2024-17", T1)) == {"L1"}
    assert codes(*CREATING, repaired=False) == {"L2"}
    assert codes(sample("GET a", T1), sample("GET a", T1), sample("GET a?x=y", T2), sample("GET a?x=y", T2)) == {"L3"}
    assert codes(LISTS[0]) == {"L4", "L5"}
    kinds = [sample("GET a", media=f"text/{kind}", body=b"x") for kind in ("a", "b", "c", "d")]
    assert codes(*kinds) == {"L6"}


def test_where_traffic_leaves_a_description() -> None:
    learned = learn(NEWS, BASE)
    later = [
        sample("GET author?name=x", {"id": "7", "name": "X"}),
        sample("GET author?name=y", {"id": "8", "name": "Y", "stories": 1}),
        sample("GET authors?name=y", T1),
        sample("GET comments?newsId=1", [], status=500),
    ]
    found = conformance(later, Matcher(learned.description, Schemas(learned.schemas)))
    assert (found.requests, found.covered) == (4, 3)
    assert found.unused == ("POST news/read()",)
    told = [(each.side, each.where, each.what, each.times) for each in found.deviations]
    assert told == [
        ("server", "", '"stories" is a required property', 1),
        ("server", "id", '"7" is not of type "integer"', 2),
        (
            "client",
            "",
            'no operation is for this request; the nearest is GET author(name:*), but "authors" stands where it has '
            '"author"',
            1,
        ),
        ("server", "", "status 500 is not described", 1),
    ]
    assert conformance(NEWS, Matcher(learned.description, Schemas(learned.schemas))).deviations == ()
