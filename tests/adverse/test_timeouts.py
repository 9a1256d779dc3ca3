"""How long assertions wait."""

from __future__ import annotations

import pytest
from playwright.async_api import expect as expect_async
from playwright.sync_api import expect

from jostle.adverse.timeouts import Timeouts, enough, shortened


def test_a_quick_test_is_given_some_time_all_the_same() -> None:
    assert enough(0.01, 0.0) == Timeouts(action=0.25, assertion=0.1)
    assert enough(4, 1) == Timeouts(action=12, assertion=2.1)


@pytest.mark.parametrize("usual", [None, 7000, 60_000])
def test_assertions_wait_less_inside_and_as_ever_after(usual: float | None) -> None:
    expect.set_options(timeout=usual)
    try:
        with pytest.raises(ZeroDivisionError), shortened(Timeouts(9, 2)):
            assert expect._timeout == 2000
            assert expect_async._timeout == 2000
            raise ZeroDivisionError
        assert expect._timeout == usual
        assert expect_async._timeout is None
    finally:
        expect.set_options(timeout=None)


def test_who_waits_less_anyway_goes_on_so() -> None:
    expect.set_options(timeout=500)
    try:
        with shortened(Timeouts(9, 2)):
            assert expect._timeout == 500
        with shortened(None):
            assert expect._timeout == 500
    finally:
        expect.set_options(timeout=None)
