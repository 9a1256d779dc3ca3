"""What events read and write: the document, fields, handlers, timers, storage and cookies, without any rewriting."""

# ruff: noqa: E501 (pages stay readable in lines of their own length)
from __future__ import annotations

from jostle.browser.settings import AccessLog, TabSettings
from jostle.events import Access, Effect
from tests.browser.driven import OpenApp
from tests.browser.live import Site

ACCESSES = TabSettings(accesses=AccessLog.ALL)


def reads(effect: Effect) -> dict[str, Access]:
    return {str(each.location): each for each in effect.accesses if not each.write}


def writes(effect: Effect) -> dict[str, Access]:
    return {str(each.location): each for each in effect.accesses if each.write}


def test_lookups_read_what_insertion_and_removal_write(app: OpenApp, site: Site) -> None:
    site.serve(
        """<!doctype html><title>x</title><ul id=list></ul><script>
        setTimeout(() => document.getElementById("late")?.remove(), 10);
        setTimeout(() => { const li = document.createElement("li"); li.id = "late"; li.className = "item new"; list.append(li); }, 20);
        setTimeout(() => document.querySelectorAll("ul > .item[data-x]:not(.y)").length, 30);
        setTimeout(() => document.querySelector("#late").remove(), 40);
        </script>"""
    )
    page = app(settings=ACCESSES)
    (loaded,) = page.open()[:1]
    assert {"tree:list", "tree:<ul>", "tree:<script>"} <= writes(loaded).keys()
    assert "tree:late" not in writes(loaded)
    page.reset()
    page.let("GET /")
    looked, inserted, searched, removed = (page.let(f"timeout {delay}") for delay in (10, 20, 30, 40))
    assert reads(looked)["tree:late"].value == "null"
    assert reads(looked)["tree:late"].source == "/:2:35"
    assert not [location for location in writes(looked) if location.startswith(("tree:", "dom:"))]
    assert writes(inserted)["tree:late"].value == "node li#late"
    assert {"tree:.item", "tree:.new", "tree:<li>", "tree:<*>", "dom:ul#list@<content>"} <= writes(inserted).keys()
    assert writes(inserted)["dom:ul#list@<content>"].source == "/:3:117"
    assert "dom:li#late@class" not in writes(inserted)  # it was nobody else's yet
    assert reads(searched)["tree:.item"].value == "0"
    assert (reads(removed)["tree:late"].value, writes(removed)["tree:late"].value) == ("node li#late", "null")
    order = [(str(each.location), each.write) for each in removed.accesses]
    assert order.index(("tree:late", False)) < order.index(("tree:late", True))


def test_what_is_noted_is_what_the_page_does(app: OpenApp, site: Site) -> None:
    """An event in which nothing of the page runs reads nothing of the document."""
    site.serve(
        "<!doctype html><title>x</title><img src=/a.png><p id=p class=c>text</p><input value=x><select><option>1</select><button>b</button>"
    )
    page = app(settings=ACCESSES)
    loaded, picture = page.open()
    assert [location for location in reads(loaded) if not location.startswith(("event:", "handler:"))] == []
    assert {location.partition(":")[0] for location in (*reads(picture), *writes(picture))} == {"event", "handler"}
    assert {"handler:body>img error", "handler:body>img load"} & reads(picture).keys()
    click = page.act("click")
    assert writes(click) == {}


def test_texts_attributes_classes_and_styles(app: OpenApp, site: Site) -> None:
    site.serve(
        """<!doctype html><title>x</title><p id=p class="a b">one</p><i id=i data-n=1></i><script>
        setTimeout(() => { p.textContent = p.textContent + " two"; }, 10);
        setTimeout(() => { p.classList.toggle("b"); p.classList.add("c"); }, 20);
        setTimeout(() => { i.hidden = true; i.setAttribute("title", "t"); i.style.setProperty("color", "red"); i.dataset.n = 2; }, 30);
        setTimeout(() => { i.title; i.getAttribute("data-n"); p.className; p.innerHTML; i.hidden = i.hidden; }, 40);
        setTimeout(() => { p.firstChild.data = "three"; i.innerHTML = "<b>x</b>"; }, 50);
        </script>"""
    )
    page = app(settings=ACCESSES)
    page.reset()
    page.let("GET /")
    texts, classes, attributes, read, content = (page.let(f"timeout {delay}") for delay in (10, 20, 30, 40, 50))
    order = [(str(each.location), each.write, each.value) for each in texts.accesses]
    order = [each for each in order if each[0] == "dom:p#p@<content>"]
    assert order == [("dom:p#p@<content>", False, '"one"'), ("dom:p#p@<content>", True, '"one two"')]
    assert writes(classes)["dom:p#p@class"].value == '"a c"'
    assert {"tree:.b", "tree:.c"} <= writes(classes).keys()
    assert "tree:.a" not in writes(classes)
    assert writes(attributes)["dom:i#i@hidden"].value == '""'
    assert writes(attributes)["dom:i#i@title"].name == "title of i#i"
    assert writes(attributes)["dom:i#i@style"].value == '"color: red;"'
    assert writes(attributes)["dom:i#i@data-n"].value == '"2"'
    assert {f"dom:i#i@{name}" for name in ("title", "data-n", "hidden")} <= reads(read).keys()
    assert {"dom:p#p@class", "dom:p#p@<content>"} <= reads(read).keys()
    assert set(writes(read)) == {"dom:i#i@hidden"}
    assert writes(content)["dom:p#p@<content>"].value == '"three"'
    assert writes(content)["dom:i#i@<content>"].value == '1: "x"'  # children and text are one


def test_fields_are_written_by_scripts_and_by_the_user(app: OpenApp, site: Site) -> None:
    site.serve(
        """<!doctype html><title>x</title><input id=q aria-label=Question><input type=checkbox id=c aria-label=Box onclick="this.checked"><script>
        setTimeout(() => { q.value += "!"; }, 10);
        </script>"""
    )
    page = app(settings=ACCESSES)
    page.reset()
    page.let("GET /")
    typed = next(event for event in page.run(page.app.user_events()) if event.action.type == "type")
    effect = page.step(typed)
    assert effect.form_writes == ()
    written = writes(effect)["form:input#q"]
    assert written.name == "value of input#q"
    assert written.source == ""
    assert written.value not in ("", '""')
    script = page.let("timeout 10")
    kinds = [each.write for each in script.accesses if str(each.location) == "form:input#q"]
    assert kinds == [False, True]
    assert writes(script)["form:input#q"].value == written.value[:-1] + '!"'
    boxed = page.act("check")
    assert writes(boxed)["form:input#c"].value == "true"


def test_registration_writes_what_dispatch_reads(app: OpenApp, site: Site) -> None:
    site.serve(
        """<!doctype html><title>x</title><div id=d><button id=b>go</button></div><script>
        const hear = () => {};
        setTimeout(() => { d.addEventListener("click", hear); b.onclick = hear; window.addEventListener("load", hear); }, 10);
        setTimeout(() => { d.removeEventListener("click", hear); b.setAttribute("onfocus", "1"); }, 20);
        setTimeout(() => { const x = new XMLHttpRequest(); x.onload = hear; x.open("GET", "/data"); x.send(); }, 30);
        setTimeout(() => { const i = new Image(); i.src = "/a.png"; window.i = i; }, 40);
        </script>"""
    )
    page = app(settings=ACCESSES)
    page.reset()
    loaded = page.let("GET /")
    clicked = page.act("click")
    assert {f"handler:{path} click" for path in ("button#b", "div#d", "body", "html", "document", "window")} <= reads(
        clicked
    ).keys()
    assert {"handler:window load", "handler:document DOMContentLoaded"} <= reads(loaded).keys()
    registered, removed = page.let("timeout 10"), page.let("timeout 20")
    assert {"handler:div#d click", "handler:button#b click", "handler:window load"} <= writes(registered).keys()
    assert writes(registered)["handler:button#b click"].value.startswith("function:")
    assert {"handler:div#d click", "handler:button#b focus"} <= writes(removed).keys()
    sent = page.let("timeout 30")
    (slot,) = [location for location in writes(sent) if location.endswith(" load")]
    assert slot in reads(page.let("GET /data"))
    page.let("timeout 40")
    arrived = reads(page.let("GET /a.png"))
    assert any(location.startswith("handler:new img") for location in arrived)


def test_clearing_a_timer_writes_the_event_that_it_is(app: OpenApp, site: Site) -> None:
    site.serve(
        """<!doctype html><title>x</title><script>
        const victim = setTimeout(() => {}, 900);
        setTimeout(() => clearTimeout(victim), 10);
        const again = setInterval(() => {}, 50);
        setTimeout(() => clearInterval(again), 20);
        </script>"""
    )
    page = app(settings=ACCESSES)
    page.reset()
    loaded = page.let("GET /")
    victim, _, again, _ = (event.key for event in loaded.created)
    cleared = page.let("timeout 10")
    assert cleared.removed == (victim,)
    assert writes(cleared).keys() == {f"event:{victim}"}
    fired = page.let("interval 50")
    assert reads(fired).keys() == {f"event:{again}"}
    page.reset()
    page.let("GET /")
    assert f"event:{victim}" in reads(page.let("timeout 900"))
    late = page.let("timeout 10")  # too late: nothing is removed, but in the other order it would be
    assert late.removed == ()
    assert f"event:{victim}" in writes(late)


def test_storage_and_cookies(app: OpenApp, site: Site) -> None:
    site.serve(
        """<!doctype html><title>x</title><script>
        setTimeout(() => { localStorage.setItem("cart", localStorage.getItem("cart") + "1"); }, 10);
        setTimeout(() => { localStorage.setItem("cart", "2"); sessionStorage.length; }, 20);
        setTimeout(() => { localStorage.clear(); }, 30);
        setTimeout(() => { document.cookie = "a=1"; document.cookie = "a=2"; }, 40);
        setTimeout(() => { document.cookie; document.cookie = "a=3"; }, 50);
        </script>"""
    )
    page = app(settings=ACCESSES)
    page.reset()
    page.let("GET /")
    first, second, third, fourth, fifth = (page.let(f"timeout {delay}") for delay in (10, 20, 30, 40, 50))
    assert reads(first)["storage:localStorage.cart"].value == "null"
    assert writes(first)["storage:localStorage.cart"].value == '"null1"'
    assert "storage:localStorage.*" in writes(first)
    assert "storage:localStorage.*" not in writes(second)  # it was there already
    assert "storage:sessionStorage.*" in reads(second)
    assert writes(third)["storage:localStorage.cart"].value == "null"
    assert writes(fourth)["cookie:a"].value == '"2"'
    assert "cookie:*" in writes(fourth)
    assert reads(fifth)["cookie:a"].value == '"2"'
    assert "cookie:*" not in writes(fifth)


def test_documents_of_a_run_do_not_share_locations(app: OpenApp, site: Site) -> None:
    site.serve(
        {
            "/": "<!doctype html><title>x</title><p id=p></p><iframe src=/inner.html></iframe><a href=/next.html>on</a>",
            "/inner.html": "<!doctype html><p id=p></p>",
            "/next.html": "<!doctype html><title>y</title><p id=p></p>",
        }
    )
    page = app(settings=ACCESSES)
    first = page.open()
    assert "tree:p" in writes(first[0])
    (inner,) = {location for effect in first for location in writes(effect) if location.startswith("tree:p ")}
    page.act("click link")
    second = page.drain()
    (outer,) = {location for effect in second for location in writes(effect) if location.startswith("tree:p")}
    assert len({"tree:p", inner, outer}) == 3
