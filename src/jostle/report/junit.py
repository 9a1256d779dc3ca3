"""What a run found as JUnit XML, in the dialect that GitLab, Jenkins and the reporters of GitHub read.

A suite for each technique: a test for each finding, one for a search that found nothing, one that is skipped for what
was not tried. A finding that does not make the run fail (it is known, or nobody asked for it) is skipped, with the
reason. The first suite is the run itself: it has an error when the run came to no end.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from pathlib import PurePath

from jostle.findings import Finding
from jostle.findings.gating import Gated, Standing, gate
from jostle.plural import count
from jostle.report.places import places
from jostle.report.run_outcome import RunOutcome, line, text
from jostle.report.run_summary import SearchSummary
from jostle.report.story import commands, story

LONGEST_STORY = 20_000
_SEVERITIES = ("high", "medium", "low")
_WHY_SKIPPED = {
    Standing.KNOWN: "known: it is in the baseline",
    Standing.TOLERATED: "found, but --fail-on does not ask for it",
}
_ATTACHMENT = "[[ATTACHMENT|"
_BRACKETS = re.compile(r"\[(?=\[)")


def report(
    run: RunOutcome,
    searches: Sequence[SearchSummary] = (),
    gated: Gated | None = None,
    *,
    directory: str = "",
    root: str = "",
) -> str:
    """The XML. `directory`: of the run, for the commands and pictures; `root`: as for `places`."""
    decided = gated if gated is not None else gate(run.findings)
    by_technique: dict[str, list[Finding]] = {search.name: [] for search in searches}
    for finding in run.findings:
        by_technique.setdefault(finding.technique, []).append(finding)
    if not by_technique:
        by_technique[run.command] = []
    known = {search.name: search for search in searches}
    suites = ET.Element("testsuites", name=f"jostle {line(run.command)}")
    suites.append(_run_itself(run, decided))
    for name, findings in by_technique.items():
        search = known.get(name, SearchSummary(name=name))
        cases = [_found(each, run, decided, directory, root) for each in sorted(findings, key=_worst)]
        # Without searches nothing is known of what was tried: whatever ended by itself and found nothing has passed.
        ended = name in known or run.status == "finished"
        suites.append(
            _suite(f"jostle {name}", search.seconds or 0.0, [*cases, *_not_found(search, bool(cases), ended)], search)
        )
    for total in ("tests", "failures", "errors", "skipped"):
        suites.set(total, str(sum(int(suite.attrib[total]) for suite in suites)))
    suites.set("time", f"{run.seconds:.3f}")
    ET.indent(suites)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(suites, encoding="unicode") + "\n"


def _run_itself(run: RunOutcome, gated: Gated) -> ET.Element:
    case = _case("jostle", "the run came to its end")
    if run.status != "finished":
        why = line(run.error or f"the run is {run.status}: what it had found by then is here, the rest is not")
        ET.SubElement(case, "error", message=why, type=line(run.status)).text = _unattached(why)
    said = [f"Limit: {line(each)}" for each in run.limits]
    said += [f"Perhaps fixed: {line(each.title)} ({line(each.id)})" for each in gated.gone]
    said += [f"Known by another id: {line(each.finding.id)} was {line(each.known.id)}" for each in gated.moved]
    _say(case, "\n".join(said))
    properties = {
        "jostle": run.jostle,
        "command": run.command,
        "url": run.url or "",
        "seed": run.seed,
        "status": run.status,
    }
    return _with_counts("jostle", run.seconds, [case], properties)


def _suite(name: str, seconds: float, cases: Sequence[ET.Element], search: SearchSummary) -> ET.Element:
    return _with_counts(name, seconds, cases, {"tried": search.tried or "", "not tried": search.not_tried or ""})


def _with_counts(name: str, seconds: float, cases: Sequence[ET.Element], properties: dict[str, object]) -> ET.Element:
    counts = {
        "tests": len(cases),
        **{f"{what}s": sum(case.find(what) is not None for case in cases) for what in ("failure", "error")},
        "skipped": sum(case.find("skipped") is not None for case in cases),
    }
    suite = ET.Element("testsuite", name=line(name), time=f"{seconds:.3f}")
    suite.attrib |= {what: str(number) for what, number in counts.items()}
    _add_properties(suite, properties)
    suite.extend(cases)
    return suite


def _found(finding: Finding, run: RunOutcome, gated: Gated, directory: str, root: str) -> ET.Element:
    case = _case(
        f"jostle.{finding.technique.replace(' ', '-')}.{finding.kind.value}", f"{finding.title} [{finding.id}]"
    )
    found = next((each for each in places(finding, run.url, root=root) if each.own), None)
    if found is not None:
        case.set("file", line(found.file))
        if found.line:
            case.set("line", str(found.line))
    standing = gated.standing(finding)
    _add_properties(
        case,
        {
            "id": finding.id,
            "severity": finding.severity.value,
            "confidence": finding.confidence.value,
            "standing": standing.value,
            "replay": finding.replay or "",
            "test": finding.evidence.generated_test,
        },
    )
    if standing is Standing.FAILS:
        failure = ET.SubElement(case, "failure", message=line(finding.title), type=finding.kind.value)
        failure.text = _unattached("\n".join((line(finding.title), *commands(finding, directory=directory))))
    else:
        ET.SubElement(case, "skipped", message=_WHY_SKIPPED[standing])
    _say(case, story(finding, run.url, directory=directory, root=root), _picture(finding, directory))
    return case


def _not_found(search: SearchSummary, found: bool, ended: bool) -> list[ET.Element]:
    """For a search that found nothing, and for what was not tried."""
    cases = []
    what, classname = search.what or search.name, f"jostle.{search.name.replace(' ', '-')}"
    whole = not search.tried and (search.not_tried or search.why or not ended)
    if not found and not whole:
        case = _case(classname, what, search.seconds or 0.0)
        _say(case, f"{count(search.tried, 'case')} tried, nothing found." if search.tried else "Nothing found.")
        cases.append(case)
    if whole or search.not_tried:
        number = f"{search.not_tried:,} of {(search.tried or 0) + search.not_tried:,}" if search.not_tried else "this"
        case = _case(classname, f"{what}: what was not tried")
        why = line(search.why) or ("the time was up" if ended else "the run came to no end")
        ET.SubElement(case, "skipped", message=f"{number} not tried: {why}")
        cases.append(case)
    return cases


def _case(classname: str, name: str, seconds: float = 0.0) -> ET.Element:
    return ET.Element("testcase", classname=line(classname), name=line(name), time=f"{seconds:.3f}")


def _add_properties(element: ET.Element, properties: dict[str, object]) -> None:
    known = {name: line(value) for name, value in properties.items() if value != ""}
    if known:
        parent = ET.SubElement(element, "properties")
        for name, value in known.items():
            ET.SubElement(parent, "property", name=name, value=value)


def _say(case: ET.Element, words: str, picture: str = "") -> None:
    said = _unattached(text(words, LONGEST_STORY))
    if said or picture:
        ET.SubElement(case, "system-out").text = "\n".join(filter(None, (said, picture)))


def _unattached(words: str) -> str:
    """GitLab and Jenkins take `[[ATTACHMENT|file]]` for a file to show: only we may name one."""
    return _BRACKETS.sub("[ ", words)


def _picture(finding: Finding, directory: str) -> str:
    _, screen = finding.evidence.end_screens
    if not directory or not screen or PurePath(screen).name != screen or not set(screen).isdisjoint("|[]\n"):
        return ""
    return f"\n{_ATTACHMENT}{line(PurePath(directory, screen))}]]"


def _worst(finding: Finding) -> tuple[int, str]:
    return _SEVERITIES.index(finding.severity.value), finding.id
