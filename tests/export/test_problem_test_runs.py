"""Generated tests of what goes wrong, in a user's suite: they fail because of it, and pass where it is mended."""

from __future__ import annotations

import socket
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from jostle.events import Kind, Step, event_of
from jostle.exploring.playwright_test import problem_test
from jostle.findings import Confidence, Finding, FindingKind, Severity
from tests.browser.live import Request, site_served
from tests.export.users_suite import run
from tests.report.evidence_of import evidence_of_defect

PAGE = """<!doctype html><title>Shop</title><link rel=icon href=data:,><button>Buy</button> <a href="LINK">More</a>
<p id=basket></p><script>document.querySelector("button").onclick = () => { ACTION };</script>"""


class Case(NamedTuple):
    """Something that goes wrong, how a page without it reads, and what is known of it."""

    kind: FindingKind
    wrong: str
    right: str
    evidence: dict[str, Any]
    label: str = 'button "Buy"'
    wait: float = 0.0


CASES = {
    "thrown": Case(
        FindingKind.EXCEPTION,
        "setTimeout(() => { throw new TypeError(`No basket ${Math.round(1e6 * Math.random())}`); }, 700)",
        "setTimeout(() => console.error('No basket'), 700)",
        {"message": "Uncaught TypeError: No basket 1234"},
        wait=700.0,
    ),
    "rejected": Case(
        FindingKind.EXCEPTION,
        "Promise.reject({ reason: 1 })",
        "Promise.reject(1).catch(() => {})",
        {"message": "Uncaught (in promise) #<Object>"},
    ),
    "console": Case(
        FindingKind.CONSOLE_ERROR,
        "console.error('basket 12 is lost')",
        "console.warn('basket 12 is lost'); console.error('something else')",
        {"message": "basket 7 is lost"},
    ),
    "refused": Case(
        FindingKind.HTTP_ERROR,
        "fetch('/baskets/12', { method: 'POST' })",
        "fetch('/baskets/12')",
        {"method": "POST", "url": "SITE/baskets/7", "status": 500},
    ),
    "unreachable": Case(
        FindingKind.HTTP_ERROR,
        "fetch('/gone').catch(() => {})",
        "const stop = new AbortController(); fetch('/slow', stop).catch(() => {}); stop.abort()",
        {"method": "GET", "url": "SITE/gone", "status": 0, "error": "ConnectionReset"},
    ),
    "link": Case(
        FindingKind.DEAD_LINK,
        "/nowhere",
        "/baskets/12",
        {"method": "GET", "url": "SITE/nowhere", "status": 404, "resource": "document"},
        label='link "More"',
    ),
    "hangs": Case(FindingKind.HANG, "for (;;) {}", "for (let i = 0; i < 1e6; i++) {}", {"reason": "it hangs"}),
    "invariant": Case(
        FindingKind.BROKEN_INVARIANT,
        "document.getElementById('basket').textContent = '-1'",
        "document.getElementById('basket').textContent = '1'",
        {"invariant": "no debts", "javascript": "!document.getElementById('basket').textContent.startsWith('-')"},
    ),
}


FEW = ("thrown", "refused", "invariant")
OTHERS = tuple(name for name in CASES if name not in FEW)


@pytest.mark.browser
@pytest.mark.parametrize("names", [FEW, pytest.param(OTHERS, marks=pytest.mark.long)], ids=["few", "others"])
@pytest.mark.long
def test_each_kind(names: Sequence[str], tmp_path: Path) -> None:
    cases = {name: CASES[name] for name in names}

    def basket(request: Request) -> str | tuple[int, dict[str, str], str]:
        return (500, {}, "no") if request.command == "POST" else "yes"

    def slow(request: Request) -> str:
        time.sleep(0.3)
        return "late"

    def gone(request: Request) -> None:
        request.connection.shutdown(socket.SHUT_RDWR)  # to close it would leave it open for the next request

    with site_served() as site:
        site.serve({"/baskets/12": basket, "/slow": slow, "/gone": gone})
        for name, case in cases.items():
            for which, action in (("wrong", case.wrong), ("right", case.right)):
                link = action if case.kind is FindingKind.DEAD_LINK else "/"
                page = PAGE.replace("LINK", link).replace("ACTION", action if link == "/" else "")
                site.pages[f"/{name}/{which}"] = page
                text = problem_test(f"{site.url}/{name}/{which}", way(case), finding(case, site.url), name=name)
                (tmp_path / f"test_{name}_{which}.py").write_text(text.replace("LONGEST = 10.0", "LONGEST = 3.0"))
        said = run(tmp_path, timeout=110)
    assert said.keys() == {f"test_{name}_{which}" for name in cases for which in ("wrong", "right")}
    for name, case in cases.items():
        assert f"It is wrong: {case.kind.value}" in said[f"test_{name}_wrong"], said
        assert not said[f"test_{name}_right"], said[f"test_{name}_right"]


def way(case: Case) -> list[Step]:
    role, _, name = case.label.partition(" ")
    where = {"role": role, "name": name.strip('"')}
    event = event_of(kind=Kind.USER, what=f"click {case.label}", detail={"action": "click", "locator": where})
    timer = event_of(kind=Kind.TIMER, what="timeout")
    return [Step(event=event, at=100.0), Step(event=timer, at=100.0 + case.wait)]


def finding(case: Case, site: str) -> Finding:
    evidence = {key: value.replace("SITE", site) if key == "url" else value for key, value in case.evidence.items()}
    return Finding(
        id="x-1",
        technique="explore",
        kind=case.kind,
        confidence=Confidence.WITNESSED,
        severity=Severity.HIGH,
        title=f"It is wrong: {case.kind.value}",
        evidence=evidence_of_defect(case.kind, evidence),
    )
