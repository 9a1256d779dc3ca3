"""Snapshots: equal pages give equal text and digests, and every difference a user could meet shows."""

from __future__ import annotations

from typing import Any

import pytest

from tests.browser.pages import Page


def digest(page: Page) -> str:
    shot = page.call("snapshot", {"digestOnly": True})
    assert set(shot) == {"url", "title", "digest"}
    value: str = shot["digest"]
    assert len(value) == 32 and value == page.call("snapshot")["digest"]
    return value


def dom(page: Page) -> str:
    text: str = page.call("snapshot")["dom"]
    return text


def test_the_canonical_text(page: Page) -> None:
    page.show("""<p title=t class="b a" id=p>one<!-- no -->
        two  three &amp; &lt;</p><pre>a
  b</pre><script nonce=n data-x=1>1</script><link nonce=abc rel=x>""")
    assert dom(page) == (
        "<html><head><title>A page</title></head><body>"
        '<p class="a b" id="p" title="t">one two three &amp; &lt;</p>'
        '<pre>a\n  b</pre><script></script><link nonce="*" rel="x"></body></html>'
    )


def test_the_splitting_of_text_and_the_order_of_attributes_do_not_matter(page: Page) -> None:
    page.show("<p id=p></p>", painted=False)
    page.js("p.replaceChildren('a b'), p.className = 'x y', p.title = 't', p.lang = 'en', 0")
    first = digest(page)
    page.js(
        "p.remove(),"
        "document.body.append(Object.assign(document.createElement('p'), {lang: 'en', title: 't', id: 'p'})), 0"
    )
    page.js("p.replaceChildren('a', document.createComment('-'), ' ', ' b'), p.className = 'y  x', 0")
    assert '<p class="x y" id="p" lang="en" title="t">a b</p>' in dom(page)
    assert digest(page) == first


def test_the_order_of_style_declarations_does_not_matter(page: Page) -> None:
    page.show('<p id=p style="--b: url(data:x;y); --a: 1">x</p>')
    first = digest(page)
    page.js("p.setAttribute('style', '--a: 1; --b: url(data:x;y);'), 0")
    assert digest(page) == first
    page.js("p.setAttribute('style', '--a: 2; --b: url(data:x;y)'), 0")
    assert digest(page) != first


@pytest.mark.parametrize(
    "change",
    [
        "i.value = 'typed'",
        "c.checked = true",
        "c.indeterminate = true",
        "t.value = 'typed'",
        "s.selectedIndex = 1",
        "d.open = true",
        "m.showModal()",
        "i.focus()",
        "scrollTo(0, 50)",
        "localStorage.setItem('k', 'v')",
        "sessionStorage.setItem('k', 'v')",
        "document.cookie = 'k=v'",
        "document.title = 'Other'",
        "history.pushState(0, '', '?other')",
        "h.shadowRoot.firstChild.textContent = 'changed'",
        "document.body.append('x')",
    ],
)
@pytest.mark.sampled(8)
def test_every_difference_shows(page: Page, change: str) -> None:
    page.show("""<input id=i><input id=c type=checkbox><textarea id=t></textarea>
        <select id=s><option>A<option>B</select>
        <details id=d><summary>S</summary>x</details><dialog id=m>M</dialog><div id=h></div>
        <div style="height:3000px"></div>
        <script>h.attachShadow({mode: 'open'}).innerHTML = '<b>inside</b>';
        localStorage.clear(); sessionStorage.clear();
        document.cookie = 'k=; max-age=0'</script>""")
    before = digest(page)
    assert digest(page) == before
    page.js(f"{change}, 0")
    assert digest(page) != before


def test_the_parts(page: Page) -> None:
    page.show("""<form><input name=q value=1><input type=checkbox name=c checked>
        <select name=s><option>A<option selected>B</select>
        <textarea name=t>x</textarea></form><iframe src="about:blank"></iframe>
        <script>localStorage.setItem('b', '2'); localStorage.setItem('a', '1'); document.cookie = 'k=v'</script>""")
    page.js("document.querySelector('textarea').focus(), 0")
    shot: dict[str, Any] = page.call("snapshot")
    assert [form["value"] for form in shot["forms"]] == ["1", "checked", "B", "x"]
    assert shot["storage"]["local"] == [["a", "1"], ["b", "2"]]
    assert shot["cookies"] == ["k=v"]
    assert shot["focus"] == 'textarea[name="t"]'
    assert shot["scroll"] == [0, 0] and shot["title"] == "A page" and shot["url"].startswith("http://127")
    assert '<iframe src="about:blank"></iframe>' in shot["dom"]
    assert "jostle" not in shot["dom"]


@pytest.mark.long
def test_a_page_nested_beyond_any_stack(page: Page) -> None:
    page.show("<div id=d style='display:none'></div>", painted=False)
    page.js(
        "(() => { const top = document.createElement('i'); let at = top;"
        "for (let i = 0; i < 12000; i++) { const n = document.createElement('b'); at.append(n); at = n }"
        "d.append(top) })()"
    )
    shot = page.call("snapshot")
    assert shot["dom"].count("<b>") == 12000 and shot["digest"] and "reason" not in shot


def test_a_page_without_storage(page: Page) -> None:
    page.run(page.session.send("Page.navigate", {"url": "data:text/html,<p>x</p>"}))
    page.until("document.querySelector('p') !== null")
    shot = page.call("snapshot")
    assert shot["storage"] == {"local": [], "session": []} and shot["cookies"] == []
    assert shot["digest"] and "<p>x</p>" in shot["dom"] and "reason" not in shot


def test_a_hostile_page_is_read_all_the_same(page: Page) -> None:
    page.show("""<form><input name=attributes><input name=firstChild></form><script>
        localStorage.setItem('getItem', 'x');
        for (const name of ['getAttribute', 'getAttributeNames'])
          Element.prototype[name] = () => { throw new Error('no') };
        Object.defineProperty(Node.prototype, 'firstChild', { get() { throw new Error('no') } });
        Storage.prototype.key = () => { throw new Error('no') }; Array.prototype.sort = () => []; Math.imul = () => 0;
        </script>""")
    shot = page.call("snapshot")
    assert '<input name="attributes" .value="">' in shot["dom"] and ["getItem", "x"] in shot["storage"]["local"]
