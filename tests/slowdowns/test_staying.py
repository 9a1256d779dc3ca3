"""An exploration that stays on the page it was given."""

from __future__ import annotations

from collections.abc import Sequence

from jostle.browser.user import visit as visit_page
from jostle.events import Effect, Event, Kind, Request, State, event_of
from jostle.events.effect import Milestone
from jostle.exploring.situation import Situation
from jostle.model.machine import Machine
from jostle.model.visit import Visit
from jostle.slowdowns.history import Action, Pair
from jostle.slowdowns.staying import Page, Staying

HOME, HELP, ABOUT = (State(name, url=f"http://a/{name}") for name in ("home", "help", "about"))


def click(name: str, href: str = "") -> Event:
    where = {"words": name, "role": "link", "name": name, "css": "", "nth": 1}
    detail = {"action": "click", "locator": where} | ({"href": href} if href else {})
    return event_of(kind=Kind.USER, what=f'click link "{name}"', detail=detail)


ADD, TO_HELP, TO_ABOUT, TO_NEWS = (
    click("Add"), click("Help", HELP.url), click("About", ABOUT.url), click("News", "http://a/news")
)  # fmt: skip


def went(event: Event, after: State, *, commits: bool = True, sends: bool = False, before: State = HOME) -> Visit:
    requests = (Request("POST", after.url),) if sends else ()
    lifecycle = (Milestone(Milestone.COMMIT, after.url),) if commits else ()
    return Visit(before=before, event=event, effect=Effect(requests=requests, lifecycle=lifecycle), after=after)


class First:
    reason = "it is over"

    def __init__(self) -> None:
        self.offered: Sequence[Event] = ()

    def choose(self, situation: Situation) -> Event | None:
        self.offered = situation.events
        return situation.events[0]

    def observe(self, visit: Visit) -> None:
        pass


def offered(page: Page, *events: Event, state: State = HOME) -> list[str]:
    """What is left to choose from, or where it goes back to."""
    inner = First()
    pages = [visit_page(HELP.url), visit_page(HOME.url)]
    chosen = Staying(inner, page).choose(Situation(state=state, events=events, pages=pages, machine=Machine()))
    assert chosen is not None
    return [each.what for each in inner.offered] or [chosen.what]


def test_a_link_that_led_away_is_left_alone() -> None:
    page = Page()
    assert len(offered(page, ADD, TO_HELP, TO_ABOUT)) == 3
    page.observe(went(TO_HELP, HELP))
    assert page.away
    assert offered(page, ADD, state=HELP) == [f"visit {HOME.url}"], "it goes back"
    page.observe(went(visit_page(HOME.url), HOME, before=HELP))
    assert not page.away
    assert offered(page, ADD, TO_HELP, TO_ABOUT) == [ADD.what, TO_ABOUT.what]
    page.observe(went(TO_ABOUT, ABOUT))
    page.observe(went(visit_page(HOME.url), HOME, before=ABOUT))
    assert offered(page, ADD, TO_NEWS) == [ADD.what], "links here lead to other documents"
    assert offered(page, TO_HELP, TO_NEWS) == [TO_HELP.what, TO_NEWS.what], "there is nothing else to do"


def test_a_router_keeps_its_links() -> None:
    page = Page()
    page.observe(went(TO_HELP, HELP, commits=False))
    assert not page.away
    page.observe(went(TO_ABOUT, ABOUT, commits=False, before=HELP))
    assert offered(page, ADD, TO_HELP, TO_NEWS, state=ABOUT) == [ADD.what, TO_HELP.what, TO_NEWS.what]


def test_a_form_that_is_sent_is_gone_back_from_and_sent_again() -> None:
    page = Page()
    page.observe(went(ADD, HELP, sends=True))
    assert offered(page, TO_HELP, state=HELP) == [f"visit {HOME.url}"]
    page.observe(went(visit_page(HOME.url), HOME, before=HELP))
    assert offered(page, ADD) == [ADD.what]


def test_a_new_run_begins_on_the_page() -> None:
    page = Page()
    page.observe(went(TO_HELP, HELP))
    page.observe(Visit(before=HOME, event=ADD, effect=Effect(), after=HOME, run=2))
    assert not page.away


def test_pairs_of_other_pages_do_not_concern_it() -> None:
    def pair(cause: State, effect: State) -> Pair:
        return Pair(Action("a", cause, cause), Action("b", effect, effect))

    page = Page()
    assert page.concerns(pair(HELP, HELP)), "nothing is known"
    page.observe(went(TO_HELP, HELP))
    assert page.concerns(pair(HOME, HOME)) and page.concerns(pair(HOME, HELP))
    assert not page.concerns(pair(HELP, HELP))
