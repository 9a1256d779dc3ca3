"""What a run found as workflow commands of GitHub Actions (Gitea and Forgejo read them too): marks beside the code.

Whatever a page calls its parts stays a text: it can neither end the command it stands in nor begin one of its own.
"""

from __future__ import annotations

from jostle.findings import Finding
from jostle.findings.gating import Gated, Standing, gate
from jostle.report.places import places
from jostle.report.run_outcome import RunOutcome, line
from jostle.report.story import commands

LONGEST = 1000
_LEVELS = {Standing.FAILS: "error", Standing.TOLERATED: "warning", Standing.KNOWN: "notice"}
_SEVERITIES = ("high", "medium", "low")
_IN_DATA = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_IN_PROPERTY = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"})


def lines(run: RunOutcome, gated: Gated | None = None, *, directory: str = "", root: str = "") -> list[str]:
    """One for each finding, those that fail first and the worst first: GitHub shows ten of a level for a step.

    `directory`: of the run, for the commands; `root`: as for `places`.
    """
    decided = gated if gated is not None else gate(run.findings)
    order = list(_LEVELS)

    def place(finding: Finding) -> tuple[int, int]:
        return order.index(decided.standing(finding)), _SEVERITIES.index(finding.severity.value)

    told = [_finding(each, decided.standing(each), run, directory, root) for each in sorted(run.findings, key=place)]
    if run.status != "finished":
        why = line(run.error or "what it had found by then is told, the rest is not")
        told.insert(0, command("error", f"jostle {line(run.command)}: the run is {line(run.status)}: {why}"))
    told += [
        command("notice", f"{line(each.title, LONGEST)} ({line(each.id)})", title="jostle: not seen, perhaps fixed")
        for each in decided.gone
    ]
    return told


def command(level: str, message: str, **properties: str | int) -> str:
    """One line; everything in it but `level` and the names of properties may be any text."""
    given = ",".join(f"{name}={str(value).translate(_IN_PROPERTY)}" for name, value in properties.items() if value)
    return f"::{level}{f' {given}' if given else ''}::{message.translate(_IN_DATA)}"


def unheard(token: str) -> tuple[str, str]:
    """Two lines, between which no line is taken for a command: texts of pages are among the progress of a run.

    `token`: nobody may be able to guess it (`secrets.token_hex`).
    """
    return f"::stop-commands::{token}", f"::{token}::"


def _finding(finding: Finding, standing: Standing, run: RunOutcome, directory: str, root: str) -> str:
    found = next((each for each in places(finding, run.url, root=root) if each.own), None)
    known = "known, " if standing is Standing.KNOWN else ""
    message = [line(finding.title, LONGEST)]
    if finding.events:
        message.append("Steps: " + line(" → ".join(finding.events), LONGEST))
    message += [line(each, LONGEST) for each in commands(finding, directory=directory)]
    return command(
        _LEVELS[standing],
        "\n".join(message),
        file=line(found.file) if found else "",
        line=found.line if found else 0,
        col=found.column if found else 0,
        title=f"jostle: {finding.kind.value} ({known}{finding.severity.value}) {line(finding.id)}",
    )
