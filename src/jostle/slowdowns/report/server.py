"""A server that gets slower instead of the page, as it is told."""

from __future__ import annotations

import msgspec

from jostle.findings.evidence import Series, ServerSlower
from jostle.report.rows import shown
from jostle.slowdowns.report.plot import Plot, plot

LONGEST_WORDS = 4000


class ServerPlot(msgspec.Struct, frozen=True):
    """A request that the server answers ever more slowly, as it is told."""

    words: str
    times: Series
    plot: Plot | None


def server(each: ServerSlower) -> ServerPlot:
    return ServerPlot(shown(f"{each}.", LONGEST_WORDS), each.times, plot(each.times, noun="time", unit=" ms"))
