"""The options of the techniques, for users of the library."""

from jostle.check.search import CheckOptions
from jostle.explore.search import ExploreOptions
from jostle.races.ajax.search import ResponseRaceOptions
from jostle.races.init.search import LoadRaceOptions
from jostle.races.orders.search import OrderOptions
from jostle.slowdown.search import SlowdownOptions

__all__ = [
    "CheckOptions",
    "ExploreOptions",
    "LoadRaceOptions",
    "OrderOptions",
    "ResponseRaceOptions",
    "SlowdownOptions",
]
