"""Skeletons: pages that differ in their data only have the same one, pages that differ for a person do not."""

# ruff: noqa: E501 (pages stay readable in lines of their own length)
from __future__ import annotations

import pytest

from tests.browser.driven import OpenApp
from tests.browser.live import Site
from tests.browser.pages import Page


def skeleton(page: Page, html: str = "", *, painted: bool = True) -> str:
    if html:
        page.show(html, painted=painted)
    answer = page.call("skeleton")
    assert set(answer) == {"url", "title", "skeleton"}, answer
    text: str = answer["skeleton"]
    return text


def test_the_text(page: Page) -> None:
    assert skeleton(
        page,
        """<nav><a href=/>Home</a><a href=/new>New</a></nav><main id=m class=wide><h1>Milk</h1>
        <form><label>Name <input name="items[3].name"></label><input type=checkbox name=done checked>
        <select name=s><option>A<option>B</select><button disabled>Save</button></form>
        <ul><li><a href=/1>One</a> and <b>more</b><li><img alt=x> Two</ul></main><footer role=banner></footer>""",
    ) == (
        'body(nav(a"*) main(h1" form(label"(input:text[items.#.name]) input:checkbox[done] '
        'select[s]{option"} button-disabled") ul{li"{a" img}}) footer:banner)'
    )


CARD = "<div><img alt=x><h3>{0}</h3><p>{0} <em>so</em></p><button>Buy</button></div>"
SAME = {
    "lists of different length": (
        "<ul><li><a href=#>a</a></ul>",
        "<ul><li><a href=#>a</a><li><a href=#>b</a><li><a href=#>c</a></ul>",
    ),
    "rows of a table": (
        "<table><thead><tr><th>A<th>B<tbody><tr><td>1<td>2</table>",
        "<table><thead><tr><th>A<th>B<tbody><tr><td>1<td>2<tr><td>3<td></table>",
    ),
    "lists within lists": (
        "<ul><li>a<ul><li>1</ul><li>b<ul><li>1</ul></ul>",
        "<ul><li>a<ul><li>1<li>2</ul><li>b<ul><li>1</ul><li>c<ul><li>1<li>2<li>3</ul></ul>",
    ),
    "tables within lists": (
        "<ol><li><table><tr><td>1</table></ol>",
        "<ol><li><table><tr><td>1<tr><td>2</table><li><table><tr><td>3</table></ol>",
    ),
    "cards that are no list for the browser": (
        f"<section>{CARD.format(1)}{CARD.format(2)}</section>",
        f"<section>{''.join(map(CARD.format, range(11)))}</section>",
    ),
    "cards of two forms": (
        f"<section>{CARD.format(1)}{CARD.format(2).replace('<h3', '<span>new</span><h3')}</section>",
        f"<section>{CARD.format(1).replace('<h3', '<span>new</span><h3')}{CARD.format(2)}{CARD.format(3)}</section>",
    ),
    "items of three forms in another order": (
        "<ul><li>a<li><a href=#>b</a><li><img alt=x></ul>",
        "<ul><li><img alt=x><li>a<li>a<li><a href=#>b</a></ul>",
    ),
    "terms and definitions": ("<dl><dt>a<dd>b</dl>", "<dl><dt>a<dd>b<dt>c<dd>d<dd>e</dl>"),
    "repeated pairs": (
        "<section><i role=img>1</i><span>a</span><i role=img>1</i><span>a</span></section>",
        "<section>" + "<i role=img>1</i><span>a</span>" * 7 + "</section>",
    ),
    "a role makes a list": (
        "<div role=list><div role=listitem>a</div></div>",
        "<div role=list><div role=listitem>a</div><div role=listitem>b</div></div>",
    ),
    "another user": (
        "<header><img src=/held?ann alt=Ann><span>Ann</span></header><h1>Hello Ann</h1><p>3 recipes",
        "<header><img src=/held?bob alt=Bob><span>Bob Fisher</span></header><h1>Hello Bob</h1><p>14 recipes",
    ),
    "text that is marked up otherwise": (
        "<article><h2>a</h2><p>one</p><p>two</p></article>",
        "<article><h2>a</h2><p>one <b>and</b> <code>two</code></p><h2>b</h2><p>three<br>four</p><p>five</article>",
    ),
    "ids, classes and data": (
        "<div id=a class='b c' style='color:red' data-x=1>x</div>",
        "<div id=b class=d data-y=2>y</div>",
    ),
    "numbers in names of fields": ("<input name=item-1>", "<input name=item-22>"),
    "hidden parts": (
        "<p>x",
        "<p>x<script>1</script><style>p{}</style><div hidden>y</div><div style='display:none'><b>z</b></div>"
        "<div style='visibility:hidden'>v</div><div style='opacity:0'><a href=#>o</a></div><template>t</template><input type=hidden name=h>",
    ),
    "for screen readers only": (
        "<p>x",
        "<p>x</p><div style='position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0 0 0 0)'>read this</div>",
    ),
    "a folded part": ("<p>x", "<p>x</p><div style='max-height:0;overflow:hidden'><a href=#>more</a></div>"),
    "a drawer beside the page": (
        "<p>x",
        "<p>x</p><div style='position:fixed;left:0;top:0;width:200px;transform:translateX(-100%)'><a href=#>more</a></div>",
    ),
    "what is ticked and typed": (
        "<input type=checkbox><input type=radio><input><textarea></textarea><button aria-pressed=false>B</button>",
        "<input type=checkbox checked><input type=radio checked><input value=x><textarea>y</textarea><button aria-pressed=true>B</button>",
    ),
    "which tab is selected": (
        "<div role=tablist><button role=tab aria-selected=true>A</button><button role=tab>B</button></div>",
        "<div role=tablist><button role=tab>A</button><button role=tab aria-selected=true>B</button></div>",
    ),
    "said in passing": (
        "<p>x</p><div role=status></div>",
        "<p>x</p><div role=status>Saved</div><div role=tooltip>More</div><div role=timer>12:30</div>",
    ),
    "drawings": ("x<svg width=9 height=9><circle r=4 /></svg>", "x<svg width=9 height=9><rect /><path d=M0 /></svg>"),
    "boxes that only pass on": (
        "<main><p>x</p></main>",
        "<main><div style='display:contents'><p>x</p></div></main>",
    ),
    "a visible part of an invisible one": (
        "<main><p>x</p></main>",
        "<main><div style='visibility:hidden'>no<p style='visibility:visible'>x</p></div></main>",
    ),
}


@pytest.mark.parametrize("case", SAME)
@pytest.mark.sampled(12)
def test_the_same(page: Page, case: str) -> None:
    first, second = SAME[case]
    text = skeleton(page, first)
    assert text == skeleton(page, second)
    assert len(text) > len("body()")


DIFFERENT = {
    "an empty list and a filled one": ("<ul></ul>x", "<ul><li>a</ul>x"),
    "an empty table and a filled one": (
        "<table><thead><tr><th>A<tbody></table>",
        "<table><thead><tr><th>A<tbody><tr><td>1</table>",
    ),
    "an open menu": (
        "<button aria-expanded=false>Menu</button><ul hidden><li>a</ul>",
        "<button aria-expanded=true>Menu</button><ul><li>a</ul>",
    ),
    "an expanded button alone": ("<button aria-expanded=false>B</button>", "<button aria-expanded=true>B</button>"),
    "a validation message": (
        "<form><input name=mail><button>Save</button></form>",
        "<form><input name=mail><span class=error>Not an address</span><button>Save</button></form>",
    ),
    "a validation message in its place": (
        "<form><input name=mail><div class=error></div></form>",
        "<form><input name=mail><div class=error>Not an address</div></form>",
    ),
    "a field marked as wrong": ("<input name=mail>", "<input name=mail aria-invalid=true>"),
    "one of two fields without names": (
        "<div><label>a</label><input></div><div><label>b</label><input></div>",
        "<div><label>a</label><input></div><div><label>b</label><input><span>Wrong</span></div>",
    ),
    "a modal of the page's own": (
        "<main>x</main><div class=dialog hidden><button>OK</button></div>",
        "<main>x</main><div class=dialog><button>OK</button></div>",
    ),
    "a disabled button": ("<button>Save</button>", "<button disabled>Save</button>"),
    "a disabled group": ("<fieldset><input name=a></fieldset>", "<fieldset disabled><input name=a></fieldset>"),
    "a link that leads nowhere": ("<a href=/2>Next</a>", "<a>Next</a>"),
    "a field of another type": ("<input name=p type=password>", "<input name=p type=text>"),
    "another field": ("<input name=street>", "<input name=city>"),
    "open details": ("<details><summary>S</summary><p>x</details>", "<details open><summary>S</summary><p>x</details>"),
    "an item with a button": (
        "<ul><li>a<li>b</ul>",
        "<ul><li>a<li>b <button>Delete</button></ul>",
    ),
    "a list within an item": ("<ul><li>a<li>b</ul>", "<ul><li>a<li>b<ul><li>1</ul></ul>"),
    "a choice that was filled": ("<select name=s></select>", "<select name=s><option>A<option>B</select>"),
    "an open drawer": (
        "<p>x</p><div style='position:fixed;left:0;top:0;width:200px;transform:translateX(-100%)'><a href=#>more</a></div>",
        "<p>x</p><div style='position:fixed;left:0;top:0;width:200px'><a href=#>more</a></div>",
    ),
    "an alert": ("<p>x</p><div role=alert></div>", "<p>x</p><div role=alert>Not saved</div>"),
    "an unfolded part": (
        "<p>x</p><div style='max-height:0;overflow:hidden'><a href=#>more</a></div>",
        "<p>x</p><div style='max-height:99px;overflow:hidden'><a href=#>more</a></div>",
    ),
    "a role": ("<div>x</div>", "<div role=alert>x</div>"),
    "text that can be written": ("<div>x</div>", "<div contenteditable>x</div>"),
}


@pytest.mark.parametrize("case", DIFFERENT)
@pytest.mark.sampled(12)
def test_different(page: Page, case: str) -> None:
    first, second = DIFFERENT[case]
    assert skeleton(page, first) != skeleton(page, second)


def test_a_dialog_and_a_modal_one(page: Page) -> None:
    texts = {skeleton(page, "<main>x</main><dialog id=d><button>OK</button></dialog>")}
    for how in ("d.show()", "d.close(), d.showModal()", "d.close()"):
        page.js(f"{how}, 0")
        texts.add(skeleton(page))
    assert len(texts) == 3  # closed again is as before
    assert any("dialog+modal" in text for text in texts)


def test_focus_and_scrolling_do_not_count_and_what_hovering_opens_does(page: Page) -> None:
    before = skeleton(
        page,
        """<style>#menu:hover { color: red; font-weight: bold } #more { display: none } #menu:hover + #more { display: block }
        input:focus { border: 9px solid }</style><input id=i name=q><div id=menu>Menu</div><ul id=more><li>a</ul>
        <div style="position:fixed;right:0;top:0;transform:translateX(100%)"><p>drawer</p></div>
        <div style="height:3000px"></div><ul><li>last</ul>""",
    )
    page.js("i.focus(), 0")
    assert skeleton(page) == before
    page.js("scrollTo(0, 2500), 0")
    assert skeleton(page) == before
    page.js("scrollTo(0, 0), 0")
    x, y = page.js("[menu.getBoundingClientRect().x + 5, menu.getBoundingClientRect().y + 5]")
    page.run(page.session.send("Input.dispatchMouseEvent", {"type": "mouseMoved", "x": x, "y": y}))
    page.until("menu.matches(':hover')")
    assert skeleton(page) != before


def test_wide_parts_that_scroll_by_themselves_are_seen(page: Page) -> None:
    wide = "<p>x</p><div style='overflow:auto;width:300px'><div style='position:relative;width:3000px;height:50px'>{}</div></div>"
    far = "<div style='position:absolute;left:2000px'><a href=#>far</a></div>"
    text = skeleton(page, wide.format(far))
    assert text == 'body(p" div(div(div(a"))))'
    assert skeleton(page, f"<p>x</p><div style='position:absolute;left:-500px;width:90px'>{far}</div>") == 'body(p")'
    right_to_left = "<style>html{direction:rtl}</style><div style='width:3000px;position:relative'><div style='position:absolute;left:0'><p>x</p></div></div>"
    assert skeleton(page, right_to_left) == 'body(div(div(p")))'


def test_what_stands_free_of_a_part_without_size_is_seen(page: Page) -> None:
    held = "<div style='overflow:hidden;height:0'><div style='position:fixed;top:9px'><p>x</p></div></div>"
    assert 'p"' in skeleton(page, held)
    assert 'p"' in skeleton(page, "<style>body{overflow:hidden}</style><div style='position:absolute'><p>x</p></div>")


def test_shadow_roots(page: Page) -> None:
    text = skeleton(
        page,
        """<my-card><b>in</b>to<em slot=none>lost</em></my-card><script>
        const root = document.querySelector('my-card').attachShadow({mode: 'open'});
        root.innerHTML = '<style>p{}</style><h2>T</h2><slot><input name=fallback></slot><button>Go</button>'</script>""",
    )
    assert text == 'body(my-card"(h2" button"))'
    page.js("document.querySelector('my-card').shadowRoot.querySelector('button').remove(), 0")
    assert skeleton(page) == 'body(my-card"(h2"))'


def test_frames_have_their_own(app: OpenApp, site: Site) -> None:
    site.serve({"/": "<h1>x</h1><iframe src=/in></iframe>", "/in": "<form><input name=q></form>"})
    driven = app()
    driven.open()
    from jostle.browser import agent

    async def ask() -> list[str]:
        return [
            (await driven.app.tabs[0].ask(frame, agent.call("skeleton"), 5))["skeleton"]
            for frame in driven.app.tabs[0].frames.values()
        ]

    assert driven.run(ask()) == ['body(h1" iframe)', "body(form(input:text[q]))"]


def test_a_hostile_page(page: Page) -> None:
    honest = "<form><input name=firstChild><input name=tagName></form><ul><li>a<li>b</ul><p role='x y(\"*'>t</p>"
    text = skeleton(page, honest)
    hostile = skeleton(
        page,
        honest
        + """<script>
        for (const [owner, names] of [[Element, ['getAttribute', 'hasAttribute', 'checkVisibility', 'matches', 'getBoundingClientRect']],
            [Map, ['get', 'set']], [Set, ['has', 'add']], [Array, ['push', 'sort', 'join', 'map']],
            [String, ['trim', 'split', 'slice', 'toLowerCase', 'charCodeAt']], [RegExp, ['exec', 'test']]])
          for (const name of names) owner.prototype[name] = () => { throw new Error('no') };
        for (const name of ['firstChild', 'nextSibling', 'nodeType'])
          Object.defineProperty(Node.prototype, name, { get() { throw new Error('no') } });
        window.getComputedStyle = () => ({}); Math.max = () => { throw new Error('no') }; Math.floor = Math.max
        </script>""",
    )
    assert hostile == text
    assert text == 'body(form(input:text[firstChild] input:text[tagName]) ul{li"} p:x")'


def test_marks_of_ours_in_names_of_the_page(page: Page) -> None:
    page.show("<p>x</p>")
    page.js("document.body.append(new DOMParser().parseFromString('<a{b}*>x', 'text/html').body.firstChild), 0")
    assert skeleton(page) == 'body(p" a.b.")'


def test_a_document_that_is_no_page(page: Page) -> None:
    page.run(
        page.session.send(
            "Page.navigate", {"url": "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'><text>x</text></svg>"}
        )
    )
    page.until("document.documentElement.localName === 'svg'")
    assert skeleton(page) == "svg"


def test_a_page_nested_deeply(page: Page) -> None:
    page.show("<div id=d></div><p>x")
    page.js(
        "(() => { let at = d; for (let i = 0; i < 1500; i++) { const n = document.createElement(i % 2 ? 'ul' : 'section');"
        "at.append(n); at = n } at.append('end') })()"
    )
    text = skeleton(page)
    assert text.count("section") + text.count("ul") == 1500
    page.show("<ul id=d></ul><p>x")
    page.js(
        "(() => { for (let k = 0; k < 2; k++) { let at = d.appendChild(document.createElement('li'));"
        "for (let i = 0; i < 1000; i++) at = at.appendChild(document.createElement('div')); at.append(k ? 'end' : '') } })()"
    )
    assert skeleton(page).startswith("body(ul{li{div{div{")


@pytest.mark.long
def test_a_large_page_in_reasonable_time(page: Page) -> None:
    page.show("<div id=d></div><p>x")
    page.js(
        "d.innerHTML = Array.from({length: 2500}, (_, i) => `<div class=card><img alt=x><h3>t</h3><p>x <a href=#>l</a></p>"
        "<span>${i}</span><button>b</button>${i % 3 ? '<small>s</small>' : ''}</div>`).join(''), 0"
    )
    # As a ratio: reading one property of the style of every element, which no skeleton can do without.
    times = page.js(
        """(() => {
        const time = (work) => { let best = Infinity; for (let i = 0; i < 5; i++) { const start = performance.now(); work(); best = Math.min(best, performance.now() - start) } return best };
        const all = document.querySelectorAll('*');
        return [time(() => { for (const el of all) { el.checkVisibility({visibilityProperty: true}); getComputedStyle(el).getPropertyValue('opacity') } }), time(() => jostle.skeleton())] })()"""
    )
    assert times[1] < 8 * times[0] + 20, times
    assert len(skeleton(page)) < 100
