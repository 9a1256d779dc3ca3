"""What is learned from people who used the example application, beside what its source says."""

from __future__ import annotations

from benchmarks.api_quality import Score, score, subject
from jostle.serverapi.learning import learn
from tests.serverapi.making import patterns


def test_every_operation_that_was_used_is_learned_as_one() -> None:
    samples, reference = subject("larder")
    learned = learn(samples, reference.description.base)
    got = score(samples, [each.samples for each in learned.members], reference)
    assert got == Score(operations=11, matched=11, split=0, merged=0, unknown=0)
    assert "GET larder/api/recipes(category:*, page:int)" in patterns(learned)


def test_scores_tell_what_is_split_and_merged() -> None:
    samples, reference = subject("larder")
    learned = learn(samples, reference.description.base)
    everything = [[position for each in learned.members for position in each.samples]]
    assert score(samples, everything, reference).merged == 11
    apart = [[position] for position in range(len(samples))]
    assert score(samples, apart, reference).split > 5
