"""What `jostle check` found as one HTML file: an overview, each finding as a story, and the application as it was met.

Stories, pictures and tests lie in the document as plain texts; its script makes elements of a story when it is opened.
So a report of hundreds of findings is shown as fast as one of ten.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import blake2s
from typing import Any

import msgspec
from markupsafe import Markup

from jostle.findings import Finding
from jostle.findings.evidence import UnreadableEvidence
from jostle.model.machine import Machine
from jostle.model.macros_file import Macros
from jostle.plural import count
from jostle.report import check_overview as overview
from jostle.report import macros as macro_report
from jostle.report.check_model import cut
from jostle.report.check_stories import Card, RunFiles, Teller, ends_in, rank, templates
from jostle.report.document import in_script, own, policy
from jostle.report.kinds import KINDS
from jostle.report.model_section import StateMark, model_section
from jostle.report.ranking import CONFIDENCES, SEVERITIES
from jostle.report.rows import shown
from jostle.report.run_summary import RunSummary, SearchSummary
from jostle.report.screens import Album
from jostle.report.technique import ReportedTechniques

MOST_SUPPRESSED = 500
MOST_OTHERS = 200
"""Of each search."""
MOST_NOISE = 200
MOST_REMARKS = 200
_STATUSES = {
    "running": "The run is still going on: this is what is known so far.",
    "interrupted": "The run was interrupted: this is what was known until then.",
}


class CheckReport(msgspec.Struct, frozen=True, kw_only=True):
    """What there is to tell of a run, as far as it is there."""

    url: str
    """Or what else was looked at."""
    about: str = "what a check found"
    findings: tuple[Finding, ...] = ()
    lost: bool = False
    """The findings could not be read: that there are none here says nothing."""
    suppressed: tuple[tuple[Finding, str], ...] = ()
    """What a filter called harmless, with the reason."""
    told: RunSummary = RunSummary()
    machine: Machine = Machine()
    thumbnails: Mapping[str, bytes] = {}
    """JPEG by the digest of the state."""
    pictures: Mapping[str, bytes] = {}
    """PNG by its name."""
    macros: Macros | None = None
    notes: tuple[str, ...] = ()
    limits: tuple[str, ...] = ()
    unreadable: tuple[str, ...] = ()
    """What of the run could not be read, in words."""
    status: str = "finished"
    """Or `running`, `interrupted`, `failed`."""
    error: str = ""
    started: str = ""
    seconds: float | None = None
    seed: int = 0
    jostle: str = ""
    browser: str = ""
    options: Mapping[str, Any] = {}
    files: RunFiles


def page(report: CheckReport, techniques: ReportedTechniques, *, live: str | None = None) -> str:
    """A self-contained HTML document: it loads nothing, and texts of the application stay texts in it.

    `techniques`: those that may have found something.
    `live`: for a server that tells at `/events` how the run goes on; the version of what is shown here.
    """
    template = templates().get_template("check.html")
    extra = ("live",) if live is not None else ()
    style = "".join(
        (
            *(own(f"{name}.css") for name in ("base", "stories", "compare")),
            *dict.fromkeys(own(name, each.package) for each in techniques.values() for name in each.styles),
            *(own(f"{name}.css") for name in ("model", "macro", "check", *extra)),
        )
    )
    script = "".join(own(f"{name}.js") for name in ("copy", "model", "compare", "check", *extra))
    album = Album(report.pictures, apart=True)
    machine, cards, tests = _cards(report, album, techniques)
    told, seconds = report.told, report.told.seconds or report.seconds
    words = overview.Overview(told, techniques)
    return template.render(
        style=Markup(style),  # noqa: S704
        script=Markup(script),  # noqa: S704
        policy=policy(style=style, script=script, pictures=True, asks=live is not None),
        live=live,
        about=report.about,
        url=shown(report.url),
        found="The findings cannot be read" if report.lost else words.found(cards, going=report.status == "running"),
        looked_at=overview.severities(cards),
        tone=_tone(report, cards),
        stories=cards,
        cards=cards,
        status=_status(report),
        sentence=words.sentence(report.machine, cards, seconds, lost=report.lost),
        meaning=words.meaning(report.machine) if not cards and not report.lost else [],
        lost=report.lost,
        facts=words.facts(
            started=report.started,
            seconds=seconds,
            browser=report.browser,
            seed=report.seed,
            version=report.jostle,
            options=report.options,
        ),
        figures=overview.figures(told, report.machine),
        severities=[each.value for each in SEVERITIES],
        kinds=overview.kinds(cards),
        techniques=_techniques(cards, techniques),
        searches=words.searches(cards),
        not_covered=list(words.not_covered(report.machine)),
        left_alone=overview.left_alone(told),
        limits=_cut(report.limits, MOST_REMARKS),
        unreadable=_cut(_unreadable(report, album), MOST_REMARKS),
        suppressed=[
            (KINDS[each.kind].name, shown(each.title), shown(reason))
            for each, reason in report.suppressed[:MOST_SUPPRESSED]
        ],
        number_of_suppressed=len(report.suppressed),
        others=[_others(each, words) for each in told.searches if each.others],
        noise=_cut(list(dict.fromkeys(each for search in told.searches for each in search.noise)), MOST_NOISE),
        notes=_cut(report.notes, MOST_REMARKS),
        remarks=[remark for each in techniques.values() if (remark := each.remarks(told))],
        macros=macro_report.told(report.macros) if report.macros is not None else [],
        helps=[
            (kind.name, kind.what) for key, kind in KINDS.items() if any(each.kind is key for each in report.findings)
        ],
        confidences=CONFIDENCES.values(),
        directory=shown(report.files.directory),
        pictures_apart=album.apart,
        tests=in_script(_in_blocks(tests)),
        left_out=_left_out(report.machine, machine),
        **model_section(
            machine, report.thumbnails, [StateMark(each.state, each.title, f"finding-{each.id}") for each in cards]
        ),
    )


def _cards(
    report: CheckReport, album: Album, techniques: ReportedTechniques
) -> tuple[Machine, list[Card], dict[str, str]]:
    """The part of the model that is drawn, the findings, the worst first, and the tests of these."""
    findings = sorted(report.findings, key=lambda each: rank(each, techniques))
    ends = [ends_in(each, report.machine) for each in findings]
    states = [report.machine.states[n] if n is not None else None for n in ends]
    machine = cut(report.machine, [state for state in states if state is not None])
    drawn = {state.digest: n for n, state in enumerate(machine.states)}
    teller = Teller(report.url, report.files, album, techniques)
    cards = [
        teller.card(each, drawn.get(state.digest) if state is not None else None, _name(each.id))
        for each, state in zip(findings, states, strict=True)
    ]
    return machine, cards, teller.tests


def _name(finding: str) -> str:
    """What the parts of a document are called that belong to a finding: the same in every report."""
    return f"story-{blake2s(finding.encode('utf-8', 'surrogatepass'), digest_size=6).hexdigest()}"


def _tone(report: CheckReport, cards: Sequence[Card]) -> str:
    if not cards:
        doubtful = report.status == "running" or overview.nothing_tried(report.told)
        return "bad" if report.lost else "warn" if doubtful else "good"
    return "warn" if all(each.weak or each.severity == "low" for each in cards) else "bad"


def _techniques(cards: Sequence[Card], techniques: ReportedTechniques) -> dict[str, str]:
    """Those with findings, in the order in which they are always told."""
    known = {each.technique: each.technique_name for each in cards}
    return {name: known[name] for name in (*techniques, *known) if name in known}


def _status(report: CheckReport) -> str:
    if report.status == "failed":
        return f"The run failed before its end: {shown(report.error) or 'nobody knows why'}"
    return _STATUSES.get(report.status, "")


def _unreadable(report: CheckReport, album: Album) -> list[str]:
    full = f"{count(album.left_out, 'picture')} not put into this file, which would become too large."
    evidence = [
        f"The evidence of {each.id} cannot be read: {each.evidence.why}."
        for each in report.findings
        if isinstance(each.evidence, UnreadableEvidence)
    ]
    return [*report.unreadable, *evidence, *([full] if album.left_out else [])]


def _left_out(whole: Machine, drawn: Machine) -> str:
    if len(drawn) == len(whole):
        return ""
    return (
        f"Drawn are {len(drawn):,} of {count(len(whole), 'state')}: those in which something was found, with the ways "
        "that lead there, and those nearest to the start."
    )


def _others(search: SearchSummary, words: overview.Overview) -> dict[str, Any]:
    return {
        "what": words.what(search),
        "rows": [tuple(shown(each) for each in row) for row in search.others[:MOST_OTHERS]],
        "number": len(search.others),
    }


def _cut(texts: Sequence[str], most: int) -> list[str]:
    more = [f"… and {len(texts) - most:,} more"] if len(texts) > most else []
    return [*(shown(each) for each in texts[:most]), *more]


def _in_blocks(tests: Mapping[str, str]) -> dict[str, Any]:
    """Generated tests are alike for the most part: each block of them once, and of each test its blocks."""
    blocks: dict[str, int] = {}
    made = {
        name: [blocks.setdefault(block, len(blocks)) for block in source.split("\n\n")]
        for name, source in tests.items()
    }
    return {"blocks": list(blocks), "tests": made}
