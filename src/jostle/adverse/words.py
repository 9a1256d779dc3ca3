"""Actions of a test in the words of people: `click button "Save"`."""

from __future__ import annotations

import re
from urllib.parse import urlunsplit

from jostle.addresses import split_url

_SELECTOR = re.compile(r"selector=(['\"])(.*)\1>$", re.DOTALL)
_ROLE = re.compile(r"internal:role=([\w-]+)((?:\[[^\]]*\])*)")
_NAME = re.compile(r'\[name=("(?:[^"\\]|\\.)*"|/[^\]]*/)[is]?\]')
_TEXT = re.compile(r'internal:(text|label|has-text|has-not-text)=("(?:[^"\\]|\\.)*"|/.*/)[is]?')
_ATTRIBUTE = re.compile(r'internal:(?:attr|testid)=\[([\w-]+)=("(?:[^"\\]|\\.)*"|/.*/)[is]?\]')
_KNOWN = {"placeholder": "field", "alt": "picture", "title": "element titled"}
LONGEST = 120


def selector(locator: object) -> str:
    """As Playwright keeps it; its own words for a locator hold the address of the page, which changes."""
    found = _SELECTOR.search(repr(locator))
    return found[2].replace("\\'", "'") if found else ""


def people(selector: str) -> str:
    """`internal:role=button[name="Save"i] >> nth=0` is `button "Save", the first`."""
    words = [_part(part.strip()) for part in selector.split(" >> ")]
    told = " ".join(word for word in words if word).replace(" ,", ",").strip()
    return told if len(told) <= LONGEST else told[: LONGEST - 1] + "…"


def _part(part: str) -> str:
    if part == "internal:control=enter-frame":
        return "›"
    if found := _ROLE.fullmatch(part):
        name = _NAME.search(found[2])
        return f"{found[1]} {name[1]}" if name else found[1]
    if found := _TEXT.fullmatch(part):
        words = {"text": "text", "label": "field", "has-text": "with text", "has-not-text": "without text"}
        return f"{words[found[1]]} {found[2]}"
    if found := _ATTRIBUTE.fullmatch(part):
        return f"{_KNOWN[found[1]]} {found[2]}" if found[1] in _KNOWN else f"[{found[1]}={found[2]}]"
    if part.startswith("nth="):
        number = part.removeprefix("nth=")
        return ", the last" if number == "-1" else f", number {int(number) + 1}" if number.isdigit() else part
    return part.removeprefix("css=")


def path(address: str) -> str:
    """An address without where it is."""
    parts = split_url(address)
    return urlunsplit(("", "", parts.path or "/", parts.query, parts.fragment)) if parts.netloc else address


def target(selector: str) -> str:
    """What of a selector says which sort of element it is, and not which data it shows."""
    kept = []
    for part in selector.split(" >> "):
        if found := _ROLE.fullmatch(part):
            kept.append(found[1])
        elif _TEXT.fullmatch(part) or part.startswith("nth="):
            kept.append(part.partition("=")[0])
        else:
            kept.append(re.sub(r"\d+", "#", part))
    return " ".join(kept)
