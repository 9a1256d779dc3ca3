"""Trusted input: what the page receives is what a person's hands would have sent."""

from __future__ import annotations

from pathlib import Path

import pytest

from jostle.browser.keys import UnknownKey, parse
from jostle.events import UserAction
from tests.browser.pages import Page

LOG = """<script>
  window.log = [];
  const watch = (el, ...types) => types.forEach((t) =>
    el.addEventListener(t, (e) => log.push(e.isTrusted ? t : t + ' untrusted')));
</script>"""


def log(page: Page) -> list[str]:
    seen: list[str] = page.js("log.splice(0)")
    return seen


def test_click_double_click_right_click_hover(page: Page) -> None:
    page.show(
        LOG
        + """<button id=b>B</button><script>
        watch(b, 'mouseenter', 'pointerdown', 'mousedown', 'mouseup', 'click', 'dblclick', 'contextmenu')</script>"""
    )
    page.do('hover over button "B"')
    assert log(page) == ["mouseenter"]
    page.do('click button "B"')
    assert log(page) == ["pointerdown", "mousedown", "mouseup", "click"]
    page.do('double-click button "B"')
    assert log(page) == ["pointerdown", "mousedown", "mouseup", "click"] * 2 + ["dblclick"]
    page.do('right-click button "B"')
    assert "contextmenu" in log(page)


def test_typing_sends_keys_and_replaces_what_was_there(page: Page) -> None:
    page.show(LOG + "<input id=i aria-label=I value=old><script>watch(i, 'keydown', 'keyup', 'input')</script>")
    page.do('type in textbox "I"', "aB 1!")
    assert page.js("i.value") == "aB 1!"
    assert log(page).count("input") >= 5
    page.do('type in textbox "I"', "naïve 日本 ok")
    assert page.js("i.value") == "naïve 日本 ok"


@pytest.mark.parametrize(
    "field", ["<textarea aria-label=F>old</textarea>", "<div contenteditable aria-label=F>old</div>"]
)
def test_typing_into_larger_fields(page: Page, field: str) -> None:
    page.show(field)
    page.do('type in textbox "F"', "one\ntwo")
    text = page.js("document.querySelector('[aria-label]').value ?? document.querySelector('[aria-label]').innerText")
    assert text.split() == ["one", "two"]


def test_enter_submits_without_a_second_click(page: Page) -> None:
    page.show(
        LOG
        + """<form><input id=i aria-label=I></form><script>
        document.forms[0].addEventListener('submit', (e) => { e.preventDefault(); log.push('submit') });
        watch(i, 'click')</script>"""
    )
    page.do('type in textbox "I"', "x")
    page.do('press Enter in textbox "I"')
    assert log(page) == ["click", "submit"]


def test_shortcuts(page: Page) -> None:
    page.show("""<input id=i><input id=j><script>window.log = []; addEventListener('keydown', (e) =>
        log.push([e.key, e.code, e.keyCode, e.ctrlKey, e.shiftKey].join(' ')))</script>""")
    page.run(page.inputs.press("Control+K"))
    assert log(page) == ["Control ControlLeft 17 true false", "k KeyK 75 true false"]
    page.js("j.focus(), 0")
    page.run(page.inputs.press("Shift+Tab"))
    assert log(page)[-1] == "Tab Tab 9 false true"
    assert page.js("document.activeElement.id") == "i"
    page.run(page.inputs.press("Escape"))
    page.run(page.inputs.press("?"))
    assert [entry.split()[0] for entry in log(page)] == ["Escape", "?"]


def test_keys_have_names() -> None:
    assert parse("Control++")[1].key == "+"
    assert parse("Control+Shift+k")[0] == ["Control", "Shift"] and parse("Control+Shift+k")[1].key == "K"
    assert parse("Ctrl+Return")[1].key == "Enter"
    with pytest.raises(UnknownKey, match="no key is called 'Entr'"):
        parse("Entr")
    with pytest.raises(UnknownKey, match="Hyper"):
        parse("Hyper+K")


def test_select_as_by_hand_with_one_change(page: Page) -> None:
    page.show(
        LOG
        + """<select id=s aria-label=S><option>A<option disabled>No<option>B<option hidden>H<option>C</select>
        <script>watch(s, 'input', 'change')</script>"""
    )
    for choice in "CAB":
        page.do(f'select "{choice}" in combobox "S"')
        page.until(f"s.value === '{choice}'")
        assert log(page) == ["input", "change"]


def test_a_list_box_offers_its_options(page: Page) -> None:
    page.show("<select id=s aria-label=S size=3><option>A<option>B</select>")
    page.do('click option "B"')
    assert page.js("s.value") == "B"


def test_check_range_and_date(page: Page) -> None:
    page.show(
        LOG
        + """<label><input id=c type=checkbox>C</label><input id=r type=range value=50 aria-label=R>
        <input id=d type=date aria-label=D>
        <script>watch(c, 'change'); watch(r, 'input'); watch(d, 'input', 'change')</script>"""
    )
    page.do('check checkbox "C"')
    assert page.js("c.checked") is True and log(page) == ["change"]
    page.do('uncheck checkbox "C"')
    assert page.js("c.checked") is False and log(page) == ["change"]
    page.do('press ArrowRight in slider "R"')
    assert page.js("r.valueAsNumber") in (50, 51) and "input" in log(page)
    page.do('fill in date field "D"', "2024-02-29")
    assert page.js("d.value") == "2024-02-29" and log(page) == ["input untrusted", "change untrusted"]


def test_upload(page: Page, tmp_path: Path) -> None:
    file = tmp_path / "note.txt"
    file.write_text("hello")
    page.show(LOG + "<input id=f type=file aria-label=F><script>watch(f, 'change')</script>")
    page.do('upload to file field "F"', files=[str(file)])
    assert page.js("f.files[0].text()") == "hello" and log(page) == ["change"]


def test_drag_and_drop(page: Page) -> None:
    page.show(
        LOG
        + """<div id=a draggable=true style="width:80px">Card</div>
        <div id=z style="height:200px;margin-top:100px" aria-label=Done>Done</div><script>
        watch(a, 'dragstart', 'dragend');
        a.addEventListener('dragstart', (e) => e.dataTransfer.setData('text/plain', 'card'));
        watch(z, 'dragenter', 'drop'); z.addEventListener('dragover', (e) => e.preventDefault());
        z.addEventListener('drop', (e) => { e.preventDefault();
          z.textContent = e.dataTransfer.getData('text/plain') })</script>"""
    )
    page.do('drag div "Card" to div "Done"')
    page.until("z.textContent === 'card'")
    assert log(page)[:3] == ["dragstart", "dragenter", "drop"]


def test_a_drag_by_mouse_alone(page: Page) -> None:
    page.show("""<div id=a
        style="position:absolute;left:10px;top:10px;width:50px;height:50px;background:red"></div><script>
        window.log = [];
        a.onmousedown = () => { document.onmousemove = (e) => { a.style.left = e.clientX - 25 + 'px' } }
        document.onmouseup = () => { document.onmousemove = null; log.push('up') }</script>""")
    page.run(page.inputs.drag((35, 35), (335, 35)))
    assert page.js("a.style.left") == "310px" and log(page) == ["up"]


def test_scroll(page: Page) -> None:
    page.show(
        """<div id=box style="height:100px;overflow:auto"><p style="height:900px">x</p></div>
        <div style="height:3000px"></div>"""
    )
    page.do("scroll down the page")
    page.until("scrollY > 100")
    page.js("scrollTo(0, 0), 0")
    page.do("scroll down div #box")
    page.until("box.scrollTop > 50")


def test_tap(page: Page) -> None:
    page.show(LOG + "<button id=b>B</button><script>watch(b, 'touchstart', 'touchend', 'click')</script>")
    page.do('tap button "B"')
    page.until("log.length === 3")
    assert log(page) == ["touchstart", "touchend", "click"]


def test_an_unknown_action_is_refused(page: Page) -> None:
    with pytest.raises(ValueError, match="no such action: jump"):
        page.run(page.inputs.perform(UserAction(type="jump"), {"x": 1, "y": 1}))
