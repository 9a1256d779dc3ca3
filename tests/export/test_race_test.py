"""Files written for races, on made-up events: what is held, what is told, and what is refused."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any, cast

import pytest

from jostle.events import Event, Kind, event_of
from jostle.export.held_test import Late
from jostle.races.playwright_test import LoadRace, answer_race_test, load_race_test, order_test

URL = "http://127.0.0.1:8000/app?x"
SEARCH = "http://127.0.0.1:8000/api/search?q=go"
HOSTILE = "x\"\"\"\nimport os\n'''\\ … {CONTEXT} def test_ {"


def user(action: str, name: str = "Go", value: str = "", **detail: Any) -> Event:
    where = {"words": name, "role": "button", "name": name, "css": "", "nth": 1}
    what = f'{action} button "{name}"'
    return event_of(kind=Kind.USER, what=what, detail={"action": action, "value": value, "locator": where, **detail})


FIRST, SECOND, CLICK = user("click", "First"), user("click", "Second"), user("click")


def answers(
    late: Sequence[Late] = (("GET", SEARCH, 1),),
    before: Sequence[Event] = (),
    first: Event = FIRST,
    second: Event | None = SECOND,
    title: str = "An old answer wins.",
    name: str = "search",
    ignored: Sequence[str] = (),
) -> str:
    text = answer_race_test(
        URL, before, first, second, late=late, title=title, name=name, origins=["http://api.a/v1/"], ignored=ignored
    )
    compile(text, "test", "exec")
    return text


def load(
    kind: str = "late-handler",
    action: Event = CLICK,
    late: Sequence[Late] = (("GET", "http://127.0.0.1:8000/app.js", 1),),
    before: Sequence[Event] = (),
) -> str:
    race = cast("LoadRace", kind)
    text = load_race_test(
        URL, kind=race, action=action, late=late, title="Too early.", name="early", origins=[], before=before
    )
    compile(text, "test", "exec")
    return text


def constants(text: str) -> dict[str, Any]:
    """What is assigned at the top, as far as it is data."""
    found = {}
    for node in ast.parse(text).body:
        target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
        if isinstance(target, ast.Name) and isinstance(node, ast.Assign | ast.AnnAssign) and node.value:
            try:
                found[target.id] = ast.literal_eval(node.value)
            except ValueError:
                continue
    return found


def code_of(text: str) -> str:
    """The file without what it says: its structure and names only."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            node.value = ""
    return ast.unparse(tree)


def test_a_race_of_answers() -> None:
    text = answers(before=[user("click", "Open")])
    known = constants(text)
    assert known["URL"] == URL and known["LATE"] == [("GET", SEARCH, 1)]
    assert known["OWN"] == ("http://127.0.0.1:8000/", "http://api.a/")
    assert SEARCH in known["FOUND"] and 'click button "Second"' in known["FOUND"]
    assert text.count('name="Open"') == 1 and text.count('name="First"') == 1
    assert "def test_search(new_context" in text
    assert "jostle" not in text
    imported = {node.module for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ImportFrom)}
    assert {each for each in imported if each and "playwright" in each} == {"playwright.sync_api", "pytest_playwright"}


def test_answers_to_one_event() -> None:
    text = answers(second=None)
    assert constants(text)["FOUND"].endswith("/api/search?q=go comes last")
    assert "place_of_second" not in text


def test_a_message_and_a_timer() -> None:
    text = answers([("message", "/prices", 1), ("timeout", "1500", 2)])
    assert constants(text)["LATE"] == [("message", "/prices", 1), ("timeout", "1500", 2)]
    assert "when a message from /prices, a timer of 1500 ms come only after" in constants(text)["FOUND"]
    assert constants(text)["SHORT"] == 1501  # else it would not be waited for
    assert "OWN, sockets=True)" in text
    assert constants(answers())["SHORT"] == 1000 and "sockets=True)" not in answers()


def test_an_order_of_loading() -> None:
    late, last = [("GET", "http://a/late.js", 1)], [("GET", "http://a/frame.html", 2)]
    text = order_test("http://a/", late=late, last=last, title="Frame", name="frame", origins=[])
    compile(text, "test", "exec")
    assert constants(text)["LAST"] == last and constants(text)["LATE"] == late


def test_what_may_be_changed_stands_before_the_code() -> None:
    text = answers()
    for name in ("LONGEST", "PATIENCE", "SHORT"):
        assert text.index(f"\n{name} = ") < text.index("\ndef ")


@pytest.mark.parametrize("kind", ["form-input-overwritten", "late-handler", "access-before-definition"])
def test_a_race_with_loading(kind: str) -> None:
    text = load(kind)
    assert constants(text)["LATE"] == [("GET", "http://127.0.0.1:8000/app.js", 1)]
    assert 'wait_until="commit"' in text and "def test_early(new_context" in text


def test_a_user_who_types_is_in_the_middle_of_it_when_the_page_is_loaded() -> None:
    text = load("form-input-overwritten", user("type", value="hello"))
    assert 'press_sequentially("hel")' in text and 'keyboard.type("lo")' in text
    whole = load("late-handler", user("type", value="hello"))
    assert 'press_sequentially("hello")' in whole and "keyboard" not in whole


def test_what_the_user_does_before_is_done_early_too() -> None:
    text = load(action=user("click", "Add"), before=[user("type", "Task", "milk")])
    assert text.index('press_sequentially("milk")') < text.index('name="Add"')
    assert 'return page.get_by_role("button", name="Task"' in text


def test_parts_of_addresses_that_differ_from_run_to_run_are_open() -> None:
    first, second = (f"http://a/b.js?q=owl&callback=show{n}&_=169999999999{n}#x" for n in (1, 2))
    held = constants(answers([("GET", first, 1), ("GET", second, 1), ("GET", SEARCH, 3)]))["LATE"]
    opened = "http://a/b.js?q=owl&callback=…&_=…"
    assert held == [("GET", opened, 1), ("GET", opened, 2), ("GET", SEARCH, 3)]
    session = "http://a/3f2504e0-4f89-11d3-9a0c-0305e82c3301/list"
    assert constants(answers([("GET", session, 1)]))["LATE"] == [("GET", "http://a/…/list", 1)]


def test_hostile_words_stay_words() -> None:
    event = user("type", HOSTILE, HOSTILE)
    late = [("GET", f"http://a/{HOSTILE}".replace("\n", ""), 1)]
    plain = user("type", "plain", "plain")
    mild = answers([("GET", "http://a/plain", 1)], [plain], plain, plain, ignored=["plain"])
    text = answers(late, [event], event, event, title=HOSTILE, name="search", ignored=[HOSTILE])
    assert code_of(text) == code_of(mild)
    assert constants(text)["IGNORED"] == [HOSTILE]
    for kind in ("form-input-overwritten", "late-handler"):
        assert code_of(load(kind, event, late)) == code_of(load(kind, plain, [("GET", "http://a/plain", 1)]))


@pytest.mark.parametrize("title", [r"coding:raw_unicode_escape\u000aimport evil\u000aZ=1#", "Encoding: Base64"])
def test_a_title_says_nothing_to_python(title: str) -> None:
    tree = ast.parse(answers(title=title).encode())
    modules = [each.name for node in ast.walk(tree) if isinstance(node, ast.Import) for each in node.names]
    assert "evil" not in modules and "pytest" in modules


def test_a_hostile_name_is_a_name() -> None:
    tree = ast.parse(answers(name=f"3 {HOSTILE} ü"))
    assert "test_3_x_import_os_context_def_test" in [
        node.name for node in tree.body if isinstance(node, ast.FunctionDef)
    ]


def test_touch_is_asked_for() -> None:
    assert 'browser_context_args(service_workers="block", has_touch=True)' in answers(second=user("tap"))
    assert "has_touch" not in answers()


@pytest.mark.parametrize(
    ("late", "words"),
    [
        ([], "without something that is late"),
        ([("GET", "ws://a/prices", 1)], "Only answers, timers and sockets"),
        ([("open", "http://a/events", 1)], "Only answers, timers and sockets"),
        ([("timeout", "60000", 1)], "wait for a timer of 60 s"),
        ([("GET", SEARCH, 0)], "counted from 1"),
    ],
)
def test_what_cannot_be_held_is_refused(late: list[Late], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        answers(late)
    with pytest.raises(ValueError, match=words):
        load(late=late)


def test_what_cannot_be_done_is_refused() -> None:
    answer = event_of(kind=Kind.NETWORK, what="GET /api/search")
    with pytest.raises(ValueError, match="nothing that a user does"):
        answers(first=answer)
    with pytest.raises(ValueError, match="cannot be done by Playwright"):
        answers(second=user("whistle"))
    with pytest.raises(ValueError, match="which field"):
        load("form-input-overwritten", user("press", locator=None))
    with pytest.raises(ValueError, match="no test for a race of the kind"):
        load("slowdown")
    with pytest.raises(ValueError, match="no regular expression"):
        answers(ignored=["("])
