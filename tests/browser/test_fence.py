"""Parse fences: where they may stand, that they load under every policy, and that the parser waits at them."""

# ruff: noqa: E501 (pages stay readable in lines of their own length)
from __future__ import annotations

import pytest

from jostle.browser.fence import Pauses, after_elements, allowed, is_brief, number_of, safe_points, with_fences
from jostle.browser.http import Response, SentRequest
from jostle.browser.responders import Responder, Route
from jostle.events import Kind, Milestone
from tests.browser.live import Browser, Site
from tests.browser.story import LOG, Telling, tell

PAGE = "http://host:8/page"


def _marked(html: str) -> str:
    """The markup with a bar at every safe point."""
    at = safe_points(html.encode())
    return "".join(("|" if n in at else "") + char for n, char in enumerate(html)) + ("|" if len(html) in at else "")


@pytest.mark.parametrize(
    "marked",
    [
        "<!doctype html><html><head><title>a<b></title></head><body>|<p>|One<b>|two</b>|</p>|</body></html>",
        "<title>x</title><p>|no body tag</p>|",
        "<p>|<!-- <p></p> --><i>|</i>|",
        "<body>|<script>'<p></p>'</script>|<style>a > b {}</style>|",
        "<body>|<textarea><p></textarea>|<noscript><p></p></noscript>|<iframe><p></iframe>|",
        "<body>|<p title=\"<b></b>\" data-x='<i>'>|</p>|",
        "<body>|<table><tr><td>|cell<b>|x</b>|</td><td>|</td></tr></table>|",
        "<body>|<table><caption>|c</caption><tbody><tr><th>|<table><tr></table>|</th></tr></tbody></table>|",
        "<body>|<pre>\n x</pre>|",
        "<body>|<svg><g></g><script></script></svg>|<math><mi></mi></math>|<svg/>|",
        "<body>|<template><p></p></template>|<select><option>a</option></select>|",
        "<head><template><p></p></template><meta charset=utf-8></head><body>|</body>",
        "<html><frameset><frame></frameset></html>",
        "<BODY>|<P>|<Script></SCRIPT>|",
        "just text, no tags",
        "",
        "<body>|<plaintext><p></p>",
        "<body>|<!-- never closed <p>",
        "<body>|<p title='never closed>",
    ],
)
def test_safe_points(marked: str) -> None:
    assert _marked(marked.replace("|", "")) == marked


def test_offsets_are_moved_to_safe_points() -> None:
    html = b"<body><p>one</p><p>two</p></body>"
    fenced, _ = with_fences(PAGE, html, (), Pauses([10, 11, 999], [11, 20]))
    assert fenced == (
        b'<body><p>one</p><script src="http://host:8/__jostle_fence__/1" nonce="jostle"></script>'
        b'<p>two</p><script src="http://host:8/__jostle_fence__/2/brief" nonce="jostle"></script></body>'
    )
    assert after_elements(html, "p") == [16, 26]
    assert number_of("http://host:8/__jostle_fence__/2") == number_of("http://host:8/__jostle_fence__/2/brief") == 2
    assert is_brief("http://host:8/__jostle_fence__/2/brief") and not is_brief("http://host:8/__jostle_fence__/2")
    assert number_of("http://host:8/page") == number_of("http://host:8/__jostle_fence__/x") == 0


def test_what_cannot_be_fenced_stays_as_it_is() -> None:
    for html in ("<p>x</p>".encode("utf-16"), b"no tags", b""):
        assert with_fences(PAGE, html, (("Content-Security-Policy", "script-src 'none'"),), Pauses([0])) == (
            html,
            (("Content-Security-Policy", "script-src 'none'"),),
        )


@pytest.mark.parametrize(
    ("policy", "amended"),
    [
        ("img-src *", "img-src *"),
        ("", ""),
        ("script-src 'self'", "script-src 'self' URL"),
        ("script-src 'none'", "script-src URL"),
        ("SCRIPT-SRC 'self'; img-src *", "img-src *; script-src 'self' URL"),
        ("script-src 'unsafe-inline'", "script-src 'unsafe-inline' URL"),
        ("script-src 'nonce-abc'", "script-src 'nonce-abc' 'nonce-N'"),
        ("script-src 'sha256-abc='", "script-src 'sha256-abc=' 'nonce-N'"),
        ("script-src 'strict-dynamic' 'nonce-a' https:", "script-src 'strict-dynamic' 'nonce-a' https: 'nonce-N'"),
        ("default-src 'self'; object-src 'none'", "default-src 'self'; object-src 'none'; script-src 'self' URL"),
        ("default-src 'none'", "default-src 'none'; script-src URL"),
        ("script-src-elem 'self'; script-src 'none'", "script-src 'none'; script-src-elem 'self' URL"),
    ],
)
def test_policies(policy: str, amended: str) -> None:
    assert allowed(policy, "http://host:8/__jostle_fence__/", "N") == amended.replace(
        "URL", "http://host:8/__jostle_fence__/"
    )


def after_buttons(url: str, html: bytes) -> Pauses:
    return Pauses(after_elements(html, "button"))


LATE = LOG + "<button onclick='late()'>Go</button><p>rest</p><script>function late() { log('late ran') }</script>"


def test_a_click_at_a_fence_finds_the_function_missing(browser: Browser, site: Site) -> None:
    url = site.serve(LATE)

    def story(page: Telling) -> None:
        effect = page.let("GET /")
        assert [str(event) for event in effect.created] == ["parse past fence 1 of /"]
        assert page.ask("document.readyState") == "loading"
        effect = page.act("click button")
        assert [error.message for error in effect.errors] == ["ReferenceError: late is not defined"]
        effect = page.let("parse past fence 1")
        assert Milestone("DOMContentLoaded") in effect.lifecycle
        assert effect.requests == ()
        effect = page.act("click button")
        assert effect.errors == ()
        assert page.said == ["late ran"]
        assert not any("fence" in path for path in site.requests)

    tell(browser, url, story, fences=after_buttons)


def test_text_typed_at_a_fence_is_overwritten_behind_it(browser: Browser, site: Site) -> None:
    url = site.serve(
        LOG
        + "<input id=name aria-label=Name><hr><p></p><script>document.getElementById('name').value = 'default'</script>"
    )

    def story(page: Telling) -> None:
        page.let("GET /")
        page.type("Name", "Ann")
        assert page.ask("document.getElementById('name').value") == "Ann"
        effect = page.let("parse past fence 1")
        assert [(write.target, write.value) for write in effect.form_writes] == [("input#name", "default")]

    tell(browser, url, story, fences=lambda url, html: Pauses([html.index(b"<hr>")]))


def test_where_the_parser_waits_for_a_moment_it_goes_on_first(browser: Browser, site: Site) -> None:
    """But not before it has come there: until then it waits for a script of the page."""
    url = site.serve(
        {
            "/": LOG
            + "<script src=/library.js></script><script>onmessage = () => log('message'); postMessage(1, '*')</script><hr>"
            + "<p></p><script>log('rest')</script>",
            "/library.js": "log('library')",
        }
    )

    def story(page: Telling) -> None:
        assert [event.kind for event in page.let("GET /").created] == [Kind.NETWORK]
        library = page.let("GET /library.js")
        assert {event.kind for event in library.created} == {Kind.PARSE, Kind.MESSAGE}
        parse = page.waiting()[0]
        assert (parse.kind, parse.detail.after) == (Kind.PARSE, (page.keys[-1],))
        page.drain()
        assert page.said == ["library", "rest", "message"]

    tell(browser, url, story, fences=lambda url, html: Pauses(brief=[html.index(b"<hr>")]))


def test_fences_one_after_the_other(browser: Browser, site: Site) -> None:
    url = site.serve(
        {
            "/": LOG + "<p>a</p><script src=one.js></script><p>b</p><p>c</p><script defer src=two.js></script><p>d</p>",
            "/one.js": "log('one', document.querySelectorAll('p').length)",
            "/two.js": "log('two', document.querySelectorAll('p').length)",
        }
    )

    def story(page: Telling) -> None:
        page.let("GET /")
        assert sorted(page.names()) == ["GET /one.js", "GET /two.js", "parse past fence 1 of /"]
        assert page.ask("document.querySelectorAll('p').length") == 1
        page.let("parse past fence 1")
        page.let("GET /one.js")
        assert page.ask("document.querySelectorAll('p').length") == 2
        assert sorted(page.names()) == ["GET /two.js", "parse past fence 2 of /"]
        effect = page.let("parse past fence 2")
        assert [event.creator for event in effect.created] == [page.keys[-1]]
        page.let("GET /two.js")
        assert page.said == ["one 1"]
        page.let("parse past fence 3")
        page.let("parse past fence 4")
        assert page.said == ["one 1", "two 4"]
        assert page.names() == []

    tell(browser, url, story, fences=lambda url, html: Pauses(after_elements(html, "p")))


STRICT = {
    "nonce": "script-src 'nonce-page'; object-src 'none'",
    "strict-dynamic": "script-src 'nonce-page' 'strict-dynamic' https:; require-trusted-types-for 'script'",
    "default": "default-src 'none'; script-src-attr 'none'; style-src 'self'",
    "unsafe-inline": "default-src 'self' 'unsafe-inline'",
}


@pytest.mark.parametrize("place", ["header", "meta"])
@pytest.mark.parametrize("policy", STRICT)
@pytest.mark.sampled(3)
def test_fences_under_a_strict_policy(browser: Browser, site: Site, policy: str, place: str) -> None:
    markup = "<!doctype html>META<button>Go</button><p id=end></p><script nonce=page>document.getElementById('end').title = 'ran'</script>"
    meta = f'<meta http-equiv="Content-Security-Policy" content="{STRICT[policy]}">' if place == "meta" else ""
    headers = {"Content-Type": "text/html"} | ({"Content-Security-Policy": STRICT[policy]} if place == "header" else {})
    url = site.serve({"/": (200, headers, markup.replace("META", meta))})
    runs = "default" not in policy

    def story(page: Telling) -> None:
        page.let("GET /")
        assert page.names() == ["parse past fence 1 of /"]
        assert page.ask("document.getElementById('end')") is None
        page.let("parse past fence 1")
        assert page.ask("document.getElementById('end').title") == ("ran" if runs else "")
        assert page.ask("document.querySelectorAll('script').length") == 1

    tell(browser, url, story, fences=after_buttons)


def test_a_page_that_came_past_its_fences_is_the_same_as_without(browser: Browser, site: Site) -> None:
    markup = (
        LOG + "<p>a</p><table><tr><td>b<i>c</i></td></tr></table><button>Go</button><ul><li>x<li>y</ul>"
        "<p>one <b>two <i>three</b> four</i></p><script>log(document.body.children.length)</script>"
    )
    url = site.serve(markup)
    states = []
    for options in ({}, {"fences": lambda url, html: Pauses(safe_points(html))}):
        page = Telling(browser, url, **options)
        page.drain()
        states.append((page.ask("document.documentElement.outerHTML"), page.said, page.state().digest))
    assert states[0] == states[1]


class Recorded(Responder):
    async def respond(self, asked: SentRequest) -> Response | Route | None:
        return (
            Response(headers=(("Content-Type", "text/html"),), body=LATE.encode())
            if asked.resource == "document"
            else None
        )


def test_fences_in_a_recorded_page(browser: Browser) -> None:
    def story(page: Telling) -> None:
        page.let("GET /")
        assert page.act("click button").errors[0].message == "ReferenceError: late is not defined"
        page.let("parse past fence 1")
        page.act("click button")
        assert page.said == ["late ran"]

    tell(browser, "http://127.0.0.1:9/", story, responder=Recorded(), fences=after_buttons)
