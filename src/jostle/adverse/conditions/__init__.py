"""The conditions that jostle knows, and those that users add."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from jostle.adverse.condition import Condition
from jostle.adverse.conditions import hands, history, leaving, machine, media, network, tabs, visibility, window

# In the order in which those of one pass are injected: the cheap ones first, what leaves the page last.
_ALL: tuple[Condition, ...] = (
    *visibility.CONDITIONS,
    *network.CONDITIONS,
    *window.CONDITIONS,
    *media.CONDITIONS,
    *hands.CONDITIONS,
    *history.CONDITIONS,
    *machine.CONDITIONS,
    *tabs.CONDITIONS,
    *leaving.CONDITIONS,
)

CATALOGUE: Mapping[str, Condition] = MappingProxyType({condition.name: condition for condition in _ALL})
"""By name."""

OWN: dict[str, Condition] = {}
"""Those that users added, by name."""


def known() -> dict[str, Condition]:
    """All conditions by name, the users' own last."""
    return {**CATALOGUE, **OWN}
