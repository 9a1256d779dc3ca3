"""Tests that fail while a page suffers from a race: of answers, or of the user with the loading of the page.

A test brings the bad order about by itself, with answers that it holds, and compares how the page ends then with how it
ends in the calm order, in which everything is waited for. The calm order is run twice: what differs between these runs
is noise. The server is asked once: later runs get the same answers, as far as they ask the same.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Literal

from jostle.events import Event
from jostle.export.held_test import Late, function, held_by, in_words, listed, place, pytest_file, step
from jostle.export.playwright_steps import literal

LoadRace = Literal["form-input-overwritten", "late-handler", "access-before-definition"]


def answer_race_test(
    url: str,
    before: Sequence[Event],
    first: Event,
    second: Event | None,
    *,
    lead: Sequence[Event] = (),
    late: Sequence[Late],
    title: str,
    name: str,
    origins: Collection[str],
    ignored: Sequence[str] = (),
) -> str:
    """A file for pytest-playwright whose test fails as long as the page ends otherwise when answers to `first` come
    only after `second` and all that follows from it; without a `second`, when they come after all others.

    `before`: how the user gets there. `lead`: what is done right before `second` and belongs to it. `late`: requests
    after `first`, counted from there. `title`: what was found, in words. `name`: of the test. `origins`: of the
    application, besides that of the URL; what goes elsewhere is not compared. `ignored`: regular expressions; lines
    that match as a whole are not compared.

    When the user cannot do `second` while the answers are held (it is disabled, say), it is done after them.
    Raises ValueError, with words for users, for what such a test cannot do.
    """
    for each in ignored:
        _checked_expression(each)
    begin = ['page.goto(URL, wait_until="domcontentloaded")', "run.rest()"]
    for event in before:
        begin += [*step(event), "run.rest()"]
    held = held_by(late)
    after = f"only after “{second.what}”" if second is not None else "last"
    constants = [
        f"FOUND = {literal(f'The page ends otherwise when {in_words(late)} {after}')}",
        f"IGNORED: list[str] = {listed(map(literal, ignored))}  # lines that differ from run to run",
    ]
    functions = [
        function("begin(run: Run, page: Page) -> Page", begin),
        function("first(page: Page) -> Page", step(first)),
    ]
    if second is None:
        return pytest_file(url, [*before, first], held, title, name, origins, constants, functions, _ONE_EVENT)
    functions += [
        function("second(page: Page) -> Page", [line for event in (*lead, second) for line in step(event)]),
        function("place_of_second(page: Page) -> Locator", [], f"return {place([*lead, second][0])}"),
    ]
    return pytest_file(
        url, [*before, first, *lead, second], held, title, name, origins, constants, functions, _ANSWER_RACE
    )


def load_race_test(
    url: str,
    *,
    kind: LoadRace,
    action: Event,
    late: Sequence[Late],
    title: str,
    name: str,
    origins: Collection[str],
    before: Sequence[Event] = (),
) -> str:
    """A file for pytest-playwright whose test fails as long as it matters whether the user acts before the page is
    loaded.

    `action`: what the user does, as soon as the element is seen; `before`: and what just before it. `late`: what the
    page has not got by then, counted from its beginning. What must be as it is when the user acts late depends on
    `kind`: the value of the field, the page, or that there is no uncaught error. A user who types is in the middle of
    it when the page gets what is late. Everything else as in `answer_race_test`.
    """
    if kind not in _LOAD_RACES:
        raise ValueError(f"There is no test for a race of the kind {kind!r}, only for {', '.join(_LOAD_RACES)}.")
    test, wrong = _LOAD_RACES[kind]
    held = held_by(late)
    done, functions = action, []
    if kind == "form-input-overwritten":
        if action.action.locator is None:
            raise ValueError(f"“{action.what}” does not say into which field.")
        done, rest = _halves(action)
        functions = [
            function("go_on(page: Page) -> Page", rest),
            function("field(page: Page) -> Locator", [], f"return {place(action)}"),
        ]
    functions = [
        function("act(page: Page) -> Page", [line for event in (*before, done) for line in step(event)]),
        *functions,
        function("place(page: Page) -> Locator", [], f"return {place([*before, action][0])}"),
    ]
    constants = [f"FOUND = {literal(f'“{action.what}” {wrong} when {in_words(late)} only after it')}"]
    return pytest_file(url, [*before, action], held, title, name, origins, constants, functions, test)


def order_test(
    url: str, *, late: Sequence[Late], last: Sequence[Late], title: str, name: str, origins: Collection[str]
) -> str:
    """A file for pytest-playwright whose test fails as long as a page ends otherwise when `late` comes after everything
    else that it loads, and not `last`. The user does nothing. Everything else as in `answer_race_test`."""
    held = held_by(late)
    constants = [
        f"LAST = {listed(f'({literal(a)}, {literal(b)}, {n})' for a, b, n in held_by(last))}  # in the calm order",
        f"FOUND = {literal(f'The page ends otherwise when {in_words(late)} last')}",
    ]
    return pytest_file(url, [], held, title, name, origins, constants, [], _ORDER)


def _halves(event: Event) -> tuple[Event, list[str]]:
    """What a user has typed when the page gets what is late, and how it goes on."""
    value = event.action.value or ""
    if event.action.type != "type" or len(value) < 2:
        return event, []
    half = (len(value) + 1) // 2
    first = event.with_detail(value=value[:half])
    return first, [f"page.keyboard.type({literal(value[half:])})"]


def _checked_expression(expression: str) -> None:
    try:
        re.compile(expression)
    except re.error as error:
        raise ValueError(f"{expression!r} is no regular expression: {error}.") from None


_ANSWER_RACE = '''
@pytest.mark.browser_context_args(CONTEXT)
def test_(new_context: CreateContextCallback) -> None:
    answers: dict = {}
    there: list[bool] = []
    calm, again = twice(lambda: end_of(new_context(), answers, [], there))
    bad = end_of(new_context(), answers, LATE, there)
    assert any(there), "The second step can be done in no order: what it is done to was not found."
    found = differences(calm, again, bad, IGNORED)
    assert not found, "\\n".join([FOUND, *found])


def end_of(context: BrowserContext, answers: dict, late: Late, there: list[bool]) -> End:
    """How the page ends with these answers held until the second step is done."""
    run = Run(context, answers, OWN)
    page = begin(run, context.new_page())
    run.hold(late, LATE)
    page = first(page)
    run.rest_after(LATE)
    assert run.counts or not late, f"After the first step the page does not ask for any of {late}: nothing can be held."
    there.append(place_of_second(page).count() > 0)
    done = run.can(second, page, place_of_second(page))
    run.rest()
    run.release()
    if late and not done:  # as a user who has to wait for the answers
        done = run.can(second, page, place_of_second(page))
        run.rest()
        there.append(bool(done))
    return run.end(done or page)
'''

_ONE_EVENT = '''
@pytest.mark.browser_context_args(CONTEXT)
def test_(new_context: CreateContextCallback) -> None:
    answers: dict = {}
    calm, again = twice(lambda: end_of(new_context(), answers, []))
    found = differences(calm, again, end_of(new_context(), answers, LATE), IGNORED)
    assert not found, "\\n".join([FOUND, *found])


def end_of(context: BrowserContext, answers: dict, late: Late) -> End:
    """How the page ends when these answers come last."""
    run = Run(context, answers, OWN)
    page = begin(run, context.new_page())
    run.hold(late, LATE)
    page = first(page)
    run.rest_after(LATE)
    assert run.counts or not late, f"After this step the page does not ask for any of {late}: nothing can be held."
    run.release()
    return run.end(page)
'''

_ORDER = '''
@pytest.mark.browser_context_args(CONTEXT)
def test_(new_context: CreateContextCallback) -> None:
    answers: dict = {}
    calm, again = twice(lambda: end_of(new_context(), answers, LAST))
    found = differences(calm, again, end_of(new_context(), answers, LATE))
    assert not found, "\\n".join([FOUND, *found])


def end_of(context: BrowserContext, answers: dict, late: Late) -> End:
    """How the page ends when these come last."""
    run = Run(context, answers, OWN)
    run.hold(late, late)
    page = context.new_page()
    page.goto(URL, wait_until="commit")
    run.rest_after(late)
    run.release()
    return run.end(page)
'''

_LOAD_RACE = '''

def end_of(context: BrowserContext, answers: dict, late: Late) -> End:
    """How the page ends when the user acts before it has got these."""
    run = Run(context, answers, OWN)
    run.hold(late)
    page = context.new_page()
    page.goto(URL, wait_until="commit")
    done = run.can(act, page, place(page)) if late and run.shows(place(page)) else None
    run.rest()
    run.release()
    if not done:  # the user cannot do it early
        done = act(page)
        run.rest()
    return run.end(done)
'''

_SAME_PAGE = """
@pytest.mark.browser_context_args(CONTEXT)
def test_(new_context: CreateContextCallback) -> None:
    answers: dict = {}
    calm, again = twice(lambda: end_of(new_context(), answers, []))
    ends = calm, again, end_of(new_context(), answers, LATE)
    found = differences(*([each for each in end if not each[0].startswith(("error", "storage"))] for end in ends))
    assert not found, "\\n".join([FOUND, *found])


"""

_NO_ERROR = """
@pytest.mark.browser_context_args(CONTEXT)
def test_(new_context: CreateContextCallback) -> None:
    answers: dict = {}
    calm, early = (end_of(new_context(), answers, late) for late in ([], LATE))
    found = [what for place, what in early if place.startswith("error") and (place, what) not in calm]
    assert not found, "\\n".join([FOUND, *found])


"""

_SAME_VALUE = """
@pytest.mark.browser_context_args(CONTEXT)
def test_(new_context: CreateContextCallback) -> None:
    answers: dict = {}
    calm, early = (dict(end_of(new_context(), answers, late))["value"] for late in ([], LATE))
    assert early == calm, f"{FOUND}. The field ends with the {early}, otherwise with the {calm}."


"""

_VALUE = '''

def value_of(field: Locator) -> str:
    try:
        return f"value {field.evaluate(VALUE, timeout=1000 * PATIENCE)!r}"
    except TimedOut:
        return "page: there is no such field any more"


VALUE = """field => field.matches("[type=checkbox], [type=radio]") ? field.checked
  : field.matches("select") ? [...field.selectedOptions].map((option) => option.label)
  : field.value ?? field.innerText"""
'''
_GO_ON = """
    done = go_on(done)
    run.rest()
    run.told.append(("value", value_of(field(done))))
    return run.end(done)
"""
_TYPING = _LOAD_RACE.replace("\n    return run.end(done)\n", _GO_ON) + _VALUE

_LOAD_RACES: dict[str, tuple[str, str]] = {
    "form-input-overwritten": (_SAME_VALUE + _TYPING, "is lost"),
    "late-handler": (_SAME_PAGE + _LOAD_RACE, "does something else"),
    "access-before-definition": (_NO_ERROR + _LOAD_RACE, "fails"),
}
