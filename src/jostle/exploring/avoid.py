"""What an exploration leaves alone."""

from __future__ import annotations

import re
from collections.abc import Sequence

from jostle.errors import UsageProblem
from jostle.events import Event
from jostle.model.label import label

LOG_OUT = (
    r"\b(log|sign)[\s_-]?out\b",
    r"\blog[\s_-]?off\b",
    r"\b(abmelden|ausloggen|déconnexion|se déconnecter|cerrar sesi[oó]n|terminar sessão|uitloggen)\b",
)
"""Links and buttons that end the session: what follows is the log-in page and nothing else."""

DELETING = (r"\b(delete|remove|destroy|erase|purge|wipe|trash|discard|löschen|entfernen|supprimer|eliminar|borrar)\b",)
"""Not avoided unless asked for: in a test installation, deleting is what should be tested."""

DEFAULT = LOG_OUT


class Avoid:
    """Rules for what is left alone: regular expressions that are searched, without regard to case, in the words
    of an event (`click link "Log out"`), whatever is typed left aside, and in the address of a link.

    Raises UsageProblem when a rule is no regular expression.
    """

    def __init__(self, patterns: Sequence[str] = DEFAULT) -> None:
        self._rules = [_compiled(pattern) for pattern in patterns]
        self._known: dict[tuple[str, str], bool] = {}
        self.met: dict[str, str] = {}
        """What was left alone so far, in words, with the rule it fell under."""

    def allows(self, event: Event) -> bool:
        """Whether the event may be done."""
        words = label(event)
        told = (words, event.action.href)
        if told not in self._known:
            rule = next((rule for rule in self._rules if any(map(rule.search, told))), None)
            self._known[told] = rule is None
            if rule is not None:
                self.met[words] = rule.pattern
        return self._known[told]


def _compiled(pattern: str) -> re.Pattern[str]:
    try:
        return re.compile(pattern, re.IGNORECASE)
    except re.error as error:
        raise UsageProblem(
            f"The avoid rule {pattern!r} is not a regular expression: {error}.",
            advice='A rule is searched in the words of an event, such as: click button "Delete"',
        ) from None
