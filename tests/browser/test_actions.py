"""What a person could do in a page, how it is named, and where to point."""

from __future__ import annotations

import pytest

from jostle.browser import agent
from tests.browser.pages import Page


def test_controls_are_named_as_a_person_would(page: Page) -> None:
    page.show("""
        <form aria-label="New recipe">
          <label>Title <input name=title></label> <label><input type=checkbox> Vegetarian</label>
          <label for=pw>Secret</label><input id=pw type=password> <input placeholder=Search type=search>
          <select aria-label=Course><option>Soup<option>Cake</select>
          <input type=date aria-label=Day> <input type=file aria-label=Photo> <button>Save</button>
        </form>
        <a href="/r">Recipes</a> <button><img alt=Close></button> <button title=Menu></button>
        <details><summary>More</summary>text</details>""")
    assert page.words() == [
        'type in textbox "Title"',
        'press Enter in textbox "Title"',
        'check checkbox "Vegetarian"',
        'type in password field "Secret"',
        'press Enter in password field "Secret"',
        'type in searchbox "Search"',
        'press Enter in searchbox "Search"',
        'select "Cake" in combobox "Course"',
        'fill in date field "Day"',
        'upload to file field "Photo"',
        'click button "Save"',
        'click link "Recipes"',
        'click button "Close"',
        'click button "Menu"',
        'click summary "More"',
    ]


def test_a_field_says_what_it_accepts(page: Page) -> None:
    page.show("<input aria-label=Age type=number min=1 max=120 required value=7 autocomplete=off>")
    field = page.action('type in spinbutton "Age"')["field"]
    assert field == {
        "type": "number", "label": "Age", "value": "7", "required": True, "min": "1", "max": "120",
        "autocomplete": "off",
    }  # fmt: skip


@pytest.mark.parametrize(
    "hidden",
    [
        "<button style='display:none'>No</button>",
        "<button style='visibility:hidden'>No</button>",
        "<div style='opacity:0'><button>No</button></div>",
        "<button hidden>No</button>",
        "<button style='width:0;height:0;border:0;padding:0;overflow:hidden'></button>",
        "<button disabled>No</button>",
        "<button aria-disabled=true>No</button>",
        "<fieldset disabled><button>No</button></fieldset>",
        "<div inert><button>No</button></div>",
        "<button style='pointer-events:none'>No</button>",
        "<button style='position:absolute;left:-999px'>No</button>",
        "<button style='position:fixed;top:-999px'>No</button>",
        "<div style='height:0;overflow:hidden'><button>No</button></div>",
        "<div style='height:900px'></div><div style='height:0;overflow:hidden'><button>No</button></div>",
        "<div style='position:relative'><button>No</button><div style='position:absolute;inset:0'>over</div></div>",
        "<input type=hidden value=No>",
        "<a href='mailto:a@example.org'>No</a>",
    ],
)
def test_what_nobody_could_do_is_not_offered(page: Page, hidden: str) -> None:
    page.show(f"<button>Yes</button>{hidden}")
    assert [words for words in page.words() if not words.startswith("scroll")] == ['click button "Yes"']


def test_aria_hidden_hides_nothing_from_the_eye(page: Page) -> None:
    page.show("<div aria-hidden=true><button>Here</button></div>")
    assert page.words() == ['click button "Here"']


def test_a_repainted_checkbox_is_operated_through_its_label(page: Page) -> None:
    page.show("""<label><input type=checkbox style="position:absolute;opacity:0;width:0;height:0"> Agree</label>
        <input type=radio id=r style="display:none"><label for=r>Red</label>""")
    assert page.words() == ['check checkbox "Agree"', 'check radio "Red"']
    page.do('check checkbox "Agree"')
    page.do('check radio "Red"')
    assert page.js("[...document.querySelectorAll('input')].map(i => i.checked)") == [True, True]


def test_nothing_is_offered_before_the_first_paint(page: Page) -> None:
    page.begin("<link rel=stylesheet href=/held><button>Go</button>")
    page.until("document.querySelector('button') !== null")
    answer = page.call("actions")
    assert (answer["actions"], answer["reason"]) == ([], "nothing has been painted yet")
    assert not answer["blank"]  # something will be
    assert page.call("point", {"role": "button", "name": "Go"})["reason"] == "nothing has been painted yet"
    page.js("fetch('/release'), 0")
    page.until("jostle.painted()")
    assert page.words() == ['click button "Go"']


def test_a_document_without_anything_in_it_is_told_from_one_that_is_going_to_be_painted(page: Page) -> None:
    page.show("", painted=False)
    assert page.call("actions")["blank"]
    page.js("document.body.remove()")
    assert page.call("actions")["blank"]
    page.js("document.documentElement.append(document.createElement('body')), document.body.append('text'), 0")
    assert page.call("actions").get("blank") is not True


def test_a_modal_dialog_blocks_the_rest(page: Page) -> None:
    page.show(
        "<button>Behind</button><div style='height:2000px'></div><button>Far</button>"
        "<dialog id=d><button>OK</button></dialog>"
    )
    page.js("d.showModal(), 0")
    assert page.words() == ['click button "OK"']
    assert "covered" in page.call("point", {"role": "button", "name": "Behind", "words": ""})["reason"]


def test_far_away_is_offered_and_scrolled_to(page: Page) -> None:
    page.show("""<div id=box style="height:100px;overflow:auto">
        <div style="height:500px"></div><button>Deep</button></div>
        <div style="height:3000px"></div><button onclick="this.textContent='Done'">Far</button>""")
    assert page.action('click button "Far"')["offscreen"] and page.action('click button "Deep"')["offscreen"]
    assert page.action("scroll down the page")["value"] == "down"
    page.do('click button "Far"')
    assert not page.action('click button "Done"')["offscreen"]


def test_custom_controls(page: Page) -> None:
    page.show("""
        <div id=listens>Listens</div> <div style="cursor:pointer">Points <span>inside</span></div>
        <div role=tab>Tab</div>
        <div tabindex=0>Focus</div> <div tabindex=-1>not me</div> <p>nor me</p> <div id=assigned>Assigned</div>
        <div onclick="">Attribute</div> <div id=twice>Twice</div> <div id=menu>Menu</div> <div id=over>Over</div>
        <div id=react>React</div> <div contenteditable aria-label=Note>x</div>
        <script>
          listens.addEventListener('click', () => 0); assigned.onclick = () => 0;
          twice.addEventListener('dblclick', () => 0);
          menu.addEventListener('contextmenu', () => 0); over.addEventListener('mouseenter', () => 0);
          react['__reactProps$x1'] = { onClick() {}, onDoubleClick() {}, children: 'React' };
        </script>""")
    assert page.words() == [
        'click div "Listens"',
        'click div "Points inside"',
        'click tab "Tab"',
        'click div "Focus"',
        'click div "Assigned"',
        'click div "Attribute"',
        'double-click div "Twice"',
        'right-click div "Menu"',
        'hover over div "Over"',
        'click div "React"',
        'double-click div "React"',
        'type in textbox "Note"',
    ]


def test_a_container_that_listens_for_its_items(page: Page) -> None:
    page.show("""<ul id=l><li>Milk<li>Bread</ul><div id=root><button>Go</button></div>
        <script>for (const e of [l, root]) e.addEventListener('click', () => 0)</script>""")
    assert page.words() == ['click listitem "Milk"', 'click listitem "Bread"', 'click button "Go"']


def test_open_shadow_roots_are_looked_into(page: Page) -> None:
    page.show("""<x-card></x-card><script>
        customElements.define('x-card', class extends HTMLElement { constructor() {
          super().attachShadow({mode: 'open'}).innerHTML = '<p><button>One</button></p><button>Two</button>';
          this.shadowRoot.addEventListener('click', (e) =>
            this.setAttribute('got', e.target.textContent)) } })</script>""")
    assert page.words() == ['click button "One"', 'click button "Two"']
    assert " >>> " in page.action('click button "Two"')["locator"]["css"]
    page.do('click button "Two"')
    assert page.js("document.querySelector('x-card').getAttribute('got')") == "Two"
    css_only = {"css": page.action('click button "One"')["locator"]["css"], "words": ""}
    assert page.js(f"jostle.find({css_only}).element.textContent") == "One"


LIST = """<h1>Shopping</h1><ul>{}</ul>
    <form aria-label=Old><button>Save</button></form><form aria-label=New><button>Save</button></form>
    <p><button>Same</button><button>Same</button></p>"""


def test_equal_names_are_told_apart_by_where_they_stand(page: Page) -> None:
    page.show(LIST.format("<li>Milk <button>Delete</button><li>Bread <button>Delete</button>"))
    assert page.words() == [
        'click button "Delete" in item "Milk"',
        'click button "Delete" in item "Bread"',
        'click button "Save" in form "Old"',
        'click button "Save" in form "New"',
        'click button "Same"',
        'click button "Same" (2nd)',
    ]


def test_a_locator_finds_its_element_in_a_longer_list_with_other_ids(page: Page) -> None:
    page.show(LIST.format("<li>Milk <button id=':r1:'>Delete</button><li>Bread <button id=':r2:'>Delete</button>"))
    bread = page.action('click button "Delete" in item "Bread"')["locator"]
    same = page.action('click button "Same" (2nd)')["locator"]
    assert "r2" not in bread["css"]
    page.show(
        "<div>Banner</div>"
        + LIST.format(
            "<li>Eggs <button id=':r8:'>Delete</button><li>Milk <button id=':r9:'>Delete</button>"
            "<li>Bread <button id=':ra:'>Delete</button>"
        )
    )
    assert page.js(f"jostle.find({bread}).element.parentNode.firstChild.data") == "Bread "
    assert page.js(f"jostle.find({same}).element === document.querySelectorAll('p button')[1]") is True
    page.show(LIST.format("<li>Eggs <button>Delete</button>").replace("Same", "Other"))
    assert page.call("point", same) == {"reason": "no such element"}


def test_another_element_in_the_same_place_is_not_it(page: Page) -> None:
    page.show("<button>Buy</button><button>3 likes</button>")
    buy, likes = (action["locator"] for action in page.actions())
    page.show("<button>Sell</button><button>4 likes</button>")
    assert page.call("point", buy)["reason"] == "no such element"
    assert page.call("point", likes)["reason"] == ""


def test_a_test_id_comes_first(page: Page) -> None:
    page.show("<button data-testid=go>Go</button>")
    locator = page.actions()[0]["locator"]
    assert (locator["test"], locator["css"]) == ("go", '[data-testid="go"]')
    page.show("<button>Go</button><p><button data-testid=go>Start now</button></p>")
    assert page.js(f"jostle.find({locator}).element.textContent") == "Start now"


@pytest.mark.parametrize(
    "made", [":r1:", "«r3»", "input-48213", "a3f9c2d1", "radix-7", "headlessui-menu-4", "el-id-1024-3"]
)
def test_generated_ids_are_not_used(page: Page, made: str) -> None:
    page.show(f"<button id='{made}'>Go</button><button id=main-save>Save</button>")
    assert [action["locator"]["css"] for action in page.actions()] == ["body > button:nth-of-type(1)", "#main-save"]


def test_why_not(page: Page) -> None:
    page.show("""<button disabled>Off</button><button style="visibility:hidden">Gone</button>
        <div style="position:fixed;inset:0" class="overlay dark"></div><button>Under</button>""")
    reasons = {
        name: page.call("point", {"role": "button", "name": name, "css": css, "words": ""})["reason"]
        for name, css in (("Off", "button"), ("Under", ""), ("Missing", ""))
    }
    assert reasons == {"Off": "it is disabled", "Under": "it is covered by div.overlay", "Missing": "no such element"}
    gone = {"css": "body > button:nth-of-type(2)", "words": ""}
    assert page.call("point", gone)["reason"] == "it is not visible"


def test_a_link_that_runs_over_two_lines_is_hit(page: Page) -> None:
    page.show(
        """<div style="width:200px">some words before the <a href="#x">long link that runs over</a> and on</div>"""
    )
    page.do('click link "long link that runs over"')
    assert page.js("location.hash") == "#x"


def test_links_carry_their_address(page: Page) -> None:
    page.show('<a href="/a?b=1">A</a><a href="https://example.org/" target=_blank>B</a><a href="/f.zip" download>C</a>')
    a, b, c = page.actions()
    assert a["href"].endswith("/a?b=1") and a["href"].startswith("http://127.0.0.1")
    assert (b["href"], b["target"], c["download"]) == ("https://example.org/", "_blank", True)


def test_the_list_is_capped_and_says_so(page: Page) -> None:
    page.show("".join(f"<button>B{n}</button>" for n in range(50)))
    answer = page.call("actions", {"cap": 20})
    assert (len(answer["actions"]), answer["truncated"]) == (20, True)


@pytest.mark.long
def test_twenty_thousand_elements(page: Page) -> None:
    page.show(
        "".join(
            f"<div><span>t{n}</span><ul><li>x</li><li><a href='#{n}'>link {n}</a></li></ul></div>" for n in range(3400)
        )
    )
    answer = page.call("actions")
    assert answer["truncated"] and len({action["words"] for action in answer["actions"]}) == 2000


def test_unchanged_pages_are_not_listed_again(page: Page) -> None:
    page.show("<button>Go</button>")
    page.js("jostle.version = 5, 0")
    assert page.call("actions")["version"] == 5
    assert page.call("actions", {"since": 5}) == {"unchanged": True, "version": 5}
    page.js("document.body.innerHTML = '<button>Stop</button>', jostle.version = 6, 0")
    assert page.call("actions", {"since": 5})["actions"][0]["words"] == 'click button "Stop"'


def test_a_hostile_page_changes_nothing(page: Page) -> None:
    page.show("""<form>
        <input name=tagName aria-label=A><input name=getAttribute aria-label=B>
        <button name=parentNode>Go</button></form>
        <script>
          for (const name of ['getAttribute', 'hasAttribute', 'matches', 'closest', 'getClientRects',
            'checkVisibility', 'querySelectorAll'])
            Element.prototype[name] = Document.prototype[name] = () => { throw new Error('no') };
          document.elementFromPoint = () => null; window.getComputedStyle = () => null;
          Map.prototype.get = Set.prototype.has = WeakMap.prototype.get = () => { throw new Error('no') };
          Object.defineProperty(Node.prototype, 'parentNode', { get() { throw new Error('no') } });
        </script>""")
    assert 'click button "Go"' in page.words()
    assert page.call("point", page.action('click button "Go"')["locator"])["reason"] == ""


def test_a_frame_is_pointed_into(page: Page) -> None:
    page.show("""<iframe style="border:5px solid;padding:7px;margin:40px"
        srcdoc="<button onclick=document.title='hit'>In</button>"></iframe>
        <div id=veil style="position:fixed;inset:0;display:none"></div>""")
    frame = "document.querySelector('iframe')"
    inner = f"{frame}.contentWindow.{agent.AGENT}"
    page.until(f"{inner}.actions().actions.length === 1")
    box = page.js(f"jostle.contentBox({frame})")
    point = page.js(f"{inner}.point({inner}.actions().actions[0].locator)")
    x, y = box["x"] + point["x"], box["y"] + point["y"]
    assert page.js(f"jostle.isUncovered({frame}, {x}, {y})") is True
    page.run(page.inputs.click(x, y))
    assert page.js(f"{frame}.contentDocument.title") == "hit"
    page.js("veil.style.display = 'block', 0")
    assert page.js(f"jostle.isUncovered({frame}, {x}, {y})") is False


def test_describe(page: Page) -> None:
    page.show("<main><h1>Hello <b>you</b></h1><p id=p>" + "long " * 40 + "</p></main>")
    said = page.js("jostle.describe(document.querySelector('h1'))")
    assert said == {
        "words": 'heading "Hello you"',
        "role": "heading",
        "name": "Hello you",
        "test": "",
        "css": "main > h1",
        "text": "Hello you",
    }
    assert len(page.js("jostle.describe(p)")["name"]) <= 60
    assert page.js("jostle.describe(null)")["words"] == "document"


def test_where_an_element_stands(page: Page) -> None:
    page.show(
        "<main><ul><li><a href=/a>A</a><li><a href=/b>B</a></ul>"
        "<form><input aria-label=Mail type=email><button>Send</button></form></main><button>Alone</button>"
    )
    assert page.action('click link "B"')["xpath"] == "/html/body/main/ul/li[2]/a"
    assert page.action('click link "B"')["element"] == "a"
    mail = page.action('type in textbox "Mail"')
    assert (mail["element"], mail["form"]) == ("input:email", "/html/body/main/form")
    assert page.action('click button "Send"')["form"] == "/html/body/main/form"
    assert "form" not in page.action('click button "Alone"')


def test_a_shadow_root_is_a_step_of_the_way(page: Page) -> None:
    page.show("<p>Host</p><div id=host></div>")
    page.js("host.attachShadow({mode: 'open'}).innerHTML = '<p></p><p><button>Deep</button></p>'")
    assert page.action('click button "Deep"')["xpath"] == "/html/body/div/#shadow/p[2]/button"
