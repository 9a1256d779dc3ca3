"""The repair of a race as a story tells it."""

from __future__ import annotations

import shlex
from pathlib import Path

import msgspec

from jostle.findings.evidence import CodeFix, Repair
from jostle.report.repair_words import headline, order_words, reason, startup_words, test_words
from jostle.report.rows import shown
from jostle.report.screens import Album, Screen

MOST_TRIED = 40
LONGEST = 4000


class RepairStory(msgspec.Struct, frozen=True, kw_only=True):
    """What there is to tell of it."""

    prevents: bool
    head: str
    reason: str
    film: Screen
    orders: tuple[str, ...]
    startup: str
    script: str
    policy: str
    """As JSON."""
    replay: str
    run_test: str
    tested: str
    fix: CodeFix | None
    places: tuple[str, ...]
    tried: tuple[tuple[str, str], ...]


def repair_story(repair: Repair | None, album: Album, directory: Path) -> RepairStory | None:
    if repair is None:
        return None
    policy = msgspec.json.format(msgspec.json.encode(repair.definition), indent=2).decode() if repair.prevents else ""
    return RepairStory(
        prevents=repair.prevents,
        head=shown(headline(repair)),
        reason=shown(reason(repair), LONGEST),
        film=album.screen(repair.film) if repair.film else Screen(""),
        orders=tuple(shown(order_words(each)) for each in repair.orders),
        startup=startup_words(repair),
        script=shown(repair.script),
        policy=shown(policy, LONGEST),
        replay=_command("jostle replay", directory, repair.replay),
        run_test=_command("pytest", directory, repair.test),
        tested=shown(test_words(repair), LONGEST),
        fix=repair.fix,
        places=tuple(shown(each.source) for each in repair.fix.lines if each.source) if repair.fix is not None else (),
        tried=tuple((shown(each.policy), shown(each.why)) for each in repair.tried[:MOST_TRIED]),
    )


def _command(program: str, directory: Path, file: str) -> str:
    return shown(f"{program} {shlex.quote(str(directory / file))}", LONGEST) if file else ""
