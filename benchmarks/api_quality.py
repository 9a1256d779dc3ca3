"""Learned interfaces beside ones that were written by hand from the source: `python -m benchmarks.api_quality`.

As in the publication: an operation of the server is *matched* if one learned operation stands for it and for nothing
else, *split* if several do (1→N), *merged* if one learned operation stands for several (N→1). Requests decide.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from jostle.serverapi.ail_parser import read_ail
from jostle.serverapi.files import combined, read_source
from jostle.serverapi.learning import learn
from jostle.serverapi.matching import Matcher
from jostle.serverapi.sample import Sample
from jostle.serverapi.schemas import Schemas
from jostle.serverapi.traffic import read_traffic

ROOT = Path(__file__).parents[1]
_SESSIONS = ROOT / "benchmarks/sessions"
SUBJECTS = {
    "larder": sorted((ROOT / "src/jostle/examples/sessions").glob("larder-*.jostle")),
    **{name: sorted(_SESSIONS.glob(f"api-{name}-*.jostle")) for name in ("isso", "transmission-daemon")},
}
"""Recorded sessions by the name of the reference in `benchmarks/interfaces`."""


class Score(NamedTuple):
    """How a learned description fits a reference."""

    operations: int
    """Of the server, as far as they were used."""
    matched: int
    split: int
    merged: int
    unknown: int
    """Requests that the reference does not know."""


def score(samples: Sequence[Sample], members: Sequence[Sequence[int]], reference: Matcher) -> Score:
    """`members`: for each learned operation the positions of its samples."""
    stands_for: dict[int, set[int]] = defaultdict(set)
    learned_as: dict[int, set[int]] = defaultdict(set)
    unknown = 0
    for number, positions in enumerate(members):
        for position in positions:
            true = reference.number_for(samples[position].request)
            if true is None:
                unknown += 1
                continue
            stands_for[number].add(true)
            learned_as[true].add(number)
    merged = {true for true, numbers in learned_as.items() if any(len(stands_for[each]) > 1 for each in numbers)}
    split = {true for true, numbers in learned_as.items() if len(numbers) > 1} - merged
    return Score(len(learned_as), len(learned_as) - len(merged) - len(split), len(split), len(merged), unknown)


def subject(name: str, files: Sequence[Path] = ()) -> tuple[list[Sample], Matcher]:
    """The samples of a subject, or of some of its files, and its reference."""
    reference = read_ail(ROOT / "benchmarks" / "interfaces" / f"{name}.ail")
    recording = combined([read_source(file) for file in files or SUBJECTS[name]])
    traffic = read_traffic(recording.exchanges, recording.body_of, page=recording.manifest.url)
    return traffic.samples, Matcher(reference)


def judged(name: str, files: Sequence[Path], *, repaired: bool) -> tuple[int, Score]:
    """The number of samples, and how what is learned from them fits the reference."""
    samples, reference = subject(name, files)
    learned = learn(samples, reference.description.base, repaired=repaired)
    return len(samples), score(samples, [each.samples for each in learned.members], reference)


def described_elsewhere(name: str, files: Sequence[Path], *, repaired: bool) -> tuple[int, int]:
    """Learned from one session each: how many requests of the others, to operations that were used in it, are
    described; and how many there are."""
    described = total = 0
    sessions = [subject(name, [file])[0] for file in files]
    reference = subject(name, files[:1])[1]
    for number, samples in enumerate(sessions):
        learned = learn(samples, reference.description.base, repaired=repaired)
        matcher = Matcher(learned.description, Schemas(learned.schemas), lenient=True)
        used = {reference.number_for(each.request) for each in samples}
        others = [each.request for other in sessions[:number] + sessions[number + 1 :] for each in other]
        asked = [each for each in others if reference.number_for(each) in used]
        described += sum(matcher.number_for(each) is not None for each in asked)
        total += len(asked)
    return described, total


def main() -> int:
    print("| learner | operations used | match | 1→N | N→1 | from one session: requests of the others described |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    wrong = 0
    for name, files in SUBJECTS.items():
        for repaired in (True, False):
            how = "repaired" if repaired else "as published"
            _, got = judged(name, files, repaired=repaired)
            described, total = described_elsewhere(name, files, repaired=repaired)
            share = f"{described} of {total} ({described / total:.0%})"
            print(f"| {name}, {how} | {got.operations} | {got.matched} | {got.split} | {got.merged} | {share} |")
            wrong += repaired and (got.matched < got.operations or got.unknown > 0)
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
