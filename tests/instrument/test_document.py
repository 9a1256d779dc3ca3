"""Inline code of HTML documents: found, rewritten where it may be, everything else kept."""

from __future__ import annotations

import base64
import hashlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jostle.instrument import Rewriter, memory
from tests.instrument.javascript import JavaScript

URL = "https://example.org/"


def rewritten(html: str, *policies: str) -> tuple[str, list[str]]:
    return Rewriter(memory).document(html, URL, policies=policies)


@pytest.mark.parametrize(
    "html",
    [
        "<script>a.b</script>",
        "<SCRIPT type='text/javascript'>a.b</SCRIPT>",
        "<script type=module>a.b</script>",
        "<script language=JavaScript>a.b</script>",
        "<script>'<!-- <script>'; a.b; '</script>'</script>",
        "<!-- x --><script async>\na.b\n</script>",
        "<p title='>'><script>a.b</script>",
        "<!--><script>a.b</script>",
        "<![CDATA[ > <script>a.b</script>",
        "<svg></svg><script>a.b</script>",
        "<template><script>a.b</script></template>",
        "<a href=x onclick=a.b>",
        '<a onclick="a.b">',
        "<a OnClick = 'a.b'>",
        "<a href='javascript:a.b'>",
        "<a href=' JavaScript:a.b'>",
        "<iframe srcdoc='<script>a.b</script>'></iframe>",
        "<script>a.b",
    ],
)
def test_code_is_found(html: str) -> None:
    changed, problems = rewritten(html)
    assert "$jostle.r(" in changed
    assert problems == []


@pytest.mark.parametrize(
    "html",
    [
        "<script type='application/json'>{\"a\": 1}</script>",
        "<script type=importmap>a.b</script>",
        "<script type='text/template'>a.b</script>",
        "<script src=x.js>a.b</script>",
        "<!-- <script>a.b</script> -->",
        "<textarea><script>a.b</script></textarea>",
        "<title><script>a.b</script></title>",
        "<style>a.b</style>",
        "<noscript><script>a.b</script></noscript>",
        "<xmp><script>a.b</script></xmp>",
        "<plaintext><script>a.b</script>",
        "<p data-on='a.b' class=on>a.b &lt;script>",
        "<a href='/javascript:a.b'>",
        "</ script><script>  </script>",
        "<p title='<script>a.b</script>'>",
    ],
)
def test_what_is_no_code_is_kept(html: str) -> None:
    assert rewritten(html) == (html, [])


def test_what_cannot_be_rewritten_is_said() -> None:
    html = "<p>x</p>\n<script>a.b(</script><svg><script>a.b</script></svg><p onclick='a.(b'>"
    changed, problems = rewritten(html)
    assert changed == html
    assert [problem[:44] for problem in problems] == [
        "the code at line 2, column 9 was left alone:",
        "the code at line 2, column 35 was left alone",
        "the code at line 2, column 56 was left alone",
    ]


def test_integrity_is_removed_from_scripts_only() -> None:
    html = "<script src=a.js integrity='sha256-x' defer></script><link rel=stylesheet href=a.css integrity=y>"
    html += "<link rel=modulepreload href=b.js integrity=z>"
    assert rewritten(html)[0] == (
        "<script src=a.js defer></script><link rel=stylesheet href=a.css integrity=y><link rel=modulepreload href=b.js>"
    )


def test_code_that_a_policy_allows_by_its_hash_is_left_alone_and_said() -> None:
    hashed = base64.b64encode(hashlib.sha256(b"a.b").digest()).decode()
    html = "<script>a.b</script><script nonce=n>c.d</script>"
    policy = f"default-src 'none'; script-src 'nonce-n' 'sha256-{hashed}'"
    changed, problems = rewritten(html, policy)
    assert changed.startswith("<script>a.b</script>")
    assert "$jostle.r(" in changed
    assert problems == [
        "the code at line 1, column 9 was left alone: the page's Content-Security-Policy allows it by its hash"
    ]
    meta = f'<meta http-equiv="Content-Security-Policy" content="{policy}">{html}'
    assert "<script>a.b</script>" in rewritten(meta)[0]


def test_attributes_stay_readable() -> None:
    html = """<a onclick='say("x&amp;y", a.b)' title="&quot;">A &amp; B</a>"""
    changed, _ = rewritten(html)
    assert """' title="&quot;">A &amp; B</a>""" in changed
    assert """say,$jostle)("x&amp;y",""" in changed
    html = "<a\nonclick='a.b;&#10;c.d'>"
    assert rewritten(html)[0] == html


def test_places_lead_back_to_the_document() -> None:
    html = "<p onclick='a.b'>\n<b></b><script>a.b; missing()</script>"
    rewriter = Rewriter(memory)
    changed, _ = rewriter.document(html, URL)
    for number, line in enumerate(changed.split("\n"), 1):
        for word in ("missing", "<b>"):
            if word in line:
                column = line.rindex(word) + 1
                original = html.split("\n")[number - 1].rindex(word) + 1
                assert rewriter.original(URL, number, column) == (number, original)


@given(st.text(st.sampled_from(list("<>/!-=\"' abc\n&;[]")), max_size=60))
def test_any_text_is_a_document(text: str) -> None:
    assert rewritten(text)[0].count("\n") == text.count("\n")


PAGE = """<!doctype html><title>x</title>
<form id=f>
<input name=field value=v onclick="log(value, name, field.value, id, this.id, typeof event); value += count++">
</form><p id=p onclick='"use strict"; let n = 0; const f = () => n++; f(); log(n, this === p, title = "t&eacute;")'>
<button id=b onclick=go()>&lt;</button><a id=link href="javascript:void(count %3E 0 && log('%41' + count))">
<script>var count = 1; function go() { log("go", count++, new Error().stack.split(":").at(-2)) }</script>
<script type=module>log(typeof import.meta.url, document.getElementById("p").outerHTML.length > 0)</script>
<script>
<!-- old browsers
log("old", this === window, document.currentScript.textContent.length > 10)
//-->
</script>
<script type="application/json" id=data>{"a": "</p>"}</script><script>log(JSON.parse(data.textContent))</script>"""

_SHOW = """(async (html, probes) => {
  const frame = document.createElement("iframe");
  const said = [], accesses = [];
  document.body.append(frame);
  const page = frame.contentWindow;
  page.document.open();
  page.log = (...values) => void said.push(JSON.stringify(values));
  page.onerror = (message, url, line) => void said.push(`${message} in line ${line}`);
  if (probes) page.eval(probes)({
    object: (object, key, mode) => void accesses.push(`${object.id ?? ""}.${String(key)} ${mode}`),
    variable: (scope, name, mode) => void accesses.push(`${scope ? "closure" : "global"} ${name} ${mode}`),
    code: (text) => text,
  });
  page.document.write(html);
  page.document.close();
  await new Promise((resolve) => setTimeout(resolve, 50));
  accesses.length = 0;
  const click = (selector) => page.document.querySelector(selector).click();
  click("input"); click("p"); click("button"); click("a"); click("input");
  await new Promise((resolve) => setTimeout(resolve, 20));
  said.push(page.document.querySelector("input").value);
  return { said, accesses };
})"""


def test_a_page_behaves_alike(javascript: JavaScript) -> None:
    changed, problems = rewritten(PAGE)
    assert problems == []
    assert changed.count("\n") == PAGE.count("\n")
    before = javascript.evaluate(f"{_SHOW}({json.dumps(PAGE)}, '')")
    after = javascript.evaluate(f"{_SHOW}({json.dumps(changed)}, {json.dumps(memory.runtime)})")
    assert len(before["said"]) == 11
    assert after["said"] == before["said"]


def test_a_handler_sees_its_element_before_the_globals(javascript: JavaScript) -> None:
    changed, _ = rewritten(PAGE)
    accesses = javascript.evaluate(f"{_SHOW}({json.dumps(changed)}, {json.dumps(memory.runtime)})")["accesses"]
    assert "global count 3" in accesses
    assert "global value 3" not in accesses
    assert ".value 3" in accesses  # of the field
    assert "f.field 1" in accesses  # of the form
    assert "global go 1" in accesses
    assert "closure n 3" in accesses
