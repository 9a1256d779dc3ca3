"""A controlled application that a test drives step by step; events are named by their descriptors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jostle.browser.chromium_app import ChromiumApp
from jostle.events import Effect, Event, State
from tests.browser.live import Browser


class Driven:
    """A `ChromiumApp` in plain synchronous calls."""

    def __init__(self, browser: Browser, url: str, **options: Any) -> None:
        self.run = browser.run
        self.app: ChromiumApp = browser.made(url, **options)
        self.keys: list[str] = []
        """Keys of all steps since the reset."""

    def reset(self) -> None:
        self.keys.clear()
        self.run(self.app.reset())

    def waiting(self) -> list[Event]:
        """The system events that could happen now."""
        return list(self.run(self.app.waiting()))

    def names(self) -> list[str]:
        return [str(event) for event in self.waiting()]

    def actions(self) -> list[str]:
        """What the user could do now."""
        return [event.what for event in self.run(self.app.user_events())]

    def step(self, event: Event) -> Effect:
        self.keys.append(event.key)
        return self.run(self.app.step(event))

    def let(self, what: str) -> Effect:
        """Let the first system event happen whose descriptor begins so."""
        return self.step(_named(what, self.waiting()))

    def act(self, what: str) -> Effect:
        """Let the user do what begins so."""
        return self.step(_named(what, list(self.run(self.app.user_events()))))

    def drain(self, most: int = 60) -> list[Effect]:
        """Let the system events happen in their natural order until none is left."""
        effects = []
        while there := self.waiting():
            effects.append(self.step(there[0]))
            assert len(effects) <= most, f"still possible after {most} steps: {self.names()}"
        return effects

    def open(self) -> list[Effect]:
        """Reset and load the page to its end."""
        self.reset()
        return self.drain()

    def ask(self, expression: str, frame: tuple[int, ...] = (), tab: int = 0) -> Any:
        """The value of an expression in the page or in one of its frames."""
        place = self.app.tabs[tab]
        document = next(each for each in place.frames.values() if each.path == frame)
        return self.run(place.ask(document, expression, 10))

    def text(self, selector: str, frame: tuple[int, ...] = (), tab: int = 0) -> str:
        return str(self.ask(f"document.querySelector({selector!r}).textContent", frame, tab))

    def state(self) -> State:
        return self.run(self.app.state())


def _named(what: str, events: list[Event]) -> Event:
    for event in events:
        if event.what.startswith(what):
            return event
    raise AssertionError(f"no {what!r} among {[event.what for event in events]}")


OpenApp = Callable[..., Driven]
