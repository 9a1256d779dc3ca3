"""Conditions of a user's own: a decorated function that gets the test's page.

    @adverse_condition("the user looks at the help and closes it")
    def help_closed(page):
        page.keyboard.press("F1")
        page.keyboard.press("Escape")

A function that yields once lasts: what is before the `yield` begins it, what is after ends it when the next action is
done.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection
from typing import Any, TypeVar

from jostle.adverse.condition import Condition, Ground, Neutral, Pass
from jostle.adverse.conditions import CATALOGUE, OWN
from jostle.adverse.driving import PlaywrightCall
from jostle.errors import UsageProblem

Function = TypeVar("Function", bound=Callable[..., Any])


def adverse_condition(
    title: str,
    *,
    name: str = "",
    why: str = "",
    in_pass: Pass | str = "",
    relevant: Callable[[Any], Any] | None = None,
    conflicts: Collection[str] = (),
    cost: str = "",
) -> Callable[[Function], Function]:
    """Makes a function a condition that can be asked for by name, and is used when no names are given.

    `title` says what happens, `why` why it should make no difference. The function gets the test's own page, sync or
    async as the test. Its name, with - for _, is the condition's, unless `name` gives another. `in_pass` is `kept`
    (the usual), `rebuilt` when the page is loaded anew; a function that yields is for the `environment`. `relevant`
    gets the page and says whether the condition can matter to it. Raises UsageProblem.
    """
    if not isinstance(title, str) or not title.strip():
        raise UsageProblem(
            "A condition needs a title that says what happens.", advice='@adverse_condition("the user ...")'
        )

    def keep(function: Function) -> Function:
        condition = _condition(function, title, name, why, in_pass, relevant, conflicts, cost)
        if condition.name in CATALOGUE:
            raise UsageProblem(f"There is a condition {condition.name} already.", advice="Give yours another name.")
        OWN[condition.name] = condition
        return function

    return keep


def _condition(
    function: Callable[..., Any],
    title: str,
    name: str,
    why: str,
    in_pass: Pass | str,
    relevant: Callable[[Any], Any] | None,
    conflicts: Collection[str],
    cost: str,
) -> Condition:
    lasts = inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function)
    try:
        chosen = Pass(in_pass) if in_pass else Pass.ENVIRONMENT if lasts else Pass.KEPT
    except ValueError:
        raise UsageProblem(f"There is no pass {in_pass!r}.", advice=f"There are {', '.join(Pass)}.") from None
    if lasts != (chosen is Pass.ENVIRONMENT):
        raise UsageProblem(
            f"The condition {function.__name__} does not fit its pass.",
            advice="A function that yields once is for the environment, the others are not.",
        )

    async def happen(ground: Ground) -> Any:
        return await PlaywrightCall(lambda: function(ground.page))

    async def begin(ground: Ground) -> Any:
        going = function(ground.page)
        await PlaywrightCall(lambda: anext(going, None) if inspect.isasyncgen(going) else next(going, None))
        return going

    async def end(ground: Ground, going: Any) -> None:
        await PlaywrightCall(lambda: anext(going, None) if inspect.isasyncgen(going) else next(going, None))

    async def matters(ground: Ground) -> bool:
        assert relevant is not None
        return bool(await PlaywrightCall(lambda: relevant(ground.page)))

    return Condition(
        name=name or function.__name__.replace("_", "-"),
        title=title,
        what=inspect.getdoc(function) or title,
        why=why or "Says who wrote it.",
        in_pass=chosen,
        neutral=Neutral.ASSUMED,
        inject=begin if lasts else happen,
        end=end if lasts else None,
        relevant=matters if relevant else None,
        conflicts=frozenset(conflicts),
        cost=cost,
    )
