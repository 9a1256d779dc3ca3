"""For all tests: how long an example of Hypothesis takes says more about the machine than about the code."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("jostle", deadline=None)
settings.load_profile("jostle")
