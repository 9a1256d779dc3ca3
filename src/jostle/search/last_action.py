"""What was done last before the application stopped answering."""

from __future__ import annotations

import re
from collections.abc import Sequence

from jostle.browser.address import origin
from jostle.events import Answered, Event

# As answers that are held name it, and as those that flow do.
_REFUSED = frozenset({"ConnectionRefused", "net::ERR_CONNECTION_REFUSED"})
_BROKEN_OFF = re.compile(
    r"Connection\w+|Failed|net::ERR_(CONNECTION_\w+|EMPTY_RESPONSE|SOCKET_NOT_CONNECTED|INCOMPLETE_\w+)"
)
"""The server went away while it was being asked."""


class LastAction:
    """Hears of every step of every run that the server itself answers, and knows which action of the user to blame."""

    def __init__(self, url: str) -> None:
        """Only what the origin of `url` answers counts: others may be away for their own reasons."""
        self._origin = origin(url)
        self._before = self._last = ""
        self._answered = False  # since the last action
        self._blamed = ""

    def stepped(self, event: Event, answers: Sequence[Answered]) -> None:
        """An event has happened, and these answers reached the page."""
        if event.by_user:
            self._before, self._last = self._last, event.what
            self._answered = False
        for answer in answers:
            if origin(answer.url) != self._origin:
                continue
            if answer.status:
                self._answered = True
                self._blamed = ""
            elif not self._blamed and answer.error in _REFUSED:  # it was gone before it was asked
                self._blamed = self._last if self._answered else self._before
            elif not self._blamed and _BROKEN_OFF.fullmatch(answer.error):
                self._blamed = self._last

    @property
    def what(self) -> str:
        """In words: `click button "Stop"`; empty when nothing was done."""
        return self._blamed or self._last
