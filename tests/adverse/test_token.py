"""What is written behind --jostle-repro."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jostle.adverse.plan import Injection
from jostle.adverse.token import mark, read, written
from jostle.errors import UsageProblem

names = st.from_regex(r"[a-z][a-z0-9-]{0,8}", fullmatch=True)


@given(st.frozensets(st.tuples(st.integers(1, 99), names), min_size=1, max_size=4), st.text())
def test_there_and_back(pairs: frozenset[tuple[int, str]], action: str) -> None:
    injections = sorted(Injection(*pair) for pair in pairs)
    steps = read(written(injections, {injections[0].point: action}))
    assert [each.injection for each in steps] == injections
    assert steps[0].mark == mark(action)


@pytest.mark.parametrize("token", ["", "hide", "hide@0", "hide@", "@3", "hide@3++", "hide@3.zz", "HIDE@3", "x" * 500])
def test_wrong(token: str) -> None:
    with pytest.raises(UsageProblem, match="--jostle-repro"):
        read(token)
