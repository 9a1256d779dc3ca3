"""Tests that fail while a page ends otherwise when the same things happen in another order.

As in `race_test`, with any number of user's steps and of things that come late, each at its place in the order.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from jostle.events import Event
from jostle.export.held_test import Late, function, held_by, in_words, listed, place, pytest_file, step
from jostle.export.playwright_steps import literal


def schedule_test(
    url: str,
    order: Sequence[Event | Late],
    *,
    title: str,
    name: str,
    origins: Collection[str],
    timers: float = 0,
    looks: bool = False,
) -> str:
    """A file for pytest-playwright whose test fails as long as the page ends otherwise in this order.

    `order`: what the user does, and what comes late, each of it when its turn comes; everything else comes by itself.
    In the calm order nothing is late. What is late is counted from the beginning. `timers`: milliseconds of those that
    fire before what is late. `looks`: whether it can only be seen, and not read. `title`, `name` and `origins` as in
    `race_test`. When the user cannot do something in this order, everything late comes first, as for a user who waits.
    Raises ValueError, with words for users, for what such a test cannot do.
    """
    events = [each for each in order if isinstance(each, Event)]
    late = [each for each in order if not isinstance(each, Event)]
    held = held_by(late)
    numbers = iter(range(len(events)))
    places = iter(range(len(held)))
    bad = [f"STEPS[{next(numbers)}]" if isinstance(each, Event) else f"LATE[{next(places)}]" for each in order]
    functions: list[str] = []
    for number, event in enumerate(events, 1):
        functions += [
            function(f"step_{number}(page: Page) -> Page", step(event)),
            function(f"place_{number}(page: Page) -> Locator", [], f"return {place(event)}"),
        ]
    pairs = listed(f"(step_{number}, place_{number})" for number in range(1, len(events) + 1))
    functions.append(f"STEPS: list[Step] = {pairs}\nBAD: list[Any] = {listed(bad)}")
    constants = [
        f"FOUND = {literal(f'The page ends otherwise when {in_words(late)} late')}",
        "Step = tuple[Callable[[Page], Page], Callable[[Page], Locator]]",
    ]
    return pytest_file(
        url, events, held, title, name, origins, constants, functions, _SCHEDULE, timers=timers, looks=looks
    )


_SCHEDULE = '''
@pytest.mark.browser_context_args(CONTEXT)
def test_(new_context: CreateContextCallback) -> None:
    answers: dict = {}
    calm, again = twice(lambda: end_of(new_context(), answers, STEPS, []))
    found = differences(calm, again, end_of(new_context(), answers, BAD, LATE))
    assert not found, "\\n".join([FOUND, *found])


def end_of(context: BrowserContext, answers: dict, order: Sequence[Any], late: Late) -> End:
    """How the page ends when the user does this, and what is late comes, in this order."""
    run = Run(context, answers, OWN)
    run.ordered = LATE
    run.hold(late, late)
    page = context.new_page()
    page.goto(URL, wait_until="commit")
    run.rest()
    for each in order:
        if each in late:
            run.rest_after([each])
            run.release([each])
            continue
        step, place = each
        done = run.can(step, page, place(page)) if run.shows(place(page)) else None
        if not done:  # as a user who has to wait
            run.release()
            done = step(page)
        page = done
        run.rest()
    run.release()
    return run.end(page)
'''
