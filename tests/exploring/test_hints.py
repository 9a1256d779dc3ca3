"""Accounts that a log-in gives away."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jostle.events import Field
from jostle.exploring.forms import value_for
from jostle.exploring.hints import account


@pytest.mark.parametrize(
    "text",
    [
        "Log in Name Password For a look around: ada, secret Log in",
        "Demo account: ada / secret",
        "Test credentials: ada:secret.",
        "Username: ada Password: secret",
        "User name is “ada” and the password is “secret”!",
        "E-mail: ada, Password: secret",
        "Try it with ada/secret",
    ],
)
def test_given_away(text: str) -> None:
    assert account(text) == ("ada", "secret")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Log in Name Password Forgot your password? Create an account",
        "Name: Password: Remember me",
        "Use at least 8 characters, letters and/or numbers",
        "Password is required, name too",
    ],
)
def test_not_given_away(text: str) -> None:
    assert account(text) is None


@given(st.text(max_size=400))
def test_any_text(text: str) -> None:
    found = account(text)
    assert found is None or all(found)


def test_it_is_filled_in() -> None:
    hint = "For a look around: ada, secret"
    chance = random.Random(1)
    assert value_for(Field(type="text", name="login", hint=hint), chance) == "ada"
    assert value_for(Field(type="password", hint=hint), chance) == "secret"
    assert value_for(Field(type="number", hint=hint), chance).isdigit()
