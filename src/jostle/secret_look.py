"""What secrets look like, whatever they are called."""

from __future__ import annotations

import re

TOKEN = re.compile(
    r"(?P<jwt>\beyJ[\w-]{8,8192}\.[\w-]{4,8192}\.)(?P<signature>[\w-]{8,2048})"
    r"|\b(?P<bearer>Bearer|Basic)\s(?P<credentials>[A-Za-z0-9._~+/-]{12,4096}=*)"
    r"|(?P<key>-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----.{20,10000}?-----END [A-Z ]{0,30}PRIVATE KEY-----"
    r"|\b(?:(?:sk|rk|pk)[-_](?=[\w-]{0,60}\d)(?=[\w-]{0,60}[A-Z])[\w-]{16,200}|(?:sk|rk)_(?:live|test)_\w{8,200}"
    r"|gh[pousr]_\w{20,255}|github_pat_\w{20,255}|glpat-[\w-]{16,64}|xox[abprs]-[\w-]{10,200}|A(?:KIA|SIA)[0-9A-Z]{16}"
    r"|AIza[\w-]{35}|ya29\.[\w-]{20,400}|npm_\w{36}|SG\.[\w-]{16,64}\.[\w-]{16,64})(?![\w-]))",
    re.DOTALL,
)
"""What is a secret by its look, whatever it is called."""
TOLD = re.compile(
    r"\b(?:api|access|secret|private|licen[cs]e|client)?[ _-]?(?:key|secret|token|password|passwd|passphrase)"
    r"(?: (?:is|was|reads)\s{1,5}|\s{0,5}[:=]\s{0,5})(?:<[a-z][^<>]{0,80}>)?[\"'`]?(?P<value>[\w.~+/=!$%-]{8,200})",
    re.IGNORECASE,
)
"""Secrets in prose: `your API key is ...`."""
MADE_UP = re.compile(r"(?=.*\d)(?=.*[A-Za-z]).{16,}|(?=(?:.*\d){3})(?=.*[A-Za-z]).{8,}")
"""What a secret that prose tells must look like, not to be an ordinary word."""


def looks_secret(text: str) -> bool:
    """Whether a secret that shows what it is, is in a text."""
    return TOKEN.search(text) is not None or any(MADE_UP.fullmatch(told["value"]) for told in TOLD.finditer(text))
