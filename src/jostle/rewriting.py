"""The contract for rewriting scripts: what whoever runs a page may expect of whoever rewrites its code.

`instrument/` fulfils it and `browser/` relies on it; neither knows the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol

import msgspec

CodeKind = Literal["eval", "indirect", "function", "handler", "timer", "url"]
"""A text that became code: direct `eval`, `eval` under another name, the body given to `Function`, a handler attribute,
the text given to `setTimeout`, a `javascript:` address."""


class RewrittenScript(msgspec.Struct, frozen=True, kw_only=True):
    """A script and its probes; or the script as it was, and why."""

    code: str
    problem: str = ""
    """Why it is as it was; empty when it was rewritten."""
    tag: str = ""
    """Begins each site that the script's probes tell, `TAG:line:column`. Equal sources at equal places have equal
    tags."""


class ScriptRewriter(Protocol):
    """Rewrites JavaScript so that it tells what it does. Lines stay where they are.

    Rewritten code calls nothing but `$jostle`, which `runtime` installs. No method raises because of what a page sent:
    code that cannot be rewritten comes back as it was, with the reason.
    """

    @property
    def runtime(self) -> str:
        """JavaScript: a function of the sink (see accesses.js) that installs what rewritten code calls, `$jostle`, and
        returns a function that makes the original of a rewritten text."""
        ...

    def script(self, source: str, url: str, *, module: bool = False) -> RewrittenScript: ...

    def code(self, source: str, url: str, kind: CodeKind) -> RewrittenScript: ...

    def document(self, html: str, url: str, *, policies: Sequence[str] = ()) -> tuple[str, Sequence[str]]:
        """The document, and what was left alone in it, in words: also what `policies`, those of its header, know by a
        hash."""
        ...

    def original(self, url: str, line: int, column: int) -> tuple[int, int]:
        """Where a place of the rewritten code is in the original; both from 1."""
        ...

    def message(self, text: str, url: str, line: int, column: int) -> str:
        """An error's message as the original would have had it; `line` and `column`: where it was thrown, in the
        rewritten code."""
        ...

    def url_of(self, tag: str) -> str:
        """The address of the script that a site names by its tag; empty when it was not rewritten here."""
        ...
