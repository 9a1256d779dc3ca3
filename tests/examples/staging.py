"""Plays steps on an example page and chooses when answers arrive."""

from __future__ import annotations

import re
import time
from collections.abc import Callable

from playwright.sync_api import Error, Locator, Page, Request, Route

from jostle.examples import example
from jostle.examples.scenario import Step

_LONGEST = 30
"""Seconds; a bound against hanging."""
_TURNS = """(turns) => new Promise((over) => {
  const next = () => { turns -= 1; if (turns < 0) over(); else setTimeout(next, 10); };
  next();
})"""


def let_pass(page: Page, milliseconds: int) -> None:
    """Time in which the page gets something done: on a machine that seldom lets it, it takes as much longer."""
    for _ in range(5):
        try:
            page.evaluate(_TURNS, milliseconds // 10)
        except Error:  # another page has come meanwhile
            page.wait_for_timeout(10)
        else:
            return


def play(page: Page, base: str, name: str, steps: Callable[[Page, str], str]) -> tuple[str, list[Error]]:
    """What shows at the end of the steps, and what was thrown on the way."""
    if name.startswith("larder"):
        assert page.request.post(f"{base}/{name}/reset").ok
    thrown: list[Error] = []
    page.on("pageerror", lambda error: thrown.append(error))
    return steps(page, base + example(name).path), thrown


class Held:
    """Answers that wait until they are released, in the order in which they were asked for."""

    def __init__(self, page: Page, pattern: str) -> None:
        self._page = page
        self._holding = True
        self._routes: list[Route] = []
        self._released: set[int] = set()
        self._ended: list[Request] = []
        page.route(re.compile(pattern), self._hold)
        page.on("requestfinished", lambda request: self._ended.append(request))
        page.on("requestfailed", lambda request: self._ended.append(request))

    def _hold(self, route: Route) -> None:
        if self._holding:
            self._routes.append(route)
        else:
            route.continue_()

    def _until(self, reached: Callable[[], bool], what: str) -> None:
        deadline = time.monotonic() + _LONGEST
        while not reached():
            assert time.monotonic() < deadline, f"{what}: not within {_LONGEST} seconds"
            self._page.wait_for_timeout(10)

    def wait(self, count: int) -> None:
        self._until(lambda: len(self._routes) >= count, f"{count} requests")

    def release(self, number: int) -> None:
        """Release the answer and let the page handle it. Nothing happens if the page has given it up."""
        route = self._routes[number]
        self._released.add(number)
        if route.request not in self._ended:
            route.continue_()
        self._until(lambda: route.request in self._ended, f"answer {number}")
        let_pass(self._page, 100)

    def release_of(self, part: str) -> bool:
        """Release the oldest answer from an address with that part; False if the page does not ask for it soon."""
        for _ in range(100):
            for number, route in enumerate(self._routes):
                if part in route.request.url and number not in self._released:
                    self.release(number)
                    return True
            self._page.wait_for_timeout(10)
        return False

    def release_all(self) -> None:
        """Release the answers; later requests are not held."""
        self._holding = False
        for number in range(len(self._routes)):
            if number not in self._released:
                self.release(number)

    def release_backwards(self) -> None:
        """Release the newest answer until none is held; what an answer leads to comes before older answers."""
        while waiting := set(range(len(self._routes))) - self._released:
            self.release(max(waiting))

    def answer_late(self, number: int, meanwhile: Callable[[], None]) -> None:
        """Let the server hear of the request now; the answer comes when `meanwhile` is done."""
        answer = self._routes[number].fetch()
        meanwhile()
        self._routes[number].fulfill(response=answer)


def text(page: Page, selector: str) -> str:
    return page.locator(selector).inner_text()


def click_if_possible(page: Page, selector: str) -> bool:
    target = page.locator(selector)
    possible = target.count() > 0 and target.is_visible() and target.is_enabled()
    if possible:
        target.click(no_wait_after=True)
        let_pass(page, 100)
    return possible


def early_click(page: Page, url: str, script: str, selector: str) -> None:
    """Click while the script is on its way if that is possible; otherwise once it is there."""
    held = Held(page, script)
    page.goto(url, wait_until="commit")
    held.wait(1)
    let_pass(page, 100)
    clicked = click_if_possible(page, selector)
    held.release_all()
    if not clicked:
        page.click(selector)
    page.wait_for_load_state()


def target_of(page: Page, step: str) -> Locator:
    """What the step of a scenario is done to."""
    wanted = Step.of(step)
    return page.get_by_role(wanted.role, name=wanted.name, exact=True)  # type: ignore[arg-type]


def do(page: Page, step: str) -> None:
    """Do the step, as soon as the page lets one."""
    wanted, target = Step.of(step), target_of(page, step)
    match wanted.action:
        case "fill":
            target.fill(wanted.value)
        case "check":
            target.check()
        case _:
            target.click(no_wait_after=True)
