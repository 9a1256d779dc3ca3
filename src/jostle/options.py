"""The options of the techniques, for users of the library."""

from jostle.checking.search import CheckOptions
from jostle.exploring.search import ExploreOptions
from jostle.races.loading.search import LoadRaceOptions
from jostle.races.responses.search import ResponseRaceOptions
from jostle.races.schedules.search import OrderOptions
from jostle.slowdowns.search import SlowdownOptions

__all__ = [
    "CheckOptions",
    "ExploreOptions",
    "LoadRaceOptions",
    "OrderOptions",
    "ResponseRaceOptions",
    "SlowdownOptions",
]
