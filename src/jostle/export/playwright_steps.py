"""What a user did as Python code for Playwright's synchronous API.

Whatever comes from a page gets into the code as a string literal or a comment, never as code. How it is done:

- an element is found by role and name as assistive technology knows it, the first one; by its CSS path where it has
  neither, and by both where it is not the first of that name. In a draft (`draft`) that is left open until it is known
  whether Playwright finds it by this name;
- a text is typed key by key, into the emptied field, as it was when the event was done;
- events that do not name a tab happen in the tab that was opened last; a link that opens a tab makes it `page`;
- what cannot be expressed becomes `pytest.fail(...)` with the reason: a test that cannot do a step must neither pass
  nor be skipped.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from jostle.events import Event, Locator, UserAction
from jostle.export.draft import located

_NAMED = frozenset({
    "button", "checkbox", "columnheader", "combobox", "gridcell", "heading", "img", "link", "listbox", "menuitem",
    "menuitemcheckbox", "menuitemradio", "option", "radio", "rowheader", "searchbox", "slider", "spinbutton", "switch",
    "tab", "textbox", "treeitem",
})  # fmt: skip
"""Roles whose names Playwright finds as we do. An item of a list, for one, has no name there."""
_SAME_TAB = frozenset({"", "_self", "_parent", "_top"})
_TEST_ID = re.compile(r'\[data-testid="([^"\\]*)"\]')
_PASTED = 500
"""Longer texts are pasted, as when they were recorded."""
_SAMPLE = b"A file from jostle.\n"
_WHEEL = "area => Math.max(100, area.clientHeight * 0.8)"


def literal(text: str) -> str:
    """A string literal of one line, in printable characters."""
    written = repr(text)
    return f'"{written[1:-1]}"' if '"' not in written and "\\" not in written else written


def comment(text: str) -> str:
    """A comment of one line, in printable characters."""
    return "# " + " ".join("".join(each if each.isprintable() else " " for each in text).split())


def heading(title: str) -> list[str]:
    """The first lines of a test. Python and editors look for instructions in the first two (`coding: ...`): those are
    ours, whatever a page calls itself."""
    return [
        "# -*- coding: utf-8 -*-",
        "# Needs pytest-playwright, Chromium, and the application in its initial state.",
        comment(title),
    ]


def element(locator: Locator, page: str = "page", frame: Sequence[int] = ()) -> str:
    """The expression that finds an element in a page, or in the frame of it with this path."""
    root = page + "".join(f'.locator("iframe, frame").nth({int(number) - 1}).content_frame' for number in frame)
    css, role, name = _css(locator.css), locator.role, locator.name
    placed = _placed(css, root) if css else ""
    if role not in _NAMED or not name:
        return placed or f"{root}.get_by_text({literal(locator.words)})"
    cut = name.endswith("…")  # a long name is recorded as far as it is needed
    named = (
        f"{root}.get_by_role({literal(role)}, name={literal(name.removesuffix('…'))}{'' if cut else ', exact=True'})"
    )
    if not locator.within and locator.nth == 1 and not cut:
        return located(f"{named}.first", placed)  # others of the same name may come after it
    # What is joined is looked for where the first part is: in the frame already.
    return located(f"{named}.and_({_placed(css, page)})", placed) if placed else f"{named}.nth({locator.nth - 1})"


def steps(event: Event) -> list[str]:
    """The lines that do what the user did in `event`; they use `page` and may replace it by another tab."""
    action = event.action
    page = f"page.context.pages[{action.tab}]" if action.tab else "page"
    lines = _whole_page(action, page)
    if lines is not None:
        return lines
    if action.locator is None:
        return _cannot(event, "it does not say where")
    done = _on_element(action, action.locator, page)
    if done is None:
        return _cannot(event, f"there is no way to {literal(action.type)}")
    return done


def needs_touch(events: Iterable[Event]) -> bool:
    """Whether the browser context of the test must have `has_touch`."""
    return any(event.action.type == "tap" for event in events)


def replaces_page(event: Event) -> bool:
    """Whether the lines of the event put another tab in the place of `page`."""
    return event.action.type == "close" or (not event.action.tab and _opens_tab(event.action))


def _whole_page(action: UserAction, page: str) -> list[str] | None:
    """What is done to no element; None for everything else."""
    of_page = action.element == "html"
    match action.type:
        case "visit":
            return [f"{page}.goto({literal(action.href)})"]
        case "back":
            return [f"{page}.go_back()"]
        case "close":
            return [f"{page}.close()", "page = page.context.pages[-1]"]
        case "press" if of_page:
            return [f"{page}.keyboard.press({literal(action.value or '')})"]
        case "scroll" if of_page and not action.frame:
            area = f'{page}.locator("html")'
            return [f"{page}.mouse.wheel(0, {area}.evaluate({literal(_WHEEL)}))"]
    return None


def _on_element(action: UserAction, locator: Locator, page: str) -> list[str] | None:
    found = element(locator, page, action.frame)
    value = action.value or ""
    match action.type:
        case "click" if _opens_tab(action):
            lines = [f"with {page}.expect_popup() as opened:", f"    {found}.click()"]
            return lines if action.tab else [*lines, "page = opened.value"]
        case "click":
            return [f"{found}.click()"]
        case "dblclick" | "hover" | "tap" as method:
            return [f"{found}.{method}()"]
        case "rightclick":
            return [f'{found}.click(button="right")']
        case "check":
            return [f"{found}.{'uncheck' if value == 'false' else 'check'}()"]
        case "type" if len(value) <= _PASTED:
            return [f"field = {found}", "field.click()", "field.clear()", f"field.press_sequentially({literal(value)})"]
        case "fill" | "type":
            return [f"{found}.fill({literal(value)})"]
        case "press":
            return [f"{found}.press({literal(value)})"]
        case "select":
            return _choose(action, found, value)
        case "upload":
            return [f"{found}.set_input_files({_file(action)})"]
        case "drag" if action.to is not None:
            return [f"{found}.drag_to({element(action.to, page, action.frame)})"]
        case "scroll":
            return [f"area = {found}", "area.hover()", f"{page}.mouse.wheel(0, area.evaluate({literal(_WHEEL)}))"]
    return None


def _choose(action: UserAction, found: str, value: str) -> list[str]:
    if value and not value.endswith("…"):
        return [f"{found}.select_option(label={literal(value)})"]
    option = f'field.locator("option:enabled").nth({action.index})'
    return [f"field = {found}", f"field.select_option(element={option}.element_handle())"]


def _file(action: UserAction) -> str:
    if action.file:
        return literal(action.file)
    accept = action.field.accept if action.field is not None else ""
    ending = next((part.strip() for part in accept.split(",") if part.strip().startswith(".")), ".txt")
    return f'{{"name": {literal(f"sample{ending}")}, "mimeType": "text/plain", "buffer": {_SAMPLE!r}}}'


def _opens_tab(action: UserAction) -> bool:
    return action.type == "click" and action.target not in _SAME_TAB


def _placed(css: str, root: str) -> str:
    by_test_id = _TEST_ID.fullmatch(css)
    return f"{root}.get_by_test_id({literal(by_test_id[1])})" if by_test_id else f"{root}.locator({literal(css)})"


def _css(path: str) -> str:
    """Our paths say where a shadow root begins; Playwright's selectors go into open ones by themselves."""
    return path.replace(" >>> :host", "").replace(" >>> ", " ")


def _cannot(event: Event, why: str) -> list[str]:
    return [f"pytest.fail({literal(f'This step cannot be done by Playwright, {why}: {event.what}')})"]
