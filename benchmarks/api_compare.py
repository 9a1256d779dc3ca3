"""What is learned, beside what mitmproxy2swagger and har-to-openapi make of the same HAR files: `python -m
benchmarks.api_compare`. As in `api_quality`, requests and a reference that was written by hand decide.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import msgspec

from benchmarks.api_quality import Score, score
from benchmarks.api_subjects import SUBJECTS, Subject, sessions
from benchmarks.api_tools import TOOLS, har_of, members
from jostle.errors import Problem
from jostle.recording.file import Recording
from jostle.serverapi.ail_parser import read_ail
from jostle.serverapi.files import combined
from jostle.serverapi.har import read_har
from jostle.serverapi.learning import learn
from jostle.serverapi.matching import Matcher
from jostle.serverapi.sample import Sample
from jostle.serverapi.traffic import read_traffic

INTERFACES = Path(__file__).parent / "interfaces"


def row(
    subject: Subject, tool: str, groups: Sequence[Sequence[int]], samples: Sequence[Sample], reference: Matcher
) -> str:
    got: Score = score(samples, groups, reference)
    used = {reference.number_for(each.request) for each in samples} - {None}
    missed = len(used) - got.operations
    figures = (subject.name, tool, len(groups), f"{got.matched} of {len(used)}", got.merged, got.split, missed)
    return f"| {' | '.join(map(str, figures))} |"


def rows(subject: Subject, folder: Path) -> list[str]:
    recording = combined([Recording.read(file) for file in sessions(subject)])
    api = api_only(recording, subject)
    har = folder / f"{subject.name}.har"
    har.write_text(json.dumps(har_of(api)))
    again = read_har(har)  # everybody gets the same file
    traffic = read_traffic(again.exchanges, again.body_of)
    reference = Matcher(read_ail(INTERFACES / f"{subject.name}.ail"))
    learned = learn(traffic.samples, traffic.base)
    groups: Sequence[Sequence[int]] = [each.samples for each in learned.members]
    found = [row(subject, "jostle", groups, traffic.samples, reference)]
    for name, tool in TOOLS.items():
        note = ""
        try:
            made = tool(har, traffic.base, folder)
        except Problem:
            note = ", without the bodies of forms, which it cannot read"
            har.write_text(json.dumps(har_of(_without_forms(api))))
            made = tool(har, traffic.base, folder)
        groups = members(made, traffic.samples)
        found.append(row(subject, f"{name}{note}", groups, traffic.samples, reference))
    return found


def _without_forms(recording: Recording) -> Recording:
    exchanges = [
        msgspec.structs.replace(each, request_body=b"")
        if any(value.startswith("application/x-www-form") for _, value in each.request_headers)
        else each
        for each in recording.exchanges
    ]
    return Recording(manifest=recording.manifest, exchanges=exchanges, bodies=recording.bodies)


def api_only(recording: Recording, subject: Subject) -> Recording:
    """Only requests that belong to the interface: neither tool tells them from files of the page."""
    traffic = read_traffic(recording.exchanges, recording.body_of, page=recording.manifest.url)
    chosen = {each.exchange for each in traffic.samples}
    exchanges = [each for number, each in enumerate(recording.exchanges) if number in chosen]
    return Recording(manifest=recording.manifest, exchanges=exchanges, bodies=recording.bodies)


def main() -> int:
    print("| application | tool | operations | exact | merged wrongly | split wrongly | not described |")
    print("| --- | --- | ---: | ---: | ---: | ---: | ---: |")
    with tempfile.TemporaryDirectory(prefix="jostle-api-") as scratch:
        for subject in SUBJECTS:
            for line in rows(subject, Path(scratch)):
                print(line, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
