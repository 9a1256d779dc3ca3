"""Each wrong order can be brought about in a browser, and the same steps on the twin come out right."""

from __future__ import annotations

import contextlib
import re
from typing import NamedTuple

import pytest
from playwright.sync_api import Page, Route
from playwright.sync_api import TimeoutError as TooLate

from jostle.examples import example
from jostle.examples.order_pages import ORDER_PAGES
from jostle.examples.scenario import Step
from tests.examples.staging import Held, do, let_pass, play, target_of

pytestmark = pytest.mark.long


CLICK_ALL = """(names) => {
  const buttons = [...document.querySelectorAll("button")];
  for (const name of names) buttons.find((button) => button.textContent === name).click();
}"""


class Order(NamedTuple):
    """An order of events that is possible but not usual."""

    name: str
    moves: tuple[str, ...]
    """A step of the scenario, `answer PART`: the answer from an address with that part, or `wait MS`."""
    seen: str
    """JavaScript that gives what is seen at the end."""
    right: str
    wrong: str | None = None
    """None for a page that bears every order."""
    throws: bool = True
    """Whether the wrong order throws."""
    held: str = ""
    """The answers that come only when the moves say so; those that the moves name if empty."""
    split: str = ""
    """The parser waits before this text, as it waits for the rest of a long page."""
    at_once: bool = False
    """The moves are clicks on buttons, and no time passes between them."""

    def usual(self, page: Page, url: str) -> str:
        """Whoever does it waits each time until nothing happens any more."""
        page.goto(url, wait_until="networkidle")
        for step in example(self.name).scenario:
            let_pass(page, 450)
            do(page, step)
            page.wait_for_load_state("networkidle")
        return self._at_the_end(page)

    def other(self, page: Page, url: str) -> str:
        """In this order, as far as the page lets one; what is not possible yet is done when it is."""
        if self.at_once:
            page.goto(url, wait_until="networkidle")
            page.evaluate(CLICK_ALL, [Step.of(move).name for move in self.moves])
            return self._at_the_end(page)
        if self.split:
            page.route(url, lambda route: self._divided(route))
        parts = [re.escape(move.removeprefix("answer ")) for move in self.moves if move.startswith("answer ")]
        held = Held(page, self.held or "|".join(parts) or "nothing at all")
        page.goto(url, wait_until="commit")
        let_pass(page, 300)
        late: list[str] = []
        for move in self.moves:
            if move.startswith("answer "):
                held.release_of(move.removeprefix("answer "))
            elif move.startswith("wait "):
                let_pass(page, int(move.removeprefix("wait ")))
            elif late or not target_of(page, move).is_visible() or not target_of(page, move).is_enabled():
                late.append(move)
            else:
                do(page, move)
                let_pass(page, 50)
        held.release_all()
        for step in late:
            do(page, step)
        page.wait_for_load_state()
        return self._at_the_end(page)

    def _at_the_end(self, page: Page) -> str:
        with contextlib.suppress(TooLate):
            come = "([seen, right]) => String(eval(seen)) === right"
            page.wait_for_function(come, arg=[self.seen, self.right], timeout=1500)
        return str(page.evaluate(f"String({self.seen})"))

    def _divided(self, route: Route) -> None:
        answer = route.fetch()
        fence = '<script src="/rest-of-the-page.js"></script>'
        route.fulfill(response=answer, body=answer.text().replace(self.split, fence + self.split))


LIST = "[...document.querySelectorAll('li')].map((line) => line.textContent).join(' ')"


def text_of(selector: str) -> str:
    return f"document.querySelector({selector!r}).textContent"


def click(*names: str) -> tuple[str, ...]:
    return tuple(f'click button "{name}"' for name in names)


ORDERS = (
    Order(
        "wave-b1",
        ("answer basket.json", "answer rates.json", *click("Add bread", "Add cheese")),
        LIST,
        right="apples: 0.39 € bread: 0.52 € cheese: 0.91 € tea: 1.56 €",
        wrong="bread: 0.52 € cheese: 0.91 €",
    ),
    Order(
        "wave-b2",
        ("answer sales.json", *click("Chart"), "answer chart.js", *click("Legend")),
        "document.querySelectorAll('#chart div').length",
        right="3",
        wrong="0",
    ),
    Order(
        "wave-b3",
        ("answer stock.html", "answer orders.html", "answer room.js", *click("Check")),
        "`${document.querySelector('#stock').value}; ${document.querySelector('#orders').value}`",
        right="ready, 3 rows; ready, 2 rows",
        wrong="not ready; not ready",
    ),
    Order(
        "wave-b4",
        click("Curtain", "Light", "Music"),
        text_of("#stage"),
        right="lit, 6 metres high",
        wrong="dark",
        at_once=True,
    ),
    Order(
        "wave-b5",
        (*click("Larger", "Empty"), "answer lines.js", *click("Count")),
        text_of("#state"),
        right="ready",
        wrong="one moment",
    ),
    Order(
        "wave-b6",
        (*click("Larger", "Cancel"), "answer rest-of-the-page.js"),
        text_of("#agreed"),
        right="160 conditions for 4 loaves",
        wrong="The conditions are long.",
        split="</ol>",
    ),
    Order(
        "wave-b7",
        ("wait 600", "answer stalls.js", *click("Larger", "Sort", "Count")),
        text_of("#offers"),
        right="Three loaves for the price of two",
        wrong="no offers yet",
    ),
    Order(
        "wave-b8",
        (*click("Save", "Next note"), "answer /api/draft"),
        text_of("[data-saved]"),
        right="Water the plants",
        wrong="Buy stamps",
        throws=False,
    ),
    Order(
        "wave-ajaxplorer",
        (
            *click("Upload"),
            'type "plan.txt" in textbox "Name"',
            "answer quota.json",
            'check checkbox "Secret"',
            *click("Send", "Close", "Count"),
        ),
        LIST,
        right="plan.txt, secret",
        wrong="no name, secret",
        throws=False,
    ),
    Order(
        "wave-feng-office",
        (
            *click("North"),
            'type "report.txt" in textbox "File"',
            *click("Upload", "South", "North"),
            "answer /api/upload",
            *click("Browse"),
        ),
        LIST,
        right="plan.txt report.txt",
        wrong="plan.txt",
    ),
    Order(
        "wave-gallery3",
        (*click("Start the show"), "answer show.js"),
        text_of("#shown"),
        right="fjord",
        wrong="dune",
    ),
    Order(
        "wave-typo3",
        (*click("Publish"), "answer tabs.js"),
        text_of("#state"),
        right="published",
        wrong="draft",
    ),
    Order(
        "wave-wordpress",
        (*click("Add a picture"), "answer media.js"),
        "document.querySelector('#library').hidden",
        right="false",
        wrong="true",
    ),
    Order(
        "three-reversals",
        (*click("Options", "Preview"), "answer editor.js"),
        text_of("#shown"),
        right="Rain in the west",
        wrong="",
    ),
    Order(
        "late-load-handler",
        ("wait 600", "answer settings.json", *click("Larger")),
        text_of("#banner"),
        right="Three loaves for the price of two",
        wrong="no banner",
        throws=False,
    ),
    Order(
        "early-widget",
        (*click("Weather"), "answer tides.js"),
        "document.querySelector('#box').hidden",
        right="false",
        wrong="true",
    ),
    Order(
        "early-navigation",
        ('click link "Continue"', "answer keep.js"),
        text_of("#day"),
        right="Delivery on Monday",
        wrong="No day was chosen",
        throws=False,
    ),
    Order(
        "two-images",
        ("answer image3.png", "answer image2.png", *click("Larger")),
        text_of("#caption"),
        right="Both pictures: Sand and water",
        wrong="Both pictures: undefined",
        throws=False,
    ),
    Order(
        "timer-before-element",
        ("wait 1200", "answer news.js", *click("Larger")),
        text_of("#hours"),
        right="Open from 10 to 19",
        wrong="one moment",
    ),
    Order(
        "text-and-children",
        ("answer departures.json", "answer greeting.json", *click("Larger")),
        "document.querySelectorAll('#board p').length",
        right="2",
        wrong="0",
        throws=False,
    ),
    Order(
        "early-timer",
        ("wait 300", "answer rest-of-the-page.js", *click("Larger")),
        text_of("#tide"),
        right="High water at 14:20",
        wrong="one moment",
        split='<p id="tide">',
    ),
    Order(
        "early-response",
        ("wait 300", "answer rest-of-the-page.js", *click("Larger")),
        LIST,
        right="Lentils Trout",
        wrong="",
        split="<p>All",
    ),
    Order(
        "huge-script",
        (*click("Greet"), "answer huge.js"),
        f"{text_of('#greeting')}.slice(0, 19)",
        right="hello from function",
        wrong="nobody greeted",
    ),
    Order(
        "minified-bundle",
        ("answer proverb.json", "answer user.json", *click("Sum")),
        text_of("#proverb"),
        right="Dear reader: Still waters run deep.",
        wrong="no proverb",
    ),
    Order(
        "leaving-early",
        ('click link "Where is my parcel?"', "answer visits.js"),
        "document.title",
        right="Parcel",
    ),
    Order(
        "lazy-init",
        (*click("Tea"), "answer of=cheese", "answer of=bread"),
        LIST,
        right="bread cheese salt tea",
    ),
    Order(
        "animation-cancelled",
        click("Sail", "Skip"),
        text_of("#miles"),
        right="100",
        at_once=True,
    ),
    Order(
        "polling-sync",
        (*click("Forecast"), "wait 250", "answer /api/weather"),
        text_of("#forecast"),
        right="Rain, 9 °C",
    ),
    Order(
        "changing-events",
        (*click("Open", "Close"), "answer /api/greeting"),
        f"{text_of('#board')} + {text_of('#marked')}",
        right="nothing to mark",
    ),
)
BUGS = [order for order in ORDERS if order.wrong is not None]
BORNE = [order._replace(name=example(order.name).twin or order.name) for order in ORDERS]


def name_of(order: Order) -> str:
    return order.name


@pytest.mark.parametrize("order", BUGS, ids=name_of)
def test_the_wrong_order_shows(page: Page, base: str, order: Order) -> None:
    outcome, thrown = play(page, base, order.name, order.other)
    assert outcome == order.wrong
    assert bool(thrown) == order.throws


@pytest.mark.parametrize("order", BORNE, ids=name_of)
def test_the_twin_bears_it(page: Page, base: str, order: Order) -> None:
    outcome, thrown = play(page, base, order.name, order.other)
    assert outcome == order.right
    assert not thrown


@pytest.mark.parametrize("order", [*BUGS, *BORNE], ids=name_of)
def test_the_usual_order_is_right(page: Page, base: str, order: Order) -> None:
    outcome, thrown = play(page, base, order.name, order.usual)
    assert outcome == order.right
    assert not thrown


def test_every_bug_has_an_order() -> None:
    assert {order.name for order in BUGS} == {entry.name for entry in ORDER_PAGES if entry.expected}
