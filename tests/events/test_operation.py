"""What a request asks to be done, as far as its body says."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jostle.events.operation import operation_of


@pytest.mark.parametrize(
    ("body", "operation"),
    [
        ('{"method": "torrent-get", "arguments": {"method": "x"}}', "torrent-get"),
        ('{"query": "mutation Like { like }", "operationName": "Like"}', "Like"),
        ('{"operationName": null, "method": "a.b"}', "a.b"),
        ("call=medialist&id=a%3Ab&do=media", "medialist"),
        ("action=heartbeat&data%5Ba%5D=1", "heartbeat"),
        ("title=Pears&method=with+much+sugar", ""),
        ('{"method": {"deep": 1}}', ""),
        ('{"method": "torrent', ""),
        ("[1, 2]", ""),
        ("plain text: method=x", ""),
        ("", ""),
    ],
)
def test_where_it_is_said(body: str, operation: str) -> None:
    assert operation_of(body) == operation


@given(st.text())
def test_of_any_body_a_word_or_nothing(body: str) -> None:
    assert len(operation_of(body)) <= 60
