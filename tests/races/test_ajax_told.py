"""What a race of responses is called."""

from __future__ import annotations

from jostle.findings.evidence import DifferenceKind, OutcomeDifference
from jostle.races.responses.conflict import candidates
from jostle.races.responses.told import _title
from jostle.races.responses.verdict import ExaminedPair, PairVerdict
from tests.races.test_ajax_conflict import LIST, answer, asks, user, writes


def test_it_is_called_by_what_was_asked_for_not_by_its_spinner() -> None:
    event = user("click A")
    [pair] = candidates([asks("click A", writes("div#out", LIST))])
    late = (answer("GET /spinner.gif", event, "image"), answer("GET /results", event))
    differs = OutcomeDifference(what=DifferenceKind.TEXT, where="", good="six", bad="five")
    examined = ExaminedPair(candidate=pair, verdict=PairVerdict.RACE, late=late, differences=(differs,))
    assert "GET /results" in _title(examined)
