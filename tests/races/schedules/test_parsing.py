"""Where the parser may pause."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jostle.browser.fence import safe_points
from jostle.recording.pauses import MOST, MOST_BRIEF, PIECE, pauses

PAGE = b"<!doctype html><body><p>a</p>%s<p>b</p><p>c</p></body>"


def test_behind_a_script_that_opens_a_dialog() -> None:
    html = PAGE % b"<script>alert('hello')</script>"
    [place] = pauses("http://a/", html).long
    assert html[:place].endswith(b"</script>")


def test_not_behind_other_scripts() -> None:
    assert not any(pauses("http://a/", PAGE % b"<script>go()</script>"))
    assert not any(pauses("http://a/", PAGE % b"<script src=alert.js></script>"))


def test_in_long_documents_between_pieces() -> None:
    html = PAGE % (b"<p>some text</p>" * (3 * PIECE // 16))
    found = pauses("http://a/", html).long
    assert len(found) == 3
    assert all(html[:place].endswith(b">") for place in found)


@pytest.mark.parametrize(
    "code",
    [
        b"setTimeout(show)",
        b"window.setInterval (show, 5)",
        b"requestAnimationFrame(show)",
        b"fetch('/a').then(show)",
        b"const x = new XMLHttpRequest; x.send()",
        b"new WebSocket('/a')",
        b"$.getJSON('/a', show)",
        b"postMessage('go')",
        b"script.src = '/later.js'",
    ],
)
def test_for_a_moment_behind_a_script_that_starts_something(code: bytes) -> None:
    html = PAGE % (b"<script>%s</script>" % code)
    found = pauses("http://a/", html)
    assert (found.long, [html[:place].endswith(b"</script>") for place in found.brief]) == ([], [True])


@pytest.mark.parametrize(
    "html",
    [
        PAGE % b"<script type=module>setTimeout(show)</script>",
        PAGE % b"<script type='application/json'>{'fetch(': 1}</script>",
        PAGE % b"<!-- <script>setTimeout(show)</script> -->",
        PAGE % b"<script>setTimeout(show)</script>\n<script src=a.js></script>",
        b"<body><div><p>a</p><script>setTimeout(show)</script></div>\n</body>",
        b"<script>setTimeout(show)</script>",
    ],
    ids=["a module", "data", "a comment", "an external script follows", "nothing follows", "no body"],
)
def test_not_where_nothing_could_come_between(html: bytes) -> None:
    assert not any(pauses("http://a/", html))


def test_what_starts_in_the_head_may_happen_before_the_body_is_there() -> None:
    html = b"<head><script>fetch('/a')</script><title>x</title></head><body class=a><p>x</p></body>"
    assert [html[:place] for place in pauses("http://a/", html).brief] == [html[: html.index(b"<p>")]]


@settings(max_examples=15)
@given(st.integers(0, 12), st.integers(0, 12), st.integers(0, 12))
def test_never_too_many_and_always_where_a_fence_may_stand(pieces: int, dialogs: int, timers: int) -> None:
    html = PAGE % (
        b"<p>x</p>" * (pieces * PIECE // 8)
        + b"<script>confirm('?')</script><i>x</i>" * dialogs
        + b"<script>setTimeout(f)</script><i>x</i>" * timers
    )
    found = pauses("http://a/", html)
    assert len(found.long) + len(found.brief) <= MOST
    assert len(found.brief) <= MOST_BRIEF
    assert {*found.long, *found.brief} <= set(safe_points(html))
    assert not {*found.long} & {*found.brief}
    for places in found:
        assert list(places) == sorted(set(places))
