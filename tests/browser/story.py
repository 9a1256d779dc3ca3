"""A story: a page driven event by event from a test, told twice in fresh contexts; both times must be the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jostle.events import Effect, Kind
from jostle.exploring.forms import filled
from tests.browser.driven import Driven
from tests.browser.live import Browser

LOG = """<!doctype html><title>A page</title><div id=log></div><script>
const said = [];
function log(...words) { said.push(words.join(" ")); document.getElementById("log").textContent = said.join(", "); }
</script>
"""
"""The beginning of a page that writes down what happens to it. What follows begins at line 5."""


class Telling(Driven):
    """One telling of a story."""

    def __init__(self, browser: Browser, url: str, **options: Any) -> None:
        super().__init__(browser, url, **options)
        self.reset()

    def load(self) -> list[Effect]:
        """Let the document and every other answer in, and nothing else."""
        effects = []
        while answers := [event for event in self.waiting() if event.kind is Kind.NETWORK]:
            effects.append(self.step(answers[0]))
        return effects

    def type(self, field: str, text: str) -> Effect:
        """The user types a text of our choice into the field whose name is part of this."""
        offered = [event for event in self.run(self.app.user_events()) if event.action.type == "type"]
        event = next(event for event in offered if field in event.what)
        return self.step(filled(event, text))

    @property
    def said(self) -> list[str]:
        """What the page has logged."""
        words: list[str] = self.ask("said")
        return words


def tell(browser: Browser, url: str, story: Callable[[Telling], None], **options: Any) -> None:
    """Tell it twice: the events and the last state must be the same."""
    tellings = []
    for _ in range(2):
        page = Telling(browser, url, **options)
        story(page)
        tellings.append((page.keys, page.state().digest))
        browser.close_apps()
    assert tellings[0] == tellings[1]
