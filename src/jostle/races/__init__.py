"""Orders of events that break an application.

As a part of the library: `jostle.races.init`, `jostle.races.ajax` and `jostle.races.orders` do what the commands of
these names do. They are imported when they are used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jostle.sync.races import ajax, init, orders

__all__ = ["ajax", "init", "orders"]


def __getattr__(name: str) -> Any:
    if name in __all__:
        return getattr(import_module("jostle.sync.races"), name)
    raise AttributeError(f"module 'jostle.races' has no attribute {name!r}")
