"""What counts as wrong, and what is the same problem."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jostle.events import Answered, Effect, Event, Kind, Milestone, PageError, Step, event_of
from jostle.findings import Defect, FindingKind, Severity
from jostle.findings.evidence import ErrorEvidence, RequestEvidence
from jostle.oracles import harmless, problems

HOME = "http://shop.test"
CLICK = event_of(kind=Kind.USER, what='click button "Save"', detail={"action": "click"})
LINK = event_of(kind=Kind.USER, what='click link "Offers"', detail={"action": "click", "href": f"{HOME}/offers"})


def found(event: Event = CLICK, **effect: Any) -> list[Defect]:
    return problems(Step(event=event, effect=Effect(**effect)), origins=[HOME])


def one(event: Event = CLICK, **effect: Any) -> Defect:
    (problem,) = found(event, **effect)
    return problem


def error(message: str, kind: str = "exception", source: str = "/app.js:3:7") -> Defect:
    return one(errors=(PageError(kind, message, source, ("save (/app.js:3:7)",)),))


def answer(url: str = "/api/items", status: int = 500, method: str = "GET", **more: Any) -> Answered:
    return Answered(method, HOME + url if url.startswith("/") else url, status, **more)


def test_nothing_is_wrong_with_what_went_well() -> None:
    assert found() == []
    fine = (answer(status=200), answer(status=304), answer(status=204))
    assert found(answers=fine, lifecycle=(Milestone("load"),)) == []


class TestErrors:
    def test_in_words(self) -> None:
        problem = error("TypeError: x is undefined\nsecond line")
        assert problem.title == "uncaught exception: TypeError: x is undefined at /app.js:3:7"
        assert (problem.kind, problem.severity) == (FindingKind.EXCEPTION, Severity.HIGH)
        assert isinstance(problem.evidence, ErrorEvidence)
        assert problem.evidence.stack == ("save (/app.js:3:7)",)
        rejection = error("no", "rejection")
        assert rejection.title == "unhandled rejection: no at /app.js:3:7"
        assert rejection.kind is FindingKind.EXCEPTION
        console = error("no", "console")
        assert (console.kind, console.severity) == (FindingKind.CONSOLE_ERROR, Severity.LOW)
        assert len({error("no").id, rejection.id, console.id}) == 3
        assert error("", source="").title == "uncaught exception: an error without a message"

    @pytest.mark.parametrize(
        ("a", "b"),
        [
            ("item 12 is not there", "item 7 is not there"),
            ("no 7c9e6679-7425-40de-944b-e07fc1f90ae7", "no 7c9e6679-7425-40de-944b-e07fc1f90ae8"),
            ("no 9f86d081884c7d65", "no 1234567890abcdef"),
            (f"GET {HOME}/items/1 failed", f"GET {HOME}/items/2 failed"),
            (f"GET {HOME}:8000/items/1?q=a failed", f"GET {HOME}:9000/items/2?q=b failed"),
            ("first\nat one", "first\nat two"),
        ],
    )
    def test_the_same_message_for_other_data(self, a: str, b: str) -> None:
        assert error(a).id == error(b).id

    @pytest.mark.parametrize(
        ("a", "b"),
        [
            ("reading 'name'", "reading 'price'"),
            ("deadbeef is no word", "faceless is no word"),
            (f"{HOME}/a failed", f"{HOME}/b failed"),
        ],
    )
    def test_other_messages(self, a: str, b: str) -> None:
        assert error(a).id != error(b).id

    def test_where_it_was_thrown_counts_but_not_the_build(self) -> None:
        assert error("no", source="/app.js:3:7").id != error("no", source="/app.js:4:7").id
        assert error("no", source="/app.js:3:7").id != error("no", source="/lib.js:3:7").id
        builds = [error("no", source=f"/app.{name}.js:3:7").id for name in ("9f86d081884c7d65", "1f86d081884c7d66")]
        assert builds[0] == builds[1]

    def test_what_a_framework_throws_and_also_writes_is_one_problem(self) -> None:
        thrown = PageError("exception", "TypeError: no", "/app.js:1:1")
        said = PageError("console", "Error in a handler: TypeError: no", "/lib.js:9:9")
        assert one(errors=(said, thrown)).kind is FindingKind.EXCEPTION
        other = PageError("console", "something else", "/lib.js:9:9")
        assert [each.kind.value for each in found(errors=(other, thrown))] == ["console-error", "exception"]

    def test_each_cause_once(self) -> None:
        again = tuple(PageError("exception", f"no {number}", "/a.js:1:1") for number in range(3))
        assert one(errors=again).evidence.wrong == "no 0"

    @given(st.text(), st.text())
    def test_whatever_a_page_throws(self, message: str, source: str) -> None:
        problem = error(message, source=source)
        assert len(problem.title) <= 200 and "\n" not in problem.title and problem.id


class TestAnswers:
    @pytest.mark.parametrize(
        ("status", "is_harmless"), [(500, False), (404, False), (400, False), (403, True), (422, True)]
    )
    def test_a_refusal_is_harmless(self, status: int, is_harmless: bool) -> None:
        assert bool(harmless(one(answers=(answer(status=status),)))) is is_harmless

    @pytest.mark.parametrize(
        ("status", "severity"),
        [(500, "high"), (503, "high"), (404, "medium"), (405, "medium"), (400, "medium"), (401, "low"), (422, "low")],
    )
    def test_statuses(self, status: int, severity: str) -> None:
        problem = one(answers=(answer(status=status),))
        assert (problem.kind, problem.severity.value) == (FindingKind.HTTP_ERROR, severity)
        assert problem.title == f"GET /api/items failed with status {status}"
        assert problem.evidence == RequestEvidence(method="GET", url=f"{HOME}/api/items", status=status, resource="")

    def test_no_answer(self) -> None:
        problem = one(answers=(answer(status=0, error="ConnectionRefused"),))
        assert problem.title == "GET /api/items got no response (ConnectionRefused)"
        assert problem.severity is Severity.HIGH and problem.evidence.wrong == "ConnectionRefused"

    def test_what_the_page_gave_up_is_no_problem(self) -> None:
        assert found(answers=(answer(status=0, error="Aborted"), answer(status=0, error="BlockedByClient"))) == []

    def test_other_servers_are_not_ours(self) -> None:
        elsewhere = answer("https://ads.test/x")
        assert found(answers=(elsewhere,)) == []
        assert problems(Step(event=CLICK, effect=Effect(answers=(elsewhere,)))) != []

    def test_the_same_request(self) -> None:
        def cause(*arguments: Any, **more: Any) -> str:
            return one(answers=(answer(*arguments, **more),)).id

        assert cause("/items/1?page=2") == cause("/items/2?page=3")
        assert cause("/items") != cause("/users")
        assert cause(status=500) != cause(status=502)
        assert cause(method="GET") != cause(method="POST")

    def test_a_dead_link(self) -> None:
        problem = one(LINK, answers=(answer("/offers", 404, resource="document"),))
        assert (problem.kind, problem.severity) == (FindingKind.DEAD_LINK, Severity.MEDIUM)
        assert problem.title == 'click link "Offers": /offers fails with status 404'
        assert isinstance(problem.evidence, RequestEvidence)
        assert problem.evidence.link == 'click link "Offers"'
        assert one(LINK, answers=(answer("/offers", 500, resource="document"),)).severity is Severity.HIGH
        refused = one(LINK, answers=(answer("/offers", 0, resource="document", error="ConnectionReset"),))
        assert refused.title == 'click link "Offers": /offers gets no response (ConnectionReset)'

    def test_only_documents_make_links_dead_and_only_links_are_dead(self) -> None:
        assert one(LINK, answers=(answer("/x.png", 404, resource="image"),)).kind is FindingKind.HTTP_ERROR
        assert one(CLICK, answers=(answer("/offers", 404, resource="document"),)).kind is FindingKind.HTTP_ERROR


def test_hangs() -> None:
    words = "the page's JavaScript did not come to an end within 10 s and was stopped"
    problem = one(hung=words)
    assert (problem.kind, problem.title) == (FindingKind.HANG, f'click button "Save": {words}')
    assert problem.id == one(hung=words.replace("10", "3")).id != one(LINK, hung=words).id

    def typed(value: str) -> Event:
        detail = {"action": "type", "value": value, "locator": {"words": 'textbox "Search"'}}
        return event_of(kind=Kind.USER, what=f'type "{value}" in textbox "Search"', detail=detail)

    assert one(typed("milk"), hung=words).id == one(typed("bread"), hung=words).id
