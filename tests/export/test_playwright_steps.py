"""User events as lines of Python: what is written for each, and that no page can write code."""

from __future__ import annotations

import ast
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jostle.events import Event, Kind, Locator, event_of
from jostle.export.playwright_steps import comment, element, literal, needs_touch, replaces_page, steps


def locator(role: str = "button", name: str = "Save", css: str = "#save", **more: Any) -> dict[str, Any]:
    return {
        "words": f'{role} "{name}"',
        "role": role,
        "name": name,
        "test": "",
        "css": css,
        "within": "",
        "nth": 1,
    } | more


def event(action: str, where: dict[str, Any] | None = None, **detail: Any) -> Event:
    place = {} if where is None else {"locator": where}
    return event_of(kind=Kind.USER, what=f"{action} it", detail={"action": action, **place, **detail})


ANY_SAVE = 'page.get_by_role("button", name="Save", exact=True)'
SAVE = f"{ANY_SAVE}.first"
NAME = locator("textbox", "Name", "input")
NAMED = 'page.get_by_role("textbox", name="Name", exact=True).first'
KIND = locator("combobox", "Kind", "select")
FRAME = 'page.locator("iframe, frame").nth(0).content_frame'
PAGE = {"words": "the page", "role": "document", "name": "", "test": "", "css": "html", "within": "", "nth": 1}


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        (locator(), SAVE),
        (locator("div", "Save"), 'page.locator("#save")'),
        (locator("listitem", "Milk", "ul > li:nth-of-type(2)"), 'page.locator("ul > li:nth-of-type(2)")'),
        (locator("password field", "Password", "#p"), 'page.locator("#p")'),
        (locator(name=""), 'page.locator("#save")'),
        (locator(name="", css='[data-testid="go"]'), 'page.get_by_test_id("go")'),
        (locator(name="", css='[data-cy="go"]'), "page.locator('[data-cy=\"go\"]')"),
        (locator(name="", css="a-b >>> #x > i"), 'page.locator("a-b #x > i")'),
        (locator(name="", css="a-b >>> :host > i"), 'page.locator("a-b > i")'),
        (locator(within='item "Milk"'), f'{ANY_SAVE}.and_(page.locator("#save"))'),
        (locator(nth=3), f'{ANY_SAVE}.and_(page.locator("#save"))'),
        (locator(nth=3, css=""), f"{ANY_SAVE}.nth(2)"),
        (locator(name="A long na…"), 'page.get_by_role("button", name="A long na").and_(page.locator("#save"))'),
    ],
)
def test_elements(where: dict[str, Any], expected: str) -> None:
    assert element(Locator(**where)) == expected


@pytest.mark.parametrize(
    ("done", "expected"),
    [
        (event("click", locator()), [f"{SAVE}.click()"]),
        (event("dblclick", locator()), [f"{SAVE}.dblclick()"]),
        (event("rightclick", locator()), [f'{SAVE}.click(button="right")']),
        (event("hover", locator()), [f"{SAVE}.hover()"]),
        (event("tap", locator()), [f"{SAVE}.tap()"]),
        (event("check", locator(), value="true"), [f"{SAVE}.check()"]),
        (event("check", locator(), value="false"), [f"{SAVE}.uncheck()"]),
        (
            event("type", NAME, value="Ada\n"),
            [f"field = {NAMED}", "field.click()", "field.clear()", "field.press_sequentially('Ada\\n')"],
        ),
        (event("type", NAME, value="x" * 501), [f'{NAMED}.fill("{"x" * 501}")']),
        (event("fill", NAME, value="2026-03-14"), [f'{NAMED}.fill("2026-03-14")']),
        (event("press", NAME, value="Control+K"), [f'{NAMED}.press("Control+K")']),
        (event("press", PAGE, element="html", value="Escape"), ['page.keyboard.press("Escape")']),
        (
            event("select", KIND, value="Cake", index=1),
            ['page.get_by_role("combobox", name="Kind", exact=True).first.select_option(label="Cake")'],
        ),
        (
            event("select", KIND, value="A very long one…", index=4),
            [
                'field = page.get_by_role("combobox", name="Kind", exact=True).first',
                'field.select_option(element=field.locator("option:enabled").nth(4).element_handle())',
            ],
        ),
        (
            event("upload", locator("file field", "", "#f"), field={"accept": "image/*, .png"}),
            [
                'page.locator("#f").set_input_files({"name": "sample.png", "mimeType": "text/plain", '
                "\"buffer\": b'A file from jostle.\\n'})"
            ],
        ),
        (
            event("upload", locator("file field", "", "#f"), file="a.csv"),
            ['page.locator("#f").set_input_files("a.csv")'],
        ),
        (event("drag", locator(), to=NAME), [f"{SAVE}.drag_to({NAMED})"]),
        (
            event("scroll", locator("div", "", "#list")),
            [
                'area = page.locator("#list")',
                "area.hover()",
                'page.mouse.wheel(0, area.evaluate("area => Math.max(100, area.clientHeight * 0.8)"))',
            ],
        ),
        (event("visit", href="http://a/?b"), ['page.goto("http://a/?b")']),
        (event("back"), ["page.go_back()"]),
        (event("close"), ["page.close()", "page = page.context.pages[-1]"]),
        (
            event("click", locator(), target="_blank"),
            ["with page.expect_popup() as opened:", f"    {SAVE}.click()", "page = opened.value"],
        ),
        (event("click", locator(), target="_self"), [f"{SAVE}.click()"]),
        (event("click", locator(), tab=1), [f"{SAVE.replace('page', 'page.context.pages[1]', 1)}.click()"]),
        (event("back", tab=2), ["page.context.pages[2].go_back()"]),
        (event("click", locator(), frame=[1]), [f"{SAVE.replace('page', FRAME, 1)}.click()"]),
        (
            event("click", locator(nth=2), frame=[1]),
            [f'{ANY_SAVE.replace("page", FRAME, 1)}.and_(page.locator("#save")).click()'],
        ),
    ],
    ids=lambda value: value.what if isinstance(value, Event) else "",
)
def test_steps(done: Event, expected: list[str]) -> None:
    assert steps(done) == expected
    compile("\n".join(steps(done)), "steps", "exec")


@pytest.mark.parametrize("done", [event("juggle", locator()), event("click"), event("drag", locator()), event("")])
def test_what_cannot_be_done_fails(done: Event) -> None:
    (line,) = steps(done)
    assert line.startswith("pytest.fail(")
    assert done.what in line


def test_who_needs_what() -> None:
    assert needs_touch([event("click", locator()), event("tap", locator())])
    assert not needs_touch([event("click", locator())])
    assert replaces_page(event("close"))
    assert replaces_page(event("click", locator(), target="_blank"))
    assert not replaces_page(event("click", locator(), target="_blank", tab=1))
    assert not replaces_page(event("click", locator()))


HOSTILE = [
    'a"b',
    "it's",
    "'\"",
    '"""',
    "\\",
    'x\\"',
    "a\nimport os",
    "\r\n\t\0",
    "\u2028\u2029\x85",
    "\u202eevil",
    "\ud800",
    "{braces}",
    "{0}%s",
    "false",
    "日本語 ☃ 😀",
    '"); __import__("os").system("true") #',
]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_pages_write_no_code(text: str) -> None:
    _check(text)


@given(st.text(st.characters(exclude_categories=())))
def test_no_page_writes_code(text: str) -> None:
    _check(text)


ACTIONS = ["click", "type", "fill", "press", "select", "upload", "drag", "visit", "check", "no such"]


def _check(text: str) -> None:
    assert ast.literal_eval(literal(text)) == text
    assert ast.parse(comment(text)).body == []
    for where in (locator("button", text), locator("div", text, text), locator("button", text, text, nth=2)):
        for action in ACTIONS:
            done = event_of(
                kind=Kind.USER,
                what=text,
                detail={
                    "action": action,
                    "locator": where,
                    "value": text,
                    "href": text,
                    "to": where,
                    "field": {"accept": f".{text}"},
                    "file": text if action == "upload" else "",
                },
            )
            plain = event_of(
                kind=Kind.USER,
                what="x",
                detail={
                    "action": action,
                    "locator": {**where, "name": where["name"] and "x", "css": where["css"] and "x", "words": "x"},
                    "value": text if text == "false" else text and "x",  # a word for a box that is not ticked
                    "href": "x",
                    "to": {**where, "name": where["name"] and "x", "css": where["css"] and "x", "words": "x"},
                    "field": {"accept": ".x"},
                    "file": "x" if text and action == "upload" else "",
                },
            )
            if text.endswith("…") or len(text) > 500:
                continue
            code = "\n".join(steps(done))
            code.encode("utf-8")
            assert _shape(code) == _shape("\n".join(steps(plain)))


def _shape(code: str) -> str:
    """The code without what its strings say."""
    tree = ast.parse(code)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            node.value = ""
    return ast.dump(tree)
