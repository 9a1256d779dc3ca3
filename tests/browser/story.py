"""A story: a page driven event by event from a test, told twice in fresh contexts; both times must be the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jostle.browser.chromium_app import ChromiumApp
from jostle.browser.user import user_event
from jostle.events import Effect, Event
from tests.browser.live import Browser

LOG = """<!doctype html><title>A page</title><div id=log></div><script>
const said = [];
function log(...words) { said.push(words.join(" ")); document.getElementById("log").textContent = said.join(", "); }
</script>
"""
"""The beginning of a page that writes down what happens to it."""


class Telling:
    """One run of a story."""

    def __init__(self, browser: Browser, url: str, arguments: dict[str, Any]) -> None:
        self._run = browser.run
        self.app: ChromiumApp = browser.app(url, **arguments)
        self.trace: list[tuple[str, str]] = []

    def waiting(self) -> list[str]:
        """The descriptors of the system events that could happen now."""
        return [str(event) for event in self._run(self.app.waiting())]

    def find(self, words: str) -> Event:
        """The one waiting event whose descriptor contains these words."""
        events = list(self._run(self.app.waiting()))
        found = [event for event in events if words in str(event)]
        assert len(found) == 1, f"{words!r} is in {len(found)} of {[str(event) for event in events]}"
        return found[0]

    def step(self, words: str | Event) -> Effect:
        event = self.find(words) if isinstance(words, str) else words
        effect = self._run(self.app.step(event))
        self.trace.append((event.key, f"{event.kind} {event}"))
        return effect

    def load(self, *more: str) -> list[Effect]:
        """Let the document and every other answer in, and nothing else."""
        effects = []
        while True:
            answers = [event for event in self._run(self.app.waiting()) if event.kind == "network"]
            if not answers:
                return effects
            effects.append(self.step(answers[0]))

    def drain(self, most: int = 50) -> list[Effect]:
        """Let everything happen in its natural order."""
        effects: list[Effect] = []
        while events := self._run(self.app.waiting()):
            assert len(effects) < most, [str(event) for event in events]
            effects.append(self.step(events[0]))
        return effects

    def do(self, words: str, value: str | None = None) -> Effect:
        """The user's action whose words contain these."""
        events = [event for event in self._run(self.app.user_events()) if words in str(event)]
        assert len(events) == 1, f"{words!r}: {[str(event) for event in self._run(self.app.user_events())]}"
        event = events[0]
        if value is not None:
            shown = event.what.partition(" in ")[2]
            action = {**event.detail, "words": f"{event.detail['action']} ... in {shown}"}
            event = user_event(action, tab=event.detail.get("tab", 0), value=value)
        return self.step(event)

    def js(self, expression: str, tab: int = 0, frame: tuple[int, ...] = ()) -> Any:
        """The value of an expression in the page, read from outside: it is no event."""
        shown = self.app.tabs[tab]
        there = next(each for each in shown.frames.values() if each.path == frame)
        return self._run(shown.ask(there, expression, 10))

    @property
    def said(self) -> list[str]:
        """What the page has logged."""
        words: list[str] = self.js("typeof said === 'undefined' ? [] : said")
        return words

    def end(self) -> tuple[list[tuple[str, str]], str]:
        state = self._run(self.app.state())
        self._run(self.app.close())
        return self.trace, state.digest


class Teller:
    """Tells stories about the pages of a site."""

    def __init__(self, browser: Browser, url: str) -> None:
        self._browser = browser
        self.url = url

    def __call__(self, story: Callable[[Telling], None], path: str = "", **arguments: Any) -> None:
        """Tell it twice; the events and the last state must be the same."""
        tellings = []
        for _ in range(2):
            telling = Telling(self._browser, self.url + path, arguments)
            story(telling)
            tellings.append(telling.end())
        (first_trace, first_state), (second_trace, second_state) = tellings
        assert first_trace == second_trace
        assert first_state == second_state

    def once(self, path: str = "", **arguments: Any) -> Telling:
        return Telling(self._browser, self.url + path, arguments)
