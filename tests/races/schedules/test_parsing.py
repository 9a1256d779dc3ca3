"""Where the parser may pause."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from jostle.browser.fence import safe_points
from jostle.recording.pauses import MOST, PIECE, pauses

PAGE = b"<!doctype html><body><p>a</p>%s<p>b</p><p>c</p></body>"


def test_behind_a_script_that_opens_a_dialog() -> None:
    html = PAGE % b"<script>alert('hello')</script>"
    [place] = pauses("http://a/", html)
    assert html[:place].endswith(b"</script>")


def test_not_behind_other_scripts() -> None:
    assert pauses("http://a/", PAGE % b"<script>go()</script>") == []
    assert pauses("http://a/", PAGE % b"<script src=alert.js></script>") == []


def test_in_long_documents_between_pieces() -> None:
    html = PAGE % (b"<p>some text</p>" * (3 * PIECE // 16))
    found = pauses("http://a/", html)
    assert len(found) == 3
    assert all(html[:place].endswith(b">") for place in found)


@settings(max_examples=15)
@given(st.integers(0, 12), st.integers(0, 12))
def test_never_too_many_and_always_where_a_fence_may_stand(pieces: int, dialogs: int) -> None:
    html = PAGE % (b"<p>x</p>" * (pieces * PIECE // 8) + b"<script>confirm('?')</script><i>x</i>" * dialogs)
    found = pauses("http://a/", html)
    assert len(found) <= MOST
    assert set(found) <= set(safe_points(html))
    assert found == sorted(set(found))
