from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jostle.events import Dialog, Effect, Kind, PageError, Request, State, Step, event_of
from jostle.recording.divergence import (
    Mask,
    compare_steps,
    masked,
    masks_between,
    missing_event,
    nearest_event,
    snapshot_differences,
    unanswered,
    volatile_difference,
)
from jostle.recording.exchange import Exchange
from jostle.recording.matching import Matcher

CLICK = event_of(kind=Kind.USER, what='click button "Save"')
PAGE = """html
  body
    h1
      "Shop"
    ul id="list"
      li
        "milk"
      li
        "bread"
    footer
      "Loaded at 12:03:11"
"""


def step(digest: str = "s", url: str = "http://a.test/", **effect: object) -> Step:
    return Step(event=CLICK, effect=Effect(**effect), state=State(digest, url))  # type: ignore[arg-type]


def test_equal_steps_do_not_diverge() -> None:
    assert compare_steps(1, step(), step()) is None
    assert compare_steps(1, step("a"), step("b"), expected_snapshot=PAGE, got_snapshot=PAGE) is None


@pytest.mark.parametrize(
    ("expected", "got", "aspect", "said"),
    [
        (step(), step(url="http://a.test/b"), "url", "went to another address: http://a.test/b"),
        (
            step(),
            step(errors=(PageError("exception", "f is not defined", "a.js:1:2"),)),
            "error",
            "there was a new error: exception: f is not defined at a.js:1:2",
        ),
        (
            step(errors=(PageError("exception", "f is not defined"),)),
            step(errors=(PageError("exception", "g is not defined"),)),
            "error",
            "another error: exception: g is not defined instead of exception: f is not defined",
        ),
        (step(requests=(Request("GET", "http://a.test/x"),)), step(), "request", "the request GET /x is missing"),
        (step(), step(requests=(Request("GET", "http://a.test/x"),)), "request", "there was a new request: GET /x"),
        (step(dialogs=(Dialog("alert", "Hi", "accept"),)), step(), "dialog", "the dialog alert Hi accept is missing"),
        (step(), step(hung="a handler ran for 5 s"), "hung", "did not come to rest: a handler ran for 5 s"),
        (step("a"), step("b"), "document", "no snapshot was kept"),
        (
            step(created=(event_of(kind=Kind.TIMER, what="timeout 300 at a.js:1:2"),)),
            step(created=(event_of(kind=Kind.TIMER, what="timeout 500 at a.js:1:2"),)),
            "created",
            "timeout 300 at a.js:1:2 did not become possible; timeout 500 at a.js:1:2 did instead",
        ),
        (step(), Step(event=event_of(kind=Kind.USER, what="click x")), "event", "another event happened: click x"),
    ],
)
def test_what_differs_is_named(expected: Step, got: Step, aspect: str, said: str) -> None:
    divergence = compare_steps(4, expected, got)
    assert divergence is not None
    assert (divergence.step, divergence.aspect, divergence.event) == (4, aspect, CLICK)
    assert said in divergence.reason
    assert said in str(divergence)


def test_the_same_request_with_another_cache_buster_is_the_same() -> None:
    one, two = (step(requests=(Request("GET", f"http://a.test/x?_=169999999900{n}"),)) for n in (1, 2))
    assert compare_steps(1, one, two) is None


def test_the_most_telling_difference_comes_first() -> None:
    divergence = compare_steps(
        1, step("a"), step("b", "http://a.test/b", errors=(PageError("exception", "boom"),), hung="stuck")
    )
    assert divergence is not None
    assert divergence.aspect == "error"
    assert len(divergence.details) == 3
    only = compare_steps(1, step("a"), step("b", hung="stuck"), aspects=["document"])
    assert only is not None
    assert only.aspect == "document"
    assert only.details == ()


def test_the_differing_line_is_shown_with_its_place() -> None:
    got = PAGE.replace('"bread"', '"cheese"')
    divergence = compare_steps(2, step("a"), step("b"), expected_snapshot=PAGE, got_snapshot=got)
    assert divergence is not None
    assert (divergence.expected, divergence.got) == ('"bread"', '"cheese"')
    assert "html > body > ul#list > li" in divergence.reason


def test_of_a_long_line_the_part_that_differs_is_shown() -> None:
    many = "; ".join(f"--colour-{n}: {n}" for n in range(3000))
    old = PAGE.replace('"bread"', f'<p style="{many}">')
    got = old.replace("--colour-2000: 2000", "--colour-2000: 17")
    divergence = compare_steps(2, step("a"), step("b"), expected_snapshot=old, got_snapshot=got)
    assert divergence is not None
    assert divergence.expected.startswith('<p style="--colour-0: 0; ') and "--colour-2000: 2000;" in divergence.expected
    assert divergence.got.startswith('<p style="--colour-0: 0; ') and "--colour-2000: 17;" in divergence.got
    assert len(divergence.reason) < 1000


def test_of_a_long_line_that_goes_on_its_end_is_shown() -> None:
    old = PAGE.replace('"bread"', f'"{"bread and " * 200}butter')
    got = old.replace("butter", "butter and jam")
    divergence = compare_steps(2, step("a"), step("b"), expected_snapshot=old, got_snapshot=got)
    assert divergence is not None
    assert divergence.expected.endswith("butter") and divergence.got.endswith("butter and jam")


def test_lines_gone_and_new() -> None:
    shorter = PAGE.replace('      li\n        "bread"\n', "")
    assert [(each.expected, each.got) for each in snapshot_differences(PAGE, shorter)] == [("li", ""), ('"bread"', "")]
    assert {each.expected for each in snapshot_differences(shorter, PAGE)} == {""}


def test_values_that_look_like_noise_are_called_that() -> None:
    got = PAGE.replace("12:03:11", "12:03:12")
    divergence = compare_steps(2, step("a"), step("b"), expected_snapshot=PAGE, got_snapshot=got)
    assert divergence is not None
    assert "looks like a time or date: if it means nothing, see ignore.regions" in divergence.reason


@pytest.mark.parametrize(
    ("one", "other", "like"),
    [
        ("at 12:03:11", "at 12:03:12", "a time or date"),
        ("17 items", "18 items", "a number"),
        ('div id="radix-:r1:"', 'div id="radix-:r7:"', "a generated id"),
        ("x 3b241101-e2bb-4255-8caf-4136c566a962", "x 4b241101-e2bb-4255-8caf-4136c566a962", "a UUID"),
        ("milk", "bread", None),
        ("milk", "milk", None),
        ("milk at 12:03", "bread at 12:04", None),
    ],
)
def test_volatile_differences(one: str, other: str, like: str | None) -> None:
    assert volatile_difference(one, other) == like


def test_masks_hide_what_differs_between_identical_replays_and_nothing_else() -> None:
    again = PAGE.replace("12:03:11", "12:03:12")
    masks = masks_between(PAGE, again)
    assert masks == {Mask("html > body > footer", '"Loaded at *"')}
    later = PAGE.replace("12:03:11", "9:59:00")
    assert snapshot_differences(PAGE, later, masks) == []
    assert snapshot_differences(PAGE, later.replace("milk", "mulk"), masks) != []
    assert snapshot_differences(PAGE, PAGE.replace('"Loaded at 12:03:11"', '"Failed"'), masks) != []
    assert compare_steps(1, step("a"), step("b"), expected_snapshot=PAGE, got_snapshot=later, masks=masks) is None


def test_lines_there_only_sometimes_are_masked() -> None:
    more = PAGE.replace("    footer\n", '    div class="toast"\n    footer\n')
    masks = masks_between(PAGE, more)
    assert masks == {Mask("html > body", 'div class="toast"', optional=True)}
    assert masked(PAGE, masks) == masked(more, masks)


snapshots = st.lists(
    st.tuples(st.integers(0, 3), st.sampled_from(["div", "p", '"1"', '"2"', "a b", "a c", "* x", "[x]"])), max_size=8
).map(lambda lines: "\n".join("  " * depth + text for depth, text in lines))


@given(snapshots, snapshots)
@settings(max_examples=500, deadline=None)
def test_differences_are_found_exactly_when_there_are_some(one: str, other: str) -> None:
    same = masked(one, ()) == masked(other, ())
    assert (snapshot_differences(one, other) == []) == same
    masks = masks_between(one, other)
    assert (masks == set()) == same
    assert masked(one, masks) == masked(other, masks)
    assert snapshot_differences(one, other, masks) == []


def test_a_missing_event_names_the_nearest() -> None:
    wanted = event_of(kind=Kind.USER, what='click button "Save"')
    near = event_of(kind=Kind.USER, what='click button "Save all"')
    other = event_of(kind=Kind.USER, what="scroll down")
    divergence = missing_event(3, wanted, [other, near], "it is covered by a dialog")
    assert divergence.got == 'click button "Save all"'
    assert 'click button "Save" was not possible: it is covered by a dialog; nearest is' in divergence.reason
    assert missing_event(3, wanted, []).got == "nothing was possible"
    timer = event_of(kind=Kind.TIMER, what='click button "Save"')
    assert nearest_event(wanted, [timer, other]) is None


def test_a_missing_event_under_another_creator() -> None:
    wanted = event_of(kind=Kind.TIMER, what="timeout 300 at a.js:1:2", creator="user:1")
    elsewhere = event_of(kind=Kind.TIMER, what="timeout 300 at a.js:1:2", creator="user:2")
    assert "another event brought it about" in missing_event(1, wanted, [elsewhere]).reason
    again = event_of(kind=Kind.TIMER, what="timeout 300 at a.js:1:2", creator="user:1", occurrence=2)
    assert "as number 2 instead of 1" in missing_event(1, wanted, [again]).reason


def test_a_request_nobody_recorded() -> None:
    match = Matcher([Exchange(order=1, method="GET", url="http://a.test/list")]).take("GET", "http://a.test/new")
    divergence = unanswered(5, CLICK, match)
    assert divergence.aspect == "request"
    assert "GET /new has no recorded answer: nearest is GET /list" in divergence.reason


def test_a_rough_answer_is_the_likely_reason_for_another_document() -> None:
    match = Matcher([Exchange(order=1, method="GET", url="http://a.test/i/1")]).take("GET", "http://a.test/i/2")
    divergence = compare_steps(1, step("a"), step("b"), matches=[match])
    assert divergence is not None
    assert divergence.reason.startswith("GET /i/2 got a recorded answer that only roughly fits")
