"""Who may have a look around, as it is written beside many a log-in: `Demo account: demo / demo`."""

from __future__ import annotations

import re
from functools import lru_cache

_WORD = r"[^\s,;:/|\"'“”‘’`<>()]{2,60}"
_QUOTE = r"[\"'“”‘’`]?"
_NAME = r"(?:user(?:[ -]?name)?|log-?in|account|name|e-?mail(?: address)?|benutzer(?:name)?)"
_WITH = r"(?:pass(?:word|phrase|code)?|pwd?|passwort|kennwort)"
_IS = r"\s*(?::|=|\bis\b)\s*"
_INVITES = r"(?:demo|test|sample|example|guest|trial|look(?: around)?|try|use|credentials|log ?in with|sign ?in with)"

_NO_NAMES = ("and", "or", "he", "she", "und", "yes", "no")

_PATTERNS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        # User name: ada, password: secret
        rf"\b{_NAME}{_IS}{_QUOTE}({_WORD}){_QUOTE}[\s,;/|.]+(?:and\s+|with\s+)?(?:the\s+)?{_WITH}{_IS}{_QUOTE}({_WORD})",
        # For a look around: ada, secret
        rf"\b{_INVITES}\b[^:.!?]{{0,40}}:\s*{_QUOTE}({_WORD}){_QUOTE}\s*(?:,|/|\||:|\band\b)\s*{_QUOTE}({_WORD})",
        # Log in with ada / secret
        rf"\b{_INVITES}\b[^:.!?]{{0,40}}?\s{_QUOTE}({_WORD}){_QUOTE}\s*/\s*{_QUOTE}({_WORD})",
    )
)


@lru_cache(maxsize=64)
def account(text: str) -> tuple[str, str] | None:
    """The name and the password that a text gives away; None when it does not."""
    for pattern in _PATTERNS:
        if found := pattern.search(text):
            name, password = (part.rstrip(".!?") for part in found.groups())
            if name and password and name.lower() not in _NO_NAMES:
                return name, password
    return None
