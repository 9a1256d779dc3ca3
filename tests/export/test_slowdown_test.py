"""Files written from what was done, on made-up courses: loops, unrolled steps, thresholds, and what is refused."""

from __future__ import annotations

import ast
from collections.abc import Sequence

import pytest

from jostle.events import Dialog, Effect, Kind, PageError, State, event_of
from jostle.model.visit import Visit
from jostle.slowdowns.history import Pair, action_of
from jostle.slowdowns.playwright_test import failure_test, slowdown_test

HERE = State("here", url="http://a/")
URL = "http://127.0.0.1:8000/app?x"
IMPORTED = {"pytest", "time"}


def visit(name: str, cost: int = 0, *, css: str = "", effect: Effect | None = None, **detail: object) -> Visit:
    where = {"words": name, "role": "button", "name": name, "css": css, "nth": 2 if css else 1}
    event = event_of(
        kind=Kind.USER, what=f'click button "{name}"', detail={"action": "click", "locator": where, **detail}
    )
    return Visit(before=HERE, event=event, effect=effect or Effect(cost=cost), after=HERE)


ADD, SORT = visit("Add"), visit("Sort")
PAIR = Pair(action_of(ADD), action_of(SORT))


def course(costs: Sequence[int], between: Sequence[Visit] = (ADD,)) -> list[Visit]:
    visits = [visit("Open"), visit("Sort", costs[0])]
    for cost in costs[1:]:
        visits += [*between, visit("Sort", cost)]
    return visits


def written(visits: Sequence[Visit], pair: Pair = PAIR, name: str = "sorting", title: str = "It is slow.") -> str:
    text = slowdown_test(URL, visits, pair, law="linear", title=title, name=name)
    compile(text, "test", "exec")
    return text


def test_a_regular_course_is_a_loop() -> None:
    text = written(course([10 + 5 * n for n in range(21)]))
    assert "for _ in range(12):" in text
    assert text.count('name="Add"') == 1 and text.count('name="Sort"') == 2 and text.count('name="Open"') == 1
    assert "grew by 40:" in text and "ALLOWED = 10\n" in text
    assert f'URL = "{URL}"' in text and 'OWN_SCRIPTS = ("http://127.0.0.1:8000/",)' in text
    assert "def test_sorting(page: Page) -> None:" in text
    assert "jostle" not in text
    assert "--max-optimized-bytecode-size=0" in text, "V8 loses counts of what it optimises"


def test_a_few_stretches_that_differ_do_not_matter() -> None:
    visits = course([10 + 5 * n for n in range(21)])
    visits[4:4] = [visit("Open"), visit("Open")]
    text = written(visits)
    assert "for _ in range(12):" in text and text.count('name="Open"') == 1


def test_an_irregular_course_is_written_as_it_was() -> None:
    visits = course([10 + 5 * n for n in range(21)])
    visits = [visit("Add", css=f"li:nth-of-type({n})") if each is ADD else each for n, each in enumerate(visits)]
    text = written(visits)
    assert "for _ in" not in text
    assert text.count("ran.append(") == 12 and text.count('name="Add"') == 12


def test_only_what_grows_counts_where_that_is_known() -> None:
    noisy = course([5000 + 2 * n + (37 * n) % 60 for n in range(21)])
    steady = [2.0 * n for n in range(20)]
    text = slowdown_test(URL, noisy, PAIR, law="linear", title="", name="", steady=steady)
    assert "grew by 16:" in text and "ALLOWED = 4\n" in text
    slight = slowdown_test(URL, noisy, PAIR, law="linear", title="", name="", steady=[n / 8 for n in range(20)])
    assert "grew by 1:" in slight and "ALLOWED = 0\n" in slight, "less than it grew by"


def test_an_event_that_makes_itself_slower() -> None:
    pair = Pair(PAIR.effect, PAIR.effect)
    text = written(course([10 + 5 * n for n in range(21)], between=()), pair)
    assert text.count('name="Sort"') == 2 and "each time makes the next" in text


@pytest.mark.parametrize("costs", [[10] * 21, [10, 20, 30, 40], [40 - n for n in range(21)]])
def test_what_does_not_grow_is_refused(costs: list[int]) -> None:
    with pytest.raises(ValueError, match="does not grow"):
        written(course(costs))


def test_what_was_never_done_is_refused() -> None:
    with pytest.raises(ValueError, match="never done"):
        written([ADD])


def test_hostile_words_stay_words() -> None:
    hostile = 'x"""\nimport os\n\\'
    pair = Pair(action_of(visit(hostile)), action_of(visit(hostile)))
    visits = [visit(hostile, 10 + 5 * n) for n in range(21)]
    tree = ast.parse(written(visits, pair, name=f"3 {hostile} ü", title=hostile))
    assert {each.name for node in ast.walk(tree) if isinstance(node, ast.Import) for each in node.names} == IMPORTED
    assert any(isinstance(node, ast.FunctionDef) and node.name == "test_3_x_import_os" for node in tree.body)


@pytest.mark.parametrize("title", [r"coding:raw_unicode_escape\u000aimport evil\u000aZ=1#", "Encoding: Base64"])
def test_a_title_says_nothing_to_python(title: str) -> None:
    tree = ast.parse(written(course([10 + 5 * n for n in range(21)]), title=title).encode())
    assert {each.name for node in ast.walk(tree) if isinstance(node, ast.Import) for each in node.names} == IMPORTED


def test_dialogs_are_accepted_and_touch_is_asked_for() -> None:
    costs = [10 + 5 * n for n in range(21)]
    asked = visit("Ask", effect=Effect(dialogs=(Dialog("confirm", "Sure?", "accept"),)))
    assert 'page.on("dialog"' in written(course(costs, (ADD, asked)))
    assert 'page.on("dialog"' not in written(course(costs))
    touched = written(course(costs, (ADD, visit("Touch", action="tap"))))
    assert "import pytest\n" in touched and '"has_touch": True' in touched


def test_tabs_that_come_and_go_are_followed() -> None:
    link = visit("Link", target="_blank")
    close = Visit(
        before=HERE,
        event=event_of(kind=Kind.USER, what="close the tab", detail={"action": "close"}),
        effect=Effect(),
        after=HERE,
    )
    text = written(course([10 + 5 * n for n in range(21)], (ADD, link, close)))
    assert text.count("    work.follow(page)\n") == 2
    assert "for _ in range(12):" in text


def test_a_failure() -> None:
    broken = visit("Add", effect=Effect(errors=(PageError("exception", "Boom"),)))
    visits = [*course([10, 20, 30, 40]), broken, visit("Open"), visit("Open")]
    text = failure_test(URL, visits, PAIR, problem="Boom", title="It fails.", name="fails")
    compile(text, "test", "exec")
    assert "for _ in range(4):" in text and "median" not in text
    known = text.index("trouble.known.update")
    assert 'name="Add"' in text[:known], "what the cause always does wrong is known after it was done once"
    assert "After 3 rounds" in text and "Boom" in text


def test_a_failure_in_an_irregular_course_ends_with_the_problem() -> None:
    broken = visit("Break", effect=Effect(errors=(PageError("exception", "Boom"),)))
    visits = [*course([10, 20]), visit("Open"), broken, visit("Never")]
    text = failure_test(URL, visits, PAIR, problem="Boom", title="It fails.", name="fails")
    compile(text, "test", "exec")
    assert "for _ in" not in text
    assert text.rstrip().endswith("trouble.expect_nothing_new()")
    assert 'name="Break"' in text and 'name="Never"' not in text
