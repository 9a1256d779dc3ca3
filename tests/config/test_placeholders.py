"""What is replaced in commands and addresses, and what is not."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jostle.config.placeholders import (
    INSTANCE,
    PORT,
    effective_port,
    filled,
    names,
    resolver_rules,
    same_server,
    with_port,
)

TEXTS = st.lists(st.sampled_from([*"${}[]:/ a", "port", "instance", "{port}", "{instance}"])).map("".join)
HOSTS = st.sampled_from(["localhost", "127.0.0.1", "[::1]", "app.localhost", "shop.test"])
PORTS = st.integers(1, 65535)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("serve --port {port} --data db-{instance}", "serve --port 3001 --data db-2"),
        ("http://localhost:{port}/reset", "http://localhost:3001/reset"),
        ("port=80; serve ${port} ${instance}", "port=80; serve ${port} ${instance}"),
        ("awk '{print $1}' {a,b}.log {} {{ }} {ports} {Port}", "awk '{print $1}' {a,b}.log {} {{ }} {ports} {Port}"),
        ("{{port}}", "{3001}"),
    ],
)
def test_only_the_exact_placeholders_are_replaced(text: str, expected: str) -> None:
    assert filled(text, port=3001, instance=2) == expected


@given(TEXTS)
def test_all_else_stays_and_what_is_named_is_gone(text: str) -> None:
    done = filled(text, port=7, instance=8)
    assert names(text, PORT, INSTANCE) == (done != text)
    assert re.sub(r"\d", "", done) == re.sub(r"(?<!\$)\{(port|instance)\}", "", text)


def test_without_an_address_there_is_no_port() -> None:
    assert filled("{port} {instance}", port=None, instance=0) == "{port} 0"


def test_variables_name_the_same() -> None:
    assert names("PORT=$JOSTLE_PORT npm start", PORT)
    assert not names("PORT=$JOSTLE_PORT npm start", INSTANCE)
    assert names("seed ${JOSTLE_INSTANCE}", PORT, INSTANCE)


@given(HOSTS, PORTS, PORTS)
def test_an_address_at_another_port(host: str, before: int, after: int) -> None:
    url = f"https://me:secret@{host}:{before}/a?b=c#d"
    assert with_port(url, after) == f"https://me:secret@{host}:{after}/a?b=c#d"
    assert effective_port(with_port(url, after)) == after
    assert same_server(url, with_port(url, after)) == (before == after)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("http://localhost:3000/a", "http://127.0.0.1:3000/b", True),
        ("http://app.localhost:3000/", "http://[::1]:3000", True),
        ("http://shop.test/", "http://SHOP.test:80/x", True),
        ("https://shop.test/", "http://shop.test/", False),
        ("http://shop.test:3000/", "http://localhost:3000/", False),
    ],
)
def test_what_leads_to_the_same_server(one: str, other: str, same: bool) -> None:
    assert same_server(one, other) is same


def test_rules_concern_one_port_of_one_machine() -> None:
    assert resolver_rules("https://shop.test/x", 8443) == "MAP shop.test:443 shop.test:8443"
    rules = resolver_rules("http://127.0.0.1:3000/", 8001).split(", ")
    assert "MAP 127.0.0.1:3000 127.0.0.1:8001" in rules and "MAP [::1]:3000 [::1]:8001" in rules
    assert all(re.fullmatch(r"MAP \S+:3000 \S+:8001", rule) for rule in rules)
