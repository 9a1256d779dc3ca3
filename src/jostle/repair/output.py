"""The files that a developer takes along: one script for all races of a run, its policy, tests, and how to use them.

Texts of the application are hostile: in Markdown they stand in code spans, and nothing of them becomes markup. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from jostle.findings import Finding
from jostle.findings.evidence import CodeFix, Repair
from jostle.plural import count
from jostle.repair.playwright_test import beside
from jostle.repair.policy import Policy
from jostle.repair.policy_file import as_json
from jostle.repair.repairing import Repaired, repair_of
from jostle.report.repair_words import headline, order_words, reason, startup_words
from jostle.text import printable

SCRIPT = "jostle-repair.js"
POLICY = "policy.json"
README = "README.md"
REPORT = "report.html"
TESTS = "tests"
_LONGEST = 300
_TICKS = re.compile(r"`+")


def files_of(repaired: Repaired, read: Callable[[str], bytes], url: str) -> dict[str, bytes]:
    """The files by their names in the directory. `read`: what findings name; `url`: of the application."""
    files: dict[str, bytes] = {}
    if repaired.policy is not None:
        files[SCRIPT] = repaired.script.encode()
        files[POLICY] = as_json(repaired.policy).encode()
    for finding in repaired.findings:
        repair = repair_of(finding)
        if repair is None:
            continue
        if repair.test:  # it loads the script of its own race, which must lie beside it
            source = read(repair.test)
            files[f"{TESTS}/{repair.test}"] = source
            files |= {f"{TESTS}/{name}": data for name, data in beside(source.decode(), read).items()}
        if repair.film:
            files[repair.film] = read(repair.film)
    files[README] = "\n".join(_readme(repaired, url, files)).encode("utf-8", "replace")
    return files


def _readme(repaired: Repaired, url: str, files: Mapping[str, bytes]) -> Iterator[str]:
    number, total = len(repaired.prevented), len(repaired.findings)
    yield f"# Repair of {code(url)}"
    yield ""
    if number:
        yield f"{number} of {count(total, 'race')} {'is' if number == 1 else 'are'} prevented by `{SCRIPT}`."
    else:
        yield "No race can be prevented at run time. What to change in the source is told for each."
    yield ""
    if repaired.policy is not None:
        yield from _use(repaired.policy)
    for finding in repaired.findings:
        if (repair := repair_of(finding)) is not None:
            yield from _race(finding, repair, repaired.left_out, files)


def _use(policy: Policy) -> Iterator[str]:
    yield from (
        "## How to use it",
        "",
        "Make it the first script of the page, before every other one, and without `async` or `defer`:",
        "",
        "```html",
        f'<script src="{SCRIPT}"></script>',
        "```",
        "",
        "With a Content-Security-Policy, serve it from an address that the policy allows, or give the element the "
        "nonce of your other scripts.",
        "",
        f"The script enforces the policy in `{POLICY}`, which is part of it. Nothing waits longer than "
        f"{policy.watchdog:g} s. It is a repair until the source is fixed, not a fix: take it out when the tests pass "
        "without it.",
        "",
    )


def _race(finding: Finding, repair: Repair, left_out: Mapping[str, str], files: Mapping[str, bytes]) -> Iterator[str]:
    yield f"## {code(finding.title)}"
    yield ""
    yield f"`{finding.id}`: **{headline(repair)}.** {text(reason(repair))}"
    yield ""
    if why := left_out.get(finding.id):
        yield f"It is not part of `{SCRIPT}`, for the repairs do not go together: {text(why)}"
        yield ""
    for each in repair.orders:
        yield f"- {text(order_words(each))}"
    if repair.startup is not None:
        yield f"- {startup_words(repair)}"
    if repair.orders:
        yield ""
    if repair.film in files:
        yield f"![Both runs side by side: without the repair and with it]({repair.film})"
        yield ""
    if repair.test:
        ran = "which passes" if repair.verified else "which has not been run"
        yield f"Its test, {ran}: `pytest {TESTS}/{repair.test}`"
        yield ""
    if repair.tried and not repair.prevents:
        yield "What was tried:"
        yield ""
        yield from (f"- {text(each.policy)}: {text(each.why)}" for each in repair.tried)
        yield ""
    if repair.fix is not None:
        yield from _fix(repair.fix)


def _fix(fix: CodeFix) -> Iterator[str]:
    yield f"**In the source:** {fix.pattern.value}. {fix.words}"
    yield ""
    places: Sequence[str] = [each.source for each in fix.lines if each.source]
    if places:
        yield f"The code concerned: {', '.join(map(code, places))}"
        yield ""
    if fix.example:
        yield from ("```", *fix.example.splitlines(), "```", "")


def code(words: str) -> str:
    """A text as a code span that it cannot leave."""
    line = " ".join(printable(words).split())[:_LONGEST] or "…"
    ticks = "`" * (1 + max((len(each) for each in _TICKS.findall(line)), default=0))
    return f"{ticks} {line} {ticks}" if "`" in line else f"{ticks}{line}{ticks}"


def text(words: str) -> str:
    """A text in which nothing is markup."""
    line = " ".join(printable(words).split())[: 4 * _LONGEST]
    return re.sub(r"([\\`*_{}\[\]<>()#+!|~&])", r"\\\1", line)
