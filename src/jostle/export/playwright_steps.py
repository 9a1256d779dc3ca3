"""What a user did as Python code for Playwright's synchronous API.

Whatever comes from a page gets into the code as a string literal or a comment, never as code. How it is done:

- an element is found by role and name as assistive technology knows it, the first one; by its CSS path where it has
  neither, and by both where it is not the first of that name;
- a text is typed key by key, into the emptied field, as it was when the event was done;
- events that do not name a tab happen in the tab that was opened last; a link that opens a tab makes it `page`;
- what cannot be expressed becomes `pytest.fail(...)` with the reason: a test that cannot do a step must neither pass
  nor be skipped.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from jostle.events import Event

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

Locator = Mapping[str, Any]


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
    css = _css(str(locator.get("css") or ""))
    role, name = str(locator.get("role") or ""), str(locator.get("name") or "")
    placed = _placed(css, root) if css else ""
    if role not in _NAMED or not name:
        return placed or f"{root}.get_by_text({literal(str(locator.get('words') or ''))})"
    cut = name.endswith("…")  # a long name is recorded as far as it is needed
    named = (
        f"{root}.get_by_role({literal(role)}, name={literal(name.removesuffix('…'))}{'' if cut else ', exact=True'})"
    )
    if not locator.get("within") and int(locator.get("nth") or 1) == 1 and not cut:
        return f"{named}.first"  # others of the same name may come after it
    # What is joined is looked for where the first part is: in the frame already.
    return f"{named}.and_({_placed(css, page)})" if placed else f"{named}.nth({int(locator.get('nth') or 1) - 1})"


def steps(event: Event) -> list[str]:
    """The lines that do what the user did in `event`; they use `page` and may replace it by another tab."""
    detail = event.detail
    page = f"page.context.pages[{int(detail['tab'])}]" if detail.get("tab") else "page"
    lines = _whole_page(detail, page)
    if lines is not None:
        return lines
    locator = detail.get("locator")
    if not isinstance(locator, Mapping):
        return _cannot(event, "it does not say where")
    done = _on_element(detail, locator, page)
    if done is None:
        return _cannot(event, f"there is no way to {literal(str(detail.get('action')))}")
    return done


def needs_touch(events: Iterable[Event]) -> bool:
    """Whether the browser context of the test must have `has_touch`."""
    return any(event.detail.get("action") == "tap" for event in events)


def replaces_page(event: Event) -> bool:
    """Whether the lines of the event put another tab in the place of `page`."""
    return event.detail.get("action") == "close" or (not event.detail.get("tab") and _opens_tab(event.detail))


def _whole_page(detail: Mapping[str, Any], page: str) -> list[str] | None:
    """What is done to no element; None for everything else."""
    of_page = detail.get("element") == "html"
    match detail.get("action"):
        case "visit":
            return [f"{page}.goto({literal(str(detail.get('href', '')))})"]
        case "back":
            return [f"{page}.go_back()"]
        case "close":
            return [f"{page}.close()", "page = page.context.pages[-1]"]
        case "press" if of_page:
            return [f"{page}.keyboard.press({literal(str(detail.get('value', '')))})"]
        case "scroll" if of_page and not detail.get("frame"):
            area = f'{page}.locator("html")'
            return [f"{page}.mouse.wheel(0, {area}.evaluate({literal(_WHEEL)}))"]
    return None


def _on_element(detail: Mapping[str, Any], locator: Locator, page: str) -> list[str] | None:
    frame = detail.get("frame") or ()
    found = element(locator, page, frame)
    value = str(detail.get("value", ""))
    match detail.get("action"):
        case "click" if _opens_tab(detail):
            lines = [f"with {page}.expect_popup() as opened:", f"    {found}.click()"]
            return lines if detail.get("tab") else [*lines, "page = opened.value"]
        case "click":
            return [f"{found}.click()"]
        case "dblclick" | "hover" | "tap" as action:
            return [f"{found}.{action}()"]
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
            return _choose(detail, found, value)
        case "upload":
            return [f"{found}.set_input_files({_file(detail)})"]
        case "drag" if isinstance(detail.get("to"), Mapping):
            return [f"{found}.drag_to({element(detail['to'], page, frame)})"]
        case "scroll":
            return [f"area = {found}", "area.hover()", f"{page}.mouse.wheel(0, area.evaluate({literal(_WHEEL)}))"]
    return None


def _choose(detail: Mapping[str, Any], found: str, value: str) -> list[str]:
    if value and not value.endswith("…"):
        return [f"{found}.select_option(label={literal(value)})"]
    option = f'field.locator("option:enabled").nth({int(detail.get("index", 0))})'
    return [f"field = {found}", f"field.select_option(element={option}.element_handle())"]


def _file(detail: Mapping[str, Any]) -> str:
    given = detail.get("file")
    if isinstance(given, str) and given:
        return literal(given)
    field = detail.get("field")
    accept = str(field.get("accept", "")) if isinstance(field, Mapping) else ""
    ending = next((part.strip() for part in accept.split(",") if part.strip().startswith(".")), ".txt")
    return f'{{"name": {literal(f"sample{ending}")}, "mimeType": "text/plain", "buffer": {_SAMPLE!r}}}'


def _opens_tab(detail: Mapping[str, Any]) -> bool:
    return detail.get("action") == "click" and str(detail.get("target", "")) not in _SAME_TAB


def _placed(css: str, root: str) -> str:
    by_test_id = _TEST_ID.fullmatch(css)
    return f"{root}.get_by_test_id({literal(by_test_id[1])})" if by_test_id else f"{root}.locator({literal(css)})"


def _css(path: str) -> str:
    """Our paths say where a shadow root begins; Playwright's selectors go into open ones by themselves."""
    return path.replace(" >>> :host", "").replace(" >>> ", " ")


def _cannot(event: Event, why: str) -> list[str]:
    return [f"pytest.fail({literal(f'This step cannot be done by Playwright, {why}: {event.what}')})"]
