"""Races for the tests of reports."""

from __future__ import annotations

import io
from functools import cache
from typing import Any

from PIL import Image, ImageDraw

from jostle.findings import Confidence, Finding, FindingKind, Severity
from jostle.findings.evidence import (
    DifferenceKind,
    LoadRaceEvidence,
    ResponseRaceEvidence,
    Role,
    ScheduleEvidence,
)
from jostle.races.report.page import RacesReport
from jostle.races.report.searches import RESPONSES
from tests.report.evidence_of import evidence_of
from tests.report.recordings import HOSTILE

GO, GOPHER = 'type "go" in searchbox "Search"', 'type "gopher" in searchbox "Search"'
ASK_GO, ASK_GOPHER = "GET /api/search?q=go", "GET /api/search?q=gopher"


@cache
def picture(*words: str, size: tuple[int, int] = (1280, 720)) -> bytes:
    """A screen with a line for each of the words."""
    image = Image.new("RGB", size, "white")
    drawing = ImageDraw.Draw(image)
    for n, line in enumerate(words):
        drawing.text((60, 140 + 40 * n), line, fill="black", font_size=18)
    file = io.BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


PICTURES = {
    "ajax-race-1-good.png": picture("gopher, a burrowing rodent"),
    "ajax-race-1-bad.png": picture("go, a board game", "go, a language"),
    "form-1-good.png": picture("zq7", size=(800, 600)),
    "form-1-bad.png": picture("", size=(800, 600)),
}


def entry(what: str, kind: str, role: str, at: float) -> dict[str, Any]:
    return {"what": what, "kind": kind, "role": role, "at": at}


LOADING = [
    entry(f"GET /assets/part-{n}.js" if n % 2 else f"timeout {n} at app.js:{n}:1", "network", "load", 2.0 * n)
    for n in range(12)
]


EVIDENCE: dict[str, type[LoadRaceEvidence | ResponseRaceEvidence | ScheduleEvidence]] = {
    "races init": LoadRaceEvidence,
    "races ajax": ResponseRaceEvidence,
    "races orders": ScheduleEvidence,
}


def finding(evidence: dict[str, Any], changes: dict[str, Any], **fields: Any) -> Finding:
    known = {key: value for key, value in (evidence | changes).items() if value is not ...}
    made = {"technique": "races ajax", "severity": Severity.MEDIUM, **fields}
    return Finding(**made, evidence=evidence_of(EVIDENCE[made["technique"]], known))


def search(**changes: Any) -> Finding:
    """An old answer overwrites a newer one. What is `...` is not known."""
    evidence: dict[str, Any] = {
        "good": {
            "order": [
                *LOADING,
                entry(GO, "user", "first", 40),
                entry(ASK_GO, "network", "late", 42),
                entry(GOPHER, "user", "second", 60),
                entry(ASK_GOPHER, "network", "other", 64),
            ],
            "screen": "ajax-race-1-good.png",
            "replay": "ajax-race-1-good.jostle",
        },
        "bad": {
            "order": [
                *LOADING,
                entry(GO, "user", "first", 40),
                entry(GOPHER, "user", "second", 41),
                entry(ASK_GOPHER, "network", "other", 45),
                entry(ASK_GO, "network", "late", 46),
                entry("GET /thumbs/board.png", "network", "other", 48),
            ],
            "screen": "ajax-race-1-bad.png",
        },
        "differences": [
            {"what": "text", "where": "", "good": "gopher, a burrowing rodent", "bad": "go, a board game"},
            {"what": "text", "where": "", "good": "", "bad": "go, a language"},
            {"what": "url", "where": "", "good": "http://shop.test/?q=gopher", "bad": "http://shop.test/?q=go"},
        ],
        "boxes": [[56, 136, 240, 30], [56, 176, 240, 30]],
        "racing": [
            {
                "event": ASK_GO,
                "source": "/assets/search.js:14:5",
                "first_line": 12,
                "excerpt": [
                    "  const answer = await fetch(`/api/search?q=${box.value}`);",
                    "  const hits = await answer.json();",
                    "  list.replaceChildren(...hits.map(hit => item(hit)));",
                    "}",
                ],
            },
            {"event": ASK_GOPHER, "source": "", "first_line": 1, "excerpt": []},
        ],
        "shared": "ul#hits",
        "held": [ASK_GO],
        "first": GO,
        "second": GOPHER,
        "hint": "Abort the older request before sending a new one (AbortController), or number the requests and drop "
        "an answer that is not the newest.",
        "test": "test_ajax_race_1.py",
    }
    return finding(
        evidence,
        changes,
        id="ajax-race-1",
        kind=FindingKind.AJAX_RACE,
        confidence=Confidence.WITNESSED,
        title="The answer to an older search overwrites the newer one",
        events=(GO, GOPHER),
        replay="ajax-race-1-bad.jostle",
    )


def overwritten(**changes: Any) -> Finding:
    """What is typed while the page loads gets lost."""
    typed = 'type "zq7" in textbox "Your name"'
    evidence: dict[str, Any] = {
        "good": {
            "order": [entry("GET /form.js", "network", "late", 3), entry(typed, "user", "first", 9)],
            "screen": "form-1-good.png",
            "replay": "form-1-good.jostle",
        },
        "bad": {
            "order": [entry(typed, "user", "first", 2), entry("GET /form.js", "network", "late", 8)],
            "screen": "form-1-bad.png",
        },
        "differences": [{"what": "form", "where": "input#name", "good": "zq7", "bad": ""}],
        "boxes": [[50, 130, 100, 40]],
        "racing": [{"event": "GET /form.js", "source": "/form.js:1:70", "first_line": 1, "excerpt": ["x" * 900]}],
        "shared": "input#name",
        "held": ["GET /form.js"],
        "first": typed,
        "second": "",
        "hint": "Set the field in the HTML, or only when it is still as the HTML has it.",
        "test": None,
    }
    return finding(
        evidence,
        changes,
        id="form-1",
        technique="races init",
        kind=FindingKind.FORM_INPUT_OVERWRITTEN,
        confidence=Confidence.WITNESSED,
        severity=Severity.HIGH,
        title="What is typed in “Your name” while the page loads gets lost",
        replay="form-1-bad.jostle",
    )


def predicted(**changes: Any) -> Finding:
    """A handler that comes late, seen by nobody."""
    evidence: dict[str, Any] = {
        "racing": [{"event": "click", "source": "/menu.js:3:1", "first_line": 3, "excerpt": ["menu.onclick = open;"]}],
        "shared": "a.menu",
        "held": ["GET /menu.js"],
        "first": 'click link "Menu"',
        "differences": [{"what": "url", "where": "", "good": "http://shop.test/", "bad": "http://shop.test/menu"}],
    }
    return finding(
        evidence,
        changes,
        id="late-1",
        technique="races init",
        kind=FindingKind.LATE_HANDLER,
        confidence=Confidence.PREDICTED,
        severity=Severity.HIGH,
        title="“Menu” has no handler until menu.js has run",
    )


def bare(kind: FindingKind = FindingKind.AJAX_RACE, **fields: Any) -> Finding:
    """Of which nothing is known."""
    given = {"id": "bare", "kind": kind, "confidence": Confidence.ADVERSE, "title": "Something"}
    return finding({}, {}, **given | fields)


OTHERS = (
    ('click button "Like" → click button "Like"', "passed", "both orders end the same"),
    (f"{GO} → click link “Basket”", "infeasible", "the link is gone after the first action"),
)
NOISE = ("p#clock: the time of day", "how the page looks")
STATS = {"user events": 6, "pairs": 14, "runs": 31, "ratio": 3.14159, "seconds": 21.4, "warm": True}


def report(*findings: Finding, **changes: Any) -> RacesReport:
    fields: dict[str, Any] = {
        "url": "http://shop.test/search",
        "search": RESPONSES,
        "findings": findings,
        "others": OTHERS,
        "noise": NOISE,
        "stats": STATS,
        "directory": "runs/one of many",
        "pictures": PICTURES,
    }
    return RacesReport(**fields | changes)


def hostile(text: str = HOSTILE) -> RacesReport:
    """Every text that a page or a server can choose is this one."""
    order = [entry(text, "network", role, 1) for role in Role]
    evidence: dict[str, Any] = {
        "good": {"order": order, "screen": text, "replay": text},
        "bad": {"order": order[::-1], "screen": "ajax-race-1-bad.png"},
        "differences": [
            {"what": what, "where": text, "good": good, "bad": bad}
            for what in DifferenceKind
            for good, bad in ((text, f"{text} 2"), ("", text), (text, ""))
        ],
        "boxes": [[0, 0, 1e9, 1e9], [-5, -5, 1, 1]],
        "racing": [{"event": text, "source": text, "first_line": 1, "excerpt": [text, text]}],
        "shared": text,
        "held": [text, f"{text} 2"],
        "first": text,
        "second": f"{text} 3",
        "hint": text,
        "test": text,
    }
    kinds_of_finding, confidences = list(FindingKind)[:6], list(Confidence)
    made = [
        finding(
            evidence,
            {"differences": [each, *evidence["differences"]], "held": evidence["held"][: n % 3]},
            id=f"race-{n}",
            kind=kinds_of_finding[n % 6],
            confidence=confidences[n // 2 % 3],
            title=text,
            events=(text,) * 3,
            replay=text,
        )
        for n, each in enumerate(evidence["differences"])
    ]
    return report(
        *made,
        url=text,
        others=((text,) * 3,),
        noise=(text,),
        stats={text: text, "pairs": 1},
        directory=text,
    )
