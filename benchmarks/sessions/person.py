"""Hands and habits of somebody at a browser, on top of Playwright."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from playwright.sync_api import Error, Locator, Page


class Person:
    """Uses a page with the mouse and the keyboard, at a human pace made `hurry` times faster."""

    def __init__(self, page: Page, seed: int, *, hurry: float = 8.0) -> None:
        self.page = page
        self.chance = random.Random(seed)
        self._hurry = hurry
        page.set_default_timeout(3000)

    def pause(self, seconds: float = 0.8) -> None:
        """Look, read, think."""
        self.page.wait_for_timeout(1000 * seconds * self.chance.lognormvariate(0, 0.5) / self._hurry)

    def point(self, target: Locator) -> None:
        """Move the mouse there, across whatever lies between."""
        target.scroll_into_view_if_needed()
        box = target.bounding_box()
        if box is None:
            raise Error("it is not shown")
        x = box["x"] + box["width"] * self.chance.uniform(0.3, 0.7)
        y = box["y"] + box["height"] * self.chance.uniform(0.3, 0.7)
        self.page.mouse.move(x, y, steps=self.chance.randint(3, 8))

    def click(self, target: Locator) -> None:
        self.point(target)
        self.pause(0.2)
        target.click()
        self.page.wait_for_load_state("load")
        self.pause()

    def type(self, target: Locator, text: str) -> None:
        """Now and then with a slip of the finger."""
        self.point(target)
        target.click()
        target.press("Control+A")
        slip = self.chance.randrange(len(text)) if len(text) > 3 and self.chance.random() < 0.2 else 0
        if slip:
            self.page.keyboard.type(f"{text[:slip]}x")
            self.page.keyboard.press("Backspace")
        self.page.keyboard.type(text[slip:])
        self.pause(0.4)

    def choose(self, target: Locator, label: str) -> None:
        self.point(target)
        target.select_option(label=label)
        self.pause(0.3)

    def scroll(self) -> None:
        self.page.mouse.move(400, 300)
        self.page.mouse.wheel(0, 500)
        self.pause(0.6)

    def one_of(self, targets: Locator) -> Locator:
        return targets.nth(self.chance.randrange(targets.count()))

    def live(self, habits: Sequence[tuple[Callable[[Person], None], int]], rounds: int) -> None:
        """Do this and that, each habit as often as its weight says. What does not work out is left."""
        doing = [habit for habit, _ in habits]
        weights = [weight for _, weight in habits]
        for _ in range(rounds):
            try:
                self.chance.choices(doing, weights)[0](self)
            except (Error, IndexError, ValueError):
                self.pause()
